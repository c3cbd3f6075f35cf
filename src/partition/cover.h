/* cover.h -- what a solver says about parts: which have inputs, and which inputs are in none.
 *
 * An input is taken to have any value of its type, whatever the program assumes about it. */
#ifndef HD_PARTITION_COVER_H
#define HD_PARTITION_COVER_H
#include "partition/input_parts.h"
#include "solve/chain.h"

typedef struct hd_cover {
    hd_graph *graph;
    hd_chain *chain;
} hd_cover;

/* Inputs for which all conditions hold, into `model`, which has those that they mention. */
hd_verdict hd_conditions_solve(const hd_cover *cover, const hd_conditions *conditions,
                               hd_model *model);
/* Drops parts that no input is in; how many. */
uint32_t hd_division_drop_empty(const hd_cover *cover, hd_division *parts);
/* All inputs that are in none of the parts, as one part more. */
void hd_division_make_rest(hd_graph *g, const hd_division *parts, hd_conditions *rest);
#endif
