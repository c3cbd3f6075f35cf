/* A node asks its interface for the address of all, and sends there; the others compare where that
 * came from with what they see of themselves. */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static struct in_addr own(int s, unsigned long request) {
    struct ifreq r = {.ifr_name = "eth0"};
    struct sockaddr_in a;
    assert(ioctl(s, request, &r) == 0);
    memcpy(&a, &r.ifr_addr, sizeof a);
    return a.sin_addr;
}

static unsigned count(int family) {
    struct ifaddrs *all;
    unsigned n = 0;
    assert(getifaddrs(&all) == 0);
    for (const struct ifaddrs *a = all; a; a = a->ifa_next)
        n += a->ifa_addr->sa_family == family;
    freeifaddrs(all);
    return n;
}

int main(int argc, char **argv) {
    int s = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)}, from;
    socklen_t n = sizeof from;
    char byte = 1;
    bind(s, (struct sockaddr *)&at, sizeof at);
    assert(count(AF_INET) == 2 && count(AF_INET6) == 2 &&
           own(s, SIOCGIFADDR).s_addr == inet_addr(argv[1]));
    at.sin_addr = own(s, SIOCGIFBRDADDR);
    assert(at.sin_addr.s_addr == (own(s, SIOCGIFADDR).s_addr | ~own(s, SIOCGIFNETMASK).s_addr));
    if (argc > 2) {
        assert(sendto(s, &byte, 1, 0, (struct sockaddr *)&at, sizeof at) < 0);
        setsockopt(s, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
        assert(sendto(s, &byte, 1, 0, (struct sockaddr *)&at, sizeof at) == 1);
        return 0;
    }
    assert(recvfrom(s, &byte, 1, 0, (struct sockaddr *)&from, &n) == 1);
    assert(from.sin_addr.s_addr == inet_addr("192.168.7.1"));
    heddle_reach("heard");
    return 0;
}
