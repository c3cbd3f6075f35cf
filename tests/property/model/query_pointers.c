/* Pointers as inputs: every object that one may point to is tried (query_shapes.h). */
#include "property/model/query_shapes.h"
#include "property/model/query_world.h"

#include <string.h>

enum { FOREIGN = 0x5000 }; /* an address that no input owns */

static uint64_t own_object(query_world *w, hd_var v) {
    uint64_t object = hd_variables_info(w->variables, v)->object;
    return object ? object : HD_POINTER_FRESH(v);
}

static void add_pointer(query_world *w) {
    hd_var v =
        hd_variables_root(w->variables, w->n_vars, HD_VAR_POINTER, 64, 1 + query_below(w, 2), "p");
    if (query_below(w, 2))
        hd_variables_set_object(w->variables, v, 0x1000 + 64 * v);
    hd_var other = w->n_vars ? w->vars[query_below(w, w->n_vars)] : v;
    bool same =
        hd_variables_info(w->variables, other)->type == hd_variables_info(w->variables, v)->type;
    uint64_t values[] = {0, own_object(w, v), own_object(w, same ? other : v)};
    hd_model_set(&w->hint, v, values[query_below(w, 3)]);
    w->vars[w->n_vars++] = v;
}

static bool is_pointer(query_world *w, hd_var v) {
    return hd_variables_info(w->variables, v)->kind == HD_VAR_POINTER;
}

/* Pointers come before numbers. */
static uint32_t n_pointers(query_world *w) {
    uint32_t n = 0;
    while (n < w->n_vars && is_pointer(w, w->vars[n]))
        n++;
    return n;
}

static hd_expr random_pointer_literal(query_world *w, bool mentions_objects) {
    uint32_t n = n_pointers(w);
    hd_expr p = hd_expr_var(w->g, w->vars[query_below(w, n)], 64), q;
    uint32_t what = query_below(w, mentions_objects ? 5 : 4);
    if (what <= 1)
        q = hd_expr_var(w->g, w->vars[query_below(w, n)], 64);
    else if (what == 2)
        q = hd_expr_const(w->g, 64, 0);
    else if (what == 3)
        q = hd_expr_const(w->g, 64, FOREIGN);
    else
        q = hd_expr_const(w->g, 64, own_object(w, w->vars[query_below(w, n)]));
    return hd_expr_binary(w->g, HD_OP_EQ, p, q);
}

/* What a cell holds: a number, or an input. */
static hd_expr random_cell(query_world *w) {
    uint32_t n = n_pointers(w);
    if (n == w->n_vars || query_below(w, 3) == 0)
        return hd_expr_const(w->g, 8, query_below(w, 3));
    return hd_expr_zext(w->g, hd_expr_var(w->g, w->vars[n + query_below(w, w->n_vars - n)], 3), 8);
}

/* What a write through one pointer and a read through another leaves behind. */
static hd_expr random_pointer_constraint(query_world *w, bool mentions_objects, bool mixed) {
    static const hd_op compared[] = {HD_OP_EQ, HD_OP_EQ, HD_OP_ULT, HD_OP_ULE};
    hd_expr literal = random_pointer_literal(w, mentions_objects);
    if (!mixed || query_below(w, 2))
        return literal;
    hd_expr old = random_cell(w);
    hd_expr value = hd_expr_ite(w->g, literal, random_cell(w), old);
    hd_expr other =
        hd_expr_ite(w->g, random_pointer_literal(w, mentions_objects), random_cell(w), old);
    return hd_expr_binary(w->g, compared[query_below(w, 4)], value, other);
}

static bool may_point_to(query_world *w, hd_var v, uint64_t value) {
    if (value == hd_model_get(&w->hint, v))
        return true;
    for (uint32_t i = 0; i < w->n_vars; i++)
        if (value == own_object(w, w->vars[i]))
            return hd_variables_info(w->variables, w->vars[i])->type ==
                   hd_variables_info(w->variables, v)->type;
    return true;
}

/* Does some constraint of the slice mention the foreign object? */
static bool mentions_foreign(query_world *w, const hd_query *q) {
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

static bool try_all_objects(query_world *w, const hd_query *q, bool foreign, uint32_t at,
                            hd_model *m);

static bool try_all_numbers(query_world *w, const hd_query *q, bool foreign, uint32_t at,
                            hd_model *m) {
    for (uint64_t value = 0; value < 8; value++) {
        hd_model_set(m, w->vars[at], value);
        if (try_all_objects(w, q, foreign, at + 1, m))
            return true;
    }
    return false;
}

static bool try_all_objects(query_world *w, const hd_query *q, bool foreign, uint32_t at,
                            hd_model *m) {
    if (at == w->n_vars)
        return query_holds(w, q, m);
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

static bool is_object(query_world *w, uint64_t value) {
    bool found = value == 0 || value == FOREIGN;
    for (uint32_t i = 0; i < w->n_vars; i++)
        found |= value == own_object(w, w->vars[i]);
    return found;
}

/* `must` if the objects that the slice mentions are enough, `may` if any objects are. */
static void check_pointers(query_world *w, const hd_query *q, int chain, bool must, bool may,
                           bool may_give_up) {
    hd_model out = {0};
    hd_verdict verdict = query_ask(w, chain, q, &out);
    if (verdict == HD_UNKNOWN && !may_give_up)
        query_fail(w, q, query_chains[chain], "gave up on pointers");
    if (verdict == HD_UNSAT && must)
        query_fail(w, q, query_chains[chain], "missed values for pointers");
    if (verdict == HD_SAT && !may)
        query_fail(w, q, query_chains[chain], "made up objects");
    for (uint32_t i = 0; verdict == HD_SAT && i < w->n_vars; i++)
        if (is_pointer(w, w->vars[i]) && !is_object(w, hd_model_get(&out, w->vars[i])))
            query_fail(w, q, query_chains[chain], "a pointer points to no object (L4)");
    hd_model_release(&out);
}

void query_test_pointers(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    bool mentions_objects = query_below(&w, 2), mixed = query_below(&w, 2);
    for (uint32_t n = 1 + query_below(&w, 4); w.n_vars < n;)
        add_pointer(&w);
    for (uint32_t n = w.n_vars + query_below(&w, 3); mixed && w.n_vars < n;)
        query_add_integer(&w, 3);
    for (int i = 0; i < QUERY_CONSTRAINTS - 2; i++)
        hd_path_push(w.path, query_oriented(
                                 &w, random_pointer_constraint(&w, mentions_objects, mixed), true));
    for (int i = 0; i < QUERY_GOALS; i++) {
        uint32_t n = query_below(&w, QUERY_CONSTRAINTS - 1);
        hd_expr goal =
            query_oriented(&w, random_pointer_constraint(&w, mentions_objects, mixed), false);
        hd_query q = {w.path, n, goal, &w.hint};
        hd_model m = {0};
        bool must = try_all_objects(&w, &q, mentions_foreign(&w, &q), 0, &m);
        bool may = must || try_all_objects(&w, &q, true, 0, &m);
        for (int c = 0; c < QUERY_CHAINS; c++)
            check_pointers(&w, &q, c, must, may, mentions_objects);
        hd_model_release(&m);
    }
    query_counted.aliases += query_decided_by(&w, QUERY_CHAIN_ALIASES, HD_LAYER_ALIASES);
    query_check_counters(&w);
    query_world_end(&w);
}
