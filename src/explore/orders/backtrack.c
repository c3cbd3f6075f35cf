/* Backtracking: the stack is cut down to its deepest choice that has something left, and the next
 * execution takes it (paper 002, Figs. 11, 16 and 18). */
#include "explore/orders/alike.h"
#include "explore/orders/lift.h"
#include "explore/orders/reduction.h"
#include "explore/orders/restrict.h"

#include "base/panic.h"

/* ---- cutting the stack ---- */

void hd_weave_release_tree(hd_weave *w, uint32_t tree) {
    while (tree) {
        uint32_t node = hd_wakeups_take(&w->wakeups, &tree);
        hd_weave_release_tree(w, w->wakeups.at.at[node].child);
        if (w->wakeups.at.at[node].run != UINT32_MAX)
            hd_runs_drop(&w->x->runs, w->wakeups.at.at[node].run);
        hd_wakeups_free(&w->wakeups, node);
    }
}

/* Keep the first n nodes. */
static void cut_nodes(hd_weave *w, uint32_t n) {
    HD_INVARIANT(V1, n <= w->nodes.n);
    while (w->nodes.n > n)
        if (w->nodes.at[--w->nodes.n].tree != HD_NO_WAKEUP)
            hd_weave_release_tree(w, w->nodes.at[w->nodes.n].tree);
    HD_INVARIANT(V1, !n || w->nodes.at[n - 1].n_sleepers <= w->sleepers.n);
    w->sleepers.n = n ? w->nodes.at[n - 1].n_sleepers : 0;
    while (w->explored.n && w->explored.at[w->explored.n - 1].event >= n)
        w->explored.n--;
}

static void cut_events(hd_weave *w, uint32_t n) {
    hd_events_truncate(&w->log, n);
    while (w->held.n && w->held.at[w->held.n - 1].at >= n)
        w->held_numbers.n = w->held.at[--w->held.n].first;
    HD_INVARIANT(L1, w->log.at.n <= n);
    w->lines.n = w->lines.n < n ? w->lines.n : n;
}

static void cut_decisions(hd_weave *w, uint32_t n) {
    HD_INVARIANT(V1, n <= w->decisions.n);
    w->decisions.n = n;
    hd_path_truncate(w->x->path, n);
}

void hd_weave_cut_rest(hd_weave *w) {
    cut_events(w, w->n_events);
    cut_nodes(w, w->n_events + (w->nodes.n > w->n_events));
    if (w->n_decisions < w->decisions.n)
        cut_decisions(w, w->n_decisions);
    HD_INVARIANT(V1, w->log.at.n == w->n_events && w->decisions.n == w->n_decisions);
}

void hd_weave_write_script(hd_weave *w) {
    for (size_t e = w->lines.n; e < w->n_replayed; e++)
        hd_vec_push(&w->lines, hd_script_line(hd_event_action(&w->log, (uint32_t)e)));
    w->script = (hd_script){.at = w->lines.at,
                            .n = w->state == HD_WEAVE_REBUILDING ? 0 : w->n_replayed,
                            .rounds = w->rounds.at,
                            .n_rounds = (uint32_t)w->rounds.n};
}

/* Do events, states and decisions of the path fit together? */
static bool is_laid_out(const hd_weave *w) {
    size_t n = w->nodes.n;
    bool is_it = n >= w->log.at.n && n <= w->log.at.n + 1 && w->lines.n <= w->log.at.n;
    for (size_t i = 0; i < n && is_it; i++)
        is_it = (w->nodes.at[i].sleep == HD_NO_EVENT ||
                 w->nodes.at[i].sleep < w->nodes.at[i].n_sleepers) &&
                w->nodes.at[i].n_sleepers <= w->sleepers.n;
    for (size_t i = 0; i < w->decisions.n && is_it; i++)
        is_it = w->decisions.at[i].at <= n &&
                (!i || w->decisions.at[i - 1].at <= w->decisions.at[i].at);
    return is_it;
}

