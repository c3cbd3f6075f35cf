/* Failed attempts to lock commute: three threads try while main holds the mutex, one class.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 1
 *
 * run: --por flip
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
