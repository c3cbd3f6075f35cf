/* Solver chain against brute force and against Z3, on random formulas.
 *
 *     property_solve [first-seed [count]]
 *
 * Each seed makes one graph, a few variables, a hint, a path that the hint satisfies, and asks
 * for a number of random goals, each through several chains that live as long as the seed.
 * Small worlds and hashes of small inputs are compared with trying all values, big ones and
 * remainders and orders of wide inputs with Z3 alone, pointers with trying all objects.  Prints the
 * failing seed and exits with 1. */
#include "base/hash.h"
#include "solve/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_VARS = 6,
    N_CONSTRAINTS = 7,
    N_GOALS = 10,
    MOST_CONSTRAINTS = N_CONSTRAINTS + 2 * MAX_VARS
};

static const char *const chains[] = {
    "all",
    "blast",
    "z3",
    "-slice",
    "-contradiction,-cache",
    "slice,order,blast",
    "slice,cache,blast",
    "slice,invert,blast",
    "slice,domain,blast",
    "slice,bounds,blast",
    "slice,aliases,blast",
    "contradiction,slice,domain,invert,order,z3",
    "slice,meet,blast",
    "slice,cases,blast",
};
enum {
    N_CHAINS = sizeof chains / sizeof *chains,
    MEET_CHAIN = N_CHAINS - 2,
    ALIASES_CHAIN = N_CHAINS - 4,
    BOUNDS_CHAIN = N_CHAINS - 5
};

typedef struct world {
    uint64_t random;
    hd_graph *g;
    hd_variables *variables;
    hd_path *path;
    hd_model hint;
    uint32_t n_vars;
    hd_var vars[MAX_VARS];
    uint64_t least[MAX_VARS], n_values[MAX_VARS]; /* of a bounded world */
    hd_chain *chain[N_CHAINS];
    hd_eval *eval;
} world;

static uint64_t seed_now;
static uint64_t n_asked, n_sat, n_unsat, n_unknown, n_cases, n_met, n_atoms, n_moved, n_aliases,
    n_bounds, n_lines;

static uint32_t below(world *w, uint32_t n) {
    return (uint32_t)(hd_random_next(&w->random) % n);
}

static void begin_world(world *w, uint64_t seed) {
    *w = (world){.random = hd_mix(seed + 1)};
    w->g = hd_graph_new(false);
    w->variables = hd_variables_new();
    w->path = hd_path_new(w->g);
    w->eval = hd_eval_new(w->g);
    for (int i = 0; i < N_CHAINS; i++) {
        hd_chain_options options = hd_chain_defaults();
        hd_err err;
        if (!hd_chain_parse(chains[i], &options, &err))
            printf("%s\n", err.message), exit(2);
        w->chain[i] = hd_chain_new(w->g, w->variables, &options);
    }
}

static void end_world(world *w) {
    for (int i = 0; i < N_CHAINS; i++)
        hd_chain_free(w->chain[i]);
    hd_model_release(&w->hint);
    hd_eval_free(w->eval);
    hd_path_free(w->path);
    hd_variables_free(w->variables);
    hd_graph_free(w->g);
}

static void add_integer(world *w, unsigned width) {
    hd_var v = hd_variables_root(w->variables, w->n_vars, HD_VAR_INTEGER, width, 0, "x");
    hd_model_set(&w->hint, v, hd_random_next(&w->random) & hd_mask(width));
    w->vars[w->n_vars++] = v;
}

static hd_expr resize(world *w, hd_expr e, unsigned width) {
    unsigned old = hd_expr_width(w->g, e);
    if (old > width)
        return hd_expr_extract(w->g, e, below(w, old - width + 1), width);
    if (old == width)
        return e;
    return below(w, 2) ? hd_expr_zext(w->g, e, width) : hd_expr_sext(w->g, e, width);
}

static hd_expr random_variable(world *w, unsigned width) {
    hd_var v = w->vars[below(w, w->n_vars)];
    return resize(w, hd_expr_var(w->g, v, hd_variables_info(w->variables, v)->width), width);
}

static hd_expr random_constant(world *w, unsigned width) {
    static const uint64_t likely[] = {0, 1, 2, 3, 5, 7, 10, 16, 31, 100, UINT64_MAX};
    uint64_t value = below(w, 2) ? likely[below(w, 11)] : hd_random_next(&w->random);
    return hd_expr_const(w->g, width, value & hd_mask(width));
}

static hd_expr random_expression(world *w, unsigned width, int depth);

static hd_expr random_truth(world *w, unsigned width, int depth) {
    hd_op op = HD_OP_EQ + below(w, 5);
    return hd_expr_binary(w->g, op, random_expression(w, width, depth - 1),
                          random_expression(w, width, depth - 1));
}

static hd_expr random_read(world *w, unsigned width, int depth) {
    hd_expr elements[11];
    uint32_t n = 1 + below(w, 11);
    for (uint32_t i = 0; i < n; i++)
        elements[i] = below(w, 4) ? random_constant(w, width) : random_expression(w, width, 0);
    return hd_expr_read(w->g, elements, n, random_expression(w, 4 + below(w, 5), depth - 1));
}

