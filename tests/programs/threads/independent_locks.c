/* Operations on different mutexes commute: one class for any number of threads.
 *
 * run: -DTHREADS=2
 * verdict: complete
 * paths: 1
 *
 * run: -DTHREADS=5
 * verdict: complete
 * paths: 1 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t locks[THREADS];
static int counters[THREADS];

static void *work(void *number) {
    intptr_t i = (intptr_t)number;
    pthread_mutex_lock(&locks[i]);
    counters[i]++;
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
