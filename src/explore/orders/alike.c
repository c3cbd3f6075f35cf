/* Inputs that do the same (alike.h). */
#include "explore/orders/alike.h"

#include "base/hash.h"
#include "base/panic.h"
#include "explore/orders/reduction.h"
#include "explore/orders/restrict.h"

/* Decisions before the first event are made by every execution (X3): with restrictions they are the
 * first of the path. */
static uint32_t count_common(const hd_weave *w) {
    uint32_t n = 0;
    while (n < w->n_decisions && w->decisions.at[n].at == 0)
        n++;
    return n;
}

bool hd_alike_has(const hd_weave *w, hd_expr constraint) {
    return w->are_alike && hd_path_contains(w->x->path, count_common(w), constraint);
}

/* ---- assumptions ---- */

/* Decisions of the execution that have inputs in common, directly or by others, as a forest. */
typedef struct told_groups {
    hd_vec(uint32_t) above; /* by decision; of a root: itself */
    hd_map by_input;        /* the first decision on it */
} told_groups;

static uint32_t root_of(told_groups *g, uint32_t i) {
    while (g->above.at[i] != i)
        i = g->above.at[i] = g->above.at[g->above.at[i]];
    return i;
}

static void add_to_group(hd_weave *w, told_groups *g, uint32_t i) {
    const hd_support *support = hd_expr_support(w->x->graph, w->told.at[i].condition);
    hd_vec_push(&g->above, i);
    for (uint32_t k = 0; k < support->n; k++) {
        const uint64_t *first = hd_map_find(&g->by_input, support->v[k]);
        if (first)
            g->above.at[root_of(g, i)] = root_of(g, (uint32_t)*first);
        else
            hd_map_put(&g->by_input, support->v[k], i);
    }
}

/* Is decision `a` an assumption, and `b` another thread's about the same inputs? */
static bool concerns_others(const hd_weave *w, told_groups *g, uint32_t a, uint32_t b) {
    const hd_told_decision *p = &w->told.at[a], *q = &w->told.at[b];
    return p->kind == HD_BRANCH_ASSUME && p->at && q->at && p->thread != q->thread &&
           root_of(g, a) == root_of(g, b);
}

static bool are_assumptions_private(hd_weave *w) {
    told_groups g = {0};
    bool are_private = true;
    for (uint32_t i = 0; i < w->told.n; i++)
        add_to_group(w, &g, i);
    for (uint32_t a = 0; a < w->told.n && are_private; a++)
        for (uint32_t b = 0; w->told.at[a].kind == HD_BRANCH_ASSUME && b < w->told.n; b++)
            are_private &= !concerns_others(w, &g, a, b);
    hd_vec_release(&g.above);
    hd_map_release(&g.by_input);
    return are_private;
}

/* Most executions decide on the same, in another order. */
static bool keeps_assumptions_private(hd_weave *w) {
    uint64_t name = 0;
    bool has_one = false;
    for (size_t i = 0; i < w->told.n; i++) {
        const hd_told_decision *t = &w->told.at[i];
        has_one |= t->kind == HD_BRANCH_ASSUME && t->at;
        name += hd_mix((uint64_t)t->condition << 32 | t->thread << 1 | (t->at > 0));
    }
    if (!has_one || hd_map_find(&w->private_assumptions, name & INT64_MAX))
        return true;
    bool are_private = are_assumptions_private(w);
    if (are_private)
        hd_map_put(&w->private_assumptions, name & INT64_MAX, 1);
    return are_private;
}

bool hd_alike_is_in_vain(hd_weave *w) {
    bool is_in_vain = (w->floor && w->has_inner_decisions) || /* lift.h knows no outcomes */
                      (w->are_alike && !keeps_assumptions_private(w));
    w->was_alike_in_vain |= is_in_vain && w->are_alike;
    HD_CHECK_INVARIANT(X7, !w->are_alike || is_in_vain || are_assumptions_private(w));
    return is_in_vain;
}

void hd_alike_forget(hd_weave *w) {
    w->has_inner_decisions |= w->are_alike;
    w->are_alike = false;
}

/* ---- are they? ---- */

