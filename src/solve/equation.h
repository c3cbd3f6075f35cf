/* equation.h -- an equation as a sum of terms that must be zero.
 *
 * `a*a + b*b == c*c` asks whether three squares add up, and each of them depends on one input. */
#ifndef HD_SOLVE_EQUATION_H
#define HD_SOLVE_EQUATION_H
#include "symbolic/expr.h"

enum { HD_EQUATION_TERMS = 24 };

typedef struct hd_equation {
    unsigned width; /* of all terms */
    uint64_t constant;
    uint32_t n;
    hd_expr terms[HD_EQUATION_TERMS];
    uint64_t factors[HD_EQUATION_TERMS];
} hd_equation;

/* `e` says that constant + the sum of all factors * terms is zero, modulo 2^width.  False if it is
 * no equation, or too long. */
bool hd_equation_read(const hd_graph *g, hd_expr e, hd_equation *q);
#endif
