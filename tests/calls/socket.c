/* Sockets: kinds, names, connections, messages, options. */
#include "calls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

static struct sockaddr_in ip(const char *text, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, text, &a.sin_addr);
    return a;
}
#define IP(text, port) ((struct sockaddr *)&(struct sockaddr_in[]){ip(text, port)})
#define IP_SIZE        sizeof(struct sockaddr_in)
static struct sockaddr_un path(const char *text) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path, text);
    return a;
}
#define UN(text) ((struct sockaddr *)&(struct sockaddr_un[]){path(text)})
#define UN_SIZE  sizeof(struct sockaddr_un)
#define NONE     ((struct sockaddr *)&(struct sockaddr){AF_UNSPEC})

/* Ports that the system chose are others each time. */
static void show_address(const char *what, const struct sockaddr_storage *a, socklen_t n) {
    const struct sockaddr_in *i = (const void *)a;
    char text[64];
    if (n == 0)
        printf("  %s: none\n", what);
    else if (a->ss_family == AF_INET)
        printf("  %s: %s %s, %u bytes\n", what, inet_ntop(AF_INET, &i->sin_addr, text, 64),
               !i->sin_port                                                         ? "no port"
               : ntohs(i->sin_port) / 10 == 2352 || ntohs(i->sin_port) / 10 == 2351 ? "that port"
                                                                                    : "some port",
               n);
    else
        printf("  %s: family %d '%s' %u bytes\n", what, a->ss_family,
               n > 2 ? ((const struct sockaddr_un *)a)->sun_path : "", n);
}
static void names(int s) {
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    T(getsockname(s, (struct sockaddr *)&a, &n));
    show_address("here", &a, n);
    n = sizeof a;
    memset(&a, 0, sizeof a);
    int r = getpeername(s, (struct sockaddr *)&a, &n);
    say(0, "getpeername", r);
    if (r == 0)
        show_address("there", &a, n);
}

static void kinds(void) {
    int s[2], d;
    T(d = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    T(fcntl(d, F_GETFL));
    T(fcntl(d, F_GETFD));
    T(d = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP));
    T(fcntl(d, F_GETFL));
    T(fcntl(d, F_GETFD));
    T(socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) >= 0);
    T(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
    T(socket(AF_INET, SOCK_DGRAM, IPPROTO_TCP));
    T(socket(AF_UNIX, SOCK_STREAM, IPPROTO_TCP));
    T(socket(AF_INET, 77, 0));
    T(socket(AF_UNIX, SOCK_SEQPACKET, 0) >= 0);
    T(socketpair(AF_INET, SOCK_STREAM, 0, s));
    T(socketpair(AF_UNIX, SOCK_STREAM, IPPROTO_TCP, s));
    T(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s));
    T(fcntl(s[0], F_GETFL));
    T(fcntl(s[1], F_GETFD));
    names(s[0]);
    for (d = 3; d < 40; d++)
        close(d);
}

