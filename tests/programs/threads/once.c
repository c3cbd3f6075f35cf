/* Something that is done once: which thread does it is the only thing that matters.
 *
 * run: -DTHREADS=2
 * verdict: complete
 * paths: 2
 *
 * run: -DTHREADS=3
 * verdict: complete
 * paths: 3 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef THREADS
#define THREADS 2
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) {
    initialised++;
}

static void *work(void *unused) {
    pthread_once(&once, initialise);
    assert(initialised == 1);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
