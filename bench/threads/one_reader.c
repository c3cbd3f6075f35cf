/* One reader, many writers that have nothing to do with each other: WRITERS threads write a word of
 * their own each, and one thread reads the first READ of them.
 *
 * Each word that is read is read before or after its write, whatever the others do: 2^READ.  What
 * an execution costs beyond its events shows as WRITERS grows.
 *
 * paths: -DWRITERS=2 -DREAD=2 -> 4
 * paths: -DWRITERS=8 -DREAD=8 -> 256
 * paths: -DWRITERS=32 -DREAD=10 -> 1024
 * paths: -DWRITERS=128 -DREAD=10 -> 1024 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#ifndef WRITERS
#define WRITERS 8
#endif
#ifndef READ
#define READ WRITERS
#endif

static atomic_int word[WRITERS];

static void *writer(void *number) {
    atomic_store(&word[(intptr_t)number], 1);
    return NULL;
}

static void *reader(void *unused) {
    for (int i = 0; i < READ; i++)
        (void)atomic_load(&word[i]);
    return unused;
}

int main(void) {
    pthread_t read, write[WRITERS];
    pthread_create(&read, NULL, reader, NULL);
    for (intptr_t i = 0; i < WRITERS; i++)
        pthread_create(&write[i], NULL, writer, (void *)i);
    pthread_join(read, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(write[i], NULL);
    return 0;
}
