/* No races: what creation, joining, locks, atomics, semaphores, conditions and barriers order.
 *
 * run: -DBY=1
 * verdict: complete
 * paths: 1
 *
 * run: -DBY=2
 * verdict: complete
 * paths: 2
 *
 * run: -DBY=3
 * verdict: complete
 *
 * run: -DBY=4
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef BY
#define BY 1
#endif

static int data;
static atomic_int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *work(void *unused) {
#if BY == 1
    data++;
#elif BY == 2
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
#elif BY == 3
    while (!atomic_load(&flag)) {
    }
    data++;
#else
    sem_wait(&semaphore);
    data++;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    data = 1;
    pthread_create(&thread, NULL, work, NULL);
#if BY == 2
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
#elif BY == 3
    data++;
    atomic_store(&flag, 1);
#elif BY == 4
    data++;
    sem_post(&semaphore);
#endif
    (void)flag;
    (void)lock;
    pthread_join(thread, NULL);
    data++;
    assert(data == (BY == 1 ? 3 : 4));
    return 0;
}
