/* optimal: source sets, sleep sets and wakeup trees (wakeup.h): each class once. */
#include "explore/orders/lift.h"
#include "explore/orders/reduction.h"

#include "base/panic.h"
#include "explore/events/races.h"

/* ---- new states ---- */

/* Take the next step of the sequence that guides the execution. */
static uint32_t guided(hd_weave *w, hd_weave_node *node) {
    uint32_t step = hd_wakeups_take(&w->wakeups, &w->tree);
    hd_wakeup_node *s = &w->wakeups.at.at[step];
    uint32_t thread = hd_wakeup_action(&w->wakeups, step)->thread;
    node->tree = w->tree;
    w->tree = s->child;
    w->free_from = (uint32_t)(node - w->nodes.at) + 1;
    HD_ASSERT(w->free_from <= w->nodes.n && thread < HD_MAX_THREADS);
    if (s->run != UINT32_MAX)
        hd_runs_drop(&w->x->runs, s->run);
    hd_wakeups_free(&w->wakeups, step);
    return thread;
}

/* Behind the end of a sequence nobody sleeps (W4), unless an event turned out to be less than was
 * foretold: then a class may be run twice, and none is missed. */
static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    if (w->tree != HD_NO_WAKEUP)
        return guided(w, node);
    if (hd_reduce_current_can_go_on(w, threads, node))
        return threads->current;
    uint32_t first = hd_reduce_choose_first(w, node, threads), end;
    if (first < HD_MAX_THREADS)
        return first;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    return hd_set_is_empty(enabled) ? end : hd_reduce_choose_awake(w, node, threads, enabled);
}

/* ---- sequences ---- */

/* Narrow the demand to inputs for which nothing that sleeps covers the sequence; false if there are
 * none. */
static bool is_awake(hd_weave *w, const hd_weave_node *node, const hd_sequence *s, hd_demand *d) {
    for (uint32_t i = node->sleep; i != HD_NO_EVENT; i = w->sleepers.at[i].next) {
        const hd_sleeper *z = &w->sleepers.at[i];
        if (!hd_sequence_may_begin_with(s, &z->action))
            continue;
        if (!z->scope)
            return false;
        uint32_t k = hd_sequence_step_of(s, z->action.thread);
        bool has_outcome = k < s->n && s->at[k].event != UINT32_MAX;
        if (has_outcome && hd_demand_holds(w->x, hd_demand_inputs(d), z->scope))
            return false; /* all inputs that follow the sequence lead to the same outcome */
        if (!hd_demand_narrow(d, hd_expr_not(w->x->graph, z->scope)))
            return false;
    }
    return true;
}

/* Does nothing sleep in the state before event e, now or when the event was explored, for some
 * inputs only?  An exchange that inputs decide will: there may be something that wakes it if it
 * succeeds, and lets it sleep if it fails. */
static bool is_plain(const hd_weave *w, uint32_t e) {
    if (!w->has_inner_decisions)
        return true;
    if (hd_exchange_decision(w, e) != HD_NO_EVENT)
        return false;
    HD_ASSERT(e < w->nodes.n && e < w->step_outcomes.n);
    uint32_t i = w->nodes.at[e].sleep;
    if (i != HD_NO_EVENT && w->step_outcomes.at[e].outcome)
        return false;
    while (i != HD_NO_EVENT && !w->sleepers.at[i].scope)
        i = w->sleepers.at[i].next;
    return i == HD_NO_EVENT;
}

/* A lifted state: who sleeps there is known here too (F4 of lift.h), so that nobody is asked for
 * what sleepers cover. */
static bool ask_of_lifted(hd_weave *w, uint32_t e, const hd_sequence *s) {
    for (uint32_t i = w->nodes.at[e].sleep; i != HD_NO_EVENT; i = w->sleepers.at[i].next) {
        HD_INVARIANT(F4, !w->sleepers.at[i].scope);
        if (hd_sequence_may_begin_with(s, &w->sleepers.at[i].action))
            return false;
    }
    hd_lift_ask(w, e, s);
    return true;
}

/* Who need not go next in the state before event e: those who sleep there, and who went.  NULL
 * where they do for some inputs only. */
static const hd_asleep *asleep_before(hd_weave *w, uint32_t e) {
    hd_vec_clear(&w->asleep);
    if (w->has_inner_decisions)
        return NULL;
    for (uint32_t i = w->nodes.at[e].sleep; i != HD_NO_EVENT; i = w->sleepers.at[i].next)
        hd_vec_push(&w->asleep, &w->sleepers.at[i].action);
    hd_vec_push(&w->asleep, hd_event_action(&w->log, e));
    return &w->asleep;
}

