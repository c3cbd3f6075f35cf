/* undefined.h -- expressions over memory that nobody has written.
 *
 * Bytes that were never written have a value in every execution, always the same, but none that the
 * program chose.  They are a leaf of expressions, so that they go wherever values go: HD_UNDEFINED,
 * a variable that no model knows and whose every byte is HD_UNDEFINED_BYTE.
 *
 * U1. A leaf of HD_UNDEFINED never leaves the machine: before a decision is told, a condition goes
 *     through hd_undefined_define().
 * U2. Which bits of an expression depend on such leaves is an expression over inputs, by the rules
 *     of MemorySanitizer (bit by bit for logic, moves and comparisons; the union of the operands'
 *     bits for arithmetic): what is masked out, or decided by bits that were written, does not. */
#ifndef HD_SYMBOLIC_UNDEFINED_H
#define HD_SYMBOLIC_UNDEFINED_H
#include "base/map.h"
#include "symbolic/expr.h"

typedef struct hd_undefined {
    hd_graph *g;
    uint32_t generation; /* of the graph: what is remembered is good for it */
    hd_map defined;      /* expression -> the same with values for leaves */
    hd_map bits;         /* expression -> the bits of it that depend on leaves */
    hd_map told;         /* leaves that were told of in this execution */
} hd_undefined;

void hd_undefined_release(hd_undefined *u);
/* Another execution begins: nobody was told of any leaf. */
void hd_undefined_begin(hd_undefined *u, hd_graph *g);

/* Bits that are different leaves for different identities; 1 to 64 of them. */
hd_expr hd_expr_undefined(hd_graph *g, unsigned width, uint16_t identity);
/* Is there a leaf of HD_UNDEFINED in `e`? */
bool hd_expr_is_undefined(const hd_graph *g, hd_expr e);

/* Which bits of `e` nobody wrote (U2): as wide as `e`, and a constant if inputs do not matter. */
hd_expr hd_undefined_bits(hd_undefined *u, hd_expr e);
/* `e` with the values that leaves have in every execution. */
hd_expr hd_undefined_define(hd_undefined *u, hd_expr e);
/* One form for all expressions of one meaning, where that is easy: without leaves that no bit
 * depends on, and as "these bits of the leaf, and those are known" if it is that.  A loop that
 * writes one member of a structure again and again would make longer and longer expressions of the
 * others. */
hd_expr hd_undefined_reduce(hd_undefined *u, hd_expr e);
/* Is there a leaf in `e` that nobody was told of in this execution?  Now somebody is. */
bool hd_undefined_tell(hd_undefined *u, hd_expr e);
#endif
