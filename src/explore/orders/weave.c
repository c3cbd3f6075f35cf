/* The search itself: replaying the prefix, going on, and what an execution shows when it has ended
 * (paper 002, Figs. 11, 16 and 18). */
#include "explore/orders/alike.h"
#include "explore/orders/lift.h"
#include "explore/orders/reduction.h"
#include "explore/orders/restrict.h"

#include "base/hash.h"
#include "base/panic.h"
#include "base/reserve.h"

#define ESTIMATE_EVERY 256 /* executions */

/* ---- sets that are kept from one execution to the next (Z2) ---- */

static void mark_action(const hd_action *a) {
    if (hd_kind_is(a->kind, HD_KIND_ENDS | HD_KIND_STARTS))
        hd_set_mark((hd_set){a->expected});
}

/* What nodes of wakeup trees do, whoever has the trees. */
static void mark_shared(const hd_shared_actions *all) {
    for (size_t i = 1; i < all->at.n; i++)
        if (all->at.at[i].n_holders)
            mark_action(&all->at.at[i].action);
}

static void mark_nodes(const hd_weave_node *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hd_set_mark(at[i].enabled);
        hd_set_mark(at[i].todo);
        hd_set_mark(at[i].done);
        hd_set_mark(at[i].asleep);
    }
}

/* Between two executions: who waited at the end of the last one is not asked any more. */
static void mark_sets(void *weave) {
    const hd_weave *w = weave;
    mark_nodes(w->nodes.at, w->nodes.n);
    mark_nodes(w->saved_rest.at, w->saved_rest.n);
    mark_shared(&w->wakeups.actions);
    for (size_t i = 0; i < w->log.at.n; i++)
        mark_action(&w->log.at.at[i].action);
    for (size_t i = 0; i < w->sleepers.n; i++)
        mark_action(&w->sleepers.at[i].action);
    for (size_t i = 0; i < w->held.n; i++)
        mark_action(&w->held.at[i].action);
    for (size_t i = 0; i < w->given.n; i++)
        mark_action(&w->given.at[i].action);
}

void *hd_weave_new(hd_explorer *x) {
    /* Tables by thread make it 3 MB, of which few pages are used: tests have searches by the
     * thousand. */
    hd_weave *w = hd_reserve_new(sizeof *w, false);
    w->x = x;
    w->chosen = HD_NO_EVENT;
    w->draws = x->options.strategy == HD_STRATEGY_RANDOM_DFS;
    w->bound = x->options.bounds_preemptions ? 0 : -1;
    hd_reduce_set(w);
    hd_events_init(&w->log);
    hd_wakeups_init(&w->wakeups);
    hd_sets_add_marker(mark_sets, w);
    return w;
}

void hd_weave_assume(void *search, const hd_expr *conditions, uint32_t n) {
    hd_restrict_give(search, conditions, n);
}

void hd_weave_free(void *search) {
    hd_weave *w = search;
    hd_sets_remove_marker(mark_sets, w);
    hd_events_release(&w->log);
    hd_wakeups_release(&w->wakeups);
    hd_vec_release(&w->nodes);
    hd_vec_release(&w->lines);
    hd_vec_release(&w->rounds);
    hd_vec_release(&w->sleepers);
    hd_vec_release(&w->decisions);
    hd_vec_release(&w->told);
    hd_vec_release(&w->steps);
    hd_vec_release(&w->step_outcomes);
    hd_vec_release(&w->outcomes);
    hd_vec_release(&w->explored);
    hd_vec_release(&w->way);
    hd_vec_release(&w->way_actions);
    hd_vec_release(&w->asleep);
    hd_vec_release(&w->needed);
    hd_eval_free(w->eval);
    hd_vec_release(&w->races);
    hd_vec_release(&w->change_points);
    hd_vec_release(&w->saved_threads);
    hd_vec_release(&w->saved_ways);
    hd_vec_release(&w->saved_rest);
    hd_vec_release(&w->held);
    hd_vec_release(&w->held_numbers);
    hd_vec_release(&w->priorities);
    hd_map_release(&w->seen_races);
    hd_map_release(&w->seen_classes);
    hd_vec_release(&w->new_classes);
    hd_vec_release(&w->new_races);
    hd_vec_release(&w->given);
    hd_text_release(&w->asked);
    hd_map_release(&w->was_asked);
    hd_map_release(&w->private_assumptions);
    hd_model_release(&w->model);
    hd_reserve_free(w, sizeof *w);
}

