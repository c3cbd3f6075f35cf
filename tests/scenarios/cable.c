/* cable NUMBER: connections from one host to another where virtual time orders events: that wait,
 * that do not, that nobody takes, by a socket with a port of its own, and once more after each
 * answer.  Every answer is Linux's (tests/nodes.sh). */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SERVER
#define SERVER "10.0.0.1"
#endif
enum { DOOR = 27000, NOBODY = 27001, OWN = 27002 };

static int go(int s, int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    at.sin_addr.s_addr = inet_addr(SERVER);
    return connect(s, (struct sockaddr *)&at, sizeof at) == 0 ? 0 : errno;
}
static int stream(int flags) {
    int s = socket(AF_INET, SOCK_STREAM | flags, 0);
    assert(s >= 0);
    return s;
}
static int port_of(int s, int (*ask)(int, struct sockaddr *, socklen_t *)) {
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    return ask(s, (struct sockaddr *)&a, &n) < 0 ? -errno : ntohs(a.sin_port);
}
static int error_of(int s) {
    int error = -1;
    socklen_t n = sizeof error;
    getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &n);
    return error;
}
static int until_ready(int s, int events) {
    struct pollfd p = {s, (short)events, 0};
    return poll(&p, 1, 5000) == 1 ? p.revents : 0;
}
/* The other side gives back what it is given, and one more. */
static void talk(int s) {
    char c = 'a';
    assert(write(s, &c, 1) == 1);
    assert(until_ready(s, POLLIN) == POLLIN && read(s, &c, 1) == 1 && c == 'b');
    assert(until_ready(s, POLLIN) && read(s, &c, 1) == 0); /* it is closed there */
    close(s);
}

static void that_wait(void) {
    int s = stream(0);
    assert(port_of(s, getpeername) == -ENOTCONN);
    assert(go(s, DOOR) == 0 && go(s, DOOR) == EISCONN);
    assert(port_of(s, getpeername) == DOOR && port_of(s, getsockname) > 0 && error_of(s) == 0);
    talk(s);
}
static void that_do_not_wait(void) {
    int s = stream(SOCK_NONBLOCK);
    assert(go(s, DOOR) == EINPROGRESS && port_of(s, getsockname) > 0);
    assert(until_ready(s, POLLOUT) == POLLOUT && error_of(s) == 0);
    assert(go(s, DOOR) == 0 && go(s, DOOR) == EISCONN && port_of(s, getpeername) == DOOR);
    talk(s);
}
static void that_nobody_takes(void) {
    int s = stream(0), t = stream(SOCK_NONBLOCK), u = stream(SOCK_NONBLOCK);
    assert(go(s, NOBODY) == ECONNREFUSED && error_of(s) == 0);
    assert(port_of(s, getpeername) == -ENOTCONN);
    assert(go(t, NOBODY) == EINPROGRESS);
    assert(until_ready(t, POLLOUT) == (POLLOUT | POLLERR | POLLHUP));
    assert(error_of(t) == ECONNREFUSED && error_of(t) == 0);
    assert(go(u, NOBODY) == EINPROGRESS && until_ready(u, POLLOUT) != 0);
    assert(go(u, NOBODY) == ECONNREFUSED && error_of(u) == 0);
    assert(go(s, DOOR) == 0); /* it may be tried again */
    talk(s);
}
static void with_a_port(void) {
    int s = stream(0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(OWN)};
    assert(bind(s, (struct sockaddr *)&at, sizeof at) == 0);
    assert(go(s, NOBODY) == ECONNREFUSED && port_of(s, getsockname) == OWN);
    assert(go(s, DOOR) == 0 && port_of(s, getsockname) == OWN);
    talk(s);
}

static void serve(void) {
    int l = stream(0), yes = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(DOOR)};
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    assert(bind(l, (struct sockaddr *)&at, sizeof at) == 0 && listen(l, 4) == 0);
    for (int i = 0; i < 4; i++) {
        int s = accept(l, NULL, NULL);
        char c;
        assert(s >= 0 && read(s, &c, 1) == 1);
        assert((i == 3) == (port_of(s, getpeername) == OWN));
        c++;
        assert(write(s, &c, 1) == 1 && close(s) == 0);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && atoi(argv[1]) == 0) {
        serve();
        return 0;
    }
    usleep(200000); /* until the other one listens */
    that_wait();
    that_do_not_wait();
    that_nobody_takes();
    with_a_port();
    heddle_reach("all answered");
    return 0;
}
