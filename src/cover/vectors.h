/* vectors.h -- the test vectors of a decision: which values its conditions can have together.
 *
 * A decision is a graph: each condition has a next one for false and for true, or the decision is
 * made. A way through it is a vector; conditions that it does not come to have no value in it. LLVM
 * gives vectors numbers by adding up what stands at the edges of their way.
 *
 * X1. Numbers are 0, 1, ..., n - 1, each once. */
#ifndef HD_COVER_VECTORS_H
#define HD_COVER_VECTORS_H
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

#define HD_MOST_CONDITIONS 64
#define HD_MOST_VECTORS                                                                            \
    4096 /* of one decision; those with more have no obligations but their branches */

typedef struct hd_decision_graph {
    uint32_t n;                          /* conditions */
    int32_t next[HD_MOST_CONDITIONS][2]; /* by value; -1: made, with that value */
} hd_decision_graph;

typedef struct hd_vector {
    uint64_t asked, values; /* conditions that were come to, and those of them that are true */
    bool result;
} hd_vector;
typedef hd_vec(hd_vector) hd_vectors;

/* All of them, by number.  False if it is no graph of a decision, or has too many. */
bool hd_vectors_make(const hd_decision_graph *g, hd_vectors *out);
/* The condition in which alone two vectors differ, if the decision does too; -1: they are no pair.
 */
int hd_vectors_pair(const hd_vector *a, const hd_vector *b);
#endif
