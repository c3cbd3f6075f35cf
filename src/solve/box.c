/* Boxes (box.h). */
#include "solve/box.h"

#include "solve/arc.h"
#include "solve/stride.h"

#include "base/panic.h"

enum { ROUNDS = 4 }; /* of handing bounds over */

static bool is_about(const hd_task *t, hd_expr constraint, hd_var v) {
    const hd_support *support = hd_expr_support(t->g, constraint);
    return support->n == 1 && support->v[0] == v;
}

static hd_arc arc_of(const hd_task *t, hd_var v) {
    unsigned width = hd_task_width(t, v);
    hd_arc r = hd_arc_all(width);
    for (size_t i = 0; i < t->constraints.n; i++)
        if (is_about(t, t->constraints.at[i], v))
            r = hd_arc_meet(r, hd_arc_by(t->g, t->constraints.at[i], true, width), width);
    return r;
}

/* ---- comparisons of two variables ---- */

typedef struct pair {
    uint32_t low, high; /* positions: low <= high, or low < high */
    bool is_strict, is_signed, is_equal;
} pair;

/* A variable, as it is or made wider; its position, or -1. */
static int position_of(const hd_task *t, hd_expr e, bool is_signed) {
    const hd_node *n = hd_expr_node(t->g, e);
    if (n->op == (is_signed ? HD_OP_SEXT : HD_OP_ZEXT))
        n = hd_expr_node(t->g, n->a);
    for (size_t i = 0; i < t->vars.n && n->op == HD_OP_VAR; i++)
        if (t->vars.at[i] == n->a)
            return (int)i;
    return -1;
}

static bool read_pair(const hd_task *t, hd_expr e, pair *p) {
    const hd_node *n = hd_expr_node(t->g, e);
    bool is_true = n->op != HD_OP_NOT;
    n = is_true ? n : hd_expr_node(t->g, n->a);
    p->is_signed = n->op == HD_OP_SLT || n->op == HD_OP_SLE;
    p->is_equal = n->op == HD_OP_EQ;
    p->is_strict = (n->op == HD_OP_ULT || n->op == HD_OP_SLT) == is_true;
    if (n->op < HD_OP_EQ || n->op > HD_OP_SLE || (p->is_equal && !is_true))
        return false;
    int a = position_of(t, n->a, p->is_signed), b = position_of(t, n->b, p->is_signed);
    p->low = (uint32_t)(is_true ? a : b);
    p->high = (uint32_t)(is_true ? b : a);
    return a >= 0 && b >= 0;
}

/* Bounds of a variable as its comparisons see it: from the middle of the circle on with signs, so
 * that they are always numbers in order.  False if the arc goes over the end. */
static bool bounds_of(const hd_arc *arc, unsigned width, bool is_signed, __int128 *least,
                      __int128 *most) {
    *least = is_signed ? hd_signed(arc->start, width) : (__int128)arc->start;
    *most = *least + arc->span;
    return !arc->is_empty &&
           *most <= (is_signed ? (__int128)(hd_mask(width) >> 1) : (__int128)hd_mask(width));
}

static bool narrow(hd_arc *arc, unsigned width, bool is_signed, __int128 least, __int128 most) {
    __int128 now_least, now_most;
    if (!bounds_of(arc, width, is_signed, &now_least, &now_most)) {
        if (arc->is_empty || arc->span != hd_mask(width))
            return false;
        now_least = is_signed ? -(__int128)(hd_mask(width) >> 1) - 1 : 0;
        now_most = now_least + hd_mask(width);
    }
    least = least < now_least ? now_least : least;
    most = most > now_most ? now_most : most;
    if (least == now_least && most == now_most)
        return false;
    HD_ASSERT(least >= now_least && most <= now_most); /* never wider */
    *arc = (hd_arc){.start = (uint64_t)least & hd_mask(width),
                    .span = least <= most ? (uint64_t)(most - least) : 0,
                    .is_empty = least > most};
    return true;
}

