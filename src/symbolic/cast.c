/* Rules for ZEXT, SEXT, EXTRACT and CONCAT: values that are cut into bytes, stored, loaded
 * and glued together again are the values that they were.
 *
 * W1. CONCAT nests to the right, and no two neighbours in it could be one EXTRACT. */
#include "symbolic/symbolic_int.h"

static hd_expr make_extract(hd_graph *g, hd_expr a, unsigned low, unsigned width) {
    HD_CHECK(low + width <= hd_expr_width(g, a) && width < hd_expr_width(g, a));
    return hd_node_intern(g, hd_node_pack(HD_OP_EXTRACT, width, low, a, 0, 0));
}

static bool is_constant_choice(const hd_graph *g, const hd_node *n) {
    return n->op == HD_OP_ITE && hd_expr_is_const(g, n->b) && hd_expr_is_const(g, n->c);
}

static bool is_zext_or_const(const hd_graph *g, hd_expr e) {
    return hd_expr_has_op(g, e, HD_OP_ZEXT) || hd_expr_is_const(g, e);
}

/* A sum or product of extensions that cannot overflow: extend the operands instead.  Bytes of
 * promoted arithmetic that come back from memory are then what they were before. */
static hd_expr extend_operands(hd_graph *g, const hd_node *n, unsigned width) {
    if ((n->op != HD_OP_ADD && n->op != HD_OP_MUL) || !is_zext_or_const(g, n->a) ||
        !is_zext_or_const(g, n->b))
        return HD_NONE;
    uint64_t x = hd_expr_max(g, n->a), y = hd_expr_max(g, n->b), most;
    bool overflows = n->op == HD_OP_ADD ? __builtin_add_overflow(x, y, &most)
                                        : __builtin_mul_overflow(x, y, &most);
    if (overflows || most > hd_mask(n->width))
        return HD_NONE;
    return hd_expr_binary(g, (hd_op)n->op, hd_expr_zext(g, n->a, width),
                          hd_expr_zext(g, n->b, width));
}

static hd_expr build_zext(hd_graph *g, hd_expr a, unsigned width) {
    const hd_node *n = hd_expr_node(g, a);
    HD_ASSERT(width >= n->width && width <= 64);
    if (width == n->width)
        return a;
    if (n->op == HD_OP_CONST)
        return hd_expr_const(g, width, hd_expr_value(g, a));
    if (n->op == HD_OP_ZEXT)
        return hd_expr_zext(g, n->a, width);
    if (is_constant_choice(g, n))
        return hd_expr_ite(g, n->a, hd_expr_zext(g, n->b, width), hd_expr_zext(g, n->c, width));
    if (n->op == HD_OP_CONCAT && hd_expr_max(g, n->b) == 0)
        return hd_expr_with_const(g, HD_OP_SHL, hd_expr_zext(g, n->a, width),
                                  hd_expr_width(g, n->b));
    hd_expr e = extend_operands(g, n, width);
    return e ? e : hd_node_make(g, HD_OP_ZEXT, width, a, 0);
}

hd_expr hd_expr_zext(hd_graph *g, hd_expr a, unsigned width) {
    hd_answer *at = hd_answer_slot(g, HD_OP_ZEXT, a, width);
    if (hd_answer_is(at, HD_OP_ZEXT, a, width))
        return at->result;
    HD_INVARIANT(E3, a != HD_NONE);
    hd_expr e = build_zext(g, a, width);
    HD_CHECK(hd_expr_width(g, e) == width);
    return hd_answer_put(at, HD_OP_ZEXT, a, width, e);
}

static hd_expr build_sext(hd_graph *g, hd_expr a, unsigned width) {
    const hd_node *n = hd_expr_node(g, a);
    HD_ASSERT(width >= n->width && width <= 64);
    if (width == n->width)
        return a;
    if (n->op == HD_OP_CONST)
        return hd_expr_const(g, width, (uint64_t)hd_signed(hd_expr_value(g, a), n->width));
    if (hd_expr_zeros(g, a) & hd_sign_bit(n->width))
        return hd_expr_zext(g, a, width);
    if (n->op == HD_OP_SEXT)
        return hd_expr_sext(g, n->a, width);
    if (is_constant_choice(g, n))
        return hd_expr_ite(g, n->a, hd_expr_sext(g, n->b, width), hd_expr_sext(g, n->c, width));
    return hd_node_make(g, HD_OP_SEXT, width, a, 0);
}

