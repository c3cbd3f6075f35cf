/* Descriptors: pipes, sockets, queues of messages, waiting for them; addresses. */
#include "walk.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

/* What can be read from d without waiting. */
static void see_ready(int d) {
    char b[64];
    fcntl(d, F_SETFL, O_NONBLOCK);
    errno = 0;
    long n = read(d, b, 60);
    SEE(n);
    SEE(errno);
    errno = 0;
    if (n > 0)
        SEEM(b, n);
}
#define PIPE                                                                                       \
    int p[2];                                                                                      \
    pipe(p)
#define PAIR(type)                                                                                 \
    int s[2];                                                                                      \
    socketpair(AF_UNIX, type, 0, s)
#define FD(n, d) C(n, d, 99)

WALK(read) {
    PIPE;
    char b[16] = "0123456789";
    write(p[1], "abcdef", 6);
    SEE(read(FD(0, p[0]), W(1, b), V(2, 3)));
    SEEM(b, 16);
}
WALK(write) {
    PIPE;
    SEE(write(FD(0, p[1]), M(1, (char[16]){"abcdefghi"}, 0, 2), V(2, 3)));
    see_ready(p[0]);
}
#define MANY(a, b)                                                                                 \
    struct iovec v[8] = {{a, 3}, {b, 2}, {a, 1}, {b, 1}, {a, 1}, {b, 1}, {a, 1}, {b, 1}}
