/* What all reductions share: sleepers, new states, sets of threads that are left, the end of an
 * execution; and which rules are in force. */
#include "explore/orders/reduction.h"

#include "base/panic.h"

static const hd_rules *const rules[] = {
#define X(name, rules, text, words) [HD_REDUCTION_##name] = &hd_rules_##rules,
    HD_REDUCTIONS(X)
#undef X
};

void hd_reduce_set(hd_weave *w) {
    const hd_rules *wanted = rules[w->x->options.reduction];
    bool falls_back = w->has_fallen_back && wanted->is_once;
    w->rules = w->x->options.sampling ? &hd_rules_sample
               : w->bound >= 0        ? &hd_rules_bounded
               : falls_back           ? &hd_rules_dpor
                                      : wanted;
    HD_ASSERT(w->rules->choose && !w->rules->keep == !w->rules->give &&
              !w->rules->leave == !w->rules->give);
    HD_INVARIANT(R1, !w->rules->untried == !w->rules->has_next);
}

/* ---- sleep ---- */

void hd_reduce_add_sleeper(hd_weave *w, hd_weave_node *node, const hd_action *a, hd_expr scope) {
    HD_CHECK(node->sleep == HD_NO_EVENT || node->sleep < w->sleepers.n);
    HD_CHECK(scope || !hd_set_has(node->asleep, a->thread)); /* once is enough */
    hd_vec_reserve(&w->sleepers, w->sleepers.n + 1);
    hd_sleeper *z = &w->sleepers.at[w->sleepers.n];
    hd_action_copy(&z->action, a);
    z->scope = scope;
    z->next = node->sleep;
    node->sleep = (uint32_t)w->sleepers.n++;
    if (!scope)
        node->asleep = hd_set_with(node->asleep, a->thread);
}

/* Does nothing sleep that the event would wake, and is `asleep` who sleeps for all inputs? */
static bool sleeps_rightly(const hd_weave *w, const hd_weave_node *node,
                           const hd_action *executed) {
    hd_thread_set asleep = HD_SET_EMPTY;
    for (uint32_t s = node->sleep; s != HD_NO_EVENT; s = w->sleepers.at[s].next) {
        const hd_sleeper *z = &w->sleepers.at[s];
        if (z->action.thread == executed->thread || hd_actions_conflict(&z->action, executed))
            return false;
        asleep = z->scope ? asleep : hd_set_with(asleep, z->action.thread);
    }
    return hd_set_equal(asleep, node->asleep);
}

void hd_reduce_sleep_after(hd_weave *w, uint32_t e, hd_weave_node *next) {
    const hd_weave_node *node = &w->nodes.at[e];
    HD_CHECK(e < w->log.at.n && next->sleep == HD_NO_EVENT);
    if (node->sleep == HD_NO_EVENT)
        return;
    const hd_action *executed = hd_event_action(&w->log, e);
    bool all = true;
    for (uint32_t s = node->sleep; s != HD_NO_EVENT && all; s = w->sleepers.at[s].next)
        all = hd_stays_asleep(&w->sleepers.at[s].action, executed);
    if (all) {
        next->sleep = node->sleep;
        next->asleep = node->asleep;
        HD_CHECK(sleeps_rightly(w, next, executed));
        return;
    }
    hd_vec_reserve(&w->sleepers, 2 * w->sleepers.n); /* so that they stay where they are */
    for (uint32_t s = node->sleep; s != HD_NO_EVENT; s = w->sleepers.at[s].next) {
        const hd_sleeper *z = &w->sleepers.at[s];
        if (hd_stays_asleep(&z->action, executed))
            hd_reduce_add_sleeper(w, next, &z->action, z->scope);
    }
    HD_CHECK(sleeps_rightly(w, next, executed));
}

/* ---- new states ---- */

/* Has the thread done nothing else for long before event `end` than the same few accesses?  Then it
 * may be waiting for another in a way that nobody recognised. */
