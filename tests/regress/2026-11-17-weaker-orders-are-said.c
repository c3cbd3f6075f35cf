/* Atomic operations with weaker orders than memory_order_seq_cst are run as if they had that, and nothing
 * said so where it mattered: a relaxed flag that is seen before its data is "complete, nothing was found".
 *
 * run:
 * verdict: complete
 * warning: memory_order_seq_cst is what runs at
 * warning: weaker-orders-are-said.c:28: what else the weaker order there allows is not shown
 *
 * run: -DEXCHANGE
 * verdict: complete
 * warning: weaker-orders-are-said.c:24: what */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *give(void *unused) {
    data = 1;
#ifdef EXCHANGE
    int old = 0;
    atomic_compare_exchange_strong_explicit( //
        &flag, &old, 1, memory_order_acq_rel, memory_order_relaxed);
    return unused;
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, give, NULL);
    if (atomic_load(&flag))
        assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
