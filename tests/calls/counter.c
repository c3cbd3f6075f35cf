/* eventfd and timerfd. */
#include "calls.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>

static int ready(int d) {
    struct pollfd p = {d, POLLIN | POLLOUT, 0};
    poll(&p, 1, 0);
    return p.revents;
}

static void events(void) {
    uint64_t v = 0, w[2];
    char b[16] = "abcdefghijklmno";
    int e, s, n;
    T(e = eventfd(3, EFD_NONBLOCK));
    T(eventfd(0, 4096));
    T(fcntl(e, F_GETFL));
    T(fcntl(e, F_GETFD));
    T(ready(e));
    T(read(e, &v, 8));
    T(v);
    T(ready(e));
    T(read(e, &v, 8));
    T(read(e, &v, 7));
    T(write(e, &v, 7));
    v = 5;
    T(write(e, &v, 8));
    T(write(e, &v, 8));
    T(eventfd_read(e, &v));
    T(v);
    T(eventfd_read(e, &v));
    T(eventfd_write(e, 4));
    w[1] = 9;
    T(read(e, w, 16));
    T(w[0]);
    T(w[1]);
    v = UINT64_MAX;
    T(write(e, &v, 8));
    T(eventfd_write(e, UINT64_MAX));
    T(eventfd_write(e, UINT64_MAX - 1));
    T(ready(e));
    T(eventfd_write(e, 1));
    T(eventfd_write(e, 0));
    T(eventfd_read(e, &v));
    T(v == UINT64_MAX - 1);
    T(eventfd_write(e, UINT64_MAX - 2));
    T(ready(e));
    T(eventfd_write(e, 1));
    T(eventfd_write(e, 1));
    T(eventfd_read(e, &v));
    T(eventfd_write(e, 0));
    T(ready(e));
    T(s = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC));
    T(fcntl(s, F_GETFD));
    for (int i = 0; i < 3; i++) {
        v = 77;
        T(eventfd_read(s, &v));
        T(v);
    }
    T(n = eventfd(1, 0));
    T(fcntl(n, F_GETFL));
    T(eventfd_read(n, &v));
    T(eventfd_write(n, 6));
    struct iovec in[2] = {{b, 3}, {b + 8, 5}}, few[2] = {{b, 3}, {b + 8, 4}};
    T(readv(n, few, 2));
    T(readv(n, in, 2));
    show("b", b, 16);
    T(eventfd_read(99, &v));
    T(eventfd_write(99, 1));
}

static void show_setting(const struct itimerspec *t) {
    /* to tenths of a second: some time passes */
    printf("  interval %ld.%ld left %ld.%ld\n", (long)t->it_interval.tv_sec,
           t->it_interval.tv_nsec / 100000000, (long)t->it_value.tv_sec,
           t->it_value.tv_nsec / 100000000);
}

