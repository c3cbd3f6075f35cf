/* Peterson's mutual exclusion of two threads, ROUNDS times each.
 *
 * The waiting loop has no side effects, so the search ends.  With -DBROKEN a thread gives way
 * before it says that it wants to enter, and both may be inside.
 *
 * run: -DROUNDS=1
 * verdict: complete
 *
 * run: -DROUNDS=2
 * verdict: complete
 *
 * run: -DROUNDS=1 -DBROKEN
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int wants[2], turn;
static atomic_int inside;

static void enter(int self) {
    int other = 1 - self;
#ifdef BROKEN
    atomic_store(&turn, other);
    atomic_store(&wants[self], 1);
#else
    atomic_store(&wants[self], 1);
    atomic_store(&turn, other);
#endif
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
}

static void leave(int self) {
    atomic_store(&wants[self], 0);
}

static void *work(void *number) {
    int self = (int)(intptr_t)number;
    for (int i = 0; i < ROUNDS; i++) {
        enter(self);
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        leave(self);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
