/* What one process does to a connection is seen by others that have the same socket: it is shut, it
 * was reset and one of them is told, or nothing goes in either direction any more.
 *
 * run: -DSHUT
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: -DSHUT --por none
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: -DRESET
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DRESET --por none
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DHANGUP
 * verdict: complete
 * label: nothing
 * label: end
 * label: hangup
 *
 * run: -DHANGUP --por none
 * verdict: complete
 * label: nothing
 * label: end
 * label: hangup
 *
 * run: -DGONE
 * verdict: complete
 * label: done
 * label: gone */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int s[2];

/* Both ends of the other process shut what this one writes to. */
static void shut(void) {
    if (fork() == 0) {
        shutdown(s[0], SHUT_RDWR);
        _exit(0);
    }
    heddle_reach(send(s[0], "x", 1, MSG_NOSIGNAL) == 1 ? "sent" : "refused");
}

/* Two read from a connection whose other end was closed with something unread in it. */
static void reset(void) {
    char c;
    assert(write(s[0], "x", 1) == 1);
    close(s[1]);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            if (read(s[0], &c, 1) < 0 && errno == ECONNRESET)
                heddle_reach(i ? "second" : "first");
            _exit(0);
        }
}

static void hang_up(void) {
    if (fork() == 0) {
        shutdown(s[0], SHUT_WR);
        shutdown(s[0], SHUT_RD);
        _exit(0);
    }
    struct pollfd p = {.fd = s[1], .events = POLLIN};
    int n = poll(&p, 1, 0);
    heddle_reach(n == 0 ? "nothing" : p.revents & POLLHUP ? "hangup" : "end");
    wait(NULL);
}

/* A connection that was reset cannot be shut. */
static void gone(void) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0), to = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&at, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&at, &size) == 0);
    assert(connect(to, (struct sockaddr *)&at, size) == 0);
    close(accept(listener, NULL, NULL));
    assert(send(to, "x", 1, MSG_NOSIGNAL) == 1);
    heddle_reach(shutdown(to, SHUT_WR) == 0 ? "done" : errno == ENOTCONN ? "gone" : "other");
}

int main(void) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
#if defined SHUT
    shut();
#elif defined RESET
    reset();
#elif defined HANGUP
    hang_up();
#else
    gone();
#endif
    return 0;
}
