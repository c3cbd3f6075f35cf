/* A compare-and-exchange that fails is a read: those of several threads commute.  One that succeeds
 * is a write: the threads exclude each other.
 *
 * run: -DEXPECT=1
 * verdict: complete
 * paths: 1
 *
 * run: -DEXPECT=0
 * verdict: complete
 * paths: 3
 *
 * run: -DEXPECT=0 -DSYNC
 * verdict: complete
 * paths: 3
 *
 * run: -DEXPECT=0 --por dpor
 * verdict: complete
 * paths: 3 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef EXPECT
#define EXPECT 0
#endif

static atomic_int owner;
static int plain_owner;
static int successes[3];

static int take(int value) {
#ifdef SYNC
    return __sync_bool_compare_and_swap(&plain_owner, EXPECT, value);
#else
    int expected = EXPECT;
    return atomic_compare_exchange_strong(&owner, &expected, value);
#endif
}

static void *work(void *success) {
    *(int *)success = take(2);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &successes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(successes[0] + successes[1] + successes[2] == (EXPECT == 0));
    (void)owner;
    (void)plain_owner;
    return 0;
}
