/* Replicated workers (paper 002, Table VII): workers take items from a pool; an item may bring new
 * ones; when all workers are idle, the work is done.
 *
 * A worker says that it is idle before it has put back what its last item brought: the others may
 * stop too early, and the assertion of main finds work left.  -DFIXED puts it back first.  Four
 * workers and main with the default.
 *
 * run: -DWORKERS=2
 * finding: assertion
 *
 * run: --schedule random --samples 300
 * verdict: incomplete
 * finding: assertion
 *
 * run: -DFIXED -DWORKERS=2
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 4
#endif
enum { DEPTH = 2 }; /* an item of depth d brings one of depth d - 1 */

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[DEPTH + 2], n_items, n_idle, processed;
static bool done;

static void put(int depth) {
    items[n_items++] = depth;
    pthread_cond_broadcast(&changed);
}

/* An item, or 0 when there is and will be none.  The caller was idle. */
static int take(void) {
    while (n_items == 0 && !done) {
        if (n_idle == WORKERS) {
            done = true;
            pthread_cond_broadcast(&changed);
        } else {
            pthread_cond_wait(&changed, &pool);
        }
    }
    if (done)
        return 0;
    n_idle--;
    return items[--n_items];
}

static void *work(void *unused) {
    pthread_mutex_lock(&pool);
    n_idle++;
    for (int depth = take(); depth > 0; depth = take()) {
        pthread_mutex_unlock(&pool);
        int brings = depth - 1; /* the work itself */
        pthread_mutex_lock(&pool);
        processed++;
#ifdef FIXED
        if (brings > 0)
            put(brings);
        n_idle++;
#else
        n_idle++;
        pthread_mutex_unlock(&pool);
        pthread_mutex_lock(&pool);
        if (brings > 0)
            put(brings);
#endif
    }
    pthread_mutex_unlock(&pool);
    return unused;
}

int main(void) {
    pthread_t threads[WORKERS];
    put(DEPTH);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(n_items == 0 && processed == DEPTH); // BUG assertion
    return 0;
}
