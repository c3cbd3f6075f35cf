/* Waiting for a flag in a loop without side effects: the search ends, and a flag that nobody sets
 * is found.
 *
 * run:
 * verdict: complete
 * exit: 0
 *
 * run: -DYIELD
 * verdict: complete
 * exit: 0
 *
 * run: --por dpor
 * verdict: complete
 * exit: 0
 *
 * run: --por none
 * verdict: complete
 * exit: 0
 *
 * run: -DNEVER
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, data;

static void *wait(void *unused) {
    while (!atomic_load(&flag)) { // BUG livelock
#ifdef YIELD
        sched_yield();
#endif
    }
    assert(atomic_load(&data) == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&data, 1);
#ifndef NEVER
    atomic_store(&flag, 1);
#endif
    pthread_join(thread, NULL); // BUG livelock
    return 0;
}
