/* Known zero bits: a bit set in zeros(e) is 0 in every value of e.
 *
 * One word per node, worked out from the operands' words when the node is made.  It gives
 * upper bounds (leading zeros), alignment (trailing zeros), and disjointness. */
#include "symbolic/symbolic_int.h"

/* All bits above those that `max` needs. */
static uint64_t zeros_above(uint64_t max) {
    return max ? ~(UINT64_MAX >> __builtin_clzll(max)) : UINT64_MAX;
}

static unsigned trailing(uint64_t zeros) {
    return ~zeros ? (unsigned)__builtin_ctzll(~zeros) : 64;
}

static uint64_t zeros_of_sum(uint64_t max_a, uint64_t max_b, uint64_t low, unsigned width) {
    uint64_t sum;
    if (__builtin_add_overflow(max_a, max_b, &sum) || sum > hd_mask(width))
        return low;
    return low | zeros_above(sum);
}

static uint64_t zeros_of_product(uint64_t za, uint64_t zb, unsigned width) {
    unsigned low = trailing(za) + trailing(zb);
    uint64_t product, zeros = hd_mask(low), mask = hd_mask(width);
    if (!__builtin_mul_overflow(~za & mask, ~zb & mask, &product) && product <= mask)
        zeros |= zeros_above(product);
    return zeros;
}

static uint64_t zeros_of_shift(const hd_graph *g, const hd_node *n, uint64_t za) {
    uint64_t mask = hd_mask(n->width), k = n->width;
    if (hd_expr_is_const(g, n->b) && (k = hd_expr_value(g, n->b)) >= n->width)
        return n->op == HD_OP_ASHR ? 0 : mask;
    bool known = k < n->width, is_negative_possible = !(za & hd_sign_bit(n->width));
    if (n->op == HD_OP_SHL)
        return known ? za << k | hd_mask((unsigned)k) : hd_mask(trailing(za));
    if (n->op == HD_OP_ASHR && is_negative_possible)
        return known ? za >> k & hd_mask(n->width - (unsigned)k - 1) : 0;
    return known ? za >> k | ~(mask >> k) : zeros_above(~za & mask);
}

static uint64_t zeros_of_remainder(const hd_graph *g, const hd_node *n) {
    uint64_t max = hd_expr_max(g, n->a); /* x % 0 is x, so never more than x */
    if (hd_expr_is_const(g, n->b) && hd_expr_value(g, n->b)) {
        uint64_t last = hd_expr_value(g, n->b) - 1;
        max = last < max ? last : max;
    }
    return zeros_above(max);
}

static uint64_t zeros_of_quotient(const hd_graph *g, const hd_node *n) {
    uint64_t divisor = hd_expr_is_const(g, n->b) ? hd_expr_value(g, n->b) : 0;
    return divisor ? zeros_above(hd_expr_max(g, n->a) / divisor) : 0;
}

static uint64_t zeros_of_sext(const hd_graph *g, const hd_node *n, uint64_t za) {
    unsigned inner = hd_expr_width(g, n->a);
    HD_ASSERT(inner < n->width);
    return za & hd_sign_bit(inner) ? za | ~hd_mask(inner) : za;
}

static uint64_t zeros_of_table(const hd_graph *g, hd_table t) {
    HD_ASSERT(t > HD_TABLE_PREFIX && t < g->tables.n_words);
    const uint32_t *prefix = &g->tables.words[t - HD_TABLE_PREFIX];
    return (uint64_t)prefix[2] << 32 | prefix[1];
}

static uint64_t zeros_of_binary(const hd_graph *g, const hd_node *n) {
    HD_CHECK(hd_expr_width(g, n->a) == hd_expr_width(g, n->b));
    uint64_t za = hd_expr_zeros(g, n->a), zb = hd_expr_zeros(g, n->b), mask = hd_mask(n->width);
    unsigned low = trailing(za) < trailing(zb) ? trailing(za) : trailing(zb);
    switch ((hd_op)n->op) {
    case HD_OP_ADD:
        return zeros_of_sum(~za & mask, ~zb & mask, hd_mask(low), n->width);
    case HD_OP_SUB:
        return hd_mask(low);
    case HD_OP_MUL:
        return zeros_of_product(za, zb, n->width);
    case HD_OP_UDIV:
        return zeros_of_quotient(g, n);
    case HD_OP_UREM:
        return zeros_of_remainder(g, n);
    case HD_OP_AND:
        return za | zb;
    case HD_OP_OR:
    case HD_OP_XOR:
        return za & zb;
    case HD_OP_SHL:
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return zeros_of_shift(g, n, za);
    default:
        return 0;
    }
}

uint64_t hd_zeros_of_node(const hd_graph *g, const hd_node *n) {
    uint64_t mask = hd_mask(n->width);
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        return ~((uint64_t)n->b << 32 | n->a) & mask;
    case HD_OP_VAR:
    case HD_OP_NOT:
        return 0;
    case HD_OP_ZEXT:
        return (hd_expr_zeros(g, n->a) | ~hd_mask(hd_expr_width(g, n->a))) & mask;
    case HD_OP_SEXT:
        return zeros_of_sext(g, n, hd_expr_zeros(g, n->a)) & mask;
    case HD_OP_EXTRACT:
        return hd_expr_zeros(g, n->a) >> n->aux & mask;
    case HD_OP_CONCAT:
        return hd_expr_zeros(g, n->a) << hd_expr_width(g, n->b) | hd_expr_zeros(g, n->b);
    case HD_OP_ITE:
        return hd_expr_zeros(g, n->b) & hd_expr_zeros(g, n->c);
    case HD_OP_READ:
        return zeros_of_table(g, n->a);
    default:
        return zeros_of_binary(g, n) & mask;
    }
}

hd_range_of_values hd_expr_range(const hd_graph *g, hd_expr e) {
    hd_expr x = e;
    uint64_t c = 0;
    if (hd_expr_is_with_const(g, e, HD_OP_ADD, &x, &c) &&
        hd_expr_max(g, x) <= hd_mask(hd_expr_width(g, e)) - c)
        return (hd_range_of_values){c, c + hd_expr_max(g, x)};
    return (hd_range_of_values){0, hd_expr_max(g, e)};
}