static void local_streams(void) {
    int l, c, a, again;
    char b[16] = "";
    struct sockaddr_storage from;
    socklen_t n = sizeof from;
    T(l = socket(AF_UNIX, SOCK_STREAM, 0));
    T(listen(l, 2));
    T(accept(l, NULL, NULL));
    T(bind(l, UN("sock"), UN_SIZE));
    T(bind(l, UN("other"), UN_SIZE));
    T(c = socket(AF_UNIX, SOCK_STREAM, 0));
    T(bind(c, UN("sock"), UN_SIZE));
    T(connect(c, UN("sock"), UN_SIZE));
    T(connect(c, UN("nothing"), UN_SIZE));
    T(listen(l, 2));
    names(l);
    T(connect(l, UN("sock"), UN_SIZE));
    T(connect(c, IP("127.0.0.1", 1), IP_SIZE));
    T(connect(c, UN("sock"), 1));
    T(connect(c, UN("sock"), UN_SIZE));
    T(connect(c, UN("sock"), UN_SIZE));
    T(connect(c, NONE, sizeof(struct sockaddr)));
    T(connect(l, NONE, sizeof(struct sockaddr)));
    names(c);
    T(fcntl(l, F_SETFL, O_NONBLOCK));
    T(accept4(l, NULL, NULL, 1));
    T(a = accept4(l, (struct sockaddr *)&from, &n, SOCK_NONBLOCK | SOCK_CLOEXEC));
    show_address("from", &from, n);
    T(fcntl(a, F_GETFL));
    T(fcntl(a, F_GETFD));
    names(a);
    T(accept(l, NULL, NULL));
    T(send(c, "hello", 5, 0));
    T(recv(a, b, 3, MSG_PEEK));
    T(recv(a, b, 16, 0));
    show_text("got", b);
    T(recv(a, b, 16, 0));
    T(recv(a, b, 16, MSG_DONTWAIT));
    T(shutdown(c, SHUT_WR));
    T(recv(a, b, 16, 0));
    T(send(c, "x", 1, MSG_NOSIGNAL));
    T(send(a, "y", 1, 0));
    T(recv(c, b, 16, 0));
    T(shutdown(a, SHUT_RD));
    T(shutdown(a, 7));
    T(shutdown(99, 0));
    T(shutdown(1, 0));
    T(close(c));
    T(send(a, "z", 1, MSG_NOSIGNAL));
    T(again = socket(AF_UNIX, SOCK_STREAM, 0));
    T(shutdown(again, SHUT_WR));
    T(close(l));
    T(connect(again, UN("sock"), UN_SIZE));
    T(unlink("sock"));
    T(connect(again, UN("sock"), UN_SIZE));
    T(recv(again, b, 1, 0));
    T(send(again, b, 1, MSG_NOSIGNAL));
    T(bind(1, UN("x"), UN_SIZE));
    T(listen(1, 1));
    T(connect(1, UN("x"), UN_SIZE));
    T(accept(1, NULL, NULL));
    names(1);
    T(bind(99, UN("x"), UN_SIZE));
    T(bind(again, NONE, sizeof(struct sockaddr)));
    close(a), close(again);
}

