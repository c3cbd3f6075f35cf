/* sums.h -- goals that sums of products decide.
 *
 * A number that is taken to pieces and put together again (digits, bytes, limbs with carries) is
 * the same number, which gates show only by trying.  Every expression is a polynomial over whole
 * numbers (polynomial.h): what wraps around is x - 2^n * floor(x / 2^n), a remainder is
 * x - c * floor(x / c), and floors are atoms by what is divided and by what.  In the difference of
 * the two sides of a goal they cancel, or a bound of it decides.
 *
 * Comparisons with constants among the constraints bound polynomials; floors of what is bounded are
 * often constants.
 *
 * P1. Under the constraints, the polynomial of an expression has its value, as a number that is not
 *     negative.
 * P2. A range of a polynomial has all its values under the constraints. */
#ifndef HD_SOLVE_SUMS_H
#define HD_SOLVE_SUMS_H
#include "solve/solve_int.h"

typedef struct hd_sums hd_sums;

hd_sums *hd_sums_new(hd_graph *g);
void hd_sums_free(hd_sums *s);
/* Is the goal false wherever the constraints before it hold? */
bool hd_sums_refute(hd_sums *s, const hd_task *t);
#endif
