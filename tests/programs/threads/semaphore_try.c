/* Attempts at a semaphore, and its value.
 *
 * run:
 * verdict: complete
 * label: got-it
 * label: too-early
 *
 * run: -DTIMED
 * verdict: complete
 * label: got-it
 * label: too-early */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;

static void *work(void *unused) {
#ifdef TIMED
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    int result = sem_timedwait(&semaphore, &limit);
    heddle_assert(result == 0 || errno == ETIMEDOUT);
#else
    int result = sem_trywait(&semaphore);
    heddle_assert(result == 0 || errno == EAGAIN);
#endif
    heddle_reach(result == 0 ? "got-it" : "too-early");
    return result == 0 ? &semaphore : unused;
}

int main(void) {
    pthread_t thread;
    void *got;
    int value;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_post(&semaphore);
    pthread_join(thread, &got);
    sem_getvalue(&semaphore, &value);
    heddle_assert(value == (got ? 0 : 1));
    sem_destroy(&semaphore);
    return 0;
}
