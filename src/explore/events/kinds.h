/* kinds.h -- the explorer's columns of the table of kinds (machine/action/action_kinds.h). */
#ifndef HD_EXPLORE_EVENTS_KINDS_H
#define HD_EXPLORE_EVENTS_KINDS_H
#include "explore/events/events.h"

/* `a`, the second event of a race, becomes what it would be without the first.  True if that is a
 * guess: it then counts as a write, so that more is explored, not less. */
typedef bool hd_predictor(hd_events *log, uint32_t first, uint32_t second, hd_action *a);
/* hd_waiting_race (races.h), for an action that had to wait. */
typedef uint32_t hd_racer(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock);
/* hd_events_blockers (events.h), for a process that was not killed; `clock` is the action's. */
typedef uint32_t hd_blocker(hd_events *log, const hd_action *a, uint32_t *clock, uint32_t *out);

typedef struct hd_kind_order {
    hd_predictor *predict;
    hd_racer *race;
    hd_blocker *blockers;
} hd_kind_order;
extern const hd_kind_order hd_kind_orders[HD_N_ACTIONS];

/* Every function that the table names.  For kinds that have nothing of their own in a column there
 * are hd_predict_same, hd_predict_write (the action settles, and its outcome is the same or cannot
 * be told), hd_race_none and hd_blockers_none. */
#define X(name, words, traits, enabled, settle, describe, round, predict, race, blockers, ...)     \
    hd_predictor predict;                                                                          \
    hd_racer race;                                                                                 \
    hd_blocker blockers;
HD_ACTIONS(X)
#undef X

/* The first line of a function of the column, HD_RACE(lock) { ... } for hd_race_lock. */
#define HD_PREDICT(what)                                                                           \
    bool hd_predict_##what(hd_events *log, uint32_t first, uint32_t second, hd_action *a)
#define HD_RACE(what)                                                                              \
    uint32_t hd_race_##what(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock)
#define HD_BLOCKERS(what)                                                                          \
    uint32_t hd_blockers_##what(hd_events *log, const hd_action *a, uint32_t *clock, uint32_t *out)
#endif
