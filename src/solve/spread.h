/* spread.h -- equalities of choices as choices of equalities.
 *
 * (c ? x : y) == z is c ? x == z : y == z, and the same for what is read from a table.  Comparisons
 * of plain inputs are left, which others can give names to (atoms.h).
 *
 * R1. What comes out has the same value for all inputs. */
#ifndef HD_SOLVE_SPREAD_H
#define HD_SOLVE_SPREAD_H
#include "symbolic/expr.h"

typedef struct hd_spread hd_spread;

hd_spread *hd_spread_new(hd_graph *g);
void hd_spread_free(hd_spread *s);
/* Expression ids are void from now on. */
void hd_spread_forget(hd_spread *s);
/* What is too big stays as it is. */
hd_expr hd_spread_of(hd_spread *s, hd_expr e);
#endif
