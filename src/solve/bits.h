/* bits.h -- circuits over the literals of a SAT solver.
 *
 * A vector of bits is an array of literals, lowest bit first.  Every gate is a new literal
 * with the clauses that make it equal to its function in both directions, so that a circuit
 * constrains nothing until somebody assumes one of its outputs.  Constant inputs fold, and
 * equal gates are made once.
 *
 * B1. Literal HD_LIT_TRUE is true; its negation is false.
 * Not here: which expression becomes which circuit (blast.c). */
#ifndef HD_SOLVE_BITS_H
#define HD_SOLVE_BITS_H
#include <ccadical.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int hd_lit; /* as in DIMACS: variable number, negative if negated */
#define HD_LIT_TRUE  1
#define HD_LIT_FALSE (-1)

typedef struct hd_gate {
    int kind;
    hd_lit a, b, c, output;
} hd_gate;

typedef struct hd_circuit {
    CCaDiCaL *sat; /* borrowed */
    int n_literals;
    uint64_t n_clauses;
    hd_gate *gates; /* open hash table; output 0 marks an empty slot */
    size_t n_gates, capacity;
} hd_circuit;

/* Circuits go to the fresh solver `sat`. */
void hd_circuit_init(hd_circuit *k, CCaDiCaL *sat);
void hd_circuit_release(hd_circuit *k);

hd_lit hd_lit_new(hd_circuit *k);
hd_lit hd_lit_and(hd_circuit *k, hd_lit a, hd_lit b);
hd_lit hd_lit_xor(hd_circuit *k, hd_lit a, hd_lit b);
hd_lit hd_lit_mux(hd_circuit *k, hd_lit condition, hd_lit yes, hd_lit no);
static inline hd_lit hd_lit_or(hd_circuit *k, hd_lit a, hd_lit b) {
    return -hd_lit_and(k, -a, -b);
}

/* Vectors of `n` bits.  `out` may be one of the operands in none of them. */
void hd_bits_constant(hd_lit *out, uint64_t value, unsigned n);
void hd_bits_add(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n);
void hd_bits_subtract(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n);
void hd_bits_multiply(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n);
/* Division by zero gives all ones and the dividend.  Either result may be NULL. */
void hd_bits_divide(hd_circuit *k, hd_lit *quotient, hd_lit *remainder, const hd_lit *a,
                    const hd_lit *b, unsigned n, bool is_signed);
/* Shifts by a vector of the same width; `fill` comes in from the other end. */
void hd_bits_shift_left(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *by, unsigned n);
void hd_bits_shift_right(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *by, unsigned n,
                         hd_lit fill);
hd_lit hd_bits_equal(hd_circuit *k, const hd_lit *a, const hd_lit *b, unsigned n);
/* a < b, or a <= b. */
hd_lit hd_bits_less(hd_circuit *k, const hd_lit *a, const hd_lit *b, unsigned n, bool or_equal,
                    bool is_signed);
/* rows[index] of `n_rows` rows of n bits, zero outside; overwrites `rows`, which has room for
 * n_rows rounded up to an even number. */
void hd_bits_select(hd_circuit *k, hd_lit *out, hd_lit *rows, size_t n_rows, unsigned n,
                    const hd_lit *index, unsigned index_width);
#endif
