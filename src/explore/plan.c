/* What to execute next: take an open way, bring the path constraint to its node, and ask the
 * solver chain for inputs that go there (paper 002, Fig. 11: compute_next_input). */
#include "explore/weave.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/panic.h"

/* Make steps[0..depth of node) and the path constraint those of `node`'s prefix.  In
 * depth-first order they nearly always are already. */
static void load_prefix(hd_explorer *x, hd_node_id id) {
    const hd_tree_node *target = hd_tree_at(&x->tree, id);
    uint32_t depth = target->depth;
    hd_vec_reserve(&x->steps, (size_t)depth + 1);
    hd_node_id node = target->parent;
    bool way = target->parent_way;
    uint32_t first_different = depth;
    for (uint32_t i = depth; i-- > 0;) {
        const hd_tree_node *n = hd_tree_at(&x->tree, node);
        hd_step *step = &x->steps.at[i];
        if (i < x->steps.n && step->node == node && step->serial == n->serial && step->way == way &&
            step->condition == n->condition && i < first_different) {
            /* The same node is reached through the same ancestors; only their conditions
             * could have been refreshed since, and then their steps were rewritten too. */
            break;
        }
        *step = (hd_step){node, n->serial, n->site, n->condition, way};
        first_different = i;
        way = n->parent_way;
        node = n->parent;
    }
    hd_path_truncate(x->path, first_different);
    for (uint32_t i = first_different; i < depth; i++)
        hd_path_push(x->path, hd_explorer_constraint(x, x->steps.at[i].node,
                                                     x->steps.at[i].condition, x->steps.at[i].way));
    x->steps.n = depth;
}

/* New branches in random order: inputs that no decision of the prefix mentions get new
 * values (paper 003, 3.1). */
static void shuffle_free_inputs(hd_explorer *x, hd_model *model, uint32_t n, hd_expr goal) {
    for (hd_var v = 0; v < model->n; v++) {
        const hd_var_info *info = hd_variables_info(x->variables, v);
        const hd_indices *uses = hd_path_occurrences(x->path, v);
        if (!hd_model_has(model, v) || info->kind != HD_VAR_INTEGER)
            continue;
        if (uses && uses->n && uses->at[0] < n)
            continue;
        const hd_support *support = hd_expr_support(x->graph, goal);
        bool in_goal = false;
        for (uint32_t i = 0; i < support->n; i++)
            in_goal |= support->v[i] == v;
        if (!in_goal)
            hd_model_set(model, v, hd_random_next(&x->random) & hd_mask(info->width));
    }
}

static bool uses_pointers(hd_explorer *x) {
    hd_var n = hd_variables_n(x->variables);
    for (; x->n_looked_at < n; x->n_looked_at++)
        x->has_pointers |= hd_variables_info(x->variables, x->n_looked_at)->kind == HD_VAR_POINTER;
    return x->has_pointers;
}

void hd_explorer_settle_pointers(hd_explorer *x, hd_model *model) {
    if (uses_pointers(x))
        hd_explorer_settle(x, model);
}

static void give_up(hd_explorer *x, hd_entry e) {
    x->counters.unknown++;
    hd_explorer_lose(x, hd_tree_at(&x->tree, e.node)->site, false);
    hd_explorer_close(x, e.node, e.way);
}

static bool is_late(const hd_explorer *x) {
    return x->options.deadline > 0 && hd_clock_now() >= x->options.deadline;
}

/* Try one open way; true when `model` leads there. */
static bool solve_way(hd_explorer *x, hd_entry e, hd_model *model) {
    hd_tree_node *node = hd_tree_at(&x->tree, e.node);
    load_prefix(x, e.node);
    hd_query q = {.path = x->path,
                  .n = node->depth,
                  .goal = hd_explorer_oriented(x, node->condition, e.way),
                  .hint = hd_runs_model(&x->runs, node->run)};
    switch (hd_chain_solve(x->chain, &q, model)) {
    case HD_SAT:
        hd_tree_set_way(&x->tree, e.node, e.way, HD_WAY_PLANNED);
        hd_explorer_settle_pointers(x, model);
        if (x->options.strategy == HD_STRATEGY_RANDOM_DFS)
            shuffle_free_inputs(x, model, q.n, q.goal);
        x->plan = e;
        x->has_plan = true;
        return true;
    case HD_UNSAT:
        x->counters.infeasible++;
        hd_explorer_close(x, e.node, e.way);
        return false;
    default:
        if (!is_late(x))
            give_up(x, e);
        return false;
    }
}

static bool is_stale(const hd_explorer *x, hd_entry e) {
    const hd_tree_node *node = hd_tree_at(&x->tree, e.node);
    return node->serial != e.serial || node->state[e.way] != HD_WAY_OPEN;
}

/* Somebody went there meanwhile: it is not the first choice any more. */
static bool was_demoted(hd_explorer *x, hd_entry e, enum hd_rank rank) {
    if (x->options.strategy != HD_STRATEGY_COVERAGE || rank != HD_RANK_UNCOVERED)
        return false;
    const hd_tree_node *node = hd_tree_at(&x->tree, e.node);
    if (!hd_map_find(&x->seen_ways, (uint64_t)node->site * 2 + e.way))
        return false;
    hd_frontier_push(x->frontier, e, HD_RANK_NEW);
    return true;
}

static void begin_execution(hd_explorer *x) {
    x->n_steps = 0;
    x->hit_bound = x->is_shown = false;
    hd_vec_clear(&x->found);
    x->has_started = true;
}

bool hd_explorer_next(hd_explorer *x, hd_model *model) {
    if (x->weave)
        return hd_weave_next(x->weave, model);
    if (x->n_rebuilt < x->saved.n) {
        x->is_rebuilding = true;
        hd_model_copy(model, &x->saved.at[x->n_rebuilt].model);
        begin_execution(x);
        return true;
    }
    x->is_rebuilding = false;
    if (!x->has_started) {
        hd_model_clear(model);
        begin_execution(x);
        return true;
    }
    hd_entry e;
    enum hd_rank rank;
    while (hd_frontier_pop(x->frontier, &e, &rank)) {
        if (is_stale(x, e) || was_demoted(x, e, rank))
            continue;
        bool found = solve_way(x, e, model);
        x->counters.open = x->tree.n_open;
        if (found) {
            begin_execution(x);
            return true;
        }
        if (!is_stale(x, e)) { /* too late to know: it waits for another sitting */
            hd_frontier_push(x->frontier, e, rank);
            return false;
        }
    }
    return false;
}
