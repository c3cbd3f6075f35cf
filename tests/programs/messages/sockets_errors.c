/* One process, no other: numbers of descriptors, error numbers and corner cases as on Linux.
 *
 * run:
 * verdict: incomplete
 * paths: 1 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define FAILS(call, error)                                                                         \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert((call) == -1);                                                                      \
        assert(errno == (error));                                                                  \
    } while (0)

static char text[64];

static struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int port_of(int s) {
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    assert(getsockname(s, (struct sockaddr *)&a, &n) == 0 && n == sizeof a);
    return ntohs(a.sin_port);
}

static int make_listener(struct sockaddr_in *a) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    *a = loopback(0);
    assert(bind(s, (struct sockaddr *)a, sizeof *a) == 0 && listen(s, 3) == 0);
    a->sin_port = htons((uint16_t)port_of(s));
    return s;
}

static void descriptors(void) {
    int p[2];
    FAILS(read(77, text, 1), EBADF);
    FAILS(write(-1, text, 1), EBADF);
    FAILS(close(77), EBADF);
    FAILS(dup(77), EBADF);
    FAILS(fcntl(77, F_GETFL), EBADF);
    FAILS(dup2(0, -1), EBADF);
    FAILS(dup3(0, 0, 0), EINVAL);
    assert(pipe(p) == 0 && p[0] == 3 && p[1] == 4);
    FAILS(write(p[0], text, 1), EBADF);
    FAILS(read(p[1], text, 1), EBADF);
    assert(dup(p[0]) == 5 && close(p[0]) == 0 && dup(5) == 3 && close(5) == 0);
    assert(fcntl(p[1], F_DUPFD, 50) == 50);
    assert(fcntl(50, F_DUPFD_CLOEXEC, 3) == 5);
    assert(fcntl(5, F_GETFD) == FD_CLOEXEC && fcntl(50, F_GETFD) == 0);
    assert(fcntl(50, F_SETFD, FD_CLOEXEC) == 0 && fcntl(50, F_GETFD) == FD_CLOEXEC);
    assert(dup2(5, 60) == 60 && fcntl(60, F_GETFD) == 0);
    assert(dup2(60, 60) == 60);
    close(5);
    close(50);
    close(60);
    FAILS(lseek(p[0], 0, SEEK_SET), ESPIPE);
    assert((fcntl(p[0], F_GETFL) & O_ACCMODE) == O_RDONLY);
    assert(fcntl(p[0], F_SETFL, O_NONBLOCK) == 0);
    FAILS(read(p[0], text, 1), EAGAIN);
    struct iovec pieces[3] = {{"ab", 2}, {NULL, 0}, {"cde", 3}};
    int n = -1;
    assert(writev(p[1], pieces, 3) == 5);
    assert(ioctl(p[0], FIONREAD, &n) == 0 && n == 5);
    struct iovec into[2] = {{text, 1}, {text + 10, 10}};
    assert(readv(p[0], into, 2) == 5 && text[0] == 'a' && memcmp(text + 10, "bcde", 4) == 0);
    assert(close(p[1]) == 0);
    assert(read(p[0], text, 1) == 0 && read(p[0], text, 1) == 0);
    assert(close(p[0]) == 0);
    assert(pipe2(p, O_NONBLOCK | O_CLOEXEC) == 0);
    assert(fcntl(p[0], F_GETFL) & O_NONBLOCK && fcntl(p[1], F_GETFD) == FD_CLOEXEC);
    close(p[0]);
    FAILS(write(p[1], "x", 1), EPIPE);
    close(p[1]);
    FAILS(pipe2(p, 0x1234567), EINVAL);
}

static void pairs(void) {
    int p[2];
    struct sockaddr_un a;
    socklen_t n = sizeof a;
    FAILS(socketpair(AF_INET, SOCK_STREAM, 0, p), EOPNOTSUPP);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0);
    assert(getpeername(p[0], (struct sockaddr *)&a, &n) == 0 && n == sizeof(sa_family_t));
    assert(a.sun_family == AF_UNIX);
    assert(send(p[0], "ab", 2, 0) == 2 && send(p[0], "cd", 2, MSG_NOSIGNAL) == 2);
    assert(recv(p[1], text, 3, MSG_PEEK) == 3 && recv(p[1], text, 64, 0) == 4);
    FAILS(recv(p[1], text, 1, MSG_DONTWAIT), EAGAIN);
    assert(shutdown(p[0], SHUT_WR) == 0 && recv(p[1], text, 1, 0) == 0);
    FAILS(send(p[0], "x", 1, MSG_NOSIGNAL), EPIPE);
    assert(send(p[1], "back", 4, 0) == 4 && recv(p[0], text, 64, 0) == 4);
    assert(send(p[1], "lost", 4, 0) == 4);
    close(p[0]); /* with something unread */
    FAILS(recv(p[1], text, 64, 0), ECONNRESET);
    assert(recv(p[1], text, 64, 0) == 0);
    FAILS(send(p[1], "x", 1, MSG_NOSIGNAL), EPIPE);
    close(p[1]);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, p) == 0);
    assert(send(p[0], "", 0, 0) == 0 && send(p[0], "long", 4, 0) == 4);
    assert(recv(p[1], text, 64, 0) == 0 && recv(p[1], text, 2, MSG_TRUNC) == 4);
    close(p[1]);
    FAILS(send(p[0], "x", 1, 0), ECONNREFUSED);
    close(p[0]);
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p) == 0);
    assert(send(p[0], "one", 3, 0) == 3 && send(p[0], "two", 3, 0) == 3);
    assert(recv(p[1], text, 64, 0) == 3 && recv(p[1], text, 64, 0) == 3);
    close(p[0]);
    assert(recv(p[1], text, 64, 0) == 0);
    close(p[1]);
}

