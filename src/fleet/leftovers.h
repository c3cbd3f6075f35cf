/* leftovers.h -- processes that a worker leaves behind.
 *
 * What a worker forks ends with it, unless a tested program has made the worker its own (assembly)
 * or was allowed to start others (`--allow exec`).  Such processes are confined as the worker was
 * (N1), but they would outlive the run.  The supervisor takes their parent's place when that is
 * gone, and ends them.
 *
 * E1. Only what came of this process since `begin`, and is none of the workers it names, is ended.
 *
 * Who was ended is there until the kernel has taken its memory back, which takes seconds where
 * there are gigabytes of it.  A run whose time is over does not wait for that longer than `hurry`:
 * what was ended runs no more, and nobody has to see it go.
 *
 * Rejected: a namespace of processes, which ends with its first one.  An ordinary user gets it with
 * a user namespace only, in which the tested program sees `nobody` as the owner of files of others:
 * it would not be tested as it runs. */
#ifndef HD_FLEET_LEFTOVERS_H
#define HD_FLEET_LEFTOVERS_H
#include "base/vec.h"

#include <stdbool.h>
#include <sys/types.h>

typedef hd_vec(pid_t) hd_pids;

typedef struct hd_leftovers {
    hd_pids before; /* children that were there, or were ended and are not waited for any more */
    hd_pids ended;  /* with their worker: they are ours when that is gone, and nobody left them */
    int was_reaper;
    double hurry; /* hd_clock_now() value: nobody who was ended is waited for after it; 0 = none */
} hd_leftovers;

void hd_leftovers_begin(hd_leftovers *o);
/* Ends all but `workers`; how many there were, without those that were ended with a worker. */
unsigned hd_leftovers_sweep(hd_leftovers *o, const hd_pids *workers);
/* Ends a worker and all that it has started; it is gone then, or the time to wait for that is over.
 */
void hd_leftovers_end_all_of(hd_leftovers *o, pid_t worker);
void hd_leftovers_end(hd_leftovers *o);
#endif
