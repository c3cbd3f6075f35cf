/* restrict.h -- a search for some inputs only: how a search whose threads decide on inputs is
 * shared (docs/design.md D9).
 *
 * Sequences with outcomes are not lifted (lift.h).  Such a search is split by its inputs instead,
 * until those of a part are alike (alike.h): a condition that its path decides on holds for all
 * inputs of one part, and for none of the other.
 * Each part is the search of the program with that assumption in front: it keeps what was explored,
 * what sleeps and what is left in the states that both have, and asks nobody for anything.  A class
 * that never decides on the condition is run by both, so that parts name their classes.
 *
 * A search that was divided before it began (partition/) has restrictions from the beginning: they
 * are about integers that the program asks for, whatever else it asks for.
 *
 * X1. Restrictions are the first decisions of the path, before the program's own.  They are closed.
 * X2. All inputs that are run satisfy them, and so do those that sequences are to be run with; but
 *     the path that a part begins with has inputs of the other part, until the first of its own
 *     were found: until then its last restriction waits.
 * X3. A decision before the first event is made by every execution: its ways need no restriction.
 * X4. Budgets of faults (machine/fault.h) are no conditions: that one fault happens may leave none
 *     for another one, which does not happen then, whatever the inputs say.  If it is a restriction
 *     that it happens, such an execution is another part's: it ends there.  The inputs are those of
 *     this part again afterwards, because the next ones are made of them. */
#ifndef HD_EXPLORE_ORDERS_RESTRICT_H
#define HD_EXPLORE_ORDERS_RESTRICT_H
#include "explore/orders/weave.h"

/* Restrictions of a search that has not begun. */
void hd_restrict_give(hd_weave *w, const hd_expr *conditions, uint32_t n);
/* The search begins anew: it has the inputs that it was given again, or, from a generation on, all
 * (HD_MOST_DIVISIONS). */
void hd_restrict_forget(hd_weave *w);
/* Can the search not be restricted after all?  Also: an execution whose inputs are not its own is
 * counted and said. */
bool hd_restrict_is_in_vain(hd_weave *w);
/* Is this a fault that has to happen, and cannot (X4)? */
bool hd_restrict_is_spent(const hd_weave *w, hd_expr condition, hd_branch_kind kind);
/* The inputs of an execution that could not keep a restriction keep it again (X4). */
void hd_restrict_mend(hd_weave *w);
/* Can the search be restricted now? */
bool hd_restrict_is_possible(const hd_weave *w);
/* Can the decision be a restriction? */
bool hd_restrict_divides(const hd_decision *d);
/* Is there a decision to split by? */
bool hd_restrict_can_split(hd_weave *w);
/* Hands over the part for which the shallowest open decision, or another one, goes the other way.
 * False if there is none, or nothing would be left here. */
bool hd_restrict_split(hd_weave *w, hd_text *out);
/* One more restriction holds from now on. */
void hd_restrict_add(hd_weave *w, hd_expr condition);
/* Inputs were found that satisfy the restriction that waits: it holds from now on. */
void hd_restrict_begin(hd_weave *w);
typedef enum hd_admission { HD_ADMITTED, HD_NOT_ADMITTED, HD_ADMITTED_TOO_LATE } hd_admission;
/* Looks for inputs that satisfy the restriction that waits, and follow the path up to event `e`. */
hd_admission hd_restrict_admit(hd_weave *w, uint32_t e);
#endif
