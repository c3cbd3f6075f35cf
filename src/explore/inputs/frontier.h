/* frontier.h -- the open ways, in the order the strategy wants them.
 *
 * An entry is stale when its way is not open any more (an execution came there by luck, or it was
 * handed over in a split): whoever takes one asks hd_walk_is_stale.  Every open way has one. */
#ifndef HD_EXPLORE_INPUTS_FRONTIER_H
#define HD_EXPLORE_INPUTS_FRONTIER_H
#include "explore/explore.h"
#include "explore/inputs/tree.h"

typedef struct hd_entry {
    hd_node_id node;
    uint32_t serial;
    bool way;
    uint32_t depth;
} hd_entry;

typedef struct hd_frontier hd_frontier;
hd_frontier *hd_frontier_new(hd_strategy strategy, uint64_t seed);
void hd_frontier_free(hd_frontier *f);
/* The shallow end is worth as much as the deep one: to the mixed strategy. */
void hd_frontier_spread(hd_frontier *f);

/* `rank` matters to the coverage strategy only: lower comes first. */
enum hd_rank { HD_RANK_UNCOVERED, HD_RANK_NEW, HD_RANK_OLD, HD_N_RANKS };
void hd_frontier_push(hd_frontier *f, hd_entry e, enum hd_rank rank);
/* An execution of so much work is over.  `may_spread`: there is room for more open ways than depth
 * first leaves behind. */
void hd_frontier_worked(hd_frontier *f, uint64_t work, bool may_spread);
/* False when there is none.  `*rank` says under which rank it was pushed. */
bool hd_frontier_pop(hd_frontier *f, hd_entry *e, enum hd_rank *rank);
/* Every entry, in an order that rebuilds the same frontier when pushed again. */
void hd_frontier_each(const hd_frontier *f, void (*each)(void *, hd_entry, enum hd_rank),
                      void *context);
/* Members of the rules of the strategy (strategy.h). */
bool hd_strategy_remembers_ways(hd_strategy strategy);
bool hd_strategy_shuffles_inputs(hd_strategy strategy);
#endif
