/* stride.h -- every how manyth number a variable can be, as remainders say.
 *
 * `x % 97 == 13` leaves every 97th number, `x * 16807 % 2147483647 == c` one in 2^31, and several
 * such equations one in the product of what they divide by (the Chinese remainder theorem).
 *
 * H1. Every value that satisfies what a stride was made of is `rest` modulo `by`.  There may be
 *     other such numbers: whoever uses a stride checks the constraints themselves. */
#ifndef HD_SOLVE_STRIDE_H
#define HD_SOLVE_STRIDE_H
#include "symbolic/expr.h"

typedef struct hd_stride {
    uint64_t by, rest; /* rest < by; by 1: every number */
    bool is_empty;
} hd_stride;

hd_stride hd_stride_all(void);
/* What is in both. */
hd_stride hd_stride_meet(hd_stride x, hd_stride y);
/* Of the only variable of `e`, which is at most `most`, if `e` holds. */
hd_stride hd_stride_by(const hd_graph *g, hd_expr e, uint64_t most);
#endif
