/* Formulas of the shapes that single layers of the solver are made for (query_shapes.h). */
#include "property/model/query_shapes.h"

#include "base/hash.h"
#include "property/random/random_formulas.h"
#include "solve/sums.h"

/* ---- the same terms, compared with one constant after the other ---- */

static hd_expr random_bound(query_world *w, const hd_expr *terms, unsigned width) {
    hd_expr e = terms[query_below(w, 3)];
    if (!query_below(w, 3))
        e = hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 2), e, formula_constant(w, width));
    unsigned wider = width + query_below(w, 4) * 3;
    if (wider > width)
        e = query_below(w, 2) ? hd_expr_zext(w->g, e, wider) : hd_expr_sext(w->g, e, wider);
    hd_expr c = formula_constant(w, wider);
    if (query_below(w, 2)) /* close to what it is */
        c = hd_expr_const(w->g, wider,
                          (query_value_under_hint(w, e) + query_below(w, 5) - 2) & hd_mask(wider));
    hd_op op = HD_OP_EQ + query_below(w, 5);
    hd_expr bound =
        query_below(w, 2) ? hd_expr_binary(w->g, op, e, c) : hd_expr_binary(w->g, op, c, e);
    return query_below(w, 5)
               ? bound
               : hd_expr_binary(w->g, HD_OP_AND, bound, random_bound(w, terms, width));
}

void query_test_bounds(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 5 + query_below(&w, 8);
    hd_expr terms[3];
    for (uint32_t n = 2 + query_below(&w, 2); w.n_vars < n;)
        query_add_integer(&w, n == 2 ? 5 : 4);
    for (int i = 0; i < 3; i++)
        terms[i] = formula_expression(&w, width, 1 + (int)query_below(&w, 3));
    for (int i = 0; i < QUERY_CONSTRAINTS; i++)
        hd_path_push(w.path, query_oriented(&w, random_bound(&w, terms, width), true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_expr goal = query_oriented(&w, random_bound(&w, terms, width), query_below(&w, 8) == 0);
        hd_query q = {w.path, query_below(&w, QUERY_CONSTRAINTS + 1), goal, &w.hint};
        query_compare_with_brute_force(&w, &q);
    }
    query_counted.bounds += query_decided_by(&w, QUERY_CHAIN_BOUNDS, HD_LAYER_BOUNDS);
    query_check_counters(&w);
    query_world_end(&w);
}

/* ---- numbers that are taken to pieces ---- */

static hd_expr sum_constant(query_world *w, unsigned width) {
    return hd_expr_const(w->g, width, 1 + query_below(w, width < 5 ? 3 : 20));
}

/* x / c * c + x % c */
static hd_expr sum_by_division(query_world *w, hd_expr e, unsigned width) {
    bool has_signs = query_below(w, 3) == 0;
    hd_expr c = sum_constant(w, width);
    hd_expr q = hd_expr_binary(w->g, has_signs ? HD_OP_SDIV : HD_OP_UDIV, e, c);
    hd_expr r = hd_expr_binary(w->g, has_signs ? HD_OP_SREM : HD_OP_UREM, e, c);
    return hd_expr_binary(w->g, HD_OP_ADD, hd_expr_binary(w->g, HD_OP_MUL, q, c), r);
}

/* Its high bits and its low bits, in one of the ways that programs say it. */
static hd_expr sum_by_bits(query_world *w, hd_expr e, unsigned width) {
    unsigned low = 1 + query_below(w, width - 1);
    hd_expr n = hd_expr_const(w->g, width, low), mask = hd_expr_const(w->g, width, hd_mask(low));
    hd_expr high = hd_expr_extract(w->g, e, low, width - low),
            part = hd_expr_extract(w->g, e, 0, low);
    switch (query_below(w, 3)) {
    case 0:
        return hd_expr_concat(w->g, high, part);
    case 1:
        return hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 2) * (HD_OP_OR - HD_OP_ADD),
                              hd_expr_zext(w->g, part, width),
                              hd_expr_binary(w->g, HD_OP_SHL, hd_expr_zext(w->g, high, width), n));
    default:
        return hd_expr_binary(
            w->g, HD_OP_ADD, hd_expr_binary(w->g, HD_OP_AND, e, mask),
            hd_expr_binary(w->g, HD_OP_SHL,
                           hd_expr_binary(w->g, HD_OP_LSHR + query_below(w, 2), e, n), n));
    }
}

