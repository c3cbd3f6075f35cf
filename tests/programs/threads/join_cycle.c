/* Two threads that join each other.
 *
 * run:
 * verdict: complete
 * finding: deadlock */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t threads[2];
static sem_t known;

static void *first(void *unused) {
    sem_wait(&known);
    pthread_join(threads[1], NULL); // BUG deadlock
    return unused;
}

static void *second(void *unused) {
    pthread_join(threads[0], NULL); // BUG deadlock
    return unused;
}

int main(void) {
    sem_init(&known, 0, 0);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    sem_post(&known);
    pthread_exit(NULL);
}
