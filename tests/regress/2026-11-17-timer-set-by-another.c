/* A timerfd that processes share: whether another has set it was no matter of order, and who
 * already waited for it did not notice, so that it was said to wait for ever.
 *
 * run: -DASK
 * verdict: complete
 * label: unset
 * label: set
 *
 * run: -DASK --por dpor
 * verdict: complete
 * label: unset
 * label: set
 *
 * run: -DASK --por none
 * verdict: complete
 * label: unset
 * label: set
 *
 * run: -DREAD
 * verdict: incomplete
 * label: rings
 *
 * run: -DPOLL
 * verdict: incomplete
 * label: rings
 *
 * run: -DEPOLL
 * verdict: incomplete
 * label: rings */
#include <heddle.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int timer;

#if defined ASK
static void look(void) {
    struct itimerspec now;
    timerfd_gettime(timer, &now);
    heddle_reach(now.it_value.tv_sec || now.it_value.tv_nsec ? "set" : "unset");
}
#elif defined READ
static void look(void) {
    uint64_t n;
    heddle_reach(read(timer, &n, sizeof n) == sizeof n ? "rings" : "fails");
}
#elif defined POLL
static void look(void) {
    struct pollfd p = {.fd = timer, .events = POLLIN};
    heddle_reach(poll(&p, 1, -1) == 1 ? "rings" : "fails");
}
#else
static void look(void) {
    struct epoll_event e = {.events = EPOLLIN};
    int list = epoll_create1(0);
    epoll_ctl(list, EPOLL_CTL_ADD, timer, &e);
    heddle_reach(epoll_wait(list, &e, 1, -1) == 1 ? "rings" : "fails");
}
#endif

int main(void) {
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (fork() == 0) {
        struct itimerspec when = {.it_value = {1, 0}};
        timerfd_settime(timer, 0, &when, NULL);
        _exit(0);
    }
    look();
    wait(NULL);
    return 0;
}
