/* A mutex, a condition and a rwlock are used after they were destroyed.
 *
 * run: -DWHICH=1
 * verdict: complete
 * finding: bad-lock 1
 *
 * run: -DWHICH=2
 * verdict: complete
 * finding: bad-lock 1
 *
 * run: -DWHICH=3
 * verdict: complete
 * finding: bad-lock 1 */
#include <pthread.h>
#include <stddef.h>
#ifndef WHICH
#define WHICH 1
#endif

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mutex);
    pthread_cond_destroy(&condition);
    pthread_rwlock_destroy(&rwlock);
    if (WHICH == 1)
        pthread_mutex_lock(&mutex); // BUG bad-lock
    if (WHICH == 2)
        pthread_cond_signal(&condition); // BUG bad-lock
    if (WHICH == 3)
        pthread_rwlock_rdlock(&rwlock); // BUG bad-lock
    return 0;
}