hd_expr hd_expr_sext(hd_graph *g, hd_expr a, unsigned width) {
    hd_answer *at = hd_answer_slot(g, HD_OP_SEXT, a, width);
    if (hd_answer_is(at, HD_OP_SEXT, a, width))
        return at->result;
    HD_INVARIANT(E3, a != HD_NONE);
    hd_expr e = build_sext(g, a, width);
    HD_CHECK(hd_expr_width(g, e) == width);
    return hd_answer_put(at, HD_OP_SEXT, a, width, e);
}

static bool truncates_freely(const hd_graph *g, hd_expr e, unsigned width, int depth) {
    const hd_node *n = hd_expr_node(g, e);
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
    case HD_OP_CONCAT:
        return true;
    case HD_OP_NOT:
        return depth && truncates_freely(g, n->a, width, depth - 1);
    case HD_OP_SHL:
        if (!hd_expr_is_const(g, n->b))
            return false; /* fall through */
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_MUL:
    case HD_OP_AND:
    case HD_OP_OR:
    case HD_OP_XOR:
        return depth && truncates_freely(g, n->a, width, depth - 1) &&
               truncates_freely(g, n->b, width, depth - 1);
    default:
        return false;
    }
}

bool hd_expr_truncates_freely(const hd_graph *g, hd_expr e, unsigned width) {
    return truncates_freely(g, e, width, 4);
}

static hd_expr extract_zext(hd_graph *g, hd_expr x, unsigned low, unsigned width) {
    unsigned inner = hd_expr_width(g, x);
    HD_ASSERT(low < inner); /* not all wanted bits are known zeros */
    if (low + width <= inner)
        return hd_expr_extract(g, x, low, width);
    return hd_expr_zext(g, hd_expr_extract(g, x, low, inner - low), width);
}

static hd_expr extract_sext(hd_graph *g, hd_expr x, unsigned low, unsigned width) {
    unsigned inner = hd_expr_width(g, x);
    if (low + width <= inner)
        return hd_expr_extract(g, x, low, width);
    unsigned from = low < inner ? low : inner - 1;
    return hd_expr_sext(g, hd_expr_extract(g, x, from, inner - from), width);
}

static hd_expr extract_concat(hd_graph *g, const hd_node *n, unsigned low, unsigned width) {
    unsigned split = hd_expr_width(g, n->b);
    if (low >= split)
        return hd_expr_extract(g, n->a, low - split, width);
    if (low + width <= split)
        return hd_expr_extract(g, n->b, low, width);
    hd_expr high = hd_expr_extract(g, n->a, 0, low + width - split);
    return hd_expr_concat(g, high, hd_expr_extract(g, n->b, low, split - low));
}

/* Bits of x << k, not all of them among the k zeros. */
static hd_expr extract_shifted(hd_graph *g, hd_expr x, unsigned k, unsigned low, unsigned width) {
    HD_ASSERT(k >= 1 && low + width > k);
    if (low >= k)
        return hd_expr_extract(g, x, low - k, width);
    if (low == 0 && hd_expr_truncates_freely(g, x, width))
        return hd_expr_with_const(g, HD_OP_SHL, hd_expr_extract(g, x, 0, width), k);
    hd_expr high = hd_expr_extract(g, x, 0, low + width - k);
    return hd_expr_concat(g, high, hd_expr_const(g, k - low, 0));
}

