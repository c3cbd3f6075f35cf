/* Read-modify-writes: three threads, each adds to one counter and exchanges a second.
 *
 * REPEATS of both by each thread.  Nothing commutes but operations on different variables.
 *
 * paths: -DREPEATS=1 -> 36
 * paths: -DREPEATS=2 -> 3606 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef REPEATS
#define REPEATS 2
#endif
enum { THREADS = 3 };

static atomic_int counter, last;

static void *work(void *number) {
    for (int i = 0; i < REPEATS; i++) {
        atomic_fetch_add(&counter, 1);
        atomic_exchange(&last, (int)(intptr_t)number + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS * REPEATS);
    assert(last != 0);
    return 0;
}
