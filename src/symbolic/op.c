/* Machine arithmetic on 1 to 64 bits, with the corners as SMT-LIB's QF_BV defines them.
 *
 * Constant folding, evaluation and the tests against the CPU all go through here. */
#include "symbolic/symbolic_int.h"

static uint64_t divide_signed(unsigned width, uint64_t x, uint64_t y) {
    int64_t sx = hd_signed(x, width), sy = hd_signed(y, width);
    if (sy == 0)
        return sx < 0 ? 1 : UINT64_MAX;
    if (sy == -1) /* INT64_MIN / -1 traps on the CPU */
        return 0 - x;
    return (uint64_t)(sx / sy);
}

static uint64_t remainder_signed(unsigned width, uint64_t x, uint64_t y) {
    int64_t sx = hd_signed(x, width), sy = hd_signed(y, width);
    if (sy == 0)
        return x;
    return sy == -1 ? 0 : (uint64_t)(sx % sy);
}

static uint64_t shift_right_signed(unsigned width, uint64_t x, uint64_t y) {
    return (uint64_t)(hd_signed(x, width) >> (y < width ? y : width - 1));
}

static uint64_t apply_unmasked(hd_op op, unsigned width, uint64_t x, uint64_t y) {
    switch (op) {
    case HD_OP_ADD:
        return x + y;
    case HD_OP_SUB:
        return x - y;
    case HD_OP_MUL:
        return x * y;
    case HD_OP_UDIV:
        return y ? x / y : UINT64_MAX;
    case HD_OP_SDIV:
        return divide_signed(width, x, y);
    case HD_OP_UREM:
        return y ? x % y : x;
    case HD_OP_SREM:
        return remainder_signed(width, x, y);
    case HD_OP_AND:
        return x & y;
    case HD_OP_OR:
        return x | y;
    case HD_OP_XOR:
        return x ^ y;
    case HD_OP_SHL:
        return y < width ? x << y : 0;
    case HD_OP_LSHR:
        return y < width ? x >> y : 0;
    case HD_OP_ASHR:
        return shift_right_signed(width, x, y);
    case HD_OP_EQ:
        return x == y;
    case HD_OP_ULT:
        return x < y;
    case HD_OP_ULE:
        return x <= y;
    case HD_OP_SLT:
        return hd_signed(x, width) < hd_signed(y, width);
    case HD_OP_SLE:
        return hd_signed(x, width) <= hd_signed(y, width);
    default:
        HD_BUG("operation %d is not binary", op);
    }
}

uint64_t hd_op_apply(hd_op op, unsigned width, uint64_t x, uint64_t y) {
    HD_CHECK(width >= 1 && width <= 64);
    HD_CHECK(((x | y) & ~hd_mask(width)) == 0);
    return apply_unmasked(op, width, x, y) & hd_mask(width);
}