/* `last_outcome` must hold for the last step, HD_NONE = nothing.  False if sleepers cover it. */
static bool insert_sequence(hd_weave *w, const uint32_t *first, uint32_t n, const hd_action *last,
                            hd_expr last_outcome, const uint32_t *clock, uint32_t *run) {
    uint32_t e = hd_reduce_earliest(first, n);
    hd_weave_node *node = &w->nodes.at[e];
    hd_sequence s = hd_reduce_independent_of(w, first, n, (uint32_t)w->log.at.n, last, clock);
    HD_INVARIANT(W1, s.n > 0 && s.at[s.n - 1].event == UINT32_MAX);
    s.at[s.n - 1].outcome = s.at[s.n - 1].scope = last_outcome;
    if (e < w->floor)
        return ask_of_lifted(w, e, &s);
    hd_demand d = {.x = w->x,
                   .site = hd_event_action(&w->log, e)->site,
                   .n = w->has_inner_decisions ? hd_outcome_decisions_before(w, e) : 0,
                   .outcomes = w->outcomes.at,
                   .n_outcomes = (uint32_t)w->outcomes.n,
                   .first = &w->model,
                   .run = run};
    s.is_plain = is_plain(w, e);
    bool is_possible = !last_outcome || hd_demand_narrow(&d, last_outcome);
    bool is_new = is_possible && (node->sleep == HD_NO_EVENT || is_awake(w, node, &s, &d));
    if (is_new)
        hd_wakeups_insert(&w->wakeups, &node->tree, &s, &d, asleep_before(w, e));
    hd_demand_release(&d);
    return is_new;
}

/* ---- races of an execution ---- */

/* Does the action conflict with all that it could conflict with in any other order that leads to
 * it?  An exchange that succeeded does: if it fails it only reads. */
static bool is_settled(const hd_action *a) {
    if (hd_kind_is(a->kind, HD_KIND_EXCHANGES))
        return a->access[0].mode == HD_MODE_WRITE;
    return !(a->flags & HD_ACTION_SETTLES) && !hd_kind_is(a->kind, HD_KIND_MEETS | HD_KIND_WORLD);
}

/* Does nothing but the first event of the race, and what is after it, keep the second one from
 * coming before it?  The second is the next event of its thread. */
static bool second_could_come_first(hd_weave *w, const hd_racing *r) {
    const hd_action *a = hd_event_action(&w->log, r->second);
    HD_INVARIANT(L2, r->first < r->second);
    if (!is_settled(a))
        return false;
    if (w->log.at.at[r->second].cause == r->first)
        return true;
    hd_events_own_clock(&w->log, r->second, a, w->last_clock);
    for (uint32_t e = r->first + 1; e < r->second; e++)
        if (!hd_event_before(&w->log, r->first, e) &&
            (hd_actions_conflict(hd_event_action(&w->log, e), a) ||
             hd_clock_has_seen(&w->log, w->last_clock, e)))
            return false;
    return true;
}

/* The next event of a thread after event `first`, or HD_NO_EVENT. */
static uint32_t next_of_thread(const hd_weave *w, uint32_t thread, uint32_t first) {
    uint32_t next = HD_NO_EVENT;
    for (uint32_t e = hd_event_last(&w->log, thread); e != HD_NO_EVENT && e > first;
         e = w->log.at.at[e].previous)
        next = e;
    return next;
}

/* The next event of a thread that sleeps in the state before the race, if it could have come there
 * already: nothing since then happened before it, or it is the second of the race.  Whatever begins
 * with it was explored, so that the race is covered for as long as that event stays, and no
 * sequence is needed to see it.  HD_NO_EVENT says nothing. */
static uint32_t covering_event(hd_weave *w, const hd_racing *r) {
    uint32_t t;
    HD_SET_EACH(t, w->nodes.at[r->first].asleep) {
        uint32_t e = next_of_thread(w, t, r->first);
        if (e == HD_NO_EVENT)
            continue;
        uint32_t cause = w->log.at.at[e].cause;
        HD_ASSERT(e > r->first && hd_event_action(&w->log, e)->thread == t);
        if (cause == HD_NO_EVENT || cause < r->first ||
            (e == r->second && second_could_come_first(w, r)))
            return e;
    }
    return HD_NO_EVENT;
}

/* Is what was foretold of the second event still so? */
static bool is_foretold_rightly(hd_weave *w, const hd_racing *r) {
    bool is_guess;
    hd_action a = hd_events_predict(&w->log, r->first, r->second, &is_guess);
    return !is_guess && !(a.flags & HD_ACTION_FAILED) == (r->foretold == HD_FORETOLD_SUCCEEDS);
}

