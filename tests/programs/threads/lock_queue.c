/* Queue locks: MCS (a waiter spins on its own node) and CLH (on its predecessor's, which it frees).
 * With -DBROKEN the MCS unlock does not look whether somebody is queueing up: a waiter is left
 * alone.
 *
 * run: -DMCS
 * verdict: complete
 *
 * run: -DCLH
 * verdict: complete
 *
 * run: -DMCS -DBROKEN
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3 };

typedef struct node {
    _Atomic(struct node *) next;
    atomic_bool is_waiting;
} node;

static int counter;

#ifdef MCS
static _Atomic(node *) tail;

static void lock(node *mine) {
    atomic_store(&mine->next, NULL);
    atomic_store(&mine->is_waiting, 1);
    node *before = atomic_exchange(&tail, mine);
    if (!before)
        return;
    atomic_store(&before->next, mine);
    while (atomic_load(&mine->is_waiting)) {
    }
}

static void unlock(node *mine) {
    node *after = atomic_load(&mine->next);
    if (!after) {
        node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
#ifdef BROKEN
        return;
#endif
        while (!(after = atomic_load(&mine->next))) {
        }
    }
    atomic_store(&after->is_waiting, 0);
}

static void *work(void *mine) {
    lock(mine);
    counter++;
    unlock(mine);
    return mine;
}
#else
static node first;
static _Atomic(node *) tail = &first;

static void *work(void *unused) {
    node *mine = malloc(sizeof *mine);
    atomic_store(&mine->is_waiting, 1);
    node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->is_waiting)) {
    }
    if (before != &first)
        free(before);
    counter++;
    atomic_store(&mine->is_waiting, 0);
    return unused;
}
#endif

int main(void) {
    static node nodes[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &nodes[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
#ifdef CLH
    free(atomic_load(&tail));
#endif
    return 0;
}
