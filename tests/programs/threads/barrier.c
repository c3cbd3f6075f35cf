/* Threads write their own slot, meet at a barrier and read all slots, ROUNDS times: what they do
 * between two meetings commutes, so there is one class.
 *
 * run: -DTHREADS=2 -DROUNDS=1
 * verdict: complete
 * paths: 1
 *
 * run: -DTHREADS=3 -DROUNDS=2
 * verdict: complete
 * paths: 1
 *
 * run: -DTHREADS=2 -DROUNDS=1 -DNO_BARRIER
 * verdict: complete
 * finding: data-race
 *
 * run: -DTHREADS=2 -DROUNDS=1 -DTOO_MANY
 * verdict: complete
 * finding: deadlock */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t barrier;
static int slot[THREADS], sums[THREADS];

static void meet(void) {
#ifndef NO_BARRIER
    pthread_barrier_wait(&barrier); // BUG deadlock
#endif
}

static void *work(void *number) {
    intptr_t self = (intptr_t)number;
    for (int round = 0; round < ROUNDS; round++) {
        slot[self] = round + 1; // BUG data-race
        meet();
        sums[self] = 0;
        for (int i = 0; i < THREADS; i++)
            sums[self] += slot[i]; // BUG data-race
        meet();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
#ifdef TOO_MANY
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
#else
    pthread_barrier_init(&barrier, NULL, THREADS);
#endif
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL); // BUG deadlock
    pthread_barrier_destroy(&barrier);
    return 0;
}
