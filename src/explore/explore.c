/* The explorer: what all searches share, and the one place that chooses between them. */
#include "explore/explore_int.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

static const char *const reduction_names[] = {
#define X(name, rules, text, words) text,
    HD_REDUCTIONS(X)
#undef X
};

const char *hd_reduction_name(hd_reduction reduction) {
    HD_ASSERT(reduction < HD_N_REDUCTIONS);
    return reduction_names[reduction];
}

bool hd_reduction_parse(const char *text, hd_reduction *reduction) {
    for (int i = 0; i < HD_N_REDUCTIONS; i++)
        if (strcmp(text, reduction_names[i]) == 0) {
            *reduction = (hd_reduction)i;
            return true;
        }
    return false;
}

static const char *const strategy_names[] = {
#define X(name, rules, text, words) text,
    HD_STRATEGIES(X)
#undef X
};

const char *hd_strategy_name(hd_strategy strategy) {
    HD_ASSERT(strategy < HD_N_STRATEGIES);
    return strategy_names[strategy];
}

bool hd_strategy_parse(const char *text, hd_strategy *strategy) {
    for (int i = 0; i < HD_N_STRATEGIES; i++)
        if (strcmp(text, strategy_names[i]) == 0) {
            *strategy = (hd_strategy)i;
            return true;
        }
    return false;
}

/* ---- searches ---- */

hd_explorer *hd_explorer_new(hd_graph *graph, hd_variables *variables, hd_chain *chain,
                             const hd_explorer_options *options) {
    HD_ASSERT(options->strategy < HD_N_STRATEGIES && options->reduction < HD_N_REDUCTIONS);
    hd_explorer *x = calloc(1, sizeof *x);
    if (!x)
        hd_out_of_memory();
    x->options = *options;
    x->graph = graph;
    x->variables = variables;
    x->chain = chain;
    x->path = hd_path_new(graph);
    x->random = hd_mix(options->seed + 0x51);
    x->search = options->machine       ? &hd_search_system
                : options->is_threaded ? &hd_search_weave
                                       : &hd_search_walk;
    x->state = x->search->new(x);
    return x;
}

void hd_explorer_free(hd_explorer *x) {
    x->search->free(x->state);
    hd_runs_release(&x->runs);
    hd_path_free(x->path);
    hd_vec_release(&x->lost);
    hd_text_release(&x->dscenarios);
    free(x);
}

void hd_explorer_assume(hd_explorer *x, const hd_expr *conditions, uint32_t n) {
    HD_ASSERT(!x->has_started && !x->is_running);
    x->search->assume(x->state, conditions, n);
}

/* Any inputs, if nothing is assumed.  Those that the assumptions mention are 0 until one of them
 * wants something else. */
static hd_verdict solve_assumed(hd_explorer *x, uint32_t n, hd_model *model) {
    hd_model hint = {0};
    hd_verdict verdict = HD_SAT;
    hd_model_clear(model);
    for (uint32_t i = 0; i < n && verdict == HD_SAT; i++) {
        hd_expr e = hd_path_at(x->path, i);
        const hd_support *s = hd_expr_support(x->graph, e);
        for (uint32_t k = 0; k < s->n; k++)
            if (!hd_model_has(model, s->v[k]))
                hd_model_set(model, s->v[k], 0);
        hd_model_copy(&hint, model);
        verdict = hd_chain_solve(x->chain, &(hd_query){x->path, i, e, &hint}, model);
    }
    hd_model_release(&hint);
    return verdict;
}

bool hd_explorer_begin(hd_explorer *x, uint32_t n, hd_model *model) {
    hd_verdict verdict = solve_assumed(x, n, model);
    bool is_late = verdict == HD_UNKNOWN && hd_explorer_is_late(x);
    x->has_started = !is_late;
    x->counters.open = is_late;
    if (verdict == HD_UNKNOWN && !is_late) {
        x->counters.unknown++;
        hd_explorer_lose(x, 0, false);
    }
    x->counters.infeasible += verdict == HD_UNSAT;
    return verdict == HD_SAT;
}

hd_sink hd_explorer_sink(hd_explorer *x) {
    return x->search->sink(x->state);
}

bool hd_explorer_next(hd_explorer *x, hd_model *model) {
    HD_INVARIANT(S1, !x->is_running);
    x->is_running = x->search->next(x->state, model);
    HD_ASSERT(x->has_started || hd_explorer_is_late(x));
    return x->is_running;
}

void hd_explorer_done(hd_explorer *x, const hd_outcome *outcome, const hd_model *model) {
    HD_INVARIANT(S1, x->is_running);
    x->search->done(x->state, outcome, model);
    x->is_running = false;
}

