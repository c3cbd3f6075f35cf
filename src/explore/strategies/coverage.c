/* coverage: a queue for each rank, the oldest entry of the best. */
#include "explore/inputs/strategy.h"

static size_t of_rank(uint32_t depth, enum hd_rank rank) {
    (void)depth;
    return (size_t)rank;
}

const hd_strategy_rules hd_strategy_coverage =
    HD_STRATEGY_RULES(0, true, false, true, of_rank, hd_strategy_take_oldest, NULL, NULL, NULL);
