/* Signals, alarms, processes. */
#include "calls.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static int n_seen[65], last_blocked;
static void seen(int signal) {
    sigset_t now;
    n_seen[signal]++;
    sigprocmask(SIG_BLOCK, NULL, &now);
    last_blocked = sigismember(&now, signal) * 2 + sigismember(&now, SIGTERM);
}
static sigset_t set_of(int a, int b) {
    sigset_t s;
    sigemptyset(&s);
    if (a)
        sigaddset(&s, a);
    if (b)
        sigaddset(&s, b);
    return s;
}
static void show_set(const sigset_t *s) {
    printf("  set:");
    for (int i = 1; i < 32; i++)
        if (sigismember(s, i))
            printf(" %d", i);
    printf("\n");
}

static void handlers(void) {
    struct sigaction a = {.sa_handler = seen}, old;
    T(signal(SIGUSR1, seen) == SIG_DFL);
    T(signal(SIGUSR1, seen) == seen);
    T(signal(SIGKILL, seen) == SIG_ERR);
    T(signal(SIGSTOP, seen) == SIG_ERR);
    T(signal(0, seen) == SIG_ERR);
    T(signal(65, seen) == SIG_ERR);
    T(signal(64, seen) == SIG_DFL);
    T(signal(32, seen) == SIG_ERR);
    T(signal(31, seen) == SIG_DFL);
    T(sigaction(SIGUSR1, NULL, &old));
    T(old.sa_handler == seen);
    T(old.sa_flags & SA_RESTART);
    T(sigaction(SIGKILL, NULL, &old));
    T(sigaction(SIGKILL, &a, NULL));
    T(sigaction(0, NULL, &old));
    T(sigaction(65, NULL, &old));
    sigaddset(&a.sa_mask, SIGTERM);
    T(sigaction(SIGUSR2, &a, &old));
    T(old.sa_handler == SIG_DFL);
    T(raise(SIGUSR1));
    T(n_seen[SIGUSR1]);
    T(last_blocked);
    T(raise(SIGUSR2));
    T(n_seen[SIGUSR2]);
    T(last_blocked);
    T(raise(0));
    T(raise(65));
    T(raise(-1));
    T(signal(SIGUSR2, SIG_IGN) == seen);
    T(raise(SIGUSR2));
    T(n_seen[SIGUSR2]);
    T(raise(SIGCHLD));
    T(kill(getpid(), SIGUSR1));
    T(n_seen[SIGUSR1]);
    T(kill(getpid(), 0));
    T(kill(getpid(), 65));
    T(kill(999999, 0));
    T(kill(999999, SIGUSR1));
}

static void blocking(void) {
    sigset_t s = set_of(SIGUSR1, SIGKILL), old = set_of(1, 2), empty = set_of(0, 0);
    struct pollfd none = {-1, 0, 0};
    n_seen[SIGUSR1] = 0;
    T(sigprocmask(SIG_BLOCK, &s, &old));
    show_set(&old);
    T(sigprocmask(SIG_BLOCK, NULL, &old));
    show_set(&old);
    T(raise(SIGUSR1));
    T(raise(SIGUSR1));
    T(n_seen[SIGUSR1]);
    T(sigpending(&old));
    show_set(&old);
    s = set_of(SIGTERM, 0);
    T(sigprocmask(SIG_BLOCK, &s, &old));
    T(sigprocmask(77, NULL, &old));
    show_set(&old);
    T(sigprocmask(77, &s, NULL));
    T(pthread_sigmask(77, &s, NULL));
    T(sigprocmask(SIG_UNBLOCK, &s, NULL));
    T(sigprocmask(SIG_SETMASK, &empty, &old));
    show_set(&old);
    T(n_seen[SIGUSR1]);
    T(sigpending(&old));
    show_set(&old);
    s = set_of(SIGUSR1, 0);
    T(pthread_sigmask(SIG_SETMASK, &s, NULL));
    T(raise(SIGUSR1));
    T(sigsuspend(&empty));
    T(n_seen[SIGUSR1]);
    T(sigprocmask(SIG_BLOCK, NULL, &old));
    show_set(&old);
    struct timespec at_once = {0, 0}, wrong = {0, 1000000000};
    int taken = 0;
    T(sigtimedwait(&s, NULL, &at_once));
    T(sigtimedwait(&s, NULL, &wrong));
    T(pthread_kill(pthread_self(), SIGUSR1));
    T(sigwait(&s, &taken));
    T(taken);
    T(sigpending(&old));
    show_set(&old);
    T(raise(SIGUSR1));
    T(sigwaitinfo(&s, NULL));
    T(pthread_kill(pthread_self(), 999));
    T(pthread_kill(pthread_self(), 0));
    T(raise(SIGUSR1));
    T(signal(SIGUSR1, SIG_IGN) == seen); /* what waits is gone */
    T(sigpending(&old));
    show_set(&old);
    T(signal(SIGUSR1, seen) == SIG_IGN);
    T(sigprocmask(SIG_SETMASK, &empty, NULL));
    T(n_seen[SIGUSR1]);
    T(poll(&none, 1, 1));
}