/* As a wider number and back; not always the same. */
static hd_expr sum_by_width(query_world *w, hd_expr e, unsigned width) {
    unsigned other = 2 + query_below(w, 12);
    if (other < width)
        return hd_expr_zext(w->g, hd_expr_extract(w->g, e, 0, other), width);
    if (other == width)
        return hd_expr_not(w->g, e);
    hd_expr wide = query_below(w, 2) ? hd_expr_zext(w->g, e, other) : hd_expr_sext(w->g, e, other);
    wide = hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 3), wide, sum_constant(w, other));
    wide = hd_expr_binary(w->g, HD_OP_UDIV + query_below(w, 4), wide, sum_constant(w, other));
    return hd_expr_extract(w->g, wide, 0, width);
}

static hd_expr sum_of_pieces(query_world *w, hd_expr e, unsigned width, int depth) {
    hd_expr other;
    if (depth == 0)
        return e;
    e = sum_of_pieces(w, e, width, depth - 1);
    switch (query_below(w, 8)) {
    case 0:
        return sum_by_width(w, e, width);
    case 1:
        other = sum_of_pieces(w, formula_variable(w, width), width, depth - 1);
        return hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 3), e, other);
    case 2:
    case 3:
    case 4:
        return sum_by_division(w, e, width);
    default:
        return sum_by_bits(w, e, width);
    }
}

/* The sum of two remainders, and its low bits: as many as it just has, or one too few for its most.
 */
static hd_expr sum_of_rests(query_world *w, unsigned width) {
    unsigned bits = 1 + query_below(w, width < 6 ? width - 2 : 4), whole = 1u << bits;
    uint32_t c = 2 + query_below(w, whole - 1), d = whole + 2 - c - query_below(w, 2);
    hd_expr x = formula_variable(w, width), y = formula_variable(w, width);
    hd_expr sum = hd_expr_binary(
        w->g, HD_OP_ADD, hd_expr_binary(w->g, HD_OP_UREM, x, hd_expr_const(w->g, width, c)),
        hd_expr_binary(w->g, HD_OP_UREM, y, hd_expr_const(w->g, width, d ? d : 1)));
    hd_expr low = hd_expr_zext(w->g, hd_expr_extract(w->g, sum, 0, bits), width);
    return hd_expr_binary(w->g, HD_OP_EQ + query_below(w, 3), low, sum);
}

/* A quotient by a constant and the high bits of a product: the same if the product is chosen well.
 */
static hd_expr sum_by_magic(query_world *w, unsigned width) {
    unsigned shift = width + query_below(w, 4), wide = 2 * width + 4;
    uint64_t c = 2 + query_below(w, 12), factor = (UINT64_C(1) << shift) / c + query_below(w, 2);
    hd_expr x = formula_variable(w, width);
    hd_expr product = hd_expr_binary(w->g, HD_OP_MUL, hd_expr_zext(w->g, x, wide),
                                     hd_expr_const(w->g, wide, factor));
    hd_expr high = hd_expr_extract(w->g, product, shift, wide - shift),
            quotient =
                hd_expr_binary(w->g, HD_OP_UDIV, x, hd_expr_const(w->g, width, c & hd_mask(width)));
    return hd_expr_binary(w->g, HD_OP_EQ + query_below(w, 3), hd_expr_zext(w->g, high, wide),
                          hd_expr_zext(w->g, quotient, wide));
}

