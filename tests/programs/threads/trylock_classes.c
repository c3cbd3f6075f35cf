/* Three threads try to get a lock once.  All succeed: 3! orders.  One fails: it is one of 3, the
 * others come in 2 orders, and it fails while either has the lock: 12.  Two fail: one of 3 has the
 * lock, and the two count their failures in 2 orders: 6.
 *
 * run:
 * verdict: complete
 * paths: 24
 *
 * run: --por dpor
 * verdict: complete
 * paths: 24 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int failures;

static void *work(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    else
        atomic_fetch_add(&failures, 1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&failures) < THREADS);
    return 0;
}
