/* sigwait and pthread_kill ended the execution.  They are what daemons with threads use: all block the
 * signals, and one thread takes them.
 *
 * run:
 * verdict: complete
 * paths: 7
 * label: both
 * no-label: left
 *
 * run: --por none
 * verdict: complete
 * paths: 7
 *
 * run: -DTWICE
 * verdict: complete
 * paths: 7
 * finding: deadlock
 * says: waits for a signal
 * label: both
 *
 * run: -DTWICE --por none
 * verdict: complete
 * paths: 7
 * finding: deadlock
 *
 * run: -DTO_ONE
 * verdict: complete
 * label: both
 *
 * run: -DFATAL
 * verdict: complete
 * paths: 2
 * finding: signal
 * label: too-late
 *
 * run: -DFATAL --por none
 * verdict: complete
 * paths: 2
 * finding: signal
 * label: too-late
 *
 * run: -DHANDLED
 * verdict: complete
 * paths: 4
 *
 * run: -DTIMED
 * verdict: incomplete
 * label: in-time
 * reason: time limits pass only when nothing else can happen
 *
 * run: -DTIMED --timeouts any
 * verdict: complete
 * label: in-time
 * label: late */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void *takes(void *unused) {
    int first = 0, second = 0;
    sigwait(&set, &first);
    sigwait(&set, &second);
    heddle_assert(first == SIGUSR1);
    heddle_reach("both");
    return unused;
}

static void *ends(void *unused) {
    return unused;
}

static void *sends(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}

static void handle(int number) {
    (void)number;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    (void)takes, (void)ends, (void)sends, (void)handle;
#ifdef FATAL
    pthread_create(&thread, NULL, ends, NULL);
    pthread_kill(thread, SIGTERM);
    heddle_reach("too-late");
#elif defined HANDLED
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, ends, NULL);
    pthread_kill(thread, SIGUSR1);
#elif defined TIMED
    struct timespec limit = {0, 1000};
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sends, NULL);
    heddle_reach(sigtimedwait(&set, NULL, &limit) == SIGUSR1 ? "in-time" : "late");
#else
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, takes, NULL);
#ifdef TO_ONE
    pthread_kill(thread, SIGUSR1);
    kill(getpid(), SIGTERM);
#elif defined TWICE
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
#else
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGTERM);
#endif
#endif
    pthread_join(thread, NULL);
#if !defined FATAL && !defined HANDLED && !defined TIMED
    sigset_t left;
    sigpending(&left);
    if (sigismember(&left, SIGUSR1) || sigismember(&left, SIGTERM))
        heddle_reach("left");
#endif
    return 0;
}
