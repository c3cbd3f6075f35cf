/* halves.h -- equations whose inputs come apart into two halves.
 *
 * Of `x*x == 61*y*y + 1` all values of the left side are put into a table, and those of the right
 * side are looked up in it: 20,000 + 20,000 steps instead of their product.  Where a variable can
 * be had by dividing, as b of `a * b == n`, only the others are tried.
 *
 * V1. Every solution of the equation with variables in the box is among those that are compared. */
#ifndef HD_SOLVE_HALVES_H
#define HD_SOLVE_HALVES_H
#include "solve/box.h"

typedef struct hd_halves hd_halves;

hd_halves *hd_halves_new(const hd_graph *g);
void hd_halves_free(hd_halves *s);
/* Expression ids are void from now on. */
void hd_halves_forget(hd_halves *s);
/* HD_UNKNOWN if no constraint is such an equation, or there are too many values or solutions. */
hd_verdict hd_halves_try(hd_halves *s, hd_task *t, const hd_side *sides, hd_model *model);
#endif
