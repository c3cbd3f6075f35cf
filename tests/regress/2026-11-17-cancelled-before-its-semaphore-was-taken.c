/* A thread that was cancelled while it waited for a semaphore could have had it before it was
 * taken: that order was not run if the one who took it was the one who cancelled, and the deadlock
 * that it leads to was not found.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: deadlock
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * finding: deadlock
 * run: --por flip
 * verdict: complete
 * paths: 2
 * finding: deadlock
 * run: --por none
 * verdict: complete
 * paths: 2
 * finding: deadlock */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *work(void *unused) {
    sem_wait(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&semaphore); // BUG deadlock
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