#define IOV(a, b) struct iovec v[2] = {{a, 3}, {b, 2}}
WALK(readv) {
    PIPE;
    char a[16] = "0123456789", b[16] = "9876543210";
    IOV(a, b);
    write(p[1], "abcdef", 6);
    SEE(readv(FD(0, p[0]), M(1, v, 0, 8, 24), C(2, 2, 1, 0, -1)));
    SEEM(a, 16);
    SEEM(b, 16);
}
WALK(writev) {
    PIPE;
    char a[16] = "0123456789", b[16] = "9876543210";
    IOV(a, b);
    M(1, a, 9);
    SEE(writev(FD(0, p[1]), M(1, v, 0, 8, 24), C(2, 2, 1, 0, -1)));
    see_ready(p[0]);
}
WALK(close) {
    PIPE;
    SEE(close(C(0, p[0], p[1], 99)));
    SEE(fcntl(p[0], F_GETFD));
    SEE(fcntl(p[1], F_GETFD));
}
WALK(closefrom) {
    PIPE;
    closefrom((int)V(0, 3));
    SEE(fcntl(p[0], F_GETFD));
    SEE(fcntl(p[1], F_GETFD));
}
WALK(dup) {
    PIPE;
    SEE(dup(C(0, p[0], p[1], 99)));
}
WALK(dup2) {
    PIPE;
    SEE(dup2(C(0, p[1], p[0], 99), V(1, 10)));
    SEE(fcntl(11, F_GETFD));
    SEE(write(10, "a", 1));
}
WALK(dup3) {
    PIPE;
    SEE(dup3(C(0, p[1], p[0], 99), V(1, 10), C(2, 0, O_CLOEXEC, 1)));
    SEE(fcntl(10, F_GETFD));
}
WALK(fcntl) {
    PIPE;
    SEE(fcntl(C(0, p[0], 99), C(1, F_GETFL, F_GETFD, F_DUPFD), V(2, 20)));
    SEE(fcntl(p[0], F_SETFL, C(2, 0, O_NONBLOCK)));
    SEE(fcntl(p[0], F_GETFL));
}
WALK(ioctl) {
    PIPE;
    int n = 7;
    write(p[1], "abc", 3);
    SEE(ioctl(C(0, p[0], 99), C(1, FIONREAD, FIONBIO), (void *)P(2, &n, &n)));
    SEE(n);
    n = (int)V(2, 0);
    SEE(ioctl(p[0], FIONBIO, &n));
    SEE(fcntl(p[0], F_GETFL));
}
WALK(flock) {
    int a = open("walk.lock", O_RDWR | O_CREAT, 0600), b = open("walk.lock", O_RDWR);
    SEE(flock(b, LOCK_SH));
    SEE(flock(C(0, a, b, 99), C(1, LOCK_SH | LOCK_NB, LOCK_EX | LOCK_NB, LOCK_UN, 77)));
    SEE(flock(a, LOCK_EX | LOCK_NB));
}
WALK(getifaddrs) {
    struct ifaddrs *all[2] = {0, 0};
    SEE(getifaddrs(W(0, &all[0])));
    errno = 0;
    for (const struct ifaddrs *a = all[0]; a; a = a->ifa_next)
        if (strcmp(a->ifa_name, "lo") == 0 && a->ifa_addr && a->ifa_addr->sa_family == AF_INET)
            SEEM(a->ifa_addr, 8);
}
WALK(freeifaddrs) {
    struct ifaddrs *all[2] = {0, 0};
    getifaddrs(&all[0]);
    getifaddrs(&all[1]);
    freeifaddrs(A(0, all)[0]);
    SEE(all[1] != 0);
}
WALK(if_nametoindex) {
    SEE(if_nametoindex(N(0, "lo")));
}
WALK(if_indextoname) {
    char name[32] = "0123456789";
    SEE(if_indextoname((unsigned)C(0, 1, 4711), W(1, name)) != 0);
    SEEM(name, 3);
}
WALK(if_nameindex) {
    struct if_nameindex *all = if_nameindex();
    errno = 0;
    for (const struct if_nameindex *i = all; i && i->if_name; i++)
        if (strcmp(i->if_name, "lo") == 0)
            SEE(i->if_index);
    if_freenameindex(all);
}
WALK(if_freenameindex) {
    struct if_nameindex *all[2] = {if_nameindex(), if_nameindex()};
    errno = 0;
    if_freenameindex(A(0, all)[0]);
    SEE(all[1] != 0);
}
WALK(lockf) {
    int a = open("walk.lock", O_RDWR | O_CREAT, 0600);
    SEE(lockf(C(0, a, 99), C(1, F_TLOCK, F_TEST, F_ULOCK, F_LOCK, 77), VS(2, 2, -2)));
    SEE(lockf(a, F_TEST, 0));
}
WALK(lockf64) {
    int a = open("walk.lock", O_RDWR | O_CREAT, 0600);
    SEE(lockf64(C(0, a, 99), C(1, F_TLOCK, F_TEST, F_ULOCK, 77), V(2, 2)));
}
WALK(fcntl64) {
    PIPE;
    SEE(fcntl64(C(0, p[0], 99), C(1, F_GETFL, F_GETFD, F_DUPFD), V(2, 20)));
}
WALK(pipe) {
    int p[2][2] = {{1, 2}, {3, 4}};
    SEE(pipe(W(0, p[0])));
    SEEM(p, 16);
    SEE(pipe(A(0, p)[0]));
    SEEM(p, 16);
}
WALK(pipe2) {
    int p[2] = {1, 2};
    SEE(pipe2(W(0, p), C(1, 0, O_NONBLOCK, O_CLOEXEC, 1)));
    SEEM(p, 8);
    SEE(fcntl(3, F_GETFL));
}
WALK(eventfd) {
    int e = eventfd(V(0, 1), C(1, EFD_NONBLOCK, EFD_NONBLOCK | EFD_SEMAPHORE, 1));
    SEE(e);
    see_ready(e);
    see_ready(e);
}
WALK(eventfd_read) {
    int e = eventfd(3, EFD_NONBLOCK);
    eventfd_t v = 9;
    SEE(eventfd_read(FD(0, e), W(1, &v)));
    SEE(v);
}
WALK(eventfd_write) {
    int e = eventfd(3, EFD_NONBLOCK);
    SEE(eventfd_write(FD(0, e), V(1, 0)));
    see_ready(e);
}
WALK(timerfd_create) {
    int t = timerfd_create(C(0, CLOCK_MONOTONIC, CLOCK_REALTIME, 99), C(1, 0, TFD_NONBLOCK, 1));
    SEE(t);
    SEE(t < 0 ? 0 : fcntl(t, F_GETFL));
}
WALK(timerfd_settime) {
    int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec s = {{0, 0}, {100, 0}}, old = {{1, 1}, {1, 1}};
    SEE(timerfd_settime(FD(0, t), C(1, 0, 7), M(2, &s, 11, 17, 27), W(3, &old)));
    SEE(old.it_value.tv_sec);
    timerfd_gettime(t, &s);
    SEE((s.it_value.tv_sec + 128) / 256);
    SEE(s.it_interval.tv_sec);
}
WALK(timerfd_gettime) {
    int t = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec s = {{5, 5}, {5, 5}};
    SEE(timerfd_gettime(FD(0, t), W(1, &s)));
    SEE(s.it_value.tv_sec);
    SEE(s.it_interval.tv_sec);
}
WALK(socket) {
    SEE(socket(C(0, AF_INET, AF_UNIX, 99),
               C(1, SOCK_STREAM, SOCK_DGRAM, SOCK_STREAM | SOCK_NONBLOCK, 77),
               C(2, 0, IPPROTO_TCP)));
    SEE(fcntl(3, F_GETFL));
}
WALK(socketpair) {
    int s[2] = {7, 8};
    SEE(socketpair(C(0, AF_UNIX, 99),
                   C(1, SOCK_STREAM, SOCK_DGRAM, SOCK_STREAM | SOCK_NONBLOCK, 77), C(2, 0, 99),
                   W(3, s)));
    if (!errno)
        SEEM(s, 8);
}
static struct sockaddr_in local(int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}
static void see_name(int d) {
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    int r = getsockname(d, (void *)&a, &n);
    SEE(r);
    if (!r) {
        SEE(n);
        SEE((int)a.sin_family);
        SEE((int)ntohs(a.sin_port));
    }
}
WALK(bind) {
    int d = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = local(41234);
    SEE(bind(FD(0, d), M(1, &a, 3, 0), C(2, sizeof a, 8, 200)));
    see_name(d);
}
static int listener(int port) {
    int d = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in a = local(port);
    setsockopt(d, SOL_SOCKET, SO_REUSEADDR, &one, 4);
    bind(d, (void *)&a, sizeof a);
    listen(d, 3);
    return d;
}
static int connected(int port) {
    int d = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = local(port);
    connect(d, (void *)&a, sizeof a);
    return d;
}
WALK(listen) {
    int d = socket(AF_INET, SOCK_STREAM, 0);
    SEE(listen(FD(0, d), V(1, 1)));
}
WALK(connect) {
    int l = listener(41300), d = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = local(41300);
    SEE(connect(FD(0, d), M(1, &a, 3, 0), C(2, sizeof a, 8)));
    SEE(send(d, "a", 1, MSG_NOSIGNAL));
    (void)l;
}
#define ACCEPT(call)                                                                               \
    int l = listener(41310), d = connected(41310);                                                 \
    struct sockaddr_in a;                                                                          \
    socklen_t n[2] = {sizeof a, sizeof a};                                                         \
    memset(&a, 0, sizeof a);                                                                       \
    SEE(call);                                                                                     \
    SEE(n[0]);                                                                                     \
    SEE(n[1]);                                                                                     \
    SEE((int)a.sin_family);                                                                        \
    SEE(ntohl(a.sin_addr.s_addr));                                                                 \
    (void)d
