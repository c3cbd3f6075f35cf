/* A wait with a deadline that moves on in each round: an execution left the path that was predicted
 * for it.  Now only the bound on timeouts is said.  The paths: the other thread is first; it signals; it
 * signals in the second wait; it does so after the first wait was late, and before that has the lock.
 *
 * run:
 * verdict: incomplete
 * paths: 4
 * executions: 4
 * reason: times out at most
 * exit: 3 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec++;
        pthread_cond_timedwait(&changed, &lock, &deadline);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(ready);
    return 0;
}
