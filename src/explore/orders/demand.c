/* Demands: narrowed by evaluation if that is enough, else by the solver chain. */
#include "explore/orders/demand.h"

#include "base/panic.h"
#include "explore/orders/weave.h"

hd_expr hd_demand_both(hd_explorer *x, hd_expr a, hd_expr b) {
    if (!a || !b)
        return a ? a : b;
    HD_CHECK(hd_expr_width(x->graph, a) == 1 && hd_expr_width(x->graph, b) == 1);
    return hd_expr_binary(x->graph, HD_OP_AND, a, b);
}

bool hd_demand_holds(hd_explorer *x, const hd_model *inputs, hd_expr condition) {
    hd_weave *w = hd_weave_of(x);
    if (!w->eval)
        w->eval = hd_eval_new(x->graph);
    hd_eval_begin(w->eval, inputs);
    return hd_eval_value(w->eval, condition);
}

/* Do the inputs satisfy all that they should?  Where there are pointers, what they mean is settled
 * between the solver and the execution (settle.c). */
static bool is_met(hd_demand *d) {
    const hd_model *inputs = hd_demand_inputs(d);
    bool is_it = !d->wanted || hd_demand_holds(d->x, inputs, d->wanted);
    for (uint32_t i = 0; i < d->n_outcomes && is_it; i++)
        is_it = hd_demand_holds(d->x, inputs, d->outcomes[i]);
    for (uint32_t i = 0; i < d->n && is_it; i++)
        is_it = hd_demand_holds(d->x, inputs, hd_path_at(d->x->path, i));
    return is_it || d->x->has_pointers;
}

static bool find_inputs(hd_demand *d) {
    hd_expr goal = d->wanted;
    for (uint32_t i = 0; i < d->n_outcomes; i++)
        goal = hd_demand_both(d->x, goal, d->outcomes[i]);
    HD_ASSERT(d->n <= hd_path_length(d->x->path));
    hd_query q = {.path = d->x->path, .n = d->n, .goal = goal, .hint = hd_demand_inputs(d)};
    hd_model found = {0};
    hd_verdict verdict = hd_chain_solve(d->x->chain, &q, &found);
    bool is_too_late = verdict == HD_UNKNOWN && hd_explorer_is_late(d->x);
    if (verdict == HD_UNKNOWN && !is_too_late) {
        d->x->counters.unknown++;
        hd_explorer_lose(d->x, d->site, false);
    }
    if (verdict == HD_SAT) {
        hd_explorer_settle_pointers(d->x, &found);
        HD_CHECK_INVARIANT(N1, !goal || hd_demand_holds(d->x, &found, goal));
        hd_model_copy(&d->found, &found);
        d->has_found = true;
        HD_CHECK_INVARIANT(N1, is_met(d));
    }
    hd_model_release(&found);
    return verdict == HD_SAT || is_too_late;
}

bool hd_demand_narrow(hd_demand *d, hd_expr condition) {
    d->wanted = hd_demand_both(d->x, d->wanted, condition);
    return hd_demand_holds(d->x, hd_demand_inputs(d), condition) || find_inputs(d);
}

hd_demand hd_demand_copy(const hd_demand *d) {
    hd_demand copy = *d;
    copy.found = (hd_model){0};
    if (d->has_found)
        hd_model_copy(&copy.found, &d->found);
    return copy;
}

void hd_demand_release(hd_demand *d) {
    if (d->has_found)
        hd_model_release(&d->found);
}

uint32_t hd_demand_run(hd_demand *d) {
    hd_runs *runs = &d->x->runs;
    HD_ASSERT(d->run);
    uint32_t run = *d->run;
    if (hd_demand_inputs(d)->n == 0)
        return UINT32_MAX;
    if (d->has_found)
        run = hd_runs_add(runs, &d->found);
    else if (run == UINT32_MAX)
        run = *d->run = hd_runs_add(runs, d->first);
    hd_runs_use(runs, run);
    return run;
}
