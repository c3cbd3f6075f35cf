/* Two mutexes locked in opposite orders: three classes, one of them the deadlock.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: deadlock 1
 *
 * run: --por none
 * finding: deadlock 1
 *
 * run: --por flip
 * verdict: complete
 * finding: deadlock 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 3
 * finding: deadlock 1
 *
 * run: -DORDERED
 * verdict: complete
 * paths: 2 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // BUG deadlock
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left(void *unused) {
    both(&a, &b);
    return unused;
}

static void *right(void *unused) {
#ifdef ORDERED
    both(&a, &b);
#else
    both(&b, &a);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL); // BUG deadlock
    pthread_join(threads[1], NULL);
    return 0;
}
