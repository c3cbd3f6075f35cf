/* Waiting for a condition as one should: two classes, whoever locks first.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: waited 1
 *
 * run: -DBROADCAST
 * verdict: complete
 * paths: 2
 * label: waited 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *wait(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready) {
        heddle_reach("waited");
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
#ifdef BROADCAST
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    heddle_assert(ready);
    pthread_cond_destroy(&changed);
    return 0;
}
