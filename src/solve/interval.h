/* interval.h -- between which numbers an expression lies, when its variables lie between given
 * ones.
 *
 * I1. An interval is about the value as a signed number of the expression's width; truth values
 *     (one bit) are 0 and 1.
 * I2. An interval is never too small: what an operation does beyond the simple cases is "any
 *     value". */
#ifndef HD_SOLVE_INTERVAL_H
#define HD_SOLVE_INTERVAL_H
#include "symbolic/expr.h"

typedef struct hd_interval {
    int64_t least, most;
} hd_interval;

typedef struct hd_intervals hd_intervals;

hd_intervals *hd_intervals_new(const hd_graph *g);
void hd_intervals_free(hd_intervals *s);
/* Variables can be anything again. */
void hd_intervals_begin(hd_intervals *s);
/* From now on the unsigned value of `v` is at least `least` and at most `most`. */
void hd_intervals_bound(hd_intervals *s, hd_var v, unsigned width, uint64_t least, uint64_t most);
/* Signed bounds, where the others have none. */
void hd_intervals_bound_signed(hd_intervals *s, hd_var v, int64_t least, int64_t most);
/* From now on the value of `e` is assumed to be between these, signed. */
void hd_intervals_assume(hd_intervals *s, hd_expr e, int64_t least, int64_t most);
/* Was something looked at that has no value between its bounds? */
bool hd_intervals_are_empty(const hd_intervals *s);
hd_interval hd_intervals_of(hd_intervals *s, hd_expr e);
#endif
