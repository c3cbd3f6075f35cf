/* Queries, asked of many chains and of brute force (query_world.h). */
#include "property/model/query_world.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const query_chains[QUERY_CHAINS] = {
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
uint64_t query_seed;
query_counts query_counted;

uint32_t query_below(query_world *w, uint32_t n) {
    return (uint32_t)(hd_random_next(&w->random) % n);
}

void query_world_begin(query_world *w, uint64_t seed) {
    *w = (query_world){.random = hd_mix(seed + 1)};
    w->g = hd_graph_new(false);
    w->variables = hd_variables_new();
    w->path = hd_path_new(w->g);
    w->eval = hd_eval_new(w->g);
    for (int i = 0; i < QUERY_CHAINS; i++) {
        hd_chain_options options = hd_chain_defaults();
        hd_err err;
        if (!hd_chain_parse(query_chains[i], &options, &err))
            printf("%s\n", err.message), exit(2);
        w->chain[i] = hd_chain_new(w->g, w->variables, &options);
    }
}

void query_world_end(query_world *w) {
    for (int i = 0; i < QUERY_CHAINS; i++)
        hd_chain_free(w->chain[i]);
    hd_model_release(&w->hint);
    hd_eval_free(w->eval);
    hd_path_free(w->path);
    hd_variables_free(w->variables);
    hd_graph_free(w->g);
}

void query_add_integer(query_world *w, unsigned width) {
    hd_var v = hd_variables_root(w->variables, w->n_vars, HD_VAR_INTEGER, width, 0, "x");
    hd_model_set(&w->hint, v, hd_random_next(&w->random) & hd_mask(width));
    w->vars[w->n_vars++] = v;
}

uint64_t query_value_under_hint(query_world *w, hd_expr e) {
    hd_eval_begin(w->eval, &w->hint);
    return hd_eval_value(w->eval, e);
}

hd_expr query_oriented(query_world *w, hd_expr e, bool truth) {
    return query_value_under_hint(w, e) == truth ? e : hd_expr_not(w->g, e);
}

void query_fail(query_world *w, const hd_query *q, const char *chain, const char *what) {
    hd_text text = {0};
    hd_expr all[QUERY_MOST_CONSTRAINTS + 1];
    for (uint32_t i = 0; i < q->n; i++)
        all[i] = hd_path_at(w->path, i);
    all[q->n] = q->goal;
    hd_expr_print_script(w->g, all, q->n + 1, &text);
    printf("%sseed %llu, chain %s: %s\n", hd_text_string(&text), (unsigned long long)query_seed,
           chain, what);
    exit(1);
}

bool query_holds(query_world *w, const hd_query *q, const hd_model *m) {
    hd_eval_begin(w->eval, m);
    for (uint32_t i = 0; i < q->n; i++)
        if (!hd_eval_value(w->eval, hd_path_at(w->path, i)))
            return false;
    return hd_eval_value(w->eval, q->goal);
}

static bool is_in_slice(query_world *w, const hd_query *q, hd_var v) {
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

static void check_model(query_world *w, const hd_query *q, const char *name, const hd_model *out) {
    if (!query_holds(w, q, out))
        query_fail(w, q, name, "the model does not satisfy the path (C1)");
    for (uint32_t i = 0; i < w->n_vars && !strstr(name, "-slice") && strstr("all", name); i++)
        if (!is_in_slice(w, q, w->vars[i]) &&
            hd_model_get(out, w->vars[i]) != hd_model_get(&w->hint, w->vars[i]))
            query_fail(w, q, name, "a variable outside the slice changed (C3)");
}

hd_verdict query_ask(query_world *w, int chain, const hd_query *q, hd_model *out) {
    hd_verdict verdict = hd_chain_solve(w->chain[chain], q, out);
    query_counted.asked++;
    query_counted.sat += verdict == HD_SAT;
    query_counted.unsat += verdict == HD_UNSAT;
    query_counted.unknown += verdict == HD_UNKNOWN;
    if (verdict == HD_SAT)
        check_model(w, q, query_chains[chain], out);
    return verdict;
}

bool query_compare_with(query_world *w, int chain, const hd_query *q, hd_verdict expected) {
    hd_model out = {0};
    hd_verdict verdict = query_ask(w, chain, q, &out);
    if (verdict != HD_UNKNOWN && verdict != expected)
        query_fail(w, q, query_chains[chain], verdict == HD_SAT ? "said sat" : "said unsat");
    hd_model_release(&out);
    return verdict != HD_UNKNOWN;
}

void query_compare_all(query_world *w, const hd_query *q, hd_verdict expected, bool may_give_up) {
    for (int i = 0; i < QUERY_CHAINS; i++)
        if (!query_compare_with(w, i, q, expected) && !may_give_up)
            query_fail(w, q, query_chains[i], "gave up");
}

void query_check_counters(const query_world *w) {
    for (int c = 0; c < QUERY_CHAINS; c++) {
        const hd_chain_counters *n = hd_chain_counted(w->chain[c]);
        uint64_t decided = 0;
        for (int i = 0; i < HD_N_LAYERS; i++)
            decided += n->layer[i].sat + n->layer[i].unsat + n->layer[i].unknown;
        if (decided != n->queries || n->sat + n->unsat + n->unknown != n->queries)
            printf("seed %llu: counters of chain %s do not add up\n",
                   (unsigned long long)query_seed, query_chains[c]),
                exit(1);
    }
}

bool query_try_all(query_world *w, const hd_query *q, uint32_t at, hd_model *m) {
    if (at == w->n_vars)
        return query_holds(w, q, m);
    unsigned width = hd_variables_info(w->variables, w->vars[at])->width;
    for (uint64_t value = 0; value <= hd_mask(width); value++) {
        hd_model_set(m, w->vars[at], value);
        if (query_try_all(w, q, at + 1, m))
            return true;
    }
    return false;
}

void query_compare_with_brute_force(query_world *w, const hd_query *q) {
    hd_model m = {0};
    hd_verdict expected = query_try_all(w, q, 0, &m) ? HD_SAT : HD_UNSAT;
    query_compare_all(w, q, expected, false);
    hd_model_release(&m);
}

uint64_t query_decided_by(const query_world *w, int chain, hd_layer layer) {
    const hd_layer_counters *n = &hd_chain_counted(w->chain[chain])->layer[layer];
    return n->sat + n->unsat;
}