/* X5.  Whether an exchange succeeds is no restriction. */
static bool can_be_restriction(const hd_decision *d) {
    return !d->is_open && (hd_restrict_divides(d) || (d->kind == HD_BRANCH_ASSUME && d->way));
}

static bool decide_as_path(hd_weave *w) {
    for (uint32_t i = w->n_restrictions; i < w->decisions.n; i++)
        if (!can_be_restriction(&w->decisions.at[i]))
            return false;
    return !hd_restrict_can_split(w) && keeps_assumptions_private(w);
}

static bool has_other_value(hd_weave *w, hd_expr condition) {
    bool holds = hd_demand_holds(w->x, &w->model, condition);
    hd_query q = {.path = w->x->path,
                  .n = (uint32_t)w->decisions.n,
                  .goal = holds ? hd_expr_not(w->x->graph, condition) : condition,
                  .hint = &w->model};
    hd_model other = {0};
    hd_verdict verdict = hd_chain_solve(w->x->chain, &q, &other);
    hd_model_release(&other);
    return verdict != HD_UNSAT;
}

/* `known` are conditions that are. */
static bool is_same_for_all(hd_weave *w, hd_expr condition, hd_map *known) {
    if (!condition || hd_expr_is_const(w->x->graph, condition) || hd_map_find(known, condition))
        return true;
    hd_map_put(known, condition, 1);
    return !has_other_value(w, condition);
}

/* X6. */
static bool are_conditions_same(hd_weave *w) {
    hd_map known = {0};
    bool are_same = true;
    for (size_t i = 0; i < w->sleepers.n && are_same; i++)
        are_same = is_same_for_all(w, w->sleepers.at[i].scope, &known);
    for (size_t i = 1; i < w->wakeups.at.n && are_same; i++)
        are_same = is_same_for_all(w, w->wakeups.at.at[i].outcome, &known);
    hd_map_release(&known);
    return are_same;
}

static bool may_be_alike(const hd_weave *w) {
    return !w->was_alike_in_vain && !w->x->options.n_faults && w->rules == &hd_rules_optimal &&
           w->decisions.n == hd_path_length(w->x->path);
}

/* ---- what stays ---- */

static bool is_theirs(hd_weave *w, hd_expr condition) {
    return !condition || hd_demand_holds(w->x, &w->model, condition);
}

/* What the path decided is a restriction; each takes the place of its decision. */
static void restrict_to_path(hd_weave *w) {
    for (uint32_t i = w->n_restrictions; i < w->decisions.n; i++) {
        const hd_decision *d = &w->decisions.at[i];
        if (d->at)
            hd_restrict_add(w, hd_explorer_oriented(w->x, d->condition, d->way));
    }
    HD_INVARIANT(X5, !w->decisions.n || !w->decisions.at[w->decisions.n - 1].at);
}

typedef hd_vec(hd_sleeper) sleeper_list;

/* Oldest first: the list has the newest first. */
static void keep_sleepers_of(hd_weave *w, hd_weave_node *node, const sleeper_list *before) {
    hd_vec(uint32_t) theirs = {0};
    for (uint32_t z = node->sleep; z != HD_NO_EVENT; z = before->at[z].next)
        if (is_theirs(w, before->at[z].scope))
            hd_vec_push(&theirs, z);
    node->sleep = HD_NO_EVENT;
    node->asleep = HD_SET_EMPTY;
    for (size_t i = theirs.n; i-- > 0;) {
        const hd_action *a = &before->at[theirs.at[i]].action;
        if (!hd_set_has(node->asleep, a->thread))
            hd_reduce_add_sleeper(w, node, a, HD_NONE);
    }
    node->done = hd_set_both(node->done, node->asleep);
    node->n_sleepers = (uint32_t)w->sleepers.n;
    hd_vec_release(&theirs);
}

static void keep_sleepers(hd_weave *w) {
    sleeper_list before = {0};
    for (size_t i = 0; i < w->sleepers.n; i++)
        hd_vec_push(&before, w->sleepers.at[i]);
    w->sleepers.n = 0;
    for (size_t e = 0; e < w->nodes.n; e++)
        keep_sleepers_of(w, &w->nodes.at[e], &before);
    hd_vec_release(&before);
}

