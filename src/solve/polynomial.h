/* polynomial.h -- sums of products of atoms, with whole numbers as factors.
 *
 * An atom is a number from 1 on that stands for an unknown whole number; what it is, is the
 * owner's.
 *
 * Y1. Terms are sorted by their atoms, each product of atoms is there once, and no factor is zero.
 * Y2. What does not fit (too many terms or atoms, a factor beyond 64 bits) makes it lost, and so is
 *     all that is made of it: nothing is known of its value. */
#ifndef HD_SOLVE_POLYNOMIAL_H
#define HD_SOLVE_POLYNOMIAL_H
#include <stdbool.h>
#include <stdint.h>

enum {
    HD_DEGREE = 3, /* atoms of a product */
    HD_TERMS = 24,
};

typedef struct hd_term {
    uint32_t atoms[HD_DEGREE]; /* descending, 0 behind the last */
    int64_t factor;
} hd_term;

typedef struct hd_polynomial {
    int64_t constant;
    uint32_t n;
    bool is_lost;
    hd_term terms[HD_TERMS];
} hd_polynomial;

hd_polynomial hd_polynomial_constant(int64_t value);
hd_polynomial hd_polynomial_atom(uint32_t atom);
/* p + factor * q */
hd_polynomial hd_polynomial_add(const hd_polynomial *p, int64_t factor, const hd_polynomial *q);
hd_polynomial hd_polynomial_multiply(const hd_polynomial *p, const hd_polynomial *q);
/* But for their constants, the same? */
bool hd_polynomial_is_alike(const hd_polynomial *p, const hd_polynomial *q);
#endif
