/* Two signals come while the main thread joins: either lets it go and run its handler, and it was taken for
 * certain that the join needs each of them.  That the second comes after the first has interrupted the join,
 * while its handler runs (so that the other thread takes it), was never run: "complete", without the
 * label "thread", which `--por none` reached.
 *
 * run:
 * verdict: complete
 * paths: 13
 * label: main
 * label: thread
 * label: one
 * label: two
 *
 * run: --por dpor
 * verdict: complete
 * paths: 13
 *
 * run: --por flip
 * verdict: complete
 * paths: 13
 *
 * run: --por none
 * verdict: complete
 * paths: 13
 * label: thread */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_t main_thread;
static atomic_int n;

static void handle(int number) {
    (void)number;
    heddle_reach(pthread_equal(pthread_self(), main_thread) ? "main" : "thread");
    n++;
}

static void *sends(void *unused) {
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    main_thread = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, sends, NULL);
    pthread_join(thread, NULL);
    heddle_reach(n == 1 ? "one" : n == 2 ? "two" : "other");
    return 0;
}
