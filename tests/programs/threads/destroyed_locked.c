/* A mutex is destroyed, or its memory freed, while another thread may hold it.
 *
 * run:
 * verdict: complete
 * finding: destroyed-locked
 * finding: bad-lock
 *
 * run: -DJOIN_FIRST
 * verdict: complete
 * exit: 0
 *
 * run: -DFREE_HELD
 * verdict: complete
 * finding: destroyed-locked 1 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;

static void *work(void *unused) {
    pthread_mutex_lock(lock); // BUG bad-lock
    pthread_mutex_unlock(lock); // BUG bad-lock
    return unused;
}

int main(void) {
    pthread_t thread;
    lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
#ifdef FREE_HELD
    pthread_mutex_lock(lock);
    free(lock); // BUG destroyed-locked
    return 0;
#endif
    pthread_create(&thread, NULL, work, NULL);
#ifdef JOIN_FIRST
    pthread_join(thread, NULL);
#endif
    pthread_mutex_destroy(lock); // BUG destroyed-locked
#ifndef JOIN_FIRST
    pthread_join(thread, NULL);
#endif
    free(lock);
    return 0;
}
