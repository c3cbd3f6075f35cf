/* Facts about signals and about waiting for children, which hold on Linux as they do here.
 *
 * -DROUNDS: two processes take turns with signals and sigsuspend.
 * -DREAP: children are counted by a handler of SIGCHLD.
 *
 * run:
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 *
 * run: -DROUNDS
 * verdict: complete
 * executions: 24
 *
 * run: -DREAP
 * verdict: complete
 * executions: 20
 *
 * run: -DREAP --por none
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t n_calls, last, left;

static void note(int signal) {
    n_calls++;
    last = signal;
}

static void reap(int signal) {
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        left--;
}

static void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_flags = flags};
    action.sa_handler = handler;
    sigaction(signal, &action, NULL);
}

static sigset_t only(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    return set;
}

static void check_raising(void) {
    struct sigaction old;
    sigset_t usr1 = only(SIGUSR1), found;
    assert(signal(SIGUSR1, note) == SIG_DFL);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == note);
    assert(raise(SIGUSR1) == 0 && n_calls == 1 && last == SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    assert(kill(getpid(), SIGUSR1) == 0 && n_calls == 1);
    assert(sigpending(&found) == 0 && sigismember(&found, SIGUSR1));
    sigprocmask(SIG_UNBLOCK, &usr1, NULL);
    assert(n_calls == 2);
    signal(SIGUSR1, SIG_IGN);
    assert(raise(SIGUSR1) == 0 && n_calls == 2);
    assert(sigaction(SIGKILL, &old, NULL) == -1 && errno == EINVAL);
    assert(kill(getpid(), 0) == 0 && kill(getpid(), 99) == -1 && errno == EINVAL);
}

static void check_alarms(void) {
    int ends[2];
    char c;
    assert(pipe(ends) == 0);
    handle(SIGALRM, note, 0);
    n_calls = 0;
    alarm(1);
    assert(read(ends[0], &c, 1) == -1 && errno == EINTR && n_calls == 1);
    struct itimerval soon = {.it_value = {0, 1000}};
    assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    assert(pause() == -1 && errno == EINTR && n_calls == 2);
    alarm(1);
    assert(sleep(10) >= 8 && n_calls == 3);
    alarm(100);
    assert(alarm(0) == 100);
    close(ends[0]);
    handle(SIGPIPE, note, 0);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && n_calls == 4 && last == SIGPIPE);
    close(ends[1]);
}

static void check_children(void) {
    int status;
    struct rusage usage;
    siginfo_t info;
    int child = fork();
    if (child == 0)
        _exit(3);
    assert(wait4(child, &status, 0, &usage) == child && WEXITSTATUS(status) == 3);
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    kill(child, SIGTERM);
    assert(waitid(P_PID, (unsigned)child, &info, WEXITED) == 0);
    assert(info.si_pid == child && info.si_code == CLD_KILLED && info.si_status == SIGTERM);
    child = fork();
    if (child == 0) {
        alarm(1); /* and nobody who handles it */
        handle(SIGALRM, SIG_DFL, 0);
        pause();
    }
    assert(wait3(&status, 0, NULL) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    assert(wait(NULL) == -1 && errno == ECHILD);
}

static void take_turns(void) {
    sigset_t usr1 = only(SIGUSR1), old;
    int status, child, parent = getpid();
    handle(SIGUSR1, note, 0);
    sigprocmask(SIG_BLOCK, &usr1, &old);
    child = fork();
    for (int i = 1; i <= 2; i++) {
        if (child)
            kill(child, SIGUSR1);
        while (n_calls < i)
            assert(sigsuspend(&old) == -1 && errno == EINTR);
        if (!child)
            kill(parent, SIGUSR1);
    }
    if (child == 0)
        exit(0);
    assert(waitpid(child, &status, 0) == child && status == 0);
}

static void count_children(void) {
    sigset_t chld = only(SIGCHLD), old;
    sigprocmask(SIG_BLOCK, &chld, &old);
    handle(SIGCHLD, reap, SA_RESTART);
    for (left = 0; left < 2; left++)
        if (fork() == 0)
            _exit(0);
    while (left > 0)
        sigsuspend(&old);
}

int main(void) {
#if defined ROUNDS
    take_turns();
#elif defined REAP
    count_children();
#else
    check_raising();
    check_alarms();
    check_children();
    (void)take_turns, (void)count_children;
#endif
    return 0;
}
