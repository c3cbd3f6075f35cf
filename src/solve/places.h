/* places.h -- places for expressions, operands first: what those share who turn constraints into
 * instructions (straight.h, grid.h), and who keep something for each of many expressions.
 *
 * A place is a number, 0, 1, ... in the order in which they are given; what lies there is the
 * owner's.  All are forgotten at once, which costs nothing.
 *
 * S1. What next() gives has no place yet, and all its operands have one.
 * Not here: what an instruction computes. */
#ifndef HD_SOLVE_PLACES_H
#define HD_SOLVE_PLACES_H
#include "base/panic.h"
#include "base/vec.h"
#include "symbolic/expr.h"

typedef struct hd_place_of_expr {
    uint32_t stamp, number;
} hd_place_of_expr;

typedef struct hd_places {
    const hd_graph *g;
    hd_vec(hd_place_of_expr) of; /* by expression */
    uint32_t stamp, n;
    hd_vec(hd_expr) todo;      /* a stack: operands above what they are of */
    hd_vec(uint32_t) elements; /* of tables that are read, one table after the other */
} hd_places;

void hd_places_release(hd_places *p);
/* Nothing has a place. */
void hd_places_begin(hd_places *p);
/* Expression ids are void from now on. */
void hd_places_forget(hd_places *p);

static inline bool hd_places_have(const hd_places *p, hd_expr e) {
    return e < p->of.n && p->of.at[e].stamp == p->stamp;
}
static inline uint32_t hd_place_of(const hd_places *p, hd_expr e) {
    HD_CHECK(hd_places_have(p, e));
    return p->of.at[e].number;
}
/* The next place is that of `e`. */
uint32_t hd_places_add(hd_places *p, hd_expr e);

/* `e` is wanted, and what it needs. */
void hd_places_want(hd_places *p, hd_expr e);
/* The next expression to add; HD_NONE: all that was wanted has a place.  False: there are `most`
 * that wait, or a table is too large. */
bool hd_places_next(hd_places *p, uint32_t most, hd_expr *next);

/* Where the operands of an instruction are; of a READ, `a` says where its elements begin and `c`
 * how many there are. */
typedef struct hd_operand_places {
    uint32_t a, b, c;   /* one that is not there is like `a` */
    uint8_t from_width; /* of the first operand */
    uint16_t aux;
} hd_operand_places;
hd_operand_places hd_places_of_operands(hd_places *p, const hd_node *n);
/* The value of what has no operands; false: it is a variable. */
bool hd_leaf_value(const hd_graph *g, hd_expr e, uint64_t *value);
#endif
