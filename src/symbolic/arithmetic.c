/* Rules for +, - and *: constants move outward and meet.
 *
 * (x + c1) + c2, (x + c1) * c2 and the like keep at most one added constant, outermost; that
 * is the shape of address arithmetic and of loop counters. */
#include "symbolic/symbolic_int.h"

static hd_expr add(hd_graph *g, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, HD_OP_ADD, a, b);
}

static hd_expr subtract(hd_graph *g, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, HD_OP_SUB, a, b);
}

static hd_expr constant_minus(hd_graph *g, uint64_t c, hd_expr x) {
    return subtract(g, hd_expr_const(g, hd_expr_width(g, x), c), x);
}

/* a + c */
static hd_expr add_constant(hd_graph *g, hd_expr a, hd_expr b) {
    const hd_node *n = hd_expr_node(g, a);
    uint64_t c = hd_expr_value(g, b), inner;
    hd_expr x;
    if (c == 0)
        return a;
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &inner))
        return hd_expr_with_const(g, HD_OP_ADD, x, inner + c);
    if (n->op == HD_OP_SUB && hd_expr_is_const(g, n->a))
        return constant_minus(g, hd_expr_value(g, n->a) + c, n->b);
    if (n->op == HD_OP_NOT)
        return constant_minus(g, c - 1, n->a);
    return hd_node_make(g, HD_OP_ADD, n->width, a, b);
}

/* (x + c) + y and (c - x) + y, where a holds the constant. */
static hd_expr add_to_constant_sum(hd_graph *g, hd_expr a, hd_expr y) {
    const hd_node *n = hd_expr_node(g, a);
    hd_expr x;
    uint64_t c;
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &c))
        return hd_expr_with_const(g, HD_OP_ADD, add(g, x, y), c);
    if (n->op == HD_OP_SUB && hd_expr_is_const(g, n->a))
        return hd_expr_with_const(g, HD_OP_ADD, subtract(g, y, n->b), hd_expr_value(g, n->a));
    if (n->op == HD_OP_SUB && n->b == y) /* (x - y) + y */
        return n->a;
    return HD_NONE;
}

static hd_expr simplify_add(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    if (hd_expr_is_const(g, b))
        return add_constant(g, a, b);
    if (a == b)
        return hd_expr_with_const(g, HD_OP_SHL, a, 1);
    hd_expr e = add_to_constant_sum(g, a, b);
    if (!e)
        e = add_to_constant_sum(g, b, a);
    if (e)
        return e;
    if ((hd_expr_zeros(g, a) | hd_expr_zeros(g, b)) == hd_mask(width))
        return hd_expr_binary(g, HD_OP_OR, a, b); /* no carries */
    return hd_node_make(g, HD_OP_ADD, width, a, b);
}

/* c - b */
static hd_expr subtract_from_constant(hd_graph *g, hd_expr a, hd_expr b) {
    const hd_node *n = hd_expr_node(g, b);
    uint64_t c = hd_expr_value(g, a), inner;
    hd_expr x;
    HD_CHECK(hd_expr_is_const(g, a) && !hd_expr_is_const(g, b));
    if (c == hd_mask(n->width))
        return hd_expr_not(g, b);
    if (hd_expr_is_with_const(g, b, HD_OP_ADD, &x, &inner))
        return constant_minus(g, c - inner, x);
    if (n->op == HD_OP_NOT)
        return hd_expr_with_const(g, HD_OP_ADD, n->a, c + 1);
    if (n->op == HD_OP_SUB && hd_expr_is_const(g, n->a))
        return hd_expr_with_const(g, HD_OP_ADD, n->b, c - hd_expr_value(g, n->a));
    if (n->op == HD_OP_SUB && c == 0)
        return subtract(g, n->b, n->a);
    return hd_node_make(g, HD_OP_SUB, n->width, a, b);
}

/* What is left of a - b when a term cancels. */
static hd_expr cancel(hd_graph *g, hd_expr a, hd_expr b) {
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    if (na->op == HD_OP_ADD && (na->a == b || na->b == b))
        return na->a == b ? na->b : na->a;
    if (nb->op == HD_OP_SUB && nb->a == a)
        return nb->b;
    if (na->op == HD_OP_SUB && na->a == b)
        return constant_minus(g, 0, na->b);
    if (nb->op == HD_OP_ADD && (nb->a == a || nb->b == a))
        return constant_minus(g, 0, nb->a == a ? nb->b : nb->a);
    return HD_NONE;
}

static hd_expr simplify_subtract(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c;
    hd_expr x;
    if (a == b)
        return hd_expr_const(g, width, 0);
    if (hd_expr_is_const(g, b))
        return hd_expr_with_const(g, HD_OP_ADD, a, 0 - hd_expr_value(g, b));
    if (hd_expr_is_const(g, a))
        return subtract_from_constant(g, a, b);
    hd_expr left = cancel(g, a, b);
    if (left)
        return left;
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &c))
        return hd_expr_with_const(g, HD_OP_ADD, subtract(g, x, b), c);
    if (hd_expr_is_with_const(g, b, HD_OP_ADD, &x, &c))
        return hd_expr_with_const(g, HD_OP_ADD, subtract(g, a, x), 0 - c);
    const hd_node *nb = hd_expr_node(g, b);
    if (nb->op == HD_OP_SUB && hd_expr_is_const(g, nb->a)) /* a - (c - x) */
        return hd_expr_with_const(g, HD_OP_ADD, add(g, a, nb->b), 0 - hd_expr_value(g, nb->a));
    return hd_node_make(g, HD_OP_SUB, width, a, b);
}

/* a * c */
static hd_expr multiply_constant(hd_graph *g, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    uint64_t c = hd_expr_value(g, b), inner;
    hd_expr x;
    if (c == 0)
        return b;
    if ((c & (c - 1)) == 0)
        return hd_expr_with_const(g, HD_OP_SHL, a, (uint64_t)__builtin_ctzll(c));
    if (hd_expr_is_with_const(g, a, HD_OP_MUL, &x, &inner))
        return hd_expr_with_const(g, HD_OP_MUL, x, inner * c);
    if (hd_expr_is_with_const(g, a, HD_OP_SHL, &x, &inner))
        return hd_expr_with_const(g, HD_OP_MUL, x, c << inner);
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &inner)) {
        hd_expr product = hd_expr_with_const(g, HD_OP_MUL, x, c);
        return hd_expr_with_const(g, HD_OP_ADD, product, inner * c);
    }
    if (c == hd_mask(width))
        return constant_minus(g, 0, a);
    return hd_node_make(g, HD_OP_MUL, width, a, b);
}

hd_expr hd_simplify_arithmetic(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op == HD_OP_ADD || op == HD_OP_SUB || op == HD_OP_MUL);
    if (hd_expr_width(g, a) == 1) /* N4 */
        return hd_expr_binary(g, op == HD_OP_MUL ? HD_OP_AND : HD_OP_XOR, a, b);
    if (op == HD_OP_ADD)
        return simplify_add(g, a, b);
    if (op == HD_OP_SUB)
        return simplify_subtract(g, a, b);
    if (hd_expr_is_const(g, b))
        return multiply_constant(g, a, b);
    return hd_node_make(g, op, hd_expr_width(g, a), a, b);
}
