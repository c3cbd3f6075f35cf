/* Sockets of IPv6: options and their limits, groups, ports beside IPv4, where datagrams were sent to (IP_PKTINFO).  Where
 * Linux has no IPv6 there is nothing to compare.  What is sent to groups is compared with IPv4 instead
 * (tests/scenarios/either_family.c): Linux has no way for it on loopback. */
#include "calls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

static void set(int line, int s, int level, int option, int value, socklen_t n) {
    int was = -99;
    socklen_t size = sizeof was;
    errno = 0;
    say(line, "setsockopt", setsockopt(s, level, option, &value, n));
    errno = 0;
    say(line, "getsockopt", getsockopt(s, level, option, &was, &size));
    say(line, "value", was);
}
#define SET(s, option, value) set(__LINE__, s, IPPROTO_IPV6, option, value, sizeof(int))

static void options(void) {
    int all[] = {socket(AF_INET, SOCK_DGRAM, 0), socket(AF_INET6, SOCK_DGRAM, 0), socket(AF_INET6, SOCK_STREAM, 0),
                 socket(AF_UNIX, SOCK_DGRAM, 0)};
    static const int values[] = {-2, -1, 0, 1, 2, 7, 255, 256};
    for (int i = 0; i < 4; i++)
        for (int v = 0; v < 8; v++) {
            SET(all[i], IPV6_MULTICAST_HOPS, values[v]);
            SET(all[i], IPV6_MULTICAST_LOOP, values[v]);
            SET(all[i], IPV6_UNICAST_HOPS, values[v]);
            SET(all[i], IPV6_TCLASS, values[v]);
            SET(all[i], IPV6_RECVPKTINFO, values[v]);
            SET(all[i], IPV6_RECVERR, values[v]);
            set(__LINE__, all[i], IPPROTO_IP, IP_MTU_DISCOVER, values[v], sizeof(int));
            SET(all[i], IPV6_V6ONLY, values[v]);
            if (v == 0 || v == 2 || v == 3) /* others may be interfaces of this machine */
                SET(all[i], IPV6_MULTICAST_IF, values[v]);
            set(__LINE__, all[i], IPPROTO_IPV6, IPV6_MULTICAST_HOPS, values[v], 1);
            if (i == 0 || i == 3) {
                set(__LINE__, all[i], IPPROTO_IP, IP_PKTINFO, values[v], sizeof(int));
                set(__LINE__, all[i], IPPROTO_IP, IP_PKTINFO, values[v], 1);
            }
        }
    set(__LINE__, all[3], IPPROTO_IP, IP_TTL, 3, sizeof(int));
}

static struct sockaddr_in6 at(const char *ip, int port) {
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    inet_pton(AF_INET6, ip, &a.sin6_addr);
    return a;
}

static void member(int line, int s, int option, const char *group, unsigned interface, socklen_t n) {
    struct ipv6_mreq r = {.ipv6mr_interface = interface};
    inet_pton(AF_INET6, group, &r.ipv6mr_multiaddr);
    errno = 0;
    say(line, "member", setsockopt(s, IPPROTO_IPV6, option, &r, n));
}
#define JOIN(s, group, interface)  member(__LINE__, s, IPV6_JOIN_GROUP, group, interface, sizeof(struct ipv6_mreq))
#define LEAVE(s, group, interface) member(__LINE__, s, IPV6_LEAVE_GROUP, group, interface, sizeof(struct ipv6_mreq))

/* What comes, from where, and where it was sent to. */
static void hear(int line, int s, size_t room) {
    char c, control[128];
    struct iovec piece = {&c, 1};
    struct sockaddr_in6 from;
    struct msghdr m = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &piece, .msg_iovlen = 1,
                       .msg_control = control, .msg_controllen = room};
    usleep(2000);
    errno = 0;
    ssize_t n = recvmsg(s, &m, MSG_DONTWAIT);
    say(line, "recvmsg", n);
    if (n < 0)
        return;
    say(line, "flags", m.msg_flags);
    say(line, "control", (long)m.msg_controllen);
    for (struct cmsghdr *k = CMSG_FIRSTHDR(&m); k; k = CMSG_NXTHDR(&m, k)) {
        say(line, "length", (long)k->cmsg_len);
        say(line, "level", k->cmsg_level);
        say(line, "type", k->cmsg_type);
        for (size_t i = CMSG_LEN(0); i < k->cmsg_len; i++)
            say(line, "byte", ((unsigned char *)k)[i]);
    }
}