static hd_expr sum_comparison(query_world *w, unsigned width) {
    uint32_t kind = query_below(w, 8);
    if (kind < 3)
        return kind ? sum_of_rests(w, width) : sum_by_magic(w, width);
    hd_expr e = formula_variable(w, width), other = formula_variable(w, width);
    if (query_below(w, 2))
        e = hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 3), e, other);
    hd_expr pieces = sum_of_pieces(w, e, width, 1 + (int)query_below(w, 3));
    bool is_same = query_below(w, 4), is_equal = query_below(w, 2);
    return hd_expr_binary(w->g, is_equal ? HD_OP_EQ : HD_OP_EQ + query_below(w, 5), pieces,
                          is_same ? e : sum_of_pieces(w, other, width, 2));
}

/* A proof by itself, whatever other layers would say. */
static void compare_sums(query_world *w, hd_sums *sums, const hd_query *q, bool has_solution) {
    hd_task t = {.g = w->g};
    for (uint32_t i = 0; i < q->n; i++)
        hd_vec_push(&t.constraints, hd_path_at(w->path, i));
    hd_vec_push(&t.constraints, q->goal);
    bool is_refuted = hd_sums_refute(sums, &t);
    hd_vec_release(&t.constraints);
    query_counted.sums += is_refuted;
    if (is_refuted && has_solution)
        query_fail(w, q, "sums", "a goal that has solutions is refuted");
}

void query_test_sums(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    hd_sums *sums = hd_sums_new(w.g);
    unsigned width = 3 + query_below(&w, 10);
    for (uint32_t n = 1 + query_below(&w, 3); w.n_vars < n;)
        query_add_integer(&w, 2 + query_below(&w, n == 1 ? 9 : 3));
    for (int i = 0; i < QUERY_CONSTRAINTS; i++) {
        hd_expr terms[3];
        for (int k = 0; k < 3; k++)
            terms[k] = sum_of_pieces(&w, formula_variable(&w, width), width, k);
        hd_path_push(w.path, query_oriented(&w, random_bound(&w, terms, width), true));
    }
    for (int i = 0; i < 4 * QUERY_GOALS; i++) {
        hd_expr goal = sum_comparison(&w, width);
        goal = query_below(&w, 3) ? query_oriented(&w, goal, false) : goal;
        hd_query q = {w.path, query_below(&w, QUERY_CONSTRAINTS + 1), goal, &w.hint};
        hd_model m = {0};
        compare_sums(&w, sums, &q, query_try_all(&w, &q, 0, &m));
        hd_model_release(&m);
        if (i < QUERY_GOALS)
            query_compare_with_brute_force(&w, &q);
    }
    hd_sums_free(sums);
    query_check_counters(&w);
    query_world_end(&w);
}

static bool try_bounded(query_world *w, const hd_query *q, uint32_t at, hd_model *m);

/* ---- one number of thousands of values, along a path and back ---- */

/* A few operations on the number, or on what a step before this one has made of it. */
static hd_expr random_step(query_world *w, hd_expr *last, unsigned width) {
    static const hd_op ops[] = {HD_OP_ADD,  HD_OP_MUL,  HD_OP_UDIV, HD_OP_UREM,
                                HD_OP_SDIV, HD_OP_SREM, HD_OP_XOR,  HD_OP_LSHR};
    hd_expr x = hd_expr_var(w->g, w->vars[0], width), e = query_below(w, 3) ? *last : x;
    for (uint32_t i = 1 + query_below(w, 4); i > 0; i--)
        e = hd_expr_binary(w->g, ops[query_below(w, 8)], e,
                           query_below(w, 3) ? formula_constant(w, width) : x);
    return *last = e;
}

