/* Coherence (CoRR): one variable, two writers of increasing numbers each, a reader that must not
 * see the numbers of one writer go back.
 *
 * paths: -DWRITES=1 -DREADS=2 -> 12
 * paths: -DWRITES=2 -DREADS=2 -> 90
 * paths: -DWRITES=3 -DREADS=4 -> 4200 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WRITES
#define WRITES 3
#endif
#ifndef READS
#define READS 4
#endif

static atomic_int x;

static void *write_odd(void *unused) {
    for (int i = 0; i < WRITES; i++)
        atomic_store(&x, 2 * i + 1);
    return unused;
}

static void *write_even(void *unused) {
    for (int i = 0; i < WRITES; i++)
        atomic_store(&x, 2 * i + 2);
    return unused;
}

static void *reader(void *unused) {
    int latest[2] = {0, 0}; /* even, odd */
    for (int i = 0; i < READS; i++) {
        int seen = atomic_load(&x);
        assert(seen == 0 || seen >= latest[seen % 2]);
        latest[seen % 2] = seen;
    }
    return unused;
}

int main(void) {
    void *(*const work[3])(void *) = {write_odd, write_even, reader};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
