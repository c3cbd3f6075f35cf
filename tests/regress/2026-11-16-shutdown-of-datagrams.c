/* shutdown() of a connected UDP socket took the worker down.  What datagram sockets and sockets
 * that are not connected do after it was not as on Linux, nor was SCM_RIGHTS on TCP, which is
 * ignored; and closing an end of a pair of datagram sockets was no event.
 *
 * run:
 * verdict: complete
 *
 * run: -DCLOSES
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: -DCLOSES --por none
 * verdict: complete
 * label: sent
 * label: refused */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int bound_to_port(struct sockaddr_in *at, int type) {
    socklen_t n = sizeof *at;
    int s = socket(AF_INET, type, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert(bind(s, (struct sockaddr *)at, n) == 0);
    assert(getsockname(s, (struct sockaddr *)at, &n) == 0);
    return s;
}

static void shut_udp(void) {
    struct sockaddr_in a, b;
    char c;
    int s = bound_to_port(&a, SOCK_DGRAM), t = bound_to_port(&b, SOCK_DGRAM);
    assert(connect(s, (struct sockaddr *)&b, sizeof b) == 0);
    assert(connect(t, (struct sockaddr *)&a, sizeof a) == 0);
    assert(shutdown(s, SHUT_RDWR) == 0);
    assert(write(s, "x", 1) == -1 && errno == EPIPE);
    assert(read(s, &c, 1) == 0);
    assert(write(t, "x", 1) == 1);
    assert(recv(t, &c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    close(s);
    close(t);
}

static void shut_pair(void) {
    int s[2];
    char c;
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0);
    assert(shutdown(s[0], SHUT_RDWR) == 0);
    assert(write(s[0], "x", 1) == -1 && errno == EPIPE);
    assert(write(s[1], "x", 1) == -1 && errno == EPIPE);
    assert(recv(s[1], &c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN); /* it is not told */
    close(s[0]);
    assert(write(s[1], "x", 1) == -1 && errno == ECONNREFUSED);
    close(s[1]);
}

static void shut_unconnected(void) {
    int s = socket(AF_UNIX, SOCK_STREAM, 0), t = socket(AF_INET, SOCK_STREAM, 0);
    assert(shutdown(s, SHUT_RD) == 0 && shutdown(s, SHUT_RDWR) == 0);
    assert(shutdown(t, SHUT_RD) == -1 && errno == ENOTCONN);
    close(s);
    close(t);
}

static void pass_over_tcp(void) {
    struct sockaddr_in at;
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    char byte = '+';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    int listener = bound_to_port(&at, SOCK_STREAM), s = socket(AF_INET, SOCK_STREAM, 0), none = -1;
    *c = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &none, sizeof none);
    assert(listen(listener, 1) == 0 && connect(s, (struct sockaddr *)&at, sizeof at) == 0);
    assert(sendmsg(s, &message, 0) == 1);
    close(s);
    close(listener);
}

/* The parent sends to an end that only the child has. */
static void close_pair(void) {
    int s[2];
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0);
    if (fork() == 0) {
        close(s[1]);
        close(s[0]);
        _exit(0);
    }
    close(s[0]);
    int is_sent = write(s[1], "x", 1) == 1;
    heddle_assert(is_sent || errno == ECONNREFUSED);
    heddle_reach(is_sent ? "sent" : "refused");
}

int main(void) {
#ifdef CLOSES
    close_pair();
#else
    shut_udp();
    shut_pair();
    shut_unconnected();
    pass_over_tcp();
#endif
    return 0;
}
