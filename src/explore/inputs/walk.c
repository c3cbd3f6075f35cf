/* The walk through the tree with an execution, and what its end says about the prediction (paper
 * 002, Figs. 10 and 11).
 *
 * The path constraint is kept from one execution to the next.  Depth-first search changes
 * only its end, so an execution that repeats a prefix pays one comparison per decision. */
#include "explore/inputs/walk.h"

#include "base/hash.h"
#include "base/panic.h"

#define MAX_REPEATS 16 /* of one path, once predictions fail */

void *hd_walk_new(hd_explorer *x) {
    hd_walk *w = calloc(1, sizeof *w);
    if (!w)
        hd_out_of_memory();
    w->x = x;
    w->decided = x->path;
    w->frontier = hd_frontier_new(x->options.strategy, x->options.seed);
    if (x->options.is_system)
        hd_frontier_spread(w->frontier);
    hd_tree_init(&w->tree);
    return w;
}

void hd_walk_free(void *search) {
    hd_walk *w = search;
    hd_tree_release(&w->tree);
    hd_frontier_free(w->frontier);
    for (size_t i = 0; i < w->saved.n; i++) {
        hd_model_release(&w->saved.at[i].model);
        hd_vec_release(&w->saved.at[i].ways);
    }
    hd_vec_release(&w->saved);
    hd_vec_release(&w->steps);
    hd_vec_release(&w->found);
    hd_map_release(&w->seen_ways);
    hd_map_release(&w->seen_paths);
    hd_map_release(&w->checked);
    if (w->decided != w->x->path)
        hd_path_free(w->decided);
    hd_assumed_release(&w->assumed);
    hd_subtrees_release(&w->subtrees);
    hd_vec_release(&w->names);
    free(w);
}

/* ---- the path ---- */

static hd_expr decision(hd_walk *w, hd_node_id node, hd_expr condition, bool way) {
    if (hd_tree_at(&w->tree, node)->kind == HD_BRANCH_CHECK)
        return hd_expr_const(w->x->graph, 1, 1);
    return hd_explorer_oriented(w->x, condition, way);
}

hd_expr hd_walk_constraint(hd_walk *w, hd_node_id node, hd_expr condition, bool way) {
    return hd_assumed_put_in(&w->assumed, w->x->graph, decision(w, node, condition, way));
}

void hd_walk_cut(hd_walk *w, uint32_t n) {
    hd_path_truncate(w->x->path, (uint32_t)w->assumed.at.n + n);
    if (w->decided != w->x->path)
        hd_path_truncate(w->decided, n);
}

void hd_walk_push(hd_walk *w, hd_node_id node, hd_expr condition, bool way) {
    hd_path_push(w->x->path, hd_walk_constraint(w, node, condition, way));
    if (w->decided != w->x->path)
        hd_path_push(w->decided, decision(w, node, condition, way));
}

void hd_walk_begin_path(hd_walk *w) {
    HD_ASSERT(hd_path_length(w->x->path) == 0);
    for (size_t i = 0; i < w->assumed.at.n; i++)
        hd_path_push(w->x->path, w->assumed.at.at[i]);
}

void hd_walk_assume(void *search, const hd_expr *conditions, uint32_t n) {
    hd_walk *w = search;
    HD_ASSERT(w->n_steps == 0 && !w->assumed.at.n);
    for (uint32_t i = 0; i < n; i++)
        hd_assumed_add(&w->assumed, w->x->graph, conditions[i]);
    if (n)
        w->decided = hd_path_new(w->x->graph);
    hd_walk_begin_path(w);
}

/* How many steps the path has. */
static uint32_t length(const hd_walk *w) {
    return hd_path_length(w->x->path) - (uint32_t)w->assumed.at.n;
}

bool hd_walk_is_in_step(hd_walk *w, uint32_t n) {
    bool is_it = n <= w->steps.n && n <= length(w);
    uint32_t first = (uint32_t)w->assumed.at.n;
    for (uint32_t i = 0; i < n && is_it; i++) {
        const hd_step *s = &w->steps.at[i];
        bool is_there = hd_tree_at(&w->tree, s->node)->serial == s->serial;
        is_it = !is_there || (hd_tree_at(&w->tree, s->node)->depth == i &&
                              hd_path_at(w->x->path, first + i) ==
                                  hd_walk_constraint(w, s->node, s->condition, s->way));
    }
    return is_it;
}