WALK(accept) {
    ACCEPT(accept(FD(0, l), W(1, &a), M(2, n, 0)));
}
WALK(accept4) {
    ACCEPT(accept4(FD(0, l), W(1, &a), M(2, n, 0), C(3, 0, SOCK_NONBLOCK, 1)));
    SEE(fcntl(d + 1, F_GETFL));
}
WALK(shutdown) {
    PAIR(SOCK_STREAM);
    SEE(shutdown(FD(0, s[0]), V(1, 0)));
    SEE(send(s[0], "a", 1, MSG_NOSIGNAL));
    see_ready(s[1]);
    see_ready(s[0]);
}
WALK(getsockname) {
    int d = listener(41320);
    struct sockaddr_in a;
    socklen_t n[2] = {4, 4};
    memset(&a, 0, sizeof a);
    SEE(getsockname(FD(0, d), W(1, &a), M(2, n, 0)));
    SEE(n[0]);
    SEEM(&a, 8);
}
WALK(getpeername) {
    int l = listener(41330), d = connected(41330);
    struct sockaddr_in a;
    socklen_t n[2] = {4, 4};
    memset(&a, 0, sizeof a);
    SEE(getpeername(FD(0, d), W(1, &a), M(2, n, 0)));
    SEE(n[0]);
    SEEM(&a, 8);
    (void)l;
}
WALK(send) {
    PAIR(SOCK_STREAM);
    SEE(send(FD(0, s[0]), M(1, (char[16]){"abcdefghi"}, 0, 2), V(2, 3),
             C(3, MSG_NOSIGNAL, MSG_NOSIGNAL | MSG_DONTWAIT)));
    see_ready(s[1]);
}
#define UDP                                                                                        \
    int u = socket(AF_INET, SOCK_DGRAM, 0), t = socket(AF_INET, SOCK_DGRAM, 0);                    \
    struct sockaddr_in to = local(41340);                                                          \
    bind(t, (void *)&to, sizeof to)