static void network_streams(void) {
    int l, c, a, d, v = 1;
    socklen_t n = sizeof v;
    char b[16] = "";
    struct sockaddr_storage from;
    T(l = socket(AF_INET, SOCK_STREAM, 0));
    T(setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &v, sizeof v));
    T(bind(l, IP("127.0.0.1", 23517), IP_SIZE));
    T(bind(l, IP("127.0.0.1", 23518), IP_SIZE));
    names(l);
    T(c = socket(AF_INET, SOCK_STREAM, 0));
    T(shutdown(c, SHUT_WR));
    T(connect(c, IP("127.0.0.1", 23517), IP_SIZE));
    T(listen(l, 5));
    T(connect(l, IP("127.0.0.1", 23517), IP_SIZE));
    T(connect(c, IP("127.0.0.1", 23517), 4));
    T(connect(c, UN("x"), UN_SIZE));
    T(connect(c, IP("127.0.0.1", 23517), IP_SIZE));
    T(connect(c, IP("127.0.0.1", 23517), IP_SIZE));
    names(c);
    n = sizeof from;
    T(a = accept(l, (struct sockaddr *)&from, &n));
    show_address("from", &from, n);
    names(a);
    T(d = socket(AF_INET, SOCK_STREAM, 0));
    T(bind(d, IP("127.0.0.1", 23517), IP_SIZE));
    T(listen(d, 1)); /* at a port that the system chooses */
    names(d);
    close(d);
    T(send(a, "hello", 5, 0));
    T(send(a, " you", 4, MSG_MORE));
    T(recv(c, b, 9, MSG_WAITALL));
    show_text("got", b);
    T(send(c, "12", 2, 0));
    T(shutdown(c, SHUT_WR));
    T(recv(a, b, 2, MSG_WAITALL));
    T(recv(a, b, 16, 0));
    T(close(a));
    T(recv(c, b, 16, 0));
    close(c);
    /* without waiting */
    T(d = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    T(connect(d, IP("127.0.0.1", 23517), IP_SIZE));
    T(a = accept(l, NULL, NULL));
    struct pollfd p = {d, POLLOUT, 0};
    T(poll(&p, 1, -1));
    n = sizeof v;
    T(getsockopt(d, SOL_SOCKET, SO_ERROR, &v, &n));
    T(v);
    close(d);
    T(shutdown(l, SHUT_RD));
    T(d = socket(AF_INET, SOCK_STREAM, 0));
    T(connect(d, IP("127.0.0.1", 23517), IP_SIZE));
    close(a), close(d), close(l);
    T(d = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    T(connect(d, IP("127.0.0.1", 23519), IP_SIZE));
    p = (struct pollfd){d, POLLOUT, 0};
    T(poll(&p, 1, -1));
    printf("  %x\n", (unsigned)p.revents);
    n = sizeof v;
    T(getsockopt(d, SOL_SOCKET, SO_ERROR, &v, &n));
    T(v);
    T(getsockopt(d, SOL_SOCKET, SO_ERROR, &v, &n));
    T(v);
    close(d);
}

/* Again and again, without waiting: refused, then somebody listens. */
static void connect_again(void) {
    int l = socket(AF_INET, SOCK_STREAM, 0), d, v = 1;
    struct pollfd p;
    socklen_t n = sizeof v;
    T(setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &v, sizeof v));
    T(bind(l, IP("127.0.0.1", 23516), IP_SIZE));
    T(d = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    for (int i = 0; i < 2; i++) {
        T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
        p = (struct pollfd){d, POLLOUT, 0};
        T(poll(&p, 1, -1));
        T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    }
    T(listen(l, 2));
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    T(poll(&p, 1, -1));
    T(p.revents);
    T(getsockopt(d, SOL_SOCKET, SO_ERROR, &v, &n));
    T(v);
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    names(d);
    close(d);
    T(d = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    p = (struct pollfd){d, POLLOUT, 0};
    T(poll(&p, 1, -1));
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    close(d);
    T(d = socket(AF_INET, SOCK_STREAM, 0));
    T(connect(d, NONE, sizeof(struct sockaddr)));
    T(connect(d, IP("127.0.0.1", 23516), IP_SIZE));
    close(d), close(l);
}

/* Wait until something is there: through the network it takes a while. */
static int arrived(int d) {
    struct pollfd p = {d, POLLIN, 0};
    return poll(&p, 1, -1);
}

static void datagrams(void) {
    int a, b, c, s[2];
    char t[16] = "";
    struct sockaddr_storage from;
    socklen_t n = sizeof from;
    T(a = socket(AF_INET, SOCK_DGRAM, 0));
    T(b = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0));
    T(c = socket(AF_INET, SOCK_DGRAM, 0));
    T(listen(a, 1));
    T(accept(a, NULL, NULL));
    T(bind(b, IP("127.0.0.1", 23520), IP_SIZE));
    T(send(a, "x", 1, 0));
    T(sendto(a, "hello", 5, 0, IP("127.0.0.1", 23520), IP_SIZE));
    T(sendto(a, "x", 1, 0, NONE, sizeof(struct sockaddr)));
    T(sendto(a, "x", 1, 0, IP("127.0.0.1", 23520), 4));
    T(arrived(b));
    T(recvfrom(b, t, 3, MSG_TRUNC, (struct sockaddr *)&from, &n));
    show_address("from", &from, n);
    T(recv(b, t, 16, 0));
    T(connect(a, IP("127.0.0.1", 23520), IP_SIZE));
    names(a);
    T(send(a, "again", 5, 0));
    T(arrived(b));
    T(recv(b, t, 16, 0));
    T(connect(b, (struct sockaddr *)&from, n));
    T(send(b, "", 0, 0));
    T(arrived(a));
    T(recv(a, t, 16, 0));
    T(connect(b, NONE, sizeof(struct sockaddr)));
    T(sendto(c, "yes", 3, 0, IP("127.0.0.1", 23520), IP_SIZE));
    T(arrived(b));
    T(recv(b, t, 16, 0));
    T(shutdown(c, SHUT_RD));
    T(shutdown(a, SHUT_RD));
    close(a), close(b), close(c);
    T(a = socket(AF_UNIX, SOCK_DGRAM, 0));
    T(b = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0));
    T(sendto(a, "x", 1, 0, UN("nobody"), UN_SIZE));
    T(connect(a, UN("nobody"), UN_SIZE));
    T(bind(b, UN("somebody"), UN_SIZE));
    T(connect(a, UN("somebody"), UN_SIZE));
    T(send(a, "abc", 3, 0));
    n = sizeof from;
    T(recvfrom(b, t, 16, 0, (struct sockaddr *)&from, &n));
    T(n);
    T(shutdown(a, SHUT_WR));
    T(send(a, "abc", 3, MSG_NOSIGNAL));
    T(unlink("somebody"));
    close(a), close(b);
    T(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s));
    T(send(s[0], "abc", 3, 0));
    T(send(s[0], "de", 2, 0));
    T(recv(s[1], t, 2, 0));
    T(recv(s[1], t, 16, 0));
    close(s[0]);
    T(recv(s[1], t, 16, 0));
    close(s[1]);
}

