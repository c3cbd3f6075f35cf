/* values_left.h -- one variable with up to a million values: which are left after each constraint.
 *
 * Questions along a path differ in their last constraints.  The values of a variable stand in a
 * line; those that satisfy the first constraint come first, of these those that satisfy the second,
 * and so on. Going back to fewer constraints is a smaller number; each further constraint is
 * computed for those only that are left.
 *
 * A constraint mostly goes on from what the one before it computed, as the steps of a loop do: the
 * last product or quotient of each is kept for all values that are left, so that a step is computed
 * once.
 *
 * N1. The first entries[i].n of the line are those of its values that satisfy the first i + 1
 * constraints.
 * N2. A column that was kept behind n constraints is right for all values that these leave; it is
 * dropped when one of them is. */
#ifndef HD_SOLVE_VALUES_LEFT_H
#define HD_SOLVE_VALUES_LEFT_H
#include "solve/solve_int.h"

typedef struct hd_values_left hd_values_left;

hd_values_left *hd_values_left_new(const hd_graph *g);
void hd_values_left_free(hd_values_left *s);
/* Expression ids are void from now on. */
void hd_values_left_forget(hd_values_left *s);
/* The task has one variable; HD_UNKNOWN if it has too many values or that would take too long. */
hd_verdict hd_values_left_ask(hd_values_left *s, hd_task *t, hd_model *model);
#endif