/* ---- states ---- */

#define TO(state) (1u << HD_WEAVE_##state)

/* What may follow each state. */
static const uint16_t may_follow[HD_N_WEAVE_STATES] = {
    [HD_WEAVE_READY] = TO(RUNNING) | TO(SAVED) | TO(ANEW),    /* the last two by restore() */
    [HD_WEAVE_RETRYING] = TO(RUNNING) | TO(READY) | TO(ANEW), /* the last by begin_anew() */
    [HD_WEAVE_ANEW] = TO(RUNNING),
    [HD_WEAVE_SAVED] = TO(REBUILDING) | TO(GIVEN),
    [HD_WEAVE_GIVEN] = TO(RUNNING),
    [HD_WEAVE_RUNNING] = TO(READY) | TO(RETRYING) | TO(ANEW) | TO(WAITING) | TO(STRAYED),
    [HD_WEAVE_REBUILDING] = TO(READY) | TO(LOST),
    [HD_WEAVE_WAITING] = TO(RETRYING) | TO(ANEW),
    [HD_WEAVE_STRAYED] = TO(READY) | TO(ANEW),
    [HD_WEAVE_LOST] = TO(READY),
};

void hd_weave_enter(hd_weave *w, hd_weave_state state) {
    HD_ASSERT(state < HD_N_WEAVE_STATES);
    HD_INVARIANT(V3, may_follow[w->state] >> state & 1);
    w->state = state;
}

static bool has_strayed(const hd_weave *w) {
    return w->state >= HD_WEAVE_STRAYED;
}

/* ---- events ---- */

/* The execution does not repeat what it should: the program is not deterministic, or a value that
 * became concrete has changed. */
static uint32_t stray(hd_weave *w, uint32_t site) {
    if (w->state == HD_WEAVE_RUNNING || w->state == HD_WEAVE_REBUILDING) {
        hd_weave_enter(w, w->state == HD_WEAVE_RUNNING ? HD_WEAVE_STRAYED : HD_WEAVE_LOST);
        w->x->counters.mispredicted++;
        hd_explorer_lose(w->x, site, true);
    }
    return HD_SCHEDULE_STOP;
}

static bool is_same_action(const hd_action *a, const hd_action *b) {
    return a->kind == b->kind && a->site == b->site && a->flags == b->flags &&
           a->n_accesses == b->n_accesses &&
           (a->n_accesses == 0 || a->access[0].address == b->access[0].address);
}

static uint32_t replay_event(hd_weave *w, hd_threads *threads) {
    const hd_action *a = hd_event_action(&w->log, w->n_events);
    hd_action *now = &threads->action[a->thread];
    if (!hd_set_has(threads->alive, a->thread))
        return stray(w, a->site);
    if (a->flags & HD_ACTION_WAITS && w->decisions.n &&
        !hd_set_has(hd_threads_enabled(threads), a->thread))
        return stray(w, a->site);
    hd_threads_settle(threads, a->thread);
    if (!is_same_action(a, now))
        return stray(w, now->site);
    w->n_events++;
    return a->thread;
}

/* In place, as all that is made for each event: to copy what was written a moment ago is slow. */
static void push_node(hd_weave *w) {
    uint32_t n = (uint32_t)w->nodes.n;
    HD_CHECK_INVARIANT(V1, n == w->log.at.n);
    hd_vec_reserve(&w->nodes, (size_t)n + 1);
    hd_weave_node *node = &w->nodes.at[w->nodes.n++];
    *node = (hd_weave_node){.sleep = HD_NO_EVENT};
    if (n)
        hd_reduce_sleep_after(w, n - 1, node);
    if (w->given.n && n <= w->given.at[w->given.n - 1].event)
        hd_lift_put_to_sleep(w, n);
    node->n_sleepers = (uint32_t)w->sleepers.n;
    HD_CHECK_INVARIANT(V1, !n || node->n_sleepers >= w->nodes.at[n - 1].n_sleepers);
}

