/* alike.h -- a search whose inputs all do the same: it is lifted like one whose threads decide on
 * nothing (docs/design.md D9).
 *
 * A search whose threads decide on inputs is split by these (restrict.h) until no decision of its
 * path divides what is left.  What is left is then for inputs that make the same decisions: they
 * are alike.  What the search keeps for one of them is what a search with that input alone would
 * (outcome.c).  So sleepers and sequences that are for other inputs are dropped, those that stay
 * are for all, and states can be given up (lift.h).
 *
 * The numbers go on from those of restrict.h.
 * X5. What is left is below every decision of the path inside a thread that is no restriction yet,
 *     and its other way was run: all inputs that have something left decide as the path does.
 * X6. Every condition that the search keeps is the same for all its inputs.
 * X7. An assumption that threads make is private: no other thread decides on inputs that have to do
 *     with it.  Inputs for which it does not hold do the same until they are rejected, and nothing
 *     that only they show.
 * X8. A decision that no restriction makes shows that inputs were not alike.  If states were given
 *     up before, or if it is an assumption that is not private, the search begins anew, and is
 *     split by its inputs only from then on.
 * Not here: programs with faults, whose budgets are no conditions (X4). */
#ifndef HD_EXPLORE_ORDERS_ALIKE_H
#define HD_EXPLORE_ORDERS_ALIKE_H
#include "explore/orders/weave.h"

/* The inputs are alike from now on.  False: they are not, or nobody knows. */
bool hd_alike_begin(hd_weave *w);
/* Is a constraint that a thread decides on now one of all inputs? */
bool hd_alike_has(const hd_weave *w, hd_expr constraint);
/* Was the execution that has ended one of inputs that are not alike, and it is too late (X8)? */
bool hd_alike_is_in_vain(hd_weave *w);
/* The search begins anew, with other inputs. */
void hd_alike_forget(hd_weave *w);
#endif