static size_t count_wakeups(const hd_weave *w, uint32_t tree) {
    size_t n = 0;
    for (; tree; tree = w->wakeups.at.at[tree].next)
        n += 1 + count_wakeups(w, w->wakeups.at.at[tree].child);
    return n;
}

/* Is every node of a wakeup tree that is in use in one tree, and does somebody wait there? */
static bool are_wakeups_known(const hd_weave *w) {
    size_t n = 1 + count_wakeups(w, w->tree) + hd_wakeups_width(&w->wakeups, w->wakeups.unused);
    for (size_t i = 0; i < w->nodes.n; i++)
        n += count_wakeups(w, w->nodes.at[i].tree);
    for (size_t i = 0; i < w->saved_rest.n; i++)
        n += count_wakeups(w, w->saved_rest.at[i].tree);
    return n == w->wakeups.at.n;
}

/* Is a set of inputs kept for as many as name it (U1)? */
static bool are_runs_known(const hd_weave *w) {
    size_t n = 0;
    for (size_t i = 1; i < w->wakeups.at.n; i++)
        n += w->wakeups.at.at[i].child != i && w->wakeups.at.at[i].run != UINT32_MAX;
    for (size_t i = 0; i < w->x->runs.at.n; i++)
        n -= w->x->runs.at.at[i].n_open;
    return n == 0;
}

static void begin_execution(hd_weave *w, hd_weave_state state) {
    hd_weave_enter(w, state);
    HD_CHECK(are_wakeups_known(w));
    HD_CHECK_INVARIANT(U1, are_runs_known(w));
    HD_ASSERT(hd_path_length(w->x->path) <= w->decisions.n);
    HD_CHECK_INVARIANT(V1, is_laid_out(w));
    w->n_events = 0;
    w->n_decisions = w->n_restrictions;
    w->hit_bound = false;
    w->foreign = HD_NONE;
    w->stuck.alive = HD_SET_EMPTY;
    w->n_replayed = w->n_common = (uint32_t)w->log.at.n;
    w->n_redecided = (uint32_t)w->decisions.n;
    w->n_treated = w->carried < w->n_replayed ? w->carried : w->n_replayed;
    w->carried = UINT32_MAX;
    hd_weave_write_script(w);
    hd_vec_clear(&w->races);
    hd_vec_clear(&w->told);
    HD_ASSERT(w->x->has_started); /* by hd_explorer_begin(), or it was so when it was saved */
}

enum result { FOUND, NOTHING_HERE, TOO_LATE };

/* Is what the log holds of it only known when it runs?  Its outcome may be what flips, and what a
 * section touches. */
static bool is_told_by_outcome(const hd_action *a) {
    return a->flags & HD_ACTION_SETTLES || hd_kind_is(a->kind, HD_KIND_SECTION);
}

/* Has a state from `from` on something left?  Depth first, what is left lies mostly at the end. */
static bool has_next_from(const hd_weave *w, uint32_t from) {
    size_t e = w->nodes.n < w->log.at.n ? w->nodes.n : w->log.at.n;
    while (e > from)
        if (hd_reduce_has_next(w, (uint32_t)--e))
            return true;
    return false;
}

bool hd_weave_has_open(const hd_weave *w) {
    if (has_next_from(w, w->floor))
        return true;
    for (size_t d = 0; d < w->decisions.n; d++)
        if (w->decisions.at[d].is_open)
            return true;
    return false;
}