void hd_walk_open(hd_walk *w, hd_node_id node, bool way, uint32_t run, enum hd_rank rank) {
    hd_tree_node *n = hd_tree_at(&w->tree, node);
    HD_INVARIANT(X1, n->state[way] == HD_WAY_CLOSED && n->condition != HD_NONE);
    HD_INVARIANT(U1, n->state[!way] == HD_WAY_TAKEN); /* one way names the run, not two */
    n->run = run;
    hd_runs_use(&w->x->runs, run);
    hd_tree_set_way(&w->tree, node, way, HD_WAY_OPEN);
    hd_frontier_push(w->frontier, (hd_entry){node, n->serial, way, n->depth}, rank);
}

void hd_walk_close(hd_walk *w, hd_node_id node, bool way) {
    hd_way_state old = hd_tree_at(&w->tree, node)->state[way];
    HD_INVARIANT(X1, old == HD_WAY_OPEN || old == HD_WAY_PLANNED);
    hd_runs_drop(&w->x->runs, hd_tree_at(&w->tree, node)->run);
    hd_tree_set_way(&w->tree, node, way, HD_WAY_CLOSED);
    hd_tree_prune(&w->tree, node);
}

/* ---- walking ---- */

static bool is_same_step(const hd_step *step, hd_node_id node, uint32_t serial, hd_expr condition,
                         bool way) {
    return step->node == node && step->serial == serial && step->condition == condition &&
           step->way == way;
}

/* Decision number n_steps of this execution is `node`, going `way`. */
static void append_step(hd_walk *w, hd_node_id node, hd_expr condition, bool way) {
    uint32_t i = w->n_steps++;
    const hd_tree_node *n = hd_tree_at(&w->tree, node);
    HD_INVARIANT(T3, n->condition == condition);
    HD_CHECK(n->depth == i && n->parent == (i ? w->steps.at[i - 1].node : HD_NO_NODE));
    if (i < w->steps.n && is_same_step(&w->steps.at[i], node, n->serial, condition, way))
        return;
    w->steps.n = i;
    hd_walk_cut(w, i);
    hd_walk_push(w, node, condition, way);
    hd_vec_push(&w->steps,
                ((hd_step){node, n->serial, n->site, condition, way, n->kind == HD_BRANCH_CHECK}));
    HD_CHECK_INVARIANT(Y1, length(w) == w->steps.n);
}

/* An execution came to a way that was waiting: as planned, or by luck. */
static void take_way(hd_walk *w, hd_node_id node, bool way) {
    hd_way_state state = hd_tree_at(&w->tree, node)->state[way];
    if (state == HD_WAY_TAKEN)
        return;
    if (state == HD_WAY_OPEN || state == HD_WAY_PLANNED)
        hd_runs_drop(&w->x->runs, hd_tree_at(&w->tree, node)->run);
    hd_tree_set_way(&w->tree, node, way, HD_WAY_TAKEN);
}

/* Is the same check on the path already?  It would fail for the same inputs. */
static bool is_checked(hd_walk *w, uint32_t site, hd_expr condition) {
    uint64_t key = hd_hash_add(site, condition) & INT64_MAX;
    uint64_t *at = hd_map_find(&w->checked, key);
    const hd_step *step = at && *at < w->n_steps ? &w->steps.at[*at] : NULL;
    if (step && step->site == site && step->condition == condition)
        return true;
    hd_map_put(&w->checked, key, w->n_steps);
    return false;
}

static bool is_planned(const hd_walk *w, hd_node_id node, bool way) {
    return w->has_plan && w->plan.node == node && w->plan.way == way &&
           w->plan.serial == hd_tree_at(&w->tree, node)->serial;
}

/* The next step of the prefix that this execution was planned with, or of the execution before: the
 * decisions before it are the same (append_step cuts the rest off where they are not), so that it
 * is a choice here too, and its way is taken already.  Most decisions are such. */
static bool repeats_step(const hd_walk *w, uint32_t site, hd_expr condition, bool taken) {
    if (w->n_steps >= w->steps.n)
        return false;
    const hd_step *step = &w->steps.at[w->n_steps];
    const hd_tree_node *node = hd_tree_at(&w->tree, step->node);
    return step->condition == condition && step->way == taken && step->site == site &&
           node->serial == step->serial && node->condition == condition &&
           node->state[taken] == HD_WAY_TAKEN;
}

