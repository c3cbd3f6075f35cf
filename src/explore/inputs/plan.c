/* What to execute next: take an open way, bring the path constraint to its node, and ask the
 * solver chain for inputs that go there (paper 002, Fig. 11: compute_next_input). */
#include "explore/inputs/walk.h"

#include "base/hash.h"
#include "base/panic.h"

/* Make steps[0..depth of node) and the path constraint those of `node`'s prefix.  In
 * depth-first order they nearly always are already. */
static void load_prefix(hd_walk *w, hd_node_id id) {
    const hd_tree_node *target = hd_tree_at(&w->tree, id);
    uint32_t depth = target->depth;
    hd_vec_reserve(&w->steps, (size_t)depth + 1);
    hd_node_id node = target->parent;
    bool way = target->parent_way;
    uint32_t first_different = depth;
    for (uint32_t i = depth; i-- > 0;) {
        const hd_tree_node *n = hd_tree_at(&w->tree, node);
        hd_step *step = &w->steps.at[i];
        if (i < w->steps.n && step->node == node && step->serial == n->serial && step->way == way &&
            step->condition == n->condition && i < first_different) {
            /* A node is always reached through the same ancestors; only their conditions
             * could have been refreshed since, and then their steps were rewritten too. */
            break;
        }
        *step = (hd_step){node, n->serial, n->site, n->condition, way, n->kind == HD_BRANCH_CHECK};
        first_different = i;
        way = n->parent_way;
        node = n->parent;
        HD_CHECK(n->depth == i && (i > 0) == (node != HD_NO_NODE));
    }
    hd_walk_cut(w, first_different);
    for (uint32_t i = first_different; i < depth; i++)
        hd_walk_push(w, w->steps.at[i].node, w->steps.at[i].condition, w->steps.at[i].way);
    w->steps.n = depth;
    HD_INVARIANT(Y1, hd_path_length(w->x->path) == w->assumed.at.n + depth);
    HD_CHECK_INVARIANT(Y1, hd_walk_is_in_step(w, depth));
}

/* New branches in random order: inputs that no decision of the prefix mentions get new
 * values (paper 003, 3.1). */
static void shuffle_free_inputs(hd_walk *w, hd_model *model, uint32_t n, hd_expr goal) {
    for (hd_var v = 0; v < model->n; v++) {
        const hd_var_info *info = hd_variables_info(w->x->variables, v);
        const hd_indices *uses = hd_path_occurrences(w->x->path, v);
        if (!hd_model_has(model, v) || info->kind != HD_VAR_INTEGER)
            continue;
        if (uses && uses->n && uses->at[0] < n)
            continue;
        const hd_support *support = hd_expr_support(w->x->graph, goal);
        bool in_goal = false;
        for (uint32_t i = 0; i < support->n; i++)
            in_goal |= support->v[i] == v;
        if (!in_goal)
            hd_model_set(model, v, hd_random_next(&w->x->random) & hd_mask(info->width));
    }
}

static void give_up(hd_walk *w, hd_entry e) {
    w->x->counters.unknown++;
    hd_explorer_lose(w->x, hd_tree_at(&w->tree, e.node)->site, false);
    hd_walk_close(w, e.node, e.way);
}

/* Do the inputs satisfy what was asked for?  Where there are pointers, what they mean is settled
 * between the solver and the execution (settle.c). */
static bool leads_there(const hd_walk *w, const hd_query *q, const hd_model *model) {
    hd_eval *eval = hd_eval_new(w->x->graph);
    hd_eval_begin(eval, model);
    bool is_it = hd_eval_value(eval, q->goal);
    for (uint32_t i = 0; i < q->n && is_it; i++)
        is_it = hd_eval_value(eval, hd_path_at(q->path, i));
    hd_eval_free(eval);
    return is_it || w->x->has_pointers;
}

/* Try one open way; true when `model` leads there. */
static bool solve_way(hd_walk *w, hd_entry e, hd_model *model) {
    hd_tree_node *node = hd_tree_at(&w->tree, e.node);
    HD_INVARIANT(X1, node->state[e.way] == HD_WAY_OPEN && node->depth == e.depth);
    HD_INVARIANT(Y2, w->n_rebuilt == w->saved.n && !w->has_plan);
    load_prefix(w, e.node);
    hd_query q = {.path = w->x->path,
                  .n = (uint32_t)w->assumed.at.n + node->depth,
                  .goal = hd_assumed_put_in(&w->assumed, w->x->graph,
                                            hd_explorer_oriented(w->x, node->condition, e.way)),
                  .hint = hd_runs_model(&w->x->runs, node->run)};
    switch (hd_chain_solve(w->x->chain, &q, model)) {
    case HD_SAT:
        hd_tree_set_way(&w->tree, e.node, e.way, HD_WAY_PLANNED);
        hd_explorer_settle_pointers(w->x, model);
        if (hd_strategy_shuffles_inputs(w->x->options.strategy))
            shuffle_free_inputs(w, model, q.n, q.goal);
        HD_CHECK(leads_there(w, &q, model));
        w->plan = e;
        w->has_plan = true;
        return true;
    case HD_UNSAT:
        w->x->counters.infeasible++;
        hd_subtrees_note(&w->subtrees, e.depth, 0);
        hd_walk_close(w, e.node, e.way);
        return false;
    default:
        if (!hd_explorer_is_late(w->x))
            give_up(w, e);
        return false;
    }
}

bool hd_walk_is_stale(const hd_walk *w, hd_entry e) {
    const hd_tree_node *node = hd_tree_at(&w->tree, e.node);
    return node->serial != e.serial || node->state[e.way] != HD_WAY_OPEN;
}

/* Somebody went there meanwhile, and nothing is asked for there: it is not the first choice any more. */
static bool was_demoted(hd_walk *w, hd_entry e, enum hd_rank rank) {
    if (!hd_strategy_remembers_ways(w->x->options.strategy) || rank != HD_RANK_UNCOVERED)
        return false;
    const hd_tree_node *node = hd_tree_at(&w->tree, e.node);
    if (hd_walk_is_wanted(w, node->site, e.way))
        return false;
    hd_frontier_push(w->frontier, e, HD_RANK_NEW);
    return true;
}

static void begin_execution(hd_walk *w) {
    w->n_steps = 0;
    w->hit_bound = w->is_shown = false;
    hd_vec_clear(&w->found);
    w->x->has_started = true;
}

bool hd_walk_next(void *search, hd_model *model) {
    hd_walk *w = search;
    if (w->n_rebuilt < w->saved.n) {
        HD_INVARIANT(Y2, !w->has_plan);
        w->is_rebuilding = true;
        hd_model_copy(model, &w->saved.at[w->n_rebuilt].model);
        begin_execution(w);
        return true;
    }
    w->is_rebuilding = false;
    if (!w->x->has_started) {
        if (!hd_explorer_begin(w->x, (uint32_t)w->assumed.at.n, model))
            return false;
        begin_execution(w);
        return true;
    }
    hd_entry e;
    enum hd_rank rank;
    while (hd_frontier_pop(w->frontier, &e, &rank)) {
        if (hd_walk_is_stale(w, e) || was_demoted(w, e, rank))
            continue;
        bool found = solve_way(w, e, model);
        w->x->counters.open = w->tree.n_open;
        if (found) {
            begin_execution(w);
            return true;
        }
        if (!hd_walk_is_stale(w, e)) { /* too late to know: it waits for another sitting */
            hd_frontier_push(w->frontier, e, rank);
            return false;
        }
    }
    HD_INVARIANT(X3, w->tree.n_open == 0); /* whatever is open was in the frontier */
    return false;
}
