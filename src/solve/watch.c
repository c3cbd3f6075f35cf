/* A watch over processor time (see watch.h). */
#include "solve/watch.h"

#include "base/clock.h"
#include "base/panic.h"

#include <signal.h>
#include <time.h>

enum { TICK = 5000000 }; /* nanoseconds between looks; a tick too late costs that much of a core */

static double cpu_of(pthread_t thread) {
    clockid_t clock;
    struct timespec t = {0};
    if (pthread_getcpuclockid(thread, &clock) == 0)
        clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct timespec next_tick(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += TICK;
    if (t.tv_nsec >= 1000000000)
        t.tv_sec++, t.tv_nsec -= 1000000000;
    HD_ASSERT(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    return t;
}

/* The lock is held while it interrupts (Q1). */
static void *look(void *argument) {
    hd_query_watch *w = argument;
    pthread_mutex_lock(&w->lock);
    while (!w->has_ended) {
        struct timespec until = next_tick();
        pthread_cond_timedwait(&w->changed, &w->lock, &until);
        if (!w->has_ended && hd_budget_is_spent(&w->budget, cpu_of(w->watched)))
            w->interrupt(w->context); /* at each tick until the call has ended */
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals are for the threads that know about them. */
static bool start(hd_query_watch *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&w->watcher, NULL, look, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

void hd_query_watch_begin(hd_query_watch *w, const hd_budget *budget,
                          void (*interrupt)(void *context), void *context) {
    HD_ASSERT(interrupt && budget);
    *w = (hd_query_watch){.budget = *budget,
                          .interrupt = interrupt,
                          .context = context,
                          .watched = pthread_self(),
                          .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t how;
    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &how);
    w->is_started = start(w);
}

void hd_query_watch_end(hd_query_watch *w) {
    pthread_mutex_lock(&w->lock);
    HD_ASSERT(!w->has_ended && pthread_equal(w->watched, pthread_self()));
    w->has_ended = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (w->is_started)
        HD_INVARIANT(Q1, pthread_join(w->watcher, NULL) == 0);
    pthread_cond_destroy(&w->changed);
}