static void walk(void *context, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind) {
    hd_walk *w = context;
    if (w->is_shown)
        return;
    if (repeats_step(w, site, condition, taken)) {
        w->n_steps++;
        return;
    }
    if (w->x->options.depth && w->n_steps >= w->x->options.depth) {
        w->hit_bound = true;
        return;
    }
    if (hd_path_contains(w->decided, w->n_steps, hd_explorer_oriented(w->x, condition, taken)) ||
        (kind == HD_BRANCH_CHECK && is_checked(w, site, condition)))
        return; /* decided by an earlier decision: not a choice */
    hd_node_id parent = HD_NO_NODE;
    bool way = false;
    if (w->n_steps) {
        parent = w->steps.at[w->n_steps - 1].node;
        way = hd_tree_side(&w->tree, parent, w->steps.at[w->n_steps - 1].way);
    }
    hd_node_id node = hd_tree_find(&w->tree, parent, way, site, kind);
    if (node == HD_NO_NODE) {
        node = hd_tree_add(&w->tree, parent, way, site, kind);
        hd_vec_push(&w->found, node);
    }
    hd_tree_at(&w->tree, node)->condition = condition;
    take_way(w, node, taken);
    append_step(w, node, condition, taken);
    w->is_shown = kind == HD_BRANCH_CHECK && !taken && is_planned(w, node, taken);
}

hd_sink hd_walk_sink(void *search) {
    return (hd_sink){.context = search, .branch = walk};
}

/* ---- judging ---- */

static bool went_as_planned(const hd_walk *w) {
    const hd_tree_node *node = hd_tree_at(&w->tree, w->plan.node);
    if (node->serial != w->plan.serial || node->depth >= w->n_steps)
        return false;
    const hd_step *step = &w->steps.at[node->depth];
    return step->node == w->plan.node && step->way == w->plan.way;
}

/* The inputs did not lead where the solver promised: some value on the way was concrete and
 * has changed.  The execution itself is as good as any other; only the way is lost. */
static void judge_prediction(hd_walk *w) {
    if (!w->has_plan)
        return;
    w->has_plan = false;
    if (went_as_planned(w)) {
        HD_INVARIANT(X1, hd_tree_at(&w->tree, w->plan.node)->state[w->plan.way] == HD_WAY_TAKEN);
        return;
    }
    hd_tree_node *node = hd_tree_at(&w->tree, w->plan.node);
    if (node->serial != w->plan.serial || node->state[w->plan.way] != HD_WAY_PLANNED)
        return;
    w->x->counters.mispredicted++;
    hd_explorer_lose(w->x, node->site, true);
    hd_walk_close(w, w->plan.node, w->plan.way);
}

bool hd_walk_has_seen(const hd_walk *w, uint32_t site, bool way) {
    const hd_explorer_options *o = &w->x->options;
    uint64_t key = hd_way_key(site, way);
    return hd_map_find(&w->seen_ways, key) ||
           (o->seen_ways && key < o->n_seen_ways &&
            atomic_load_explicit(&o->seen_ways[key], memory_order_relaxed));
}

bool hd_walk_is_wanted(const hd_walk *w, uint32_t site, bool way) {
    const hd_explorer_options *o = &w->x->options;
    return !hd_walk_has_seen(w, site, way) || (o->wanted && site < o->n_wanted && o->wanted[site]);
}

static void note_seen(hd_walk *w, uint64_t key) {
    const hd_explorer_options *o = &w->x->options;
    hd_map_put(&w->seen_ways, key, 1);
    if (o->seen_ways && key < o->n_seen_ways)
        atomic_store_explicit(&o->seen_ways[key], 1, memory_order_relaxed);
}

static enum hd_rank rank_of(const hd_walk *w, const hd_outcome *outcome, uint32_t site, bool way) {
    if (hd_walk_is_wanted(w, site, way))
        return HD_RANK_UNCOVERED;
    return outcome->covered_new ? HD_RANK_NEW : HD_RANK_OLD;
}

static void remember_ways(hd_walk *w) {
    if (!hd_strategy_remembers_ways(w->x->options.strategy))
        return;
    for (uint32_t i = 0; i < w->n_steps; i++)
        note_seen(w, hd_way_key(w->steps.at[i].site, w->steps.at[i].way));
}

/* An assumption that holds must keep holding: its other way is no path of the program.  And that a
 * check holds is nothing to look for. */
static bool has_other_way(const hd_tree_node *node, bool taken) {
    return !(node->kind == HD_BRANCH_ASSUME && taken) &&
           !(node->kind == HD_BRANCH_CHECK && !taken) && node->kind != HD_BRANCH_SPENT;
}

