/* Equations, remainders, signs and products of few bits: the parts of the layer of cases that know
 * them, each by itself, compared with trying all values (query_shapes.h). */
#include "property/model/query_shapes.h"

#include "property/random/random_formulas.h"
#include "solve/atoms.h"
#include "solve/halves.h"
#include "solve/prune.h"

#include <stdlib.h>

typedef struct parts {
    hd_halves *halves;
    hd_intervals *intervals;
    hd_atoms *atoms;
    hd_straight *straight;
} parts;

/* ---- formulas ---- */

static hd_expr two(query_world *w, hd_op op, hd_expr a, hd_expr b) {
    return hd_expr_binary(w->g, op, a, b);
}

static hd_expr number(query_world *w, unsigned width, uint64_t value) {
    return hd_expr_const(w->g, width, value & hd_mask(width));
}

/* One input, wider if need be, without signs or with them. */
static hd_expr one_input(query_world *w, uint32_t i, unsigned width) {
    unsigned own = hd_variables_info(w->variables, w->vars[i])->width;
    hd_expr e = hd_expr_var(w->g, w->vars[i], own);
    return own == width        ? e
           : own > width       ? hd_expr_extract(w->g, e, 0, width)
           : query_below(w, 3) ? hd_expr_zext(w->g, e, width)
                               : hd_expr_sext(w->g, e, width);
}

/* Sums, products and remainders by constants of one input, one in the other. */
static hd_expr chain_of(query_world *w, hd_expr e, unsigned width) {
    static const hd_op ops[] = {HD_OP_ADD, HD_OP_SUB,  HD_OP_MUL,  HD_OP_MUL,
                                HD_OP_AND, HD_OP_UREM, HD_OP_UREM, HD_OP_SREM};
    for (uint32_t n = query_below(w, 4); n > 0; n--) {
        hd_op op = ops[query_below(w, 8)];
        uint64_t c = op == HD_OP_AND ? hd_mask(1 + query_below(w, width)) : 1 + query_below(w, 23);
        e = two(w, op, e, number(w, width, c));
    }
    return e;
}

static hd_expr equals_near(query_world *w, hd_expr e) {
    uint64_t value = query_value_under_hint(w, e) + (query_below(w, 2) ? query_below(w, 7) : 0);
    return two(w, HD_OP_EQ, e, number(w, hd_expr_width(w->g, e), value));
}

static hd_expr random_remainder(query_world *w, unsigned width) {
    hd_expr e = chain_of(w, one_input(w, query_below(w, w->n_vars), width), width);
    return equals_near(
        w, two(w, HD_OP_UREM + query_below(w, 2), e, number(w, width, 2 + query_below(w, 20))));
}

static hd_expr random_power(query_world *w, unsigned width) {
    hd_expr x = one_input(w, query_below(w, w->n_vars), width), e = x;
    if (!query_below(w, 3))
        return two(w, HD_OP_MUL, x, one_input(w, query_below(w, w->n_vars), width));
    for (uint32_t n = query_below(w, 3); n > 0; n--)
        e = two(w, HD_OP_MUL, e, x);
    return two(w, HD_OP_MUL, e, number(w, width, 1 + query_below(w, 9)));
}

static hd_expr random_sum(query_world *w, unsigned width) {
    hd_expr e = random_power(w, width);
    for (uint32_t n = 1 + query_below(w, 2); n > 0; n--)
        e = two(w, query_below(w, 2) ? HD_OP_ADD : HD_OP_SUB, e, random_power(w, width));
    return query_below(w, 4) ? equals_near(w, e) : two(w, HD_OP_EQ, e, random_power(w, width));
}

static hd_expr random_pair(query_world *w, unsigned width) {
    hd_expr a = one_input(w, query_below(w, w->n_vars), width),
            b = one_input(w, query_below(w, w->n_vars), width);
    hd_expr e = two(w, HD_OP_EQ + query_below(w, 5), a, b);
    return query_below(w, 2) ? e : hd_expr_not(w->g, e);
}

/* Products, quotients and what is put together of them, compared with zero or near their value. */
static hd_expr random_sign(query_world *w, unsigned width) {
    hd_expr a = one_input(w, query_below(w, w->n_vars), width),
            b = one_input(w, query_below(w, w->n_vars), width), q = two(w, HD_OP_SDIV, a, b);
    unsigned wide = width + 1 + query_below(w, width);
    hd_expr kinds[] = {
        two(w, HD_OP_MUL, a, b),
        two(w, HD_OP_MUL, hd_expr_sext(w->g, a, wide), hd_expr_sext(w->g, b, wide)),
        two(w, HD_OP_XOR, a, b),
        two(w, HD_OP_SREM, a, b),
        two(w, HD_OP_MUL, hd_expr_sext(w->g, q, wide), hd_expr_sext(w->g, b, wide)),
        two(w, HD_OP_ADD, hd_expr_sext(w->g, two(w, HD_OP_MUL, q, b), wide),
            hd_expr_sext(w->g, two(w, HD_OP_SREM, a, b), wide)),
    };
    hd_expr e = kinds[query_below(w, 6)];
    unsigned own = hd_expr_width(w->g, e);
    uint64_t half = hd_mask(width) >> 1, likely[] = {0, 1, half, half + 1, ~half};
    hd_expr c = number(w, own, likely[query_below(w, 5)]);
    hd_op op = query_below(w, 4) ? HD_OP_SLT : HD_OP_EQ;
    return query_below(w, 2) ? two(w, op, e, c) : two(w, op, c, e);
}

