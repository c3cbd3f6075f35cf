/* A connection belongs to the process that accepts it, wherever it was made:
 * who asks there whether something has come may be early or late.
 *
 * run:
 * verdict: complete
 * label: early
 * label: late
 *
 * run: --por dpor
 * verdict: complete
 * label: early
 * label: late
 *
 * run: --por none
 * verdict: complete
 * label: early
 * label: late
 *
 * run: -DNETWORK
 * label: early
 * label: late
 *
 * run: -DLIST
 * label: early
 * label: late */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef NETWORK
static struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0x901f};
#else
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "elsewhere"};
#endif
#define FAMILY (((struct sockaddr *)&address)->sa_family)

static int is_ready(int d) {
#ifdef LIST
    struct epoll_event e = {.events = EPOLLIN};
    int list = epoll_create1(0);
    assert(epoll_ctl(list, EPOLL_CTL_ADD, d, &e) == 0);
    return epoll_wait(list, &e, 1, 0);
#else
    struct pollfd p = {d, POLLIN, 0};
    return poll(&p, 1, 0);
#endif
}

static void serve(int listener) {
    char c;
    int d = accept(listener, 0, 0);
    assert(d >= 0);
    heddle_reach(is_ready(d) ? "late" : "early");
    assert(read(d, &c, 1) == 1 && c == 'x');
    _exit(0);
}

int main(void) {
    int listener = socket(FAMILY, SOCK_STREAM, 0), d = socket(FAMILY, SOCK_STREAM, 0), status;
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(listener, 1) == 0);
    if (fork() == 0)
        serve(listener);
    assert(connect(d, (struct sockaddr *)&address, sizeof address) == 0);
    assert(write(d, "x", 1) == 1);
    assert(wait(&status) > 0 && status == 0);
    return 0;
}