WALK(sendto) {
    UDP;
    SEE(sendto(FD(0, u), M(1, (char[16]){"abcdefghi"}, 0, 2), V(2, 3), C(3, 0, MSG_DONTWAIT),
               M(4, &to, 3), C(5, sizeof to, 8)));
    poll(&(struct pollfd){t, POLLIN, 0}, 1, 300);
    see_ready(t);
}
WALK(sendmsg) {
    PAIR(SOCK_DGRAM);
    char a[16] = "0123456789", b[16] = "9876543210";
    MANY(a, b);
    struct msghdr h = {.msg_iov = v, .msg_iovlen = 2};
    M(1, a, 0);
    M(1, v, 24, 8);
    SEE(sendmsg(FD(0, s[0]), is_way(1, 3) ? M(1, &h, 48, 48, 24) : &h, C(2, 0, MSG_DONTWAIT)));
    see_ready(s[1]);
}
WALK(recv) {
    PAIR(SOCK_STREAM);
    char b[16] = "0123456789";
    send(s[1], "abcdef", 6, 0);
    SEE(recv(FD(0, s[0]), W(1, b), V(2, 3), C(3, 0, MSG_PEEK, MSG_DONTWAIT)));
    SEEM(b, 16);
    see_ready(s[0]);
}
WALK(recvfrom) {
    UDP;
    char b[16] = "0123456789";
    struct sockaddr_in from;
    socklen_t n[2] = {4, 4};
    memset(&from, 0, sizeof from);
    sendto(u, "abcdef", 6, 0, (void *)&to, sizeof to);
    SEE(recvfrom(FD(0, t), W(1, b), V(2, 3), C(3, 0, MSG_PEEK, MSG_TRUNC), W(4, &from),
                 M(5, n, 0)));
    SEEM(b, 16);
    SEE(n[0]);
    SEE((int)from.sin_family);
}
WALK(recvmsg) {
    PAIR(SOCK_DGRAM);
    char a[16] = "0123456789", b[16] = "9876543210";
    MANY(a, b);
    struct msghdr h = {.msg_iov = v, .msg_iovlen = 2};
    send(s[1], "abcdef", 6, 0);
    M(1, v, 24, 8);
    SEE(recvmsg(FD(0, s[0]), is_way(1, 3) ? M(1, &h, 48, 48, 24) : &h, C(2, 0, MSG_PEEK)));
    SEEM(a, 16);
    SEEM(b, 16);
    SEE(h.msg_flags);
    see_ready(s[0]);
}
#define TWO                                                                                        \
    PAIR(SOCK_DGRAM);                                                                              \
    char a[16] = "0123456789", b[16] = "9876543210";                                               \
    MANY(a, b);                                                                                    \
    struct mmsghdr h[2] = {{{.msg_iov = v, .msg_iovlen = 1}, 7},                                   \
                           {{.msg_iov = v + 1, .msg_iovlen = 1}, 8}}