static hd_expr random_concat(world *w, unsigned width, int depth) {
    if (width < 2)
        return random_variable(w, width);
    unsigned low = 1 + below(w, width - 1);
    return hd_expr_concat(w->g, random_expression(w, width - low, depth - 1),
                          random_expression(w, low, depth - 1));
}

static hd_expr random_expression(world *w, unsigned width, int depth) {
    if (depth <= 0)
        return below(w, 3) ? random_variable(w, width) : random_constant(w, width);
    switch (below(w, 20)) {
    case 0:
        return hd_expr_not(w->g, random_expression(w, width, depth - 1));
    case 1:
        return hd_expr_ite(w->g, random_truth(w, width, depth),
                           random_expression(w, width, depth - 1),
                           random_expression(w, width, depth - 1));
    case 2:
        return random_read(w, width, depth);
    case 3:
        return random_concat(w, width, depth);
    case 4:
    case 5:
        return random_variable(w, width);
    case 6:
        return resize(
            w, random_expression(w, 1 + below(w, 2 * width < 64 ? 2 * width : 64), depth - 1),
            width);
    case 7:
        return resize(w, random_truth(w, width, depth), width);
    default: {
        /* Wide products and divisions are what solvers are slow at; keep them rare. */
        hd_op op = HD_OP_ADD + below(w, HD_OP_ASHR - HD_OP_ADD + 1);
        if (width > 8 && op >= HD_OP_MUL && op <= HD_OP_SREM && below(w, 4))
            op = HD_OP_ADD;
        hd_expr b = width > 8 && below(w, 4) ? random_constant(w, width)
                                             : random_expression(w, width, depth - 1);
        return hd_expr_binary(w->g, op, random_expression(w, width, depth - 1), b);
    }
    }
}

static uint64_t value_under_hint(world *w, hd_expr e) {
    hd_eval_begin(w->eval, &w->hint);
    return hd_eval_value(w->eval, e);
}

static hd_expr oriented(world *w, hd_expr e, bool truth) {
    return value_under_hint(w, e) == truth ? e : hd_expr_not(w->g, e);
}

/* Comparisons of plain variables, as in sorting. */
static hd_expr random_comparison(world *w, unsigned width) {
    hd_op op = below(w, 4) ? HD_OP_SLT + below(w, 2) : HD_OP_EQ + below(w, 3);
    hd_expr x = random_variable(w, width), y = random_variable(w, width);
    if (!below(w, 4))
        y = random_constant(w, width);
    if (!below(w, 5))
        x = hd_expr_binary(w->g, HD_OP_ADD, x, random_constant(w, width));
    return hd_expr_binary(w->g, op, x, y);
}

static hd_expr random_constraint(world *w, unsigned width, bool simple) {
    return simple ? random_comparison(w, width) : random_truth(w, width, 1 + (int)below(w, 3));
}

static void fail(world *w, const hd_query *q, const char *chain, const char *what) {
    hd_text text = {0};
    hd_expr all[MOST_CONSTRAINTS + 1];
    for (uint32_t i = 0; i < q->n; i++)
        all[i] = hd_path_at(w->path, i);
    all[q->n] = q->goal;
    hd_expr_print_script(w->g, all, q->n + 1, &text);
    printf("%sseed %llu, chain %s: %s\n", hd_text_string(&text), (unsigned long long)seed_now,
           chain, what);
    exit(1);
}

static bool holds(world *w, const hd_query *q, const hd_model *m) {
    hd_eval_begin(w->eval, m);
    for (uint32_t i = 0; i < q->n; i++)
        if (!hd_eval_value(w->eval, hd_path_at(w->path, i)))
            return false;
    return hd_eval_value(w->eval, q->goal);
}

static bool is_in_slice(world *w, const hd_query *q, hd_var v) {
    hd_indices slice = {0};
    hd_path_slice(w->path, q->n, q->goal, &slice);
    bool found = false;
    for (size_t i = 0; i <= slice.n; i++) {
        hd_expr e = i < slice.n ? hd_path_at(w->path, slice.at[i]) : q->goal;
        const hd_support *support = hd_expr_support(w->g, e);
        for (uint32_t k = 0; k < support->n; k++)
            found |= support->v[k] == v;
    }
    hd_vec_release(&slice);
    return found;
}

static void check_model(world *w, const hd_query *q, const char *name, const hd_model *out) {
    if (!holds(w, q, out))
        fail(w, q, name, "the model does not satisfy the path (C1)");
    for (uint32_t i = 0; i < w->n_vars && !strstr(name, "-slice") && strstr("all", name); i++)
        if (!is_in_slice(w, q, w->vars[i]) &&
            hd_model_get(out, w->vars[i]) != hd_model_get(&w->hint, w->vars[i]))
            fail(w, q, name, "a variable outside the slice changed (C3)");
}

static hd_verdict ask(world *w, int chain, const hd_query *q, hd_model *out) {
    hd_verdict verdict = hd_chain_solve(w->chain[chain], q, out);
    n_asked++;
    n_sat += verdict == HD_SAT;
    n_unsat += verdict == HD_UNSAT;
    n_unknown += verdict == HD_UNKNOWN;
    if (verdict == HD_SAT)
        check_model(w, q, chains[chain], out);
    return verdict;
}