/* The second event of the race without the first. */
static hd_action predict(hd_weave *w, const hd_racing *r) {
    bool is_guess, succeeds = r->foretold == HD_FORETOLD_SUCCEEDS;
    if (r->foretold == HD_FORETOLD_NOT)
        return hd_events_predict(&w->log, r->first, r->second, &is_guess);
    HD_CHECK(is_foretold_rightly(w, r));
    hd_action a;
    hd_action_copy(&a, hd_event_action(&w->log, r->second));
    hd_foretell(&a, succeeds, !succeeds);
    return a;
}

/* The second event of the race before the first.  If that is an exchange and inputs decide about it
 * there, failing and succeeding are two events, each for its inputs. */
static bool insert_reversed(hd_weave *w, const hd_racing *r, uint32_t *run) {
    hd_action last = predict(w, r);
    hd_expr succeeds = hd_exchange_condition(w, r->first, r->second);
    hd_events_own_clock(&w->log, r->second, &last, w->last_clock);
    if (!succeeds)
        return insert_sequence(w, &r->first, 1, &last, HD_NONE, w->last_clock, run);
    const hd_action *first = hd_event_action(&w->log, r->first);
    hd_exchange_turn(w, &last, false);
    bool races_as_write = hd_actions_conflict(first, &last);
    bool is_new = insert_sequence(w, &r->first, 1, &last, succeeds, w->last_clock, run);
    hd_exchange_turn(w, &last, true);
    if (races_as_write && !hd_actions_conflict(first, &last))
        return is_new; /* a read before a read */
    hd_expr fails = hd_expr_not(w->x->graph, succeeds);
    return insert_sequence(w, &r->first, 1, &last, fails, w->last_clock, run) || is_new;
}

static void turn_race(hd_weave *w, hd_racing *r, uint32_t *run) {
    r->covered_by = covering_event(w, r);
    if (r->covered_by == HD_NO_EVENT)
        r->was_slept_away = !insert_reversed(w, r, run);
}

/* What waits could have run if none of the blockers had. */
static void turn_held(hd_weave *w, hd_held_thread *h, uint32_t *run) {
    h->was_slept_away = !insert_sequence(w, hd_held_blockers(w, h), h->n, &h->action, HD_NONE,
                                         hd_held_clock(w, h), run);
}

/* What a sequence does must be known beforehand.  If the outcome of an exchange in another order
 * cannot be told (accesses that nobody knows the values of), `optimal` is source sets and sleep
 * sets (`dpor`) from then on: sequences become the threads they begin with, and all races are
 * treated again.  What was left to sleepers is not known any more: with decisions inside threads
 * the search starts anew. */
static void fall_back(hd_weave *w) {
    w->has_fallen_back = w->treats_all = true;
    hd_reduce_set(w);
    if (w->has_inner_decisions || w->are_alike ||
        w->floor) /* sets of lifted states are not known here */
        hd_weave_enter(w, HD_WEAVE_ANEW);
    for (uint32_t e = 0; e < w->log.at.n; e++) {
        hd_weave_node *node = &w->nodes.at[e];
        node->todo = hd_set_with(node->done, hd_event_action(&w->log, e)->thread);
        for (uint32_t s = node->tree; s; s = w->wakeups.at.at[s].next)
            node->todo = hd_set_with(node->todo, hd_wakeup_action(&w->wakeups, s)->thread);
        hd_weave_release_tree(w, node->tree);
        node->tree = HD_NO_WAKEUP;
    }
}

/* Can the outcome of the second event without the first not be told?  For an exchange it is noted,
 * because to find it takes going back over what was written. */
static bool is_second_a_guess(hd_weave *w, hd_racing *r) {
    if (r->foretold != HD_FORETOLD_NOT)
        return false;
    bool is_guess;
    hd_action a = hd_events_predict(&w->log, r->first, r->second, &is_guess);
    if (hd_kind_is(a.kind, HD_KIND_EXCHANGES) && !is_guess)
        r->foretold = a.flags & HD_ACTION_FAILED ? HD_FORETOLD_FAILS : HD_FORETOLD_SUCCEEDS;
    return is_guess;
}

/* A race whose second event would have an outcome that cannot be told: no sequence is right. */
static bool has_guess(hd_weave *w) {
    bool is_guess = false;
    for (size_t i = 0; i < w->held.n && !is_guess; i++)
        is_guess = w->held.at[i].at >= w->n_treated && w->held.at[i].is_guess;
    for (size_t i = w->log.races.n; i-- > 0 && !is_guess;) {
        hd_racing *r = &w->log.races.at[i];
        uint8_t kind = hd_event_action(&w->log, r->second)->kind;
        if (r->second < w->n_treated)
            break;
        if (r->is_reversible && hd_kind_is(kind, HD_KIND_EXCHANGES | HD_KIND_QUEUE))
            is_guess = is_second_a_guess(w, r);
    }
    return is_guess;
}

