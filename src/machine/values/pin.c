/* pin.c -- values that must be one value: the address of a lock, an index into a table that is too
 * big.
 *
 * Another value is another path, so that the value is decided: by a chain of two-way decisions
 * which depends on the expression, on what the path is known to promise and on the answers before,
 * never on the value itself, so that an execution with another value shares the chain up to where
 * they part.
 *
 * Decisions cost a question to the solver each, whose answer is mostly no.  The bits of an address
 * are 64, but those of the index that it was made of are few: what a value is made of one to one is
 * decided instead.  Where bounds are known, they are halved; where not, the number of digits comes
 * first, because most indices are small.  What a thread has decided it does not decide again. */
#include "machine/values/values.h"

#include "base/panic.h"

/* A value, and the run of neighbours modulo 2^width that the path keeps it in. */
typedef struct pin {
    hd_machine *m;
    hd_expr e;
    uint64_t least, span;
    uint32_t site;
} pin;

static uint64_t mask_of(const pin *p) {
    return hd_mask(hd_expr_width(p->m->graph, p->e));
}

static bool is_bounded(const pin *p) {
    return p->span != mask_of(p);
}

/* Value and bounds are those of `e` from now on; no bounds unless they are good. */
static void go_on_with(pin *p, hd_expr e, bool has_bounds, uint64_t least, uint64_t span) {
    uint64_t mask = hd_mask(hd_expr_width(p->m->graph, e));
    p->e = e;
    p->least = has_bounds && span < mask ? least & mask : 0;
    p->span = has_bounds && span < mask ? span : mask;
}

/* ---- what a value is made of ---- */

typedef __int128 whole_number;

/* Multiples of `factor` between `low` and `high`, of which none is 2^width after another: which of
 * them are within the bounds, divided by `factor`.  False if that cannot be said. */
static bool divide(const pin *p, whole_number low, whole_number high, uint64_t factor,
                   uint64_t *least, uint64_t *span) {
    whole_number round = (whole_number)mask_of(p) + 1, from = p->least;
    if (!is_bounded(p))
        return false;
    if (from > high)
        from -= round;
    if (from + p->span >= low + round) /* its other end reaches in again */
        return false;
    whole_number first = from > low ? from : low,
                 last = from + p->span < high ? from + p->span : high;
    first = first >= 0 ? (first + factor - 1) / factor : -(-first / factor);
    last = last >= 0 ? last / factor : -((-last + factor - 1) / factor);
    *least = (uint64_t)first;
    *span = (uint64_t)(last - first);
    return first <= last;
}

/* The numbers that the operand `e` of a product or an extension can be, as it is meant there. */
static void find_reach(const hd_graph *g, hd_expr e, bool is_signed, whole_number *low,
                       whole_number *high) {
    unsigned width = hd_expr_width(g, e);
    *low = is_signed ? -((whole_number)1 << (width - 1)) : 0;
    *high =
        is_signed ? ((whole_number)1 << (width - 1)) - 1 : (whole_number)hd_expr_range(g, e).most;
}

static void scale(pin *p, hd_expr e, bool is_signed, hd_expr made_of, uint64_t factor) {
    whole_number low, high;
    uint64_t least = 0, span = 0;
    find_reach(p->m->graph, made_of, is_signed, &low, &high);
    bool good = divide(p, low * factor, high * factor, factor, &least, &span);
    go_on_with(p, e, good, least, span);
}

static bool is_constant(const pin *p, hd_expr e) {
    return hd_expr_is_const(p->m->graph, e);
}

static bool open_sum(pin *p, const hd_node *n) {
    bool is_left = is_constant(p, n->a);
    if (!is_left && !is_constant(p, n->b))
        return false;
    uint64_t c = hd_expr_value(p->m->graph, is_left ? n->a : n->b);
    if (n->op == HD_OP_SUB && is_left) /* c - x: from c - most to c - least */
        go_on_with(p, n->b, is_bounded(p), c - p->least - p->span, p->span);
    else
        go_on_with(p, is_left ? n->b : n->a, is_bounded(p),
                   p->least + (n->op == HD_OP_SUB ? c : 0 - c), p->span);
    return true;
}

/* A factor makes other numbers of other numbers if no product wraps. */
static bool open_product(pin *p, const hd_node *n) {
    const hd_graph *g = p->m->graph;
    bool is_left = n->op == HD_OP_MUL && is_constant(p, n->a);
    hd_expr e = is_left ? n->b : n->a, c = is_left ? n->a : n->b;
    if (!is_constant(p, c))
        return false;
    uint64_t factor = hd_expr_value(g, c);
    if (n->op == HD_OP_SHL)
        factor = factor < n->width ? UINT64_C(1) << factor : 0;
    if (!factor)
        return false;
    const hd_node *x = hd_expr_node(g, e);
    bool is_signed = x->op == HD_OP_SEXT;
    hd_expr made_of = is_signed ? x->a : e;
    whole_number low, high;
    find_reach(g, made_of, is_signed, &low, &high);
    if (factor >> 62 || (high - low) * factor > (whole_number)hd_mask(n->width))
        return false;
    scale(p, e, is_signed, made_of, factor);
    return true;
}