/* Does the chain say `expected`?  False if it gives up. */
static bool compare_with(world *w, int chain, const hd_query *q, hd_verdict expected) {
    hd_model out = {0};
    hd_verdict verdict = ask(w, chain, q, &out);
    if (verdict != HD_UNKNOWN && verdict != expected)
        fail(w, q, chains[chain], verdict == HD_SAT ? "said sat" : "said unsat");
    hd_model_release(&out);
    return verdict != HD_UNKNOWN;
}

/* Every chain says `expected`, or nothing if that is allowed. */
static void compare_all(world *w, const hd_query *q, hd_verdict expected, bool may_give_up) {
    for (int i = 0; i < N_CHAINS; i++)
        if (!compare_with(w, i, q, expected) && !may_give_up)
            fail(w, q, chains[i], "gave up");
}

/* The counters add up: every query was decided by exactly one layer. */
static void check_counters(const world *w) {
    for (int c = 0; c < N_CHAINS; c++) {
        const hd_chain_counters *n = hd_chain_counted(w->chain[c]);
        uint64_t decided = 0;
        for (int i = 0; i < HD_N_LAYERS; i++)
            decided += n->layer[i].sat + n->layer[i].unsat + n->layer[i].unknown;
        if (decided != n->queries || n->sat + n->unsat + n->unknown != n->queries)
            printf("seed %llu: counters of chain %s do not add up\n", (unsigned long long)seed_now,
                   chains[c]),
                exit(1);
    }
}

static bool try_all(world *w, const hd_query *q, uint32_t at, hd_model *m) {
    if (at == w->n_vars)
        return holds(w, q, m);
    unsigned width = hd_variables_info(w->variables, w->vars[at])->width;
    for (uint64_t value = 0; value <= hd_mask(width); value++) {
        hd_model_set(m, w->vars[at], value);
        if (try_all(w, q, at + 1, m))
            return true;
    }
    return false;
}

static void compare_with_brute_force(world *w, const hd_query *q) {
    hd_model m = {0};
    hd_verdict expected = try_all(w, q, 0, &m) ? HD_SAT : HD_UNSAT;
    compare_all(w, q, expected, false);
    hd_model_release(&m);
}

static void push_constraints(world *w, unsigned width, bool simple) {
    for (int i = 0; i < N_CONSTRAINTS; i++)
        hd_path_push(w->path, oriented(w, random_constraint(w, width, simple), true));
}

static hd_query random_query(world *w, unsigned width, bool simple) {
    uint32_t n = below(w, N_CONSTRAINTS + 1);
    hd_expr goal = random_constraint(w, width, simple);
    if (n < N_CONSTRAINTS && below(w, 2))
        goal = hd_expr_not(w->g, hd_path_at(w->path, n));
    else
        goal = oriented(w, goal, below(w, 8) == 0);
    return (hd_query){w->path, n, goal, &w->hint};
}

static uint64_t decided_by(const world *w, int chain, hd_layer layer) {
    const hd_layer_counters *n = &hd_chain_counted(w->chain[chain])->layer[layer];
    return n->sat + n->unsat;
}

static void test_small(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 4 + below(&w, 5), bits = 0;
    bool simple = below(&w, 3) == 0;
    while (w.n_vars < 3 && bits < 10) {
        unsigned own = below(&w, 3) ? (width < 6 ? width : 5) : 1 + below(&w, 8);
        own = bits + own > 13 ? 13 - bits : own;
        add_integer(&w, own);
        bits += own;
    }
    push_constraints(&w, width, simple);
    for (int i = 0; i < N_GOALS; i++) {
        hd_query q = random_query(&w, width, simple);
        compare_with_brute_force(&w, &q);
    }
    n_bounds += decided_by(&w, BOUNDS_CHAIN, HD_LAYER_BOUNDS);
    check_counters(&w);
    end_world(&w);
}

/* ---- the same terms, compared with one constant after the other ---- */

static hd_expr random_bound(world *w, const hd_expr *terms, unsigned width) {
    hd_expr e = terms[below(w, 3)];
    if (!below(w, 3))
        e = hd_expr_binary(w->g, HD_OP_ADD + below(w, 2), e, random_constant(w, width));
    unsigned wider = width + below(w, 4) * 3;
    if (wider > width)
        e = below(w, 2) ? hd_expr_zext(w->g, e, wider) : hd_expr_sext(w->g, e, wider);
    hd_expr c = random_constant(w, wider);
    if (below(w, 2)) /* close to what it is */
        c = hd_expr_const(w->g, wider, (value_under_hint(w, e) + below(w, 5) - 2) & hd_mask(wider));
    hd_op op = HD_OP_EQ + below(w, 5);
    hd_expr bound = below(w, 2) ? hd_expr_binary(w->g, op, e, c) : hd_expr_binary(w->g, op, c, e);
    return below(w, 5) ? bound
                       : hd_expr_binary(w->g, HD_OP_AND, bound, random_bound(w, terms, width));
}

