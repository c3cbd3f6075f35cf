/* rehearsal.h -- a whole fleet under a seed: one search by many workers, and everything that may
 * happen to them, the same way every time.
 *
 * The workers are real ones (fleet/worker.c, a process each), but they run one after the other:
 * each step is so many executions of one worker, of one unit or of several that it has.  What they send goes through the log of a run and
 * its fold (fleet/cluster/fold.h), as on a cluster, with nobody between them.  The seed decides who
 * steps and how far, with how many units, who is asked to give something away or gives units back, who dies before or after what it sent has
 * come, which bundle comes late, twice or out of order, who is taken for dead and goes on, and
 * when the coordinator dies and another one reads the log, or a snapshot and the rest of it.
 *
 * Not here: programs (tests/rehearse.c), the coordinator on an abstract machine
 * (property_split.c). */
#ifndef HD_TESTS_REHEARSAL_H
#define HD_TESTS_REHEARSAL_H
#include "fleet/fleet.h"

#define MOST_PLAYERS 16

typedef struct rehearsal {
    uint64_t seed;
    uint32_t n_players; /* workers, at most MOST_PLAYERS */
    uint32_t n_harms;   /* deaths and the like that may happen */
    bool sets_aside;    /* one unit is given up as if it took down every worker */
    /* What happened. */
    char directory[300]; /* of the record */
    uint64_t n_units, n_commits, n_refused, n_died, n_rebuilt, n_snapshots, n_steps, n_returned;
} rehearsal;

/* The search of `info` into a new record in a directory in `above`.  False with `err`: something could not be
 * done, or the search does not end. */
bool rehearse(rehearsal *r, const char *above, const hd_run_info *info,
              const hd_run_options *options, hd_err *err);
#endif