static void open_found(hd_walk *w, const hd_outcome *outcome, const hd_model *model) {
    if (!w->found.n)
        return;
    uint32_t run = hd_runs_add(&w->x->runs, model);
    hd_runs_use(&w->x->runs, run); /* so that it lives while its ways are opened */
    for (size_t i = 0; i < w->found.n; i++) {
        hd_node_id id = w->found.at[i];
        hd_tree_node *node = hd_tree_at(&w->tree, id);
        bool taken = node->state[1] == HD_WAY_TAKEN;
        HD_ASSERT(node->state[taken] == HD_WAY_TAKEN && node->state[!taken] == HD_WAY_CLOSED);
        if (has_other_way(node, taken) && !w->is_rebuilding)
            hd_walk_open(w, id, !taken, run, rank_of(w, outcome, node->site, !taken));
    }
    hd_runs_drop(&w->x->runs, run);
}

/* Mark open what the journal said was open on this run's path. */
static void reopen_saved(hd_walk *w, const hd_model *model) {
    HD_INVARIANT(Y2, w->n_rebuilt < w->saved.n);
    hd_saved_run *saved = &w->saved.at[w->n_rebuilt++];
    HD_INVARIANT(S2, w->n_saved_ways >= saved->ways.n);
    w->n_saved_ways -= saved->ways.n;
    uint32_t run = hd_runs_add(&w->x->runs, model);
    hd_runs_use(&w->x->runs, run);
    for (size_t i = 0; i < saved->ways.n; i++) {
        hd_saved_way way = saved->ways.at[i];
        if (way.depth >= w->n_steps) {
            w->x->counters.mispredicted++; /* not the run it was: not deterministic */
            hd_explorer_lose(w->x, 0, true);
            continue;
        }
        const hd_step *step = &w->steps.at[way.depth];
        if (hd_tree_at(&w->tree, step->node)->state[!step->way] == HD_WAY_CLOSED)
            hd_walk_open(w, step->node, !step->way, run, (enum hd_rank)way.rank);
    }
    hd_runs_drop(&w->x->runs, run);
    hd_model_release(&saved->model);
    hd_vec_release(&saved->ways);
}

static void count(hd_walk *w, const hd_outcome *outcome, bool repeats) {
    bool is_path = outcome->end != HD_END_REJECTED && !repeats;
    w->x->counters.executions++;
    w->x->counters.paths += is_path;
    if (is_path && w->x->options.names_paths)
        hd_vec_push(&w->names, hd_walk_hash(w));
    w->x->counters.rejected += outcome->end == HD_END_REJECTED;
    w->x->counters.bounded += w->hit_bound;
    w->x->counters.node_events += outcome->n_node_events;
    if (w->n_steps > w->x->counters.deepest)
        w->x->counters.deepest = w->n_steps;
    HD_CHECK(w->x->counters.paths + w->x->counters.rejected <= w->x->counters.executions);
}

/* The tree forgets what is explored, so an execution that strayed into such a part looks new,
 * and opening its ways leads there again, without end.  From the first one that strays, paths
 * are remembered.  The same decisions may still stand for other concrete values, so a path is
 * followed up a few times before it is left alone.  Returns how often it was seen before. */
static uint64_t times_seen(hd_walk *w) {
    if (!w->x->counters.mispredicted || w->is_rebuilding)
        return 0;
    uint64_t key = hd_walk_hash(w) & INT64_MAX;
    uint64_t *times = hd_map_find(&w->seen_paths, key);
    if (times)
        return (*times)++;
    hd_map_put(&w->seen_paths, key, 1);
    return 0;
}

/* Values in the inputs that are kept for open ways, and in the journal: beyond this the search does
 * not spread any more. */
#define MOST_VALUES        UINT64_C(0x100000)
#define STEPS_PER_DECISION 256 /* loop iterations that cost about as much */

static bool has_room(const hd_walk *w, const hd_model *model) {
    return (uint64_t)(w->x->runs.at.n - w->x->runs.unused.n) * (model->n + 1) < MOST_VALUES;
}

/* What is looked at as a whole where costly checks are on: larger trees would take too long. */
#define SMALL_TREE 512

/* Do the nodes name as many runs as are in use, and no way more or less is open than is counted?
 * (U1, T1.) */
static bool is_accounted_for(const hd_walk *w) {
    uint64_t n_open = 0, n_planned = 0, n_used = 0;
    if (w->tree.nodes.n > SMALL_TREE)
        return true;
    for (size_t i = 0; i < w->tree.nodes.n; i++)
        for (int way = 0; way < 2 && w->tree.nodes.at[i].serial; way++) {
            n_open += w->tree.nodes.at[i].state[way] == HD_WAY_OPEN;
            n_planned += w->tree.nodes.at[i].state[way] == HD_WAY_PLANNED;
        }
    for (size_t i = 0; i < w->x->runs.at.n; i++)
        n_used += w->x->runs.at.at[i].n_open;
    return n_open == w->tree.n_open && n_planned == 0 && n_used == n_open;
}

