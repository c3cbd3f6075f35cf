/* interfaces.c -- the network interfaces of a machine, asked for one by one
 * (machine/libc/interface.c).
 *
 * Of IPv4 only; entries of packets, which Linux lists too, are left out. */
#include <errno.h>
#include <ifaddrs.h>
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
    return result;
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
