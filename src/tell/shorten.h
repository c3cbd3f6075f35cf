/* shorten.h -- the same finding with fewer switches between threads.
 *
 * A finding turns up in whatever interleaving the search happened to be at.  People understand
 * the one with the fewest preemptions (switches away from a thread that could go on), and then
 * the fewest switches; with several processes, before that, the fewest messages.  Segments of one
 * thread are joined by moving what lies between them, and what comes of it is kept if it shows the
 * same finding and is simpler.
 *
 * P1. The result is a schedule that was executed, and showed the finding.
 * P2. It costs at most the executions and about the events that are allowed.  Time does not count,
 *     so that the result does not depend on the machine, but where the whole run has a limit. */
#ifndef HD_TELL_SHORTEN_H
#define HD_TELL_SHORTEN_H
#include "explore/follow.h"

typedef struct hd_shortener {
    void *context;
    /* Execute f->plan, with `f` as the sink.  Did it show the finding? */
    bool (*run)(void *context, hd_follow *f);
    unsigned max_runs;
    uint64_t max_events; /* of all of them together */
    double deadline;     /* of the run, on hd_clock_now; 0 = none */
    hd_follow *follow;   /* scratch, the caller's */
    unsigned n_runs;     /* that were made, */
    uint64_t n_events;   /* and what they had in all */
    uint64_t n_needed;   /* set by `run`: events up to the finding, if fewer are better; else 0 */
} hd_shortener;

/* Make `schedule`, which shows the finding, simpler.  False, and nothing changed, if it does not
 * show it (any more). */
bool hd_shorten(hd_shortener *s, hd_schedule *schedule);
#endif
