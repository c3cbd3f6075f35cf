/* kinds.h -- the explorer's columns of the table of kinds (machine/action/action_kinds.h). */
#ifndef HD_EXPLORE_KINDS_H
#define HD_EXPLORE_KINDS_H
#include "explore/events.h"

typedef struct hd_kind_order {
    /* `a`, the second event of a race, becomes what it would be without the first.  True if that is
     * a guess: it then counts as a write, so that more is explored, not less. */
    bool (*predict)(hd_events *log, uint32_t first, uint32_t second, hd_action *a);
    /* hd_waiting_race (races.h), for an action that had to wait. */
    uint32_t (*race)(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock);
    /* hd_events_blockers (events.h), for a process that was not killed; `clock` is the action's. */
    uint32_t (*blockers)(hd_events *log, const hd_action *a, uint32_t *clock, uint32_t *out);
} hd_kind_order;
extern const hd_kind_order hd_kind_orders[HD_N_ACTIONS];

#define HD_PREDICT(what)                                                                           \
    bool hd_predict_##what(hd_events *log, uint32_t first, uint32_t second, hd_action *a)
#define HD_RACE(what)                                                                              \
    uint32_t hd_race_##what(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock)
#define HD_BLOCKERS(what)                                                                          \
    uint32_t hd_blockers_##what(hd_events *log, const hd_action *a, uint32_t *clock, uint32_t *out)

/* ---- predict.c ---- */
HD_PREDICT(same);
HD_PREDICT(write); /* one that settles */
HD_PREDICT(exchange);
HD_PREDICT(join);
HD_PREDICT(try_lock);
HD_PREDICT(signal);
HD_PREDICT(semaphore_wait);
HD_PREDICT(semaphore_try);
HD_PREDICT(arrival);
HD_PREDICT(message);
HD_PREDICT(queue);

/* ---- waiting.c ---- */
HD_RACE(none); /* it could not have gone on without what it conflicts with, or never waits */
HD_RACE(spinning);
HD_RACE(join);
HD_RACE(leave);
HD_RACE(lock); /* waking up too, and once */
HD_RACE(semaphore);
HD_RACE(message);
HD_RACE(queue);
HD_BLOCKERS(none);
HD_BLOCKERS(spinning);
HD_BLOCKERS(lock);
HD_BLOCKERS(semaphore);
HD_BLOCKERS(message);
HD_BLOCKERS(queue);
HD_BLOCKERS(end);
#endif
