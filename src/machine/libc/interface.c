/* Network interfaces, as ioctl of any socket tells them: loopback, and for a node "eth0" with the
 * address that it has in the scenario.
 *
 * The network of an address is that of its class (10.0.0.1 is one of 10.0.0.0/8), and so is the
 * address of all in it: who sends there sends to all in range (channels/transfer.c).  Interfaces
 * are never set: as on a machine that the program may not change. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>

enum { MOST_INTERFACES = 2, MTU_OF_LOOPBACK = 65536, MTU = 1500 };

typedef struct interface {
    const char *name;
    int index, mtu;
    short flags;
    uint32_t address, mask, to_all; /* in the order of this machine */
} interface;

static unsigned list_interfaces(hd_machine *m, interface out[MOST_INTERFACES]) {
    hd_net *net = hd_ipc_net(m);
    const hd_hosts *hosts = &net->hosts;
    /* A process that a node has forked is on its host, too. */
    uint32_t host = hd_net_table(net, hd_ipc_process(m))->host, address = 0, mask = 0;
    bool has_address = hd_hosts_network(hosts, host, &address, &mask);
    out[0] = (interface){.name = "lo",
                         .index = 1,
                         .mtu = MTU_OF_LOOPBACK,
                         .flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING,
                         .address = INADDR_LOOPBACK,
                         .mask = 0xff000000};
    out[1] = (interface){.name = "eth0",
                         .index = 2,
                         .mtu = MTU,
                         .flags = IFF_UP | IFF_BROADCAST | IFF_RUNNING | IFF_MULTICAST,
                         .address = address,
                         .mask = mask,
                         .to_all = has_address ? address | ~mask : 0};
    return host ? 2 : 1;
}

/* ---- answers ---- */

static void set_address(struct sockaddr *to, uint32_t address) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    memcpy(to, &a, sizeof a);
}

/* Two bytes that no manufacturer has, and the address. */
static void set_hardware(struct sockaddr *to, const interface *i) {
    uint32_t address = htonl(i->address);
    memset(to, 0, sizeof *to);
    to->sa_family = i->index == 1 ? ARPHRD_LOOPBACK : ARPHRD_ETHER;
    if (i->index == 1)
        return;
    to->sa_data[0] = 2;
    memcpy(to->sa_data + 2, &address, sizeof address);
}

/* How many bytes of `r` behind the name are the answer; 0: it is not modelled. */
static size_t answer(unsigned long request, const interface *i, struct ifreq *r) {
    switch (request) {
    case SIOCGIFADDR:
        set_address(&r->ifr_addr, i->address);
        return sizeof r->ifr_addr;
    case SIOCGIFNETMASK:
        set_address(&r->ifr_netmask, i->mask);
        return sizeof r->ifr_netmask;
    case SIOCGIFBRDADDR:
        set_address(&r->ifr_broadaddr, i->to_all);
        return sizeof r->ifr_broadaddr;
    case SIOCGIFHWADDR:
        set_hardware(&r->ifr_hwaddr, i);
        return sizeof r->ifr_hwaddr.sa_family + 6; /* bytes of such an address */
    case SIOCGIFFLAGS:
        r->ifr_flags = i->flags;
        return sizeof r->ifr_flags;
    case SIOCGIFINDEX:
        r->ifr_ifindex = i->index;
        return sizeof r->ifr_ifindex;
    case SIOCGIFMTU:
        r->ifr_mtu = i->mtu;
        return sizeof r->ifr_mtu;
    default:
        return 0;
    }
}

static bool is_about_address(unsigned long request) {
    return request == SIOCGIFADDR || request == SIOCGIFNETMASK || request == SIOCGIFBRDADDR;
}