static void test_bounds(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 5 + below(&w, 8);
    hd_expr terms[3];
    for (uint32_t n = 2 + below(&w, 2); w.n_vars < n;)
        add_integer(&w, n == 2 ? 5 : 4);
    for (int i = 0; i < 3; i++)
        terms[i] = random_expression(&w, width, 1 + (int)below(&w, 3));
    for (int i = 0; i < N_CONSTRAINTS; i++)
        hd_path_push(w.path, oriented(&w, random_bound(&w, terms, width), true));
    for (int i = 0; i < N_GOALS; i++) {
        hd_expr goal = oriented(&w, random_bound(&w, terms, width), below(&w, 8) == 0);
        hd_query q = {w.path, below(&w, N_CONSTRAINTS + 1), goal, &w.hint};
        compare_with_brute_force(&w, &q);
    }
    n_bounds += decided_by(&w, BOUNDS_CHAIN, HD_LAYER_BOUNDS);
    check_counters(&w);
    end_world(&w);
}

static bool try_bounded(world *w, const hd_query *q, uint32_t at, hd_model *m);

/* ---- one number of thousands of values, along a path and back ---- */

static hd_expr random_step(world *w, hd_expr x, unsigned width) {
    static const hd_op ops[] = {HD_OP_ADD,  HD_OP_MUL,  HD_OP_UDIV, HD_OP_UREM,
                                HD_OP_SDIV, HD_OP_SREM, HD_OP_XOR,  HD_OP_LSHR};
    hd_expr e = hd_expr_var(w->g, w->vars[0], width);
    for (uint32_t i = 1 + below(w, 4); i > 0; i--)
        e = hd_expr_binary(w->g, ops[below(w, 8)], e, below(w, 3) ? random_constant(w, width) : x);
    return e;
}

