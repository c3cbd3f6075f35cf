/* interval.c -- interval arithmetic.
 *
 * Most checks for overflow are about numbers that were made of a few digits: bit-blasting them
 * takes a solver thousands of times as long as looking at their size.  Each node is looked at once
 * in a question; large expressions are left to others. */
#include "solve/interval.h"

#include "solve/solve_int.h"

#include "base/panic.h"

enum {
    MAX_DEPTH = 200,  /* of the recursion */
    MAX_NODES = 2000, /* in one question */
    MAX_TABLE = 64,   /* elements */
};

typedef struct known {
    uint32_t stamp;
    hd_interval value;
} known;

struct hd_intervals {
    const hd_graph *g;
    uint32_t stamp, n_visited;
    hd_vec(known) nodes;   /* by expression */
    hd_vec(known) vars;    /* by variable */
    hd_vec(known) assumed; /* by expression */
    bool is_empty;
};

typedef __int128 wide;

hd_intervals *hd_intervals_new(const hd_graph *g) {
    hd_intervals *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_intervals_free(hd_intervals *s) {
    hd_vec_release(&s->nodes);
    hd_vec_release(&s->vars);
    hd_vec_release(&s->assumed);
    free(s);
}

#define GROW(vec, wanted)                                                                          \
    while ((vec)->n <= (wanted))                                                                   \
    hd_vec_push(vec, (known){0})

void hd_intervals_begin(hd_intervals *s) {
    if (++s->stamp == 0) { /* once in 2^32 questions */
        hd_vec_clear(&s->nodes);
        hd_vec_clear(&s->vars);
        hd_vec_clear(&s->assumed);
        s->stamp = 1;
    }
    s->n_visited = 0;
    s->is_empty = false;
    HD_ASSERT(s->stamp != 0); /* nothing that was never looked at is known */
}

static hd_interval anything(unsigned width) {
    HD_CHECK(width >= 1 && width <= 64);
    int64_t most = (int64_t)(hd_mask(width) >> 1);
    return width == 1 ? (hd_interval){0, 1} : (hd_interval){-most - 1, most};
}

/* Numbers from `least` to `most`, if none of them wraps. */
static hd_interval fit(wide least, wide most, unsigned width) {
    hd_interval all = anything(width);
    return least < all.least || most > all.most ? all
                                                : (hd_interval){(int64_t)least, (int64_t)most};
}

void hd_intervals_bound(hd_intervals *s, hd_var v, unsigned width, uint64_t least, uint64_t most) {
    HD_ASSERT(least <= most && most <= hd_mask(width));
    GROW(&s->vars, v);
    s->vars.at[v] = (known){s->stamp, fit(least, most, width)};
}

void hd_intervals_bound_signed(hd_intervals *s, hd_var v, int64_t least, int64_t most) {
    HD_ASSERT(least <= most);
    GROW(&s->vars, v);
    s->vars.at[v] = (known){s->stamp, {least, most}};
}

void hd_intervals_assume(hd_intervals *s, hd_expr e, int64_t least, int64_t most) {
    HD_ASSERT(least <= most);
    GROW(&s->assumed, e);
    s->assumed.at[e] = (known){s->stamp, {least, most}};
}

bool hd_intervals_are_empty(const hd_intervals *s) {
    return s->is_empty;
}

static wide smaller(wide a, wide b) {
    return a < b ? a : b;
}

static wide greater(wide a, wide b) {
    return a > b ? a : b;
}

static hd_interval join(hd_interval a, hd_interval b) {
    return (hd_interval){a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

/* ---- operations ---- */

static hd_interval product(hd_interval x, hd_interval y, unsigned width) {
    wide a = (wide)x.least * y.least, b = (wide)x.least * y.most, c = (wide)x.most * y.least,
         d = (wide)x.most * y.most;
    return fit(smaller(smaller(a, b), smaller(c, d)), greater(greater(a, b), greater(c, d)), width);
}

/* No quotient is farther from zero than what was divided; by zero, all bits or one are set. */
static hd_interval quotient(hd_interval x, unsigned width) {
    wide far = greater(greater(x.most, -(wide)x.least), 1);
    return fit(-far, far, width);
}

/* Without signs; a negative number is a large one, and what is divided by zero has all bits set. */
static hd_interval unsigned_quotient(hd_interval x, hd_interval y, unsigned width) {
    if (x.least < 0 || y.least <= 0)
        return anything(width);
    return (hd_interval){x.least / y.most, x.most / y.least};
}

/* No rest is farther from zero than what was divided, nor than the divisor, unless that is zero;
 * it has the sign of what was divided. */
static hd_interval rest(hd_op op, hd_interval x, hd_interval y, unsigned width) {
    if (op == HD_OP_UREM && (x.least < 0 || y.least < 0))
        return anything(width);
    wide far = greater(y.most, -(wide)y.least) - 1;
    bool by_zero = y.least <= 0 && y.most >= 0;
    wide least = by_zero ? x.least : greater(x.least, -far);
    wide most = by_zero ? x.most : smaller(x.most, far);
    return (hd_interval){(int64_t)smaller(least, 0), (int64_t)greater(most, 0)};
}

static hd_interval shifted(hd_op op, hd_interval x, hd_interval y, unsigned width) {
    if (y.least != y.most || y.least < 0 || y.least >= (int64_t)width ||
        (op == HD_OP_LSHR && x.least < 0))
        return anything(width);
    wide factor = (wide)1 << y.least;
    return op == HD_OP_SHL ? fit(x.least * factor, x.most * factor, width)
                           : (hd_interval){x.least >> y.least, x.most >> y.least};
}

/* Signs follow the operation; the size is known of numbers that are not negative. */
static hd_interval with_sign(hd_op op, hd_interval x, hd_interval y, unsigned width) {
    hd_interval all = anything(width);
    bool is_known = (x.least >= 0 || x.most < 0) && (y.least >= 0 || y.most < 0);
    bool either = x.most < 0 || y.most < 0, both = x.most < 0 && y.most < 0;
    bool is_negative = op == HD_OP_AND ? both : op == HD_OP_OR ? either : either && !both;
    if (!is_known && !(op == HD_OP_OR && either))
        return all;
    return is_negative ? (hd_interval){all.least, -1} : (hd_interval){0, all.most};
}

static hd_interval bitwise(hd_op op, hd_interval x, hd_interval y, unsigned width) {
    int64_t either = x.most | y.most;
    if (op == HD_OP_AND && (x.least >= 0 || y.least >= 0))
        return (hd_interval){0, x.least < 0                      ? y.most
                                : y.least < 0 || x.most < y.most ? x.most
                                                                 : y.most};
    if (op == HD_OP_AND || x.least < 0 || y.least < 0)
        return with_sign(op, x, y, width);
    return (hd_interval){0,
                         either ? (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)either)) : 0};
}

static hd_interval of_truth(bool can_be_false, bool can_be_true) {
    return (hd_interval){!can_be_false, can_be_true};
}

static hd_interval truth(hd_op op, hd_interval x, hd_interval y) {
    if (op == HD_OP_AND)
        return (hd_interval){x.least & y.least, x.most & y.most};
    if (op == HD_OP_OR)
        return (hd_interval){x.least | y.least, x.most | y.most};
    bool is_known = x.least == x.most && y.least == y.most, differ = x.least != y.least;
    return op == HD_OP_XOR && is_known ? of_truth(!differ, differ) : of_truth(true, true);
}

/* Numbers of one sign have the same order without it. */
static hd_interval comparison(hd_op op, hd_interval x, hd_interval y) {
    bool is_unsigned = op == HD_OP_ULT || op == HD_OP_ULE;
    if (is_unsigned && (x.least < 0 || y.least < 0) && (x.most >= 0 || y.most >= 0))
        return of_truth(true, true);
    if (op == HD_OP_EQ)
        return of_truth(x.least != x.most || y.least != y.most || x.least != y.least,
                        x.least <= y.most && y.least <= x.most);
    if (op == HD_OP_ULT || op == HD_OP_SLT)
        return of_truth(x.most >= y.least, x.least < y.most);
    return of_truth(x.most > y.least, x.least <= y.most);
}

static hd_interval binary(hd_op op, unsigned width, hd_interval x, hd_interval y) {
    switch (op) {
    case HD_OP_ADD:
        return fit((wide)x.least + y.least, (wide)x.most + y.most, width);
    case HD_OP_SUB:
        return fit((wide)x.least - y.most, (wide)x.most - y.least, width);
    case HD_OP_MUL:
        return product(x, y, width);
    case HD_OP_SDIV:
        return quotient(x, width);
    case HD_OP_UDIV:
        return unsigned_quotient(x, y, width);
    case HD_OP_UREM:
    case HD_OP_SREM:
        return rest(op, x, y, width);
    case HD_OP_SHL:
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return shifted(op, x, y, width);
    case HD_OP_AND:
    case HD_OP_OR:
    case HD_OP_XOR:
        return bitwise(op, x, y, width);
    default:
        return anything(width);
    }
}

/* ---- nodes ---- */

static hd_interval look_at(hd_intervals *s, hd_expr e, unsigned depth);

static hd_interval of_table(hd_intervals *s, const hd_node *n, unsigned depth) {
    uint32_t size = hd_table_size(s->g, n->a);
    hd_interval all = {0, 0}; /* what is read outside of it */
    for (uint32_t i = 0; i < size && size <= MAX_TABLE; i++)
        all = join(all, look_at(s, hd_table_elements(s->g, n->a)[i], depth));
    return size <= MAX_TABLE ? all : anything(n->width);
}

static hd_interval of_cast(hd_intervals *s, const hd_node *n, unsigned depth) {
    hd_interval x = look_at(s, n->a, depth);
    unsigned from = hd_expr_width(s->g, n->a);
    if (n->op == HD_OP_SEXT)
        return from == 1 ? (hd_interval){-x.most, -x.least} : x;
    if (n->op == HD_OP_ZEXT)
        return x.least >= 0 ? x : fit(0, hd_mask(from), n->width);
    if (n->op == HD_OP_NOT)
        return n->width == 1 ? (hd_interval){1 - x.most, 1 - x.least}
                             : (hd_interval){~x.most, ~x.least};
    if (n->aux == from - 1 && from > 1) /* the sign */
        return of_truth(x.most >= 0, x.least < 0);
    return n->aux == 0 && n->width > 1 ? fit(x.least, x.most, n->width) : anything(n->width);
}

static hd_interval of_leaf(const hd_intervals *s, hd_expr e, const hd_node *n) {
    if (n->op == HD_OP_CONST) {
        int64_t value = (int64_t)hd_expr_value(s->g, e);
        value = n->width == 1 ? value : hd_signed((uint64_t)value, n->width);
        return (hd_interval){value, value};
    }
    return n->a < s->vars.n && s->vars.at[n->a].stamp == s->stamp ? s->vars.at[n->a].value
                                                                  : anything(n->width);
}

/* ---- what division means ---- */

static const hd_node *behind_signs(const hd_intervals *s, hd_expr *e) {
    const hd_node *n = hd_expr_node(s->g, *e);
    for (; n->op == HD_OP_SEXT; n = hd_expr_node(s->g, *e))
        *e = n->a;
    return n;
}

/* Is one side the quotient of something by the other side?  Then that, and what it was divided by.
 */
static bool is_quotient_by(const hd_intervals *s, hd_expr quotient, hd_expr by, hd_expr *of) {
    const hd_node *n = behind_signs(s, &quotient);
    hd_expr divisor = n->b;
    if (n->op != HD_OP_SDIV)
        return false;
    behind_signs(s, &divisor);
    behind_signs(s, &by);
    *of = n->a;
    return divisor == by;
}

/* x / y * y: as far from zero as x at most, on its side; the smallest number by -1 turns around. */
static hd_interval of_multiple(hd_intervals *s, hd_expr of, hd_expr by, unsigned width,
                               unsigned depth) {
    hd_interval x = look_at(s, of, depth), y = look_at(s, by, depth);
    hd_interval all = anything(hd_expr_width(s->g, of));
    bool turns = x.least == all.least && y.least <= -1 && y.most >= -1;
    wide least = smaller(x.least, 0), most = greater(x.most, turns ? -(wide)x.least : 0);
    return fit(least, greater(most, 0), width);
}

/* The multiple that x / y * y is, of which x % y is the rest? */
static bool is_rest_of(const hd_intervals *s, const hd_node *multiple, hd_expr rest, hd_expr *of) {
    const hd_node *r = behind_signs(s, &rest);
    hd_expr divided = r->a, by = r->b;
    if (multiple->op != HD_OP_MUL || r->op != HD_OP_SREM || multiple->width != r->width ||
        (!is_quotient_by(s, multiple->a, multiple->b, of) &&
         !is_quotient_by(s, multiple->b, multiple->a, of)))
        return false;
    hd_expr quotient = is_quotient_by(s, multiple->a, multiple->b, of) ? multiple->a : multiple->b;
    const hd_node *q = behind_signs(s, &quotient);
    return *of == divided && q->b == by && q->width == r->width;
}

/* x / y * y + x % y is x, also by zero. */
static bool is_put_together(const hd_intervals *s, const hd_node *n, hd_expr *of) {
    hd_expr a = n->a, b = n->b;
    const hd_node *x = behind_signs(s, &a), *y = behind_signs(s, &b);
    return n->op == HD_OP_ADD && (is_rest_of(s, x, n->b, of) || is_rest_of(s, y, n->a, of));
}

static bool of_division(hd_intervals *s, const hd_node *n, unsigned depth, hd_interval *value) {
    hd_expr of;
    if (n->op == HD_OP_ADD && is_put_together(s, n, &of))
        *value = look_at(s, of, depth);
    else if (n->op == HD_OP_MUL && is_quotient_by(s, n->a, n->b, &of))
        *value = of_multiple(s, of, n->b, n->width, depth);
    else if (n->op == HD_OP_MUL && is_quotient_by(s, n->b, n->a, &of))
        *value = of_multiple(s, of, n->a, n->width, depth);
    else
        return false;
    return true;
}

static hd_interval of_two(hd_intervals *s, const hd_node *n, unsigned depth) {
    hd_interval known;
    if (of_division(s, n, depth, &known))
        return known;
    hd_interval x = look_at(s, n->a, depth), y = look_at(s, n->b, depth);
    if (n->op >= HD_OP_EQ && n->op <= HD_OP_SLE)
        return comparison(n->op, x, y);
    return n->width == 1 ? truth(n->op, x, y) : binary(n->op, n->width, x, y);
}

static hd_interval of_node(hd_intervals *s, hd_expr e, const hd_node *n, unsigned depth) {
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
    case HD_OP_VAR:
        return of_leaf(s, e, n);
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        return of_cast(s, n, depth);
    case HD_OP_ITE:
        return join(look_at(s, n->b, depth), look_at(s, n->c, depth));
    case HD_OP_READ:
        return of_table(s, n, depth);
    case HD_OP_CONCAT:
        return anything(n->width);
    default:
        return of_two(s, n, depth);
    }
}

