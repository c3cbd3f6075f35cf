/* An error-checking mutex says who may not unlock it; to ask is no bug.
 *
 * run:
 * verdict: complete
 * paths: 1
 * exit: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;

static void *other(void *unused) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t thread;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
