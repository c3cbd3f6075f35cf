/* Rules for shifts.  A right shift by a constant only selects bits, so it becomes an
 * extension of an EXTRACT and meets the rules for casts; a left shift stays a product. */
#include "symbolic/symbolic_int.h"

static hd_expr shift_left_constant(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t k = hd_expr_value(g, b), c;
    hd_expr x;
    if (k >= width)
        return hd_expr_const(g, width, 0);
    if (k == 0)
        return a;
    if (hd_expr_is_with_const(g, a, HD_OP_SHL, &x, &c))
        return c + k < width ? hd_expr_with_const(g, HD_OP_SHL, x, c + k)
                             : hd_expr_const(g, width, 0);
    if (hd_expr_is_with_const(g, a, HD_OP_MUL, &x, &c))
        return hd_expr_with_const(g, HD_OP_MUL, x, c << k);
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &c))
        return hd_expr_with_const(g, HD_OP_ADD, hd_expr_with_const(g, HD_OP_SHL, x, k), c << k);
    return hd_node_make(g, HD_OP_SHL, width, a, b);
}

static hd_expr shift_right_constant(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t k = hd_expr_value(g, b);
    if (op == HD_OP_LSHR && k >= width)
        return hd_expr_const(g, width, 0);
    unsigned low = k < width ? (unsigned)k : width - 1;
    HD_ASSERT(low < width);
    hd_expr kept = hd_expr_extract(g, a, low, width - low);
    return op == HD_OP_LSHR ? hd_expr_zext(g, kept, width) : hd_expr_sext(g, kept, width);
}

/* One bit shifted by one bit (N4). */
static hd_expr shift_bit(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    return op == HD_OP_ASHR ? a : hd_expr_binary(g, HD_OP_AND, a, hd_expr_not(g, b));
}

hd_expr hd_simplify_shift(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op >= HD_OP_SHL && op <= HD_OP_ASHR);
    unsigned width = hd_expr_width(g, a);
    if (width == 1)
        return shift_bit(g, op, a, b);
    if (op == HD_OP_ASHR && hd_expr_zeros(g, a) & hd_sign_bit(width))
        op = HD_OP_LSHR;
    if (hd_expr_is_const(g, b))
        return op == HD_OP_SHL ? shift_left_constant(g, a, b) : shift_right_constant(g, op, a, b);
    if (hd_expr_max(g, a) == 0)
        return a;
    if (op == HD_OP_ASHR && hd_expr_is_const(g, a) && hd_expr_value(g, a) == hd_mask(width))
        return a;
    return hd_node_make(g, op, width, a, b);
}