uint64_t hd_explorer_class_hash(const hd_explorer *x) {
    return x->search->hash(x->state);
}

uint64_t hd_explorer_path_hash(const hd_explorer *x) {
    return x->search->hash(x->state);
}

void hd_explorer_print_path(const hd_explorer *x, hd_text *out) {
    x->search->print_path(x->state, out);
}

void hd_explorer_print_schedule(const hd_explorer *x, hd_text *out) {
    x->search->print_schedule(x->state, out);
}

const hd_race *hd_explorer_races(const hd_explorer *x, uint32_t *n) {
    return x->search->races(x->state, n);
}

bool hd_explorer_is_complete(const hd_explorer *x) {
    const hd_explorer_counters *c = &x->counters;
    bool is_exhausted = x->has_started && x->search->is_exhausted(x->state);
    HD_INVARIANT(X3, !is_exhausted || c->open == 0);
    return is_exhausted && c->unknown == 0 && c->mispredicted == 0 && c->bounded == 0;
}

bool hd_explorer_is_exhausted(const hd_explorer *x) {
    return x->has_started && x->search->is_exhausted(x->state);
}

void hd_explorer_save_rounds(const hd_explorer *x, hd_text *out) {
    x->search->save_rounds(x->state, out);
}

void hd_explorer_take_classes(hd_explorer *x, hd_text *out) {
    x->search->take_classes(x->state, out);
}

void hd_explorer_take_races(hd_explorer *x, hd_text *out) {
    x->search->take_races(x->state, out);
}

void hd_explorer_begin_anew(hd_explorer *x) {
    x->search->begin_anew(x->state);
}

bool hd_explorer_is_rebuilding(const hd_explorer *x) {
    return x->search->is_rebuilding(x->state);
}

void hd_explorer_compact(hd_explorer *x) {
    HD_INVARIANT(S1, !x->is_running);
    x->search->compact(x->state);
}

/* ---- what searches share ---- */

hd_expr hd_explorer_oriented(hd_explorer *x, hd_expr condition, bool way) {
    HD_CHECK(condition != HD_NONE && hd_expr_width(x->graph, condition) == 1);
    return way ? condition : hd_expr_not(x->graph, condition);
}

static void count_lost(hd_explorer *x, uint32_t site, bool mispredicted) {
    for (size_t i = 0; i < x->lost.n; i++)
        if (x->lost.at[i].site == site && x->lost.at[i].mispredicted == mispredicted) {
            x->lost.at[i].count++;
            return;
        }
    hd_vec_push(&x->lost, ((hd_lost_way){site, mispredicted, 1}));
}

/* Is every way that was lost named with its site? */
static bool are_all_named(const hd_explorer *x) {
    uint64_t n[2] = {0};
    for (size_t i = 0; i < x->lost.n; i++)
        n[x->lost.at[i].mispredicted] += x->lost.at[i].count;
    return n[0] == x->counters.unknown && n[1] == x->counters.mispredicted;
}

void hd_explorer_lose(hd_explorer *x, uint32_t site, bool mispredicted) {
    count_lost(x, site, mispredicted);
    HD_CHECK_INVARIANT(X3, are_all_named(x));
}

const hd_explorer_counters *hd_explorer_counted(const hd_explorer *x) {
    return &x->counters;
}

const char *hd_explorer_dscenarios(const hd_explorer *x, bool *are_possible) {
    *are_possible = x->are_possible;
    return x->dscenarios.n ? hd_text_string(&x->dscenarios) : NULL;
}

void hd_explorer_count_sample(hd_explorer *x) {
    x->counters.sampled++;
}

uint64_t hd_explorer_generation(const hd_explorer *x) {
    return x->generation;
}

const hd_lost_way *hd_explorer_lost(const hd_explorer *x, uint32_t *n) {
    *n = (uint32_t)x->lost.n;
    return x->lost.at;
}

bool hd_explorer_is_late(const hd_explorer *x) {
    return x->options.deadline > 0 && hd_clock_now() >= x->options.deadline;
}

bool hd_explorer_uses_pointers(hd_explorer *x) {
    hd_var n = hd_variables_n(x->variables);
    for (; x->n_looked_at < n; x->n_looked_at++)
        x->has_pointers |= hd_variables_info(x->variables, x->n_looked_at)->kind == HD_VAR_POINTER;
    return x->has_pointers;
}

void hd_explorer_settle_pointers(hd_explorer *x, hd_model *model) {
    if (hd_explorer_uses_pointers(x))
        hd_explorer_settle(x, model);
}
