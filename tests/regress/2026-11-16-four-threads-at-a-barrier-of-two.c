/* Arrivals at a barrier commute within a generation, but there is room for so many only: a thread
 * that would come first made another one late, and `optimal` took that for the same: it ran 3 of 6
 * classes, which are the pairs that may go first, and called that complete.
 *
 * run: --por none
 * verdict: complete
 * paths: 6
 *
 * run: --por dpor
 * verdict: complete
 * paths: 6
 *
 * run: --por optimal
 * verdict: complete
 * executions: 6
 * paths: 6 */
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *meet(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
