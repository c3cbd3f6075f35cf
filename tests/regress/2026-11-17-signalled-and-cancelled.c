/* A thread is signalled and cancelled before it goes on: on Linux it may return from its wait or
 * end in it.  Only the first is explored, and the run was called complete.
 *
 * run:
 * verdict: incomplete
 * reason: is not cancelled in the same wait
 * label: returned
 *
 * run: -DTIMED
 * verdict: incomplete
 * reason: is not cancelled in the same wait
 * label: returned
 *
 * run: -DNOT_CANCELLED
 * verdict: complete
 * label: returned */
#include <heddle.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_set;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void wait_for_it(void) {
#ifdef TIMED
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    pthread_cond_timedwait(&changed, &lock, &limit);
#else
    pthread_cond_wait(&changed, &lock);
#endif
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    while (!is_set)
        wait_for_it();
    heddle_reach("returned");
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    is_set = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#ifndef NOT_CANCELLED
    pthread_cancel(thread);
#endif
    pthread_join(thread, NULL);
    return 0;
}
