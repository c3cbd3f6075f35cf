/* Network interfaces: what every machine has, which is loopback. */
#include "calls.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static void ask(int s, const char *what, unsigned long request, const char *name, long n) {
    struct ifreq r;
    memset(&r, 7, sizeof r);
    strncpy(r.ifr_name, name, IFNAMSIZ);
    errno = 0;
    int result = ioctl(s, request, &r);
    say(__LINE__, what, result);
    show(name, &r, result ? IFNAMSIZ : IFNAMSIZ + n);
}

/* Others may be there, too. */
static void list(int s) {
    char room[4096];
    struct ifconf c = {.ifc_len = sizeof room, .ifc_buf = room}, none = {.ifc_buf = NULL};
    T(ioctl(s, SIOCGIFCONF, &c));
    T(ioctl(s, SIOCGIFCONF, &none));
    T(none.ifc_len == c.ifc_len);
    for (int i = 0; i < c.ifc_len / (int)sizeof(struct ifreq); i++)
        if (strcmp(c.ifc_req[i].ifr_name, "lo") == 0)
            show("lo", &c.ifc_req[i].ifr_addr, 8);
    c.ifc_len = sizeof(struct ifreq) - 1;
    T(ioctl(s, SIOCGIFCONF, &c));
    T(c.ifc_len);
}

static void list_addresses(void) {
    struct ifaddrs *all = NULL;
    T(getifaddrs(&all));
    for (const struct ifaddrs *a = all; a; a = a->ifa_next)
        if (strcmp(a->ifa_name, "lo") == 0 && a->ifa_addr && a->ifa_addr->sa_family == AF_INET) {
            show("address", a->ifa_addr, 8);
            show("mask", a->ifa_netmask, 8);
            T(a->ifa_flags & (IFF_UP | IFF_LOOPBACK | IFF_BROADCAST));
        }
    freeifaddrs(all);
}

int main(void) {
    int s = socket(AF_INET, SOCK_DGRAM, 0), t = socket(AF_INET, SOCK_STREAM, 0);
    char name[IFNAMSIZ] = "";
    struct ifreq r = {.ifr_ifindex = 1};
    ask(s, "address", SIOCGIFADDR, "lo", 16);
    ask(t, "mask", SIOCGIFNETMASK, "lo", 16);
    ask(s, "to all", SIOCGIFBRDADDR, "lo", 16);
    ask(s, "hardware", SIOCGIFHWADDR, "lo", 16);
    ask(s, "flags", SIOCGIFFLAGS, "lo", 2);
    ask(s, "index", SIOCGIFINDEX, "lo", 4);
    ask(s, "mtu", SIOCGIFMTU, "lo", 4);
    ask(s, "unknown", SIOCGIFADDR, "nowhere", 0);
    ask(s, "unknown", SIOCGIFINDEX, "", 0);
    T(ioctl(s, SIOCGIFNAME, &r));
    show("name", r.ifr_name, 3);
    r.ifr_ifindex = 4711;
    T(ioctl(s, SIOCGIFNAME, &r));
    T(ioctl(99, SIOCGIFADDR, &r));
    list(s);
    list_addresses();
    T(if_nametoindex("lo"));
    T(if_nametoindex("nowhere"));
    T(if_nametoindex("a name that is too long"));
    TP(if_indextoname(1, name));
    show("name", name, 3);
    TP(if_indextoname(4711, name));
    return 0;
}