static void alarms(void) {
    struct itimerval t = {{0, 0}, {0, 20000}}, old;
    sigset_t empty = set_of(0, 0);
    int p[2], status;
    char b;
    struct pollfd in;
    n_seen[SIGALRM] = 0;
    pipe(p);
    in = (struct pollfd){p[0], POLLIN, 0};
    T(signal(SIGALRM, seen) == SIG_DFL);
    T(alarm(100));
    T(alarm(0));
    T(alarm(0));
    t.it_value.tv_sec = 5, t.it_interval.tv_sec = 7;
    T(setitimer(ITIMER_REAL, &t, NULL));
    T(getitimer(ITIMER_REAL, &old));
    T(old.it_interval.tv_sec);
    T(old.it_value.tv_sec);
    T(old.it_value.tv_usec >= 0 && old.it_value.tv_usec <= 20000);
    T(alarm(1));
    t = (struct itimerval){{0, 0}, {0, 20000}};
    T(setitimer(ITIMER_REAL, &t, &old));
    T(old.it_interval.tv_sec);
    T(old.it_value.tv_sec * 10 + old.it_value.tv_usec / 100000 >= 8);
    T(pause());
    T(n_seen[SIGALRM]);
    T(setitimer(ITIMER_REAL, &t, NULL));
    T(sigsuspend(&empty));
    T(setitimer(ITIMER_REAL, &t, NULL));
    T(poll(&in, 1, 10000));
    T(setitimer(ITIMER_REAL, &t, NULL));
    struct sigaction a = {.sa_handler = seen};
    T(sigaction(SIGALRM, &a, NULL));
    T(read(p[0], &b, 1));
    T(n_seen[SIGALRM]);
    t = (struct itimerval){{0, 0}, {0, 1000000}};
    T(setitimer(ITIMER_REAL, &t, NULL));
    t = (struct itimerval){{0, -1}, {0, 0}};
    T(setitimer(ITIMER_REAL, &t, NULL));
    t = (struct itimerval){{0, 0}, {-1, 0}};
    T(setitimer(ITIMER_REAL, &t, NULL));
    T(setitimer(77, &t, NULL));
    T(getitimer(77, &t));
    t = (struct itimerval){{0, 10000}, {0, 10000}};
    T(setitimer(ITIMER_REAL, &t, NULL));
    T(pause());
    T(pause());
    t = (struct itimerval){{0, 0}, {0, 0}};
    T(setitimer(ITIMER_REAL, &t, &old));
    T(old.it_interval.tv_usec);
    T(getitimer(ITIMER_REAL, &old));
    T(old.it_value.tv_sec + old.it_value.tv_usec + old.it_interval.tv_usec);
    close(p[0]), close(p[1]);
    T(wait(&status));
}

static int child(int status) {
    fflush(stdout);
    int pid = fork();
    if (pid == 0)
        _exit(status);
    return pid;
}
static void sleeper(int *pid) {
    fflush(stdout);
    *pid = fork();
    if (*pid == 0)
        for (;;)
            pause();
}