/* I1 */
static bool is_interval(hd_interval x, unsigned width) {
    hd_interval all = anything(width);
    return x.least <= x.most && all.least <= x.least && x.most <= all.most;
}

/* What is assumed of `e` too; what has no value at all may be anything. */
static hd_interval meet_assumed(hd_intervals *s, hd_expr e, hd_interval x) {
    if (e >= s->assumed.n || s->assumed.at[e].stamp != s->stamp)
        return x;
    hd_interval y = s->assumed.at[e].value,
                both = {(int64_t)greater(x.least, y.least), (int64_t)smaller(x.most, y.most)};
    s->is_empty |= both.least > both.most;
    return both.least > both.most ? x : both;
}

static hd_interval look_at(hd_intervals *s, hd_expr e, unsigned depth) {
    const hd_node *n = hd_expr_node(s->g, e);
    GROW(&s->nodes, e);
    if (s->nodes.at[e].stamp == s->stamp)
        return s->nodes.at[e].value;
    if (depth == MAX_DEPTH || ++s->n_visited > MAX_NODES)
        return anything(n->width);
    hd_interval value = meet_assumed(s, e, of_node(s, e, n, depth + 1));
    HD_INVARIANT(I1, is_interval(value, n->width));
    s->nodes.at[e] = (known){s->stamp, value};
    return value;
}

hd_interval hd_intervals_of(hd_intervals *s, hd_expr e) {
    HD_ASSERT(e != HD_NONE && s->stamp != 0);
    return look_at(s, e, 0);
}
