/* Semaphores: one that hands over data, one that excludes, one that is never posted.
 *
 * run: -DHAND_OVER
 * verdict: complete
 * paths: 1
 *
 * run: -DEXCLUDE
 * verdict: complete
 * paths: 2
 *
 * run: -DEXCLUDE -DNAMED
 * verdict: complete
 * paths: 2
 *
 * run: -DNEVER
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t own, *semaphore = &own;
static int data;

static void *work(void *unused) {
    sem_wait(semaphore); // BUG deadlock
    data++;
#ifdef EXCLUDE
    sem_post(semaphore);
#endif
    return unused;
}

static void start(unsigned value) {
#ifdef NAMED
    semaphore = sem_open("/heddle_test", O_CREAT | O_EXCL, 0600, value);
    assert(semaphore != SEM_FAILED);
#else
    assert(sem_init(semaphore, 0, value) == 0);
#endif
}

static void stop(void) {
#ifdef NAMED
    sem_close(semaphore);
    sem_unlink("/heddle_test");
#else
    sem_destroy(semaphore);
#endif
}

int main(void) {
    pthread_t thread;
#ifdef EXCLUDE
    start(1);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
#else
    start(0);
    pthread_create(&thread, NULL, work, NULL);
    data = 1;
#endif
#ifdef HAND_OVER
    sem_post(semaphore);
#endif
    pthread_join(thread, NULL); // BUG deadlock
    assert(data == 2);
    stop();
    return 0;
}