static void processes(void) {
    int status = 77, pid, other, me = getpid();
    siginfo_t info;
    struct rusage usage;
    signal(SIGCHLD, SIG_DFL);
    T(wait(&status));
    T(waitpid(-1, &status, WNOHANG));
    T(waitpid(me, &status, 0));
    T(waitpid(999999, &status, 0));
    T(waitpid(-1, &status, 1 << 20));
    pid = child(300);
    T(wait(&status) == pid);
    T(status);
    T(waitpid(pid, &status, 0));
    T(kill(pid, 0));
    T(kill(pid, SIGTERM));
    pid = child(3);
    T(waitpid(pid, NULL, 0) == pid);
    pid = child(3), other = child(4);
    T(waitpid(other, &status, 0) == other);
    T(status);
    T(waitpid(-1, &status, 0) == pid);
    T(status);
    pid = child(5);
    memset(&usage, 7, sizeof usage);
    T(wait4(pid, &status, 0, &usage) == pid);
    T(status);
    T(usage.ru_utime.tv_sec);
    pid = child(6);
    T(wait3(&status, 0, NULL) == pid);
    T(status);
    pid = child(7);
    memset(&info, 0, sizeof info);
    T(waitid(P_PID, pid, &info, WEXITED));
    T(info.si_pid == pid);
    T(info.si_status);
    T(info.si_code);
    T(info.si_signo);
    T(waitid(P_PID, pid, &info, WEXITED));
    pid = child(8);
    T(waitid(P_ALL, 0, NULL, WEXITED));
    T(waitid(P_ALL, 0, NULL, 0));
    T(waitid(77, 0, NULL, WEXITED));
    T(waitid(P_ALL, 0, NULL, WEXITED | 1 << 20));
    sleeper(&pid);
    T(waitpid(pid, &status, WNOHANG));
    memset(&info, 7, sizeof info);
    T(waitid(P_PID, pid, &info, WEXITED | WNOHANG));
    T(info.si_pid);
    T(kill(pid, 0));
    T(kill(pid, SIGCHLD));
    T(kill(pid, SIGTERM));
    T(waitpid(pid, &status, 0) == pid);
    T(status);
    sleeper(&pid);
    T(kill(pid, SIGKILL));
    memset(&info, 0, sizeof info);
    T(waitid(P_PID, pid, &info, WEXITED));
    T(info.si_status);
    T(info.si_code);
    T(signal(SIGCHLD, SIG_IGN) == SIG_DFL);
    pid = child(9);
    T(waitpid(pid, &status, 0));
    T(signal(SIGCHLD, seen) == SIG_IGN);
    n_seen[SIGCHLD] = 0;
    pid = child(9);
    while (waitpid(pid, &status, 0) < 0)
        ;
    T(status);
    T(n_seen[SIGCHLD]);
    signal(SIGCHLD, SIG_DFL);
    fflush(stdout);
    if ((pid = fork()) == 0)
        _exit(getppid() == me && getpid() != me ? 1 : 2);
    T(wait(&status) == pid);
    T(status);
    /* what a child inherits: blocked signals and handlers */
    sigset_t s = set_of(SIGUSR1, 0), now;
    sigprocmask(SIG_SETMASK, &s, NULL);
    raise(SIGUSR1);
    fflush(stdout);
    if ((pid = fork()) == 0) {
        sigprocmask(SIG_BLOCK, NULL, &now);
        int blocked = sigismember(&now, SIGUSR1);
        sigpending(&now);
        _exit(2 * blocked + sigismember(&now, SIGUSR1));
    }
    T(wait(&status) == pid);
    T(status);
}

