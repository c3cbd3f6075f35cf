/* A loop that waits for one of two places, of which one holds what it waits for only for a moment:
 * the loop ends by either, in every reduction.  Iterations in vain make classes with `none` only:
 * without them the same happens (src/explore/waiting.c).  By hand: `a` is read after it is 0, or
 * before, and then `b` before, between or after its writes: 4; with `none` a loop that read `b`
 * before both may wake between them, and then read three different things: 7.
 *
 * run: --por none
 * verdict: complete
 * paths: 7
 * label: by-a
 * label: by-b
 *
 * run: --por flip
 * verdict: complete
 * label: by-a
 * label: by-b
 *
 * run: --por dpor
 * verdict: complete
 * paths: 4
 * label: by-a
 * label: by-b
 *
 * run:
 * verdict: complete
 * paths: 4
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