/* The low bits of a sum depend on the low bits of the terms alone. */
static hd_expr extract_low(hd_graph *g, hd_expr a, unsigned width) {
    const hd_node *n = hd_expr_node(g, a);
    bool is_binary = n->op >= HD_OP_ADD && n->op <= HD_OP_XOR && n->op != HD_OP_UDIV &&
                     n->op != HD_OP_SDIV && n->op != HD_OP_UREM && n->op != HD_OP_SREM;
    if ((!is_binary && n->op != HD_OP_NOT) || !hd_expr_truncates_freely(g, a, width))
        return HD_NONE;
    hd_expr x = hd_expr_extract(g, n->a, 0, width);
    if (n->op == HD_OP_NOT)
        return hd_expr_not(g, x);
    return hd_expr_binary(g, (hd_op)n->op, x, hd_expr_extract(g, n->b, 0, width));
}

static hd_expr extract_from(hd_graph *g, hd_expr a, unsigned low, unsigned width) {
    const hd_node *n = hd_expr_node(g, a);
    hd_expr x;
    uint64_t k;
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        return hd_expr_const(g, width, hd_expr_value(g, a) >> low);
    case HD_OP_EXTRACT:
        return hd_expr_extract(g, n->a, n->aux + low, width);
    case HD_OP_ZEXT:
        return extract_zext(g, n->a, low, width);
    case HD_OP_SEXT:
        return extract_sext(g, n->a, low, width);
    case HD_OP_CONCAT:
        return extract_concat(g, n, low, width);
    case HD_OP_SHL:
        if (hd_expr_is_with_const(g, a, HD_OP_SHL, &x, &k))
            return extract_shifted(g, x, (unsigned)k, low, width);
        return HD_NONE;
    case HD_OP_ITE:
        if (!is_constant_choice(g, n))
            return HD_NONE;
        return hd_expr_ite(g, n->a, hd_expr_extract(g, n->b, low, width),
                           hd_expr_extract(g, n->c, low, width));
    default:
        return low == 0 ? extract_low(g, a, width) : HD_NONE;
    }
}

static hd_expr build_extract(hd_graph *g, hd_expr a, unsigned low, unsigned width) {
    unsigned whole = hd_expr_width(g, a);
    HD_ASSERT(width >= 1 && low + width <= whole);
    if (width == whole)
        return a;
    uint64_t wanted = hd_mask(width) << low;
    if ((hd_expr_zeros(g, a) & wanted) == wanted)
        return hd_expr_const(g, width, 0);
    hd_expr e = extract_from(g, a, low, width);
    return e ? e : make_extract(g, a, low, width);
}

hd_expr hd_expr_extract(hd_graph *g, hd_expr a, unsigned low, unsigned width) {
    uint32_t which = low << 8 | width;
    hd_answer *at = hd_answer_slot(g, HD_OP_EXTRACT, a, which);
    if (hd_answer_is(at, HD_OP_EXTRACT, a, which))
        return at->result;
    HD_INVARIANT(E3, a != HD_NONE);
    hd_expr e = build_extract(g, a, low, width);
    HD_CHECK(hd_expr_width(g, e) == width);
    return hd_answer_put(at, HD_OP_EXTRACT, a, which, e);
}

/* One EXTRACT (or constant) in place of two neighbours; HD_NONE if they are not of one piece. */
static hd_expr merge_neighbours(hd_graph *g, hd_expr high, hd_expr low) {
    const hd_node *h = hd_expr_node(g, high);
    unsigned wh = h->width, wl = hd_expr_width(g, low);
    if (h->op == HD_OP_CONST && hd_expr_is_const(g, low))
        return hd_expr_const(g, wh + wl, hd_expr_value(g, high) << wl | hd_expr_value(g, low));
    if (h->op == HD_OP_EXTRACT && h->aux >= wl && hd_expr_extract(g, h->a, h->aux - wl, wl) == low)
        return hd_expr_extract(g, h->a, h->aux - wl, wh + wl);
    return HD_NONE;
}

