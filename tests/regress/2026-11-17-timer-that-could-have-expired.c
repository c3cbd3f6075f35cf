/* A timer of two processes runs; one of them looks at it without waiting, or stops it.  It could
 * have expired before, which no execution shows.  That was said only by orders in which somebody
 * waited for it before it was stopped, which optimal and flip have no reason to run; and never with
 * --timeouts any.
 *
 * run: -DLOOK
 * verdict: incomplete
 * label: running
 * reason: time limits pass only when nothing else can happen
 *
 * run: -DLOOK --timeouts any
 * verdict: incomplete
 * reason: that a timer expires
 *
 * run: -DSTOP
 * verdict: incomplete
 * finding: deadlock
 * reason: time limits pass only when nothing else can happen
 * reason-at: 40
 *
 * run: -DSTOP --por none
 * verdict: incomplete
 * finding: deadlock
 * reason-at: 40
 *
 * run: -DSTOP --timeouts any
 * verdict: incomplete
 * finding: deadlock
 * reason-at: 40 */
#include <heddle.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int timer;

static void set(int seconds) {
    struct itimerspec when = {.it_value = {seconds, 0}};
    timerfd_settime(timer, 0, &when, NULL);
}

static void stop(void) {
#ifdef STOP
    set(0);
#endif
}

static void ask(int wait) {
    struct pollfd p = {timer, POLLIN, 0};
    heddle_reach(poll(&p, 1, wait) ? "expired" : "running");
    _exit(0);
}

int main(void) {
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    set(1);
    if (fork() == 0) {
#ifdef LOOK
        ask(0);
#else
        ask(-1);
#endif
    }
    stop();
    wait(NULL);
}
