/* A waiter that does not look again after it woke up: right as long as nobody wakes up for nothing.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: --spurious
 * finding: assertion 1
 *
 * run: --spurious -DWHILE
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *wait(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef WHILE
    while (!ready)
#else
    if (!ready)
#endif
        pthread_cond_wait(&changed, &lock);
    assert(ready); // BUG assertion
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
