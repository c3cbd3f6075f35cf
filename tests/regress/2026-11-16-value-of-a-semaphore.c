/* sem_getvalue and a wait of another thread were never turned round: to wait was thought to be
 * impossible before the semaphore was looked at.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * finding: assertion
 * run: --por flip
 * verdict: complete
 * paths: 2
 * finding: assertion
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: assertion
 * run: -DTRY
 * verdict: complete
 * paths: 2
 * finding: assertion
 * run: -DTRY --por none
 * verdict: complete
 * paths: 2
 * finding: assertion */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *work(void *unused) {
#ifdef TRY
    sem_trywait(&semaphore);
#else
    sem_wait(&semaphore);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    int value;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    sem_getvalue(&semaphore, &value);
    pthread_join(thread, NULL);
    assert(value == 1); // BUG assertion
    return 0;
}
