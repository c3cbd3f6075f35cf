/* coordinator.h -- who knows what is left of a search that many share, in units: each path of a
 * sequential program once, each class once with `optimal` (docs/design.md D9).
 *
 * Plain, deterministic code: no processes, no sockets, no clock.  A unit is a part of a search: a
 * journal, or a path to begin with.  Whoever takes it commits what it did: states that it gives up
 * (lifted), sequences that it asks of such states (requests), a journal that it splits off, and the
 * journal of what it has left; nothing left ends it.  The coordinator keeps lifted states as a
 * tree, hands its planned sequences out as new units, and knows when all is done.
 *
 * D1. Children of a state are in the order of their insertion.  A child sleeps to all children
 *     before it, finished or not.
 * D2. A request is dropped if a sleeper of the state, or a child before the one that asks, may come
 *     first in it.  Otherwise it goes down the first child that may, also if that is finished, and
 *     becomes the last child where there is none: as much of it as wakes those who sleep there
 *     (explore/orders/needed_steps.h).  A free end, planned, out or done, covers it.
 * D3. What is handed out is a whole planned sequence, and nobody sleeps at its end.
 *     What its sleepers do is known, not foretold: all children before it, on its whole way, were
 *     run.
 * D4. A commit is applied whole and once: those of an older epoch are refused, repeated ones
 *     dropped, early ones wait.  No two hand-outs have the same epoch.
 * D5. A state is done when all its children are, and may be opened again by a request.  What is
 *     below it is forgotten when every sibling before it, here and above up to the nearest free
 *     state, is done.
 * D6. A unit of a higher generation began anew, and is the whole search, or its part of a search
 *     that was divided before it began: all others are void.
 * D7. What is split off has a beginning of its own: what it lifts is below that, and asks nothing
 *     of states below another.  A beginning that is done is forgotten; without one all is done.
 * D8. The other parts of a divided search begin anew with it, up to generation HD_MOST_DIVISIONS: a
 *     search of a higher one has all inputs (explore/orders/restrict.h).
 * D9. A lifted state may be handed out whole, with all that is left below it, if nothing there is
 *     out and nobody else will ask anything of it: it is settled (T2 of lifted.h), or free.  As in
 * the search of one worker, its children are then in this order: those that are done, one that is
 *     lifted and in the same order itself, those that are planned.
 * D10. Whoever begins with a path knows of loops what those knew who planned it: where it is not
 *     known that a loop waits, a planned end of the program has to wait for it.
 * Not here: what an execution asks for (explore/orders/lift.h), how
 * lifted states are kept (lifted.h), who runs units. */
#ifndef HD_FLEET_COORDINATOR_H
#define HD_FLEET_COORDINATOR_H
#include "base/err.h"
#include "base/text.h"
#include "explore/explore.h"

typedef struct hd_coordinator hd_coordinator;

#define HD_NO_UNIT UINT64_MAX

/* A unit as it is handed out.  With a journal the search goes on from there; else it begins with
 * the path in the context, or, without a path, with the program. */
typedef struct hd_unit {
    uint64_t number, epoch, n_commits;
    const hd_text *journal, *context, *path;
    bool is_shared;    /* it is not all that is left */
    bool is_whole;     /* all that is left of a state (D9), handed out for the first time */
    uint64_t giver;    /* the unit whose commit gave it away, or HD_NO_UNIT; */
    uint64_t given_at; /* hd_commit.work of that commit */
} hd_unit;

typedef struct hd_commit {
    uint64_t unit, epoch, number; /* number: how many of this unit came before it */
    uint64_t generation;          /* hd_explorer_generation */
    uint64_t work;                /* what the unit has cost so far: for hd_unit.given_at only */
    bool is_done;                 /* the unit is finished: it has no journal */
    hd_text lifted;               /* hd_explorer_lift, or empty */
    hd_text context;              /* hd_explorer_save_context, with something lifted */
    hd_text followed;             /* hd_explorer_save_followed, at least in the first one */
    hd_text asked;                /* hd_explorer_take_asked */
    hd_text split;                /* hd_explorer_split, or empty */
    hd_text journal;              /* hd_explorer_save */
    hd_text rounds;               /* hd_explorer_save_rounds, if there are others than before */
} hd_commit;
void hd_commit_release(hd_commit *commit);