/* One step from a value to what it is made of one to one; false if there is none. */
static bool open_value(pin *p) {
    const hd_node n = *hd_expr_node(p->m->graph, p->e);
    switch (n.op) {
    case HD_OP_ADD:
    case HD_OP_SUB:
        return open_sum(p, &n);
    case HD_OP_MUL:
    case HD_OP_SHL:
        return open_product(p, &n);
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
        scale(p, n.a, n.op == HD_OP_SEXT, n.a, 1);
        return true;
    default:
        return false;
    }
}

/* ---- what a thread has decided ---- */

enum { MOST_PINNED = 32 }; /* of each thread: the list is searched from its beginning */

static uint64_t key_of(const hd_machine *m, hd_var v) {
    return (uint64_t)m->threads.current << 32 | v;
}

static bool is_pinned(const hd_machine *m, uint64_t key, uint32_t *n_own) {
    *n_own = 0;
    for (size_t i = 0; i < m->execution.pinned.n; i++) {
        if (m->execution.pinned.at[i] == key)
            return true;
        *n_own += m->execution.pinned.at[i] >> 32 == key >> 32;
    }
    return false;
}

static void remember(hd_machine *m, hd_var v) {
    uint32_t n_own;
    if (!is_pinned(m, key_of(m, v), &n_own) && n_own < MOST_PINNED)
        hd_vec_push(&m->execution.pinned, key_of(m, v));
}

bool hd_is_pinned(const hd_machine *m, hd_expr e) {
    uint32_t n_own;
    if (!m->execution.pinned.n)
        return false;
    const hd_support *support = hd_expr_support(m->graph, e);
    for (uint32_t i = 0; i < support->n; i++)
        if (!is_pinned(m, key_of(m, support->v[i]), &n_own))
            return false;
    return true;
}

/* ---- decisions ---- */

static bool decide(const pin *p, hd_op op, hd_expr e, uint64_t with, bool taken) {
    hd_graph *g = p->m->graph;
    hd_expr constant = hd_expr_const(g, hd_expr_width(g, e), with);
    hd_record(p->m, p->site, hd_expr_binary(g, op, e, constant), taken, HD_BRANCH_VALUE);
    return taken;
}

/* `e` is at least `low` and at most `high`. */
static void halve(const pin *p, hd_expr e, uint64_t value, uint64_t low, uint64_t high) {
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (decide(p, HD_OP_ULE, e, middle, value <= middle))
            high = middle;
        else
            low = middle + 1;
    }
    HD_ASSERT(low == value);
}

/* One digit more each time. */
static void count_digits(const pin *p, hd_expr e, uint64_t value) {
    uint64_t last = 0, before = 0;
    while (last < hd_mask(hd_expr_width(p->m->graph, e)) &&
           !decide(p, HD_OP_ULE, e, last, value <= last)) {
        before = last + 1;
        last = last << 1 | 1;
    }
    halve(p, e, value, before, last);
}

/* Bit by bit, highest first; bits that are the same for all inputs fold away. */
void hd_pin_value(hd_machine *m, hd_expr value, uint64_t concrete, uint32_t site) {
    HD_ASSERT(hd_expr_width(m->graph, value) <= 64);
    for (unsigned bit = hd_expr_width(m->graph, value); bit-- > 0;)
        hd_record(m, site, hd_expr_extract(m->graph, value, bit, 1), concrete >> bit & 1,
                  HD_BRANCH_VALUE);
}

static void pin_opened(const pin *p) {
    hd_graph *g = p->m->graph;
    unsigned width = hd_expr_width(g, p->e);
    uint64_t value = hd_eval_value(p->m->expressions.eval, p->e);
    if (is_bounded(p)) {
        hd_expr offset = hd_expr_binary(g, HD_OP_SUB, p->e, hd_expr_const(g, width, p->least));
        halve(p, offset, (value - p->least) & hd_mask(width), 0, p->span);
    } else if (hd_expr_node(g, p->e)->op == HD_OP_VAR) {
        count_digits(p, p->e, value);
    } else {
        hd_pin_value(p->m, p->e, value, p->site);
    }
}

void hd_pin_within(hd_machine *m, hd_expr value, uint64_t concrete, uint64_t least, uint64_t most,
                   uint32_t site) {
    pin p = {m, value, least, most - least, site};
    HD_ASSERT(least <= concrete && concrete <= most && most <= mask_of(&p));
    if (hd_is_pinned(m, value))
        return;
    while (open_value(&p))
        ;
    if (hd_expr_is_const(m->graph, p.e))
        return;
    pin_opened(&p);
    const hd_node *n = hd_expr_node(m->graph, p.e);
    if (n->op == HD_OP_VAR && n->a != HD_UNDEFINED)
        remember(m, n->a);
}
