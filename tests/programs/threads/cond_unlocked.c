/* Waiting for a condition without holding the mutex.
 *
 * run:
 * verdict: complete
 * finding: bad-lock 1 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused) {
    pthread_cond_wait(&changed, &lock); // BUG bad-lock
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_detach(thread);
    return 0;
}
