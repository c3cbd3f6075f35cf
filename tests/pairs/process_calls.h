/* process_calls.h -- calls on children, signals and alarms. */
#ifndef HD_TESTS_PAIRS_PROCESS_CALLS_H
#define HD_TESTS_PAIRS_PROCESS_CALLS_H
#include "worked_on.h"

/* ---- children ---- */

static int child;
static void begin_child(void) {
    pipe(d);
    child = fork();
    if (child == 0) {
        close(d[1]);
        _exit(get(d[0]));
    }
}
static int child_kill(void) {
    return kill(child, SIGKILL);
}
static int child_ask(void) {
    return kill(child, 0);
}
static int child_look(void) {
    return waitpid(child, NULL, WNOHANG) > 0;
}
static int child_wake(void) {
    return (int)write(d[1], "c", 1);
}

/* ---- a child that its parent does not want to hear of ---- */

static int heir_kill(void) {
    return kill(child, SIGKILL);
}
/* Whoever ends while nobody is to hear of it leaves nothing behind: before, something is left. */
static int heir_forget(void) {
    signal(SIGCHLD, SIG_IGN);
    int answer = waitpid(child, NULL, WNOHANG);
    signal(SIGCHLD, SIG_DFL);
    return answer < 0 ? -1 : answer > 0;
}
static int heir_told(void) {
    sigset_t s, pending;
    sigemptyset(&s);
    sigaddset(&s, SIGCHLD);
    sigprocmask(SIG_BLOCK, &s, NULL);
    sigpending(&pending);
    return sigismember(&pending, SIGCHLD);
}

/* ---- signals: the first call is of the child, who sends ---- */

static pid_t receiver;
static volatile sig_atomic_t n_heard;
static void hear(int signal) {
    (void)signal;
    n_heard++;
}
static sigset_t one_signal(void) {
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    return s;
}
static void begin_signal(void) {
    sigset_t s = one_signal();
    receiver = getpid();
    signal(SIGUSR1, hear);
    sigprocmask(SIG_BLOCK, &s, NULL);
}
static int signal_send(void) {
    return kill(receiver, SIGUSR1);
}
static int signal_look(void) {
    sigset_t s;
    sigpending(&s);
    return sigismember(&s, SIGUSR1);
}
static int signal_drop(void) {
    signal(SIGUSR1, SIG_IGN);
    return signal(SIGUSR1, hear) == SIG_IGN ? signal_look() : -1;
}
static int signal_open(void) {
    sigset_t s = one_signal();
    sigprocmask(SIG_UNBLOCK, &s, NULL);
    int n = n_heard;
    sigprocmask(SIG_BLOCK, &s, NULL);
    return n;
}

/* ---- a child that has ended ---- */

static void begin_gone(void) {
    pipe(d);
    child = fork();
    if (child == 0)
        _exit(7);
    close(d[1]);
    get(d[0]); /* until it has closed the other end */
}
static int gone_ask(void) {
    return kill(child, 0);
}
static int gone_look(void) {
    return waitpid(child, NULL, WNOHANG) > 0;
}
static int gone_wait(void) {
    return waitpid(child, NULL, 0) > 0 ? 1 : -1;
}

/* ---- alarms, of one process ---- */

static void set_alarm(int seconds) {
    struct itimerval t = {{0, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &t, NULL);
}
static void begin_alarm(void) {
    signal(SIGALRM, SIG_IGN);
    set_alarm(100);
}
static int alarm_ask(void) {
    struct itimerval t;
    return getitimer(ITIMER_REAL, &t) < 0 ? -1 : t.it_value.tv_sec > 0;
}
static int alarm_stop(void) {
    set_alarm(0);
    return 0;
}
static int alarm_again(void) {
    return alarm(50) > 0;
}
#endif