static enum result flip_decision(hd_weave *w, uint32_t n, hd_model *model) {
    hd_explorer *x = w->x;
    HD_ASSERT(n < w->decisions.n && w->decisions.at[n].is_open);
    HD_CHECK_INVARIANT(V2, !has_next_from(w, w->decisions.at[n].at));
    w->decisions.at[n].is_tried = true;
    hd_decision d = w->decisions.at[n];
    hd_expr awake;
    if (!hd_outcome_other_way(w, n, &awake)) {
        w->decisions.at[n].is_open = false;
        w->decisions.at[n].is_left = true;
        return NOTHING_HERE;
    }
    hd_expr other = hd_explorer_oriented(x, d.condition, !d.way);
    hd_query q = {.path = x->path,
                  .n = n,
                  .goal =
                      hd_demand_both(x, other, hd_demand_both(x, awake, w->waiting_restriction)),
                  .hint = &w->model};
    hd_verdict verdict = hd_chain_solve(x->chain, &q, model);
    if (verdict == HD_UNKNOWN && hd_explorer_is_late(w->x))
        return TOO_LATE;
    w->decisions.at[n].is_open = false;
    w->decisions.at[n].is_left = awake != HD_NONE;
    if (verdict != HD_SAT) {
        x->counters.infeasible += verdict == HD_UNSAT;
        x->counters.unknown += verdict != HD_UNSAT;
        if (verdict != HD_UNSAT)
            hd_explorer_lose(x, d.site, false);
        return NOTHING_HERE;
    }
    hd_explorer_settle_pointers(x, model);
    w->decisions.at[n].is_left = false;
    hd_outcome_first_way_done(w, n);
    d = w->decisions.at[n];
    hd_weave_release_tree(w, w->tree);
    w->tree = HD_NO_WAKEUP;
    w->chosen = HD_NO_EVENT;
    uint32_t kept = d.at;
    if (kept && is_told_by_outcome(hd_event_action(&w->log, kept - 1)))
        w->chosen = hd_event_action(&w->log, --kept)->thread;
    w->free_from = d.at;
    cut_events(w, kept);
    cut_nodes(w, d.at);
    cut_decisions(w, n);
    w->n_decisions = n;
    d.way = !d.way;
    d.is_open = false;
    d.is_second = true;
    hd_weave_push_decision(w, d);
    HD_INVARIANT(V1, w->decisions.n == n + 1 && w->log.at.n <= d.at);
    if (w->waiting_restriction)
        hd_restrict_begin(w);
    return FOUND;
}

/* No inputs of the search's own come to the state before event e. */
static enum result leave_state(hd_weave *w, uint32_t e) {
    hd_weave_release_tree(w, w->nodes.at[e].tree);
    w->nodes.at[e].tree = HD_NO_WAKEUP;
    return NOTHING_HERE;
}

static enum result switch_thread(hd_weave *w, uint32_t e, hd_model *model) {
    if (w->has_inner_decisions && hd_explorer_is_late(w->x))
        return TOO_LATE; /* a solver may have to be asked */
    hd_admission admission = w->waiting_restriction ? hd_restrict_admit(w, e) : HD_ADMITTED;
    if (admission != HD_ADMITTED)
        return admission == HD_NOT_ADMITTED ? leave_state(w, e) : TOO_LATE;
    uint32_t n = (uint32_t)w->decisions.n;
    for (; n && w->decisions.at[n - 1].at > e; n--)
        HD_INVARIANT(V2, !w->decisions.at[n - 1].is_open);
    HD_CHECK_INVARIANT(V2, !has_next_from(w, e + 1));
    HD_INVARIANT(F1, e >= w->floor);
    hd_weave_release_tree(w, w->tree);
    w->tree = HD_NO_WAKEUP;
    cut_nodes(w, e + 1);
    hd_model_copy(model, &w->model);
    w->chosen = hd_reduce_next(w, e, model);
    HD_INVARIANT(V1, w->nodes.n == e + 1);
    cut_events(w, e);
    cut_decisions(w, n);
    return w->chosen == HD_NO_EVENT ? NOTHING_HERE : FOUND;
}

