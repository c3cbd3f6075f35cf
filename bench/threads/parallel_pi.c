/* Parallel pi (paper 001, Table 1): each worker integrates its share of 4 / (1 + x^2) and adds it
 * to a common sum under a lock.
 *
 * The classes are the orders of the workers at the lock: WORKERS!.
 *
 * paths: -DWORKERS=3 -> 6
 * paths: -DWORKERS=4 -> 24
 * paths: -DWORKERS=5 -> 120
 * paths: -DWORKERS=6 -> 720
 * paths: -DWORKERS=7 -> 5040 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#ifndef WORKERS
#define WORKERS 5
#endif
enum { INTERVALS = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void *work(void *number) {
    double local = 0;
    for (int i = (int)(intptr_t)number; i < INTERVALS; i += WORKERS) {
        double x = (i + 0.5) / INTERVALS;
        local += 4 / (1 + x * x) / INTERVALS;
    }
    pthread_mutex_lock(&lock);
    sum += local;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (intptr_t i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(sum > 3.1415 && sum < 3.1417);
    return 0;
}
