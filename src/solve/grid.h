/* grid.h -- all combinations of values of a few variables, a block of them at a time.
 *
 * Each variable is an axis with the values that it can have.  Constraints are instructions whose
 * registers are columns: one instruction computes its result for up to 64 combinations, so that
 * finding out what to do next costs little of each.  What depends on one axis only is computed once
 * for every value of it, and values of an axis that look alike from outside (x & 1 of all even x)
 * are one row of it.
 *
 * K1. For every combination of values that satisfies the constraints there is one of rows that
 *     does, and the values of that one satisfy them too.
 * K2. The operands of an instruction are computed before it: at its level or a lower one.
 * Not here: which values a variable can have (domain.c, arc.h), many values of one (values_left.h).
 */
#ifndef HD_SOLVE_GRID_H
#define HD_SOLVE_GRID_H
#include "solve/chain.h"

enum {
    HD_GRID_AXES = 24,
    HD_GRID_BLOCK = 64,
    HD_GRID_ROWS = 1 << 16, /* values of an axis */
};

typedef struct hd_grid hd_grid;

hd_grid *hd_grid_new(const hd_graph *g);
void hd_grid_free(hd_grid *s);
/* Expression ids are void from now on. */
void hd_grid_forget(hd_grid *s);

/* No axes, no constraints. */
void hd_grid_begin(hd_grid *s);
/* The next axis, number 0, 1, ...; `values` are borrowed until the search. */
void hd_grid_axis(hd_grid *s, hd_expr variable, const uint64_t *values, uint32_t n);
/* A variable that keeps one value.  All axes and these come before the constraints. */
void hd_grid_fix(hd_grid *s, hd_expr variable, uint64_t value);
/* One more constraint; false if there is too much of it, or it has a variable that has no values.
 */
bool hd_grid_add(hd_grid *s, hd_expr constraint);
/* Does a constraint multiply or divide what is no constant? */
bool hd_grid_is_hard(const hd_grid *s);
/* HD_SAT with a value for each axis in `chosen`, HD_UNSAT when all was tried, HD_UNKNOWN when
 * `budget` is spent: about a third of a nanosecond each. */
hd_verdict hd_grid_search(hd_grid *s, int64_t *budget, uint64_t *chosen);
/* A search that begins near: all values of one of the first `n_near` axes while the others have
 * their first ones are tried before. */
hd_verdict hd_grid_search_near(hd_grid *s, uint32_t n_near, int64_t *budget, uint64_t *chosen);

/* With one axis, before the constraint: the value of `e` for each offset is known, and not computed
 * again.  Borrowed until the filter. */
void hd_grid_give(hd_grid *s, hd_expr e, const uint32_t *by_offset);
/* With one axis, behind the constraint: the last product or quotient of at most 32 bits that it
 * computes, HD_NONE if there is none. */
hd_expr hd_grid_heaviest(const hd_grid *s);
/* The filter puts the values of `e`, which the constraint computes, there. */
void hd_grid_keep(hd_grid *s, hd_expr e, uint32_t *by_offset);
/* With one axis: those of its values start + offset that satisfy the constraints come first among
 * `offsets`; how many.  Costs n times what hd_grid_cost() says, in units of the budget. */
uint32_t hd_grid_filter(hd_grid *s, uint64_t start, uint64_t mask, uint32_t *offsets, uint32_t n);
int64_t hd_grid_cost(const hd_grid *s);
#endif
