/* dscenario.h -- one state of each node, and inputs for all of them together. */
#ifndef HD_EXPLORE_SYSTEM_DSCENARIO_H
#define HD_EXPLORE_SYSTEM_DSCENARIO_H
#include "explore/system/system.h"

/* Inputs with which the whole system does what the suspect did.  HD_UNSAT: no dscenario with its
 * state is possible; HD_UNKNOWN: none was found.  Its states are `chosen` then. */
hd_verdict hd_dscenario_of(hd_system_search *y, const hd_suspect *s, hd_model *model);
/* Inputs of a dscenario, by node; states may be missing (HD_NO_STATE). */
hd_verdict hd_dscenario_solve(hd_system_search *y, const uint32_t *states, hd_model *model);
#endif
