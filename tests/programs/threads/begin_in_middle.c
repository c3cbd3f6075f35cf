/* What an execution that begins in the middle must bring back (machine/run/checkpoint.h): locals of
 * threads that others write to, frames of calls, thread-local objects, errno, who holds a lock and
 * who waits.
 *
 * Each of two workers has a place on its own stack, two calls deep, that the other adds to.  With
 * -DWAIT main waits for both as well.
 *
 * run: --por optimal
 * verdict: complete
 * paths: 240
 *
 * run: --por dpor
 * verdict: complete
 * paths: 240
 *
 * run: --por optimal -DWAIT
 * verdict: complete
 * paths: 36720 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int *places[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local int mine;
static int n_done;

static void tell(void) {
    pthread_mutex_lock(&lock);
    n_done++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int work(intptr_t number) {
    atomic_int place = 10;
    int seen = 0;
    places[number] = &place;
    mine = 100 + (int)number;
    errno = 200 + (int)number;
    tell();
    pthread_mutex_lock(&lock);
    while (n_done < 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&own[number]);
    seen += atomic_fetch_add(places[!number], 1);
    seen += atomic_load(&place);
    pthread_mutex_unlock(&own[number]);
    assert(mine == 100 + (int)number && errno == 200 + (int)number);
    assert(seen == 20 || seen == 21);
    tell();
    pthread_mutex_lock(&lock);
    while (n_done < 4)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    assert(atomic_load(&place) == 11);
    mine = errno = 0;
    return seen;
}

static void *start(void *number) {
    return (void *)(intptr_t)work((intptr_t)number);
}

int main(void) {
    pthread_t threads[2];
    void *seen[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, start, (void *)i);
#ifdef WAIT
    pthread_mutex_lock(&lock);
    while (n_done < 4)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &seen[i]);
    assert((intptr_t)seen[0] + (intptr_t)seen[1] >= 41);
    return 0;
}
