/* Splitting a search by its inputs (restrict.h). */
#include "explore/orders/restrict.h"

#include "base/panic.h"
#include "explore/orders/reduction.h"

void hd_restrict_forget(hd_weave *w) {
    if (w->x->generation > HD_MOST_DIVISIONS)
        w->n_given = 0;
    w->n_restrictions = w->n_given;
    w->waiting_restriction = HD_NONE;
}

/* ---- restrictions ---- */

static bool satisfies(hd_weave *w, const hd_model *inputs, hd_expr condition) {
    const hd_support *support = hd_expr_support(w->x->graph, condition);
    for (uint32_t i = 0; i < support->n; i++)
        if (!hd_model_has(inputs, support->v[i]))
            return false;
    return hd_demand_holds(w->x, inputs, condition);
}

/* Inputs that sequences are to be run with: who has none gets those of the last execution, and what
 * its outcomes need is found then. */
static void drop_inputs(hd_weave *w, uint32_t tree, hd_expr condition) {
    for (; tree; tree = w->wakeups.at.at[tree].next) {
        uint32_t *run = &w->wakeups.at.at[tree].run;
        if (*run != UINT32_MAX && !satisfies(w, hd_runs_model(&w->x->runs, *run), condition)) {
            hd_runs_drop(&w->x->runs, *run);
            *run = UINT32_MAX;
        }
        drop_inputs(w, w->wakeups.at.at[tree].child, condition);
    }
}

static void write_path(hd_weave *w) {
    hd_path_truncate(w->x->path, 0);
    for (size_t i = 0; i < w->decisions.n; i++)
        hd_path_push(w->x->path, hd_explorer_oriented(w->x, w->decisions.at[i].condition,
                                                      w->decisions.at[i].way));
}

/* In front of the program's decisions, of which the same one is no decision any more. */
static void put_in_front(hd_weave *w, hd_expr condition) {
    hd_vec(hd_decision) all = {0};
    for (uint32_t i = 0; i < w->n_restrictions; i++)
        hd_vec_push(&all, w->decisions.at[i]);
    hd_vec_push(
        &all,
        ((hd_decision){
            .condition = condition, .way = true, .is_tried = true, .kind = HD_BRANCH_ASSUME}));
    for (size_t i = w->n_restrictions; i < w->decisions.n; i++) {
        const hd_decision *d = &w->decisions.at[i];
        if (hd_explorer_oriented(w->x, d->condition, d->way) != condition)
            hd_vec_push(&all, *d);
    }
    w->decisions.n = 0;
    for (size_t i = 0; i < all.n; i++)
        hd_vec_push(&w->decisions, all.at[i]);
    hd_vec_release(&all);
    w->n_restrictions++;
}

void hd_restrict_add(hd_weave *w, hd_expr condition) {
    put_in_front(w, condition);
    write_path(w);
    for (size_t e = 0; e < w->nodes.n; e++)
        drop_inputs(w, w->nodes.at[e].tree, condition);
    HD_INVARIANT(X1, w->n_restrictions <= w->decisions.n);
}

void hd_restrict_give(hd_weave *w, const hd_expr *conditions, uint32_t n) {
    HD_INVARIANT(X1, !w->decisions.n && !w->log.at.n);
    for (uint32_t i = 0; i < n; i++)
        if (!hd_path_contains(w->x->path, w->n_restrictions, conditions[i]))
            hd_restrict_add(w, conditions[i]);
    w->n_given = w->n_restrictions;
}

/* X2.  Where there are pointers, what they mean is settled between the solver and the execution
 * (settle.c), so that conditions may be about other variables then: such a search is not
 * restricted.  Those that were given are about integers that nobody settles. */
bool hd_restrict_is_in_vain(hd_weave *w) {
    if (w->n_restrictions > w->n_given && hd_explorer_uses_pointers(w->x))
        return true;
    for (uint32_t i = 0; i < w->n_restrictions; i++)
        if (!hd_demand_holds(w->x, &w->model, w->decisions.at[i].condition)) {
            HD_CHECK_INVARIANT(X2, false);
            w->x->counters.mispredicted++;
            hd_explorer_lose(w->x, 0, true);
        }
    return false;
}

bool hd_restrict_is_spent(const hd_weave *w, hd_expr condition, hd_branch_kind kind) {
    return kind == HD_BRANCH_SPENT && hd_path_contains(w->x->path, w->n_restrictions, condition);
}

void hd_restrict_mend(hd_weave *w) {
    const hd_node *n = hd_expr_node(w->x->graph, w->foreign);
    HD_INVARIANT(X4, n->op == HD_OP_VAR && n->width == 1);
    hd_model_set(&w->model, n->a, 1);
}

void hd_restrict_begin(hd_weave *w) {
    hd_expr condition = w->waiting_restriction;
    HD_INVARIANT(X2, condition);
    w->waiting_restriction = HD_NONE;
    hd_restrict_add(w, condition);
}

