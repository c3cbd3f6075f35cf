/* Exactly one of the threads that meet is told that it is the serial one.
 *
 * run:
 * verdict: complete
 * exit: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int serial[2];

static void *work(void *number) {
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial[(intptr_t)number] = result != 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(serial[0] + serial[1] == 1);
    return 0;
}
