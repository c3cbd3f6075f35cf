/* Timers: one that expires once, again and again, never, or was given up; two of one process; what
 * expires while the signal is blocked is counted.  Time passes when nothing else can happen, which
 * is said.
 *
 * run:
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 * executions: 1
 * label: once
 *
 * run: -DAGAIN
 * verdict: incomplete
 * executions: 1
 * label: three
 *
 * run: -DTWO
 * verdict: incomplete
 * executions: 1
 * label: both
 *
 * run: -DOVERRUN
 * verdict: incomplete
 * executions: 1
 * label: missed
 *
 * run: -DSILENT
 * verdict: complete
 * executions: 1
 * label: silent
 *
 * run: -DINPUT
 * verdict: incomplete
 * label: value-0
 * label: value-1
 *
 * run: -DGIVEN_UP
 * verdict: incomplete
 * finding: deadlock
 *
 * run: -DTHREAD
 * verdict: incomplete
 * reason: timer that starts a thread */
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int n, last, overrun;

static void handle(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    assert(info->si_code == SI_TIMER);
    last = info->si_value.sival_int;
    overrun = info->si_overrun;
    n++;
}

static timer_t make(int number, int value) {
    struct sigaction a = {.sa_flags = SA_SIGINFO};
    struct sigevent event;
    timer_t t;
    a.sa_sigaction = handle;
    sigaction(number, &a, NULL);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number;
    event.sigev_value.sival_int = value;
    assert(timer_create(CLOCK_MONOTONIC, &event, &t) == 0);
    return t;
}

static void set(timer_t t, int milliseconds, int again) {
    struct itimerspec s = {.it_value = {0, 1000000L * milliseconds},
                           .it_interval = {0, 1000000L * again}};
    assert(timer_settime(t, 0, &s, NULL) == 0);
}

int main(void) {
#if defined AGAIN
    timer_t t = make(SIGUSR1, 7);
    set(t, 10, 10);
    while (n < 3)
        pause();
    set(t, 0, 0);
    assert(last == 7);
    heddle_reach("three");
#elif defined TWO
    timer_t late = make(SIGUSR1, 1), early = make(SIGRTMIN, 2);
    set(late, 60, 0);
    set(early, 20, 0);
    pause();
    assert(n == 1 && last == 2);
    pause();
    assert(n == 2 && last == 1);
    assert(timer_delete(late) == 0 && timer_delete(early) == 0);
    assert(timer_delete(early) == -1 && errno == EINVAL);
    heddle_reach("both");
#elif defined OVERRUN
    timer_t t = make(SIGUSR1, 7);
    sigset_t set_of;
    struct timespec wait = {0, 55000000};
    sigemptyset(&set_of);
    sigaddset(&set_of, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set_of, NULL);
    set(t, 10, 10);
    nanosleep(&wait, NULL);
    sigprocmask(SIG_UNBLOCK, &set_of, NULL);
    set(t, 0, 0);
    assert(n == 1 && overrun == 4);
    heddle_reach("missed");
#elif defined SILENT
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    struct itimerspec left;
    timer_t t;
    assert(timer_create(CLOCK_REALTIME, &event, &t) == 0);
    set(t, 500, 0);
    assert(timer_gettime(t, &left) == 0 && left.it_value.tv_sec == 0);
    assert(left.it_value.tv_nsec > 300000000 && left.it_value.tv_nsec <= 500000000);
    assert(timer_getoverrun(t) == 0);
    heddle_reach("silent");
#elif defined INPUT
    timer_t t = make(SIGUSR2, (int)heddle_choose(0, 1));
    set(t, 10, 0);
    pause();
    heddle_reach(last ? "value-1" : "value-0");
#elif defined GIVEN_UP
    timer_t t = make(SIGUSR1, 7);
    set(t, 10, 0);
    set(t, 0, 0);
    pause(); // BUG deadlock
#elif defined THREAD
    struct sigevent event;
    timer_t t;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD;
    timer_create(CLOCK_MONOTONIC, &event, &t);
#else
    timer_t t = make(SIGUSR1, 7);
    struct itimerspec left;
    set(t, 50, 0);
    assert(timer_gettime(t, &left) == 0 && left.it_value.tv_nsec > 0);
    assert(pause() == -1 && errno == EINTR && n == 1 && last == 7 && overrun == 0);
    assert(timer_gettime(t, &left) == 0 && left.it_value.tv_nsec == 0);
    heddle_reach("once");
#endif
    return 0;
}