WALK(sendmmsg) {
    TWO;
    M(1, a, 0);
    M(1, v, 24, 8);
    SEE(sendmmsg(FD(0, s[0]), is_way(1, 3) ? M(1, h, 56, 56, 24) : h, C(2, 2, 1, 0),
                 C(3, 0, MSG_DONTWAIT)));
    see_ready(s[1]);
    see_ready(s[1]);
    SEE(h[1].msg_len);
}
WALK(recvmmsg) {
    TWO;
    struct timespec none = {0, 0};
    send(s[1], "abcdef", 6, 0);
    send(s[1], "ghi", 3, 0);
    M(1, v, 24, 8);
    SEE(recvmmsg(FD(0, s[0]), is_way(1, 3) ? M(1, h, 56, 56, 24) : h, C(2, 2, 1, 0),
                 C(3, 0, MSG_WAITFORONE, MSG_DONTWAIT), is_way(4, 1) ? M(4, &none, 0) : NULL));
    SEEM(a, 16);
    SEEM(b, 16);
    SEE(h[0].msg_len);
    SEE(h[1].msg_len);
    see_ready(s[0]);
}
WALK(__cmsg_nxthdr) {
    union {
        char bytes[64];
        struct cmsghdr first;
    } c;
    memset(&c, 0, sizeof c);
    c.first.cmsg_len = CMSG_LEN(4);
    struct cmsghdr *second = (struct cmsghdr *)(c.bytes + CMSG_SPACE(4));
    struct msghdr h = {.msg_control = c.bytes, .msg_controllen = sizeof c.bytes};
    second->cmsg_len = CMSG_LEN(8);
    h.msg_controllen = CMSG_SPACE(4) + sizeof *second - 2;
    M(0, &h, offsetof(struct msghdr, msg_controllen));
    SEE(CMSG_NXTHDR(&h, &c.first) != 0);
    h.msg_controllen = sizeof c.bytes;
    c.first.cmsg_len = sizeof c.first - 2;
    M(1, &c, 0);
    SEE(CMSG_NXTHDR(&h, &c.first) != 0);
}
WALK(setsockopt) {
    int d = socket(AF_INET, SOCK_STREAM, 0), on = 1, n = 0;
    socklen_t size = 4;
    SEE(setsockopt(FD(0, d), C(1, SOL_SOCKET, 99), C(2, SO_REUSEADDR, SO_KEEPALIVE, 9999),
                   M(3, &on, 0), C(4, 4, 2, 8)));
    SEE(getsockopt(d, SOL_SOCKET, SO_REUSEADDR, &n, &size));
    SEE(n);
}
WALK(getsockopt) {
    int d = socket(AF_INET, SOCK_STREAM, 0), n = 0;
    socklen_t size[2] = {0, 0};
    SEE(getsockopt(FD(0, d), C(1, SOL_SOCKET, 99), C(2, SO_TYPE, SO_REUSEADDR, SO_ERROR, 9999),
                   W(3, &n), M(4, size, 0)));
    SEE(n);
    SEE(size[0]);
}
#define POLLS                                                                                      \
    PIPE;                                                                                          \
    write(p[1], "a", 1);                                                                           \
    struct pollfd f[3] = {{p[0], POLLIN, 0}, {p[1], POLLOUT, 0}, {-1, 0, 0}};                      \
    struct timespec t = {0, 0};                                                                    \
    sigset_t set;                                                                                  \
    sigemptyset(&set)