/* Goals that are opposites of constraints, as those of branches are, and others. */
void query_test_line(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 13 + query_below(&w, 30);
    query_add_integer(&w, width);
    hd_expr x = hd_expr_var(w.g, w.vars[0], width), last = x;
    hd_model_set(&w.hint, w.vars[0], query_below(&w, 4000));
    w.least[0] = 0, w.n_values[0] = 4000;
    hd_path_push(w.path, hd_expr_binary(w.g, HD_OP_ULT, x, hd_expr_const(w.g, width, 4000)));
    for (int i = 0; i < QUERY_CONSTRAINTS; i++)
        hd_path_push(w.path, query_oriented(&w,
                                            hd_expr_binary(w.g, HD_OP_EQ + query_below(&w, 5),
                                                           random_step(&w, &last, width),
                                                           formula_constant(&w, width)),
                                            true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        uint32_t n = 1 + query_below(&w, QUERY_CONSTRAINTS);
        hd_expr goal = hd_expr_not(w.g, hd_path_at(w.path, n));
        if (!query_below(&w, 3))
            goal = hd_expr_binary(w.g, HD_OP_EQ + query_below(&w, 5), random_step(&w, &last, width),
                                  formula_constant(&w, width));
        hd_query q = {w.path, n, goal, &w.hint};
        hd_model m = {0};
        query_compare_with(&w, QUERY_CHAINS - 1, &q,
                           try_bounded(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT);
        hd_model_release(&m);
    }
    query_counted.lines += query_decided_by(&w, QUERY_CHAINS - 1, HD_LAYER_CASES);
    query_check_counters(&w);
    query_world_end(&w);
}

/* ---- wide numbers of few values, multiplied and divided ---- */

/* x is between a and b, said in one of the ways that programs say it. */
static void push_bounds(query_world *w, uint32_t i) {
    unsigned width = hd_variables_info(w->variables, w->vars[i])->width;
    unsigned wider = width + query_below(w, 65 - width);
    bool is_signed = query_below(w, 2);
    hd_graph *g = w->g;
    hd_expr x = hd_expr_var(g, w->vars[i], width), least = hd_expr_const(g, width, w->least[i]);
    uint64_t most = (w->least[i] + w->n_values[i] - 1) & hd_mask(width);
    bool has_order = hd_op_apply(is_signed ? HD_OP_SLE : HD_OP_ULE, width, w->least[i], most);
    if (!has_order || !query_below(w, 3)) { /* x - a < n */
        hd_expr n = hd_expr_const(g, width, w->n_values[i]);
        hd_path_push(w->path,
                     hd_expr_binary(g, HD_OP_ULT, hd_expr_binary(g, HD_OP_SUB, x, least), n));
        return;
    }
    hd_expr b = hd_expr_const(g, width, most);
    if (wider > width) {
        x = is_signed ? hd_expr_sext(g, x, wider) : hd_expr_zext(g, x, wider);
        least = is_signed ? hd_expr_sext(g, least, wider) : hd_expr_zext(g, least, wider);
        b = is_signed ? hd_expr_sext(g, b, wider) : hd_expr_zext(g, b, wider);
    }
    hd_op or_equal = is_signed ? HD_OP_SLE : HD_OP_ULE, less = is_signed ? HD_OP_SLT : HD_OP_ULT;
    hd_expr low = query_below(w, 2) ? hd_expr_binary(g, or_equal, least, x)
                                    : hd_expr_not(g, hd_expr_binary(g, less, x, least));
    hd_expr high = query_below(w, 2) ? hd_expr_binary(g, or_equal, x, b)
                                     : hd_expr_not(g, hd_expr_binary(g, less, b, x));
    if (query_below(w, 2))
        low = hd_expr_binary(g, HD_OP_AND, low, high);
    else
        hd_path_push(w->path, high);
    hd_path_push(w->path, low);
}

static void add_bounded(query_world *w, unsigned width) {
    uint32_t i = w->n_vars;
    static const uint64_t likely[] = {0, 0, 1, 48, UINT64_MAX - 3, INT64_MAX};
    query_add_integer(w, width);
    w->n_values[i] = 1 + query_below(w, 9);
    w->least[i] = likely[query_below(w, 6)] >> (64 - width) / 2 & hd_mask(width);
    if (query_below(w, 3) == 0)
        w->least[i] = hd_mask(width) ^ hd_mask(width) >> 1 ^
                      query_below(w, 4); /* about the least signed number */
    hd_model_set(&w->hint, w->vars[i],
                 (w->least[i] + query_below(w, (uint32_t)w->n_values[i])) & hd_mask(width));
}

static bool try_bounded(query_world *w, const hd_query *q, uint32_t at, hd_model *m) {
    if (at == w->n_vars)
        return query_holds(w, q, m);
    unsigned width = hd_variables_info(w->variables, w->vars[at])->width;
    for (uint64_t i = 0; i < w->n_values[at]; i++) {
        hd_model_set(m, w->vars[at], (w->least[at] + i) & hd_mask(width));
        if (try_bounded(w, q, at + 1, m))
            return true;
    }
    return false;
}

/* A product, a quotient or a remainder of inputs, compared with something. */
static hd_expr random_hard(query_world *w, unsigned width) {
    hd_op op = HD_OP_MUL + query_below(w, HD_OP_SREM - HD_OP_MUL + 1);
    hd_expr hard = hd_expr_binary(w->g, op, formula_expression(w, width, (int)query_below(w, 3)),
                                  formula_expression(w, width, (int)query_below(w, 2)));
    return hd_expr_binary(w->g, HD_OP_EQ + query_below(w, 5), hard,
                          formula_expression(w, width, (int)query_below(w, 2)));
}

void query_test_bounded(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 12 + query_below(&w, 53);
    for (uint32_t n = 1 + query_below(&w, 3); w.n_vars < n;)
        add_bounded(&w, query_below(&w, 3) ? width : 9 + query_below(&w, 56));
    for (uint32_t i = 0; i < w.n_vars; i++)
        push_bounds(&w, i);
    uint32_t n_bounds = hd_path_length(w.path);
    for (int i = 0; i < 4; i++)
        hd_path_push(w.path, query_oriented(&w, random_hard(&w, width), true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_query q = {w.path, n_bounds + query_below(&w, 5), random_hard(&w, width), &w.hint};
        hd_model m = {0}, out = {0};
        hd_verdict expected = try_bounded(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT;
        hd_verdict verdict = query_ask(&w, QUERY_CHAINS - 1, &q, &out);
        if (verdict != expected)
            query_fail(&w, &q, query_chains[QUERY_CHAINS - 1],
                       verdict == HD_SAT     ? "said sat"
                       : verdict == HD_UNSAT ? "said unsat"
                                             : "gave up");
        hd_model_release(&m);
        hd_model_release(&out);
    }
    query_counted.cases += hd_chain_counted(w.chain[QUERY_CHAINS - 1])->layer[HD_LAYER_CASES].sat +
                           hd_chain_counted(w.chain[QUERY_CHAINS - 1])->layer[HD_LAYER_CASES].unsat;
    query_check_counters(&w);
    query_world_end(&w);
}

/* ---- hashes of small inputs that must be one number ---- */

/* Mixed in: the variable itself, or something that is made of it. */
static hd_expr random_mixed(query_world *w, uint32_t i, unsigned width) {
    unsigned own = hd_variables_info(w->variables, w->vars[i])->width;
    hd_expr x = hd_expr_var(w->g, w->vars[i], own);
    if (!query_below(w, 4))
        x = hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 3), x, formula_constant(w, own));
    x = query_below(w, 6) ? hd_expr_zext(w->g, x, width) : hd_expr_sext(w->g, x, width);
    return query_below(w, 5)
               ? x
               : hd_expr_binary(w->g, HD_OP_SHL, x, hd_expr_const(w->g, width, query_below(w, 4)));
}

static hd_expr random_hash(query_world *w, unsigned width) {
    static const hd_op mixing[] = {HD_OP_XOR, HD_OP_XOR, HD_OP_XOR, HD_OP_ADD, HD_OP_SUB};
    hd_expr h = formula_constant(w, width);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        hd_expr x = random_mixed(w, i, width);
        hd_op op = mixing[query_below(w, 5)];
        h = query_below(w, 4) ? hd_expr_binary(w->g, op, h, x) : hd_expr_binary(w->g, op, x, h);
        uint64_t factor = hd_random_next(&w->random) | (query_below(w, 8) != 0);
        if (query_below(w, 6))
            h = hd_expr_binary(w->g, HD_OP_MUL, h,
                               hd_expr_const(w->g, width, factor & hd_mask(width)));
    }
    return h;
}

/* Some or all bits of it are what they are for some inputs, or anything. */
static hd_expr random_equation(query_world *w, unsigned width) {
    hd_expr h = random_hash(w, width);
    hd_model m = {0};
    for (uint32_t i = 0; i < w->n_vars; i++)
        hd_model_set(&m, w->vars[i],
                     hd_random_next(&w->random) &
                         hd_mask(hd_variables_info(w->variables, w->vars[i])->width));
    unsigned low = 1 + query_below(w, width);
    if (!query_below(w, 4))
        h = hd_expr_extract(w->g, h, 0, low);
    else if (!query_below(w, 4))
        h = hd_expr_binary(w->g, HD_OP_AND, h, hd_expr_const(w->g, width, hd_mask(low)));
    hd_eval_begin(w->eval, &m);
    uint64_t value = hd_eval_value(w->eval, h);
    hd_model_release(&m);
    hd_expr wanted = query_below(w, 3) ? hd_expr_const(w->g, hd_expr_width(w->g, h), value)
                                       : formula_constant(w, hd_expr_width(w->g, h));
    return hd_expr_binary(w->g, HD_OP_EQ, h, wanted);
}

void query_test_hash(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 9 + query_below(&w, 56);
    for (uint32_t n = 3 + query_below(&w, 2); w.n_vars < n;)
        query_add_integer(&w, 2 + query_below(&w, 3));
    for (int i = 0; i < 3; i++)
        hd_path_push(w.path, query_oriented(&w, formula_comparison(&w, 4), true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_query q = {w.path, query_below(&w, 4), random_equation(&w, width), &w.hint};
        hd_model m = {0};
        query_compare_with(&w, QUERY_CHAIN_MEET, &q,
                           query_try_all(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT);
        hd_model_release(&m);
    }
    query_counted.met += query_decided_by(&w, QUERY_CHAIN_MEET, HD_LAYER_MEET);
    query_check_counters(&w);
    query_world_end(&w);
}

/* ---- remainders and equalities of wide inputs ---- */

static hd_expr random_atom(query_world *w, unsigned width) {
    hd_expr x = hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width);
    hd_expr y = hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width);
    if (query_below(w, 3))
        return hd_expr_binary(w->g, HD_OP_UREM, x,
                              hd_expr_const(w->g, width, 2 + query_below(w, 7)));
    hd_expr with = query_below(w, 3) ? y : hd_expr_const(w->g, width, query_below(w, 12));
    return hd_expr_zext(w->g, hd_expr_binary(w->g, HD_OP_EQ, x, with), width);
}

/* A slot of a table that inputs were put into. */
static hd_expr random_slot(query_world *w, unsigned width) {
    hd_expr elements[7];
    uint32_t n = 2 + query_below(w, 6);
    for (uint32_t i = 0; i < n; i++)
        elements[i] = query_below(w, 3)
                          ? hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width)
                          : hd_expr_const(w->g, width, query_below(w, 3));
    hd_expr x = hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width);
    hd_expr at =
        hd_expr_binary(w->g, HD_OP_UREM, x, hd_expr_const(w->g, width, n + query_below(w, 2)));
    return hd_expr_read(w->g, elements, n, at);
}

