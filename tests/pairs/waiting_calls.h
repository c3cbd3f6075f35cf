/* waiting_calls.h -- calls on lists of what is waited for, on timers, and on the numbers of
 * descriptors. */
#ifndef HD_TESTS_PAIRS_WAITING_CALLS_H
#define HD_TESTS_PAIRS_WAITING_CALLS_H
#include "worked_on.h"

/* ---- lists of what is waited for ---- */

static void begin_list(void) {
    struct epoll_event e = {.events = EPOLLIN};
    d[0] = epoll_create1(0);
    pipe2(d + 1, O_NONBLOCK);
    d[3] = eventfd(1, EFD_NONBLOCK);
    epoll_ctl(d[0], EPOLL_CTL_ADD, d[1], &e);
}
static int list_wait(void) {
    struct epoll_event e[2];
    return epoll_wait(d[0], e, 2, 0);
}
static int list_write(void) {
    return (int)write(d[2], "a", 1);
}
static int list_add(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[0], EPOLL_CTL_ADD, d[3], &e);
}
static int list_remove(void) {
    return epoll_ctl(d[0], EPOLL_CTL_DEL, d[1], NULL);
}
static int list_change(void) {
    struct epoll_event e = {.events = EPOLLOUT};
    return epoll_ctl(d[0], EPOLL_CTL_MOD, d[1], &e);
}

/* ---- lists in lists ---- */

static void begin_nest(void) {
    d[0] = epoll_create1(0);
    d[1] = epoll_create1(0);
    d[2] = eventfd(0, EFD_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(d[1], EPOLL_CTL_ADD, d[2], &e);
}
static int nest_add(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[0], EPOLL_CTL_ADD, d[1], &e);
}
static int nest_back(void) {
    struct epoll_event e = {.events = EPOLLIN};
    return epoll_ctl(d[1], EPOLL_CTL_ADD, d[0], &e);
}
static int nest_raise(void) {
    return eventfd_write(d[2], 1);
}
static int nest_wait(void) {
    struct epoll_event e[2];
    return epoll_wait(d[0], e, 2, 0);
}
static int nest_poll(void) {
    return is_ready(d[1], POLLIN);
}

/* ---- numbers of descriptors, of one process ---- */

static void begin_number(void) {
    d[0] = dup(0);
    d[1] = dup(0);
}
static int number_copy(void) {
    return dup(0);
}
static int number_shut(void) {
    return close(D(0));
}
static int number_from(void) {
    return fcntl(0, F_DUPFD, D(1));
}
static int number_over(void) {
    return dup2(0, D(0));
}
static int number_mark(void) {
    return fcntl(D(0), F_SETFD, FD_CLOEXEC);
}
static int number_ask(void) {
    return fcntl(D(0), F_GETFD);
}

/* ---- timers ---- */

static void begin_timer(void) {
    struct itimerspec t = {{0, 0}, {5, 0}};
    d[0] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(d[0], 0, &t, NULL);
}
static int timer_stop(void) {
    struct itimerspec t = {{0, 0}, {0, 0}};
    return timerfd_settime(d[0], 0, &t, NULL);
}
static int timer_again(void) {
    struct itimerspec t = {{7, 0}, {700, 0}}, old;
    return timerfd_settime(d[0], 0, &t, &old) < 0 ? -1 : old.it_value.tv_sec > 0;
}
static int timer_ask(void) {
    struct itimerspec t;
    return timerfd_gettime(d[0], &t) < 0 ? -1 : (int)t.it_interval.tv_sec + (t.it_value.tv_sec > 0);
}
static int timer_read(void) {
    uint64_t n = 0;
    return read(d[0], &n, 8) < 0 ? -1 : (int)n;
}
#endif
