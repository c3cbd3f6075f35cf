/* A lock that is tried until it is free: attempts that fail change nothing, and the loop waits.  Every
 * number of attempts up to a bound was a class of its own, and the verdict was not complete.  By hand:
 * the two orders of the threads.  With -DBOTH each holds one lock and tries the other for ever.
 *
 * run: --por none
 * verdict: complete
 * paths: 2
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: -DSPINLOCK
 * verdict: complete
 * paths: 2
 *
 * run: -DBOTH
 * verdict: complete
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_spinlock_t spinlock;
static int owner;

static void *work(void *number) {
    int me = (int)(intptr_t)number;
#if defined BOTH
    pthread_mutex_lock(&locks[me]);
    while (pthread_mutex_trylock(&locks[!me])) // BUG livelock
        ;
    pthread_mutex_unlock(&locks[!me]);
    pthread_mutex_unlock(&locks[me]);
#elif defined SPINLOCK
    while (pthread_spin_trylock(&spinlock))
        ;
    owner = me;
    assert(owner == me);
    pthread_spin_unlock(&spinlock);
#else
    while (pthread_mutex_trylock(&locks[0]))
        sched_yield();
    owner = me;
    assert(owner == me);
    pthread_mutex_unlock(&locks[0]);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
