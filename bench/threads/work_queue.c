/* Work queue: WORKERS threads take jobs from a common list under a lock until none is left, and
 * each adds what it did to a common result under another lock.
 *
 * paths: -DWORKERS=2 -DJOBS=2 -> 12
 * paths: -DWORKERS=2 -DJOBS=3 -> 36
 * paths: -DWORKERS=3 -DJOBS=2 -> 90
 * paths: -DWORKERS=2 -DJOBS=4 -> 108 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 4
#endif

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t result_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, result;

/* The number of a job nobody has, or JOBS. */
static int take(void) {
    pthread_mutex_lock(&queue_lock);
    int job = next_job < JOBS ? next_job++ : JOBS;
    pthread_mutex_unlock(&queue_lock);
    return job;
}

static void *work(void *unused) {
    for (int job = take(); job < JOBS; job = take()) {
        pthread_mutex_lock(&result_lock);
        result += 1 << job;
        pthread_mutex_unlock(&result_lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(result == (1 << JOBS) - 1);
    return 0;
}
