/* A waiting loop that also counts, somewhere where no other thread looks, is no waiting loop: each
 * round is different, and giving up is one of the things that happen.
 *
 * run: -DWHERE=1
 * verdict: complete
 * paths: 4
 * finding: assertion
 *
 * run: -DWHERE=2
 * verdict: complete
 * paths: 4
 * finding: assertion
 *
 * run: -DWHERE=3
 * verdict: complete
 * paths: 4
 * finding: assertion
 *
 * run: -DWHERE=4
 * verdict: complete
 * paths: 4
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef WHERE
#define WHERE 1
#endif

static atomic_int ready;

static void *work(void *unused) {
    atomic_store(&ready, 1);
    return unused;
}

__attribute__((noinline)) static bool gives_up(int *rounds) {
    return ++*rounds == 3;
}

int main(void) {
#if WHERE == 1 /* thread-local */
    static _Thread_local int counter;
    int *rounds = &counter;
#elif WHERE == 2 /* global */
    static int counter;
    int *rounds = &counter;
#elif WHERE == 3 /* in an array on the stack */
    int counter[4] = {0};
    int *rounds = &counter[1];
#else            /* on the heap */
    int *rounds = calloc(1, sizeof *rounds);
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!atomic_load(&ready) && !gives_up(rounds)) {
    }
    assert(*rounds != 3); // BUG assertion
    pthread_join(thread, NULL);
#if WHERE == 4
    free(rounds);
#endif
    return 0;
}