static void conclude(hd_weave *w) {
    hd_reduce_begin_conclusion(w);
    if (has_guess(w)) {
        fall_back(w);
        hd_dpor_turn_races(w);
        return;
    }
    hd_outcome_find(w);
    if (w->has_inner_decisions)
        hd_outcome_pass_on(w);
    hd_reduce_turn_races(w, turn_race, turn_held);
}

/* ---- what is left ---- */

/* May what sleeps come first in the first sequence of the tree? */
static bool may_begin(const hd_wakeups *t, uint32_t step, const hd_action *sleeping) {
    for (; step; step = t->at.at[step].child) {
        const hd_action *a = hd_wakeup_action(t, step);
        if (a->thread == sleeping->thread)
            return true;
        if (hd_actions_conflict(a, sleeping) || hd_is_same_barrier(a, sleeping))
            return false;
    }
    return true;
}

/* Do the inputs say something about each of the variables? */
static bool know_all(const hd_model *inputs, const hd_support *support) {
    uint32_t n = 0;
    while (n < support->n && hd_model_has(inputs, support->v[n]))
        n++;
    return n == support->n;
}

/* Narrow a demand that began with `inputs`.  Variables that they do not know are as in the last
 * execution, so that nobody draws other values for them. */
static bool want(hd_weave *w, hd_demand *d, hd_model *inputs, hd_expr condition) {
    if (!condition)
        return true;
    const hd_support *support = hd_expr_support(w->x->graph, condition);
    hd_model *now = d->has_found ? &d->found : inputs;
    for (uint32_t i = 0; i < support->n; i++)
        if (!hd_model_has(now, support->v[i]))
            hd_model_set(now, support->v[i], hd_model_get(&w->model, support->v[i]));
    HD_CHECK_INVARIANT(N1, know_all(now, support)); /* else nobody knows what they satisfy */
    return hd_demand_narrow(d, condition);
}

/* Does the first sequence of the node still lead to something new?  What sleeps has become more
 * since it was inserted.  The inputs that lead there, if they must be others, into `model`. */
static bool is_still_new(hd_weave *w, uint32_t e, hd_model *model) {
    const hd_weave_node *node = &w->nodes.at[e];
    hd_model inputs = {0};
    hd_model_copy(&inputs, model);
    hd_demand d = {.x = w->x,
                   .site = hd_wakeup_action(&w->wakeups, node->tree)->site,
                   .n = hd_outcome_decisions_before(w, e),
                   .first = &inputs};
    bool is_new = true;
    for (uint32_t s = node->tree; s && is_new; s = w->wakeups.at.at[s].child)
        is_new = want(w, &d, &inputs, w->wakeups.at.at[s].outcome);
    for (uint32_t i = node->sleep; i != HD_NO_EVENT && is_new; i = w->sleepers.at[i].next) {
        hd_sleeper z = w->sleepers.at[i];
        if (may_begin(&w->wakeups, node->tree, &z.action))
            is_new = z.scope && want(w, &d, &inputs, hd_expr_not(w->x->graph, z.scope));
    }
    if (is_new)
        hd_model_copy(model, hd_demand_inputs(&d));
    hd_demand_release(&d);
    hd_model_release(&inputs);
    return is_new;
}

/* The inputs of the first sequence: noted where it left what was there before. */
static void take_inputs(const hd_weave *w, uint32_t step, hd_model *model) {
    uint32_t run = w->wakeups.at.at[step].run;
    for (; step && w->has_inner_decisions; step = w->wakeups.at.at[step].child)
        if (w->wakeups.at.at[step].run != UINT32_MAX)
            run = w->wakeups.at.at[step].run;
    if (run != UINT32_MAX)
        hd_model_copy(model, hd_runs_model(&w->x->runs, run));
}

static uint32_t next_sequence(hd_weave *w, uint32_t e, hd_model *model) {
    hd_weave_node *node = &w->nodes.at[e];
    HD_INVARIANT(V1, e + 1 == w->nodes.n && w->tree == HD_NO_WAKEUP);
    for (; node->tree != HD_NO_WAKEUP;
         hd_wakeups_drop_first(&w->wakeups, &node->tree, &w->x->runs)) {
        take_inputs(w, node->tree, model);
        if (w->has_inner_decisions && !is_still_new(w, e, model))
            continue;
        w->tree = node->tree;
        return guided(w, node);
    }
    return HD_NO_EVENT;
}

static uint32_t instead(hd_weave *w, hd_weave_node *node, hd_model *model) {
    return next_sequence(w, (uint32_t)(node - w->nodes.at), model);
}

static void sleep_with_outcomes(hd_weave *w, uint32_t e) {
    hd_outcome_put_to_sleep(w, e, hd_event_action(&w->log, e));
}

const hd_rules hd_rules_optimal =
    HD_RULES(true, true, true, choose, conclude, NULL, NULL, next_sequence, instead,
             sleep_with_outcomes, NULL, NULL, NULL);
