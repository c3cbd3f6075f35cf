/* watch.h -- ends a call that has used its processor time.
 *
 * Z3 measures its timeouts in real time, so that a busy machine changes what it knows.  A watch is
 * a thread that looks at the processor time of the one that called, and interrupts the call.
 *
 * Q1. Nothing is interrupted after hd_query_watch_end() has returned.
 * Promise (tests/unit/test_solve_layers.c): a call that was interrupted before it listened is
 *     interrupted again. */
#ifndef HD_SOLVE_WATCH_H
#define HD_SOLVE_WATCH_H
#include "solve/solve_int.h"

#include <pthread.h>

typedef struct hd_query_watch {
    hd_budget budget;
    void (*interrupt)(void *context);
    void *context;
    pthread_t watched, watcher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_ended, is_started;
} hd_query_watch;

/* Watch what this thread does from now on, on the caller's memory. */
void hd_query_watch_begin(hd_query_watch *w, const hd_budget *budget,
                          void (*interrupt)(void *context), void *context);
void hd_query_watch_end(hd_query_watch *w);
#endif
