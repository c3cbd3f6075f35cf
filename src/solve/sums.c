/* Sums of products (sums.h). */
#include "solve/sums.h"

#include "solve/linear.h"

#include "base/map.h"
#include "base/panic.h"

#include <string.h>

enum {
    MAX_ATOMS = 64,
    MAX_FACTS = 200,
    MAX_NODES = 400, /* in one question */
    MAX_DEPTH = 100,
    MAX_IN_VAIN = 2,
    CURIOUS = 16,
    MAX_IMPOSSIBLE = 3, /* questions about inequalities on the way */
};

typedef __int128 whole;

/* From `least` to `most`; beyond what 64 bits have a name for, everything is possible. */
typedef struct span {
    whole least, most;
} span;

typedef struct sum_atom {
    hd_expr e;        /* its value, or HD_NONE: the floor of */
    hd_polynomial of; /* this by */
    int64_t by;
    span range;
} sum_atom;

/* A polynomial without its constant is in this range. */
typedef struct sum_fact {
    hd_polynomial p;
    span range;
} sum_fact;

struct hd_sums {
    hd_graph *g;
    sum_atom atoms[MAX_ATOMS]; /* number 1 is at 0 */
    uint32_t n_atoms;
    sum_fact facts[MAX_FACTS];
    uint32_t n_facts;
    hd_map known; /* expression -> 1 + where its polynomial is */
    hd_vec(hd_polynomial) values;
    uint32_t n_nodes, n_impossible;
    uint32_t n_in_vain, n_skipped; /* questions about inequalities, one after the other */
    hd_linear *linear;
};

hd_sums *hd_sums_new(hd_graph *g) {
    hd_sums *s = hd_layer_memory(sizeof *s);
    s->g = g;
    s->linear = hd_linear_new();
    return s;
}

void hd_sums_free(hd_sums *s) {
    hd_linear_free(s->linear);
    hd_map_release(&s->known);
    hd_vec_release(&s->values);
    free(s);
}

static void begin(hd_sums *s) {
    s->n_atoms = s->n_facts = s->n_nodes = s->n_impossible = 0;
    hd_map_clear(&s->known);
    hd_vec_clear(&s->values);
}

static hd_polynomial lost(void) {
    hd_polynomial p = hd_polynomial_constant(0);
    p.is_lost = true;
    return p;
}

/* ---- ranges ---- */

static const span everything = {-((whole)1 << 120), (whole)1 << 120};

static whole smaller(whole a, whole b) {
    return a < b ? a : b;
}

static whole greater(whole a, whole b) {
    return a > b ? a : b;
}

static span both(span x, span y) {
    return (span){greater(x.least, y.least), smaller(x.most, y.most)};
}

/* Products of more than 60 and 60 bits are not followed. */
static bool is_small(span x) {
    return x.least > -((whole)1 << 60) && x.most < (whole)1 << 60;
}

static span times(span x, span y) {
    if (!is_small(x) || !is_small(y))
        return everything;
    whole a = x.least * y.least, b = x.least * y.most, c = x.most * y.least, d = x.most * y.most;
    return (span){smaller(smaller(a, b), smaller(c, d)), greater(greater(a, b), greater(c, d))};
}

static span range_of_term(const hd_sums *s, const hd_term *x) {
    span range = {x->factor, x->factor};
    for (int i = 0; i < HD_DEGREE && x->atoms[i]; i++)
        range = times(range, s->atoms[x->atoms[i] - 1].range);
    return range;
}

static span negated(span x) {
    return (span){-x.most, -x.least};
}

/* A polynomial and its opposite have the same facts: the first factor is positive there. */
static bool is_turned(hd_polynomial *p) {
    hd_polynomial zero = hd_polynomial_constant(0);
    bool is_negative = p->n && p->terms[0].factor < 0;
    if (is_negative)
        *p = hd_polynomial_add(&zero, -1, p);
    return is_negative;
}

/* What the facts say of it, but for its constant. */
static span range_of_facts(const hd_sums *s, const hd_polynomial *p) {
    span range = everything;
    hd_polynomial x = *p;
    bool turned = is_turned(&x);
    for (uint32_t i = 0; i < s->n_facts; i++)
        if (hd_polynomial_is_alike(&s->facts[i].p, &x))
            range = both(range, s->facts[i].range);
    return turned ? negated(range) : range;
}