/* --reads-conflict: reads are entered as writes. */
static void append_event(hd_weave *w, const hd_threads *threads, uint32_t t) {
    hd_action a = threads->action[t];
    for (unsigned i = 0; i < a.n_accesses; i++)
        a.access[i].mode = a.access[i].mode == HD_MODE_READ ? HD_MODE_WRITE : a.access[i].mode;
    hd_events_append(&w->log, &a, threads->n);
}

/* Attempts with a time limit, whose timeouts are bounded in number. */
static bool is_timed(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_TIMED);
}

/* A signal may have let it go on. */
static bool may_be_interrupted(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address >= HD_TOKEN_SIGNAL(0) && a->access[i].address < HD_TOKEN_SIGNALS)
            return true;
    return false;
}

/* The thread that was to go on waits: known since it was chosen, if it waits in a loop (spin.c), or
 * because it has had all its timeouts, which is said as a bound, or because it looks at some queues
 * of a process only, and at which is not known (queues.h). */
static uint32_t cannot_go_on(hd_weave *w, hd_weave_node *node, const hd_action *a) {
    bool may_wait = a->flags & HD_ACTION_SPINS || is_timed(a) ||
                    hd_kind_is(a->kind, HD_KIND_POLLS) || may_be_interrupted(a);
    if (!may_wait || w->state == HD_WEAVE_REBUILDING)
        return stray(w, a->site);
    node->enabled = hd_set_without(node->enabled, a->thread);
    node->todo = hd_set_without(node->todo, a->thread);
    hd_weave_enter(w, HD_WEAVE_WAITING);
    return HD_SCHEDULE_STOP;
}

static void note_waiting(hd_weave *w, const hd_threads *threads, hd_thread_set waiting) {
    w->stuck.alive = waiting;
    uint32_t t;
    HD_SET_EACH(t, waiting) {
        w->stuck.action[t] = threads->action[t];
    }
}

/* The program has inputs. */
static void note_content(hd_weave *w, hd_threads *threads, uint32_t t) {
    hd_expr content = hd_threads_content(threads, t);
    if (content)
        hd_events_note_content(&w->log, content);
}

/* Without a look at all others, if that can be. */
static bool can_go_on(hd_threads *threads, uint32_t t) {
    return (threads->first && threads->first(threads, hd_set_of(t)) == t) ||
           hd_set_has(hd_threads_enabled(threads), t);
}

/* Who sleeps in the state stands before what it was put to sleep with: nothing that ran since then
 * concerned it. */
static bool are_sleepers_untouched(const hd_weave *w, const hd_weave_node *node,
                                   const hd_threads *threads) {
    for (uint32_t s = node->sleep; s != HD_NO_EVENT; s = w->sleepers.at[s].next) {
        const hd_action *a = &w->sleepers.at[s].action, *now = &threads->action[a->thread];
        if (hd_set_has(threads->alive, a->thread) && (now->kind != a->kind || now->site != a->site))
            return false;
    }
    return true;
}

