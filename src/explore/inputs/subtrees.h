/* subtrees.h -- how many executions are behind an open way, about.
 *
 * Who is given open ways repeats the executions that found them (walk_journal.c), so that ways with
 * little behind them cost more to give than they are worth.  How much is behind a way is learnt
 * from those that were taken, by their depth: an execution, and what is behind the ways that it
 * opens. Where the decisions of a program do not depend on their depth this is the size of the
 * subtree, as Knuth estimates it; elsewhere it is a mean.
 *
 * Nothing is decided by it but who runs something: any number is sound. */
#ifndef HD_EXPLORE_INPUTS_SUBTREES_H
#define HD_EXPLORE_INPUTS_SUBTREES_H
#include "base/vec.h"

#include <stdint.h>

/* A zeroed one knows nothing. */
typedef struct hd_subtrees {
    hd_vec(struct hd_subtree_mean {
        double mean;
        uint32_t n; /* ways of this depth that were seen */
    }) at;
} hd_subtrees;

void hd_subtrees_release(hd_subtrees *b);
/* A way of this depth had about so many executions behind it; none if no inputs go there. */
void hd_subtrees_note(hd_subtrees *b, uint32_t depth, double n_executions);
/* Of a way of this depth.  Where none of it was taken yet, as of the next deeper one that is known:
 * depth first these are known first, and there is no less behind a way above them.  `unknown` where
 * there is none near it. */
double hd_subtrees_behind(const hd_subtrees *b, uint32_t depth, double unknown);
#endif