/* P2 */
static span range_of(const hd_sums *s, const hd_polynomial *p) {
    span sum = {0, 0};
    if (p->is_lost)
        return everything;
    for (uint32_t i = 0; i < p->n; i++) {
        span range = range_of_term(s, &p->terms[i]);
        sum = (span){sum.least + range.least, sum.most + range.most};
    }
    sum = both(sum, range_of_facts(s, p));
    return (span){sum.least + p->constant, sum.most + p->constant};
}

/* From now on `p` is known to be in this range. */
static void note(hd_sums *s, hd_polynomial p, span range) {
    range = (span){range.least - p.constant, range.most - p.constant};
    if (p.is_lost || !p.n || s->n_facts == MAX_FACTS)
        return;
    range = is_turned(&p) ? negated(range) : range;
    HD_ASSERT(p.is_lost || p.terms[0].factor > 0);
    if (p.is_lost)
        return;
    p.constant = 0;
    s->facts[s->n_facts++] = (sum_fact){p, range};
    if (p.n == 1 && p.terms[0].factor == 1 && !p.terms[0].atoms[1]) {
        span *known = &s->atoms[p.terms[0].atoms[0] - 1].range;
        *known = both(*known, range);
    }
}

/* ---- atoms ---- */

static hd_polynomial new_atom(hd_sums *s, sum_atom atom) {
    HD_ASSERT(atom.e || atom.by > 0);
    if (s->n_atoms == MAX_ATOMS)
        return lost();
    s->atoms[s->n_atoms] = atom;
    return hd_polynomial_atom(++s->n_atoms);
}

/* What facts have left one value is that. */
static hd_polynomial known_atom(const hd_sums *s, uint32_t i) {
    span range = s->atoms[i].range;
    return range.least == range.most && is_small(range)
               ? hd_polynomial_constant((int64_t)range.least)
               : hd_polynomial_atom(i + 1);
}

static hd_polynomial atom_of(hd_sums *s, hd_expr e) {
    for (uint32_t i = 0; i < s->n_atoms; i++)
        if (s->atoms[i].e == e)
            return known_atom(s, i);
    hd_range_of_values r = hd_expr_range(s->g, e);
    return new_atom(s, (sum_atom){.e = e, .range = {r.least, r.most}});
}

static whole floor_of(whole a, whole b) {
    return a / b - (a % b < 0);
}

/* The terms of `p` that `by` divides, divided; the others stay in `p`. */
static hd_polynomial take_multiples(hd_polynomial *p, int64_t by) {
    HD_ASSERT(!p->is_lost && by > 0);
    hd_polynomial out = hd_polynomial_constant((int64_t)floor_of(p->constant, by));
    hd_polynomial rest = hd_polynomial_constant(p->constant - out.constant * by);
    for (uint32_t i = 0; i < p->n; i++) {
        hd_polynomial *to = p->terms[i].factor % by ? &rest : &out;
        to->terms[to->n] = p->terms[i];
        to->terms[to->n++].factor /= to == &out ? by : 1;
    }
    *p = rest;
    return out;
}

static hd_polynomial floor_atom(hd_sums *s, const hd_polynomial *p, int64_t by, span range) {
    for (uint32_t i = 0; i < s->n_atoms; i++)
        if (!s->atoms[i].e && s->atoms[i].by == by && s->atoms[i].of.constant == p->constant &&
            hd_polynomial_is_alike(&s->atoms[i].of, p))
            return known_atom(s, i);
    return new_atom(s, (sum_atom){.of = *p, .by = by, .range = range});
}

/* A floor of something, and nothing else?  Then what is divided by both is the floor of it. */
static const sum_atom *is_floor(const hd_sums *s, const hd_polynomial *p, int64_t by) {
    int64_t product;
    if (p->n != 1 || p->constant || p->terms[0].factor != 1 || p->terms[0].atoms[1])
        return NULL;
    const sum_atom *atom = &s->atoms[p->terms[0].atoms[0] - 1];
    return atom->e || __builtin_mul_overflow(atom->by, by, &product) ? NULL : atom;
}

/* The only value by what the ranges tell, or else an atom. */
static hd_polynomial floor_of_rest(hd_sums *s, const hd_polynomial *p, int64_t by) {
    span all = range_of(s, p), range = {floor_of(all.least, by), floor_of(all.most, by)};
    return range.least == range.most && is_small(range)
               ? hd_polynomial_constant((int64_t)range.least)
               : floor_atom(s, p, by, range);
}