bool hd_reduce_goes_round(const hd_weave *w, uint32_t thread, uint32_t end) {
    uint64_t seen[HD_FEW_ACCESSES];
    uint32_t n_seen = 0;
    HD_ASSERT(end <= w->log.at.n);
    if (end < HD_LONG_RUN)
        return false;
    for (uint32_t e = end - HD_LONG_RUN; e < end; e++) {
        const hd_action *a = hd_event_action(&w->log, e);
        if (a->thread != thread)
            return false;
        uint64_t what = (uint64_t)a->site << 32 ^ (a->n_accesses ? a->access[0].address : 0);
        uint32_t i = 0;
        while (i < n_seen && seen[i] != what)
            i++;
        if (i == HD_FEW_ACCESSES)
            return false;
        if (i == n_seen)
            seen[n_seen++] = what;
    }
    return true;
}

/* A thread behind an iteration in vain (SPIN) never goes on: an iteration that changes nothing can
 * as well be left out, and the order without it is another one that is explored.  So every class is
 * one without such iterations.  If nothing but this is left to do, the execution is no class; if
 * nothing has changed for the thread either, it would wait for ever, and nobody is left. */
static hd_thread_set without_vain(const hd_threads *threads, hd_thread_set enabled) {
    if (!threads->may_spin)
        return enabled;
    uint32_t t;
    HD_SET_EACH(t, enabled)
    if (hd_kind_is(threads->action[t].kind, HD_KIND_VAIN))
        enabled = hd_set_without(enabled, t);
    return enabled;
}

uint32_t hd_reduce_choose_first(const hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    if (w->draws || !threads->first || threads->may_spin ||
        hd_reduce_has_run_long(w, threads->current))
        return HD_MAX_THREADS;
    uint32_t t = HD_MAX_THREADS, same = threads->current;
    if (hd_set_has(threads->alive, same) && !hd_set_has(node->asleep, same))
        t = threads->first(threads, hd_set_of(same));
    if (t >= HD_MAX_THREADS)
        t = threads->first(threads, hd_set_minus(threads->alive, node->asleep));
    HD_CHECK(t >= HD_MAX_THREADS ||
             (hd_set_has(threads->alive, t) && !hd_set_has(node->asleep, t)));
    if (t < HD_MAX_THREADS)
        node->todo = hd_set_of(t);
    return t;
}

hd_thread_set hd_reduce_enabled(hd_weave_node *node, hd_threads *threads, uint32_t *end) {
    hd_thread_set all = hd_threads_enabled(threads);
    node->enabled = without_vain(threads, all);
    HD_CHECK_INVARIANT(E5, hd_set_is_empty(hd_set_minus(all, threads->alive)));
    *end = hd_set_is_empty(all) ? HD_SCHEDULE_STUCK : HD_SCHEDULE_VAIN;
    return node->enabled;
}

uint32_t hd_reduce_draw(hd_weave *w, hd_thread_set among) {
    HD_ASSERT(!hd_set_is_empty(among));
    uint64_t n = hd_random_next(&w->x->random) % hd_set_count(among);
    uint32_t t;
    HD_SET_EACH(t, among)
    if (n-- == 0)
        return t;
    return hd_set_first(among);
}

/* A thread that has run long gives way: any order will do, so nothing is lost by that. */
uint32_t hd_reduce_choose_awake(hd_weave *w, hd_weave_node *node, const hd_threads *threads,
                                hd_thread_set enabled) {
    hd_thread_set awake = hd_set_minus(enabled, node->asleep);
    if (hd_set_is_empty(awake))
        return HD_SCHEDULE_STOP;
    hd_thread_set others = hd_set_without(awake, threads->current);
    bool gives_way = !hd_set_is_empty(others) && hd_reduce_has_run_long(w, threads->current);
    uint32_t t = w->draws ? hd_reduce_draw(w, awake)
                          : hd_reduce_prefer_same(threads, gives_way ? others : awake);
    HD_CHECK(hd_set_has(awake, t));
    node->todo = hd_set_of(t);
    return t;
}

/* ---- what is left in sets ---- */

hd_thread_set hd_reduce_awake_todo(const hd_weave *w, const hd_weave_node *node,
                                   hd_thread_set tried) {
    (void)w;
    return hd_set_minus(hd_set_minus(node->todo, tried), node->asleep);
}

