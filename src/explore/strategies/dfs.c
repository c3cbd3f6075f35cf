/* dfs: the newest entry, which is the deepest nearly always. */
#include "explore/inputs/strategy.h"

const hd_strategy_rules hd_strategy_dfs = HD_STRATEGY_RULES(
    0, false, false, false, hd_strategy_one_queue, hd_strategy_take_newest, NULL, NULL, NULL);