static uint32_t new_event(hd_weave *w, hd_threads *threads) {
    uint32_t n = w->n_events;
    if (w->nodes.n == n)
        push_node(w);
    hd_weave_node *node = &w->nodes.at[n];
    uint32_t t = w->chosen;
    bool is_enabled = false; /* for sure */
    if (w->state == HD_WEAVE_REBUILDING)
        t = n < w->saved_threads.n                         ? w->saved_threads.at[n]
            : hd_set_is_empty(hd_threads_enabled(threads)) ? HD_SCHEDULE_STUCK
                                                           : HD_SCHEDULE_STOP;
    else if (t == HD_NO_EVENT) {
        is_enabled = w->tree == HD_NO_WAKEUP; /* chosen from those that are */
        t = w->rules->choose(w, node, threads);
    }
    w->chosen = HD_NO_EVENT;
    if (t >= HD_MAX_THREADS)
        return t;
    HD_CHECK(w->state == HD_WEAVE_REBUILDING || !hd_set_has(node->asleep, t));
    HD_CHECK(w->state == HD_WEAVE_REBUILDING || are_sleepers_untouched(w, node, threads));
    if (!hd_set_has(threads->alive, t))
        return stray(w, threads->action[t].site);
    if (!is_enabled && threads->action[t].flags & HD_ACTION_WAITS && !can_go_on(threads, t))
        return cannot_go_on(w, node, &threads->action[t]);
    hd_threads_settle(threads, t);
    if (hd_kind_is(threads->action[t].kind, HD_KIND_TIME))
        hd_reduce_note_held(w, threads);
    if (w->x->options.reads_conflict)
        append_event(w, threads, t);
    else
        hd_events_append(&w->log, &threads->action[t], threads->n);
    if (hd_kind_is(threads->action[t].kind, HD_KIND_ENDS)) {
        hd_thread_set stopped = hd_reduce_note_ended(w, threads, t);
        note_waiting(w, threads, hd_set_without(hd_set_minus(threads->alive, stopped), t));
    }
    if (threads->content)
        note_content(w, threads, t);
    w->n_events++;
    HD_CHECK_INVARIANT(V1, w->log.at.n == w->n_events && w->nodes.n == w->n_events);
    return t;
}

/* The machine followed the script as far as this. */
static void catch_up(hd_weave *w) {
    HD_ASSERT(w->script.n_done <= w->n_replayed);
    if (w->script.n_done > w->n_events)
        w->n_events = w->script.n_done;
}

/* The last event was a section, of which it is known now what it did. */
static void note_inner(hd_weave *w, hd_threads *threads) {
    if (threads->inner.event + 1 == w->n_events && w->n_events > w->n_replayed)
        hd_events_note_inner(&w->log, &threads->inner);
    threads->inner.n = 0;
}

static uint32_t schedule(void *context, hd_threads *threads) {
    hd_weave *w = context;
    if (has_strayed(w) || w->foreign)
        return HD_SCHEDULE_STOP;
    w->log.threads = threads;
    catch_up(w);
    if (threads->inner.n)
        note_inner(w, threads);
    uint32_t t = w->n_events < w->n_replayed ? replay_event(w, threads) : new_event(w, threads);
    if (t == HD_SCHEDULE_STUCK || t == HD_SCHEDULE_VAIN ||
        (t == HD_SCHEDULE_STOP && !has_strayed(w)))
        note_waiting(w, threads, hd_set_minus(threads->alive, hd_threads_enabled(threads)));
    return t;
}

/* Events that were told are repeated, and nothing of them is new to the log. */
static void again(void *context) {
    hd_weave *w = context;
    catch_up(w);
    HD_INVARIANT(V1, w->n_events == w->log.at.n && w->n_events >= w->n_replayed);
    w->n_replayed = w->n_events;
    w->n_events = 0;
    hd_weave_write_script(w);
}

/* ---- decisions ---- */

static bool has_other_way(hd_branch_kind kind, bool taken) {
    return !(kind == HD_BRANCH_ASSUME && taken) && kind != HD_BRANCH_SPENT;
}

/* Are decisions that are made now somebody else's? */
static bool is_lifted(const hd_weave *w) {
    return w->n_events < w->floor;
}

void hd_weave_push_decision(hd_weave *w, hd_decision d) {
    HD_CHECK_INVARIANT(V1, w->decisions.n == w->n_decisions && d.at <= w->nodes.n);
    HD_INVARIANT(V1, !w->decisions.n || w->decisions.at[w->decisions.n - 1].at <= d.at);
    hd_path_push(w->x->path, hd_explorer_oriented(w->x, d.condition, d.way));
    hd_vec_push(&w->decisions, d);
    w->n_decisions++;
    HD_INVARIANT(V1, hd_path_length(w->x->path) == w->decisions.n);
}

/* Decision n_decisions is repeated; its condition may be another expression if a value that
 * it is made of became concrete. */
