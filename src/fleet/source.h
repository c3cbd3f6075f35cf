/* source.h -- where the units of a supervisor come from, and where its bundles go to.
 *
 * On one machine that is the ledger in the same process (local.c).  A machine of a cluster has
 * units from the coordinator of the run, through a server (cluster/desk.c).  The supervisor does
 * not know which: it gives units to workers, and passes on what they send.
 *
 * U1. A unit that was handed out is handed out again only after it was released.
 * Not here: who works (supervisor.c), which units there are (coordinator.h). */
#ifndef HD_FLEET_SOURCE_H
#define HD_FLEET_SOURCE_H
#include "fleet/last_words.h"
#include "fleet/observer.h"
#include "fleet/wire.h"

/* What those who know the whole search want of this supervisor. */
typedef enum hd_order_kind {
    HD_ORDER_GIVE, /* who has this unit is to give a part of it away */
    HD_ORDER_DROP, /* the unit is not this supervisor's any more */
    HD_ORDER_STOP  /* the run is over, or rests: why */
} hd_order_kind;
typedef struct hd_order {
    hd_order_kind kind;
    uint64_t unit, epoch;
    char why[128];
} hd_order;

/* How things are with the workers. */
typedef struct hd_shift {
    uint32_t n_workers, n_idle;
    hd_observers *live; /* what workers say between bundles; NULL: nobody asks */
} hd_shift;

typedef struct hd_source hd_source;
typedef struct hd_source_calls {
    /* How many units wait. */
    uint64_t (*n_waiting)(hd_source *s);
    /* As hd_coordinator_is_next_large. */
    bool (*is_next_large)(hd_source *s);
    /* A unit that waits; the caller releases it.  False if there is none.  `is_whole`: a large one
     * is better than a small one (D9 of coordinator.h). */
    bool (*hand_out)(hd_source *s, bool is_whole, hd_work *work);
    /* A bundle, as it is and as it came.  As hd_ledger_take. */
    hd_commit_answer (*take)(hd_source *s, hd_bundle *p, const void *payload, size_t n);
    /* Whoever had the unit here has it no longer: it waits again, unless somebody else has it. */
    void (*release)(hd_source *s, uint64_t unit, uint64_t epoch);
    /* Who had the unit died, with so much processor time that it had not committed. */
    void (*lose)(hd_source *s, uint64_t unit, double seconds);
    /* So many workers went down with the unit: it is left alone, and that is a finding. */
    void (*set_aside)(hd_source *s, uint64_t unit, unsigned deaths, const hd_last_words *words);
    /* What is known of the run: findings, coverage, counters. */
    const hd_batch *(*state)(hd_source *s);
    /* Called in every round.  False if the run cannot go on. */
    bool (*tend)(hd_source *s, const hd_shift *shift, double now, hd_err *err);
    /* The run ends, for the reason in `why`, or for none ("": nothing was left to do). */
    bool (*end)(hd_source *s, char why[128], hd_err *err);
    /* Calls below are NULL where the supervisor itself knows the whole search. */
    bool (*next_order)(hd_source *s, hd_order *order);
    /* Can be read from when an order or a unit has come. */
    int (*descriptor)(hd_source *s);
} hd_source_calls;

/* First member of every kind of source. */
struct hd_source {
    const hd_source_calls *calls;
};
#endif