/* The deepest choice that has something left, tried; then the next one. */
static enum result backtrack(hd_weave *w, hd_model *model) {
    enum result result = NOTHING_HERE;
    uint32_t d = (uint32_t)w->decisions.n, end = w->floor ? w->floor + 1 : 0;
    for (uint32_t e = (uint32_t)w->nodes.n + 1; e-- > end && result == NOTHING_HERE;) {
        while (result == NOTHING_HERE && d && w->decisions.at[d - 1].at >= e) {
            d--;
            if (w->decisions.at[d].is_open)
                result = flip_decision(w, d, model);
        }
        if (result == NOTHING_HERE && e > 0 && e <= w->log.at.n && hd_reduce_has_next(w, e - 1)) {
            result = switch_thread(w, e - 1, model);
            d = (uint32_t)w->decisions.n; /* a restriction may stand in front of them now */
        }
    }
    return result;
}

/* What was restored, if it is not run again. */
static void cut_saved(hd_weave *w) {
    for (size_t i = 0; i < w->saved_rest.n; i++)
        hd_weave_release_tree(w, w->saved_rest.at[i].tree);
    hd_vec_clear(&w->saved_rest);
    hd_vec_clear(&w->saved_threads);
    hd_vec_clear(&w->saved_ways);
}

static void cut_everything(hd_weave *w) {
    w->free_from = 0;
    hd_weave_release_tree(w, w->tree);
    w->tree = HD_NO_WAKEUP;
    cut_events(w, 0);
    cut_nodes(w, 0);
    cut_decisions(w, w->n_restrictions);
    cut_saved(w);
    HD_INVARIANT(V1, !w->sleepers.n && !w->explored.n && !w->held.n && !w->held_numbers.n);
    HD_ASSERT(!w->saved_rest.n && !w->saved_threads.n && !w->saved_ways.n && !w->lines.n);
    HD_INVARIANT(U1, w->x->runs.unused.n == w->x->runs.at.n); /* nobody names one any more */
    HD_CHECK(hd_wakeups_width(&w->wakeups, w->wakeups.unused) + 1 == w->wakeups.at.n);
}

void hd_weave_take_back(hd_weave *w, uint32_t thread) {
    uint32_t e = hd_event_last(&w->log, thread), n = (uint32_t)w->decisions.n;
    if (e == HD_NO_EVENT || /* it was alone */
        e < w->floor ||
        (w->rules->uses_races && hd_events_assumed(&w->log, hd_event_action(&w->log, e)))) {
        hd_weave_enter(w, HD_WEAVE_ANEW);
        return;
    }
    while (n && w->decisions.at[n - 1].at > e)
        n--;
    hd_weave_release_tree(w, w->tree);
    w->tree = HD_NO_WAKEUP;
    cut_nodes(w, e + 1);
    cut_events(w, e);
    cut_decisions(w, n);
    hd_weave_enter(w, HD_WEAVE_RETRYING);
    w->carried = w->n_treated;
}

/* Does the search have its own states only, and know nothing of what was run? */
static bool is_new(const hd_weave *w) {
    return !w->floor && !w->given.n && !w->asked.n && !w->was_asked.n && !w->seen_classes.n &&
           !w->new_classes.n && !w->log.assumed.n;
}

/* Does the search have the inputs that it had before it began?  Those that it was given are a part
 * up to a generation, as the other parts begin anew with theirs; all others are a split's. */
static bool has_first_inputs(const hd_weave *w) {
    return w->n_restrictions == w->n_given && w->decisions.n == w->n_given &&
           !w->waiting_restriction && (!w->n_given || w->x->generation <= HD_MOST_DIVISIONS);
}

/* Races with the access of a waiting loop lead further back than was known: the search so far
 * does not count.  There are few such accesses, and what they see in vain. */
