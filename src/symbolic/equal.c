/* Rules for ==.  Against a constant, operations that can be undone are undone, so that what
 * remains is as often as possible "variable == constant". */
#include "symbolic/symbolic_int.h"

static hd_expr equal(hd_graph *g, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, HD_OP_EQ, a, b);
}

static hd_expr equal_to(hd_graph *g, hd_expr a, uint64_t c) {
    return hd_expr_with_const(g, HD_OP_EQ, a, c);
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse_of_odd(uint64_t c) {
    uint64_t x = c;
    for (int i = 0; i < 6; i++)
        x *= 2 - c * x;
    HD_ASSERT(c * x == 1);
    return x;
}

/* (x op k) == c for an operation that has an inverse: make it x == c'.  One step of a loop and
 * not a recursion, because a program may apply thousands of such operations in a row. */
static bool undo_constant(const hd_graph *g, hd_expr *e, uint64_t *c) {
    const hd_node *n = hd_expr_node(g, *e);
    if (!hd_expr_is_const(g, n->b))
        return false;
    uint64_t k = hd_expr_value(g, n->b);
    if (n->op == HD_OP_ADD)
        *c -= k;
    else if (n->op == HD_OP_XOR)
        *c ^= k;
    else if (n->op == HD_OP_MUL && k & 1)
        *c *= inverse_of_odd(k);
    else
        return false;
    *e = n->a;
    return true;
}

static bool undo_operation(const hd_graph *g, hd_expr *e, uint64_t *c) {
    const hd_node *n = hd_expr_node(g, *e);
    bool is_from_constant = n->op == HD_OP_SUB && hd_expr_is_const(g, n->a);
    if (n->op == HD_OP_NOT) {
        *c = ~*c;
        *e = n->a;
    } else if (is_from_constant) {
        *c = hd_expr_value(g, n->a) - *c;
        *e = n->b;
    } else if (n->op == HD_OP_ZEXT && !(*c & hd_expr_zeros(g, *e)))
        *e = n->a;
    else if (!undo_constant(g, e, c))
        return false;
    *c &= hd_mask(n->width);
    return true;
}

static hd_expr equal_or(hd_graph *g, const hd_node *n, uint64_t c) {
    hd_expr x = n->a;
    if (!hd_expr_is_const(g, n->b))
        return HD_NONE;
    uint64_t k = hd_expr_value(g, n->b);
    return k & ~c ? HD_FALSE : equal_to(g, hd_expr_with_const(g, HD_OP_AND, x, ~k), c & ~k);
}

/* (x << k) == c, where the low bits of c were seen to be zero. */
static hd_expr equal_shifted(hd_graph *g, const hd_node *n, uint64_t c) {
    if (!hd_expr_is_const(g, n->b))
        return HD_NONE;
    unsigned k = (unsigned)hd_expr_value(g, n->b);
    HD_ASSERT(k >= 1 && k < n->width && (c & hd_mask(k)) == 0);
    return equal_to(g, hd_expr_extract(g, n->a, 0, n->width - k), c >> k);
}

/* c ? k : y == constant, when k decides its arm; longer chains are left to the solver. */
static hd_expr equal_choice(hd_graph *g, const hd_node *n, uint64_t c) {
    bool yes_known = hd_expr_is_const(g, n->b), no_known = hd_expr_is_const(g, n->c);
    hd_expr other = yes_known ? n->c : n->b;
    hd_op shape = hd_expr_node(g, other)->op;
    bool is_simple = shape == HD_OP_VAR || shape == HD_OP_EXTRACT || shape == HD_OP_READ;
    if (!(yes_known || no_known) || !is_simple)
        return HD_NONE;
    bool decided = hd_expr_value(g, yes_known ? n->b : n->c) == c;
    hd_expr taken = yes_known ? n->a : hd_expr_not(g, n->a), rest = equal_to(g, other, c);
    return decided ? hd_expr_binary(g, HD_OP_OR, taken, rest)
                   : hd_expr_binary(g, HD_OP_AND, hd_expr_not(g, taken), rest);
}

static hd_expr equal_concat(hd_graph *g, const hd_node *n, uint64_t c) {
    if (!hd_expr_is_const(g, n->a) && !hd_expr_is_const(g, n->b))
        return HD_NONE;
    hd_expr high = equal_to(g, n->a, c >> hd_expr_width(g, n->b));
    return hd_expr_binary(g, HD_OP_AND, high, equal_to(g, n->b, c));
}

static hd_expr equal_sext(hd_graph *g, const hd_node *n, uint64_t c) {
    bool fits = hd_sext_value(c, hd_expr_width(g, n->a), n->width) == c;
    return fits ? equal_to(g, n->a, c) : HD_FALSE;
}

/* table[index] == c, when at most one element of a table of constants can be meant. */
static hd_expr equal_read(hd_graph *g, const hd_node *n, uint64_t c) {
    uint32_t size = hd_table_size(g, n->a), found = size;
    const hd_expr *element = hd_table_elements(g, n->a);
    if (size > 256 || (c == 0 && hd_expr_max(g, n->b) >= size))
        return HD_NONE; /* too long to look, or also equal outside the table */
    for (uint32_t i = 0; i < size; i++) {
        if (!hd_expr_is_const(g, element[i]))
            return HD_NONE;
        if (hd_expr_value(g, element[i]) != c)
            continue;
        if (found != size)
            return HD_NONE;
        found = i;
    }
    HD_ASSERT(found <= size);
    return found == size ? HD_FALSE : equal_to(g, n->b, found);
}

/* e == c, when the outermost operation of e tells more. */
static hd_expr equal_by_shape(hd_graph *g, hd_expr e, uint64_t c) {
    const hd_node *n = hd_expr_node(g, e);
    switch ((hd_op)n->op) {
    case HD_OP_SEXT:
        return equal_sext(g, n, c);
    case HD_OP_ITE:
        return equal_choice(g, n, c);
    case HD_OP_CONCAT:
        return equal_concat(g, n, c);
    case HD_OP_READ:
        return equal_read(g, n, c);
    case HD_OP_OR:
        return equal_or(g, n, c);
    case HD_OP_SHL:
        return equal_shifted(g, n, c);
    case HD_OP_SUB:
    case HD_OP_XOR:
        return c == 0 ? equal(g, n->a, n->b) : HD_NONE;
    default:
        return HD_NONE;
    }
}

static hd_expr equal_constant(hd_graph *g, hd_expr a, hd_expr b) {
    hd_expr inner = a;
    uint64_t c = hd_expr_value(g, b);
    while (undo_operation(g, &inner, &c))
        ;
    if (c & hd_expr_zeros(g, inner))
        return HD_FALSE;
    if (inner != a)
        return equal_to(g, inner, c);
    hd_expr e = equal_by_shape(g, a, c);
    return e ? e : hd_node_make(g, HD_OP_EQ, 1, a, b);
}

/* Both sides are extended in one way: compare what was extended. */
static hd_expr equal_extensions(hd_graph *g, const hd_node *na, const hd_node *nb) {
    unsigned wa = hd_expr_width(g, na->a), wb = hd_expr_width(g, nb->a), wide = wa > wb ? wa : wb;
    if (na->op == HD_OP_ZEXT)
        return equal(g, hd_expr_zext(g, na->a, wide), hd_expr_zext(g, nb->a, wide));
    return equal(g, hd_expr_sext(g, na->a, wide), hd_expr_sext(g, nb->a, wide));
}

/* x op y == x op z, where op(x, .) is injective, is y == z; one step of a loop too. */
static bool cancel_common(const hd_graph *g, hd_expr *a, hd_expr *b) {
    const hd_node *na = hd_expr_node(g, *a), *nb = hd_expr_node(g, *b);
    bool commutes = na->op == HD_OP_ADD || na->op == HD_OP_XOR;
    if (na->op != nb->op || (!commutes && na->op != HD_OP_SUB))
        return false;
    if (na->a == nb->a)
        *a = na->b, *b = nb->b;
    else if (na->b == nb->b)
        *a = na->a, *b = nb->a;
    else if (commutes && na->a == nb->b)
        *a = na->b, *b = nb->a;
    else if (commutes && na->b == nb->a)
        *a = na->a, *b = nb->b;
    else
        return false;
    return true;
}

/* x + y == x, and the same for ^ and -: the other operand is zero. */
static hd_expr cancel_whole(hd_graph *g, const hd_node *n, hd_expr whole) {
    if (n->op != HD_OP_ADD && n->op != HD_OP_XOR && n->op != HD_OP_SUB)
        return HD_NONE;
    if (n->a == whole)
        return equal_to(g, n->b, 0);
    return n->b == whole && n->op != HD_OP_SUB ? equal_to(g, n->a, 0) : HD_NONE;
}

/* (x + c1) == (y + c2) keeps one constant, at the operand that was made first. */
static hd_expr gather_constants(hd_graph *g, hd_expr a, hd_expr b) {
    hd_expr x = a, y = b;
    uint64_t c = 0, d = 0;
    bool left = hd_expr_is_with_const(g, a, HD_OP_ADD, &x, &c);
    bool right = hd_expr_is_with_const(g, b, HD_OP_ADD, &y, &d);
    if (left && (right || y < x))
        return equal(g, x, hd_expr_with_const(g, HD_OP_ADD, y, d - c));
    if (right && x < y)
        return equal(g, hd_expr_with_const(g, HD_OP_ADD, x, c - d), y);
    return HD_NONE;
}

static hd_expr equal_terms(hd_graph *g, hd_expr a, hd_expr b) {
    hd_expr x = a, y = b;
    while (cancel_common(g, &x, &y))
        ;
    if (x != a)
        return equal(g, x, y);
    const hd_node *na = hd_expr_node(g, a), *nb = hd_expr_node(g, b);
    if (na->op == nb->op && (na->op == HD_OP_ZEXT || na->op == HD_OP_SEXT))
        return equal_extensions(g, na, nb);
    if (na->op == nb->op && na->op == HD_OP_NOT)
        return equal(g, na->a, nb->a);
    hd_expr e = cancel_whole(g, na, b);
    if (!e)
        e = cancel_whole(g, nb, a);
    return e ? e : gather_constants(g, a, b);
}

hd_expr hd_simplify_equal(hd_graph *g, hd_expr a, hd_expr b) {
    HD_CHECK(hd_expr_is_const(g, b) || !hd_expr_is_const(g, a)); /* a constant stands right */
    if (a == b)
        return HD_TRUE;
    if (hd_expr_width(g, a) == 1) /* N4 */
        return hd_expr_not(g, hd_expr_binary(g, HD_OP_XOR, a, b));
    if (hd_expr_is_const(g, b))
        return equal_constant(g, a, b);
    hd_expr e = equal_terms(g, a, b);
    return e ? e : hd_node_make(g, HD_OP_EQ, 1, a, b);
}