/* Goals that are opposites of constraints, as those of branches are, and others. */
static void test_line(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 13 + below(&w, 30);
    add_integer(&w, width);
    hd_expr x = hd_expr_var(w.g, w.vars[0], width);
    hd_model_set(&w.hint, w.vars[0], below(&w, 4000));
    w.least[0] = 0, w.n_values[0] = 4000;
    hd_path_push(w.path, hd_expr_binary(w.g, HD_OP_ULT, x, hd_expr_const(w.g, width, 4000)));
    for (int i = 0; i < N_CONSTRAINTS; i++)
        hd_path_push(w.path,
                     oriented(&w,
                              hd_expr_binary(w.g, HD_OP_EQ + below(&w, 5),
                                             random_step(&w, x, width), random_constant(&w, width)),
                              true));
    for (int i = 0; i < N_GOALS; i++) {
        uint32_t n = 1 + below(&w, N_CONSTRAINTS);
        hd_expr goal = hd_expr_not(w.g, hd_path_at(w.path, n));
        if (!below(&w, 3))
            goal = hd_expr_binary(w.g, HD_OP_EQ + below(&w, 5), random_step(&w, x, width),
                                  random_constant(&w, width));
        hd_query q = {w.path, n, goal, &w.hint};
        hd_model m = {0};
        compare_with(&w, N_CHAINS - 1, &q, try_bounded(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT);
        hd_model_release(&m);
    }
    n_lines += decided_by(&w, N_CHAINS - 1, HD_LAYER_CASES);
    check_counters(&w);
    end_world(&w);
}

static void test_big(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    static const unsigned widths[] = {16, 32, 32, 64};
    unsigned width = widths[below(&w, 4)];
    bool simple = below(&w, 2) == 0;
    uint32_t n = 2 + below(&w, MAX_VARS - 1);
    while (w.n_vars < n)
        add_integer(&w, below(&w, 4) ? width : 1 + below(&w, width));
    push_constraints(&w, width, simple);
    for (int i = 0; i < N_GOALS; i++) {
        hd_query q = random_query(&w, width, simple);
        hd_model out = {0};
        hd_verdict expected = ask(&w, 2, &q, &out);
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            compare_all(&w, &q, expected, true);
    }
    check_counters(&w);
    end_world(&w);
}

/* ---- wide numbers of few values, multiplied and divided ---- */

/* x is between a and b, said in one of the ways that programs say it. */
static void push_bounds(world *w, uint32_t i) {
    unsigned width = hd_variables_info(w->variables, w->vars[i])->width;
    unsigned wider = width + below(w, 65 - width);
    bool is_signed = below(w, 2);
    hd_graph *g = w->g;
    hd_expr x = hd_expr_var(g, w->vars[i], width), least = hd_expr_const(g, width, w->least[i]);
    uint64_t most = (w->least[i] + w->n_values[i] - 1) & hd_mask(width);
    bool has_order = hd_op_apply(is_signed ? HD_OP_SLE : HD_OP_ULE, width, w->least[i], most);
    if (!has_order || !below(w, 3)) { /* x - a < n */
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
    hd_expr low = below(w, 2) ? hd_expr_binary(g, or_equal, least, x)
                              : hd_expr_not(g, hd_expr_binary(g, less, x, least));
    hd_expr high = below(w, 2) ? hd_expr_binary(g, or_equal, x, b)
                               : hd_expr_not(g, hd_expr_binary(g, less, b, x));
    if (below(w, 2))
        low = hd_expr_binary(g, HD_OP_AND, low, high);
    else
        hd_path_push(w->path, high);
    hd_path_push(w->path, low);
}

static void add_bounded(world *w, unsigned width) {
    uint32_t i = w->n_vars;
    static const uint64_t likely[] = {0, 0, 1, 48, UINT64_MAX - 3, INT64_MAX};
    add_integer(w, width);
    w->n_values[i] = 1 + below(w, 9);
    w->least[i] = likely[below(w, 6)] >> (64 - width) / 2 & hd_mask(width);
    if (below(w, 3) == 0)
        w->least[i] =
            hd_mask(width) ^ hd_mask(width) >> 1 ^ below(w, 4); /* about the least signed number */
    hd_model_set(&w->hint, w->vars[i],
                 (w->least[i] + below(w, (uint32_t)w->n_values[i])) & hd_mask(width));
}

static bool try_bounded(world *w, const hd_query *q, uint32_t at, hd_model *m) {
    if (at == w->n_vars)
        return holds(w, q, m);
    unsigned width = hd_variables_info(w->variables, w->vars[at])->width;
    for (uint64_t i = 0; i < w->n_values[at]; i++) {
        hd_model_set(m, w->vars[at], (w->least[at] + i) & hd_mask(width));
        if (try_bounded(w, q, at + 1, m))
            return true;
    }
    return false;
}

/* A product, a quotient or a remainder of inputs, compared with something. */
static hd_expr random_hard(world *w, unsigned width) {
    hd_op op = HD_OP_MUL + below(w, HD_OP_SREM - HD_OP_MUL + 1);
    hd_expr hard = hd_expr_binary(w->g, op, random_expression(w, width, (int)below(w, 3)),
                                  random_expression(w, width, (int)below(w, 2)));
    return hd_expr_binary(w->g, HD_OP_EQ + below(w, 5), hard,
                          random_expression(w, width, (int)below(w, 2)));
}

static void test_bounded(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 12 + below(&w, 53);
    for (uint32_t n = 1 + below(&w, 3); w.n_vars < n;)
        add_bounded(&w, below(&w, 3) ? width : 9 + below(&w, 56));
    for (uint32_t i = 0; i < w.n_vars; i++)
        push_bounds(&w, i);
    uint32_t n_bounds = hd_path_length(w.path);
    for (int i = 0; i < 4; i++)
        hd_path_push(w.path, oriented(&w, random_hard(&w, width), true));
    for (int i = 0; i < N_GOALS; i++) {
        hd_query q = {w.path, n_bounds + below(&w, 5), random_hard(&w, width), &w.hint};
        hd_model m = {0}, out = {0};
        hd_verdict expected = try_bounded(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT;
        hd_verdict verdict = ask(&w, N_CHAINS - 1, &q, &out);
        if (verdict != expected)
            fail(&w, &q, chains[N_CHAINS - 1],
                 verdict == HD_SAT     ? "said sat"
                 : verdict == HD_UNSAT ? "said unsat"
                                       : "gave up");
        hd_model_release(&m);
        hd_model_release(&out);
    }
    n_cases += hd_chain_counted(w.chain[N_CHAINS - 1])->layer[HD_LAYER_CASES].sat +
               hd_chain_counted(w.chain[N_CHAINS - 1])->layer[HD_LAYER_CASES].unsat;
    check_counters(&w);
    end_world(&w);
}

/* ---- hashes of small inputs that must be one number ---- */

/* Mixed in: the variable itself, or something that is made of it. */
static hd_expr random_mixed(world *w, uint32_t i, unsigned width) {
    unsigned own = hd_variables_info(w->variables, w->vars[i])->width;
    hd_expr x = hd_expr_var(w->g, w->vars[i], own);
    if (!below(w, 4))
        x = hd_expr_binary(w->g, HD_OP_ADD + below(w, 3), x, random_constant(w, own));
    x = below(w, 6) ? hd_expr_zext(w->g, x, width) : hd_expr_sext(w->g, x, width);
    return below(w, 5)
               ? x
               : hd_expr_binary(w->g, HD_OP_SHL, x, hd_expr_const(w->g, width, below(w, 4)));
}

static hd_expr random_hash(world *w, unsigned width) {
    static const hd_op mixing[] = {HD_OP_XOR, HD_OP_XOR, HD_OP_XOR, HD_OP_ADD, HD_OP_SUB};
    hd_expr h = random_constant(w, width);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        hd_expr x = random_mixed(w, i, width);
        hd_op op = mixing[below(w, 5)];
        h = below(w, 4) ? hd_expr_binary(w->g, op, h, x) : hd_expr_binary(w->g, op, x, h);
        uint64_t factor = hd_random_next(&w->random) | (below(w, 8) != 0);
        if (below(w, 6))
            h = hd_expr_binary(w->g, HD_OP_MUL, h,
                               hd_expr_const(w->g, width, factor & hd_mask(width)));
    }
    return h;
}

/* Some or all bits of it are what they are for some inputs, or anything. */
static hd_expr random_equation(world *w, unsigned width) {
    hd_expr h = random_hash(w, width);
    hd_model m = {0};
    for (uint32_t i = 0; i < w->n_vars; i++)
        hd_model_set(&m, w->vars[i],
                     hd_random_next(&w->random) &
                         hd_mask(hd_variables_info(w->variables, w->vars[i])->width));
    unsigned low = 1 + below(w, width);
    if (!below(w, 4))
        h = hd_expr_extract(w->g, h, 0, low);
    else if (!below(w, 4))
        h = hd_expr_binary(w->g, HD_OP_AND, h, hd_expr_const(w->g, width, hd_mask(low)));
    hd_eval_begin(w->eval, &m);
    uint64_t value = hd_eval_value(w->eval, h);
    hd_model_release(&m);
    hd_expr wanted = below(w, 3) ? hd_expr_const(w->g, hd_expr_width(w->g, h), value)
                                 : random_constant(w, hd_expr_width(w->g, h));
    return hd_expr_binary(w->g, HD_OP_EQ, h, wanted);
}

static void test_hash(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 9 + below(&w, 56);
    for (uint32_t n = 3 + below(&w, 2); w.n_vars < n;)
        add_integer(&w, 2 + below(&w, 3));
    for (int i = 0; i < 3; i++)
        hd_path_push(w.path, oriented(&w, random_comparison(&w, 4), true));
    for (int i = 0; i < N_GOALS; i++) {
        hd_query q = {w.path, below(&w, 4), random_equation(&w, width), &w.hint};
        hd_model m = {0};
        compare_with(&w, MEET_CHAIN, &q, try_all(&w, &q, 0, &m) ? HD_SAT : HD_UNSAT);
        hd_model_release(&m);
    }
    n_met += decided_by(&w, MEET_CHAIN, HD_LAYER_MEET);
    check_counters(&w);
    end_world(&w);
}

/* ---- remainders and equalities of wide inputs ---- */

static hd_expr random_atom(world *w, unsigned width) {
    hd_expr x = hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width);
    hd_expr y = hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width);
    if (below(w, 3))
        return hd_expr_binary(w->g, HD_OP_UREM, x, hd_expr_const(w->g, width, 2 + below(w, 7)));
    hd_expr with = below(w, 3) ? y : hd_expr_const(w->g, width, below(w, 12));
    return hd_expr_zext(w->g, hd_expr_binary(w->g, HD_OP_EQ, x, with), width);
}

