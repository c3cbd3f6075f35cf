/* races.h -- what the files of the event log share: races.c finds the pairs of events that race,
 * waiting.c knows what a waiting action could have gone on without, and predict.c what the second
 * event of a race would be without the first.  events.h has what others may ask. */
#ifndef HD_EXPLORE_RACES_H
#define HD_EXPLORE_RACES_H
#include "explore/events.h"

#define HD_LOCATION 8 /* bytes: the unit of locations */

/* ---- races.c ---- */
/* Of event `n` with the candidates of the log; `before` is its clock without them. */
void hd_note_races(hd_events *log, uint32_t n, const uint32_t *before);

/* ---- waiting.c ---- */
/* PUT, TAKE or POLL. */
bool hd_uses_queue(const hd_action *a);
/* Can it run in some states only, and would not fail in others? */
bool hd_must_wait(const hd_action *a);
/* The first event of the race between candidate `c` and the waiting event `n`; HD_NO_EVENT if it
 * could not have gone on without it. */
uint32_t hd_waiting_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock);
/* The access of a waiting loop, before event `end`: the last event up to `e` before which it could
 * have gone on, because what it would have seen does not lead round the loop; and all after it of
 * which that is not known.  At most HD_MAX_THREADS; not those before the last one that
 * `clock` has seen. */
uint32_t hd_spinning_races(hd_events *log, const hd_action *a, uint32_t end, uint32_t e,
                           const uint32_t *clock, uint32_t *out);
/* Who would hold the object of an action that waits or tries before event `end` if the events
 * `first` and all after them had not happened: for each holder the event that took it. */
uint32_t hd_holders_without(const hd_events *log, const uint32_t *first, uint32_t n_first,
                            const hd_action *a, uint32_t end, uint32_t *out);
/* A wait for a semaphore that ended because its thread was cancelled. */
bool hd_was_cancelled(const hd_action *a);
/* Can a join go on because of `b` although the other thread has not ended? */
bool hd_lets_join_early(const hd_action *b, const hd_action *join);
/* Of a lock for reading. */
bool hd_is_lock_reader(const hd_action *a);
#endif
