/* A timed wait ends by its signal or by its timeout, whichever the schedule says.
 *
 * run:
 * verdict: complete
 * label: in-time
 * label: too-late */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *wait(void *unused) {
    struct timespec limit;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    pthread_mutex_lock(&lock);
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&changed, &lock, &limit);
    heddle_assert(result == 0 || result == ETIMEDOUT);
    heddle_reach(ready ? "in-time" : "too-late");
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