static void repeat_decision(hd_weave *w, uint32_t site, hd_expr condition, bool taken) {
    uint32_t n = w->n_decisions++;
    HD_INVARIANT(V1, n < w->decisions.n);
    hd_decision *d = &w->decisions.at[n];
    if (d->site != site || d->way != taken || d->at != w->n_events) {
        stray(w, site);
        return;
    }
    if (d->condition != condition || hd_path_length(w->x->path) <= n) {
        d->condition = condition;
        hd_path_truncate(w->x->path, n);
        hd_path_push(w->x->path, hd_explorer_oriented(w->x, condition, taken));
    }
}

/* Before the first event there is main only. */
static uint32_t running_thread(const hd_weave *w) {
    return w->log.threads && w->n_events ? w->log.threads->current : 0;
}

static void branch(void *context, uint32_t site, hd_expr condition, bool taken,
                   hd_branch_kind kind) {
    hd_weave *w = context;
    hd_explorer *x = w->x;
    if (has_strayed(w) || w->foreign)
        return;
    if (hd_restrict_is_spent(w, condition, kind)) {
        catch_up(w);
        w->foreign = condition;
        return;
    }
    if (x->options.depth && w->n_decisions >= x->options.depth) {
        w->hit_bound = true;
        return;
    }
    catch_up(w);
    hd_expr holds = hd_explorer_oriented(x, condition, taken);
    if (w->n_events > 0 && !w->has_inner_decisions)
        w->has_inner_decisions = !hd_alike_has(w, holds);
    uint32_t since = kind == HD_BRANCH_SPENT && w->log.threads ? w->log.threads->spent_since : 0;
    hd_vec_push(&w->told, ((hd_told_decision){w->n_events, site, taken, (uint8_t)kind, condition,
                                              since, running_thread(w)}));
    if (hd_path_contains(x->path, w->n_decisions, holds))
        return; /* decided by an earlier decision: not a choice */
    if (w->n_decisions < w->n_redecided) {
        repeat_decision(w, site, condition, taken);
        return;
    }
    hd_weave_push_decision(w, (hd_decision){.at = w->n_events,
                                            .site = site,
                                            .condition = condition,
                                            .way = taken,
                                            .is_open = has_other_way(kind, taken) && !is_lifted(w),
                                            .kind = (uint8_t)kind,
                                            .thread = running_thread(w)});
}

hd_sink hd_weave_sink(void *search) {
    hd_weave *w = search;
    return (hd_sink){.context = w,
                     .branch = branch,
                     .schedule = schedule,
                     .again = w->x->options.sampling ? NULL : again,
                     .learns = !w->x->options.sampling,
                     .script = &w->script};
}

/* ---- the end of an execution ---- */

static void report_races(hd_weave *w) {
    for (size_t i = w->log.races.n; i-- > 0;) {
        const hd_racing *r = &w->log.races.at[i];
        if (r->second < w->n_treated)
            break;
        hd_race race;
        if (!hd_events_data_race(&w->log, r, race.action))
            continue;
        race.event[0] = r->first;
        race.event[1] = r->second;
        uint32_t a = race.action[0].site, b = race.action[1].site, low = a < b ? a : b;
        uint64_t key = (uint64_t)(a ^ b ^ low) << 32 | low;
        if (hd_map_find(&w->seen_races, key))
            continue;
        hd_map_put(&w->seen_races, key, 1);
        hd_vec_push(&w->new_races, key);
        hd_vec_push(&w->races, race);
        w->x->counters.races++;
    }
}

/* Reductions that may run a class more than once count distinct ones.  Of a restricted search
 * others may run the same class (restrict.h), and so may rivals (names_paths); so may, with faults,
 * the parts of a search that choices of faults divide. */
static bool is_new_class(hd_weave *w) {
    bool is_alone = !w->n_restrictions && !w->x->options.names_paths;
    if (w->rules->is_once && is_alone && !w->x->options.n_faults)
        return true;
    uint64_t key = hd_weave_hash(w) & INT64_MAX;
    if (hd_map_find(&w->seen_classes, key))
        return false;
    if (!w->rules->is_once)
        hd_map_put(&w->seen_classes, key, 1);
    hd_vec_push(&w->new_classes, key);
    return true;
}

