/* A bug that needs the first choice of a search to be another one: the watchman was made first and
 * must come last.  A search too large to be finished does not come to it, the samples beside do.
 *
 * run: --no-races --max-executions 60000
 * verdict: incomplete
 * finding: assertion 1
 *
 * run: --no-races --no-samples --max-executions 60000
 * verdict: incomplete
 *
 * run: --no-races -DGUESTS=3
 * verdict: complete
 * finding: assertion 1 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef GUESTS
#define GUESTS 20
#endif

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *watch(void *unused) {
    pthread_mutex_lock(&door);
    assert(inside < GUESTS); // BUG assertion
    pthread_mutex_unlock(&door);
    return unused;
}

static void *enter(void *unused) {
    pthread_mutex_lock(&door);
    inside++;
    pthread_mutex_unlock(&door);
    return unused;
}

int main(void) {
    pthread_t watchman, guests[GUESTS];
    pthread_create(&watchman, NULL, watch, NULL);
    for (int i = 0; i < GUESTS; i++)
        pthread_create(&guests[i], NULL, enter, NULL);
    for (int i = 0; i < GUESTS; i++)
        pthread_join(guests[i], NULL);
    pthread_join(watchman, NULL);
    return 0;
}