static hd_polynomial divided(hd_sums *s, hd_polynomial p, int64_t by) {
    HD_ASSERT(by > 0);
    if (p.is_lost)
        return p;
    span all = range_of(s, &p);
    if (floor_of(all.least, by) == floor_of(all.most, by) && is_small(all))
        return hd_polynomial_constant((int64_t)floor_of(all.least, by));
    const sum_atom *inner = is_floor(s, &p, by);
    if (inner)
        return divided(s, inner->of, inner->by * by);
    hd_polynomial out = take_multiples(&p, by), rest = floor_of_rest(s, &p, by);
    return hd_polynomial_add(&out, 1, &rest);
}

/* p - by * floor(p / by) */
static hd_polynomial remainder_of(hd_sums *s, const hd_polynomial *p, int64_t by) {
    hd_polynomial quotient = divided(s, *p, by), rest = hd_polynomial_add(p, -by, &quotient);
    note(s, rest, (span){0, by - 1});
    return rest;
}

/* Can the polynomial be in the range, as far as inequalities say?  Seldom asked: it takes long. */
static bool is_impossible(hd_sums *s, const hd_polynomial *p, span range);

static bool has_floor(const hd_sums *s, const hd_polynomial *p) {
    for (uint32_t i = 0; i < p->n; i++)
        for (int k = 0; k < HD_DEGREE && p->terms[i].atoms[k]; k++)
            if (!s->atoms[p->terms[i].atoms[k] - 1].e)
                return true;
    return false;
}

/* Is a polynomial between 0 and `most`?  A number less its quotient is, as inequalities say. */
static bool is_within(hd_sums *s, const hd_polynomial *p, whole most) {
    span range = range_of(s, p);
    bool is_above = range.least >= 0, is_below = range.most <= most;
    if (is_above && is_below)
        return true;
    if (p->n < 2 || s->n_impossible >= MAX_IMPOSSIBLE || s->n_in_vain >= MAX_IN_VAIN ||
        !has_floor(s, p))
        return false;
    s->n_impossible++;
    if ((!is_above && !is_impossible(s, p, (span){everything.least, -1})) ||
        (!is_below && !is_impossible(s, p, (span){most + 1, everything.most})))
        return false;
    note(s, *p, (span){0, most});
    return true;
}

/* What does not wrap around is itself. */
static hd_polynomial low_bits(hd_sums *s, const hd_polynomial *p, unsigned n) {
    if (!p->is_lost && is_within(s, p, (whole)hd_mask(n)))
        return *p;
    return n < 63 ? remainder_of(s, p, INT64_C(1) << n) : lost();
}

/* ---- comparisons ---- */

static hd_polynomial value_of(hd_sums *s, hd_expr e, unsigned depth);

typedef struct compared {
    hd_op op;
    hd_expr a, b;
    bool is_true;
} compared;

static bool read_comparison(const hd_sums *s, hd_expr e, compared *c) {
    const hd_node *n = hd_expr_node(s->g, e);
    c->is_true = true;
    for (; n->op == HD_OP_NOT; n = hd_expr_node(s->g, n->a))
        c->is_true = !c->is_true;
    c->op = (hd_op)n->op;
    c->a = n->a;
    c->b = n->b;
    return n->op >= HD_OP_EQ && n->op <= HD_OP_SLE;
}

/* The difference of both sides; for comparisons with signs only where neither has one. */
static bool difference(hd_sums *s, const compared *c, unsigned depth, hd_polynomial *d) {
    hd_polynomial a = value_of(s, c->a, depth), b = value_of(s, c->b, depth);
    uint64_t half = hd_mask(hd_expr_width(s->g, c->a)) >> 1;
    bool has_signs = c->op == HD_OP_SLT || c->op == HD_OP_SLE;
    *d = hd_polynomial_add(&a, -1, &b);
    return !d->is_lost &&
           (!has_signs || (range_of(s, &a).most <= half && range_of(s, &b).most <= half));
}

/* What a comparison that holds says of a - b. */
static span range_where(const compared *c, span now) {
    bool or_equal = c->op == HD_OP_ULE || c->op == HD_OP_SLE;
    if (c->op == HD_OP_EQ && c->is_true)
        return (span){0, 0};
    if (c->op == HD_OP_EQ)
        return (span){now.least == 0 ? 1 : now.least, now.most == 0 ? -1 : now.most};
    return c->is_true ? (span){now.least, or_equal ? 0 : -1} : (span){or_equal ? 1 : 0, now.most};
}

