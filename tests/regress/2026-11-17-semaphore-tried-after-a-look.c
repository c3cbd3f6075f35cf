/* sem_trywait that came after sem_getvalue of another thread was thought to fail if it came before
 * it, whatever the semaphore holds: one of the orders of four threads was not run, and the search
 * counted as complete.
 *
 * run:
 * verdict: complete
 * paths: 13
 * run: --por dpor
 * verdict: complete
 * paths: 13
 * run: --por none
 * verdict: complete
 * paths: 13 */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *look(void *unused) {
    int value;
    sem_getvalue(&semaphore, &value);
    return unused;
}

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

static void *try(void *unused) {
    sem_trywait(&semaphore);
    return unused;
}

int main(void) {
    static void *(*const work[4])(void *) = {look, post, try, look};
    pthread_t thread[4];
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
