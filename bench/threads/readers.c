/* Readers: one thread writes x, READERS threads read it once each.
 *
 * Reads commute, so a class says for each reader whether it came before or after the write:
 * 2^READERS.  A reduction that does not know that reads commute needs (READERS + 1)! executions.
 *
 * paths: -DREADERS=2 -> 4
 * paths: -DREADERS=4 -> 16
 * paths: -DREADERS=8 -> 256
 * paths: -DREADERS=12 -> 4096
 * paths: -DREADERS=16 -> 65536 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef READERS
#define READERS 12
#endif

static atomic_int x;

static void *writer(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *unused) {
    int seen = atomic_load(&x);
    assert(seen == 0 || seen == 1);
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