/* False wherever the facts hold? */
static bool is_beyond(hd_sums *s, const compared *c, unsigned depth) {
    hd_polynomial d;
    if (!difference(s, c, depth, &d))
        return false;
    span now = range_of(s, &d), then = both(now, range_where(c, now));
    return then.least > then.most;
}

/* A condition that the facts decide is a number: a carry, mostly. */
static hd_polynomial value_of_truth(hd_sums *s, hd_expr e, unsigned depth) {
    compared c;
    if (!read_comparison(s, e, &c) || hd_expr_width(s->g, c.a) == 1)
        return atom_of(s, e);
    if (is_beyond(s, &c, depth))
        return hd_polynomial_constant(0);
    c.is_true = !c.is_true;
    return is_beyond(s, &c, depth) ? hd_polynomial_constant(1) : atom_of(s, e);
}

/* ---- expressions ---- */

/* One whose low bits are the value's: what wraps around has not done so yet. */
static hd_polynomial loose(hd_sums *s, hd_expr e, unsigned depth);

static bool constant_of(const hd_sums *s, hd_expr e, uint64_t *value) {
    bool is_const = hd_expr_is_const(s->g, e);
    *value = is_const ? hd_expr_value(s->g, e) : 0;
    return is_const && *value <= INT64_MAX;
}

static hd_polynomial loose_constant(const hd_sums *s, hd_expr e) {
    unsigned width = hd_expr_width(s->g, e);
    return hd_polynomial_constant(hd_signed(hd_expr_value(s->g, e), width));
}

/* Of a sum of remainders, the ranges of these say more than those of all atoms. */
static hd_polynomial sum_of(hd_sums *s, const hd_polynomial *a, int64_t sign,
                            const hd_polynomial *b) {
    hd_polynomial sum = hd_polynomial_add(a, sign, b);
    span x = range_of(s, a), y = sign < 0 ? negated(range_of(s, b)) : range_of(s, b);
    if (a->n && b->n)
        note(s, sum, (span){x.least + y.least, x.most + y.most});
    return sum;
}

static hd_polynomial loose_arithmetic(hd_sums *s, const hd_node *n, unsigned depth) {
    hd_polynomial a = loose(s, n->a, depth), b = loose(s, n->b, depth);
    return n->op == HD_OP_MUL ? hd_polynomial_multiply(&a, &b)
                              : sum_of(s, &a, n->op == HD_OP_ADD ? 1 : -1, &b);
}

static hd_polynomial scaled(const hd_polynomial *p, unsigned bits) {
    hd_polynomial zero = hd_polynomial_constant(0);
    return bits < 62 ? hd_polynomial_add(&zero, INT64_C(1) << bits, p) : lost();
}

static hd_polynomial loose_concat(hd_sums *s, const hd_node *n, unsigned depth) {
    hd_polynomial high = loose(s, n->a, depth), low = value_of(s, n->b, depth);
    high = scaled(&high, hd_expr_width(s->g, n->b));
    return hd_polynomial_add(&high, 1, &low);
}

static hd_polynomial loose_extract(hd_sums *s, const hd_node *n, unsigned depth) {
    if (n->aux == 0)
        return loose(s, n->a, depth);
    return n->aux < 62 ? divided(s, value_of(s, n->a, depth), INT64_C(1) << n->aux) : lost();
}

/* A negative number has 2^n more than it is worth. */
static hd_polynomial loose_sext(hd_sums *s, const hd_node *n, unsigned depth) {
    unsigned from = hd_expr_width(s->g, n->a);
    if (from > 61)
        return lost();
    hd_polynomial x = value_of(s, n->a, depth);
    hd_polynomial sign = divided(s, x, INT64_C(1) << (from - 1));
    sign = scaled(&sign, from);
    return hd_polynomial_add(&x, -1, &sign);
}

/* -1 - x; of a truth value 1 - x, which is one too. */
static hd_polynomial loose_not(hd_sums *s, const hd_node *n, unsigned depth) {
    hd_polynomial x = loose(s, n->a, depth), c = hd_polynomial_constant(n->width == 1 ? 1 : -1);
    return hd_polynomial_add(&c, -1, &x);
}

