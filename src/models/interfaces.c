/* interfaces.c -- the network interfaces of a machine, asked for one by one
 * (machine/libc/interface.c); addresses of IPv6 by netlink, as there is no other way.
 *
 * Entries of packets, which Linux lists too, are left out. */
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
#define MOST 8

struct listed {
    struct ifaddrs answer; /* first: it is what is freed */
    struct sockaddr_in address, mask, to_all;
    struct sockaddr_in6 address_v6, mask_v6;
    char name[IFNAMSIZ];
};

static int ask(struct ifreq *r, unsigned long request) {
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return -1;
    int result = ioctl(s, request, r);
    close(s);
    return result;
}

static struct listed *new_entry(const struct ifreq *of) {
    struct listed *e = calloc(1, sizeof *e);
    struct ifreq r = *of;
    if (!e)
        return NULL;
    memcpy(e->name, of->ifr_name, sizeof e->name);
    memcpy(&e->address, &of->ifr_addr, sizeof e->address);
    e->answer.ifa_name = e->name;
    e->answer.ifa_addr = (struct sockaddr *)&e->address;
    if (ask(&r, SIOCGIFFLAGS) == 0)
        e->answer.ifa_flags = (unsigned short)r.ifr_flags;
    if (ask(&r, SIOCGIFNETMASK) == 0)
        memcpy(&e->mask, &r.ifr_netmask, sizeof e->mask);
    e->answer.ifa_netmask = (struct sockaddr *)&e->mask;
    if (ask(&r, SIOCGIFBRDADDR) == 0)
        memcpy(&e->to_all, &r.ifr_broadaddr, sizeof e->to_all);
    e->answer.ifa_broadaddr = (struct sockaddr *)&e->to_all;
    return e;
}

/* ---- of IPv6 ---- */

static void set_prefix(struct sockaddr_in6 *mask, unsigned n) {
    mask->sin6_family = AF_INET6;
    for (unsigned i = 0; i < n; i++)
        mask->sin6_addr.s6_addr[i / 8] |= (unsigned char)(128 >> i % 8);
}

static struct listed *new_entry_v6(const struct ifaddrmsg *a, const void *ip) {
    struct listed *e = calloc(1, sizeof *e);
    struct ifreq r = {0};
    if (!e || !if_indextoname(a->ifa_index, e->name))
        return e;
    memcpy(r.ifr_name, e->name, sizeof r.ifr_name);
    e->answer.ifa_name = e->name;
    if (ask(&r, SIOCGIFFLAGS) == 0)
        e->answer.ifa_flags = (unsigned short)r.ifr_flags;
    e->address_v6.sin6_family = AF_INET6;
    memcpy(&e->address_v6.sin6_addr, ip, sizeof e->address_v6.sin6_addr);
    if (a->ifa_scope == RT_SCOPE_LINK)
        e->address_v6.sin6_scope_id = a->ifa_index;
    set_prefix(&e->mask_v6, a->ifa_prefixlen);
    e->answer.ifa_addr = (struct sockaddr *)&e->address_v6;
    e->answer.ifa_netmask = (struct sockaddr *)&e->mask_v6;
    return e;
}

static int add_message(const struct nlmsghdr *h, struct ifaddrs ***end) {
    struct ifaddrmsg *a = NLMSG_DATA(h);
    int n = (int)IFA_PAYLOAD(h);
    for (struct rtattr *t = IFA_RTA(a); RTA_OK(t, n); t = RTA_NEXT(t, n))
        if (t->rta_type == IFA_ADDRESS) {
            struct listed *e = new_entry_v6(a, RTA_DATA(t));
            if (!e)
                return -1;
            **end = &e->answer;
            *end = &e->answer.ifa_next;
        }
    return 0;
}

/* All addresses of IPv6, behind those that are there. */
static int add_v6(struct ifaddrs **end) {
    struct {
        struct nlmsghdr head;
        struct rtgenmsg body;
    } request = {{sizeof request, RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {AF_INET6}};
    union {
        struct nlmsghdr first;
        char bytes[8192];
    } answer;
    int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int is_done = s < 0 || send(s, &request, sizeof request, 0) < 0, result = is_done ? -1 : 0;
    while (!is_done) {
        int n = (int)recv(s, &answer, sizeof answer, 0);
        is_done = n <= 0;
        for (struct nlmsghdr *h = &answer.first; n > 0 && NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
            is_done |= h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR;
            if (h->nlmsg_type == RTM_NEWADDR)
                result |= add_message(h, &end);
        }
    }
    if (s >= 0)
        close(s);
    return result;
}

WEAK void freeifaddrs(struct ifaddrs *list) {
    while (list) {
        struct ifaddrs *next = list->ifa_next;
        free(list);
        list = next;
    }
}

WEAK int getifaddrs(struct ifaddrs **out) {
    struct ifreq all[MOST];
    struct ifconf c = {.ifc_len = sizeof all, .ifc_req = all};
    struct ifaddrs **end = out;
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    *out = NULL;
    if (s < 0)
        return -1;
    int result = ioctl(s, SIOCGIFCONF, &c);
    close(s);
    for (unsigned i = 0; result == 0 && i < (unsigned)c.ifc_len / sizeof *all; i++) {
        struct listed *e = new_entry(&all[i]);
        if (!e) {
            freeifaddrs(*out);
            *out = NULL;
            return -1;
        }
        *end = &e->answer;
        end = &e->answer.ifa_next;
    }
    return result == 0 ? add_v6(end) : result;
}

WEAK unsigned if_nametoindex(const char *name) {
    struct ifreq r = {0};
    if (strlen(name) >= sizeof r.ifr_name) {
        errno = ENODEV;
        return 0;
    }
    strcpy(r.ifr_name, name);
    return ask(&r, SIOCGIFINDEX) == 0 ? (unsigned)r.ifr_ifindex : 0;
}

WEAK char *if_indextoname(unsigned index, char *name) {
    struct ifreq r = {.ifr_ifindex = (int)index};
    if (ask(&r, SIOCGIFNAME) != 0) {
        errno = errno == ENODEV ? ENXIO : errno;
        return NULL;
    }
    return memcpy(name, r.ifr_name, IFNAMSIZ);
}

/* One list with the names behind it: one block, which is freed as one. */
struct named {
    struct if_nameindex answer[MOST + 1];
    char name[MOST][IFNAMSIZ];
};

WEAK struct if_nameindex *if_nameindex(void) {
    struct named *all = calloc(1, sizeof *all);
    for (unsigned i = 0; all && i < MOST && if_indextoname(i + 1, all->name[i]); i++)
        all->answer[i] = (struct if_nameindex){i + 1, all->name[i]};
    return all ? all->answer : NULL;
}

WEAK void if_freenameindex(struct if_nameindex *list) {
    free(list);
}
