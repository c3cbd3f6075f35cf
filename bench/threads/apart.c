/* Accesses that race with nothing: two threads count in variables of their own, which other threads
 * could see, and then write a common one a few times.  What an event costs that has no part in any
 * race, repeated or new: nearly all events are such.
 *
 * RACES writes of each thread to one place: as many classes as orders of them.
 *
 * paths: -DCOUNT=300 -DRACES=5 -> 252
 * paths: -DCOUNT=10 -DRACES=3 -> 20 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef COUNT
#define COUNT 10
#endif
#ifndef RACES
#define RACES 3
#endif

static atomic_int own[2], common;

static void *work(void *which) {
    atomic_int *mine = which;
    for (int i = 0; i < COUNT / 2; i++)
        atomic_store(mine, atomic_load(mine) + 1);
    for (int i = 0; i < RACES; i++)
        atomic_store(&common, i);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &own[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return own[0] + own[1] != COUNT / 2 * 2;
}
