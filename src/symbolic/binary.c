/* Constructors for NOT and the binary operations: fold, order the operands, dispatch.
 *
 * Every rule keeps the exact machine meaning for every width from 1 to 64.  Rules aim at one
 * normal form for each meaning that C programs often write in several ways, because equal
 * ids are what makes the caches, the path's duplicate check and the contradiction layer hit.
 *
 * N1. In a commutative operation a constant stands right; else the smaller id stands left.
 * N2. Subtracting a constant is adding one; multiplying by 2^k, and shifting by a constant,
 *     is SHL, or an extension of an EXTRACT.
 * N3. Comparisons with a constant are EQ, ULT or SLT; the negation of an order is an order.
 * N4. On one bit there is no arithmetic and no order: AND, OR, XOR and NOT say it all. */
#include "symbolic/symbolic_int.h"

bool hd_expr_two_values(const hd_graph *g, hd_expr e, hd_two_values *out) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_ITE && hd_expr_is_const(g, n->b) && hd_expr_is_const(g, n->c)) {
        *out = (hd_two_values){n->a, hd_expr_value(g, n->b), hd_expr_value(g, n->c)};
        return true;
    }
    if ((n->op == HD_OP_ZEXT || n->op == HD_OP_SEXT) && hd_expr_width(g, n->a) == 1) {
        *out = (hd_two_values){n->a, n->op == HD_OP_ZEXT ? 1 : hd_mask(n->width), 0};
        return true;
    }
    return false;
}

/* N1 */
static bool is_ordered(const hd_graph *g, const hd_node *n) {
    return hd_expr_is_const(g, n->b) || (!hd_expr_is_const(g, n->a) && n->a <= n->b);
}

/* N2, for operations with a constant on the right. */
static bool is_without_inverse(const hd_graph *g, const hd_node *n) {
    uint64_t c = hd_expr_value(g, n->b);
    bool is_right_shift = n->op == HD_OP_LSHR || n->op == HD_OP_ASHR;
    return n->op != HD_OP_SUB && !is_right_shift && (n->op != HD_OP_MUL || (c & (c - 1)) != 0);
}

/* N3 */
static bool is_strict_or_free(const hd_graph *g, const hd_node *n) {
    bool has_constant = hd_expr_is_const(g, n->a) || hd_expr_is_const(g, n->b);
    return !has_constant || (n->op != HD_OP_ULE && n->op != HD_OP_SLE);
}

/* N4; divisions of bits are left as they are. */
static bool is_no_bit_arithmetic(const hd_graph *g, const hd_node *n) {
    bool is_division = n->op >= HD_OP_UDIV && n->op <= HD_OP_SREM;
    bool is_logic = n->op >= HD_OP_AND && n->op <= HD_OP_XOR;
    return hd_expr_width(g, n->a) > 1 || is_division || is_logic;
}

bool hd_node_is_normal(const hd_graph *g, const hd_node *n) {
    if (n->op == HD_OP_NOT)
        return hd_expr_node(g, n->a)->op < HD_OP_ULT || hd_expr_node(g, n->a)->op > HD_OP_SLE;
    if (n->op < HD_OP_ADD || n->op > HD_OP_SLE)
        return true;
    return (!hd_op_is_commutative(n->op) || is_ordered(g, n)) &&
           (!hd_expr_is_const(g, n->b) || is_without_inverse(g, n)) &&
           (!hd_op_is_comparison(n->op) || is_strict_or_free(g, n)) && is_no_bit_arithmetic(g, n);
}

static unsigned result_width(hd_op op, unsigned width) {
    return hd_op_is_comparison(op) ? 1 : width;
}

static hd_expr fold(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    unsigned width = hd_expr_width(g, a);
    HD_ASSERT(hd_expr_is_const(g, a) && hd_expr_is_const(g, b));
    uint64_t value = hd_op_apply(op, width, hd_expr_value(g, a), hd_expr_value(g, b));
    return hd_expr_const(g, result_width(op, width), value);
}

/* op(c ? k1 : k2, k) is c ? op(k1, k) : op(k2, k), and the same with the sides swapped. */
static hd_expr fold_both_ways(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    hd_two_values v;
    bool is_left = hd_expr_is_const(g, b);
    hd_expr chosen = is_left ? a : b;
    if (!hd_expr_two_values(g, chosen, &v))
        return HD_NONE;
    HD_CHECK(hd_expr_width(g, v.condition) == 1);
    if (!hd_op_is_comparison(op) && !hd_expr_has_op(g, chosen, HD_OP_ITE))
        return HD_NONE; /* zext(c) + 1 is as good as c ? 2 : 1 */
    unsigned width = hd_expr_width(g, a), to = result_width(op, width);
    uint64_t k = hd_expr_value(g, is_left ? b : a);
    uint64_t yes = is_left ? hd_op_apply(op, width, v.yes, k) : hd_op_apply(op, width, k, v.yes);
    uint64_t no = is_left ? hd_op_apply(op, width, v.no, k) : hd_op_apply(op, width, k, v.no);
    return hd_expr_ite(g, v.condition, hd_expr_const(g, to, yes), hd_expr_const(g, to, no));
}