/* Slots of a table by a hash of one input, and whether inputs are equal. */
static hd_expr random_slot(query_world *w, unsigned width) {
    static const uint64_t factors[] = {3, 5, 11, 0x9d};
    hd_expr slots[2], m = number(w, width, 2 + query_below(w, 4));
    uint64_t factor = factors[query_below(w, 4)];
    uint32_t shift = query_below(w, 3);
    if (!query_below(w, 3))
        return random_pair(w, width);
    for (int i = 0; i < 2; i++)
        slots[i] = two(w, HD_OP_UREM,
                       two(w, HD_OP_LSHR,
                           two(w, HD_OP_MUL, one_input(w, query_below(w, w->n_vars), width),
                               number(w, width, factor)),
                           number(w, width, shift)),
                       m);
    return two(w, HD_OP_EQ, slots[0],
               query_below(w, 2) ? slots[1] : number(w, width, query_below(w, 4)));
}

static hd_expr random_equation(query_world *w, unsigned width) {
    static hd_expr (*const kinds[])(query_world *, unsigned) = {
        random_remainder, random_sum, random_pair, random_sign, random_slot};
    return kinds[query_below(w, 5)](w, width);
}

/* ---- each part by itself ---- */

static bool is_on_side(const hd_side *s, uint64_t value) {
    uint64_t way = (value - s->start) & hd_mask(s->width);
    return way % s->by == 0 && way / s->by <= s->n_more;
}

/* All solutions are in the box (U1); true if there is any. */
static bool visit_solutions(query_world *w, const hd_query *q, const hd_task *t,
                            const hd_side *sides, uint32_t at, hd_model *m) {
    if (at == w->n_vars) {
        bool holds = query_holds(w, q, m);
        for (size_t i = 0; i < t->vars.n && holds; i++)
            if (!is_on_side(&sides[i], hd_model_get(m, sides[i].v)))
                query_fail(w, q, "box", "a solution is outside of it");
        return holds;
    }
    unsigned width = hd_variables_info(w->variables, w->vars[at])->width;
    bool found = false;
    for (uint64_t value = 0; value <= hd_mask(width); value++) {
        hd_model_set(m, w->vars[at], value);
        found |= visit_solutions(w, q, t, sides, at + 1, m);
    }
    return found;
}

static void check_verdict(query_world *w, const hd_query *q, const char *name, hd_verdict verdict,
                          bool has_solution, const hd_model *m) {
    if (verdict == HD_UNSAT && has_solution)
        query_fail(w, q, name, "said unsat");
    if (verdict == HD_SAT && !query_holds(w, q, m))
        query_fail(w, q, name, "the model does not satisfy the path");
}

static uint64_t has_stride(const hd_side *sides, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (sides[i].by > 1)
            return 1;
    return 0;
}

static void compare_parts(query_world *w, const parts *p, const hd_query *q) {
    hd_chain_options options = hd_chain_defaults();
    hd_task t = {
        .g = w->g, .variables = w->variables, .query = q, .eval = w->eval, .options = &options};
    hd_model model = {0}, m = {0};
    hd_side sides[HD_MAX_LEAVES];
    int64_t budget = 1000000;
    hd_task_take_all(&t);
    hd_task_gather(&t, &model);
    t.n_narrow = 0; /* else atoms are remainders only */
    if (t.vars.n) {
        hd_box_find(&t, sides);
        hd_box_take_strides(&t, sides);
        bool has_solution = visit_solutions(w, q, &t, sides, 0, &m);
        hd_model_copy(&model, &w->hint);
        hd_verdict halves = hd_halves_try(p->halves, &t, sides, &model);
        check_verdict(w, q, "halves", halves, has_solution, &model);
        hd_model_copy(&model, &w->hint);
        hd_verdict atoms = hd_atoms_try(p->atoms, p->straight, &t, &budget, &model);
        check_verdict(w, q, "atoms", atoms, has_solution, &model);
        bool is_pruned = hd_prune_refute(p->intervals, &t, sides, (uint32_t)t.vars.n);
        check_verdict(w, q, "prune", is_pruned ? HD_UNSAT : HD_UNKNOWN, has_solution, &model);
        query_counted.strides += has_stride(sides, t.vars.n);
        query_counted.halves += halves != HD_UNKNOWN;
        query_counted.parts += atoms != HD_UNKNOWN;
        query_counted.pruned += is_pruned;
    }
    hd_vec_release(&t.constraints);
    hd_vec_release(&t.vars);
    hd_vec_release(&t.ranges);
    hd_vec_release(&t.core);
    hd_model_release(&model);
    hd_model_release(&m);
}

void query_test_equations(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    parts p = {hd_halves_new(w.g), hd_intervals_new(w.g), hd_atoms_new(w.g), hd_straight_new(w.g)};
    unsigned width = 4 + query_below(&w, 12);
    for (uint32_t n = 1 + query_below(&w, 3); w.n_vars < n;)
        query_add_integer(&w, n == 1 ? 9 : n == 2 ? 5 : 3);
    for (int i = 0; i < 3; i++)
        hd_path_push(w.path, query_oriented(&w, random_equation(&w, width), true));
    for (int i = 0; i < 3 * QUERY_GOALS; i++) {
        hd_expr goal = random_equation(&w, width);
        hd_query q = {w.path, query_below(&w, 4), goal, &w.hint};
        compare_parts(&w, &p, &q);
        if (i < 2)
            query_compare_with_brute_force(&w, &q);
    }
    hd_halves_free(p.halves);
    hd_intervals_free(p.intervals);
    hd_atoms_free(p.atoms);
    hd_straight_free(p.straight);
    query_check_counters(&w);
    query_world_end(&w);
}
