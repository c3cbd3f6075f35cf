/* Rules for the orders <u, <=u, < and <=.
 *
 * With a constant on one side everything becomes a strict order, and a bound that leaves one
 * value or all but one becomes an equality.  Extensions are compared at their own width:
 * a C comparison of a char with a literal is made on 32 bits and means 8. */
#include "symbolic/symbolic_int.h"

static hd_expr differs(hd_graph *g, hd_expr a, uint64_t c) {
    return hd_expr_not(g, hd_expr_with_const(g, HD_OP_EQ, a, c));
}

static hd_expr equals(hd_graph *g, hd_expr a, uint64_t c) {
    return hd_expr_with_const(g, HD_OP_EQ, a, c);
}

/* op(a, c) or op(c, a) */
static hd_expr compare(hd_graph *g, hd_op op, hd_expr a, uint64_t c, bool constant_is_left) {
    hd_expr constant = hd_expr_const(g, hd_expr_width(g, a), c);
    return constant_is_left ? hd_expr_binary(g, op, constant, a)
                            : hd_expr_binary(g, op, a, constant);
}

static bool is_never_negative(const hd_graph *g, hd_expr e) {
    return hd_expr_zeros(g, e) & hd_sign_bit(hd_expr_width(g, e));
}

/* 1-bit operands (N4); as a signed number the one bit means -1. */
static hd_expr order_bits(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    bool is_signed = op == HD_OP_SLT || op == HD_OP_SLE;
    hd_expr low = is_signed ? b : a, high = is_signed ? a : b;
    bool is_strict = op == HD_OP_ULT || op == HD_OP_SLT;
    return hd_expr_binary(g, is_strict ? HD_OP_AND : HD_OP_OR, hd_expr_not(g, low), high);
}

/* sext(x) against a constant that no sext(x) equals, unsigned: only the sign counts. */
static hd_expr order_sext_unsigned(hd_graph *g, const hd_node *n, uint64_t c, bool is_left) {
    unsigned inner = hd_expr_width(g, n->a);
    if (hd_sext_value(c, inner, n->width) == c)
        return compare(g, HD_OP_ULT, n->a, c, is_left);
    hd_expr is_negative = compare(g, HD_OP_SLT, n->a, 0, false);
    return is_left ? is_negative : hd_expr_not(g, is_negative);
}

static hd_expr order_sext_signed(hd_graph *g, const hd_node *n, uint64_t c, bool is_left) {
    unsigned inner = hd_expr_width(g, n->a);
    if (hd_sext_value(c, inner, n->width) == c)
        return compare(g, HD_OP_SLT, n->a, c, is_left);
    bool is_below = hd_signed(c, n->width) < 0; /* below all values of sext(x), or above all */
    return hd_expr_bool(is_below == is_left);
}

/* concat(h, l) < c when only h counts: the low part of c is all zero, or all one in c < . */
static hd_expr order_concat(hd_graph *g, const hd_node *n, uint64_t c, bool is_left) {
    unsigned low = hd_expr_width(g, n->b);
    HD_ASSERT(n->op == HD_OP_CONCAT && low < n->width);
    if ((c & hd_mask(low)) != (is_left ? hd_mask(low) : 0))
        return HD_NONE;
    return compare(g, HD_OP_ULT, n->a, c >> low, is_left);
}

static hd_expr narrow_unsigned(hd_graph *g, hd_expr a, uint64_t c, bool is_left) {
    const hd_node *n = hd_expr_node(g, a);
    if (n->op == HD_OP_ZEXT)
        return compare(g, HD_OP_ULT, n->a, c, is_left);
    if (n->op == HD_OP_SEXT)
        return order_sext_unsigned(g, n, c, is_left);
    return n->op == HD_OP_CONCAT ? order_concat(g, n, c, is_left) : HD_NONE;
}

/* a <u c */
static hd_expr below_unsigned(hd_graph *g, hd_expr a, hd_expr b) {
    uint64_t c = hd_expr_value(g, b), max = hd_expr_max(g, a);
    if (c == 0 || max < c)
        return hd_expr_bool(c != 0);
    if (c == 1)
        return equals(g, a, 0);
    if (c == max)
        return differs(g, a, max);
    hd_expr e = narrow_unsigned(g, a, c, false);
    return e ? e : hd_node_make(g, HD_OP_ULT, 1, a, b);
}

