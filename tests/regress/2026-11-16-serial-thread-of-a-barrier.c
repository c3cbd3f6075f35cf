/* Which thread a barrier calls the serial one is open: every one is explored, whoever came last.
 * It was always the one with the lowest number.  If nobody looks, it makes no classes.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: assertion
 *
 * run: --por none
 * verdict: complete
 * paths: 3
 * finding: assertion
 *
 * run: --por dpor
 * verdict: complete
 * paths: 3
 * finding: assertion
 *
 * run: -DUNUSED
 * verdict: complete
 * paths: 1
 *
 * run: -DONE_LOOKS
 * verdict: complete
 * paths: 2
 * finding: assertion
 *
 * run: -DTWICE
 * verdict: complete
 * paths: 4
 *
 * run: -DTWICE --por none
 * verdict: complete
 * paths: 4
 *
 * run: -DGONE
 * verdict: complete
 * paths: 6
 *
 * run: -DGONE --por none
 * verdict: complete
 * paths: 6 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#if defined ONE_LOOKS || defined TWICE || defined GONE
enum { N = 2 };
#else
enum { N = 3 };
#endif
static pthread_barrier_t barrier;
static int serial[N];

static void *meet(void *number) {
    intptr_t i = (intptr_t)number;
#if defined UNUSED
    pthread_barrier_wait(&barrier);
#elif defined ONE_LOOKS
    if (i == 0)
        serial[0] = pthread_barrier_wait(&barrier) != 0;
    else
        pthread_barrier_wait(&barrier);
#else
    serial[i] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
#endif
#ifdef TWICE
    serial[i] += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
#endif
    return NULL;
}

#ifdef GONE
/* The serial thread may do away with the barrier, before others leave it or after that. */
static void *use_up(void *argument) {
    pthread_barrier_t *b = argument;
    if (pthread_barrier_wait(b) != 0) {
        pthread_barrier_destroy(b);
        free(b);
    }
    return NULL;
}
#endif

int main(void) {
    pthread_t thread[N];
#ifdef GONE
    pthread_barrier_t *b = malloc(sizeof *b);
    pthread_barrier_init(b, NULL, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, use_up, b);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
#else
    pthread_barrier_init(&barrier, NULL, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, meet, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
#if defined ONE_LOOKS
    assert(serial[0] == 1); // BUG assertion
#elif defined TWICE
    assert(serial[0] + serial[1] == 2);
#elif !defined UNUSED
    assert(serial[0] + serial[1] + serial[2] == 1);
    assert(serial[1] == 0); // BUG assertion
#endif
    return 0;
#endif
}