static void count(hd_weave *w, const hd_outcome *outcome) {
    hd_explorer_counters *c = &w->x->counters;
    c->executions++;
    c->events += w->n_events;
    if (w->n_events > c->longest)
        c->longest = w->n_events;
    if (outcome->n_cut_places > c->cut_places)
        c->cut_places = outcome->n_cut_places;
    if (w->n_decisions - w->n_restrictions > c->deepest)
        c->deepest = w->n_decisions - w->n_restrictions;
    c->bounded += w->hit_bound;
    c->rejected += outcome->end == HD_END_REJECTED && !w->foreign;
    if (outcome->end == HD_END_STOPPED || w->foreign)
        c->redundant++;
    else if (outcome->end != HD_END_REJECTED)
        c->paths += is_new_class(w);
    HD_CHECK(c->paths + c->rejected + c->redundant <= c->executions);
}

/* An execution that ends before it has repeated all that it should has strayed too: nobody asks who
 * is next there.  One that found out that a loop waits is run again in any case. */
static void notice_early_end(hd_weave *w, const hd_outcome *outcome) {
    if (w->state != HD_WEAVE_RUNNING || w->foreign || outcome->end == HD_END_RETRY)
        return;
    if (w->n_events < w->n_replayed)
        stray(w, hd_event_action(&w->log, w->n_events)->site);
    else if (w->n_decisions < w->n_redecided)
        stray(w, w->decisions.at[w->n_decisions].site);
}

/* Only what was executed is kept. */
static void cut_to_execution(hd_weave *w, const hd_outcome *outcome) {
    catch_up(w);
    notice_early_end(w, outcome);
    if (w->log.threads && w->log.threads->inner.n)
        note_inner(w, w->log.threads);
    hd_weave_cut_rest(w);
}

/* Is the thread's last event the first one that was tried where it is?  Then nothing has been
 * concluded from it. */
static bool is_first_child(const hd_weave *w, uint32_t thread) {
    uint32_t e = hd_event_last(&w->log, thread);
    return e != HD_NO_EVENT && e >= w->n_common && w->tree == HD_NO_WAKEUP &&
           hd_set_is_empty(w->nodes.at[e].done) && w->nodes.at[e].tree == HD_NO_WAKEUP;
}

/* The machine found out that a loop waits. */
static void learn_waiting(hd_weave *w, const hd_outcome *outcome) {
    bool starts_anew = outcome->retry_thread == HD_RETRY_ALL ||
                       (!outcome->new_round && !is_first_child(w, outcome->retry_thread));
    if (!starts_anew && outcome->new_round)
        hd_vec_push(&w->rounds, outcome->new_round);
    if (w->x->options.sampling || w->state == HD_WEAVE_STRAYED) {
        hd_weave_enter(w, HD_WEAVE_READY); /* a sample that only showed that a loop waits */
        return;
    }
    if (starts_anew)
        hd_weave_enter(w, HD_WEAVE_ANEW);
    else
        hd_weave_take_back(w, outcome->retry_thread);
    w->x->counters.open = 1;
}

/* Has no state both sequences and threads left, of which the rules in force look at one only? */
static bool has_one_kind_left(const hd_weave *w) {
    for (size_t i = 0; i < w->nodes.n; i++)
        if (w->rules->untried && w->nodes.at[i].tree != HD_NO_WAKEUP)
            return false;
    return true;
}

/* An execution has ended that counts.  What it says may be that the search starts anew. */
static void conclude(hd_weave *w, const hd_outcome *outcome) {
    hd_explorer_counters *c = &w->x->counters;
    HD_INVARIANT(V1, w->nodes.n >= w->log.at.n);
    count(w, outcome);
    report_races(w);
    if (w->rules->conclude)
        w->rules->conclude(w);
    HD_CHECK_INVARIANT(R1, has_one_kind_left(w));
    bool shares_in_vain = hd_alike_is_in_vain(w) || hd_restrict_is_in_vain(w);
    if (w->state != HD_WEAVE_ANEW)
        hd_weave_enter(w, shares_in_vain ? HD_WEAVE_ANEW : HD_WEAVE_READY);
    if (c->executions % ESTIMATE_EVERY == 0 && !w->x->options.sampling)
        c->estimate = hd_weave_estimate(w);
    c->open = w->x->options.sampling || hd_weave_has_open(w);
}

