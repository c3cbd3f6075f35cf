/* lift.h -- a search with `optimal` that many share: states that it gives up, and what it asks of
 * them (docs/design.md D9).
 *
 * A search that is to be shared lifts the shallow states of its path: their sleepers, the children
 * that were explored, the one of the path, and the sequences that wait go to a coordinator
 * (fleet/coordinator.h), which hands the sequences out.  Below that floor it goes on as before.
 * Where a race asks for a sequence in a lifted state, the search asks the coordinator for it.
 *
 * F1. What was lifted is never looked at again here: nothing is run from a state above the floor.
 * F3. A request is a sequence with all that decides who may come first in it: its actions, which of
 *     them come before which, and how many had arrived at its barriers.
 * F4. Who sleeps in a lifted state is known where it is left, and does not change: children that it
 *     gets later come after the one of the path.  So what sleepers cover is not asked for, as in a
 *     state of the search's own, and a race is turned again only if sleepers covered it before.
 * F5. A race is asked for once, however the executions that show it differ in what does not come
 *     before its second event: what else they do is found out where it was turned round.
 * F6. A state may be given back whole (D9 of fleet/coordinator.h): the first execution of the
 *     search goes through it, and what was run and is planned there becomes the search's own.
 * Promise (tests/property/property_split.c): from the end of a sequence that is handed out the
 *     execution is free: nobody sleeps there.
 * Not here: inputs that threads decide on: such a search is lifted only where all its inputs decide
 * alike (alike.h). */
#ifndef HD_EXPLORE_ORDERS_LIFT_H
#define HD_EXPLORE_ORDERS_LIFT_H
#include "explore/orders/weave.h"

/* Nothing is lifted any more: the search begins anew. */
void hd_lift_forget(hd_weave *w);
/* Who sleeps in the new state before event `e`, which is not the search's own or was given whole.
 */
void hd_lift_put_to_sleep(hd_weave *w, uint32_t e);
/* The first execution is over: states from the floor on that are new are new. */
void hd_lift_end_first(hd_weave *w);
/* The sequence is asked of the state before event `e`, which was lifted. */
void hd_lift_ask(hd_weave *w, uint32_t e, const hd_sequence *s);

#endif
