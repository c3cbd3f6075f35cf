/* turns.h -- whose turn it is: strategies of searches that go depth first inside.
 *
 * A search through orders of threads and messages keeps one path, so that a strategy cannot pick
 * any open choice of it.  Its units can be picked: a worker runs a unit for some executions, gives
 * a part of it away and puts the rest back, and the strategy says which is next.  Any order is
 * sound (docs/design.md D9).  Turns are counted in executions, not in time: with one worker the
 * same command explores in the same order.
 *
 * Promise (tests/unit/test_turns.c): the first turn of a unit is the shortest; each is twice as
 *     long as the one before, up to a bound: what is handed over costs an execution, so that its
 *     share becomes small.
 * Not here: which units there are (coordinator.h); strategies of programs without threads
 * (explore/inputs/strategy.h). */
#ifndef HD_FLEET_TURNS_H
#define HD_FLEET_TURNS_H
#include "base/map.h"
#include "base/pack.h"
#include "fleet/coordinator.h"

/* So many that wait are enough to choose from: then nobody gives anything away. */
#define HD_MOST_TURNS 64

typedef struct hd_turns {
    hd_strategy strategy;
    uint64_t random;
    hd_map n_taken; /* by unit */
    hd_map gained;  /* by unit that ever did: did its last commit cover something new? */
} hd_turns;

hd_turns hd_turns_begin(hd_strategy strategy, uint64_t seed);
void hd_turns_release(hd_turns *t);
/* Whose turns there were so far; the strategy is not among the bytes.  False if damaged. */
void hd_turns_save(const hd_turns *t, hd_text *out);
bool hd_turns_restore(hd_turns *t, hd_unpack *u);
/* The number of who is next, for hd_coordinator_hand_out. */
uint64_t hd_turns_next(hd_turns *t, const hd_coordinator *c);
/* The unit has a turn; its length in executions, 0 = to its end. */
uint64_t hd_turns_take(hd_turns *t, uint64_t unit);
/* A commit of the unit came; `gains`: it covered something new. */
void hd_turns_note(hd_turns *t, uint64_t unit, bool gains);
#endif
