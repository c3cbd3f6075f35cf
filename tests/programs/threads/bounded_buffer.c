/* Bounded buffer (paper 002, Table VII): one condition variable for two reasons to wait, and a
 * signal that wakes one waiter, who may wait for the other reason.  Nine threads with the default
 * sizes.
 *
 * It takes one producer and two consumers; -DFIXED wakes all.  The fixed variant of nine
 * threads has too many classes to run them all: sampled.
 *
 * run: -DPRODUCERS=1 -DCONSUMERS=2
 * finding: deadlock
 *
 * run: --schedule random --samples 300
 * verdict: incomplete
 * finding: deadlock
 *
 * run: -DPRODUCERS=1 -DCONSUMERS=2 -DFIXED
 * verdict: complete
 * exit: 0
 *
 * run: -DFIXED --schedule random --samples 300
 * verdict: incomplete */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef PRODUCERS
#define PRODUCERS 4
#endif
#ifndef CONSUMERS
#define CONSUMERS 4
#endif
enum { CAPACITY = 1, ITEMS = PRODUCERS * CONSUMERS };

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int used;

static void wake(void) {
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS / PRODUCERS; i++) {
        pthread_mutex_lock(&monitor);
        while (used == CAPACITY)
            pthread_cond_wait(&changed, &monitor);
        used++;
        wake();
        pthread_mutex_unlock(&monitor);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < ITEMS / CONSUMERS; i++) {
        pthread_mutex_lock(&monitor);
        while (used == 0)
            pthread_cond_wait(&changed, &monitor);
        used--;
        wake();
        pthread_mutex_unlock(&monitor);
    }
    return unused;
}

int main(void) {
    pthread_t threads[PRODUCERS + CONSUMERS];
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&threads[i], NULL, i < PRODUCERS ? produce : consume, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    assert(used == 0);
    return 0;
}
