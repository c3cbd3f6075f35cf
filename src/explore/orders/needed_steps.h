/* needed_steps.h -- how much of a sequence has to be planned.
 *
 * A sequence turns a race round, and says what the execution did besides.  All of it decides
 * whether something covers the sequence.  Where nothing does, it has to be run only until nobody
 * sleeps any more: from there on the execution is free (W4 of wakeup.h), and whatever begins with
 * the whole sequence begins with that part of it.  The shorter it is the more belongs to the search
 * behind it, which matters where that is handed out to another worker (fleet/coordinator.h): what
 * races with a state before its beginning has to be asked for, and comes back as units that are one
 * execution each.
 *
 * E1. Needed are the last step; for each who sleeps the first step that wakes it, or its own if it
 *     has one; and all that comes before a needed step, whatever else is moved.
 * E2. That holds of what touches the same whatever came before: accesses of memory, locks, threads
 *     that begin and are waited for.  Arrivals at barriers are counted over the whole sequence, and
 *     what queues, counters and other processes do depends on what is there: with one of them,
 *     asleep or in the sequence, all is needed. */
#ifndef HD_EXPLORE_ORDERS_NEEDED_STEPS_H
#define HD_EXPLORE_ORDERS_NEEDED_STEPS_H
#include "explore/orders/sequence.h"

typedef hd_vec(uint8_t) hd_needed_steps; /* a flag for each step */

/* Do all steps that are left come before the last one?  Then all are needed (E1), whoever sleeps:
 * that is so of most sequences, and spares looking for the sleepers. */
bool hd_needed_are_all(const hd_sequence *s);
/* Of what is left of the sequence.  False: all of it. */
bool hd_needed_begin(hd_needed_steps *needed, const hd_sequence *s);
/* Who sleeps where the rest of the sequence begins, or is run from there before it.  False: it
 * could come first, so that no part of the sequence is enough. */
bool hd_needed_wake(hd_needed_steps *needed, const hd_sequence *s, const hd_action *asleep);
/* The sleepers are all known: what comes before needed steps. */
void hd_needed_end(hd_needed_steps *needed, const hd_sequence *s);
#endif