static hd_expr random_about_atoms(query_world *w, unsigned width) {
    hd_expr a = random_atom(w, width), b = random_atom(w, width);
    if (!query_below(w, 3))
        return hd_expr_binary(w->g, HD_OP_EQ, random_slot(w, width),
                              hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width));
    if (query_below(w, 2))
        b = hd_expr_const(w->g, width, query_below(w, 6));
    if (!query_below(w, 3))
        a = hd_expr_binary(w->g, HD_OP_ADD, a, random_atom(w, width));
    return hd_expr_binary(w->g, HD_OP_EQ + query_below(w, 3), a, b);
}

void query_test_atoms(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 9 + query_below(&w, 4);
    for (uint32_t n = 2 + query_below(&w, 2); w.n_vars < n;)
        query_add_integer(&w, width);
    for (int i = 0; i < 4; i++)
        hd_path_push(w.path, query_oriented(&w, random_about_atoms(&w, width), true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_query q = {w.path, query_below(&w, 5),
                      query_oriented(&w, random_about_atoms(&w, width), false), &w.hint};
        hd_model out = {0};
        hd_verdict expected = query_ask(&w, 2, &q, &out); /* Z3 alone */
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            query_compare_with(&w, QUERY_CHAINS - 1, &q, expected);
    }
    query_counted.atoms += query_decided_by(&w, QUERY_CHAINS - 1, HD_LAYER_CASES);
    query_check_counters(&w);
    query_world_end(&w);
}

/* ---- inputs that are only moved and compared ---- */

static hd_expr random_order(query_world *w, unsigned width, int depth);

static hd_expr random_moved(query_world *w, unsigned width, int depth) {
    hd_expr elements[4];
    uint32_t n = 2 + query_below(w, 3), what = query_below(w, depth > 0 ? 4 : 1);
    if (!query_below(w, 8))
        return hd_expr_const(w->g, width, query_below(w, 8) ? 0 : query_below(w, 3));
    if (what <= 1)
        return hd_expr_var(w->g, w->vars[query_below(w, w->n_vars)], width);
    for (uint32_t i = 0; i < n; i++)
        elements[i] = random_moved(w, width, depth - 1);
    if (what == 2)
        return hd_expr_ite(w->g, random_order(w, width, depth - 1), elements[0], elements[1]);
    hd_expr at = hd_expr_zext(w->g, random_order(w, width, depth - 1), 8);
    for (uint32_t i = query_below(w, 3); i > 0; i--)
        at = hd_expr_binary(w->g, HD_OP_ADD + query_below(w, 3), at,
                            query_below(w, 2)
                                ? hd_expr_sext(w->g, random_order(w, width, depth - 1), 8)
                                : hd_expr_const(w->g, 8, query_below(w, 3)));
    return hd_expr_read(w->g, elements, n, at);
}

static hd_expr random_order(query_world *w, unsigned width, int depth) {
    static const hd_op with_signs[] = {HD_OP_SLT, HD_OP_SLE, HD_OP_EQ},
                       without[] = {HD_OP_ULT, HD_OP_ULE, HD_OP_EQ};
    hd_op op = (width % 2 ? with_signs : without)[query_below(w, 3)];
    if (!query_below(w, 30))
        op = HD_OP_EQ + query_below(w, 5);
    hd_expr a = random_moved(w, width, depth);
    return hd_expr_binary(w->g, op, a, random_moved(w, width, depth));
}

void query_test_moved(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 9 + query_below(&w, 12);
    for (uint32_t n = 2 + query_below(&w, 3); w.n_vars < n;)
        query_add_integer(&w, width);
    for (int i = 0; i < 5; i++)
        hd_path_push(w.path,
                     query_oriented(&w, random_order(&w, width, (int)query_below(&w, 3)), true));
    for (int i = 0; i < 2 * QUERY_GOALS; i++) {
        hd_expr goal = query_oriented(&w, random_order(&w, width, (int)query_below(&w, 4)), false);
        hd_query q = {w.path, query_below(&w, 6), goal, &w.hint};
        hd_model out = {0};
        hd_verdict expected = query_ask(&w, 2, &q, &out); /* Z3 alone */
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            query_compare_with(&w, QUERY_CHAINS - 1, &q, expected);
    }
    query_counted.moved += query_decided_by(&w, QUERY_CHAINS - 1, HD_LAYER_CASES);
    query_check_counters(&w);
    query_world_end(&w);
}
