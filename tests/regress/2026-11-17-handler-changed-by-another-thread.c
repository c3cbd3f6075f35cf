/* A thread raises a signal whose handler another thread changes: either handler may run.  raise was
 * no event, and the run was called complete.
 *
 * run:
 * verdict: complete
 * label: first
 * label: second
 * paths: 2
 *
 * run: --por none
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DKILL
 * label: first
 * label: second */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t handled_by;

static void first(int signal) {
    (void)signal;
    handled_by = 1;
}

static void second(int signal) {
    (void)signal;
    handled_by = 2;
}

static void *work(void *unused) {
    signal(SIGUSR1, second);
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, first);
    pthread_create(&thread, NULL, work, NULL);
#ifdef KILL
    kill(getpid(), SIGUSR1);
#else
    raise(SIGUSR1);
#endif
    heddle_reach(handled_by == 1 ? "first" : "second");
    pthread_join(thread, NULL);
    return 0;
}
