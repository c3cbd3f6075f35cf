/* Whether a timer had expired for a thread that waits for it was asked with the clock of whichever
 * thread was running: one that had slept was ahead, and the number of expirations that were read came
 * out as nonsense.
 *
 * run: --timeouts any
 * verdict: complete
 * label: once
 *
 * run: --timeouts any --por dpor
 * verdict: complete
 * label: once
 *
 * run: --timeouts any --por none
 * verdict: complete
 * label: once */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sleep_and_go_on(void *unused) {
    (void)unused;
    nanosleep(&(struct timespec){5, 0}, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &(struct itimerspec){{1, 0}, {2, 0}}, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_and_go_on, NULL);
    uint64_t n = 0;
    assert(read(timer, &n, sizeof n) == sizeof n);
    assert(n == 1);
    heddle_reach("once");
    pthread_join(thread, NULL);
    return 0;
}
