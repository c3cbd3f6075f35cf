/* path.h -- the path constraint: what the inputs must satisfy to follow the current path.
 *
 * A stack of 1-bit expressions, each oriented so that it holds on the path.  It is kept
 * between executions: the next execution shares a prefix, so only the rest is pushed again.
 *
 * P1. Constraint i was pushed before constraint i+1; truncating to n keeps 0..n-1.
 * P2. occurrences of a variable are listed in ascending order of constraint index.
 * Not here: which branch gave a constraint, and whether it can be flipped (explore/inputs/tree.h). */
#ifndef HD_SYMBOLIC_PATH_H
#define HD_SYMBOLIC_PATH_H
#include "base/vec.h"
#include "symbolic/expr.h"

typedef struct hd_path hd_path;
typedef hd_vec(uint32_t) hd_indices;

hd_path *hd_path_new(const hd_graph *g);
void hd_path_free(hd_path *p);
void hd_path_push(hd_path *p, hd_expr constraint);
void hd_path_truncate(hd_path *p, uint32_t n);
uint32_t hd_path_length(const hd_path *p);
hd_expr hd_path_at(const hd_path *p, uint32_t i);
/* Rename the constraints after hd_graph_compact; `roots` access for it. */
hd_expr *hd_path_slot(hd_path *p, uint32_t i);

/* Is `constraint` one of the first n, literally?  O(1). */
bool hd_path_contains(const hd_path *p, uint32_t n, hd_expr constraint);

/* OPT 3 (paper 002, 4.1.5): the indices < n of the constraints that share variables with
 * `goal`, directly or through others, ascending and without duplicates (OPT 2: a constraint
 * that occurs twice is listed once).  `out` is cleared first. */
void hd_path_slice(hd_path *p, uint32_t n, hd_expr goal, hd_indices *out);

/* Indices of the constraints that mention `v`, ascending. */
const hd_indices *hd_path_occurrences(const hd_path *p, hd_var v);
#endif
