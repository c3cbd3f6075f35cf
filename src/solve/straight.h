/* straight.h -- constraints as instructions without branches, to try many values of a few leaves.
 *
 * A leaf is an expression whose value is given from outside, and stands at a level.  What depends
 * on leaves up to a level only is computed at that level: once for all values of the leaves above
 * it. A constraint is checked at the level at which it is known.
 *
 * A1. The registers of an instruction's operands are written at its level or a lower one. */
#ifndef HD_SOLVE_STRAIGHT_H
#define HD_SOLVE_STRAIGHT_H
#include "symbolic/expr.h"

enum { HD_MAX_LEAVES = 16 };

typedef struct hd_straight hd_straight;

hd_straight *hd_straight_new(const hd_graph *g);
void hd_straight_free(hd_straight *s);
/* Expression ids are void from now on. */
void hd_straight_forget(hd_straight *s);

/* No leaves, no constraints. */
void hd_straight_begin(hd_straight *s);
/* The next leaf: number 0, 1, ... of level 1, 2, ... */
void hd_straight_leaf(hd_straight *s, hd_expr e);
/* One more constraint; false if there is too much of it, or a variable that no leaf hides. */
bool hd_straight_add(hd_straight *s, hd_expr constraint);
/* An expression whose value is asked for; false as above. */
bool hd_straight_compute(hd_straight *s, hd_expr e);
uint64_t hd_straight_value(const hd_straight *s, hd_expr e);
/* Does a constraint multiply or divide what is no constant? */
bool hd_straight_is_hard(const hd_straight *s);
void hd_straight_set(hd_straight *s, uint32_t leaf, uint64_t value);
/* Compute a level; false if a constraint of it fails.  Each instruction costs one of `budget`. */
bool hd_straight_run(hd_straight *s, uint32_t level, int64_t *budget);
#endif
