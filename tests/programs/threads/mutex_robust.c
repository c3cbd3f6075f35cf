/* A thread ends with a mutex locked: a robust mutex tells the next owner, any other stops it.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: -DSTALLED
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;

static void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t thread;
    pthread_mutexattr_init(&kind);
#ifndef STALLED
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
    pthread_mutex_init(&lock, &kind);
    pthread_create(&thread, NULL, careless, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD); // BUG deadlock
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    return pthread_mutex_unlock(&lock);
}
