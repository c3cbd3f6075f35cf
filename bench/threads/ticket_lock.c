/* Ticket lock: a thread draws a number and waits until it is served, ROUNDS times.
 *
 * The waiting loop has no side effects, so the search ends.  With -DBROKEN numbers are drawn by a
 * read and a write, and two threads may hold the lock, or one waits for a number that is never
 * served.
 *
 * run: -DTHREADS=2
 * verdict: complete
 *
 * run: -DTHREADS=3
 * verdict: complete
 *
 * run: -DTHREADS=2 -DROUNDS=2
 * verdict: complete
 *
 * run: -DTHREADS=2 -DBROKEN
 * finding: assertion
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_uint next_ticket, now_serving;
static atomic_int holders;

static unsigned draw(void) {
#ifdef BROKEN
    unsigned ticket = atomic_load(&next_ticket);
    atomic_store(&next_ticket, ticket + 1);
    return ticket;
#else
    return atomic_fetch_add(&next_ticket, 1);
#endif
}

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        unsigned ticket = draw();
        while (atomic_load(&now_serving) != ticket) {
        }
        assert(atomic_fetch_add(&holders, 1) == 0);
        atomic_fetch_sub(&holders, 1);
        atomic_fetch_add(&now_serving, 1);
    }
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