/* A remainder is what is left of the number without the quotient's multiple, also by zero. */
static hd_polynomial loose_remainder(hd_sums *s, hd_expr e, const hd_node *n, unsigned depth) {
    if (hd_expr_is_const(s->g, n->b))
        return value_of(s, e, depth);
    hd_op op = n->op == HD_OP_UREM ? HD_OP_UDIV : HD_OP_SDIV;
    hd_expr divided = n->a, by = n->b, quotient = hd_expr_binary(s->g, op, divided, by);
    hd_polynomial q = loose(s, quotient, depth), b = loose(s, by, depth),
                  product = hd_polynomial_multiply(&q, &b), a = loose(s, divided, depth);
    return hd_polynomial_add(&a, -1, &product);
}

static bool is_shift_by(const hd_sums *s, const hd_node *n, uint64_t *by) {
    return constant_of(s, n->b, by) && *by < n->width && *by < 62;
}

static hd_polynomial loose(hd_sums *s, hd_expr e, unsigned depth) {
    const hd_node *n = hd_expr_node(s->g, e);
    uint64_t by;
    if (depth == 0)
        return lost();
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        return loose_constant(s, e);
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_MUL:
        return loose_arithmetic(s, n, depth - 1);
    case HD_OP_NOT:
        return loose_not(s, n, depth - 1);
    case HD_OP_CONCAT:
        return loose_concat(s, n, depth - 1);
    case HD_OP_EXTRACT:
        return loose_extract(s, n, depth - 1);
    case HD_OP_SEXT:
        return loose_sext(s, n, depth - 1);
    case HD_OP_UREM:
    case HD_OP_SREM:
        return loose_remainder(s, e, n, depth - 1);
    case HD_OP_SHL:
        if (is_shift_by(s, n, &by)) {
            hd_polynomial x = loose(s, n->a, depth - 1);
            return scaled(&x, (unsigned)by);
        } /* fall through */
    default:
        return value_of(s, e, depth);
    }
}

/* Division by a constant of what is not negative, if its operation has signs. */
static hd_polynomial value_of_division(hd_sums *s, hd_expr e, const hd_node *n, unsigned depth) {
    bool has_signs = n->op == HD_OP_SDIV || n->op == HD_OP_SREM;
    uint64_t by, half = hd_mask(n->width) >> 1;
    if (!constant_of(s, n->b, &by) || !by || (has_signs && by > half))
        return atom_of(s, e);
    hd_polynomial x = value_of(s, n->a, depth);
    if (has_signs && (x.is_lost || range_of(s, &x).most > half))
        return atom_of(s, e);
    return n->op == HD_OP_UDIV || n->op == HD_OP_SDIV ? divided(s, x, (int64_t)by)
                                                      : remainder_of(s, &x, (int64_t)by);
}

static hd_polynomial value_of_shift(hd_sums *s, hd_expr e, const hd_node *n, unsigned depth) {
    uint64_t by;
    if (!is_shift_by(s, n, &by))
        return atom_of(s, e);
    hd_polynomial x = value_of(s, n->a, depth);
    if (n->op == HD_OP_ASHR && (x.is_lost || range_of(s, &x).most > hd_mask(n->width) >> 1))
        return atom_of(s, e);
    return divided(s, x, INT64_C(1) << by);
}

static hd_polynomial value_of_mask(hd_sums *s, hd_expr e, const hd_node *n, unsigned depth) {
    uint64_t mask;
    if (!constant_of(s, n->b, &mask) || !mask || (mask & (mask + 1)))
        return atom_of(s, e);
    hd_polynomial x = loose(s, n->a, depth);
    return low_bits(s, &x, (unsigned)__builtin_popcountll(mask));
}

/* Bits that are never set in both: a sum. */
static hd_polynomial value_of_union(hd_sums *s, hd_expr e, const hd_node *n, unsigned depth) {
    uint64_t most_a = hd_expr_range(s->g, n->a).most, most_b = hd_expr_range(s->g, n->b).most, c;
    bool is_apart = (constant_of(s, n->b, &c) && c && most_a < (c & -c)) ||
                    (constant_of(s, n->a, &c) && c && most_b < (c & -c)) ||
                    (most_b < INT64_MAX && most_b &&
                     hd_expr_is_multiple(s->g, n->a, 64 - (unsigned)__builtin_clzll(most_b)));
    if (!is_apart)
        return atom_of(s, e);
    hd_polynomial a = value_of(s, n->a, depth), b = value_of(s, n->b, depth);
    return hd_polynomial_add(&a, 1, &b);
}

