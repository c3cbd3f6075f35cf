/* bfs: a queue for each depth, the oldest entry of the shallowest. */
#include "explore/inputs/strategy.h"

static size_t of_depth(uint32_t depth, enum hd_rank rank) {
    (void)rank;
    return depth;
}

const hd_strategy_rules hd_strategy_bfs =
    HD_STRATEGY_RULES(0, false, false, false, of_depth, hd_strategy_take_oldest, NULL, NULL, NULL);
