/* Readers and a writer with a rwlock: readers commute, so each is before or after the writer.
 *
 * run: -DREADERS=1
 * verdict: complete
 * paths: 2
 *
 * run: -DREADERS=2
 * verdict: complete
 * paths: 4
 *
 * run: -DREADERS=4
 * verdict: complete
 * paths: 16
 *
 * run: -DREADERS=1 -DNO_READ_LOCK
 * verdict: complete
 * finding: data-race */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef READERS
#define READERS 2
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *read_both(void *unused) {
#ifndef NO_READ_LOCK
    pthread_rwlock_rdlock(&lock);
    assert(low == high);
    pthread_rwlock_unlock(&lock);
#else
    int seen = low; // BUG data-race
    (void)*(volatile int *)&seen;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, read_both, NULL);
    pthread_rwlock_wrlock(&lock);
    low = 1; // BUG data-race
    high = 1;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