void hd_weave_done(void *search, const hd_outcome *outcome, const hd_model *model) {
    hd_weave *w = search;
    HD_INVARIANT(S1, w->state >= HD_WEAVE_RUNNING);
    hd_model_copy(&w->model, model);
    if (w->foreign)
        hd_restrict_mend(w);
    cut_to_execution(w, outcome);
    if (w->state == HD_WEAVE_REBUILDING || w->state == HD_WEAVE_LOST) {
        hd_weave_rebuilt(w);
        hd_weave_enter(w, HD_WEAVE_READY);
        w->x->counters.open = hd_weave_has_open(w); /* a journal does not say */
    } else if (outcome->end == HD_END_RETRY)
        learn_waiting(w, outcome);
    else if (w->state == HD_WEAVE_WAITING) { /* the state before it gets another child */
        hd_weave_enter(w, HD_WEAVE_RETRYING);
        w->carried = w->n_treated;
        w->x->counters.open = 1;
    } else
        conclude(w, outcome);
}

/* ---- what the explorer asks ---- */

void hd_weave_begin_anew(void *search) {
    hd_weave *w = search;
    if (w->state != HD_WEAVE_ANEW)
        hd_weave_enter(w, HD_WEAVE_ANEW);
}

void hd_weave_take_classes(void *search, hd_text *out) {
    hd_weave *w = search;
    for (size_t i = 0; i < w->new_classes.n; i++)
        hd_pack_u64(out, w->new_classes.at[i]);
    hd_vec_clear(&w->new_classes);
}

void hd_weave_take_races(void *search, hd_text *out) {
    hd_weave *w = search;
    for (size_t i = 0; i < w->new_races.n; i++)
        hd_pack_u64(out, w->new_races.at[i]);
    hd_vec_clear(&w->new_races);
}

uint64_t hd_weave_hash(void *search) {
    hd_weave *w = search;
    uint64_t sum = hd_events_class_hash(&w->log);
    uint64_t step = 0;
    for (size_t i = 0; i < w->told.n; i++) {
        const hd_told_decision *d = &w->told.at[i];
        if (i == 0 || d->at != w->told.at[i - 1].at) {
            const hd_logged *l = d->at ? &w->log.at.at[d->at - 1] : NULL;
            step = l ? hd_hash_add(l->action.thread, l->nth) : 0;
        }
        step = hd_hash_add(step, (uint64_t)d->site << 1 | d->way);
        sum += step;
    }
    return hd_mix(sum);
}

/* Children of the state before event e that are known and were not begun. */
static uint32_t count_left(const hd_weave *w, uint32_t e) {
    const hd_weave_node *node = &w->nodes.at[e];
    hd_thread_set tried = hd_set_with(node->done, hd_event_action(&w->log, e)->thread);
    return hd_wakeups_width(&w->wakeups, node->tree) +
           hd_set_count(w->rules->untried ? w->rules->untried(w, node, tried)
                                          : hd_set_minus(node->todo, tried));
}

/* How much of the search lies behind: each state on the path has given equal shares to its
 * children, and those already run are done (a guess that gets better with time). */
double hd_weave_estimate(const hd_weave *w) {
    double share = 1, done = 0;
    size_t d = 0;
    for (size_t e = 0; e <= w->log.at.n; e++) {
        for (; d < w->decisions.n && w->decisions.at[d].at <= e; d++)
            if (w->decisions.at[d].is_open)
                share /= 2;
        if (e == w->log.at.n || e >= w->nodes.n)
            break;
        uint32_t left = count_left(w, (uint32_t)e), behind = hd_set_count(w->nodes.at[e].done);
        done += share * behind / (left + behind + 1);
        share /= left + behind + 1;
    }
    done += share;
    return done > 0 ? (double)w->x->counters.paths / done : 0;
}