static void send_files(int line, int to, const int *files, int n, int flags) {
    char control[CMSG_SPACE(sizeof(int) * 4)] = {0};
    struct iovec v[2] = {{"ab", 2}, {"c", 1}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    if (n) {
        m.msg_control = control;
        m.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)n);
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        *c = (struct cmsghdr){CMSG_LEN(sizeof(int) * (size_t)n), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(c), files, sizeof(int) * (size_t)n);
    }
    errno = 0;
    long r = sendmsg(to, &m, flags);
    say(line, "sendmsg", r);
}
static int receive_files(int line, int from, size_t room, int flags) {
    char control[128] = {0}, a[2] = "", b[8] = "";
    struct sockaddr_storage sender;
    struct iovec v[2] = {{a, 2}, {b, 8}};
    struct msghdr m = {.msg_iov = v,
                       .msg_iovlen = 2,
                       .msg_control = control,
                       .msg_controllen = room,
                       .msg_name = &sender,
                       .msg_namelen = sizeof sender,
                       .msg_flags = 77};
    int first = -1;
    errno = 0;
    long r = recvmsg(from, &m, flags);
    say(line, "recvmsg", r);
    if (r < 0)
        return -1;
    show("a", a, 2);
    show("b", b, 2);
    printf("  name %u control %zu flags %x\n", m.msg_namelen, m.msg_controllen,
           (unsigned)m.msg_flags & ~MSG_CMSG_CLOEXEC);
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (m.msg_controllen && c) {
        printf("  %zu %d %d\n", (size_t)c->cmsg_len, c->cmsg_level, c->cmsg_type);
        memcpy(&first, CMSG_DATA(c), sizeof first);
        printf("  %d %d\n", first, fcntl(first, F_GETFD));
    }
    return first;
}

static void passing(void) {
    int s[2], p[2], d, bad[2] = {0, 99};
    T(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s));
    T(pipe(p));
    send_files(__LINE__, s[0], p, 0, 0);
    receive_files(__LINE__, s[1], 64, 0);
    send_files(__LINE__, s[0], p, 1, 0);
    d = receive_files(__LINE__, s[1], CMSG_SPACE(sizeof(int)), 0);
    close(p[0]);
    T(write(p[1], "through", 7));
    show_ready(d);
    close(d);
    T(write(p[1], "x", 0));
    send_files(__LINE__, s[0], p + 1, 1, 0);
    d = receive_files(__LINE__, s[1], CMSG_SPACE(sizeof(int)), MSG_CMSG_CLOEXEC);
    close(d);
    send_files(__LINE__, s[0], (int[]){p[1], 1}, 2, 0);
    receive_files(__LINE__, s[1], CMSG_SPACE(sizeof(int)), 0);
    send_files(__LINE__, s[0], (int[]){p[1], 1}, 2, 0);
    receive_files(__LINE__, s[1], 0, 0);
    send_files(__LINE__, s[0], (int[]){p[1], 1}, 2, 0);
    receive_files(__LINE__, s[1], CMSG_LEN(sizeof(int)), 0);
    send_files(__LINE__, s[0], bad, 2, 0);
    receive_files(__LINE__, s[1], 64, 0);
    /* Sockets of the network do not even look at the numbers. */
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t at_size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    T(d = socket(AF_INET, SOCK_DGRAM, 0));
    T(bind(d, (struct sockaddr *)&at, sizeof at));
    getsockname(d, (struct sockaddr *)&at, &at_size);
    T(connect(d, (struct sockaddr *)&at, sizeof at));
    send_files(__LINE__, d, p + 1, 1, 0);
    receive_files(__LINE__, d, 64, 0);
    send_files(__LINE__, d, bad, 2, 0);
    receive_files(__LINE__, d, 64, 0);
    close(d);
    send_files(__LINE__, 99, bad, 0, 0);
    send_files(__LINE__, 1, bad, 0, 0);
    receive_files(__LINE__, 99, 64, 0);
    receive_files(__LINE__, 1, 64, 0);
    struct iovec v = {"x", 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 5000};
    T(sendmsg(s[0], &m, 0));
    T(recvmsg(s[1], &m, 0));
    T(sendto(99, "x", 1, 0, NULL, 0));
    T(recvfrom(99, bad, 1, 0, NULL, NULL));
    T(sendto(1, "x", 1, 0, NULL, 0));
    T(recvfrom(1, bad, 1, 0, NULL, NULL));
    close(s[0]), close(s[1]), close(p[1]);
}

