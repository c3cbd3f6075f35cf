/* covering.h -- few dscenarios that together have every state of a mapping.
 *
 * There may be more dscenarios than anybody can run; each state of each node in one of them is what
 * tests need at least (every path of every node is then taken).  The fewest such dscenarios are
 * hard to find; these are the greedy ones: always one with as many new states as can be had.
 *
 * C1. Each dscenario has a state that none before it had.
 * C2. States that are in none of them are in no possible one, or the search for one was given up.
 */
#ifndef HD_MAPPING_COVERING_H
#define HD_MAPPING_COVERING_H
#include "base/map.h"
#include "mapping/explosion.h"

typedef struct hd_covering {
    hd_explosion inside;
    hd_vec(bool) is_covered; /* by state */
    hd_states n_new;         /* by cohort: members that are not covered */
    hd_vec(uint64_t) queue;  /* a heap: gain when it was put there, and dstate */
    hd_map in_vain;          /* states that have no dscenario in a dstate */
    uint64_t n_left;         /* states that are not covered */
    uint64_t n_given_up;     /* searches for a possible dscenario that became too long */
} hd_covering;

void hd_covering_init(hd_covering *c, const hd_mapping *m, hd_together *together, void *context);
/* The next, by node; NULL when nothing is left to be covered, or cannot be. */
const uint32_t *hd_covering_next(hd_covering *c);
/* No set of dscenarios that has every state is smaller. */
uint64_t hd_covering_bound(const hd_mapping *m);
void hd_covering_release(hd_covering *c);
#endif
