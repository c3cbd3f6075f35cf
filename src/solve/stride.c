/* Strides (stride.h). */
#include "solve/stride.h"

#include "base/panic.h"

typedef unsigned __int128 double_word;

static const hd_stride nothing = {.by = 1, .is_empty = true};

hd_stride hd_stride_all(void) {
    return (hd_stride){.by = 1};
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The x with a * x = 1 modulo `by`, for a and `by` without a common divisor. */
static uint64_t inverse(uint64_t a, uint64_t by) {
    __int128 r = by, next_r = a % by, x = 0, next_x = 1;
    while (next_r) {
        __int128 q = r / next_r, other = r - q * next_r;
        r = next_r;
        next_r = other;
        other = x - q * next_x;
        x = next_x;
        next_x = other;
    }
    HD_ASSERT(by == 1 || r == 1); /* no common divisor */
    return (uint64_t)(x < 0 ? x + by : x) % by;
}

static uint64_t product_modulo(uint64_t a, uint64_t b, uint64_t by) {
    HD_CHECK(by > 0);
    return (uint64_t)((double_word)a * b % by);
}

/* Where the common multiple is beyond 64 bits, one of the two is kept. */
hd_stride hd_stride_meet(hd_stride x, hd_stride y) {
    HD_ASSERT(x.by && y.by && x.rest < x.by && y.rest < y.by);
    if (y.by == 1)
        return y.is_empty ? y : x;
    uint64_t common = common_divisor(x.by, y.by), part = y.by / common, by;
    if (x.is_empty || y.is_empty || x.rest % common != y.rest % common)
        return nothing;
    if (__builtin_mul_overflow(x.by, part, &by))
        return x.by > y.by ? x : y;
    uint64_t apart = (uint64_t)(((double_word)y.rest + y.by - x.rest % y.by) % y.by) / common;
    uint64_t times = product_modulo(apart % part, inverse(x.by / common % part, part), part);
    hd_stride both = {.by = by, .rest = x.rest + x.by * times};
    HD_INVARIANT(H1, both.rest % x.by == x.rest && both.rest % y.by == y.rest);
    return both;
}

/* ---- from an equation down to its variable ---- */

enum { MAX_DEPTH = 64 };

static uint64_t most_of(const hd_graph *g, hd_expr e, uint64_t most, int depth);

static uint64_t most_of_two(const hd_graph *g, const hd_node *n, uint64_t most, int depth) {
    uint64_t a = most_of(g, n->a, most, depth), b = most_of(g, n->b, most, depth), all;
    bool is_lost = n->op == HD_OP_ADD   ? __builtin_add_overflow(a, b, &all)
                   : n->op == HD_OP_MUL ? __builtin_mul_overflow(a, b, &all)
                                        : true;
    return is_lost || all > hd_mask(n->width) ? hd_mask(n->width) : all;
}

/* No value of `e` is greater while its variable is at most `most`. */
static uint64_t most_of(const hd_graph *g, hd_expr e, uint64_t most, int depth) {
    const hd_node *n = hd_expr_node(g, e);
    uint64_t by_shape = hd_expr_range(g, e).most, here = by_shape;
    if (n->op == HD_OP_VAR)
        here = most;
    else if (depth && n->op == HD_OP_ZEXT)
        here = most_of(g, n->a, most, depth - 1);
    else if (depth && (n->op == HD_OP_ADD || n->op == HD_OP_MUL))
        here = most_of_two(g, n, most, depth - 1);
    return here < by_shape ? here : by_shape;
}

/* `e` is `rest` modulo `by`; 0 stands for 2^64. */
typedef struct congruence {
    hd_expr e;
    uint64_t by, rest;
    bool is_known, is_refuted;
} congruence;

static void give_up(congruence *c) {
    c->is_known = false;
}

/* Does `by` divide 2^bits? */
static bool divides_power(uint64_t by, unsigned bits) {
    return bits >= 64 ? (by & (by - 1)) == 0 : by && ((UINT64_C(1) << bits) % by) == 0;
}

static uint64_t modulo(uint64_t value, uint64_t by) {
    return by ? value % by : value;
}

/* Does a sum or product wrap around in a way that a remainder by `by` sees? */
static bool may_wrap(const hd_graph *g, const congruence *c, const hd_node *n, uint64_t most) {
    uint64_t a, b, all;
    if (divides_power(c->by, n->width))
        return false;
    a = most_of(g, n->a, most, MAX_DEPTH);
    b = most_of(g, n->b, most, MAX_DEPTH);
    return n->op == HD_OP_SUB || /* below zero */
           (n->op == HD_OP_ADD ? __builtin_add_overflow(a, b, &all)
                               : __builtin_mul_overflow(a, b, &all)) ||
           all > hd_mask(n->width);
}

static void take_from_sum(congruence *c, hd_expr other, uint64_t constant) {
    uint64_t less = modulo(constant, c->by);
    HD_ASSERT(!c->by || c->rest < c->by);
    c->rest = c->rest >= less ? c->rest - less : c->rest + (c->by - less);
    c->e = other;
}

/* factor * e = rest: both sides, and what is divided by, without their common divisor. */
static void take_from_product(congruence *c, hd_expr other, uint64_t factor) {
    if (!c->by) { /* the lower half is enough */
        c->by = UINT64_C(1) << 63;
        c->rest %= c->by;
    }
    uint64_t common = common_divisor(factor % c->by, c->by);
    common = common ? common : c->by;
    c->is_refuted |= c->rest % common != 0;
    HD_ASSERT(c->by % common == 0);
    c->by /= common;
    factor = factor / common % c->by;
    c->rest = c->rest / common % c->by;
    c->rest = product_modulo(c->rest, inverse(factor, c->by), c->by);
    c->e = other;
}

static void go_into_arithmetic(const hd_graph *g, congruence *c, const hd_node *n, uint64_t most) {
    bool is_left = hd_expr_is_const(g, n->a);
    hd_expr constant = is_left ? n->a : n->b, other = is_left ? n->b : n->a;
    if (!hd_expr_is_const(g, constant) || (is_left && n->op == HD_OP_SUB) ||
        may_wrap(g, c, n, most)) {
        give_up(c);
        return;
    }
    uint64_t value = hd_expr_value(g, constant);
    if (n->op == HD_OP_MUL)
        take_from_product(c, other, value);
    else
        take_from_sum(c, other, n->op == HD_OP_ADD ? value : (0 - value) & hd_mask(n->width));
}

/* The rest of a remainder is that of what was divided, modulo what divides both. */
static void go_into_remainder(const hd_graph *g, congruence *c, const hd_node *n, uint64_t most) {
    uint64_t by = hd_expr_is_const(g, n->b) ? hd_expr_value(g, n->b) : 0;
    bool has_sign =
        n->op == HD_OP_SREM &&
        (most_of(g, n->a, most, MAX_DEPTH) > hd_mask(n->width) >> 1 || by > hd_mask(n->width) >> 1);
    if (!by || has_sign || !c->by || by % c->by) {
        give_up(c);
        return;
    }
    c->e = n->a;
}

/* The lowest bits: x & 15, (char)x. */
static void go_into_bits(congruence *c, hd_expr of, unsigned n_bits) {
    if (divides_power(c->by, n_bits))
        c->e = of;
    else
        give_up(c);
}

static bool is_mask_of(const hd_graph *g, const hd_node *n, unsigned *n_bits) {
    uint64_t mask = hd_expr_is_const(g, n->b) ? hd_expr_value(g, n->b) : 0;
    *n_bits = (unsigned)__builtin_popcountll(mask);
    return mask && !(mask & (mask + 1));
}

static void go_down(const hd_graph *g, congruence *c, uint64_t most) {
    const hd_node *n = hd_expr_node(g, c->e);
    unsigned n_bits;
    if (n->op == HD_OP_ADD || n->op == HD_OP_SUB || n->op == HD_OP_MUL)
        go_into_arithmetic(g, c, n, most);
    else if (n->op == HD_OP_UREM || n->op == HD_OP_SREM)
        go_into_remainder(g, c, n, most);
    else if (n->op == HD_OP_ZEXT)
        c->e = n->a;
    else if (n->op == HD_OP_EXTRACT && n->aux == 0)
        go_into_bits(c, n->a, n->width);
    else if (n->op == HD_OP_AND && is_mask_of(g, n, &n_bits))
        go_into_bits(c, n->a, n_bits);
    else
        give_up(c);
}

/* `e` has this value: which rest does what is inside have? */
static congruence begin_congruence(const hd_graph *g, hd_expr e, uint64_t value) {
    const hd_node *n = hd_expr_node(g, e);
    unsigned n_bits = n->width;
    while (n->op == HD_OP_ZEXT) {
        e = n->a;
        n = hd_expr_node(g, e);
    }
    congruence c = {.e = e, .is_known = true, .rest = value};
    if ((n->op == HD_OP_UREM || n->op == HD_OP_SREM) && hd_expr_is_const(g, n->b))
        c.by = hd_expr_value(g, n->b);
    else if (n->op != HD_OP_AND || !is_mask_of(g, n, &n_bits))
        n_bits = n->width;
    if (!c.by && n_bits < 64)
        c.by = UINT64_C(1) << n_bits;
    c.is_refuted = value > hd_mask(n->width);
    c.is_known = !c.by || value < c.by;
    return c;
}

hd_stride hd_stride_by(const hd_graph *g, hd_expr e, uint64_t most) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op != HD_OP_EQ || (!hd_expr_is_const(g, n->a) && !hd_expr_is_const(g, n->b)))
        return hd_stride_all();
    bool is_left = hd_expr_is_const(g, n->a);
    HD_ASSERT(hd_expr_support(g, e)->n == 1);
    congruence c =
        begin_congruence(g, is_left ? n->b : n->a, hd_expr_value(g, is_left ? n->a : n->b));
    while (c.is_known && !c.is_refuted && hd_expr_node(g, c.e)->op != HD_OP_VAR)
        go_down(g, &c, most);
    if (c.is_refuted)
        return nothing;
    return c.is_known && c.by ? (hd_stride){.by = c.by, .rest = c.rest % c.by} : hd_stride_all();
}