/* What sleeps, or the event of the path, behind which it was passed on (W4). */
static bool is_covered(hd_weave *w, uint32_t e, const hd_sequence *s) {
    for (uint32_t z = w->nodes.at[e].sleep; z != HD_NO_EVENT; z = w->sleepers.at[z].next)
        if (hd_sequence_may_begin_with(s, &w->sleepers.at[z].action))
            return true;
    return hd_outcome_goes_on_behind(s, hd_event_action(&w->log, e));
}

/* The sequence that w->way leads to, as one without outcomes. */
static void keep_sequence(hd_weave *w, uint32_t e, uint32_t *kept) {
    uint32_t run = UINT32_MAX;
    hd_sequence s = hd_outcome_sequence_of_way(w);
    s.is_plain = true;
    for (uint32_t i = 0; i < s.n; i++)
        s.at[i].outcome = s.at[i].scope = HD_NONE;
    if (is_covered(w, e, &s))
        return;
    hd_demand d = {
        .x = w->x, .site = hd_event_action(&w->log, e)->site, .first = &w->model, .run = &run};
    hd_wakeups_insert(&w->wakeups, kept, &s, &d, NULL);
    hd_demand_release(&d);
}

/* Sequences of the tree, whose beginning is in w->way. */
static void keep_tree(hd_weave *w, uint32_t e, uint32_t tree, uint32_t *kept) {
    for (; tree; tree = w->wakeups.at.at[tree].next) {
        if (!is_theirs(w, w->wakeups.at.at[tree].outcome))
            continue;
        hd_vec_push(&w->way, tree);
        hd_vec_push(&w->way_actions, *hd_wakeup_action(&w->wakeups, tree));
        if (w->wakeups.at.at[tree].child)
            keep_tree(w, e, w->wakeups.at.at[tree].child, kept);
        else
            keep_sequence(w, e, kept);
        w->way.n--;
        w->way_actions.n--;
    }
}

static void keep_sequences(hd_weave *w) {
    for (uint32_t e = 0; e < w->log.at.n; e++) {
        uint32_t kept = HD_NO_WAKEUP, before = w->nodes.at[e].tree;
        if (before == HD_NO_WAKEUP)
            continue;
        keep_tree(w, e, before, &kept);
        hd_weave_release_tree(w, before);
        w->nodes.at[e].tree = kept;
    }
}

/* Of decisions before the first event nothing was ever left to sleepers. */
static void forget_outcomes(hd_weave *w) {
    hd_vec_clear(&w->explored);
    for (size_t i = 0; i < w->decisions.n; i++)
        w->decisions.at[i].n_explored = 0;
}

static bool is_tree_for_all(const hd_weave *w, uint32_t tree) {
    for (; tree; tree = w->wakeups.at.at[tree].next)
        if (w->wakeups.at.at[tree].outcome || !is_tree_for_all(w, w->wakeups.at.at[tree].child))
            return false;
    return true;
}

/* X6: conditions that are the same for all inputs are none, once what is not theirs is gone. */
static bool is_all_for_all(const hd_weave *w) {
    for (size_t i = 0; i < w->sleepers.n; i++)
        if (w->sleepers.at[i].scope)
            return false;
    for (size_t e = 0; e < w->log.at.n; e++)
        if (!is_tree_for_all(w, w->nodes.at[e].tree))
            return false;
    return true;
}

bool hd_alike_begin(hd_weave *w) {
    if (!may_be_alike(w) || !hd_restrict_is_possible(w) || !decide_as_path(w) ||
        !are_conditions_same(w))
        return false;
    hd_weave_release_tree(w, w->tree); /* of an execution that has ended */
    w->tree = HD_NO_WAKEUP;
    restrict_to_path(w);
    keep_sleepers(w);
    keep_sequences(w);
    forget_outcomes(w);
    HD_CHECK_INVARIANT(X6, is_all_for_all(w));
    HD_CHECK_INVARIANT(X7, are_assumptions_private(w));
    w->has_inner_decisions = false;
    w->are_alike = true;
    w->treats_all = true; /* a race was covered for other inputs, perhaps */
    return true;
}
