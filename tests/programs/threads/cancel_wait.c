/* A thread is cancelled while it waits for a condition: it gets the mutex back and its cleanup
 * handler gives it away.
 *
 * run:
 * verdict: complete
 * label: cleaned
 * exit: 0
 *
 * run: -DNO_CLEANUP
 * verdict: complete
 * finding: deadlock */
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void clean(void *mutex) {
    heddle_reach("cleaned");
    pthread_mutex_unlock(mutex);
}

static void *wait(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef NO_CLEANUP
    (void)clean;
    for (;;)
        pthread_cond_wait(&never, &lock);
#else
    pthread_cleanup_push(clean, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    heddle_assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock); // BUG deadlock
    pthread_mutex_unlock(&lock);
    return 0;
}
