/* node_event.h -- one event of one node state: every way that it can go.
 *
 * Native code cannot be forked in the middle.  So each way is an execution of the node from its
 * beginning, with inputs that go there: the recipe first, then the event. */
#ifndef HD_EXPLORE_SYSTEM_NODE_EVENT_H
#define HD_EXPLORE_SYSTEM_NODE_EVENT_H
#include "explore/system/system.h"

/* Let the next event of the state happen, in every way.  The state is the first of the ways then,
 * others are new states (which the mapping knows), and what they have sent is noted.  If there is
 * no way the state is noted as impossible. */
void hd_node_event_run(hd_system_search *y, uint32_t state);
/* Make all constraints true: those that hold are pushed on the path, for others the model is
 * changed. HD_UNSAT: they contradict those on the path. */
hd_verdict hd_constraints_add(hd_system_search *y, const hd_exprs *constraints, hd_model *model);
#endif