/* A slot of a table that inputs were put into. */
static hd_expr random_slot(world *w, unsigned width) {
    hd_expr elements[7];
    uint32_t n = 2 + below(w, 6);
    for (uint32_t i = 0; i < n; i++)
        elements[i] = below(w, 3) ? hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width)
                                  : hd_expr_const(w->g, width, below(w, 3));
    hd_expr x = hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width);
    hd_expr at = hd_expr_binary(w->g, HD_OP_UREM, x, hd_expr_const(w->g, width, n + below(w, 2)));
    return hd_expr_read(w->g, elements, n, at);
}

static hd_expr random_about_atoms(world *w, unsigned width) {
    hd_expr a = random_atom(w, width), b = random_atom(w, width);
    if (!below(w, 3))
        return hd_expr_binary(w->g, HD_OP_EQ, random_slot(w, width),
                              hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width));
    if (below(w, 2))
        b = hd_expr_const(w->g, width, below(w, 6));
    if (!below(w, 3))
        a = hd_expr_binary(w->g, HD_OP_ADD, a, random_atom(w, width));
    return hd_expr_binary(w->g, HD_OP_EQ + below(w, 3), a, b);
}

static void test_atoms(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 9 + below(&w, 4);
    for (uint32_t n = 2 + below(&w, 2); w.n_vars < n;)
        add_integer(&w, width);
    for (int i = 0; i < 4; i++)
        hd_path_push(w.path, oriented(&w, random_about_atoms(&w, width), true));
    for (int i = 0; i < N_GOALS; i++) {
        hd_query q = {w.path, below(&w, 5), oriented(&w, random_about_atoms(&w, width), false),
                      &w.hint};
        hd_model out = {0};
        hd_verdict expected = ask(&w, 2, &q, &out); /* Z3 alone */
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            compare_with(&w, N_CHAINS - 1, &q, expected);
    }
    n_atoms += decided_by(&w, N_CHAINS - 1, HD_LAYER_CASES);
    check_counters(&w);
    end_world(&w);
}

/* ---- inputs that are only moved and compared ---- */

static hd_expr random_order(world *w, unsigned width, int depth);

static hd_expr random_moved(world *w, unsigned width, int depth) {
    hd_expr elements[4];
    uint32_t n = 2 + below(w, 3), what = below(w, depth > 0 ? 4 : 1);
    if (!below(w, 8))
        return hd_expr_const(w->g, width, below(w, 8) ? 0 : below(w, 3));
    if (what <= 1)
        return hd_expr_var(w->g, w->vars[below(w, w->n_vars)], width);
    for (uint32_t i = 0; i < n; i++)
        elements[i] = random_moved(w, width, depth - 1);
    if (what == 2)
        return hd_expr_ite(w->g, random_order(w, width, depth - 1), elements[0], elements[1]);
    hd_expr at = hd_expr_zext(w->g, random_order(w, width, depth - 1), 8);
    for (uint32_t i = below(w, 3); i > 0; i--)
        at = hd_expr_binary(w->g, HD_OP_ADD + below(w, 3), at,
                            below(w, 2) ? hd_expr_sext(w->g, random_order(w, width, depth - 1), 8)
                                        : hd_expr_const(w->g, 8, below(w, 3)));
    return hd_expr_read(w->g, elements, n, at);
}

static hd_expr random_order(world *w, unsigned width, int depth) {
    static const hd_op with_signs[] = {HD_OP_SLT, HD_OP_SLE, HD_OP_EQ},
                       without[] = {HD_OP_ULT, HD_OP_ULE, HD_OP_EQ};
    hd_op op = (width % 2 ? with_signs : without)[below(w, 3)];
    if (!below(w, 30))
        op = HD_OP_EQ + below(w, 5);
    hd_expr a = random_moved(w, width, depth);
    return hd_expr_binary(w->g, op, a, random_moved(w, width, depth));
}

