/* Attempts at a rwlock: a reader gets in beside a reader, a writer does not.
 *
 * run:
 * verdict: complete
 * paths: 1
 * exit: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *unused) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &limit) == ETIMEDOUT);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
