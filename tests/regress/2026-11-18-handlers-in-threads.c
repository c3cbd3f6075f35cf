/* A handler that a thread other than main had to run ended the execution, and what main blocks was taken by
 * nobody else.  The order of the handler and of what its thread does next is explored as for main: `x` is
 * 2, 10 or 11, for what comes at each place.
 *
 * run:
 * verdict: complete
 * paths: 12
 * label: handled
 * label: x2
 * label: x10
 * label: x11
 *
 * run: --por dpor
 * verdict: complete
 * paths: 12
 *
 * run: --por none
 * verdict: complete
 * paths: 12
 *
 * run: -DSHARED
 * verdict: complete
 * paths: 24
 * label: early
 * label: late
 * label: done
 * label: not-done
 *
 * run: -DSHARED --por none
 * verdict: complete
 * paths: 24
 *
 * run: -DREADS
 * verdict: complete
 * paths: 7
 * label: interrupted
 * label: read
 *
 * run: -DREADS --por dpor
 * verdict: complete
 * paths: 7
 *
 * run: -DREADS -DFLAGS=SA_RESTART
 * verdict: complete
 * no-label: interrupted
 * label: read
 *
 * run: -DSUSPENDS
 * verdict: complete
 * paths: 2
 * label: woken
 *
 * run: -DSUSPENDS -DJUMPS
 * verdict: complete
 * label: jumped
 * no-label: woken
 *
 * run: -DLOCKS
 * verdict: complete
 * finding: deadlock
 *
 * run: -DWAITING
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DWAITING --por none
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DSEVERAL
 * verdict: incomplete
 * reason: of several threads that could take a signal
 * label: first */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static sigset_t set;
static pthread_t threads[2];
static atomic_int n;
static _Thread_local int own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, ends[2];
static _Thread_local sigjmp_buf back;

static void handle(int number) {
    (void)number;
    n++;
    own = 1;
    x = 10;
#ifdef JUMPS
    siglongjmp(back, 1);
#elif defined LOCKS
    pthread_mutex_lock(&lock); // BUG deadlock
    pthread_mutex_unlock(&lock);
#endif
}

#if defined SHARED
static void *work(void *unused) {
    heddle_reach(n ? "early" : "late");
    return unused;
}
#elif defined READS
static void *work(void *unused) {
    char c;
    ssize_t got = read(ends[0], &c, 1);
    heddle_assert(n);
    heddle_assert(got == 1 || (got == -1 && errno == EINTR));
    heddle_reach(got == 1 ? "read" : "interrupted");
    return unused;
}
#elif defined SUSPENDS
static void *work(void *unused) {
    sigset_t none;
    sigemptyset(&none);
    if (sigsetjmp(back, 1)) {
        heddle_reach("jumped");
        return unused;
    }
    while (!own)
        sigsuspend(&none);
    heddle_reach("woken");
    return unused;
}
#elif defined LOCKS
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
#elif defined WAITING
static void *work(void *which) {
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    if (own)
        heddle_reach(which ? "second" : "first");
    return which;
}
#elif defined SEVERAL
static void *work(void *which) {
    while (!n)
        sched_yield();
    if (own)
        heddle_reach(which ? "second" : "first");
    return which;
}
#else
static void *work(void *unused) {
    x = 1;
    int old = x;
    x = old + 1;
    if (own)
        heddle_reach("handled");
    heddle_reach(x == 2 ? "x2" : x == 10 ? "x10" : x == 11 ? "x11" : "other");
    return unused;
}
#endif

int main(void) {
    struct sigaction a = {.sa_handler = handle, .sa_flags = FLAGS};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaction(SIGUSR1, &a, NULL);
    pipe(ends);
#if defined WAITING || defined SUSPENDS
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
#ifdef WAITING
    kill(getpid(), SIGUSR1);
#endif
    pthread_create(&threads[0], NULL, work, NULL);
#if defined WAITING || defined SEVERAL
    pthread_create(&threads[1], NULL, work, &n);
#endif
#if defined SHARED || defined SEVERAL
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
#elif !defined WAITING
    pthread_kill(threads[0], SIGUSR1);
#endif
#ifdef READS
    write(ends[1], "x", 1);
#endif
    pthread_join(threads[0], NULL);
#if defined WAITING || defined SEVERAL
    pthread_join(threads[1], NULL);
    heddle_assert(n == 1);
#elif defined SHARED
    heddle_reach(n ? "done" : "not-done");
#endif
    return 0;
}