/* True if anything changed. */
static bool hand_over(const hd_task *t, const pair *p, hd_arc *arcs) {
    HD_CHECK(p->low < t->vars.n && p->high < t->vars.n);
    unsigned low_width = hd_task_width(t, t->vars.at[p->low]),
             high_width = hd_task_width(t, t->vars.at[p->high]);
    __int128 least, most, far = (__int128)1 << 100;
    bool is_new = false;
    if (bounds_of(&arcs[p->high], high_width, p->is_signed, &least, &most))
        is_new |= narrow(&arcs[p->low], low_width, p->is_signed, p->is_equal ? least : -far,
                         most - p->is_strict);
    if (bounds_of(&arcs[p->low], low_width, p->is_signed, &least, &most))
        is_new |= narrow(&arcs[p->high], high_width, p->is_signed, least + p->is_strict,
                         p->is_equal ? most : far);
    return is_new;
}

static bool hand_all_over(const hd_task *t, hd_arc *arcs) {
    bool is_new = false;
    pair p;
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_expr_support(t->g, t->constraints.at[i])->n == 2 &&
            read_pair(t, t->constraints.at[i], &p))
            is_new |= hand_over(t, &p, arcs);
    return is_new;
}

/* ---- sides ---- */

static hd_stride stride_of(const hd_task *t, hd_var v, uint64_t most) {
    hd_stride r = hd_stride_all();
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_expr e = t->constraints.at[i];
        if (hd_expr_node(t->g, e)->op == HD_OP_EQ && is_about(t, e, v))
            r = hd_stride_meet(r, hd_stride_by(t->g, e, most));
    }
    return r;
}

/* Numbers of the arc that are of the stride, if it does not go over the end of the circle. */
static void take_stride(const hd_task *t, hd_side *s) {
    uint64_t end;
    if (__builtin_add_overflow(s->start, s->n_more, &end) || end > hd_mask(s->width))
        return;
    hd_stride r = stride_of(t, s->v, end);
    uint64_t skip = (uint64_t)(((unsigned __int128)r.rest + r.by - s->start % r.by) % r.by);
    bool is_empty = r.is_empty || skip > s->n_more;
    HD_INVARIANT(U1, is_empty || (s->start + skip) % r.by == r.rest);
    s->by = is_empty ? 1 : r.by;
    s->start += is_empty ? 0 : skip;
    s->n_more = is_empty ? 0 : (s->n_more - skip) / r.by;
}

static hd_side side_of(const hd_task *t, hd_var v, const hd_arc *arc) {
    return (hd_side){.v = v,
                     .width = hd_task_width(t, v),
                     .start = arc->is_empty ? 0 : arc->start,
                     .by = 1,
                     .n_more = arc->is_empty ? 0 : arc->span};
}

/* The variable with the most values last: what does not depend on it is computed least often. */
static void insert(hd_side *sides, uint32_t n, hd_side side) {
    uint32_t at = n;
    HD_CHECK(side.by > 0);
    for (; at > 0 && sides[at - 1].n_more > side.n_more; at--)
        sides[at] = sides[at - 1];
    sides[at] = side;
}

void hd_box_find(const hd_task *t, hd_side *sides) {
    hd_arc arcs[HD_MAX_LEAVES];
    bool has_bounds = false; /* to hand over */
    HD_ASSERT(t->vars.n <= HD_MAX_LEAVES);
    for (size_t i = 0; i < t->vars.n; i++) {
        arcs[i] = arc_of(t, t->vars.at[i]);
        has_bounds |= arcs[i].span != hd_mask(hd_task_width(t, t->vars.at[i]));
    }
    for (int round = 0; t->vars.n > 1 && has_bounds && round < ROUNDS && hand_all_over(t, arcs);)
        round++;
    for (size_t i = 0; i < t->vars.n; i++)
        insert(sides, (uint32_t)i, side_of(t, t->vars.at[i], &arcs[i]));
}

void hd_box_take_strides(const hd_task *t, hd_side *sides) {
    for (uint32_t i = 0; i < t->vars.n; i++) {
        hd_side side = sides[i];
        if (side.n_more)
            take_stride(t, &side);
        insert(sides, i, side);
    }
}

bool hd_box_is_few(const hd_side *sides, uint32_t n, uint64_t many) {
    uint64_t all = 1;
    HD_ASSERT(many < UINT64_C(1) << 32); /* so that products fit */
    for (uint32_t i = 0; i < n; i++)
        if (sides[i].n_more >= many || (all *= sides[i].n_more + 1) > many)
            return false;
    return true;
}