static hd_polynomial find_value(hd_sums *s, hd_expr e, unsigned depth) {
    const hd_node *n = hd_expr_node(s->g, e);
    uint64_t value;
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        return constant_of(s, e, &value) ? hd_polynomial_constant((int64_t)value) : lost();
    case HD_OP_ZEXT:
        return value_of(s, n->a, depth);
    case HD_OP_UDIV:
    case HD_OP_UREM:
    case HD_OP_SDIV:
    case HD_OP_SREM:
        return value_of_division(s, e, n, depth);
    case HD_OP_EQ:
    case HD_OP_ULT:
    case HD_OP_ULE:
    case HD_OP_SLT:
    case HD_OP_SLE:
        return value_of_truth(s, e, depth);
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return value_of_shift(s, e, n, depth);
    case HD_OP_AND:
        return value_of_mask(s, e, n, depth);
    case HD_OP_OR:
    case HD_OP_XOR:
        return value_of_union(s, e, n, depth);
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_MUL:
    case HD_OP_NOT:
    case HD_OP_CONCAT:
    case HD_OP_EXTRACT:
    case HD_OP_SEXT: {
        hd_polynomial x = loose(s, e, depth);
        return low_bits(s, &x, n->width);
    }
    case HD_OP_SHL:
        if (is_shift_by(s, n, &value)) {
            hd_polynomial x = loose(s, e, depth);
            return low_bits(s, &x, n->width);
        } /* fall through */
    default:
        return atom_of(s, e);
    }
}

/* P1.  What does not fit is an atom. */
static hd_polynomial value_of(hd_sums *s, hd_expr e, unsigned depth) {
    const uint64_t *known = hd_map_find(&s->known, e);
    if (known)
        return s->values.at[*known - 1];
    if (depth == 0 || ++s->n_nodes > MAX_NODES)
        return lost();
    hd_polynomial p = find_value(s, e, depth - 1);
    if (p.is_lost && !hd_expr_is_const(s->g, e))
        p = atom_of(s, e);
    hd_vec_push(&s->values, p);
    hd_map_put(&s->known, e, s->values.n);
    return p;
}

/* ---- facts ---- */

static void add_fact(hd_sums *s, hd_expr constraint) {
    compared c;
    hd_polynomial d;
    if (!read_comparison(s, constraint, &c) || !difference(s, &c, MAX_DEPTH, &d))
        return;
    span now = range_of(s, &d);
    note(s, d, both(now, range_where(&c, now)));
}

/* Conditions that were decided are numbers too: carries, mostly. */
static void add_truth(hd_sums *s, hd_expr constraint) {
    bool is_true = true;
    for (; hd_expr_node(s->g, constraint)->op == HD_OP_NOT;
         constraint = hd_expr_node(s->g, constraint)->a)
        is_true = !is_true;
    hd_vec_push(&s->values, hd_polynomial_constant(is_true));
    hd_map_put(&s->known, constraint, s->values.n);
}

/* ---- goals ---- */

/* Does every value of the difference wrap around to zero? */
static bool is_always_equal(hd_sums *s, const compared *c) {
    hd_polynomial a = loose(s, c->a, MAX_DEPTH), b = loose(s, c->b, MAX_DEPTH),
                  d = hd_polynomial_add(&a, -1, &b);
    uint64_t mask = hd_mask(hd_expr_width(s->g, c->a));
    for (uint32_t i = 0; i < d.n; i++)
        if ((uint64_t)d.terms[i].factor & mask)
            return false;
    return !d.is_lost && !((uint64_t)d.constant & mask);
}

/* ---- inequalities ---- */

static void add_between(hd_sums *s, const hd_polynomial *p, span range) {
    if (range.most < everything.most)
        hd_linear_add(s->linear, 1, p, range.most);
    if (range.least > everything.least)
        hd_linear_add(s->linear, -1, p, -range.least);
}

