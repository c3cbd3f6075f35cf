/* RWVSN, readers and writers in a monitor (paper 002, Table VII): counters of who is active, and
 * guards that say who may come in.  The guard of the writers forgets the active readers.
 *
 * Two readers, two writers and main: five threads.  -DFIXED has the whole guard.
 *
 * run: -DREADERS=1 -DWRITERS=1
 * verdict: complete
 * finding: data-race
 * finding: assertion
 *
 * run: --no-races --schedule random --samples 300
 * verdict: incomplete
 * finding: assertion
 *
 * run: -DFIXED -DREADERS=2 -DWRITERS=1
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int active_readers, active_writers, waiting_writers;
static int data;

static bool may_read(void) {
    return waiting_writers == 0 && active_writers == 0;
}

static bool may_write(void) {
#ifdef FIXED
    return active_readers == 0 && active_writers == 0;
#else
    return active_writers == 0;
#endif
}

static void check(void) {
    assert(!(active_writers > 0 && active_readers > 0)); // BUG assertion
}

static void *read_data(void *unused) {
    pthread_mutex_lock(&monitor);
    while (!may_read())
        pthread_cond_wait(&changed, &monitor);
    active_readers++;
    pthread_mutex_unlock(&monitor);
    int seen = *(volatile int *)&data; // BUG data-race
    assert(seen >= 0);
    pthread_mutex_lock(&monitor);
    check();
    active_readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

static void *write_data(void *unused) {
    pthread_mutex_lock(&monitor);
    waiting_writers++;
    while (!may_write())
        pthread_cond_wait(&changed, &monitor);
    waiting_writers--;
    active_writers++;
    pthread_mutex_unlock(&monitor);
    data++; // BUG data-race
    pthread_mutex_lock(&monitor);
    check();
    active_writers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&monitor);
    return unused;
}

int main(void) {
    pthread_t threads[READERS + WRITERS];
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&threads[i], NULL, i < READERS ? read_data : write_data, NULL);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