/* Copies of the sign of `low` on top of it are a sign extension. */
static hd_expr merge_sign(hd_graph *g, hd_expr high, hd_expr low) {
    const hd_node *h = hd_expr_node(g, high);
    unsigned wl = hd_expr_width(g, low);
    hd_expr sign = h->op == HD_OP_SEXT ? h->a : high;
    if (hd_expr_width(g, sign) != 1 || hd_expr_is_const(g, sign) ||
        hd_expr_extract(g, low, wl - 1, 1) != sign)
        return HD_NONE;
    return hd_expr_sext(g, low, h->width + wl);
}

static hd_expr concat_constant_low(hd_graph *g, hd_expr high, hd_expr low) {
    const hd_node *h = hd_expr_node(g, high);
    unsigned wl = hd_expr_width(g, low);
    if (hd_expr_value(g, low) == 0 && h->op == HD_OP_EXTRACT && h->aux == 0 &&
        hd_expr_width(g, h->a) == h->width + wl)
        return hd_expr_with_const(g, HD_OP_SHL, h->a, wl);
    return HD_NONE;
}

static hd_expr build_concat(hd_graph *g, hd_expr high, hd_expr low) {
    const hd_node *h = hd_expr_node(g, high), *l = hd_expr_node(g, low);
    unsigned width = h->width + l->width;
    HD_ASSERT(width <= 64);
    if (h->op == HD_OP_CONST && hd_expr_value(g, high) == 0)
        return hd_expr_zext(g, low, width);
    if (h->op == HD_OP_ZEXT)
        return hd_expr_zext(g, hd_expr_concat(g, h->a, low), width);
    if (h->op == HD_OP_CONCAT)
        return hd_expr_concat(g, h->a, hd_expr_concat(g, h->b, low));
    hd_expr e = merge_neighbours(g, high, low);
    if (!e)
        e = merge_sign(g, high, low);
    if (!e && l->op == HD_OP_CONST)
        e = concat_constant_low(g, high, low);
    if (e)
        return e;
    if (l->op == HD_OP_CONCAT && (e = merge_neighbours(g, high, l->a)))
        return hd_expr_concat(g, e, l->b);
    HD_CHECK_INVARIANT(W1, h->op != HD_OP_CONCAT && h->op != HD_OP_ZEXT);
    return hd_node_make(g, HD_OP_CONCAT, width, high, low);
}

hd_expr hd_expr_concat(hd_graph *g, hd_expr high, hd_expr low) {
    hd_answer *at = hd_answer_slot(g, HD_OP_CONCAT, high, low);
    if (hd_answer_is(at, HD_OP_CONCAT, high, low))
        return at->result;
    HD_INVARIANT(E3, high != HD_NONE && low != HD_NONE);
    hd_expr e = build_concat(g, high, low);
    HD_CHECK(hd_expr_width(g, e) == hd_expr_width(g, high) + hd_expr_width(g, low));
    return hd_answer_put(at, HD_OP_CONCAT, high, low, e);
}

/* How many low bits of `e` are zero because of the way it is put together. */
static unsigned gap_below(const hd_graph *g, hd_expr e) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_SHL && hd_expr_is_const(g, n->b))
        return (unsigned)hd_expr_value(g, n->b);
    if (n->op == HD_OP_ZEXT)
        return gap_below(g, n->a);
    if (n->op != HD_OP_CONCAT)
        return 0;
    return hd_expr_max(g, n->b) == 0 ? hd_expr_width(g, n->b) : gap_below(g, n->b);
}

static hd_expr join_above(hd_graph *g, hd_expr high, hd_expr low) {
    unsigned width = hd_expr_width(g, high), gap = gap_below(g, high);
    HD_ASSERT(gap < width && width == hd_expr_width(g, low));
    if (gap == 0 || hd_expr_max(g, low) > hd_mask(gap) || !hd_expr_truncates_freely(g, low, gap))
        return HD_NONE;
    return hd_expr_concat(g, hd_expr_extract(g, high, gap, width - gap),
                          hd_expr_extract(g, low, 0, gap));
}

hd_expr hd_expr_join_disjoint(hd_graph *g, hd_expr a, hd_expr b) {
    hd_expr e = join_above(g, a, b);
    return e ? e : join_above(g, b, a);
}
