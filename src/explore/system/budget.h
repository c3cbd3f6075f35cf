/* budget.h -- budgets of faults that several nodes share.
 *
 * A node counts what it chooses by itself.  Some budgets are about what several nodes choose: those
 * in total, and those of a receiver where senders choose (`full` and `reset` with `per: node`).
 * What a state has used of them are its costs (mapping/mapping.h), and the mapping drops what no
 * budget allows: a state that none of its possible dscenarios leaves a fault for is not offered one
 * (hd_outside.spent).
 *
 * U1. Lists of costs have an entry for each shared budget, in their order. */
#ifndef HD_EXPLORE_SYSTEM_BUDGET_H
#define HD_EXPLORE_SYSTEM_BUDGET_H
#include "explore/explore_int.h"

typedef struct hd_shared_budget {
    uint32_t rule; /* of the options' faults */
    uint32_t node; /* receiver, or HD_ALL_NODES */
    uint32_t most;
} hd_shared_budget;
typedef hd_vec(hd_shared_budget) hd_shared_budgets;

/* All that there are. */
void hd_shared_budgets_list(const hd_explorer_options *o, hd_shared_budgets *out);
/* What the last execution of a machine has used of each. */
void hd_shared_budgets_spent(const hd_shared_budgets *b, hd_machine *machine, hd_indices *spent);
/* Add costs to a sum, or take them away again; is the sum within all budgets? */
bool hd_shared_budgets_add(const hd_shared_budgets *b, const hd_indices *spent, uint32_t *sum);
void hd_shared_budgets_take(const hd_shared_budgets *b, const hd_indices *spent, uint32_t *sum);
#endif
