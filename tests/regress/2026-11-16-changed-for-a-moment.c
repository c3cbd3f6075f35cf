/* Loops that change something for a moment: an attempt that is taken back leaves everything as it
 * was, and the loop waits, unless somebody has looked meanwhile.  They were explored for every
 * number of rounds up to a bound.  By hand: the second adds before the first has given back what it
 * added, and takes it back (in vain, once: no class), or after; if its attempt spans what the first
 * gives back, it counts: 2 for each of the 2 orders.  With -DSEEN the value of a moment is seen by
 * the other thread, in an iteration that would be in vain otherwise.  With -DPOLITE two threads
 * give way to each other: nobody waits, and nobody need ever come to an end.
 *
 * run: --por none
 * verdict: complete
 * paths: 4
 *
 * run: --por dpor
 * verdict: complete
 * paths: 4
 *
 * run:
 * verdict: complete
 * paths: 4
 *
 * run: -DSEEN --por none
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DSEEN
 * verdict: complete
 * finding: assertion
 * paths: 2
 *
 * run: -DPOLITE
 * verdict: complete
 * finding: livelock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#if defined SEEN
static atomic_int flag, is_told, has_seen;

static void *work(void *number) {
    if (number) {
        has_seen = flag;
        is_told = 1;
        return NULL;
    }
    while (!is_told) {
        flag = 1;
        flag = 0;
    }
    assert(!has_seen); // BUG assertion
    return NULL;
}
#elif defined POLITE
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *number) {
    int me = (int)(intptr_t)number;
    for (;;) {
        pthread_mutex_lock(&locks[me]); // BUG livelock
        if (pthread_mutex_trylock(&locks[!me]) == 0)
            break;
        pthread_mutex_unlock(&locks[me]);
    }
    pthread_mutex_unlock(&locks[!me]);
    pthread_mutex_unlock(&locks[me]);
    return NULL;
}
#else
static atomic_int n_inside;
static int owner;

static void *work(void *number) {
    while (atomic_fetch_add(&n_inside, 1) > 0)
        atomic_fetch_sub(&n_inside, 1);
    owner = (int)(intptr_t)number;
    assert(owner == (int)(intptr_t)number);
    atomic_fetch_sub(&n_inside, 1);
    return NULL;
}
#endif

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
