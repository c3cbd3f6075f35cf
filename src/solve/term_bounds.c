/* term_bounds.c -- terms that are compared with constants: between which numbers they lie.
 *
 * A number made of several bytes is compared with one constant after the other: a character that is
 * at least 0x10000 is not below 0xd800, whatever bytes it is made of.  Trying bytes does not show
 * that, and gates show it slowly.  Every comparison with a constant leaves an arc of the values of
 * its term (arc.h); no value in all arcs of a term is a proof.  What is left are bounds of these
 * terms and of variables, under which the goal is computed in intervals (interval.h): false
 * everywhere is a proof too, and so is a term that has no value between its bounds.
 *
 * B1. An arc of a term has all values that the term has in any solution of the constraints. */
#include "base/panic.h"
#include "solve/arc.h"
#include "solve/interval.h"
#include "solve/places.h"
#include "solve/solve_int.h"

typedef struct bounded_term {
    hd_expr e;
    hd_arc arc;
} bounded_term;

typedef struct term_bounds {
    hd_intervals *intervals;
    hd_vec(bounded_term) terms;
    hd_places places; /* of terms */
    /* What was found out about single constraints, in this question or an earlier one. */
    hd_places constraints;
    hd_vec(bounded_term) known;
} term_bounds;

static void *bounds_new(hd_graph *g) {
    term_bounds *s = hd_layer_memory(sizeof *s);
    s->intervals = hd_intervals_new(g);
    hd_places_begin(&s->constraints);
    return s;
}

static void bounds_forget(void *self) {
    term_bounds *s = self;
    hd_places_forget(&s->places);
    hd_places_forget(&s->constraints);
    hd_places_begin(&s->constraints);
    hd_vec_clear(&s->known);
}

static void bounds_free(void *self) {
    term_bounds *s = self;
    hd_intervals_free(s->intervals);
    hd_vec_release(&s->terms);
    hd_places_release(&s->places);
    hd_places_release(&s->constraints);
    hd_vec_release(&s->known);
    free(s);
}

static void begin(term_bounds *s) {
    hd_places_begin(&s->places);
    hd_vec_clear(&s->terms);
    hd_intervals_begin(s->intervals);
}

/* The term's place; it may be anything when it is new. */
static bounded_term *term_of(term_bounds *s, const hd_task *t, hd_expr e) {
    if (!hd_places_have(&s->places, e)) {
        hd_places_add(&s->places, e);
        hd_vec_push(&s->terms, ((bounded_term){e, hd_arc_all(hd_expr_width(t->g, e))}));
    }
    return &s->terms.at[hd_place_of(&s->places, e)];
}

/* What hd_arc_term says of `e`: most constraints are asked about again and again. */
static bounded_term known_term(term_bounds *s, const hd_graph *g, hd_expr e) {
    if (!hd_places_have(&s->constraints, e)) {
        bounded_term x = {0};
        x.e = hd_arc_term(g, e, &x.arc);
        hd_places_add(&s->constraints, e);
        hd_vec_push(&s->known, x);
    }
    return s->known.at[hd_place_of(&s->constraints, e)];
}

/* Conjunctions say what both of their sides say. */
static hd_expr add_arcs(term_bounds *s, const hd_task *t, hd_expr e, int depth) {
    const hd_node *n = hd_expr_node(t->g, e);
    if (n->op == HD_OP_AND && n->width == 1 && depth > 0) {
        hd_expr empty = add_arcs(s, t, n->a, depth - 1);
        return empty ? empty : add_arcs(s, t, n->b, depth - 1);
    }
    bounded_term one = known_term(s, t->g, e);
    if (!one.e)
        return HD_NONE;
    bounded_term *x = term_of(s, t, one.e);
    HD_INVARIANT(B1, x->e == one.e);
    x->arc = hd_arc_meet(x->arc, one.arc, hd_expr_width(t->g, one.e));
    return x->arc.is_empty ? one.e : HD_NONE;
}

/* The first term that has no value left; HD_NONE if all have some. */
static hd_expr find_arcs(term_bounds *s, const hd_task *t) {
    hd_expr empty = HD_NONE;
    for (size_t i = t->constraints.n; i-- > 0 && !empty;)
        empty = add_arcs(s, t, t->constraints.at[i], 3);
    return empty;
}

/* The constraints that are about `e` alone. */
static bool list_core(hd_task *t, hd_expr e) {
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_arc arc;
        if (hd_arc_term(t->g, t->constraints.at[i], &arc) == e)
            hd_vec_push(&t->core, t->constraints.at[i]);
    }
    return t->core.n > 0;
}

/* Does the core still leave no value?  Parts of conjunctions are not in it. */
static bool is_core_empty(const hd_task *t, hd_expr e) {
    unsigned width = hd_expr_width(t->g, e);
    hd_arc all = hd_arc_all(width), arc;
    for (size_t i = t->core.n; i-- > 0;) {
        hd_arc_term(t->g, t->core.at[i], &arc);
        all = hd_arc_meet(all, arc, width);
    }
    return all.is_empty;
}

static void assume_arcs(term_bounds *s, const hd_task *t) {
    for (size_t i = 0; i < s->terms.n; i++) {
        const bounded_term *x = &s->terms.at[i];
        unsigned width = hd_expr_width(t->g, x->e);
        int64_t least = hd_signed(x->arc.start, width),
                most = hd_signed(x->arc.start + x->arc.span, width);
        if (width > 1 && least <= most && (uint64_t)most - (uint64_t)least == x->arc.span)
            hd_intervals_assume(s->intervals, x->e, least, most);
    }
}

static bool is_false(term_bounds *s, const hd_task *t) {
    assume_arcs(s, t);
    return hd_intervals_of(s->intervals, hd_task_goal(t)).most == 0 ||
           hd_intervals_are_empty(s->intervals);
}

/* What one byte decides, and what only compares pointers, is decided elsewhere. */
static bool applies(void *self, const hd_task *t) {
    (void)self;
    bool is_byte = t->vars.n == 1 && t->n_narrow == 1;
    return t->vars.n && !t->has_pointers && !is_byte;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    (void)model;
    term_bounds *s = self;
    begin(s);
    hd_expr empty = find_arcs(s, t);
    if (!empty && !is_false(s, t))
        return HD_UNKNOWN;
    if (!empty || !list_core(t, empty) || !is_core_empty(t, empty))
        hd_vec_clear(&t->core);
    HD_CHECK_INVARIANT(B1, hd_task_has_no_model(t));
    return HD_UNSAT;
}

const hd_layer_kind hd_layer_bounds = {.new = bounds_new,
                                       .free = bounds_free,
                                       .forget = bounds_forget,
                                       .applies = applies,
                                       .ask = ask};