static void timers(void) {
    int t, p[2];
    uint64_t v = 0;
    struct itimerspec is = {{0, 0}, {0, 0}}, old = is, bad;
    pipe(p);
    T(t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
    T(fcntl(t, F_GETFL));
    T(fcntl(t, F_GETFD));
    T(timerfd_create(CLOCK_MONOTONIC, 4096));
    T(timerfd_create(77, 0));
    T(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0));
    T(timerfd_create(CLOCK_REALTIME, 0) >= 0);
    T(timerfd_create(CLOCK_BOOTTIME, 0) >= 0);
    T(read(t, &v, 8));
    T(write(t, &v, 8));
    T(timerfd_gettime(t, &is));
    show_setting(&is);
    is = (struct itimerspec){{7, 550000000}, {1000, 950000000}};
    T(timerfd_settime(t, 0, &is, &old));
    show_setting(&old);
    T(timerfd_gettime(t, &is));
    show_setting(&is);
    T(ready(t));
    T(read(t, &v, 8));
    T(read(t, &v, 7));
    is = (struct itimerspec){{0, 0}, {0, 0}};
    T(timerfd_settime(t, 0, &is, &old));
    show_setting(&old);
    T(timerfd_gettime(t, &is));
    show_setting(&is);
    bad = (struct itimerspec){{0, 0}, {0, 1000000000}};
    T(timerfd_settime(t, 0, &bad, NULL));
    bad = (struct itimerspec){{0, 0}, {0, 999999999}};
    T(timerfd_settime(t, 0, &bad, NULL));
    bad = (struct itimerspec){{0, 0}, {-1, 0}};
    T(timerfd_settime(t, 0, &bad, NULL));
    bad = (struct itimerspec){{0, -1}, {0, 0}};
    T(timerfd_settime(t, 0, &bad, NULL));
    bad = (struct itimerspec){{-1, 0}, {0, 0}};
    T(timerfd_settime(t, 0, &bad, NULL));
    bad = (struct itimerspec){{0, 0}, {0, 0}};
    T(timerfd_settime(t, 8, &bad, NULL));
    T(timerfd_settime(p[0], 0, &bad, NULL));
    T(timerfd_settime(99, 0, &bad, NULL));
    T(timerfd_gettime(p[0], &bad));
    T(timerfd_gettime(99, &bad));
    /* it expires: 40 ms, then each 1000 s */
    is = (struct itimerspec){{1000, 0}, {0, 40000000}};
    T(timerfd_settime(t, 0, &is, NULL));
    T(fcntl(t, F_SETFL, 0));
    T(read(t, &v, 8));
    T(v);
    T(timerfd_gettime(t, &is));
    T(is.it_value.tv_sec > 900 && is.it_value.tv_sec <= 1000);
    T(fcntl(t, F_SETFL, O_NONBLOCK));
    T(read(t, &v, 8));
    /* once, and it is read late */
    is = (struct itimerspec){{0, 0}, {0, 10000000}};
    T(timerfd_settime(t, 0, &is, NULL));
    usleep(30000);
    T(ready(t));
    T(read(t, &v, 8));
    T(v);
    T(read(t, &v, 8));
    T(timerfd_gettime(t, &is));
    show_setting(&is);
    /* several times before it is read */
    is = (struct itimerspec){{0, 100000000}, {0, 50000000}};
    T(timerfd_settime(t, 0, &is, NULL));
    usleep(300000);
    T(read(t, &v, 8));
    T(v);
    T(read(t, &v, 8));
    /* at a time */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    is = (struct itimerspec){{0, 0}, {now.tv_sec + 100, now.tv_nsec}};
    T(timerfd_settime(t, TFD_TIMER_ABSTIME, &is, NULL));
    T(timerfd_gettime(t, &is));
    T(is.it_value.tv_sec >= 98 && is.it_value.tv_sec <= 100);
    is = (struct itimerspec){{0, 0}, {0, 1}}; /* that is past */
    T(timerfd_settime(t, TFD_TIMER_ABSTIME, &is, NULL));
    T(ready(t));
    T(read(t, &v, 8));
    T(v);
}

/* What changes is told once, at the edge. */
static void edges(void) {
    int e = eventfd(0, EFD_NONBLOCK), o = epoll_create1(0);
    uint64_t v;
    struct epoll_event want = {EPOLLIN | EPOLLET, {.u64 = 7}}, got;
    T(epoll_ctl(o, EPOLL_CTL_ADD, e, &want));
    T(epoll_wait(o, &got, 1, 0));
    T(eventfd_write(e, 1));
    T(epoll_wait(o, &got, 1, 0));
    T(epoll_wait(o, &got, 1, 0));
    T(eventfd_write(e, 1));
    T(epoll_wait(o, &got, 1, 0));
    T(eventfd_read(e, &v));
    T(epoll_wait(o, &got, 1, 0));
    T(eventfd_write(e, 1));
    T(epoll_wait(o, &got, 1, 0));
}

int main(void) {
    events();
    timers();
    edges();
    return 0;
}
