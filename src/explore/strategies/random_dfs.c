/* random-dfs: depth first, new branches in random order. */
#include "explore/inputs/strategy.h"

const hd_strategy_rules hd_strategy_random_dfs = HD_STRATEGY_RULES(
    0, false, true, false, hd_strategy_one_queue, hd_strategy_take_newest, NULL, NULL, NULL);