static void get(int line, int s, int level, int option, socklen_t n) {
    unsigned char value[32];
    memset(value, 0xee, sizeof value);
    errno = 0;
    int r = getsockopt(s, level, option, value, &n);
    say(line, "getsockopt", r);
    printf("  level %d option %d: %u bytes", level, option, n);
    show("value", value, 20);
}
#define GET(s, level, option) get(__LINE__, s, level, option, 20)
static void set(int line, int s, int level, int option, int value, socklen_t n) {
    errno = 0;
    int r = setsockopt(s, level, option, &value, n);
    say(line, "setsockopt", r);
    get(line, s, level, option, 20);
}
#define SET(s, level, option, value) set(__LINE__, s, level, option, value, sizeof(int))

/* ---- groups ---- */

static struct sockaddr_in in_group(const char *ip, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static void member(int line, int s, int option, const char *group, const char *interface,
                   unsigned n) {
    struct ip_mreqn r = {0};
    inet_pton(AF_INET, group, &r.imr_multiaddr);
    inet_pton(AF_INET, interface, &r.imr_address);
    errno = 0;
    int status = setsockopt(s, IPPROTO_IP, option, &r, n);
    say(line, "member", status);
}
#define JOIN(s, group, interface)  member(__LINE__, s, IP_ADD_MEMBERSHIP, group, interface, 8)
#define LEAVE(s, group, interface) member(__LINE__, s, IP_DROP_MEMBERSHIP, group, interface, 8)

/* Sends to the group, and looks who has it. */
static void to_group(int line, int from, const char *group, int port, int a, int b) {
    struct sockaddr_in to = in_group(group, port), source;
    socklen_t size = sizeof source;
    char c;
    errno = 0;
    ssize_t n = sendto(from, "x", 1, 0, (struct sockaddr *)&to, sizeof to);
    say(line, "sendto", n);
    usleep(2000);
    errno = 0;
    n = recvfrom(a, &c, 1, MSG_DONTWAIT, (struct sockaddr *)&source, &size);
    say(line, "recvfrom", n);
    if (n == 1)
        say(line, "source", ntohl(source.sin_addr.s_addr) == INADDR_LOOPBACK);
    errno = 0;
    n = recv(b, &c, 1, MSG_DONTWAIT);
    say(line, "recv", n);
}
#define TO_GROUP(from, group, port, a, b) to_group(__LINE__, from, group, port, a, b)

static void groups(void) {
    int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0),
        t = socket(AF_INET, SOCK_STREAM, 0), l = socket(AF_UNIX, SOCK_DGRAM, 0), i;
    struct sockaddr_in any = in_group("0.0.0.0", 21234), group = in_group("239.1.2.4", 21235);
    struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
    static const int values[] = {0, 1, 7, 255, 256, -1, -2};
    for (i = 0; i < 7; i++) {
        SET(a, IPPROTO_IP, IP_MULTICAST_TTL, values[i]);
        SET(a, IPPROTO_IP, IP_MULTICAST_LOOP, values[i]);
    }
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_TTL, 3, 1);
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_LOOP, 0, 1);
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_LOOP, 1, 1);
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_LOOP, 1, 0);
    SET(t, IPPROTO_IP, IP_MULTICAST_TTL, 3);
    GET(a, IPPROTO_IP, IP_MULTICAST_IF);
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_IF, 1, 2);
    set(__LINE__, a, IPPROTO_IP, IP_MULTICAST_IF, (int)htonl(0x08080808), 4);
    set(__LINE__, t, IPPROTO_IP, IP_MULTICAST_IF, 0, 4);
    say(__LINE__, "bind", bind(a, (struct sockaddr *)&any, sizeof any));
    say(__LINE__, "bind", bind(b, (struct sockaddr *)&group, sizeof group));
    say(__LINE__, "if", setsockopt(a, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback));
    GET(a, IPPROTO_IP, IP_MULTICAST_IF);
    TO_GROUP(a, "239.1.2.3", 21234, a, b); /* nobody has joined */
    JOIN(a, "239.1.2.3", "127.0.0.1");
    JOIN(a, "239.1.2.3", "127.0.0.1");
    JOIN(a, "10.1.2.3", "127.0.0.1");
    JOIN(a, "239.1.2.3", "8.8.8.8");
    JOIN(t, "239.1.2.3", "127.0.0.1");
    member(__LINE__, l, IP_ADD_MEMBERSHIP, "239.1.2.3", "127.0.0.1", 8);
    member(__LINE__, a, IP_ADD_MEMBERSHIP, "239.1.2.9", "127.0.0.1", 4);
    TO_GROUP(a, "239.1.2.3", 21234, a, b);
    TO_GROUP(a, "239.1.2.4", 21235, a, b);
    JOIN(b, "239.1.2.4", "127.0.0.1");
    TO_GROUP(a, "239.1.2.4", 21235, a, b);
    TO_GROUP(a, "127.0.0.1", 21235, a, b); /* it has another address */
    SET(a, IPPROTO_IP, IP_MULTICAST_TTL, 0);
    TO_GROUP(a, "239.1.2.3", 21234, a, b);
    SET(a, IPPROTO_IP, IP_MULTICAST_LOOP, 0);
    TO_GROUP(a, "239.1.2.3", 21234, a, b);
    SET(a, IPPROTO_IP, IP_MULTICAST_LOOP, 1);
    LEAVE(a, "239.1.2.3", "127.0.0.1");
    LEAVE(a, "239.1.2.3", "127.0.0.1");
    LEAVE(a, "10.1.2.3", "127.0.0.1");
    TO_GROUP(a, "239.1.2.3", 21234, a, b);
    for (i = 0; i < 22; i++) {
        char ip[20];
        snprintf(ip, sizeof ip, "239.1.3.%d", i);
        JOIN(b, ip, "127.0.0.1");
    }
    close(a), close(b), close(t), close(l);
}