WALK(poll) {
    POLLS;
    SEE(poll(M(0, f, 4, 0, 12), V(1, 0) & 3, C(2, 0, 1)));
    SEEM(f, 16);
}
WALK(ppoll) {
    POLLS;
    SEE(ppoll(M(0, f, 4, 0, 12), V(1, 0) & 3, M(2, &t, 11), M(3, &set, 1)));
    SEEM(f, 16);
}
#define SETS                                                                                       \
    PIPE;                                                                                          \
    write(p[1], "a", 1);                                                                           \
    fd_set r, w, e;                                                                                \
    FD_ZERO(&r);                                                                                   \
    FD_ZERO(&w);                                                                                   \
    FD_ZERO(&e);                                                                                   \
    FD_SET(p[0], &r);                                                                              \
    FD_SET(p[1], &w);                                                                              \
    struct timeval t = {0, 0};                                                                     \
    struct timespec ts = {0, 0};                                                                   \
    sigset_t set;                                                                                  \
    sigemptyset(&set)
#define SEESETS                                                                                    \
    SEEM(&r, 2);                                                                                   \
    SEEM(&w, 2);                                                                                   \
    SEEM(&e, 2)
WALK(select) {
    SETS;
    SEE(select(C(0, 12, 5, 4, 3, -1), C(1, 0, 0) + (fd_set *)M(1, &r, 1), M(2, &w, 0), M(3, &e, 0),
               M(4, &t, 8)));
    SEESETS;
}
WALK(pselect) {
    SETS;
    SEE(pselect(C(0, 12, 5, 4, 3, -1), C(1, 0, 0) + (fd_set *)M(1, &r, 1), M(2, &w, 0), M(3, &e, 0),
                M(4, &ts, 11), M(5, &set, 1)));
    SEESETS;
}
WALK(epoll_create) {
    SEE(epoll_create(V(0, -1)));
}
WALK(epoll_create1) {
    SEE(epoll_create1(C(0, 0, EPOLL_CLOEXEC, 1)));
}
#define EPOLL                                                                                      \
    PIPE;                                                                                          \
    write(p[1], "a", 1);                                                                           \
    int e = epoll_create1(0);                                                                      \
    struct epoll_event v = {.events = EPOLLIN, .data.u64 = 77},                                    \
                       out[2] = {{1, {.u64 = 5}}, {1, {.u64 = 6}}}
#define SEEOUT                                                                                     \
    SEE(out[0].events);                                                                            \
    SEE(out[0].data.u64);                                                                          \
    SEE(out[1].events);                                                                            \
    SEE(out[1].data.u64)
WALK(epoll_ctl) {
    EPOLL;
    SEE(epoll_ctl(FD(0, e), C(1, EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD, 9),
                  C(2, p[0], p[1], 99), M(3, &v, 0, 4, 11)));
    SEE(epoll_wait(e, out, 2, 0));
    SEEOUT;
}
WALK(epoll_wait) {
    EPOLL;
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v);
    SEE(epoll_wait(FD(0, e), W(1, out), C(2, 2, 1, 0, -1), C(3, 0, 1)));
    SEEOUT;
}
WALK(epoll_pwait) {
    EPOLL;
    sigset_t set;
    sigemptyset(&set);
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &v);
    SEE(epoll_pwait(FD(0, e), W(1, out), C(2, 2, 1, 0, -1), C(3, 0, 1), M(4, &set, 1)));
    SEEOUT;
}

#define QUEUE                                                                                      \
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};                                          \
    mqd_t q = mq_open("/walk", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &a);                           \
    mq_unlink("/walk")
#define SEEQUEUE                                                                                   \
    {                                                                                              \
        char got[8] = "";                                                                          \
        unsigned prio = 0;                                                                         \
        errno = 0;                                                                                 \
        SEE(mq_receive(q, got, 8, &prio));                                                         \
        SEEM(got, 8);                                                                              \
        SEE(prio);                                                                                 \
        SEE(errno);                                                                                \
        errno = 0;                                                                                 \
    }
