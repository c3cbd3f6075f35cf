/* random: any entry, evenly. */
#include "explore/inputs/strategy.h"

#include "base/hash.h"
#include "base/panic.h"

static hd_entry take_any(hd_frontier *f, hd_open_queue *q) {
    HD_ASSERT(q->first < q->entries.n);
    size_t left = q->entries.n - q->first;
    size_t chosen = q->first + hd_random_next(&f->random) % left;
    hd_entry e = q->entries.at[chosen];
    q->entries.at[chosen] = q->entries.at[--q->entries.n];
    return e;
}

const hd_strategy_rules hd_strategy_random =
    HD_STRATEGY_RULES(0, false, false, false, hd_strategy_one_queue, take_any, NULL, NULL, NULL);