static void test_moved(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    unsigned width = 9 + below(&w, 12);
    for (uint32_t n = 2 + below(&w, 3); w.n_vars < n;)
        add_integer(&w, width);
    for (int i = 0; i < 5; i++)
        hd_path_push(w.path, oriented(&w, random_order(&w, width, (int)below(&w, 3)), true));
    for (int i = 0; i < 2 * N_GOALS; i++) {
        hd_expr goal = oriented(&w, random_order(&w, width, (int)below(&w, 4)), false);
        hd_query q = {w.path, below(&w, 6), goal, &w.hint};
        hd_model out = {0};
        hd_verdict expected = ask(&w, 2, &q, &out); /* Z3 alone */
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            compare_with(&w, N_CHAINS - 1, &q, expected);
    }
    n_moved += decided_by(&w, N_CHAINS - 1, HD_LAYER_CASES);
    check_counters(&w);
    end_world(&w);
}

enum { FOREIGN = 0x5000 }; /* an address that no input owns */

static uint64_t own_object(world *w, hd_var v) {
    uint64_t object = hd_variables_info(w->variables, v)->object;
    return object ? object : HD_POINTER_FRESH(v);
}

static void add_pointer(world *w) {
    hd_var v = hd_variables_root(w->variables, w->n_vars, HD_VAR_POINTER, 64, 1 + below(w, 2), "p");
    if (below(w, 2))
        hd_variables_set_object(w->variables, v, 0x1000 + 64 * v);
    hd_var other = w->n_vars ? w->vars[below(w, w->n_vars)] : v;
    bool same =
        hd_variables_info(w->variables, other)->type == hd_variables_info(w->variables, v)->type;
    uint64_t values[] = {0, own_object(w, v), own_object(w, same ? other : v)};
    hd_model_set(&w->hint, v, values[below(w, 3)]);
    w->vars[w->n_vars++] = v;
}

static bool is_pointer(world *w, hd_var v) {
    return hd_variables_info(w->variables, v)->kind == HD_VAR_POINTER;
}

/* Pointers come before numbers. */
static uint32_t n_pointers(world *w) {
    uint32_t n = 0;
    while (n < w->n_vars && is_pointer(w, w->vars[n]))
        n++;
    return n;
}

static hd_expr random_pointer_literal(world *w, bool mentions_objects) {
    uint32_t n = n_pointers(w);
    hd_expr p = hd_expr_var(w->g, w->vars[below(w, n)], 64), q;
    uint32_t what = below(w, mentions_objects ? 5 : 4);
    if (what <= 1)
        q = hd_expr_var(w->g, w->vars[below(w, n)], 64);
    else if (what == 2)
        q = hd_expr_const(w->g, 64, 0);
    else if (what == 3)
        q = hd_expr_const(w->g, 64, FOREIGN);
    else
        q = hd_expr_const(w->g, 64, own_object(w, w->vars[below(w, n)]));
    return hd_expr_binary(w->g, HD_OP_EQ, p, q);
}

/* What a cell holds: a number, or an input. */
static hd_expr random_cell(world *w) {
    uint32_t n = n_pointers(w);
    if (n == w->n_vars || below(w, 3) == 0)
        return hd_expr_const(w->g, 8, below(w, 3));
    return hd_expr_zext(w->g, hd_expr_var(w->g, w->vars[n + below(w, w->n_vars - n)], 3), 8);
}

/* What a write through one pointer and a read through another leaves behind. */
static hd_expr random_pointer_constraint(world *w, bool mentions_objects, bool mixed) {
    static const hd_op compared[] = {HD_OP_EQ, HD_OP_EQ, HD_OP_ULT, HD_OP_ULE};
    hd_expr literal = random_pointer_literal(w, mentions_objects);
    if (!mixed || below(w, 2))
        return literal;
    hd_expr old = random_cell(w);
    hd_expr value = hd_expr_ite(w->g, literal, random_cell(w), old);
    hd_expr other =
        hd_expr_ite(w->g, random_pointer_literal(w, mentions_objects), random_cell(w), old);
    return hd_expr_binary(w->g, compared[below(w, 4)], value, other);
}

static bool may_point_to(world *w, hd_var v, uint64_t value) {
    if (value == hd_model_get(&w->hint, v))
        return true;
    for (uint32_t i = 0; i < w->n_vars; i++)
        if (value == own_object(w, w->vars[i]))
            return hd_variables_info(w->variables, w->vars[i])->type ==
                   hd_variables_info(w->variables, v)->type;
    return true;
}

/* Does some constraint of the slice mention the foreign object? */
static bool mentions_foreign(world *w, const hd_query *q) {
    hd_indices slice = {0};
    hd_text text = {0};
    hd_path_slice(w->path, q->n, q->goal, &slice);
    for (size_t i = 0; i < slice.n; i++)
        hd_expr_print_smt(w->g, hd_path_at(w->path, slice.at[i]), &text);
    hd_expr_print_smt(w->g, q->goal, &text);
    bool found = strstr(hd_text_string(&text), "000000005000") != NULL;
    hd_vec_release(&slice);
    hd_text_release(&text);
    return found;
}