WALK(mq_open) {
    struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 8};
    mqd_t q = mq_open(N(0, "/walka"), C(1, O_CREAT | O_RDWR, O_RDWR, O_CREAT | O_RDONLY), 0600,
                      M(3, &a, 8));
    SEE(q >= 0);
    SEE(mq_unlink("/walka"));
    a.mq_maxmsg = V(2, 0);
    q = mq_open("/walkz", O_CREAT | O_RDWR, 0600, &a);
    SEE(q >= 0);
    mq_unlink("/walkz");
    for (char c = 'a'; c < 'a' + DOMAIN; c++) {
        char name[] = "/walka";
        name[5] = c;
        mq_unlink(name);
    }
    errno = 0;
}
WALK(mq_close) {
    QUEUE;
    SEE(mq_close(FD(0, q)));
    SEE(mq_send(q, "a", 1, 0));
}
WALK(mq_unlink) {
    QUEUE;
    q = mq_open("/walka", O_CREAT | O_RDWR, 0600, &a);
    SEE(mq_unlink(N(0, "/walka")));
    errno = 0;
    mq_unlink("/walka");
    SEE(errno);
}
WALK(mq_send) {
    QUEUE;
    SEE(mq_send(FD(0, q), M(1, (char[16]){"abcdefghi"}, 0), VS(2, 1, 2), V(3, 0)));
    SEEQUEUE;
}
WALK(mq_timedsend) {
    QUEUE;
    struct timespec t = {0, 0};
    SEE(mq_timedsend(FD(0, q), M(1, (char[16]){"abcdefghi"}, 0), VS(2, 1, 2), V(3, 0),
                     M(4, &t, 11)));
    SEEQUEUE;
}
WALK(mq_receive) {
    QUEUE;
    char b[16] = "0123456789";
    unsigned prio = 9;
    mq_send(q, "abc", 3, 2);
    SEE(mq_receive(FD(0, q), W(1, b), V(2, 6), W(3, &prio)));
    SEEM(b, 16);
    SEE(prio);
}
WALK(mq_timedreceive) {
    QUEUE;
    char b[16] = "0123456789";
    unsigned prio = 9;
    struct timespec t = {0, 0};
    mq_send(q, "abc", 3, 2);
    SEE(mq_timedreceive(FD(0, q), W(1, b), V(2, 6), W(3, &prio), M(4, &t, 11)));
    SEEM(b, 16);
    SEE(prio);
}
WALK(mq_getattr) {
    QUEUE;
    struct mq_attr b = {9, 9, 9, 9};
    SEE(mq_getattr(FD(0, q), W(1, &b)));
    SEEM(&b, 32);
}
WALK(mq_setattr) {
    QUEUE;
    struct mq_attr b = {9, 9, 9, 9}, c = {.mq_flags = 0};
    SEE(mq_setattr(FD(0, q), M(1, &c, 1, 8), W(2, &b)));
    SEEM(&b, 32);
    mq_getattr(q, &b);
    SEE(b.mq_flags);
}

