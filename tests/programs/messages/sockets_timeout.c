/* Waits with a time limit: the answer may be late, and time passes only when nothing else can happen.
 *
 * run: -DPOLL
 * verdict: incomplete
 *
 * run: -DRECEIVE
 * verdict: incomplete
 *
 * run: -DPOLL -DNEVER
 * verdict: complete
 * finding: assertion
 *
 * run: -DTIMER
 * verdict: incomplete
 *
 * run: --timeouts any -DPOLL
 * finding: assertion */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(void) {
    int ends[2];
    char c = 0;
    int64_t start = now();
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#ifdef TIMER
    struct itimerspec when = {.it_value.tv_nsec = 50000000, .it_interval.tv_nsec = 50000000};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t n = 0;
    struct pollfd two[2] = {{timer, POLLIN, 0}, {ends[0], POLLIN, 0}};
    assert(timerfd_settime(timer, 0, &when, NULL) == 0);
    assert(poll(two, 2, -1) == 1 && two[0].revents == POLLIN && two[1].revents == 0);
    assert(read(timer, &n, sizeof n) == sizeof n && n == 1);
    assert(now() - start >= 49);
    assert(read(timer, &n, sizeof n) == sizeof n && n == 1);
    assert(now() - start >= 99);
    return 0;
#endif
#ifndef NEVER
    if (fork() == 0) {
        c = 1;
        assert(write(ends[1], &c, 1) == 1);
        _exit(0);
    }
#endif
#ifdef POLL
    struct pollfd p = {ends[0], POLLIN, 0};
    int n = poll(&p, 1, 100);
#ifdef NEVER
    assert(n == 0 && now() - start >= 99);
#endif
    assert(n == 1); // BUG assertion
    assert(read(ends[0], &c, 1) == 1 && c == 1);
#else
    struct timeval soon = {0, 100000};
    assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
    assert(recv(ends[0], &c, 1, 0) == 1);
    assert(recv(ends[0], &c, 1, 0) == -1 && errno == EAGAIN);
    assert(now() - start >= 99);
#endif
    return 0;
}
