/* whole.h -- lifted states that are handed out again with all that is left below them (D9 of
 * coordinator.h).
 *
 * A race that asks something of a lifted state is a unit of a few executions, and what these ask is
 * the next one.  Who has the state whole does all of it as a search of its own: nothing is handed
 * over, and nothing is run again to come there.
 *
 * Not here: who gets what (coordinator.h), how a search goes on with it (F6 of
 * explore/orders/lift.h). */
#ifndef HD_FLEET_WHOLE_H
#define HD_FLEET_WHOLE_H
#include "base/text.h"
#include "fleet/lifted.h"

/* The highest state above the sequence that can be handed out with it; HD_NO_STATE: none. */
uint32_t hd_whole_find(const hd_lifted_tree *tree, uint32_t end);
/* What was run from the state, what is left of the child that is lifted, and what is planned, as
 * hd_explorer_begin_unit reads it behind the path.  *given becomes who gave the last of it. */
void hd_whole_write(const hd_lifted_tree *tree, uint32_t state, hd_text *out, hd_gift *given);
#endif