hd_thread_set hd_reduce_candidates(const hd_weave *w, const hd_weave_node *node, uint32_t e) {
    hd_thread_set tried = hd_set_with(node->done, hd_event_action(&w->log, e)->thread);
    hd_thread_set left = w->rules->untried(w, node, tried);
    HD_CHECK(!hd_set_meets(left, tried)); /* whatever the rules are */
    return left;
}

bool hd_reduce_has_untried(const hd_weave *w, uint32_t e) {
    return !hd_set_is_empty(hd_reduce_candidates(w, &w->nodes.at[e], e));
}

uint32_t hd_reduce_next_untried(hd_weave *w, uint32_t e, hd_model *model) {
    (void)model;
    hd_weave_node *node = &w->nodes.at[e];
    HD_INVARIANT(R1, node->tree == HD_NO_WAKEUP);
    hd_thread_set left = hd_reduce_candidates(w, node, e);
    node->has_race = false;
    return hd_set_is_empty(left) ? HD_NO_EVENT : hd_set_first(left);
}

uint32_t hd_reduce_other_untried(hd_weave *w, hd_weave_node *node, hd_model *model) {
    (void)model;
    HD_INVARIANT(R1, node->tree == HD_NO_WAKEUP);
    hd_thread_set left =
        hd_set_is_empty(node->done) ? HD_SET_EMPTY : w->rules->untried(w, node, node->done);
    node->has_race = false;
    return hd_set_is_empty(left) ? HD_NO_EVENT : hd_set_first(left);
}

uint32_t hd_reduce_next(hd_weave *w, uint32_t e, hd_model *model) {
    hd_weave_node *node = &w->nodes.at[e];
    HD_ASSERT(e < w->nodes.n && e < w->log.at.n);
    uint32_t thread = hd_event_action(&w->log, e)->thread;
    HD_CHECK_INVARIANT(V1, w->nodes.n == e + 1); /* what is deeper was cut off */
    node->done = hd_set_with(node->done, thread);
    if (w->rules->sleep && !hd_set_has(node->asleep, thread)) {
        w->rules->sleep(w, e);
        w->nodes.at[e].n_sleepers = (uint32_t)w->sleepers.n;
    }
    while (w->explored.n && w->explored.at[w->explored.n - 1].event >= e)
        w->explored.n--;
    return w->rules->next(w, e, model);
}

/* ---- splits ---- */

void hd_reduce_keep_all(hd_weave_node *here) {
    here->todo = here->enabled;
}

void hd_reduce_leave_all(hd_weave_node *there) {
    there->todo = hd_set_either(there->todo, there->enabled);
    there->done = hd_set_either(there->done, there->todo);
    there->has_race = false;
}

void hd_reduce_give(hd_weave_node *here, hd_weave_node *there, uint32_t thread) {
    HD_INVARIANT(S3, !hd_set_has(here->done, thread) && hd_set_has(there->done, thread));
    here->done = hd_set_with(here->done, thread);
    there->done = hd_set_without(there->done, thread);
}

/* ---- the end of an execution ---- */

/* Would inputs decide about an exchange if a race were turned round? */
static bool has_open_exchange(hd_weave *w) {
    bool is_open = false;
    for (size_t i = w->log.races.n; i-- > 0 && !is_open;) {
        const hd_racing *r = &w->log.races.at[i];
        if (r->second < w->n_treated)
            break;
        is_open = r->is_reversible && hd_exchange_condition(w, r->first, r->second);
    }
    return is_open;
}

void hd_reduce_begin_conclusion(hd_weave *w) {
    HD_ASSERT(w->state == HD_WEAVE_STRAYED || w->n_treated <= w->log.at.n);
    hd_reduce_note_held(w, &w->stuck);
    if (!w->has_inner_decisions && hd_exchange_may_depend(w))
        w->has_inner_decisions = has_open_exchange(w);
}

void hd_reduce_note_decisions(hd_weave *w) {
    if (!w->has_inner_decisions)
        return;
    hd_outcome_find(w);
    hd_outcome_open_assumptions(w);
}

bool hd_reduce_is_unfair(hd_weave *w, const hd_racing *r) {
    HD_INVARIANT(L2, r->first < r->second && r->second < w->log.at.n);
    if (!hd_reduce_goes_round(w, hd_event_action(&w->log, r->second)->thread, r->first))
        return false;
    w->x->counters.preempted_away++;
    return true;
}
