/* Write-to-read causality (WRC): who is told by somebody that saw a write sees it, too.
 *
 * Three threads; REPEATS of each operation.
 *
 * paths: -DREPEATS=1 -> 7
 * paths: -DREPEATS=2 -> 147 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef REPEATS
#define REPEATS 2
#endif

static atomic_int x, y;

static void *writer(void *unused) {
    for (int i = 1; i <= REPEATS; i++)
        atomic_store(&x, i);
    return unused;
}

static void *teller(void *unused) {
    for (int i = 0; i < REPEATS; i++) {
        int seen = atomic_load(&x);
        atomic_store(&y, seen);
    }
    return unused;
}

static void *listener(void *unused) {
    for (int i = 0; i < REPEATS; i++) {
        int told = atomic_load(&y);
        int seen = atomic_load(&x);
        assert(seen >= told);
    }
    return unused;
}

int main(void) {
    void *(*const work[3])(void *) = {writer, teller, listener};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