static void send_there(int line, int s, const char *ip, int port) {
    struct sockaddr_in6 to = at(ip, port);
    errno = 0;
    say(line, "sendto", sendto(s, "x", 1, 0, (struct sockaddr *)&to, sizeof to));
}
#define SEND(s, ip, port) send_there(__LINE__, s, ip, port)
#define HEAR(s)           hear(__LINE__, s, 128)

static void groups(void) {
    int a = socket(AF_INET6, SOCK_DGRAM, 0), b = socket(AF_INET6, SOCK_DGRAM, 0), t = socket(AF_INET6, SOCK_STREAM, 0),
        four = socket(AF_INET, SOCK_DGRAM, 0), local = socket(AF_UNIX, SOCK_DGRAM, 0), on = 1, lo = 1, off = 0;
    struct sockaddr_in6 any = at("::", 21334), group = at("ff05::1:4", 21335);
    T(setsockopt(a, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on));
    T(setsockopt(a, IPPROTO_IPV6, IPV6_MULTICAST_IF, &lo, sizeof lo));
    T(bind(a, (struct sockaddr *)&any, sizeof any));
    T(bind(b, (struct sockaddr *)&group, sizeof group));
    SET(a, IPV6_V6ONLY, 1); /* too late */
    JOIN(a, "ff05::1:3", 1);
    JOIN(a, "ff05::1:3", 1);
    JOIN(a, "fe80::1:3", 1);
    JOIN(a, "ff05::1:5", 77);
    JOIN(a, "::ffff:239.1.2.3", 1);
    JOIN(t, "ff05::1:3", 1);
    JOIN(four, "ff05::1:3", 1);
    JOIN(local, "ff05::1:3", 1);
    member(__LINE__, a, IPV6_JOIN_GROUP, "ff05::1:5", 1, 16);
    JOIN(b, "ff05::1:4", 1);
    SEND(a, "::1", 21335);
    HEAR(b);
    SEND(a, "::1", 21334);
    HEAR(a);
    SEND(a, "::1", 21334);
    hear(__LINE__, a, 0);
    SEND(a, "::1", 21334);
    hear(__LINE__, a, 8);
    SEND(a, "::1", 21334);
    hear(__LINE__, a, 24);
    SEND(a, "::1", 21334);
    hear(__LINE__, a, CMSG_LEN(sizeof(struct in6_pktinfo)));
    T(setsockopt(a, IPPROTO_IPV6, IPV6_RECVPKTINFO, &off, sizeof off));
    SEND(a, "::1", 21334);
    HEAR(a);
    LEAVE(a, "ff05::1:3", 1);
    LEAVE(a, "ff05::1:3", 1);
    LEAVE(a, "fe80::1:3", 1);
    LEAVE(a, "ff05::1:5", 77);
}

/* One port for both kinds: only if that of IPv6 is for it alone. */
static void ports(void) {
    int six = socket(AF_INET6, SOCK_DGRAM, 0), other = socket(AF_INET6, SOCK_DGRAM, 0), four = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    struct sockaddr_in6 any = at("::", 21434);
    struct sockaddr_in any4 = {.sin_family = AF_INET, .sin_port = htons(21434)}, to = any4;
    T(bind(four, (struct sockaddr *)&any4, sizeof any4));
    T(bind(six, (struct sockaddr *)&any, sizeof any));
    T(setsockopt(six, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on));
    T(bind(six, (struct sockaddr *)&any, sizeof any));
    T(bind(other, (struct sockaddr *)&any, sizeof any));
    T(setsockopt(four, IPPROTO_IP, IP_PKTINFO, &on, sizeof on));
    SEND(other, "::1", 21434);
    HEAR(four);
    HEAR(six);
    SEND(other, "::ffff:127.0.0.1", 21434);
    HEAR(six);
    HEAR(four);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    T(sendto(four, "x", 1, 0, (struct sockaddr *)&to, sizeof to));
    hear(__LINE__, four, 20);
    T(sendto(four, "x", 1, 0, (struct sockaddr *)&to, sizeof to));
    HEAR(four);
}

int main(void) {
    struct stat s;
    if (stat("/proc/net/if_inet6", &s) != 0)
        return 0;
    options();
    groups();
    ports();
    return 0;
}