static bool try_all_objects(world *w, const hd_query *q, bool foreign, uint32_t at, hd_model *m);

static bool try_all_numbers(world *w, const hd_query *q, bool foreign, uint32_t at, hd_model *m) {
    for (uint64_t value = 0; value < 8; value++) {
        hd_model_set(m, w->vars[at], value);
        if (try_all_objects(w, q, foreign, at + 1, m))
            return true;
    }
    return false;
}

static bool try_all_objects(world *w, const hd_query *q, bool foreign, uint32_t at, hd_model *m) {
    if (at == w->n_vars)
        return holds(w, q, m);
    if (!is_pointer(w, w->vars[at]))
        return try_all_numbers(w, q, foreign, at, m);
    for (uint32_t i = 0; i < w->n_vars + 1 + foreign; i++) {
        uint64_t value = i < w->n_vars ? own_object(w, w->vars[i]) : i == w->n_vars ? 0 : FOREIGN;
        hd_model_set(m, w->vars[at], value);
        if (may_point_to(w, w->vars[at], value) && try_all_objects(w, q, foreign, at + 1, m))
            return true;
    }
    return false;
}

static bool is_object(world *w, uint64_t value) {
    bool found = value == 0 || value == FOREIGN;
    for (uint32_t i = 0; i < w->n_vars; i++)
        found |= value == own_object(w, w->vars[i]);
    return found;
}

/* `must` if the objects that the slice mentions are enough, `may` if any objects are. */
static void check_pointers(world *w, const hd_query *q, int chain, bool must, bool may,
                           bool may_give_up) {
    hd_model out = {0};
    hd_verdict verdict = ask(w, chain, q, &out);
    if (verdict == HD_UNKNOWN && !may_give_up)
        fail(w, q, chains[chain], "gave up on pointers");
    if (verdict == HD_UNSAT && must)
        fail(w, q, chains[chain], "missed values for pointers");
    if (verdict == HD_SAT && !may)
        fail(w, q, chains[chain], "made up objects");
    for (uint32_t i = 0; verdict == HD_SAT && i < w->n_vars; i++)
        if (is_pointer(w, w->vars[i]) && !is_object(w, hd_model_get(&out, w->vars[i])))
            fail(w, q, chains[chain], "a pointer points to no object (L4)");
    hd_model_release(&out);
}

static void test_pointers(uint64_t seed) {
    world w;
    begin_world(&w, seed);
    bool mentions_objects = below(&w, 2), mixed = below(&w, 2);
    for (uint32_t n = 1 + below(&w, 4); w.n_vars < n;)
        add_pointer(&w);
    for (uint32_t n = w.n_vars + below(&w, 3); mixed && w.n_vars < n;)
        add_integer(&w, 3);
    for (int i = 0; i < N_CONSTRAINTS - 2; i++)
        hd_path_push(w.path,
                     oriented(&w, random_pointer_constraint(&w, mentions_objects, mixed), true));
    for (int i = 0; i < N_GOALS; i++) {
        uint32_t n = below(&w, N_CONSTRAINTS - 1);
        hd_expr goal = oriented(&w, random_pointer_constraint(&w, mentions_objects, mixed), false);
        hd_query q = {w.path, n, goal, &w.hint};
        hd_model m = {0};
        bool must = try_all_objects(&w, &q, mentions_foreign(&w, &q), 0, &m);
        bool may = must || try_all_objects(&w, &q, true, 0, &m);
        for (int c = 0; c < N_CHAINS; c++)
            check_pointers(&w, &q, c, must, may, mentions_objects);
        hd_model_release(&m);
    }
    n_aliases += decided_by(&w, ALIASES_CHAIN, HD_LAYER_ALIASES);
    check_counters(&w);
    end_world(&w);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 30;
    for (seed_now = first; seed_now < first + 5 * count; seed_now++) /* small ones: more of them */
        test_pointers(seed_now);
    for (seed_now = first; seed_now < first + count; seed_now++) {
        test_small(seed_now);
        test_bounded(seed_now);
        test_hash(seed_now);
        test_bounds(seed_now);
        test_line(seed_now);
        if (seed_now % 2 == 0)
            test_big(seed_now);
        else
            test_atoms(seed_now), test_moved(seed_now);
    }
    if (n_cases < count) /* of 10 queries each */
        return printf("cases decided only %llu queries of bounded numbers\n",
                      (unsigned long long)n_cases),
               1;
    if (n_aliases < count || n_bounds < count / 4 || n_lines < count)
        return printf("only %llu queries were decided by aliases, %llu by bounds, %llu by lines\n",
                      (unsigned long long)n_aliases, (unsigned long long)n_bounds,
                      (unsigned long long)n_lines),
               1;
    if (n_met < count || n_atoms < count || n_moved < count)
        return printf("only %llu queries were decided by meet, %llu by atoms, %llu by order\n",
                      (unsigned long long)n_met, (unsigned long long)n_atoms,
                      (unsigned long long)n_moved),
               1;
    printf("ok: %llu queries, %llu sat, %llu unsat, %llu unknown\n", (unsigned long long)n_asked,
           (unsigned long long)n_sat, (unsigned long long)n_unsat, (unsigned long long)n_unknown);
    return 0;
}