/* Decisions that follow from an earlier one are left out, but not those that follow from a
 * restriction: a path is called the same in every part that comes to it. */
void hd_weave_print_path(const void *search, hd_text *out) {
    const hd_weave *w = search;
    hd_map seen = {0};
    bool is_first = true;
    for (size_t i = 0; i < w->told.n; i++) {
        const hd_told_decision *d = &w->told.at[i];
        hd_expr holds = hd_explorer_oriented(w->x, d->condition, d->way);
        if (hd_map_find(&seen, holds))
            continue;
        hd_map_put(&seen, holds, 1);
        hd_text_add(out, "%s%u%c", is_first ? "" : " ", d->site, d->way ? '+' : '-');
        is_first = false;
    }
    hd_map_release(&seen);
}

void hd_weave_print_schedule(const void *search, hd_text *out) {
    const hd_events *log = &((const hd_weave *)search)->log;
    for (uint32_t e = 0, n; e < log->at.n; e += n) {
        uint32_t thread = hd_event_action(log, e)->thread;
        for (n = 1; e + n < log->at.n && hd_event_action(log, e + n)->thread == thread;)
            n++;
        hd_text_add(out, n > 1 ? "%s%u*%u" : "%s%u", e ? " " : "", thread, n);
    }
}

const hd_race *hd_weave_races(const void *search, uint32_t *n) {
    const hd_weave *w = search;
    *n = (uint32_t)w->races.n;
    return w->races.at;
}

bool hd_weave_is_exhausted(const void *search) {
    const hd_weave *w = search;
    const hd_explorer_counters *c = &w->x->counters;
    return w->state == HD_WEAVE_READY && !w->x->options.sampling && !c->open && !c->preempted_away;
}

bool hd_weave_is_rebuilding(const void *search) {
    hd_weave_state state = ((const hd_weave *)search)->state;
    return state == HD_WEAVE_SAVED || state == HD_WEAVE_REBUILDING || state == HD_WEAVE_LOST;
}

void hd_weave_compact(void *search) {
    hd_weave *w = search;
    hd_explorer *x = w->x;
    hd_vec(hd_expr *) roots = {0};
    for (size_t i = 0; i < w->decisions.n; i++)
        hd_vec_push(&roots, &w->decisions.at[i].condition);
    if (w->waiting_restriction)
        hd_vec_push(&roots, &w->waiting_restriction);
    for (size_t i = 0; i < w->sleepers.n; i++)
        if (w->sleepers.at[i].scope)
            hd_vec_push(&roots, &w->sleepers.at[i].scope);
    for (size_t i = 0; i < w->explored.n; i++)
        if (w->explored.at[i].scope)
            hd_vec_push(&roots, &w->explored.at[i].scope);
    for (size_t i = 0; i < w->wakeups.at.n; i++)
        for (int k = 0; k < 2; k++) {
            hd_wakeup_node *node = &w->wakeups.at.at[i];
            hd_expr *of = k ? &node->scope : &node->outcome;
            if (*of)
                hd_vec_push(&roots, of);
        }
    for (size_t i = 0; i < w->log.contents.n; i++)
        hd_vec_push(&roots, &w->log.contents.at[i].content);
    for (size_t i = 0; i < w->log.inner.n; i++)
        if (w->log.inner.at[i].access.content)
            hd_vec_push(&roots, &w->log.inner.at[i].access.content);
    hd_map_clear(&w->private_assumptions); /* by numbers of expressions */
    hd_path_truncate(x->path, 0);
    hd_graph_compact(x->graph, roots.at, (uint32_t)roots.n);
    hd_chain_forget(x->chain);
    for (size_t i = 0; i < w->decisions.n; i++)
        hd_path_push(x->path,
                     hd_explorer_oriented(x, w->decisions.at[i].condition, w->decisions.at[i].way));
    HD_INVARIANT(V1, hd_path_length(x->path) == w->decisions.n);
    hd_vec_release(&roots);
}

const hd_search hd_search_weave = HD_SEARCH_ROW(hd_weave);
