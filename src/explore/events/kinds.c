/* The explorer's columns of the table of kinds (kinds.h). */
#include "explore/events/kinds.h"

const hd_kind_order hd_kind_orders[HD_N_ACTIONS] = {
#define X(name, words, traits, enabled, settle, describe, round, predict, race, blockers, drawn)   \
    [HD_DO_##name] = {predict, race, blockers},
    HD_ACTIONS(X)
#undef X
};