static int ask_by_name(hd_machine *m, unsigned long request, void *argument) {
    interface all[MOST_INTERFACES];
    struct ifreq r;
    unsigned n = list_interfaces(m, all), i = 0;
    hd_library_get(m, &r, argument, IFNAMSIZ);
    r.ifr_name[IFNAMSIZ - 1] = 0;
    while (i < n && strcmp(all[i].name, r.ifr_name) != 0)
        i++;
    if (i == n)
        return hd_ipc_fail(m, ENODEV);
    if (is_about_address(request) && !all[i].address)
        return hd_ipc_fail(m, EADDRNOTAVAIL);
    size_t size = answer(request, &all[i], &r);
    HD_ASSERT(size);
    hd_ipc_store_plain(m, (char *)argument + IFNAMSIZ, (char *)&r + IFNAMSIZ, size);
    return 0;
}

static int ask_by_index(hd_machine *m, void *argument) {
    interface all[MOST_INTERFACES];
    struct ifreq r = {0};
    unsigned n = list_interfaces(m, all);
    hd_library_get(m, &r.ifr_ifindex, (char *)argument + IFNAMSIZ, sizeof r.ifr_ifindex);
    if (r.ifr_ifindex < 1 || r.ifr_ifindex > (int)n)
        return hd_ipc_fail(m, ENODEV);
    strncpy(r.ifr_name, all[r.ifr_ifindex - 1].name, IFNAMSIZ);
    hd_ipc_store_plain(m, argument, r.ifr_name, IFNAMSIZ);
    return 0;
}

/* As many as there is room for; without a buffer, how much that would be. */
static int list_all(hd_machine *m, struct ifconf *argument) {
    interface all[MOST_INTERFACES];
    struct ifconf c;
    unsigned n = list_interfaces(m, all);
    int filled = 0;
    hd_library_get(m, &c, argument, sizeof c);
    for (unsigned i = 0; i < n; i++) {
        struct ifreq r = {0};
        if (!all[i].address || (c.ifc_buf && filled + (int)sizeof r > c.ifc_len))
            continue;
        strncpy(r.ifr_name, all[i].name, IFNAMSIZ);
        set_address(&r.ifr_addr, all[i].address);
        if (c.ifc_buf)
            hd_ipc_store_plain(m, c.ifc_buf + filled, &r, sizeof r);
        filled += (int)sizeof r;
    }
    hd_ipc_store_plain(m, &argument->ifc_len, &filled, sizeof filled);
    return 0;
}

bool hd_interface_is_asked(const hd_file *f, unsigned long request) {
    struct ifreq r;
    interface none = {.name = ""};
    if (f->kind != HD_FILE_SOCKET || (f->socket->domain != AF_INET && is_about_address(request)))
        return false;
    return request == SIOCGIFCONF || request == SIOCGIFNAME || answer(request, &none, &r);
}

int hd_interface_ask(hd_machine *m, unsigned long request, void *argument) {
    if (request == SIOCGIFCONF)
        return list_all(m, argument);
    return request == SIOCGIFNAME ? ask_by_index(m, argument) : ask_by_name(m, request, argument);
}

#define FIRST_OF_RADIO 0x8B00 /* requests of <linux/wireless.h> */
#define LAST_OF_RADIO  0x8BFF

static bool is_about_radio(unsigned long request) {
    return request >= FIRST_OF_RADIO && request <= LAST_OF_RADIO;
}

bool hd_interface_is_changed(const hd_file *f, unsigned long request) {
    if (f->kind != HD_FILE_SOCKET)
        return false;
    switch (request) {
    case SIOCADDRT:
    case SIOCDELRT:
    case SIOCSIFADDR:
    case SIOCSIFNETMASK:
    case SIOCSIFBRDADDR:
    case SIOCSIFDSTADDR:
    case SIOCSIFFLAGS:
    case SIOCSIFMTU:
    case SIOCSIFHWADDR:
    case SIOCSIFMETRIC:
        return true;
    default:
        return is_about_radio(request);
    }
}

int hd_interface_change(hd_machine *m, unsigned long request) {
    if (is_about_radio(request))
        return hd_ipc_fail(m, EOPNOTSUPP);
    hd_bound_call(m, "interfaces and routes are not changed by ioctl (EPERM)");
    return hd_ipc_fail(m, EPERM);
}
