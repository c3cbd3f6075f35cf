/* The explorer as the machine's sink: walking the tree along with an execution, and judging
 * the prediction when it ends (paper 002, Figs. 10 and 11).
 *
 * The path constraint is kept from one execution to the next.  Depth-first search changes
 * only its end, so an execution that repeats a prefix pays one comparison per decision. */
#include "explore/weave.h"

#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

#define MAX_REPEATS 16 /* of one path, once predictions fail */

static const char *const reduction_names[] = {
#define X(name, text, words) text,
    HD_REDUCTIONS(X)
#undef X
};

const char *hd_reduction_name(hd_reduction reduction) {
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
#define X(name, text, words) text,
    HD_STRATEGIES(X)
#undef X
};

const char *hd_strategy_name(hd_strategy strategy) {
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

hd_explorer *hd_explorer_new(hd_graph *graph, hd_variables *variables, hd_chain *chain,
                             const hd_explorer_options *options) {
    hd_explorer *x = calloc(1, sizeof *x);
    if (!x)
        hd_out_of_memory();
    x->options = *options;
    x->graph = graph;
    x->variables = variables;
    x->chain = chain;
    x->path = hd_path_new(graph);
    x->frontier = hd_frontier_new(options->strategy, options->seed);
    x->random = hd_mix(options->seed + 0x51);
    hd_tree_init(&x->tree);
    if (options->is_threaded)
        x->weave = hd_weave_new(x);
    return x;
}

void hd_explorer_free(hd_explorer *x) {
    if (x->weave)
        hd_weave_free(x->weave);
    hd_tree_release(&x->tree);
    hd_runs_release(&x->runs);
    hd_frontier_free(x->frontier);
    hd_path_free(x->path);
    for (size_t i = 0; i < x->saved.n; i++) {
        hd_model_release(&x->saved.at[i].model);
        hd_vec_release(&x->saved.at[i].ways);
    }
    hd_vec_release(&x->saved);
    hd_vec_release(&x->lost);
    hd_vec_release(&x->steps);
    hd_vec_release(&x->found);
    hd_map_release(&x->seen_ways);
    hd_map_release(&x->seen_paths);
    hd_map_release(&x->checked);
    free(x);
}

hd_expr hd_explorer_oriented(hd_explorer *x, hd_expr condition, bool way) {
    return way ? condition : hd_expr_not(x->graph, condition);
}

hd_expr hd_explorer_constraint(hd_explorer *x, hd_node_id node, hd_expr condition, bool way) {
    if (hd_tree_at(&x->tree, node)->kind == HD_BRANCH_CHECK)
        return hd_expr_const(x->graph, 1, 1);
    return hd_explorer_oriented(x, condition, way);
}

void hd_explorer_lose(hd_explorer *x, uint32_t site, bool mispredicted) {
    for (size_t i = 0; i < x->lost.n; i++)
        if (x->lost.at[i].site == site && x->lost.at[i].mispredicted == mispredicted) {
            x->lost.at[i].count++;
            return;
        }
    hd_vec_push(&x->lost, ((hd_lost_way){site, mispredicted, 1}));
}

void hd_explorer_open(hd_explorer *x, hd_node_id node, bool way, uint32_t run, enum hd_rank rank) {
    hd_tree_node *n = hd_tree_at(&x->tree, node);
    n->run = run;
    hd_runs_use(&x->runs, run);
    hd_tree_set_way(&x->tree, node, way, HD_WAY_OPEN);
    hd_frontier_push(x->frontier, (hd_entry){node, n->serial, way, n->depth}, rank);
}

void hd_explorer_close(hd_explorer *x, hd_node_id node, bool way) {
    hd_runs_drop(&x->runs, hd_tree_at(&x->tree, node)->run);
    hd_tree_set_way(&x->tree, node, way, HD_WAY_CLOSED);
    hd_tree_prune(&x->tree, node);
}

/* ---- walking ---- */

static bool is_same_step(const hd_step *step, hd_node_id node, uint32_t serial, hd_expr condition,
                         bool way) {
    return step->node == node && step->serial == serial && step->condition == condition &&
           step->way == way;
}

/* Decision number n_steps of this execution is `node`, going `way`. */
static void append_step(hd_explorer *x, hd_node_id node, hd_expr condition, bool way) {
    uint32_t i = x->n_steps++;
    const hd_tree_node *n = hd_tree_at(&x->tree, node);
    if (i < x->steps.n && is_same_step(&x->steps.at[i], node, n->serial, condition, way))
        return;
    x->steps.n = i;
    hd_path_truncate(x->path, i);
    hd_path_push(x->path, hd_explorer_constraint(x, node, condition, way));
    hd_vec_push(&x->steps, ((hd_step){node, n->serial, n->site, condition, way}));
}

/* An execution came to a way that was waiting: as planned, or by luck. */
static void take_way(hd_explorer *x, hd_node_id node, bool way) {
    hd_way_state state = hd_tree_at(&x->tree, node)->state[way];
    if (state == HD_WAY_TAKEN)
        return;
    if (state == HD_WAY_OPEN || state == HD_WAY_PLANNED)
        hd_runs_drop(&x->runs, hd_tree_at(&x->tree, node)->run);
    hd_tree_set_way(&x->tree, node, way, HD_WAY_TAKEN);
}

/* Is the same check on the path already?  It would fail for the same inputs. */
static bool is_checked(hd_explorer *x, uint32_t site, hd_expr condition) {
    uint64_t key = hd_hash_add(site, condition) & INT64_MAX;
    uint64_t *at = hd_map_find(&x->checked, key);
    const hd_step *step = at && *at < x->n_steps ? &x->steps.at[*at] : NULL;
    if (step && step->site == site && step->condition == condition)
        return true;
    hd_map_put(&x->checked, key, x->n_steps);
    return false;
}

static bool is_planned(const hd_explorer *x, hd_node_id node, bool way) {
    return x->has_plan && x->plan.node == node && x->plan.way == way &&
           x->plan.serial == hd_tree_at(&x->tree, node)->serial;
}

/* The next step of the prefix that this execution was planned with, or of the execution before: the
 * decisions before it are the same (append_step cuts the rest off where they are not), so that it
 * is a choice here too, and its way is taken already.  Most decisions are such. */
static bool repeats_step(const hd_explorer *x, uint32_t site, hd_expr condition, bool taken) {
    if (x->n_steps >= x->steps.n)
        return false;
    const hd_step *step = &x->steps.at[x->n_steps];
    const hd_tree_node *node = hd_tree_at(&x->tree, step->node);
    return step->condition == condition && step->way == taken && step->site == site &&
           node->serial == step->serial && node->condition == condition &&
           node->state[taken] == HD_WAY_TAKEN;
}

static void walk(void *context, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind) {
    hd_explorer *x = context;
    if (x->is_shown)
        return;
    if (repeats_step(x, site, condition, taken)) {
        x->n_steps++;
        return;
    }
    if (x->options.depth && x->n_steps >= x->options.depth) {
        x->hit_bound = true;
        return;
    }
    if (hd_path_contains(x->path, x->n_steps, hd_explorer_oriented(x, condition, taken)) ||
        (kind == HD_BRANCH_CHECK && is_checked(x, site, condition)))
        return; /* decided by an earlier decision: not a choice */
    hd_node_id parent = HD_NO_NODE;
    bool way = false;
    if (x->n_steps) {
        parent = x->steps.at[x->n_steps - 1].node;
        way = hd_tree_side(&x->tree, parent, x->steps.at[x->n_steps - 1].way);
    }
    hd_node_id node = hd_tree_find(&x->tree, parent, way, site, kind);
    if (node == HD_NO_NODE) {
        node = hd_tree_add(&x->tree, parent, way, site, kind);
        hd_vec_push(&x->found, node);
    }
    hd_tree_at(&x->tree, node)->condition = condition;
    take_way(x, node, taken);
    append_step(x, node, condition, taken);
    x->is_shown = kind == HD_BRANCH_CHECK && !taken && is_planned(x, node, taken);
}

hd_sink hd_explorer_sink(hd_explorer *x) {
    if (x->weave)
        return (hd_sink){.context = x,
                         .branch = hd_weave_branch,
                         .schedule = hd_weave_schedule,
                         .learns = !x->options.sampling,
                         .script = &x->weave->script};
    return (hd_sink){.context = x, .branch = walk};
}

/* ---- judging ---- */

static bool went_as_planned(const hd_explorer *x) {
    const hd_tree_node *node = hd_tree_at(&x->tree, x->plan.node);
    if (node->serial != x->plan.serial || node->depth >= x->n_steps)
        return false;
    const hd_step *step = &x->steps.at[node->depth];
    return step->node == x->plan.node && step->way == x->plan.way;
}

/* The inputs did not lead where the solver promised: some value on the way was concrete and
 * has changed.  The execution itself is as good as any other; only the way is lost. */
static void judge_prediction(hd_explorer *x) {
    if (!x->has_plan)
        return;
    x->has_plan = false;
    if (went_as_planned(x))
        return;
    hd_tree_node *node = hd_tree_at(&x->tree, x->plan.node);
    if (node->serial != x->plan.serial || node->state[x->plan.way] != HD_WAY_PLANNED)
        return;
    x->counters.mispredicted++;
    hd_explorer_lose(x, node->site, true);
    hd_explorer_close(x, x->plan.node, x->plan.way);
}

static uint64_t way_key(uint32_t site, bool way) {
    return (uint64_t)site * 2 + way;
}

static enum hd_rank rank_of(const hd_explorer *x, const hd_outcome *outcome, uint32_t site,
                            bool way) {
    if (!hd_map_find(&x->seen_ways, way_key(site, way)))
        return HD_RANK_UNCOVERED;
    return outcome->covered_new ? HD_RANK_NEW : HD_RANK_OLD;
}

static void remember_ways(hd_explorer *x) {
    if (x->options.strategy != HD_STRATEGY_COVERAGE)
        return;
    for (uint32_t i = 0; i < x->n_steps; i++)
        hd_map_put(&x->seen_ways, way_key(x->steps.at[i].site, x->steps.at[i].way), 1);
}

/* An assumption that holds must keep holding: its other way is no path of the program.  And that a
 * check holds is nothing to look for. */
static bool has_other_way(const hd_tree_node *node, bool taken) {
    return !(node->kind == HD_BRANCH_ASSUME && taken) && !(node->kind == HD_BRANCH_CHECK && !taken);
}

static void open_found(hd_explorer *x, const hd_outcome *outcome, const hd_model *model) {
    if (!x->found.n)
        return;
    uint32_t run = hd_runs_add(&x->runs, model);
    hd_runs_use(&x->runs, run); /* so that it lives while its ways are opened */
    for (size_t i = 0; i < x->found.n; i++) {
        hd_node_id id = x->found.at[i];
        hd_tree_node *node = hd_tree_at(&x->tree, id);
        bool taken = node->state[1] == HD_WAY_TAKEN;
        if (has_other_way(node, taken) && !x->is_rebuilding)
            hd_explorer_open(x, id, !taken, run, rank_of(x, outcome, node->site, !taken));
    }
    hd_runs_drop(&x->runs, run);
}

/* Mark open what the journal said was open on this run's path. */
static void reopen_saved(hd_explorer *x, const hd_model *model) {
    hd_saved_run *saved = &x->saved.at[x->n_rebuilt++];
    x->n_saved_ways -= saved->ways.n;
    uint32_t run = hd_runs_add(&x->runs, model);
    hd_runs_use(&x->runs, run);
    for (size_t i = 0; i < saved->ways.n; i++) {
        hd_saved_way w = saved->ways.at[i];
        if (w.depth >= x->n_steps) {
            x->counters.mispredicted++; /* not the run it was: not deterministic */
            hd_explorer_lose(x, 0, true);
            continue;
        }
        const hd_step *step = &x->steps.at[w.depth];
        if (hd_tree_at(&x->tree, step->node)->state[!step->way] == HD_WAY_CLOSED)
            hd_explorer_open(x, step->node, !step->way, run, (enum hd_rank)w.rank);
    }
    hd_runs_drop(&x->runs, run);
    hd_model_release(&saved->model);
    hd_vec_release(&saved->ways);
}

static void count(hd_explorer *x, const hd_outcome *outcome, bool repeats) {
    x->counters.executions++;
    x->counters.paths += outcome->end != HD_END_REJECTED && !repeats;
    x->counters.rejected += outcome->end == HD_END_REJECTED;
    x->counters.bounded += x->hit_bound;
    if (x->n_steps > x->counters.deepest)
        x->counters.deepest = x->n_steps;
}

/* The tree forgets what is explored, so an execution that strayed into such a part looks new,
 * and opening its ways leads there again, without end.  From the first one that strays, paths
 * are remembered.  The same decisions may still stand for other concrete values, so a path is
 * followed up a few times before it is left alone.  Returns how often it was seen before. */
static uint64_t times_seen(hd_explorer *x) {
    if (!x->counters.mispredicted || x->is_rebuilding)
        return 0;
    uint64_t key = hd_explorer_path_hash(x) & INT64_MAX;
    uint64_t *times = hd_map_find(&x->seen_paths, key);
    if (times)
        return (*times)++;
    hd_map_put(&x->seen_paths, key, 1);
    return 0;
}

/* Values in the inputs that are kept for open ways, and in the journal: beyond this the search does
 * not spread any more. */
#define MOST_VALUES        UINT64_C(0x100000)
#define STEPS_PER_DECISION 256 /* loop iterations that cost about as much */

static bool has_room(const hd_explorer *x, const hd_model *model) {
    return (uint64_t)(x->runs.at.n - x->runs.unused.n) * (model->n + 1) < MOST_VALUES;
}

void hd_explorer_done(hd_explorer *x, const hd_outcome *outcome, const hd_model *model) {
    if (x->weave) {
        hd_weave_done(x->weave, outcome, model);
        return;
    }
    x->steps.n = x->n_steps;
    hd_path_truncate(x->path, x->n_steps);
    remember_ways(x);
    uint64_t seen = times_seen(x);
    if (seen < MAX_REPEATS)
        open_found(x, outcome, model);
    if (x->is_rebuilding)
        reopen_saved(x, model);
    else
        count(x, outcome, seen > 0);
    judge_prediction(x);
    if (x->n_steps) {
        const hd_step *last = &x->steps.at[x->n_steps - 1];
        if (hd_tree_at(&x->tree, last->node)->serial == last->serial)
            hd_tree_prune(&x->tree, last->node);
    }
    x->counters.open = x->tree.n_open + x->n_saved_ways;
    hd_frontier_worked(x->frontier, x->n_steps + outcome->steps / STEPS_PER_DECISION,
                       has_room(x, model));
}

uint64_t hd_explorer_class_hash(const hd_explorer *x) {
    return x->weave ? hd_weave_class_hash(x->weave) : hd_explorer_path_hash(x);
}

uint64_t hd_explorer_path_hash(const hd_explorer *x) {
    if (x->weave)
        return hd_weave_class_hash(x->weave);
    uint64_t h = 0;
    for (uint32_t i = 0; i < x->n_steps; i++)
        h = hd_hash_add(h, way_key(x->steps.at[i].site, x->steps.at[i].way));
    return h;
}

void hd_explorer_print_path(const hd_explorer *x, hd_text *out) {
    for (size_t i = 0; x->weave && i < x->weave->decisions.n; i++)
        hd_text_add(out, "%s%u%c", i ? " " : "", x->weave->decisions.at[i].site,
                    x->weave->decisions.at[i].way ? '+' : '-');
    for (uint32_t i = 0; i < x->n_steps; i++)
        hd_text_add(out, "%s%u%c", i ? " " : "", x->steps.at[i].site,
                    x->steps.at[i].way ? '+' : '-');
}

void hd_explorer_print_schedule(const hd_explorer *x, hd_text *out) {
    if (!x->weave)
        return;
    const hd_events *log = &x->weave->log;
    for (uint32_t e = 0, n; e < log->at.n; e += n) {
        uint32_t thread = hd_event_action(log, e)->thread;
        for (n = 1; e + n < log->at.n && hd_event_action(log, e + n)->thread == thread;)
            n++;
        hd_text_add(out, n > 1 ? "%s%u*%u" : "%s%u", e ? " " : "", thread, n);
    }
}

const hd_race *hd_explorer_races(const hd_explorer *x, uint32_t *n) {
    *n = x->weave ? (uint32_t)x->weave->races.n : 0;
    return x->weave ? x->weave->races.at : NULL;
}

const hd_explorer_counters *hd_explorer_counted(const hd_explorer *x) {
    return &x->counters;
}

void hd_explorer_count_sample(hd_explorer *x) {
    x->counters.sampled++;
}

const hd_lost_way *hd_explorer_lost(const hd_explorer *x, uint32_t *n) {
    *n = (uint32_t)x->lost.n;
    return x->lost.at;
}

/* What a journal has left is not in the tree before its runs were rebuilt. */
static bool has_to_rebuild(const hd_explorer *x) {
    return x->n_rebuilt < x->saved.n || (x->weave && x->weave->is_rebuilding);
}

bool hd_explorer_is_complete(const hd_explorer *x) {
    const hd_explorer_counters *c = &x->counters;
    if (has_to_rebuild(x))
        return false;
    if (x->weave && (x->options.sampling || c->open || c->preempted_away))
        return false;
    return x->has_started && x->tree.n_open == 0 && c->unknown == 0 && c->mispredicted == 0 &&
           c->bounded == 0;
}

bool hd_explorer_is_rebuilding(const hd_explorer *x) {
    return x->weave ? x->weave->is_rebuilding : x->is_rebuilding;
}

void hd_explorer_compact(hd_explorer *x) {
    if (x->weave) {
        hd_weave_compact(x->weave);
        return;
    }
    hd_vec(hd_expr *) roots = {0};
    for (size_t i = 0; i < x->tree.nodes.n; i++)
        if (x->tree.nodes.at[i].serial)
            hd_vec_push(&roots, &x->tree.nodes.at[i].condition);
    hd_path_truncate(x->path, 0);
    x->steps.n = x->n_steps = 0;
    hd_graph_compact(x->graph, roots.at, (uint32_t)roots.n);
    hd_chain_forget(x->chain);
    hd_vec_release(&roots);
}