/* What is divided is the floor's multiple and a rest. */
static void add_floor(hd_sums *s, uint32_t atom) {
    HD_ASSERT(atom >= 1 && atom <= s->n_atoms);
    const sum_atom *a = &s->atoms[atom - 1];
    hd_polynomial floor = hd_polynomial_atom(atom);
    if (!a->e && !a->of.is_lost) {
        hd_polynomial rest = hd_polynomial_add(&a->of, -a->by, &floor);
        add_between(s, &rest, (span){0, a->by - 1});
    }
}

/* Bounds of all unknowns, which become more on the way. */
static void add_bounds(hd_sums *s) {
    for (uint32_t i = 0; i < hd_linear_n_unknowns(s->linear); i++) {
        hd_term term = *hd_linear_unknown(s->linear, i);
        hd_polynomial p = hd_polynomial_constant(0);
        term.factor = 1;
        p.terms[p.n++] = term;
        add_between(s, &p, range_of_term(s, &term));
        if (!term.atoms[1])
            add_floor(s, term.atoms[0]);
    }
}

/* Facts about other unknowns say nothing. */
static bool is_about_unknowns(const hd_sums *s, const hd_polynomial *p) {
    for (uint32_t i = 0; i < p->n; i++) {
        bool is_there = false;
        for (uint32_t k = 0; k < hd_linear_n_unknowns(s->linear); k++)
            is_there |= !memcmp(hd_linear_unknown(s->linear, k)->atoms, p->terms[i].atoms,
                                sizeof p->terms[i].atoms);
        if (!is_there)
            return false;
    }
    return true;
}

static bool is_impossible(hd_sums *s, const hd_polynomial *p, span range) {
    HD_ASSERT(!p->is_lost && range.least <= range.most);
    hd_linear_begin(s->linear);
    add_between(s, p, range);
    add_bounds(s);
    for (uint32_t i = 0; i < s->n_facts; i++)
        if (is_about_unknowns(s, &s->facts[i].p))
            add_between(s, &s->facts[i].p, s->facts[i].range);
    return hd_linear_is_impossible(s->linear);
}

static bool has_no_solution(hd_sums *s, const compared *c, const hd_polynomial *d) {
    if (c->op != HD_OP_EQ || c->is_true)
        return is_impossible(s, d, range_where(c, everything));
    return is_impossible(s, d, (span){everything.least, -1}) &&
           is_impossible(s, d, (span){1, everything.most});
}

/* A search where inequalities say nothing asks them now and then only. */
static bool is_contradicted(hd_sums *s, const compared *c) {
    hd_polynomial d;
    if (!difference(s, c, MAX_DEPTH, &d) || !has_floor(s, &d) ||
        (s->n_in_vain >= MAX_IN_VAIN && ++s->n_skipped % CURIOUS))
        return false;
    bool is_proved = has_no_solution(s, c, &d);
    s->n_in_vain = is_proved ? 0 : s->n_in_vain + 1;
    return is_proved;
}

static bool is_refuted(hd_sums *s, const compared *c) {
    return (c->op == HD_OP_EQ && !c->is_true && is_always_equal(s, c)) ||
           is_beyond(s, c, MAX_DEPTH) || is_contradicted(s, c);
}

/* Behind casts, a sum, product or quotient: not an input, a choice or a constant. */
static bool is_computed(const hd_sums *s, hd_expr e) {
    const hd_node *n = hd_expr_node(s->g, e);
    while (n->op == HD_OP_ZEXT || n->op == HD_OP_SEXT || n->op == HD_OP_EXTRACT)
        n = hd_expr_node(s->g, n->a);
    return (n->op >= HD_OP_NOT && n->op <= HD_OP_ASHR) || n->op == HD_OP_CONCAT;
}

/* What is compared with constants is decided sooner elsewhere. */
static bool is_worth_it(const hd_sums *s, const compared *c) {
    return hd_expr_width(s->g, c->a) > 1 && !hd_expr_is_const(s->g, c->a) &&
           !hd_expr_is_const(s->g, c->b) && (is_computed(s, c->a) || is_computed(s, c->b));
}

bool hd_sums_refute(hd_sums *s, const hd_task *t) {
    compared c;
    if (!read_comparison(s, hd_task_goal(t), &c) || !is_worth_it(s, &c))
        return false;
    begin(s);
    for (size_t i = 0; i + 1 < t->constraints.n; i++)
        add_truth(s, t->constraints.at[i]);
    for (size_t i = 0; i + 1 < t->constraints.n; i++)
        add_fact(s, t->constraints.at[i]);
    return is_refuted(s, &c);
}