static void names(void) {
    struct sockaddr_in a = loopback(0);
    struct sockaddr_un u = {.sun_family = AF_UNIX, .sun_path = "/tmp/heddle-sockets-errors"};
    socklen_t n = sizeof a;
    int s = socket(AF_INET, SOCK_STREAM, 0), t = socket(AF_INET, SOCK_STREAM, 0);
    FAILS(bind(s, (struct sockaddr *)&a, 3), EINVAL);
    FAILS(bind(s, (struct sockaddr *)&u, sizeof u), EAFNOSUPPORT);
    FAILS(bind(77, (struct sockaddr *)&a, sizeof a), EBADF);
    FAILS(bind(0, (struct sockaddr *)&a, sizeof a), ENOTSOCK);
    FAILS(getpeername(s, (struct sockaddr *)&a, &n), ENOTCONN);
    FAILS(recv(s, text, 1, 0), ENOTCONN);
    FAILS(send(s, text, 1, MSG_NOSIGNAL), EPIPE);
    FAILS(shutdown(s, SHUT_RD), ENOTCONN);
    FAILS(accept(s, NULL, NULL), EINVAL);
    assert(bind(s, (struct sockaddr *)&a, sizeof a) == 0);
    FAILS(bind(s, (struct sockaddr *)&a, sizeof a), EINVAL);
    a.sin_port = htons((uint16_t)port_of(s));
    FAILS(bind(t, (struct sockaddr *)&a, sizeof a), EADDRINUSE);
    FAILS(connect(t, (struct sockaddr *)&a, sizeof a), ECONNREFUSED);
    a.sin_addr.s_addr = inet_addr("192.0.2.1");
    a.sin_port = 0;
    FAILS(bind(t, (struct sockaddr *)&a, sizeof a), EADDRNOTAVAIL);
    close(s);
    close(t);
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(u.sun_path);
    FAILS(connect(s, (struct sockaddr *)&u, sizeof u), ENOENT);
    FAILS(listen(s, 1), EINVAL);
    assert(bind(s, (struct sockaddr *)&u, sizeof u) == 0);
    t = socket(AF_UNIX, SOCK_STREAM, 0);
    FAILS(bind(t, (struct sockaddr *)&u, sizeof u), EADDRINUSE);
    FAILS(connect(t, (struct sockaddr *)&u, sizeof u), ECONNREFUSED);
    assert(listen(s, 1) == 0 && connect(t, (struct sockaddr *)&u, sizeof u) == 0);
    FAILS(connect(t, (struct sockaddr *)&u, sizeof u), EISCONN);
    close(s);
    close(t);
    assert(unlink(u.sun_path) == 0);
    FAILS(unlink(u.sun_path), ENOENT);
    FAILS(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP), EPROTONOSUPPORT);
    FAILS(socket(AF_INET, 99, 0), EINVAL);
}

