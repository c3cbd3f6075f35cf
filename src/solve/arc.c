/* Arcs (arc.h). */
#include "solve/arc.h"

#include "solve/solve_int.h"

#include "base/panic.h"

static const hd_arc nothing = {.is_empty = true};

hd_arc hd_arc_all(unsigned width) {
    return (hd_arc){.start = 0, .span = hd_mask(width)};
}

/* From `least` up to `most`, over the end of the circle if need be. */
static hd_arc from_to(uint64_t least, uint64_t most, unsigned width) {
    return (hd_arc){.start = least, .span = (most - least) & hd_mask(width)};
}

static bool contains(hd_arc r, uint64_t value, unsigned width) {
    return !r.is_empty && ((value - r.start) & hd_mask(width)) <= r.span;
}

static hd_arc complement(hd_arc r, unsigned width) {
    if (r.is_empty)
        return hd_arc_all(width);
    if (r.span == hd_mask(width))
        return nothing;
    return from_to((r.start + r.span + 1) & hd_mask(width), r.start - 1, width);
}

/* `inner` begins inside of `outer`. */
static hd_arc meet_at(hd_arc outer, hd_arc inner, unsigned width) {
    uint64_t left = outer.span - ((inner.start - outer.start) & hd_mask(width));
    return (hd_arc){.start = inner.start, .span = left < inner.span ? left : inner.span};
}

hd_arc hd_arc_meet(hd_arc x, hd_arc y, unsigned width) {
    if (x.is_empty || y.is_empty)
        return nothing;
    bool y_begins_in_x = contains(x, y.start, width), x_begins_in_y = contains(y, x.start, width);
    if (y_begins_in_x && x_begins_in_y && x.start != y.start) /* perhaps two pieces */
        return x.span < y.span ? x : y;
    if (y_begins_in_x)
        return meet_at(x, y, width);
    return x_begins_in_y ? meet_at(y, x, width) : nothing;
}

/* ---- comparisons ---- */

/* The x for which `x OP c` holds, or `c OP x`. */
static hd_arc by_comparison(hd_op op, uint64_t c, bool is_left, unsigned width) {
    bool is_signed = op == HD_OP_SLT || op == HD_OP_SLE,
         is_strict = op == HD_OP_ULT || op == HD_OP_SLT;
    uint64_t least = is_signed ? hd_mask(width) ^ hd_mask(width) >> 1 : 0,
             most = (least - 1) & hd_mask(width);
    if (op == HD_OP_EQ)
        return from_to(c, c, width);
    if (is_strict && c == (is_left ? most : least))
        return nothing;
    if (is_left)
        return from_to((c + is_strict) & hd_mask(width), most, width);
    return from_to(least, c - is_strict, width);
}

/* ---- from an expression down to its variable ---- */

typedef struct descent {
    hd_expr e;
    unsigned width;
    hd_arc arc;    /* of e */
    bool is_known; /* false: it may be anything */
} descent;

static void give_up(descent *p) {
    p->is_known = false;
}

/* x + c and x - c: the same, turned. */
static void turn(const hd_graph *g, descent *p, const hd_node *n) {
    bool is_left = hd_expr_is_const(g, n->a);
    if (!hd_expr_is_const(g, is_left ? n->a : n->b) || (is_left && n->op == HD_OP_SUB)) {
        give_up(p);
        return;
    }
    uint64_t c = hd_expr_value(g, is_left ? n->a : n->b);
    p->arc.start = (p->arc.start + (n->op == HD_OP_ADD ? 0 - c : c)) & hd_mask(p->width);
    p->e = is_left ? n->b : n->a;
}

/* A number that was made wider: those that it can be are neighbours in both widths. */
static void make_narrow(const hd_graph *g, descent *p, const hd_node *n) {
    unsigned from = hd_expr_width(g, n->a);
    uint64_t half = hd_mask(from) >> 1;
    hd_arc can_be = n->op == HD_OP_ZEXT ? from_to(0, hd_mask(from), p->width)
                                        : from_to((~half) & hd_mask(p->width), half, p->width);
    hd_arc left = hd_arc_meet(can_be, p->arc, p->width);
    bool is_inside = left.is_empty || (contains(can_be, left.start, p->width) &&
                                       contains(can_be, left.start + left.span, p->width) &&
                                       left.span <= can_be.span);
    if (!is_inside) {
        give_up(p);
        return;
    }
    left.start &= hd_mask(from);
    *p = (descent){.e = n->a, .width = from, .arc = left, .is_known = true};
}

/* One step down, or none where there is nothing that is understood. */
static void go_down(const hd_graph *g, descent *p) {
    const hd_node *n = hd_expr_node(g, p->e);
    if (n->op == HD_OP_ADD || n->op == HD_OP_SUB)
        turn(g, p, n);
    else if (n->op == HD_OP_ZEXT || n->op == HD_OP_SEXT)
        make_narrow(g, p, n);
    else
        give_up(p);
}

static bool has_constant(const hd_graph *g, const hd_node *n) {
    return hd_expr_is_const(g, n->a) || hd_expr_is_const(g, n->b);
}

/* The side of a comparison that is no constant, and where it is if the comparison is `truth`. */
static descent begin_descent(const hd_graph *g, const hd_node *n, bool truth) {
    bool is_left = hd_expr_is_const(g, n->a);
    unsigned width = hd_expr_width(g, n->a);
    hd_arc r = by_comparison((hd_op)n->op, hd_expr_value(g, is_left ? n->a : n->b), is_left, width);
    return (descent){.e = is_left ? n->b : n->a,
                     .width = width,
                     .arc = truth ? r : complement(r, width),
                     .is_known = true};
}

static hd_arc of_comparison(const hd_graph *g, const hd_node *n, bool truth, unsigned variable) {
    if (!has_constant(g, n))
        return hd_arc_all(variable);
    for (descent p = begin_descent(g, n, truth); p.is_known; go_down(g, &p)) {
        const hd_node *at = hd_expr_node(g, p.e);
        if (at->op == HD_OP_VAR && at->width == variable)
            return p.arc;
    }
    return hd_arc_all(variable);
}

hd_expr hd_arc_term(const hd_graph *g, hd_expr e, hd_arc *arc) {
    bool truth = true;
    const hd_node *n = hd_expr_node(g, e);
    for (; n->op == HD_OP_NOT && n->width == 1; n = hd_expr_node(g, n->a))
        truth = !truth;
    if (n->op < HD_OP_EQ || n->op > HD_OP_SLE || !has_constant(g, n))
        return HD_NONE;
    descent p = begin_descent(g, n, truth), deepest = p;
    for (; p.is_known && !hd_expr_is_const(g, p.e); go_down(g, &p))
        deepest = p;
    *arc = deepest.arc;
    return deepest.e;
}

hd_arc hd_arc_by(const hd_graph *g, hd_expr e, bool truth, unsigned variable) {
    const hd_node *n = hd_expr_node(g, e);
    for (; n->op == HD_OP_NOT && n->width == 1; n = hd_expr_node(g, n->a))
        truth = !truth;
    if (n->op >= HD_OP_EQ && n->op <= HD_OP_SLE)
        return of_comparison(g, n, truth, variable);
    if (n->width == 1 && n->op == (truth ? HD_OP_AND : HD_OP_OR))
        return hd_arc_meet(hd_arc_by(g, n->a, truth, variable), hd_arc_by(g, n->b, truth, variable),
                           variable);
    return hd_arc_all(variable);
}
