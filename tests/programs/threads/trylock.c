/* A thread that fails to lock does something else: a failed attempt is a read of the mutex, and
 * falls between the lock and the unlock of somebody.
 *
 * run: -DTHREADS=2
 * verdict: complete
 * paths: 4
 * label: failed
 *
 * run: -DTHREADS=3
 * verdict: complete
 * paths: 21
 *
 * run: -DTHREADS=3 --por dpor
 * verdict: complete
 * paths: 21
 *
 * run: -DTHREADS=2 -DTIMED
 * verdict: complete
 * paths: 4
 * label: failed */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <time.h>
#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int attempt(void) {
#ifdef TIMED
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    return pthread_mutex_timedlock(&lock, &limit);
#else
    return pthread_mutex_trylock(&lock);
#endif
}

static void *work(void *unused) {
    int result = attempt();
    if (result == 0) {
        done++;
        pthread_mutex_unlock(&lock);
    } else {
#ifdef TIMED
        heddle_assert(result == ETIMEDOUT);
#else
        heddle_assert(result == EBUSY);
#endif
        heddle_reach("failed");
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(done >= 1 && done <= THREADS);
    return 0;
}