typedef enum hd_commit_answer {
    HD_COMMIT_APPLIED,
    HD_COMMIT_ANEW,     /* applied, and all other units are void (D6) */
    HD_COMMIT_EARLY,    /* another one of the unit is missing */
    HD_COMMIT_REPEATED, /* it was applied before */
    HD_COMMIT_REFUSED,  /* somebody else has the unit */
    HD_COMMIT_DAMAGED
} hd_commit_answer;

/* All of a search: the journal of one that was left, or nothing. */
hd_coordinator *hd_coordinator_new(const void *journal, size_t n);
/* A search that was divided before it began: a journal for each part, handed out in their order.
 * Those of searches that may begin anew (D8) are kept for that. */
hd_coordinator *hd_coordinator_new_parts(const hd_text *journals, size_t n, bool may_begin_anew);
void hd_coordinator_free(hd_coordinator *c);
/* Nothing is left: all units are void. */
void hd_coordinator_drop_units(hd_coordinator *c);
/* What could be handed out: units, then sequences that nobody has taken. */
typedef struct hd_waiting {
    uint64_t unit;  /* HD_NO_UNIT: a sequence */
    uint64_t giver; /* who gave it, or HD_NO_UNIT */
    uint32_t depth; /* events before it that are not its own */
} hd_waiting;
typedef hd_vec(hd_waiting) hd_waiting_list;
void hd_coordinator_list_waiting(const hd_coordinator *c, hd_waiting_list *out);
/* The n-th of that list (modulo, the first is 1), 0 = the oldest; false if there is none.  Of a
 * sequence, if `is_whole`, with all that is planned beside it, where that can be (D9); where it
 * cannot, and for 0, the one of the first that ends soonest: it has most behind it.  The unit's
 * texts are the coordinator's, until it is next called. */
bool hd_coordinator_hand_out(hd_coordinator *c, uint64_t nth, bool is_whole, hd_unit *unit);
hd_commit_answer hd_coordinator_commit(hd_coordinator *c, const hd_commit *commit);
/* Epochs from now on are those of somebody with this number, which nobody else has: what was handed
 * out by one whose hand-outs are not known any more is refused. */
void hd_coordinator_begin_epochs(hd_coordinator *c, uint64_t number);
/* Whoever had the unit is gone, or is taken for gone: it is handed out again. */
void hd_coordinator_suspect(hd_coordinator *c, uint64_t unit);
/* Whoever has the unit goes down: it is not handed out any more, and the search does not become
 * complete.  After hd_coordinator_restore it is handed out again. */
void hd_coordinator_set_aside(hd_coordinator *c, uint64_t unit);
uint64_t hd_coordinator_n_aside(const hd_coordinator *c);
/* Who has the unit in this epoch has it still? */
bool hd_coordinator_is_out(const hd_coordinator *c, uint64_t unit, uint64_t epoch);
/* The numbers of all units that are out, one after the other: *at is 0 at first. */
bool hd_coordinator_next_out(const hd_coordinator *c, size_t *at, uint64_t *unit, uint64_t *epoch);
bool hd_coordinator_is_complete(const hd_coordinator *c);
/* Could something be handed out? */
bool hd_coordinator_has_waiting(const hd_coordinator *c);
/* How many units and sequences? */
uint64_t hd_coordinator_n_waiting(const hd_coordinator *c);
/* Is the next one (0) a unit that waits, or a state that is whole (D9)?  If not it is a sequence,
 * and small perhaps. */
bool hd_coordinator_is_next_large(const hd_coordinator *c);
/* Units that are left, out or not, and sequences that nobody has taken. */
uint64_t hd_coordinator_n_left(const hd_coordinator *c);
/* Units that there ever were. */
uint64_t hd_coordinator_n_units(const hd_coordinator *c);
uint64_t hd_coordinator_generation(const hd_coordinator *c);

/* All of it as bytes, to go on from later. */
void hd_coordinator_save(const hd_coordinator *c, hd_text *out);
/* From such bytes, or from a journal; NULL if damaged.  Units that were out are not any more. */
hd_coordinator *hd_coordinator_restore(const void *bytes, size_t n, hd_err *err);
/* Units that were out still are: it answers everything as the one would that was saved. */
hd_coordinator *hd_coordinator_restore_exactly(const void *bytes, size_t n, hd_err *err);
#endif
