/* linear.h -- inequalities between sums of products that cannot hold together.
 *
 * Unknowns are eliminated one after the other, as Fourier and Motzkin did; a product of atoms is an
 * unknown like any other.  What is left without unknowns and says that a number below zero is at
 * least zero is a proof.  Rows that do not fit are left out, which makes proofs fewer, not wrong.
 *
 *     floor(x * 0xcccccccd / 2^35) and floor(x / 10) are two whole numbers that four inequalities
 *     describe; that one of them is greater contradicts these while x is below 2^32.
 *
 * M1. Every row follows from those that were added, for whole numbers. */
#ifndef HD_SOLVE_LINEAR_H
#define HD_SOLVE_LINEAR_H
#include "solve/polynomial.h"

typedef struct hd_linear hd_linear;

hd_linear *hd_linear_new(void);
void hd_linear_free(hd_linear *s);
void hd_linear_begin(hd_linear *s);
/* From now on factor * p is at most `most`. */
void hd_linear_add(hd_linear *s, int64_t factor, const hd_polynomial *p, __int128 most);
/* Can the inequalities not hold together?  They are gone then. */
bool hd_linear_is_impossible(hd_linear *s);
/* The unknowns so far: products of atoms. */
uint32_t hd_linear_n_unknowns(const hd_linear *s);
const hd_term *hd_linear_unknown(const hd_linear *s, uint32_t i);
#endif