static void start_anew(hd_weave *w) {
    hd_explorer_counters *c = &w->x->counters;
    c->executions = c->paths = c->rejected = c->redundant = c->preempted_away = 0;
    w->x->generation++;
    hd_lift_forget(w);
    hd_alike_forget(w);
    hd_restrict_forget(w);
    hd_map_clear(&w->seen_classes);
    hd_vec_clear(&w->new_classes);
    hd_map_clear(&w->log.assumed);
    cut_everything(w);
    w->chosen = HD_NO_EVENT;
    HD_ASSERT(is_new(w));
    HD_INVARIANT(X1, has_first_inputs(w));
}

/* Was another child of the state, which was lifted, run by others? */
static bool has_given_child(const hd_weave *w, uint32_t e) {
    HD_ASSERT(e < w->floor);
    bool is_found = false;
    for (size_t i = 0; i < w->given.n && !is_found; i++)
        is_found = w->given.at[i].event == e;
    return is_found;
}

/* The execution after a retry.  Where another child was run before there is one only if a sequence
 * is left: races ask for everything else.  A sequence that was given and cannot be run is free from
 * there on. */
static bool go_on_instead(hd_weave *w, hd_model *model) {
    uint32_t e = (uint32_t)w->log.at.n;
    HD_INVARIANT(V1, w->nodes.n == e + 1);
    hd_weave_enter(w, HD_WEAVE_READY);
    bool is_lifted = e < w->floor, has_other = is_lifted && has_given_child(w, e);
    w->floor = is_lifted ? e : w->floor;
    w->free_from = e < w->free_from ? e : w->free_from; /* the execution was not concluded */
    w->chosen = w->rules->instead(w, &w->nodes.at[e], model);
    if (w->chosen != HD_NO_EVENT || (!has_other && hd_set_is_empty(w->nodes.at[e].done)))
        return true;
    cut_nodes(w, e);
    return false;
}

/* Everything with the bound was explored: start again with a higher one. */
static bool raise_bound(hd_weave *w) {
    if (w->bound < 0 || w->bound >= (int)w->x->options.preemptions ||
        !w->x->counters.preempted_away)
        return false;
    w->bound++;
    w->x->counters.preempted_away = 0;
    cut_everything(w);
    return true;
}

/* The first execution, of all or of a sample. */
static bool begin_first(hd_weave *w, hd_model *model) {
    if (!hd_explorer_begin(w->x, w->n_restrictions, model))
        return false;
    begin_execution(w, HD_WEAVE_RUNNING);
    if (w->x->options.sampling)
        hd_sample_begin(w, model);
    return true;
}

static bool next_sample(hd_weave *w, hd_model *model) {
    if (w->x->counters.executions >= w->x->options.samples)
        return false;
    hd_sample_begin(w, model);
    cut_everything(w);
    begin_execution(w, HD_WEAVE_RUNNING);
    return true;
}

static enum result find_next(hd_weave *w, hd_model *model) {
    if (w->state == HD_WEAVE_ANEW) {
        start_anew(w);
        return FOUND;
    }
    if (w->state == HD_WEAVE_RETRYING && go_on_instead(w, model))
        return FOUND;
    enum result result = backtrack(w, model);
    return result == NOTHING_HERE && raise_bound(w) ? FOUND : result;
}

bool hd_weave_next(void *search, hd_model *model) {
    hd_weave *w = search;
    hd_model_copy(model, &w->model); /* unless others are needed: of the first execution, empty */
    if (!w->x->has_started)
        return begin_first(w, model);
    if (w->state == HD_WEAVE_SAVED || w->state == HD_WEAVE_GIVEN) {
        bool is_saved = w->state == HD_WEAVE_SAVED;
        begin_execution(w, is_saved ? HD_WEAVE_REBUILDING : HD_WEAVE_RUNNING);
        return true;
    }
    if (w->x->options.sampling)
        return next_sample(w, model);
    hd_lift_end_first(w);
    enum result result = find_next(w, model);
    if (result != FOUND) {
        w->x->counters.open = result == TOO_LATE;
        return false;
    }
    begin_execution(w, HD_WEAVE_RUNNING);
    return true;
}
