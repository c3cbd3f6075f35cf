/* A counter under a mutex: the classes are the orders of the threads at the mutex.
 *
 * run: -DTHREADS=2
 * verdict: complete
 * paths: 2
 *
 * run: -DTHREADS=3
 * verdict: complete
 * paths: 6
 *
 * run: -DTHREADS=4 --por dpor
 * verdict: complete
 * paths: 24 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
