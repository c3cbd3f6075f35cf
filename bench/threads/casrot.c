/* Turning a word: each of THREADS threads tries once to replace the number of the one before it by
 * its own, which works only if that one came just before.
 *
 * Threads that fail only read, so a class says who succeeded, and between which of these each of
 * the others looked.
 *
 * paths: -DTHREADS=2 -> 2
 * paths: -DTHREADS=3 -> 5
 * paths: -DTHREADS=5 -> 43
 * paths: -DTHREADS=7 -> 523 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 7
#endif

static atomic_int turn;

static void *turn_on(void *number) {
    int mine = (int)(intptr_t)number, before = mine - 1;
    atomic_compare_exchange_strong(&turn, &before, mine);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, turn_on, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
