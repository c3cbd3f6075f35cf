/* Many threads at the same time: two of them exchange, and the others keep to themselves.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 *
 * run: -DN=62
 * verdict: complete
 * paths: 2
 *
 * run: -DN=64
 * verdict: complete
 * paths: 2
 *
 * run: -DOWN
 * verdict: complete
 * paths: 2
 *
 * run: -DN=1000
 * verdict: complete
 * paths: 2
 *
 * run: -DWAITING -DN=70
 * verdict: complete
 * paths: 2
 *
 * run: -DN=100 --isolation fork
 * verdict: complete
 * paths: 2
 *
 * run: -DBUG
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 200
#endif

static atomic_int last, mine[N];
static _Thread_local int own = 7;
static pthread_rwlock_t door = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *p) {
    int n = *(int *)p;
#ifdef BUG
    if (n == N - 1)
        assert(atomic_exchange(&last, n) == 0);
#else
    if (n == N - 1)
        atomic_exchange(&last, n);
#endif
    if (n == 1)
        atomic_exchange(&last, n);
#ifdef OWN /* memory of threads with high numbers */
    int *block = malloc(sizeof *block);
    *block = own++ + n;
    errno = n;
    mine[n] = *block;
    assert(own == 8 && errno == n && mine[n] == n + 7);
    free(block);
#endif
#ifdef WAITING /* all of them read at the same time */
    pthread_rwlock_rdlock(&door);
    mine[n] = n;
    pthread_rwlock_unlock(&door);
#endif
    return p;
}

int main(void) {
    static int numbers[N];
    static pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, work, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