/* c <u b */
static hd_expr above_unsigned(hd_graph *g, hd_expr a, hd_expr b) {
    uint64_t c = hd_expr_value(g, a), max = hd_expr_max(g, b);
    if (c >= max)
        return HD_FALSE;
    if (c == 0)
        return differs(g, b, 0);
    if (c == max - 1)
        return equals(g, b, max);
    hd_expr e = narrow_unsigned(g, b, c, true);
    return e ? e : hd_node_make(g, HD_OP_ULT, 1, a, b);
}

/* a < c */
static hd_expr below_signed(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b), min = hd_sign_bit(width), max = min - 1;
    if (is_never_negative(g, a))
        return c & min ? HD_FALSE : hd_expr_binary(g, HD_OP_ULT, a, b);
    if (c == min)
        return HD_FALSE;
    if (c == min + 1)
        return equals(g, a, min);
    if (c == max)
        return differs(g, a, max);
    if (hd_expr_has_op(g, a, HD_OP_SEXT))
        return order_sext_signed(g, hd_expr_node(g, a), c, false);
    return hd_node_make(g, HD_OP_SLT, 1, a, b);
}

/* c < b */
static hd_expr above_signed(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, b);
    uint64_t c = hd_expr_value(g, a), min = hd_sign_bit(width), max = min - 1;
    if (is_never_negative(g, b))
        return c & min ? HD_TRUE : hd_expr_binary(g, HD_OP_ULT, a, b);
    if (c == max)
        return HD_FALSE;
    if (c == max - 1)
        return equals(g, b, max);
    if (c == min)
        return differs(g, b, min);
    if (hd_expr_has_op(g, b, HD_OP_SEXT))
        return order_sext_signed(g, hd_expr_node(g, b), c, true);
    return hd_node_make(g, HD_OP_SLT, 1, a, b);
}

/* a <= c is a < c+1 and c <= b is c-1 < b, unless that wraps: then it always holds. */
static hd_expr make_strict(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    bool is_left = hd_expr_is_const(g, a);
    HD_ASSERT(is_left != hd_expr_is_const(g, b) && (op == HD_OP_ULE || op == HD_OP_SLE));
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, is_left ? a : b);
    uint64_t first = op == HD_OP_ULE ? 0 : hd_sign_bit(width);
    uint64_t last = op == HD_OP_ULE ? hd_mask(width) : hd_sign_bit(width) - 1;
    if (c == (is_left ? first : last))
        return HD_TRUE;
    return compare(g, op == HD_OP_ULE ? HD_OP_ULT : HD_OP_SLT, is_left ? b : a,
                   is_left ? c - 1 : c + 1, is_left);
}

static hd_expr order_constant(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    bool is_left = hd_expr_is_const(g, a);
    if (op == HD_OP_ULE || op == HD_OP_SLE)
        return make_strict(g, op, a, b);
    if (op == HD_OP_ULT)
        return is_left ? above_unsigned(g, a, b) : below_unsigned(g, a, b);
    return is_left ? above_signed(g, a, b) : below_signed(g, a, b);
}

/* Both sides extended the same way: extension keeps the order. */
static hd_expr order_extensions(hd_graph *g, hd_op op, const hd_node *na, const hd_node *nb) {
    unsigned wa = hd_expr_width(g, na->a), wb = hd_expr_width(g, nb->a), wide = wa > wb ? wa : wb;
    HD_ASSERT(na->op == nb->op && wide < na->width);
    if (na->op == HD_OP_ZEXT)
        return hd_expr_binary(g, op, hd_expr_zext(g, na->a, wide), hd_expr_zext(g, nb->a, wide));
    return hd_expr_binary(g, op, hd_expr_sext(g, na->a, wide), hd_expr_sext(g, nb->a, wide));
}

static hd_expr order_terms(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    bool is_signed = op == HD_OP_SLT || op == HD_OP_SLE;
    if (is_signed && is_never_negative(g, a) && is_never_negative(g, b))
        return hd_expr_binary(g, op == HD_OP_SLT ? HD_OP_ULT : HD_OP_ULE, a, b);
    if (na->op == nb->op && (na->op == HD_OP_SEXT || na->op == HD_OP_ZEXT))
        return order_extensions(g, op, na, nb);
    return hd_node_make(g, op, 1, a, b);
}

hd_expr hd_simplify_order(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op >= HD_OP_ULT && op <= HD_OP_SLE);
    if (a == b)
        return hd_expr_bool(op == HD_OP_ULE || op == HD_OP_SLE);
    if (hd_expr_width(g, a) == 1)
        return order_bits(g, op, a, b);
    if (hd_expr_is_const(g, a) || hd_expr_is_const(g, b))
        return order_constant(g, op, a, b);
    return order_terms(g, op, a, b);
}