static hd_expr simplify(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    switch (op) {
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_MUL:
        return hd_simplify_arithmetic(g, op, a, b);
    case HD_OP_UDIV:
    case HD_OP_SDIV:
    case HD_OP_UREM:
    case HD_OP_SREM:
        return hd_simplify_division(g, op, a, b);
    case HD_OP_AND:
    case HD_OP_OR:
    case HD_OP_XOR:
        return hd_simplify_bitwise(g, op, a, b);
    case HD_OP_SHL:
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return hd_simplify_shift(g, op, a, b);
    case HD_OP_EQ:
        return hd_simplify_equal(g, a, b);
    default:
        return hd_simplify_order(g, op, a, b);
    }
}

static hd_expr build_binary(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    HD_ASSERT(op >= HD_OP_ADD && op <= HD_OP_SLE && hd_expr_width(g, a) == hd_expr_width(g, b));
    HD_INVARIANT(E3, a != HD_NONE && b != HD_NONE);
    bool left = hd_expr_is_const(g, a), right = hd_expr_is_const(g, b);
    if (left && right)
        return fold(g, op, a, b);
    if (hd_op_is_commutative(op) && (left || (!right && a > b))) {
        hd_expr swapped = a;
        a = b, b = swapped;
    }
    if (left || right) {
        hd_expr e = fold_both_ways(g, op, a, b);
        if (e)
            return e;
    }
    return simplify(g, op, a, b);
}

hd_expr hd_expr_binary(hd_graph *g, hd_op op, hd_expr a, hd_expr b) {
    hd_answer *at = hd_answer_slot(g, op, a, b);
    if (hd_answer_is(at, op, a, b))
        return at->result;
    hd_expr e = build_binary(g, op, a, b);
    HD_CHECK(hd_expr_width(g, e) == result_width(op, hd_expr_width(g, a)));
    return hd_answer_put(at, op, a, b, e);
}

/* The order that holds exactly when `n` does not: !(a < b) is b <= a. */
static hd_expr negate_order(hd_graph *g, const hd_node *n) {
    static const hd_op opposite[HD_N_OPS] = {[HD_OP_ULT] = HD_OP_ULE,
                                             [HD_OP_ULE] = HD_OP_ULT,
                                             [HD_OP_SLT] = HD_OP_SLE,
                                             [HD_OP_SLE] = HD_OP_SLT};
    HD_ASSERT(opposite[n->op]);
    return hd_expr_binary(g, opposite[n->op], n->b, n->a);
}

static hd_expr build_not(hd_graph *g, hd_expr a) {
    const hd_node *n = hd_expr_node(g, a);
    hd_expr x;
    uint64_t c;
    if (n->op == HD_OP_CONST)
        return hd_expr_const(g, n->width, ~hd_expr_value(g, a));
    if (n->op == HD_OP_NOT)
        return n->a;
    if (n->op >= HD_OP_ULT && n->op <= HD_OP_SLE)
        return negate_order(g, n);
    if (n->op == HD_OP_SEXT)
        return hd_expr_sext(g, hd_expr_not(g, n->a), n->width);
    if (n->op == HD_OP_ITE && hd_expr_is_const(g, n->b) && hd_expr_is_const(g, n->c))
        return hd_expr_ite(g, n->a, hd_expr_not(g, n->b), hd_expr_not(g, n->c));
    /* ~y is -1 - y */
    if (hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &c))
        return hd_expr_binary(g, HD_OP_SUB, hd_expr_const(g, n->width, ~c), x);
    if (n->op == HD_OP_SUB && hd_expr_is_const(g, n->a))
        return hd_expr_with_const(g, HD_OP_ADD, n->b, ~hd_expr_value(g, n->a));
    if (hd_expr_is_with_const(g, a, HD_OP_XOR, &x, &c))
        return hd_expr_with_const(g, HD_OP_XOR, x, ~c);
    return hd_node_make(g, HD_OP_NOT, n->width, a, 0);
}

hd_expr hd_expr_not(hd_graph *g, hd_expr a) {
    hd_answer *at = hd_answer_slot(g, HD_OP_NOT, a, 0);
    if (hd_answer_is(at, HD_OP_NOT, a, 0))
        return at->result;
    HD_INVARIANT(E3, a != HD_NONE);
    hd_expr e = build_not(g, a);
    HD_CHECK(hd_expr_width(g, e) == hd_expr_width(g, a));
    return hd_answer_put(at, HD_OP_NOT, a, 0, e);
}
