/* Michael and Scott's queue on static nodes: ENQUEUERS threads enqueue one node each, DEQUEUERS
 * dequeue one each.
 *
 * A node is a number, 0 is none, 1 the first dummy; nodes are never reused.  Every operation gives
 * up after ATTEMPTS attempts.
 *
 * paths: -DENQUEUERS=2 -DDEQUEUERS=1 -> 188
 * paths: -DENQUEUERS=1 -DDEQUEUERS=2 -> 67
 * paths: -DENQUEUERS=2 -DDEQUEUERS=2 -> 11198
 * paths: -DENQUEUERS=3 -DDEQUEUERS=1 -> 113268 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef ENQUEUERS
#define ENQUEUERS 3
#endif
#ifndef DEQUEUERS
#define DEQUEUERS 1
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 4
#endif
enum { DUMMY = 1, NODES = ENQUEUERS + 2 };

static atomic_int head = DUMMY, tail = DUMMY;
static atomic_int next[NODES];
static int value[NODES];
static atomic_int taken[NODES]; /* how often */

static void *enqueue(void *number) {
    int node = (int)(intptr_t)number;
    value[node] = node;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int last = atomic_load(&tail);
        int after = atomic_load(&next[last]);
        if (last != atomic_load(&tail))
            continue;
        if (after == 0) {
            int none = 0;
            if (atomic_compare_exchange_strong(&next[last], &none, node)) {
                atomic_compare_exchange_strong(&tail, &last, node);
                return NULL;
            }
        } else {
            atomic_compare_exchange_strong(&tail, &last, after);
        }
    }
    return NULL;
}

static void *dequeue(void *unused) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int first = atomic_load(&head);
        int last = atomic_load(&tail);
        int after = atomic_load(&next[first]);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (after == 0)
                return unused;
            atomic_compare_exchange_strong(&tail, &last, after);
        } else {
            int element = value[after];
            if (atomic_compare_exchange_strong(&head, &first, after)) {
                assert(atomic_fetch_add(&taken[element], 1) == 0);
                return unused;
            }
        }
    }
    return unused;
}

int main(void) {
    pthread_t threads[ENQUEUERS + DEQUEUERS];
    for (intptr_t i = 0; i < ENQUEUERS; i++)
        pthread_create(&threads[i], NULL, enqueue, (void *)(i + 2));
    for (int i = 0; i < DEQUEUERS; i++)
        pthread_create(&threads[ENQUEUERS + i], NULL, dequeue, NULL);
    for (int i = 0; i < ENQUEUERS + DEQUEUERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
