/* races.h -- what the files of the event log share: races.c finds the pairs of events that race,
 * waiting.c knows what a waiting action could have gone on without, and predict.c what the second
 * event of a race would be without the first.  Where that depends on what is waited for (a lock, a
 * counter, a signal, ...) there is one file for each such thing, wait_*.c, which is found by the
 * table of kinds (kinds.h).  events.h has what others may ask. */
#ifndef HD_EXPLORE_EVENTS_RACES_H
#define HD_EXPLORE_EVENTS_RACES_H
#include "explore/events/events.h"

#define HD_LOCATION 8 /* bytes: the unit of locations */

/* ---- races.c ---- */
/* Note the races of event `n` with the candidates of the log; `before` is its clock without them.
 */
void hd_note_races(hd_events *log, uint32_t n, const uint32_t *before);

/* ---- waiting.c ---- */
/* Is the action PUT, TAKE or POLL? */
bool hd_uses_queue(const hd_action *a);
/* Can the action run in some states only, and waits in others instead of failing? */
bool hd_must_wait(const hd_action *a);
/* The first event of the race between candidate `c` and the waiting event `n`; HD_NO_EVENT if it
 * could not have gone on without it. */
uint32_t hd_waiting_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock);
/* The last event before `end` in which somebody wrote to the word at `address`. */
uint32_t hd_last_write(const hd_events *log, uint64_t address, uint32_t end);

/* ---- predict.c ---- */
/* The first event after the last time that a thread was alone: what events before it tell may have
 * changed since without an event (L3). */
uint32_t hd_events_since_alone(const hd_events *log, uint32_t end);
/* An action that settles succeeds or fails, and reads or writes the object of access[0].  False: it
 * is no guess. */
bool hd_foretell(hd_action *a, bool succeeds, bool reads);

/* ---- wait_loop.c ---- */
/* The access of a waiting loop, before event `end`: the last event up to `e` before which it could
 * have gone on, because what it would have seen does not lead round the loop; and all after it of
 * which that is not known.  At most HD_MAX_THREADS; not those before the last one that
 * `clock` has seen. */
uint32_t hd_spinning_races(hd_events *log, const hd_action *a, uint32_t end, uint32_t e,
                           const uint32_t *clock, uint32_t *out);

/* Does `b` cancel the thread of `a`? */
static inline bool hd_cancels(const hd_action *b, const hd_action *a) {
    return hd_kind_is(b->kind, HD_KIND_CANCELS) && b->detail == a->thread;
}

/* Does `b` send a signal that `a` may be interrupted by? */
static inline bool hd_interrupts(const hd_action *b, const hd_action *a) {
    for (unsigned i = 0; i < b->n_accesses; i++) {
        uint64_t token = b->access[i].address;
        if (token < HD_TOKEN_SIGNAL(0) || token >= HD_TOKEN_SIGNALS ||
            b->access[i].mode == HD_MODE_READ)
            continue;
        for (unsigned k = 0; k < a->n_accesses; k++)
            if (a->access[k].address == token)
                return true;
    }
    return false;
}
#endif
