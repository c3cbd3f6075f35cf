/* Treiber's stack on static nodes: PUSHERS threads push one node each, POPPERS pop one each.
 *
 * A node is a number, 0 is none.  Every operation gives up after ATTEMPTS attempts.
 *
 * paths: -DPUSHERS=2 -DPOPPERS=1 -> 22
 * paths: -DPUSHERS=2 -DPOPPERS=2 -> 220
 * paths: -DPUSHERS=3 -DPOPPERS=1 -> 1002
 * paths: -DPUSHERS=3 -DPOPPERS=2 -> 33600 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef PUSHERS
#define PUSHERS 3
#endif
#ifndef POPPERS
#define POPPERS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif

static atomic_int top;
static atomic_int next[PUSHERS + 1];
static atomic_int popped[PUSHERS + 1]; /* how often */

static void *push(void *number) {
    int node = (int)(intptr_t)number;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int old = atomic_load(&top);
        atomic_store(&next[node], old);
        if (atomic_compare_exchange_strong(&top, &old, node))
            return NULL;
    }
    return NULL;
}

static void *pop(void *unused) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int node = atomic_load(&top);
        if (node == 0)
            return unused;
        int below = atomic_load(&next[node]);
        int expected = node;
        if (atomic_compare_exchange_strong(&top, &expected, below)) {
            assert(atomic_fetch_add(&popped[node], 1) == 0);
            return unused;
        }
    }
    return unused;
}

int main(void) {
    pthread_t threads[PUSHERS + POPPERS];
    for (intptr_t i = 0; i < PUSHERS; i++)
        pthread_create(&threads[i], NULL, push, (void *)(i + 1));
    for (int i = 0; i < POPPERS; i++)
        pthread_create(&threads[PUSHERS + i], NULL, pop, NULL);
    for (int i = 0; i < PUSHERS + POPPERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