static void connections(void) {
    struct sockaddr_in a, b;
    socklen_t n = sizeof b;
    int listener = make_listener(&a), client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct pollfd p = {client, POLLIN | POLLOUT, 0};
    int error = -1, value = 0;
    socklen_t size = sizeof error;
    FAILS(accept(listener + 50, NULL, NULL), EBADF);
    assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0);
    FAILS(accept(listener, NULL, NULL), EAGAIN);
    FAILS(connect(client, (struct sockaddr *)&a, sizeof a), EINPROGRESS);
    assert(poll(&p, 1, 1000) == 1 && p.revents == POLLOUT);
    assert(getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
    int server = accept4(listener, (struct sockaddr *)&b, &n, SOCK_CLOEXEC);
    assert(server >= 0 && fcntl(server, F_GETFD) == FD_CLOEXEC);
    assert(n == sizeof b && ntohs(b.sin_port) == port_of(client) && port_of(server) == ntohs(a.sin_port));
    FAILS(recv(client, text, 1, 0), EAGAIN);
    assert(setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0);
    assert(getsockopt(client, IPPROTO_TCP, TCP_NODELAY, &value, &size) == 0 && value == 1);
    assert(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &(int){10000}, sizeof(int)) == 0);
    assert(getsockopt(client, SOL_SOCKET, SO_RCVBUF, &value, &size) == 0 && value == 20000);
    FAILS(setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &value, 1), EINVAL);
    assert(getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value == 1);
    assert(getsockopt(client, SOL_SOCKET, SO_TYPE, &value, &size) == 0 && value == SOCK_STREAM);
    struct timeval soon = {0, 1000};
    assert(setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
    FAILS(recv(server, text, 1, 0), EAGAIN);
    assert(send(client, "hello", 5, 0) == 5);
    assert(recv(server, text, 5, MSG_WAITALL) == 5);
    assert(shutdown(server, SHUT_WR) == 0);
    p.events = POLLIN | POLLRDHUP;
    assert(poll(&p, 1, 1000) == 1 && p.revents == (POLLIN | POLLRDHUP));
    assert(recv(client, text, 1, 0) == 0);
    close(server);
    close(client);
    close(listener);
    /* Refused, without waiting. */
    client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    FAILS(connect(client, (struct sockaddr *)&a, sizeof a), EINPROGRESS);
    p = (struct pollfd){client, POLLOUT, 0};
    assert(poll(&p, 1, 1000) == 1 && p.revents == (POLLOUT | POLLERR | POLLHUP));
    assert(getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED);
    assert(getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
    close(client);
}

static void datagrams(void) {
    struct sockaddr_in a = loopback(0), from;
    socklen_t n = sizeof from;
    int s = socket(AF_INET, SOCK_DGRAM, 0), t = socket(AF_INET, SOCK_DGRAM, 0);
    FAILS(send(t, "x", 1, 0), EDESTADDRREQ);
    FAILS(listen(s, 1), EOPNOTSUPP);
    assert(bind(s, (struct sockaddr *)&a, sizeof a) == 0);
    a.sin_port = htons((uint16_t)port_of(s));
    assert(sendto(t, "first", 5, 0, (struct sockaddr *)&a, sizeof a) == 5);
    assert(sendto(t, "second", 6, 0, (struct sockaddr *)&a, sizeof a) == 6);
    assert(recvfrom(s, text, 3, 0, (struct sockaddr *)&from, &n) == 3);
    assert(n == sizeof from && ntohs(from.sin_port) == port_of(t));
    assert(from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    assert(connect(t, (struct sockaddr *)&a, sizeof a) == 0 && send(t, "third", 5, 0) == 5);
    struct iovec piece = {text, 64};
    struct msghdr m = {.msg_iov = &piece, .msg_iovlen = 1, .msg_name = &from, .msg_namelen = n};
    assert(recvmsg(s, &m, 0) == 6 && m.msg_flags == 0 && m.msg_namelen == sizeof from);
    assert(recv(s, text, 64, 0) == 5);
    assert(sendto(s, "answer", 6, 0, (struct sockaddr *)&from, n) == 6);
    assert(recv(t, text, 64, 0) == 6);
    static char big[70000];
    FAILS(send(t, big, sizeof big, 0), EMSGSIZE);
    close(s);
    close(t);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    descriptors();
    pairs();
    names();
    connections();
    datagrams();
    return 0;
}
