/* groups NUMBER: three nodes in a line, of which the first sends to two groups.  The second has
 * joined both and leaves one when something has come; the third is out of range.  Who hears what
 * becomes a label.  With -DSIX they are groups of IPv6, and each datagram must say that it was sent to one. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

enum { PORT = 7000 };

#ifdef SIX
typedef struct sockaddr_in6 any_address;
#define FAMILY AF_INET6
#define ANY    "::"
#define FIRST  "ff02::ef00:1"
#define SECOND "ff02::ef00:2"
#else
typedef struct sockaddr_in any_address;
#define FAMILY AF_INET
#define ANY    "0.0.0.0"
#define FIRST  "239.0.0.1"
#define SECOND "239.0.0.2"
#endif

static any_address address(const char *ip) {
#ifdef SIX
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(PORT)};
    inet_pton(AF_INET6, ip, &a.sin6_addr);
#else
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, ip, &a.sin_addr);
#endif
    return a;
}

static void member(int fd, int joins, const char *group) {
    any_address a = address(group);
#ifdef SIX
    struct ipv6_mreq r = {.ipv6mr_multiaddr = a.sin6_addr, .ipv6mr_interface = 2};
    int status = setsockopt(fd, IPPROTO_IPV6, joins ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP, &r, sizeof r);
#else
    struct ip_mreq r = {.imr_multiaddr = a.sin_addr};
    int status = setsockopt(fd, IPPROTO_IP, joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &r, sizeof r);
#endif
    assert(status == 0);
}

static void send_to(int fd, const char *group, const char *text) {
    any_address to = address(group);
    sendto(fd, text, 1, 0, (struct sockaddr *)&to, sizeof to);
}

/* The first node sends, to a group that the byte names. */
static void check(const any_address *from, const struct msghdr *m, char byte) {
    any_address group = address(byte == 'a' ? FIRST : SECOND);
    const struct cmsghdr *c = CMSG_FIRSTHDR(m);
    assert(c && !(m->msg_flags & MSG_CTRUNC));
#ifdef SIX
    struct in6_pktinfo told;
    any_address first = address("fe80::a00:1");
    assert(c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO && c->cmsg_len == CMSG_LEN(sizeof told));
    memcpy(&told, CMSG_DATA(c), sizeof told);
    assert(memcmp(&from->sin6_addr, &first.sin6_addr, 16) == 0 && from->sin6_scope_id == 2);
    assert(memcmp(&told.ipi6_addr, &group.sin6_addr, 16) == 0 && told.ipi6_ifindex == 2);
#else
    struct in_pktinfo told;
    assert(c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO && c->cmsg_len == CMSG_LEN(sizeof told));
    memcpy(&told, CMSG_DATA(c), sizeof told);
    assert(from->sin_addr.s_addr == htonl(0x0a000001) && told.ipi_addr.s_addr == group.sin_addr.s_addr);
    assert(told.ipi_ifindex == 2 && ntohl(told.ipi_spec_dst.s_addr) >> 24 == 10);
#endif
}

/* What comes within 10 ms. */
static void hear(int fd, int me, int nth) {
    struct timeval limit = {.tv_usec = 10000};
    any_address from;
    char c = '-', label[16], control[64];
    struct iovec piece = {&c, 1};
    struct msghdr m = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &piece, .msg_iovlen = 1,
                       .msg_control = control, .msg_controllen = sizeof control};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (recvmsg(fd, &m, 0) == 1)
        check(&from, &m, c);
    snprintf(label, sizeof label, "%d.%d%c", me, nth, c);
    heddle_reach(label);
}

static int open_socket(void) {
    int fd = socket(FAMILY, SOCK_DGRAM, 0), on = 1;
#ifdef SIX
    setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
#else
    setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
#endif
    return fd;
}

int main(int argc, char **argv) {
    int me = argc > 1 ? atoi(argv[1]) : 0, fd = open_socket();
    any_address here = address(ANY);
    member(fd, 1, FIRST);
    bind(fd, (struct sockaddr *)&here, sizeof here);
    member(fd, 1, SECOND);
    if (me == 0) {
        send_to(fd, FIRST, "a");
        send_to(fd, SECOND, "b");
    }
    hear(fd, me, 1);
    member(fd, 0, FIRST);
    hear(fd, me, 2);
    return 0;
}
