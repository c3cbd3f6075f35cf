/* strategy.h -- strategies: in which order open ways are taken.
 *
 * A strategy is one file (strategies/NAME.c) with one row, and one line of HD_STRATEGIES in
 * explore.h.  Every strategy keeps a list of queues, of which the first that has an entry is next:
 * depth-first, mixed and random keep one, breadth-first one per depth, coverage one per rank.  A
 * strategy may hold entries outside of its queues too. */
#ifndef HD_EXPLORE_INPUTS_STRATEGY_H
#define HD_EXPLORE_INPUTS_STRATEGY_H
#include "explore/inputs/frontier.h"

typedef struct hd_open_queue {
    hd_vec(hd_entry) entries;
    size_t first; /* entries before it were taken */
} hd_open_queue;

typedef struct hd_strategy_rules hd_strategy_rules;
struct hd_frontier {
    const hd_strategy_rules *rules;
    uint64_t random;
    hd_vec(hd_open_queue) queues;
    size_t lowest; /* no queue before it has an entry */
    bool spreads;  /* hd_frontier_spread */
    void *own;     /* what the strategy keeps besides */
};

struct hd_strategy_rules {
    /* Bytes of `own`, which begin as zeros. */
    size_t own;
    /* The ways that executions took are remembered, and an open way that has been taken meanwhile
     * somewhere else in the tree is not the first choice any more. */
    bool remembers_ways;
    /* Inputs that no decision mentions get new values (paper 003, 3.1). */
    bool shuffles_inputs;
    /* Queues are ranks. */
    bool has_ranks;
    /* The number of the queue that a new entry goes into. */
    size_t (*queue)(uint32_t depth, enum hd_rank rank);
    /* Take an entry out of a queue that is not empty. */
    hd_entry (*take)(hd_frontier *f, hd_open_queue *q);
    /* As hd_frontier_worked.  NULL = the strategy does not care. */
    void (*worked)(hd_frontier *f, uint64_t work, bool may_spread);
    /* Entries that the strategy holds outside of its queues, NULL = none: take one that comes
     * before all queues, if there is such a one; give all of them. */
    bool (*take_held)(hd_frontier *f, hd_entry *e);
    void (*each_held)(const hd_frontier *f, void (*each)(void *, hd_entry, enum hd_rank),
                      void *context);
};

/* A row: all columns, in this order.  One that is left out does not compile. */
#define HD_STRATEGY_RULES(own, remembers_ways, shuffles_inputs, has_ranks, queue, take, worked,    \
                          take_held, each_held)                                                    \
    {own, remembers_ways, shuffles_inputs, has_ranks, queue, take, worked, take_held, each_held}

#define X(name, rules, text, words) extern const hd_strategy_rules hd_strategy_##rules;
HD_STRATEGIES(X)
#undef X

/* What rules share. */
size_t hd_strategy_one_queue(uint32_t depth, enum hd_rank rank);
hd_entry hd_strategy_take_newest(hd_frontier *f, hd_open_queue *q);
hd_entry hd_strategy_take_oldest(hd_frontier *f, hd_open_queue *q);
#endif
