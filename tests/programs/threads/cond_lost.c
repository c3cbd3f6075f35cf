/* A lost wake-up: the waiter does not look whether the signal was given already.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: lost-wakeup 1 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock); // BUG lost-wakeup
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL); // BUG lost-wakeup
    return 0;
}