/* A wait with a set of its own: whatever ends it, the set from before is back. */
static void sets_of_waits(void) {
    int p[2], e = epoll_create1(0);
    char byte = 'x';
    struct epoll_event event = {.events = EPOLLIN};
    struct timespec none = {0, 0};
    sigset_t before = set_of(SIGUSR2, SIGTERM), during = set_of(SIGUSR2, 0), now;
    T(pipe(p));
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
    sigprocmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 6; i++) {
        struct pollfd one = {p[0], POLLIN, 0};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(p[0], &set);
        if (i == 3)
            T(write(p[1], &byte, 1));
        if (i % 3 == 0)
            T(ppoll(&one, 1, i < 3 ? &none : NULL, &during));
        if (i % 3 == 1)
            T(pselect(p[0] + 1, &set, NULL, NULL, i < 3 ? &none : NULL, &during));
        if (i % 3 == 2)
            T(epoll_pwait(e, &event, 1, i < 3 ? 0 : -1, &during));
        sigprocmask(SIG_BLOCK, NULL, &now);
        show_set(&now);
    }
    during = set_of(0, 0);
    sigprocmask(SIG_SETMASK, &during, NULL);
    T(close(p[0]) + close(p[1]) + close(e));
}

/* A signal that is there already, and that only the set of the wait lets in. */
static int n_let_in;
static void let_in(int signal) {
    (void)signal;
    n_let_in++;
}
static void let_in_by_waits(void) {
    int p[2], e = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    struct timespec none = {0, 0};
    sigset_t before = set_of(SIGUSR2, 0), nothing = set_of(0, 0), now;
    T(pipe(p));
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event));
    signal(SIGUSR2, let_in);
    sigprocmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 6; i++) {
        struct pollfd one = {p[0], POLLIN, 0};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(p[0], &set);
        raise(SIGUSR2);
        T(n_let_in);
        if (i % 3 == 0)
            T(ppoll(&one, 1, i < 3 ? &none : NULL, &nothing));
        if (i % 3 == 1)
            T(pselect(p[0] + 1, &set, NULL, NULL, i < 3 ? &none : NULL, &nothing));
        if (i % 3 == 2)
            T(epoll_pwait(e, &event, 1, i < 3 ? 0 : -1, &nothing));
        T(n_let_in);
        sigpending(&now);
        show_set(&now);
    }
    sigprocmask(SIG_SETMASK, &nothing, NULL);
    signal(SIGUSR2, SIG_DFL);
    T(close(p[0]) + close(p[1]) + close(e));
}

/* Waits for children that a handler ends, again and again; with SA_RESTART they go on.  The timer
 * goes off until it is stopped: it may do so before anybody waits. */
static void set_timer(int usec) {
    struct itimerval t = {{0, usec}, {0, usec}};
    setitimer(ITIMER_REAL, &t, NULL);
}
static int wait_by(int way, int pid) {
    int status;
    return way == 0   ? waitpid(pid, &status, 0)
           : way == 1 ? wait(&status)
           : way == 2 ? waitpid(-1, &status, 0)
                      : waitid(P_PID, pid, NULL, WEXITED);
}
static void interrupted(void) {
    int status = 0, pid, p[2];
    struct sigaction a = {.sa_handler = seen};
    sigaction(SIGALRM, &a, NULL);
    T(pipe(p));
    fflush(stdout);
    if ((pid = fork()) == 0) {
        char c;
        close(p[1]);
        _exit(read(p[0], &c, 1) ? 1 : 4);
    }
    for (int i = 0; i < 4; i++) {
        set_timer(20000);
        T(wait_by(i, pid));
        T(close(99)); /* for a reason of its own */
        set_timer(0);
    }
    set_timer(20000);
    T(pause());
    set_timer(0);
    T(close(p[1]));
    T(waitpid(pid, &status, 0) == pid);
    T(status);
    T(waitpid(pid, &status, 0));
    a.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &a, NULL);
    set_timer(20000);
    n_seen[SIGALRM] = 0;
    fflush(stdout);
    if ((pid = fork()) == 0) {
        struct timespec t = {0, 60000000};
        _exit(nanosleep(&t, NULL) ? 1 : 6);
    }
    T(waitpid(pid, &status, 0) == pid);
    set_timer(0);
    T(status);
    T(n_seen[SIGALRM] > 0);
}

int main(void) {
    handlers();
    blocking();
    alarms();
    sets_of_waits();
    let_in_by_waits();
    processes();
    interrupted();
    return 0;
}
