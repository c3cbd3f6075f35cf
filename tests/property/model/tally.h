/* tally.h -- how much searches did, exactly.
 *
 * Brute force says whether a search is right, not whether it does what need not be done: a
 * reduction that forgets what it knows is right and slow.  So the work of all searches for some
 * programs is added up and compared with what it was when the file was written
 * (tests/property/tallies): that shows that something changed, and not which of both is better.
 * Whoever meant it writes it anew, with TALLY=write, and says so in the commit.  The hostile build
 * has files of its own, because solvers give up there, and others find other inputs.
 *
 * Not here: what must come out (compare.h). */
#ifndef HD_TESTS_TALLY_H
#define HD_TESTS_TALLY_H
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

/* All that is added up, in this order: of executions, also of those that are none. */
#define TALLY_ITEMS(X)                                                                             \
    X(executions) /* that were begun */                                                            \
    X(ended)                                                                                       \
    X(classes) /* the first of each */                                                             \
    X(stopped)                                                                                     \
    X(rejected)                                                                                    \
    X(events)                                                                                      \
    X(repeated)   /* of the events: as the execution before had them */                            \
    X(infeasible) /* ways of decisions */                                                          \
    X(races)                                                                                       \
    X(order) /* a number that says in which order events came, and executions */

typedef struct tally {
#define X(name) uint64_t name;
    TALLY_ITEMS(X)
#undef X
} tally;

/* As comparison.variants, and searches of other kinds behind them. */
typedef enum tally_of {
    TALLY_BOUNDED = 2 * HD_N_REDUCTIONS,
    TALLY_WALK,
    TALLY_PCT,
    N_TALLIES
} tally_of;

/* Is it what the file NAME says?  If not, what is different is in `why`. */
bool tally_compare(const tally *all, const char *name, char *why, unsigned size);
#endif
