/* Sets of signals of threads other than main, raise of what is no signal or has a handler, a blocked
 * SIGPIPE, timers: all answers are those of Linux.
 *
 * run:
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 * paths: 1 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static int n;

static void count(int signal) {
    n += signal;
}

static void *work(void *unused) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && sigismember(&old, SIGPIPE) == 1);
    assert(sigprocmask(SIG_BLOCK, NULL, &old) == 0 && sigismember(&old, SIGUSR2) == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set, old;
    struct sigaction a;
    assert(signal(SIGUSR1, count) == SIG_DFL && raise(SIGUSR1) == 0 && n == SIGUSR1);
    assert(raise(100) != 0 && errno == EINVAL && raise(-1) != 0);
    assert(sigaction(SIGKILL, NULL, &a) == 0 && sigaction(65, NULL, &a) == -1);
    assert(sigaddset(&set, 65) == -1 && errno == EINVAL);

    int ends[2];
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_BLOCK, &set, NULL);
    assert(pipe(ends) == 0 && close(ends[0]) == 0);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    assert(sigpending(&old) == 0 && sigismember(&old, SIGPIPE) == 1);

    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    sigprocmask(SIG_BLOCK, NULL, &old);
    assert(sigismember(&old, SIGPIPE) == 1 && sigismember(&old, SIGUSR2) == 0);

    struct itimerval bad = {{0, 0}, {2, 2000000}}, now;
    alarm(10);
    assert(alarm(3) == 10 && setitimer(ITIMER_REAL, &bad, NULL) == -1 && errno == EINVAL);
    assert(getitimer(ITIMER_REAL, &now) == 0 && now.it_value.tv_sec >= 2 && alarm(0) == 3);
    return 0;
}