/* What was behind the way that the execution was planned for: itself, and what it opened. */
static void note_behind(hd_walk *w) {
    double n = 1;
    if (!w->has_plan)
        return;
    for (size_t i = 0; i < w->found.n; i++) {
        const hd_tree_node *node = hd_tree_at(&w->tree, w->found.at[i]);
        if (node->state[0] == HD_WAY_OPEN || node->state[1] == HD_WAY_OPEN)
            n += hd_subtrees_behind(&w->subtrees, node->depth, 1);
    }
    hd_subtrees_note(&w->subtrees, w->plan.depth, n);
}

void hd_walk_done(void *search, const hd_outcome *outcome, const hd_model *model) {
    hd_walk *w = search;
    w->steps.n = w->n_steps;
    hd_walk_cut(w, w->n_steps);
    HD_INVARIANT(Y1, length(w) == w->n_steps);
    HD_CHECK_INVARIANT(Y1, hd_walk_is_in_step(w, w->n_steps));
    remember_ways(w);
    uint64_t seen = times_seen(w);
    if (seen < MAX_REPEATS)
        open_found(w, outcome, model);
    note_behind(w);
    if (w->is_rebuilding)
        reopen_saved(w, model);
    else
        count(w, outcome, seen > 0);
    judge_prediction(w);
    if (w->n_steps) {
        const hd_step *last = &w->steps.at[w->n_steps - 1];
        if (hd_tree_at(&w->tree, last->node)->serial == last->serial)
            hd_tree_prune(&w->tree, last->node);
    }
    HD_INVARIANT(X2, w->tree.n_open > 0 || w->tree.root == HD_NO_NODE);
    HD_CHECK_INVARIANT(U1, is_accounted_for(w));
    w->x->counters.open = w->tree.n_open + w->n_saved_ways;
    hd_frontier_worked(w->frontier, w->n_steps + outcome->steps / STEPS_PER_DECISION,
                       has_room(w, model));
}

/* ---- what the explorer asks ---- */

/* Does the step belong to the name of the path?  Whether a check holds is seen by some inputs of a
 * path only, and other parts may come to it with others: it counts where it is what the execution
 * was run for. */
static bool is_named(const hd_walk *w, uint32_t i) {
    return !w->x->options.names_paths || !w->steps.at[i].is_check ||
           (w->is_shown && i + 1 == w->n_steps);
}

uint64_t hd_walk_hash(void *search) {
    const hd_walk *w = search;
    uint64_t h = 0;
    for (uint32_t i = 0; i < w->n_steps; i++)
        if (is_named(w, i))
            h = hd_hash_add(h, hd_way_key(w->steps.at[i].site, w->steps.at[i].way));
    return h;
}

void hd_walk_print_path(const void *search, hd_text *out) {
    const hd_walk *w = search;
    for (uint32_t i = 0; i < w->n_steps; i++)
        hd_text_add(out, "%s%u%c", i ? " " : "", w->steps.at[i].site,
                    w->steps.at[i].way ? '+' : '-');
}

/* One thread: there is one order. */
void hd_walk_print_schedule(const void *search, hd_text *out) {
    (void)search, (void)out;
}

const hd_race *hd_walk_races(const void *search, uint32_t *n) {
    (void)search;
    *n = 0;
    return NULL;
}

/* What a journal has left is not in the tree before its runs were rebuilt. */
bool hd_walk_is_exhausted(const void *search) {
    const hd_walk *w = search;
    return w->n_rebuilt == w->saved.n && w->tree.n_open == 0;
}

bool hd_walk_is_rebuilding(const void *search) {
    return ((const hd_walk *)search)->is_rebuilding;
}

void hd_walk_compact(void *search) {
    hd_walk *w = search;
    hd_vec(hd_expr *) roots = {0};
    for (size_t i = 0; i < w->tree.nodes.n; i++)
        if (w->tree.nodes.at[i].serial)
            hd_vec_push(&roots, &w->tree.nodes.at[i].condition);
    for (size_t i = 0; i < w->assumed.at.n; i++)
        hd_vec_push(&roots, &w->assumed.at.at[i]);
    HD_INVARIANT(S1, !w->has_plan);
    hd_walk_cut(w, 0);
    hd_path_truncate(w->x->path, 0);
    w->steps.n = w->n_steps = 0;
    hd_graph_compact(w->x->graph, roots.at, (uint32_t)roots.n);
    hd_assumed_forget(&w->assumed);
    hd_walk_begin_path(w);
    hd_chain_forget(w->x->chain);
    hd_vec_release(&roots);
}

const hd_search hd_search_walk = HD_SEARCH_ROW(hd_walk);