hd_admission hd_restrict_admit(hd_weave *w, uint32_t e) {
    hd_query q = {.path = w->x->path,
                  .n = hd_outcome_decisions_before(w, e),
                  .goal = w->waiting_restriction,
                  .hint = &w->model};
    hd_model inputs = {0};
    hd_verdict verdict = hd_chain_solve(w->x->chain, &q, &inputs);
    if (verdict == HD_SAT) {
        hd_model_copy(&w->model, &inputs);
        hd_restrict_begin(w);
    }
    hd_model_release(&inputs);
    if (verdict != HD_UNKNOWN)
        return verdict == HD_SAT ? HD_ADMITTED : HD_NOT_ADMITTED;
    if (hd_explorer_is_late(w->x))
        return HD_ADMITTED_TOO_LATE;
    w->x->counters.unknown++;
    hd_explorer_lose(w->x, hd_event_action(&w->log, e)->site, false);
    return HD_NOT_ADMITTED;
}

/* ---- splitting ---- */

/* Is something left in the states above the decision? */
static bool has_left_above(const hd_weave *w, const hd_decision *d) {
    for (uint32_t e = 0; e < d->at && e < w->log.at.n; e++)
        if (hd_reduce_has_next(w, e))
            return true;
    return false;
}

static bool is_restricted(hd_weave *w, const hd_decision *d) {
    return hd_path_contains(w->x->path, w->n_restrictions,
                            hd_explorer_oriented(w->x, d->condition, d->way));
}

/* Of an assumption one part would have what is rejected, and of a fault that nothing is left for what
 * cannot happen below; whether an exchange succeeds is looked for
 * among the decisions of its event (exchange.c). */
bool hd_restrict_divides(const hd_decision *d) {
    return !d->at || (d->kind != HD_BRANCH_ASSUME && d->kind != HD_BRANCH_EXCHANGE &&
                      d->kind != HD_BRANCH_SPENT);
}

/* The first that is open, or that would be made again from a state above it. */
static uint32_t find_decision(hd_weave *w) {
    for (uint32_t i = w->n_restrictions; i < w->decisions.n; i++) {
        const hd_decision *d = &w->decisions.at[i];
        if (hd_restrict_divides(d) && (d->is_open || (has_left_above(w, d) && !is_restricted(w, d))))
            return i;
    }
    return UINT32_MAX;
}

bool hd_restrict_can_split(hd_weave *w) {
    return find_decision(w) != UINT32_MAX;
}

/* The part: nothing is left below the decision, whose other way it has if that is open. */
static void save_part(hd_weave *w, uint32_t number, hd_text *out) {
    hd_vec(hd_weave_node) nodes = {0};
    hd_vec(hd_decision) decisions = {0};
    for (uint32_t e = 0; e < w->log.at.n; e++) {
        hd_vec_push(&nodes, w->nodes.at[e]);
        if (e >= w->decisions.at[number].at)
            nodes.at[e].tree = HD_NO_WAKEUP;
    }
    for (uint32_t i = 0; i < w->decisions.n; i++) {
        hd_vec_push(&decisions, w->decisions.at[i]);
        if (i > number)
            hd_decision_close(&decisions.at[i]);
    }
    hd_weave_view view = {.nodes = nodes.at,
                          .decisions = decisions.at,
                          .n_nodes = (uint32_t)nodes.n,
                          .n_decisions = (uint32_t)decisions.n};
    hd_weave_save_part(w, &view, out);
    hd_vec_release(&nodes);
    hd_vec_release(&decisions);
}

/* Both parts would run what an open decision before it leads to. */
static bool is_first_open(const hd_weave *w, uint32_t number) {
    for (uint32_t i = 0; i < number; i++)
        if (w->decisions.at[i].is_open)
            return false;
    return true;
}

bool hd_restrict_is_possible(const hd_weave *w) {
    return w->state == HD_WEAVE_READY && w->rules->sleeps_by_outcome && !w->floor &&
           !w->waiting_restriction && !w->x->options.depth && !hd_explorer_uses_pointers(w->x);
}

bool hd_restrict_split(hd_weave *w, hd_text *out) {
    uint32_t number = hd_restrict_is_possible(w) ? find_decision(w) : UINT32_MAX;
    if (number == UINT32_MAX)
        return false;
    hd_decision d = w->decisions.at[number];
    HD_INVARIANT(X3, d.at || is_first_open(w, number));
    hd_decision_close(&w->decisions.at[number]);
    bool is_left = hd_weave_has_open(w);
    w->decisions.at[number] = d;
    if (!is_left)
        return false;
    hd_expr mine = hd_explorer_oriented(w->x, d.condition, d.way);
    w->waiting_restriction = d.at ? hd_expr_not(w->x->graph, mine) : HD_NONE; /* X3 */
    save_part(w, number, out);
    w->waiting_restriction = HD_NONE;
    hd_decision_close(&w->decisions.at[number]);
    if (d.at)
        hd_restrict_add(w, mine);
    return true;
}
