/* A loop that waits for one of two places, of which one holds what it waits for only for a moment:
 * the loop ends by either, in every reduction.  Iterations in vain are left out: without them the
 * same happens (src/explore/orders/reduce.c).  By hand: `a` is read after it is 0, or before, and then `b`
 * between its writes: 2; `b` before or after them leads round.
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 * label: by-a
 * label: by-b
 *
 * run: --por flip
 * verdict: complete
 * paths: 2
 * label: by-a
 * label: by-b
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * label: by-a
 * label: by-b
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: by-a
 * label: by-b */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a = 1, b = 1;

static void *waiter(void *unused) {
    int seen;
    while ((seen = a) && b)
        ;
    heddle_reach(seen ? "by-b" : "by-a");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    b = 0;
    b = 1;
    a = 0;
    pthread_join(thread, NULL);
    return 0;
}
