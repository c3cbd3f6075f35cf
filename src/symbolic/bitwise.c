/* Rules for &, | and ^, which are also the connectives of 1-bit truth values. */
#include "symbolic/symbolic_int.h"

static bool is_order(const hd_graph *g, hd_expr e) {
    hd_op op = hd_expr_node(g, e)->op;
    return op >= HD_OP_ULT && op <= HD_OP_SLE;
}

static bool are_complements(hd_graph *g, hd_expr a, hd_expr b) {
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    if (na->op == HD_OP_NOT || nb->op == HD_OP_NOT)
        return (na->op == HD_OP_NOT && na->a == b) || (nb->op == HD_OP_NOT && nb->a == a);
    return is_order(g, a) && is_order(g, b) && hd_expr_not(g, a) == b;
}

/* op(zext x, c) at x's width: & clears the high bits anyway, | and ^ must leave them alone. */
static hd_expr constant_inside_zext(hd_graph *g, hd_op op, hd_expr a, uint64_t c) {
    const hd_node *n = hd_expr_node(g, a);
    uint64_t inner = hd_mask(hd_expr_width(g, n->a));
    if (n->op != HD_OP_ZEXT || (op != HD_OP_AND && c > inner))
        return HD_NONE;
    return hd_expr_zext(g, hd_expr_with_const(g, op, n->a, c & inner), n->width);
}

static hd_expr and_constant(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b), possible = hd_expr_max(g, a), inner;
    hd_expr x;
    if ((c & possible) == 0)
        return hd_expr_const(g, width, 0);
    if ((~c & possible) == 0)
        return a;
    if (hd_expr_is_with_const(g, a, HD_OP_AND, &x, &inner))
        return hd_expr_with_const(g, HD_OP_AND, x, inner & c);
    if ((c & (c + 1)) == 0) { /* a low mask */
        unsigned low = (unsigned)__builtin_popcountll(c);
        HD_ASSERT(low >= 1 && low < width);
        return hd_expr_zext(g, hd_expr_extract(g, a, 0, low), width);
    }
    x = constant_inside_zext(g, HD_OP_AND, a, c);
    return x ? x : hd_node_make(g, HD_OP_AND, width, a, b);
}

static hd_expr or_constant(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b), inner;
    hd_expr x;
    if (c == 0)
        return a;
    if (c == hd_mask(width))
        return b;
    if (hd_expr_is_with_const(g, a, HD_OP_OR, &x, &inner))
        return hd_expr_with_const(g, HD_OP_OR, x, inner | c);
    x = constant_inside_zext(g, HD_OP_OR, a, c);
    if (!x)
        x = hd_expr_join_disjoint(g, a, b);
    return x ? x : hd_node_make(g, HD_OP_OR, width, a, b);
}

static hd_expr xor_constant(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b), inner;
    hd_expr x;
    if (c == 0)
        return a;
    if (c == hd_mask(width))
        return hd_expr_not(g, a);
    if (hd_expr_is_with_const(g, a, HD_OP_XOR, &x, &inner))
        return hd_expr_with_const(g, HD_OP_XOR, x, inner ^ c);
    if (hd_expr_has_op(g, a, HD_OP_NOT))
        return hd_expr_with_const(g, HD_OP_XOR, hd_expr_node(g, a)->a, ~c);
    x = constant_inside_zext(g, HD_OP_XOR, a, c);
    return x ? x : hd_node_make(g, HD_OP_XOR, width, a, b);
}

static hd_expr with_constant(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    if (op == HD_OP_AND)
        return and_constant(g, a, b);
    return op == HD_OP_OR ? or_constant(g, a, b) : xor_constant(g, a, b);
}

/* x & (x & y), x & (x | y), x | (x | y), x | (x & y), x ^ (x ^ y); b is the inner one. */
static hd_expr absorb(const hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    const hd_node *n = hd_expr_node(g, b);
    if (n->op < HD_OP_AND || n->op > HD_OP_XOR || (n->a != a && n->b != a))
        return HD_NONE;
    if (op == HD_OP_XOR || n->op == HD_OP_XOR)
        return op == (hd_op)n->op ? (n->a == a ? n->b : n->a) : HD_NONE;
    return op == (hd_op)n->op ? b : a;
}

/* op(zext x, zext y) at the wider of their widths. */
static hd_expr inside_zext(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    if (na->op != HD_OP_ZEXT || nb->op != HD_OP_ZEXT)
        return HD_NONE;
    unsigned wa = hd_expr_width(g, na->a), wb = hd_expr_width(g, nb->a), wide = wa > wb ? wa : wb;
    hd_expr inner =
        hd_expr_binary(g, op, hd_expr_zext(g, na->a, wide), hd_expr_zext(g, nb->a, wide));
    return hd_expr_zext(g, inner, na->width);
}

/* Negations leave an exclusive or: at most one stays, outermost. */
static hd_expr pull_not_out(hd_graph *g, hd_expr a, hd_expr b) {
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    if (na->op != HD_OP_NOT && nb->op != HD_OP_NOT)
        return HD_NONE;
    hd_expr x = na->op == HD_OP_NOT ? na->a : a, y = nb->op == HD_OP_NOT ? nb->a : b;
    hd_expr inner = hd_expr_binary(g, HD_OP_XOR, x, y);
    return na->op == nb->op ? inner : hd_expr_not(g, inner);
}

static hd_expr when_same(hd_graph *g, hd_op op, hd_expr a) {
    return op == HD_OP_XOR ? hd_expr_const(g, hd_expr_width(g, a), 0) : a;
}

static hd_expr when_complements(hd_graph *g, hd_op op, hd_expr a) {
    return hd_expr_const(g, hd_expr_width(g, a), op == HD_OP_AND ? 0 : UINT64_MAX);
}

hd_expr hd_simplify_bitwise(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op == HD_OP_AND || op == HD_OP_OR || op == HD_OP_XOR);
    if (hd_expr_is_const(g, b))
        return with_constant(g, op, a, b);
    if (a == b)
        return when_same(g, op, a);
    if (are_complements(g, a, b))
        return when_complements(g, op, a);
    hd_expr e = absorb(g, op, a, b);
    if (!e)
        e = absorb(g, op, b, a);
    if (!e && op == HD_OP_XOR)
        e = pull_not_out(g, a, b);
    if (!e)
        e = inside_zext(g, op, a, b);
    if (!e && op == HD_OP_OR)
        e = hd_expr_join_disjoint(g, a, b);
    if (e)
        return e;
    unsigned width = hd_expr_width(g, a);
    bool are_disjoint = (hd_expr_zeros(g, a) | hd_expr_zeros(g, b)) == hd_mask(width);
    if (are_disjoint && op == HD_OP_AND)
        return hd_expr_const(g, width, 0);
    if (are_disjoint && op == HD_OP_XOR)
        return hd_expr_binary(g, HD_OP_OR, a, b);
    return hd_node_make(g, op, width, a, b);
}