/* Addresses. */
static void see_info(struct addrinfo *a) {
    for (; a; a = a->ai_next) {
        SEE(a->ai_family);
        SEE(a->ai_socktype);
        SEE(a->ai_addrlen);
        if (a->ai_family == AF_INET)
            SEEM(a->ai_addr, 8);
    }
}
WALK(getaddrinfo) {
    struct addrinfo h = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                         .ai_family = AF_INET,
                         .ai_socktype = SOCK_STREAM},
                    *a = 0;
    int r = getaddrinfo(N(0, "127.0.0.1"), N(1, "80"), M(2, &h, 8), W(3, &a));
    SEE(r);
    errno = 0;
    if (!r)
        see_info(a);
}
WALK(freeaddrinfo) {
    struct addrinfo h = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *a[2] = {0, 0};
    getaddrinfo("127.0.0.1", "80", &h, &a[0]);
    getaddrinfo("127.0.0.1", "81", &h, &a[1]);
    freeaddrinfo(A(0, a)[0]);
    SEE(a[1] != 0);
}
WALK(gai_strerror) {
    SEES(gai_strerror(V(0, -5)));
}
WALK(getnameinfo) {
    struct sockaddr_in a = local(80);
    char b[32] = "0123456789", c[32] = "9876543210";
    int r = getnameinfo(
        M(0, &a, 3, 4, 7), C(1, sizeof a, 4), W(2, b), VS(3, 20, -4), W(4, c), V(5, 3),
        C(6, NI_NUMERICHOST | NI_NUMERICSERV, NI_NUMERICHOST | NI_NUMERICSERV | NI_DGRAM));
    SEE(r);
    errno = 0;
    if (!r) {
        SEEM(b, 16);
        SEEM(c, 16);
    }
}
WALK(gethostbyname) {
    struct hostent *h = gethostbyname(N(0, "127.0.0.1"));
    errno = 0;
    SEE(h != 0);
    if (h) {
        SEE(h->h_addrtype);
        SEEM(h->h_addr_list[0], 4);
    }
}
WALK(gethostbyaddr) {
    unsigned char a[4] = {127, 0, 0, 1};
    struct hostent *h = gethostbyaddr(M(0, a, 3), (socklen_t)C(1, 4, 4), C(2, AF_INET, AF_INET));
    errno = 0;
    SEE(h != 0);
    if (h)
        SEEM(h->h_addr_list[0], 4);
}
WALK(__h_errno_location) {
    SEE(h_errno);
    h_errno = 3;
    SEE(h_errno);
}
WALK(hstrerror) {
    SEES(hstrerror((int)V(0, -1)));
    SEES(hstrerror((int)V(0, 3)));
}
WALK(getprotobyname) {
    struct protoent *p = getprotobyname(N(0, "tcp"));
    errno = 0;
    SEE(p ? p->p_proto : -1);
}
WALK(getprotobynumber) {
    struct protoent *p = getprotobynumber((int)C(0, 17, 6, 1, 0, 12345));
    errno = 0;
    SEES(p ? p->p_name : NULL);
    SEES(p ? p->p_aliases[0] : NULL);
}
WALK(getservbyname) {
    struct servent *s = getservbyname(N(0, "http"), N(1, "tcp"));
    errno = 0;
    SEE(s != 0);
    if (s)
        SEE((int)ntohs(s->s_port));
}
WALK(gethostname) {
    char b[64] = "abc";
    SEE(gethostname(W(0, b), VS(1, 64, -1)));
}
WALK(inet_pton) {
    unsigned char b[16] = "0123456789";
    SEE(inet_pton(C(0, AF_INET, AF_INET6, 99), N(1, "1.2.3.4"), W(2, b)));
    SEEM(b, 16);
}
WALK(inet_ntop) {
    unsigned char a[16] = {1, 2, 3, 4};
    char b[64] = "abc";
    const char *s = inet_ntop(C(0, AF_INET, AF_INET6, 99), M(1, a, 0, 3), W(2, b), VS(3, 60, -14));
    SEEP(s, b);
    SEEM(b, 64);
}
WALK(inet_aton) {
    struct in_addr a = {0};
    SEE(inet_aton(N(0, "1.2.3.4"), W(1, &a)));
    SEE(a.s_addr);
}
WALK(inet_addr) {
    SEE(inet_addr(N(0, "1.2.3.4")));
    SEE(inet_addr(M(0, (char[16]){"1.2.3.4"}, 1)));
}
WALK(inet_ntoa) {
    struct in_addr a = {htonl(VS(0, 0x7f000001, 0x101))};
    SEES(inet_ntoa(a));
}
unsigned long __fdelt_chk(long);
WALK(__fdelt_chk) {
    SEE(__fdelt_chk(VS(0, 1, 64)));
}
WALK(isatty) {
    PIPE;
    SEE(isatty(FD(0, p[0])));
}
