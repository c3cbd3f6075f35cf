/* Locking a mutex twice: a recursive one counts, an error-checking one refuses, a normal one stops
 * the thread for ever.
 *
 * run: -DKIND=PTHREAD_MUTEX_RECURSIVE
 * verdict: complete
 * paths: 2
 *
 * run: -DKIND=PTHREAD_MUTEX_ERRORCHECK
 * verdict: complete
 * paths: 2
 *
 * run: -DKIND=PTHREAD_MUTEX_NORMAL
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#ifndef KIND
#define KIND PTHREAD_MUTEX_RECURSIVE
#endif

static pthread_mutex_t lock;
static int inside;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);              // BUG deadlock
    int second = pthread_mutex_lock(&lock); // BUG deadlock
    assert(second == (KIND == PTHREAD_MUTEX_RECURSIVE ? 0 : EDEADLK));
    inside++;
    assert(inside == 1);
    inside--;
    if (second == 0)
        pthread_mutex_unlock(&lock);
    assert(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t thread;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, KIND);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL); // BUG deadlock
    return 0;
}
