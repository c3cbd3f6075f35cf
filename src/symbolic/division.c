/* Rules for division and remainder: powers of two become shifts and masks, and operands
 * that are extensions are divided at their own width (a divider's size is quadratic). */
#include "symbolic/symbolic_int.h"

static bool is_power_of_two(uint64_t c) {
    return c && (c & (c - 1)) == 0;
}

static bool is_never_negative(const hd_graph *g, hd_expr e) {
    return hd_expr_zeros(g, e) & hd_sign_bit(hd_expr_width(g, e));
}

/* op(zext x, c) for c != 0 that is not greater than x can be. */
static hd_expr divide_inside_zext(hd_graph *g, hd_op op, hd_expr a, uint64_t c) {
    const hd_node *n = hd_expr_node(g, a);
    HD_ASSERT(n->op == HD_OP_ZEXT && c != 0 && c <= hd_mask(hd_expr_width(g, n->a)));
    return hd_expr_zext(g, hd_expr_with_const(g, op, n->a, c), n->width);
}

static hd_expr divide_unsigned(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b);
    if (c == 0)
        return hd_expr_const(g, width, UINT64_MAX);
    if (is_power_of_two(c))
        return hd_expr_with_const(g, HD_OP_LSHR, a, (uint64_t)__builtin_ctzll(c));
    if (hd_expr_max(g, a) < c)
        return hd_expr_const(g, width, 0);
    if (hd_expr_has_op(g, a, HD_OP_ZEXT))
        return divide_inside_zext(g, HD_OP_UDIV, a, c);
    return hd_node_make(g, HD_OP_UDIV, width, a, b);
}

static hd_expr remainder_unsigned(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b);
    if (c == 0 || hd_expr_max(g, a) < c)
        return a;
    if (is_power_of_two(c))
        return hd_expr_with_const(g, HD_OP_AND, a, c - 1);
    if (hd_expr_has_op(g, a, HD_OP_ZEXT))
        return divide_inside_zext(g, HD_OP_UREM, a, c);
    return hd_node_make(g, HD_OP_UREM, width, a, b);
}

/* op(sext x, c) where c fits the narrow width and the quotient cannot overflow it. */
static hd_expr divide_inside_sext(hd_graph *g, hd_op op, hd_expr a, uint64_t c) {
    const hd_node *n = hd_expr_node(g, a);
    unsigned inner = hd_expr_width(g, n->a);
    if (n->op != HD_OP_SEXT || hd_sext_value(c, inner, n->width) != c)
        return HD_NONE;
    return hd_expr_sext(g, hd_expr_with_const(g, op, n->a, c), n->width);
}

static hd_expr divide_signed(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    bool is_remainder = op == HD_OP_SREM;
    uint64_t c = hd_expr_value(g, b);
    if (c == hd_mask(width))
        return is_remainder ? hd_expr_const(g, width, 0)
                            : hd_expr_binary(g, HD_OP_SUB, hd_expr_const(g, width, 0), a);
    if (c == 1)
        return is_remainder ? hd_expr_const(g, width, 0) : a;
    if (c == 0 && is_remainder)
        return a;
    if (c) {
        hd_expr narrow = divide_inside_sext(g, op, a, c);
        if (narrow)
            return narrow;
    }
    return hd_node_make(g, op, width, a, b);
}

static hd_expr divide_by_constant(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    if (op == HD_OP_UDIV)
        return divide_unsigned(g, a, b);
    if (op == HD_OP_UREM)
        return remainder_unsigned(g, a, b);
    return divide_signed(g, op, a, b);
}

hd_expr hd_simplify_division(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op >= HD_OP_UDIV && op <= HD_OP_SREM);
    bool is_remainder = op == HD_OP_UREM || op == HD_OP_SREM;
    unsigned width = hd_expr_width(g, a);
    if (is_remainder && (a == b || (hd_expr_is_const(g, a) && hd_expr_value(g, a) == 0)))
        return hd_expr_const(g, width, 0);
    if ((op == HD_OP_SDIV || op == HD_OP_SREM) && is_never_negative(g, a) &&
        is_never_negative(g, b))
        return hd_expr_binary(g, op == HD_OP_SDIV ? HD_OP_UDIV : HD_OP_UREM, a, b);
    if (hd_expr_is_const(g, b))
        return divide_by_constant(g, op, a, b);
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    bool is_unsigned = op == HD_OP_UREM; /* x/0 has the width's ones: only % can be narrowed */
    if (is_unsigned && na->op == HD_OP_ZEXT && nb->op == HD_OP_ZEXT &&
        hd_expr_width(g, na->a) == hd_expr_width(g, nb->a))
        return hd_expr_zext(g, hd_expr_binary(g, op, na->a, nb->a), width);
    return hd_node_make(g, op, width, a, b);
}
