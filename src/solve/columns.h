/* columns.h -- one operation on columns of numbers. */
#ifndef HD_SOLVE_COLUMNS_H
#define HD_SOLVE_COLUMNS_H
#include "symbolic/expr.h"

/* result, a, b and c are registers; READ: a = where its elements begin, b = its index, c = how
 * many. */
typedef struct hd_column_op {
    uint8_t op, width, from_width; /* from: of the first operand */
    uint8_t cost;                  /* hd_columns_cost() */
    uint16_t aux;                  /* of the node; CONCAT: the width of the second operand */
    uint32_t result, a, b, c;
    uint32_t axes; /* that it depends on, a bit each (grid.c) */
} hd_column_op;

/* The first n entries of the result's column, from those of the operands'. */
void hd_columns_apply(uint64_t *const *columns, const uint32_t *elements, const hd_column_op *x,
                      unsigned n);
/* How long that takes for an entry, as a multiple of what a sum takes. */
unsigned hd_columns_cost(const hd_column_op *x);
#endif
