/* A thread that sends a signal to its own process ran the handler itself, at once.  Linux lets the main thread
 * take it, at any time from then on, and while it joins; only what main blocks runs in the sender.
 *
 * run: -DWAY=1
 * verdict: complete
 * label: before_join
 * label: worker_sees_it
 * label: worker_does_not_see_it
 *
 * run: -DWAY=1 --por none
 * verdict: complete
 * label: before_join
 * label: worker_sees_it
 * label: worker_does_not_see_it
 *
 * run: -DWAY=2
 * verdict: complete
 * paths: 1
 * label: worker_sees_it
 *
 * run: -DWAY=3
 * verdict: complete
 * finding: signal
 *
 * run: -DWAY=4
 * verdict: complete
 * label: before_join
 * label: worker_sees_it
 * label: worker_does_not_see_it */
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_t main_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n;

static void handle(int number) {
    (void)number;
    heddle_assert(!pthread_equal(pthread_self(), main_thread) == (WAY == 2));
#if WAY == 4
    pthread_mutex_lock(&lock); /* not for ever: it is not the holder who runs this */
    pthread_mutex_unlock(&lock);
#endif
    n++;
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    kill(getpid(), SIGUSR1);
    pthread_mutex_unlock(&lock);
    heddle_reach(n ? "worker_sees_it" : "worker_does_not_see_it");
    return unused;
}

int main(void) {
    pthread_t t;
    sigset_t set;
    main_thread = pthread_self();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (WAY != 3)
        signal(SIGUSR1, handle);
    if (WAY == 2)
        pthread_mutex_lock(&lock); /* the worker has an empty set, and waits */
    pthread_create(&t, NULL, work, NULL);
    if (WAY == 2) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_mutex_unlock(&lock);
    }
    if (WAY != 2 && n)
        heddle_reach("before_join");
    pthread_join(t, NULL);
    heddle_assert(n == 1);
    return 0;
}
