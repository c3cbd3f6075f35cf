/* Operations on columns (columns.h).
 *
 * Loops over columns without anything else in them: the compiler makes vector instructions of the
 * simple ones.  Numbers of at most 32 bits are divided as such, which takes a third of the time. */
#include "solve/columns.h"

#include "solve/solve_int.h"

#include "base/panic.h"

#define EACH(value)                                                                                \
    do {                                                                                           \
        for (unsigned i = 0; i < n; i++)                                                           \
            r[i] = (value);                                                                        \
    } while (0)

/* By zero: all bits for numbers that are not negative, one for others.  Minus one has no quotient
 * for the least number, as processors see it. */
static uint64_t quotient_of(int32_t a, int32_t b) {
    if (b == 0)
        return a < 0 ? 1 : UINT64_MAX;
    return b == -1 ? 0 - (uint64_t)(int64_t)a : (uint64_t)(int64_t)(a / b);
}

static uint64_t rest_of(int32_t a, int32_t b) {
    return (uint64_t)(int64_t)(b == 0 ? a : b == -1 ? 0 : a % b);
}

static void divide(uint64_t *restrict r, const uint64_t *a, const uint64_t *b,
                   const hd_column_op *x, unsigned n) {
    uint64_t mask = hd_mask(x->width);
    unsigned w = x->width;
    if (w > 32)
        EACH(hd_op_apply((hd_op)x->op, w, a[i], b[i]));
    else if (x->op == HD_OP_UDIV)
        EACH(b[i] ? (uint32_t)a[i] / (uint32_t)b[i] : mask);
    else if (x->op == HD_OP_UREM)
        EACH(b[i] ? (uint32_t)a[i] % (uint32_t)b[i] : a[i]);
    else if (x->op == HD_OP_SDIV)
        EACH(quotient_of((int32_t)hd_signed(a[i], w), (int32_t)hd_signed(b[i], w)) & mask);
    else
        EACH(rest_of((int32_t)hd_signed(a[i], w), (int32_t)hd_signed(b[i], w)) & mask);
}

/* Shifted to the upper end of a word, numbers of any width compare like words. */
static void compare(uint64_t *restrict r, const uint64_t *a, const uint64_t *b,
                    const hd_column_op *x, unsigned n) {
    unsigned up = 64 - x->from_width;
    switch (x->op) {
    case HD_OP_EQ:
        EACH(a[i] == b[i]);
        return;
    case HD_OP_ULT:
        EACH(a[i] < b[i]);
        return;
    case HD_OP_ULE:
        EACH(a[i] <= b[i]);
        return;
    case HD_OP_SLT:
        EACH((int64_t)(a[i] << up) < (int64_t)(b[i] << up));
        return;
    default:
        EACH((int64_t)(a[i] << up) <= (int64_t)(b[i] << up));
    }
}

static void calculate(uint64_t *restrict r, const uint64_t *a, const uint64_t *b,
                      const hd_column_op *x, unsigned n) {
    uint64_t mask = hd_mask(x->width);
    switch (x->op) {
    case HD_OP_ADD:
        EACH((a[i] + b[i]) & mask);
        return;
    case HD_OP_SUB:
        EACH((a[i] - b[i]) & mask);
        return;
    case HD_OP_MUL:
        EACH(a[i] * b[i] & mask);
        return;
    case HD_OP_AND:
        EACH(a[i] & b[i]);
        return;
    case HD_OP_OR:
        EACH(a[i] | b[i]);
        return;
    case HD_OP_XOR:
        EACH(a[i] ^ b[i]);
        return;
    case HD_OP_CONCAT:
        EACH(a[i] << x->aux | b[i]);
        return;
    case HD_OP_SHL:
        EACH(b[i] < x->width ? a[i] << b[i] & mask : 0);
        return;
    case HD_OP_LSHR:
        EACH(b[i] < x->width ? a[i] >> b[i] : 0);
        return;
    default:
        EACH(hd_op_apply((hd_op)x->op, x->width, a[i], b[i]));
    }
}

static void convert(uint64_t *restrict r, const uint64_t *a, const hd_column_op *x, unsigned n) {
    uint64_t mask = hd_mask(x->width);
    unsigned up = 64 - x->from_width;
    if (x->op == HD_OP_NOT)
        EACH(~a[i] & mask);
    else if (x->op == HD_OP_SEXT)
        EACH((uint64_t)((int64_t)(a[i] << up) >> up) & mask);
    else
        EACH(a[i] >> x->aux & mask);
}

static void read_table(uint64_t *const *columns, const uint32_t *elements, const hd_column_op *x,
                       unsigned n) {
    uint64_t *r = columns[x->result], *index = columns[x->b];
    EACH(index[i] < x->c ? columns[elements[x->a + index[i]]][i] : 0);
}

static void choose(uint64_t *const *columns, const hd_column_op *x, unsigned n) {
    uint64_t *restrict r = columns[x->result];
    const uint64_t *a = columns[x->a], *b = columns[x->b], *c = columns[x->c];
    EACH(a[i] ? b[i] : c[i]);
}

void hd_columns_apply(uint64_t *const *columns, const uint32_t *elements, const hd_column_op *x,
                      unsigned n) {
    uint64_t *r = columns[x->result];
    const uint64_t *a = columns[x->op == HD_OP_READ ? x->b : x->a], *b = columns[x->b];
    HD_ASSERT(x->width >= 1 && x->width <= 64);
    if (x->op == HD_OP_READ)
        read_table(columns, elements, x, n);
    else if (x->op == HD_OP_ITE)
        choose(columns, x, n);
    else if (x->op == HD_OP_NOT || (x->op >= HD_OP_ZEXT && x->op <= HD_OP_EXTRACT))
        convert(r, a, x, n);
    else if (x->op >= HD_OP_EQ && x->op <= HD_OP_SLE)
        compare(r, a, b, x, n);
    else if (x->op >= HD_OP_UDIV && x->op <= HD_OP_SREM)
        divide(r, a, b, x, n);
    else
        calculate(r, a, b, x, n);
}

unsigned hd_columns_cost(const hd_column_op *x) {
    if (x->op >= HD_OP_UDIV && x->op <= HD_OP_SREM)
        return x->width > 32 ? 24 : 10;
    return x->op == HD_OP_ASHR || x->op == HD_OP_READ ? 4 : 1;
}
