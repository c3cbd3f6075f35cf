/* Sequence lock: a writer makes the sequence odd, writes two words, makes it even again, WRITES
 * times; READERS threads read both words and keep them only if the sequence was even and did not
 * change, at most ATTEMPTS times.
 *
 * With -DBROKEN the readers do not look at the sequence again.
 *
 * paths: -DREADERS=1 -DWRITES=1 -DATTEMPTS=1 -> 11
 * paths: -DREADERS=1 -DWRITES=1 -DATTEMPTS=2 -> 16
 * paths: -DREADERS=2 -DWRITES=1 -DATTEMPTS=1 -> 121
 * paths: -DREADERS=2 -DWRITES=2 -DATTEMPTS=1 -> 1369
 *
 * run: -DBROKEN
 * verdict: complete
 * finding: assertion 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITES
#define WRITES 1
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 1
#endif

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused) {
    for (int i = 1; i <= WRITES; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&low, i);
        atomic_store(&high, i);
        atomic_fetch_add(&sequence, 1);
    }
    return unused;
}

static void *reader(void *unused) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        unsigned before = atomic_load(&sequence);
        if (before % 2 != 0)
            continue;
        int l = atomic_load(&low);
        int h = atomic_load(&high);
#ifndef BROKEN
        if (atomic_load(&sequence) != before)
            continue;
#endif
        assert(l == h); // BUG assertion
        return unused;
    }
    return unused;
}

int main(void) {
    pthread_t write, read[READERS];
    pthread_create(&write, NULL, writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&read[i], NULL, reader, NULL);
    pthread_join(write, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(read[i], NULL);
    return 0;
}