static void options(void) {
    int t = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0),
        l = socket(AF_UNIX, SOCK_STREAM, 0), i;
    static const int plain[] = {SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE,
                                SO_BROADCAST, SO_OOBINLINE, SO_DONTROUTE};
    static const int first_tcp[] = {TCP_NODELAY, TCP_CORK,     TCP_KEEPIDLE,     TCP_KEEPINTVL,
                                    TCP_KEEPCNT, TCP_QUICKACK, TCP_USER_TIMEOUT, TCP_DEFER_ACCEPT};
    for (i = 0; i < 8; i++) /* how they begin */
        GET(t, IPPROTO_TCP, first_tcp[i]);
    static const int first[] = {SO_RCVBUF, SO_SNDBUF, SO_RCVLOWAT, SO_PRIORITY};
    for (i = 0; i < 4; i++) {
        GET(u, SOL_SOCKET, first[i]);
        GET(l, SOL_SOCKET, first[i]);
    }
    GET(l, SOL_SOCKET, SO_PASSCRED);
    SET(l, SOL_SOCKET, SO_PASSCRED, 1);
    GET(t, IPPROTO_IP, IP_TOS);
    GET(t, IPPROTO_IP, IP_TTL);
    for (i = 0; i < 6; i++) {
        GET(t, SOL_SOCKET, plain[i]);
        SET(t, SOL_SOCKET, plain[i], 5);
        SET(t, SOL_SOCKET, plain[i], 0);
    }
    SET(t, SOL_SOCKET, SO_PRIORITY, 3);
    SET(t, SOL_SOCKET, SO_RCVLOWAT, 3);
    static const int tcp[] = {TCP_NODELAY, TCP_CORK};
    for (i = 0; i < 2; i++) {
        GET(t, IPPROTO_TCP, tcp[i]);
        SET(t, IPPROTO_TCP, tcp[i], 5);
    }
    SET(t, IPPROTO_TCP, TCP_KEEPCNT, 5);
    SET(t, IPPROTO_TCP, TCP_KEEPIDLE, 50);
    SET(t, IPPROTO_TCP, TCP_KEEPINTVL, 55);
    SET(t, IPPROTO_IP, IP_TTL, 9);
    SET(t, IPPROTO_IP, IP_TOS, 16);
    static const int few[] = {IP_MTU_DISCOVER, IP_RECVERR, IP_MULTICAST_ALL};
    for (i = 0; i < 3; i++) {
        GET(t, IPPROTO_IP, few[i]);
        GET(u, IPPROTO_IP, few[i]);
        GET(l, IPPROTO_IP, few[i]);
        for (int v = -1; v < 8; v++) {
            SET(t, IPPROTO_IP, few[i], v);
            SET(u, IPPROTO_IP, few[i], v);
            set(__LINE__, u, IPPROTO_IP, few[i], v, 1);
        }
        SET(l, IPPROTO_IP, few[i], 1);
    }
    static const int sizes[] = {1, 1200, 5000, 100000};
    for (i = 0; i < 4; i++) {
        SET(u, SOL_SOCKET, SO_RCVBUF, sizes[i]);
        SET(u, SOL_SOCKET, SO_SNDBUF, sizes[i]);
    }
    static const int facts[] = {SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ACCEPTCONN, SO_ERROR};
    for (i = 0; i < 5; i++) {
        GET(t, SOL_SOCKET, facts[i]);
        GET(u, SOL_SOCKET, facts[i]);
        GET(l, SOL_SOCKET, facts[i]);
    }
    listen(t, 1);
    GET(t, SOL_SOCKET, SO_ACCEPTCONN);
    get(__LINE__, t, SOL_SOCKET, SO_TYPE, 2);
    get(__LINE__, t, SOL_SOCKET, SO_TYPE, 0);
    get(__LINE__, 99, SOL_SOCKET, SO_TYPE, 4);
    get(__LINE__, 1, SOL_SOCKET, SO_TYPE, 4);
    set(__LINE__, t, SOL_SOCKET, SO_KEEPALIVE, 1, 3);
    set(__LINE__, 99, SOL_SOCKET, SO_KEEPALIVE, 1, 4);
    errno = 0;
    int v = 1;
    T(setsockopt(l, IPPROTO_TCP, TCP_NODELAY, &v, 4));
    T(setsockopt(u, IPPROTO_TCP, TCP_NODELAY, &v, 4));
    struct timeval time = {3, 500000}, bad = {0, 1000000}, good = {0, 996000}, minus = {-1, 0};
    for (i = 0; i < 2; i++) {
        int o = i ? SO_RCVTIMEO : SO_SNDTIMEO;
        GET(t, SOL_SOCKET, o);
        T(setsockopt(t, SOL_SOCKET, o, &time, sizeof time));
        GET(t, SOL_SOCKET, o);
        T(setsockopt(t, SOL_SOCKET, o, &bad, sizeof bad));
        T(setsockopt(t, SOL_SOCKET, o, &time, 15));
        T(setsockopt(t, SOL_SOCKET, o, &good, sizeof good));
        GET(t, SOL_SOCKET, o);
        T(setsockopt(t, SOL_SOCKET, o, &minus, sizeof minus));
    }
    struct linger linger = {1, 7}, off = {0, 9};
    GET(t, SOL_SOCKET, SO_LINGER);
    T(setsockopt(t, SOL_SOCKET, SO_LINGER, &linger, sizeof linger));
    GET(t, SOL_SOCKET, SO_LINGER);
    T(setsockopt(t, SOL_SOCKET, SO_LINGER, &linger, 7));
    T(setsockopt(u, SOL_SOCKET, SO_LINGER, &off, sizeof off));
    GET(u, SOL_SOCKET, SO_LINGER);
    /* a wait that ends */
    int s[2];
    char b[4];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    time = (struct timeval){0, 20000};
    T(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time));
    T(recv(s[0], b, 4, 0));
}

int main(void) {
    kinds();
    local_streams();
    network_streams();
    connect_again();
    datagrams();
    passing();
    options();
    groups();
    return 0;
}
