/* Reductions: which threads must still be tried from a state.
 *
 *   none     every thread that could go on (paper 002, Fig. 16)
 *   flip     another thread where a race begins; races persist with the path (Figs. 17 and 18,
 *            with the corrections PC17 and PC18)
 *   message  all messages of one process, others if a send may have come too late
 *            (reduce_message.c)
 *   dpor     source sets and sleep sets (in place of Fig. 19: PC19)
 *   optimal  source sets, sleep sets and wakeup trees (wakeup.h) */
#include "explore/weave.h"

#include "base/hash.h"

void hd_reduce_set(hd_weave *w) {
    bool falls_back = w->has_fallen_back && w->x->options.reduction == HD_REDUCTION_OPTIMAL;
    w->reduction = w->bound >= 0 ? HD_REDUCTION_NONE
                   : falls_back  ? HD_REDUCTION_DPOR
                                 : w->x->options.reduction;
}

bool hd_reduce_is_optimal(const hd_weave *w) {
    return w->reduction == HD_REDUCTION_OPTIMAL;
}

/* ---- sleep ---- */

static bool uses_sleep(const hd_weave *w) {
    return w->reduction >= HD_REDUCTION_DPOR;
}

void hd_reduce_add_sleeper(hd_weave *w, hd_weave_node *node, const hd_action *a, hd_expr scope) {
    hd_vec_reserve(&w->sleepers, w->sleepers.n + 1);
    hd_sleeper *z = &w->sleepers.at[w->sleepers.n];
    hd_action_copy(&z->action, a);
    z->scope = scope;
    z->next = node->sleep;
    node->sleep = (uint32_t)w->sleepers.n++;
    if (!scope)
        node->asleep = hd_set_with(node->asleep, a->thread);
}

/* Arrivals of one generation commute as long as there is room for both. */
static bool stays_asleep(const hd_action *sleeping, const hd_action *executed) {
    if (sleeping->thread == executed->thread || hd_actions_conflict(sleeping, executed))
        return false;
    return !hd_is_same_barrier(sleeping, executed) || executed->state + 2 <= executed->expected;
}

void hd_reduce_sleep_after(hd_weave *w, uint32_t e, hd_weave_node *next) {
    const hd_weave_node *node = &w->nodes.at[e];
    if (node->sleep == HD_NO_EVENT)
        return;
    const hd_action *executed = hd_event_action(&w->log, e);
    bool all = true;
    for (uint32_t s = node->sleep; s != HD_NO_EVENT && all; s = w->sleepers.at[s].next)
        all = stays_asleep(&w->sleepers.at[s].action, executed);
    if (all) {
        next->sleep = node->sleep;
        next->asleep = node->asleep;
        return;
    }
    hd_vec_reserve(&w->sleepers, 2 * w->sleepers.n); /* so that they stay where they are */
    for (uint32_t s = node->sleep; s != HD_NO_EVENT; s = w->sleepers.at[s].next) {
        const hd_sleeper *z = &w->sleepers.at[s];
        if (stays_asleep(&z->action, executed))
            hd_reduce_add_sleeper(w, next, &z->action, z->scope);
    }
}

/* An exchange that inputs decide wakes as the write that it may be. */
static void sleep_whatever_inputs(hd_weave *w, hd_weave_node *node, uint32_t e) {
    hd_action a;
    hd_action_copy(&a, hd_event_action(&w->log, e));
    if (hd_exchange_decision(w, e) != HD_NO_EVENT)
        hd_exchange_turn(w, &a, false);
    hd_reduce_add_sleeper(w, node, &a, HD_NONE);
}

void hd_reduce_put_to_sleep(hd_weave *w, uint32_t e) {
    hd_weave_node *node = &w->nodes.at[e];
    const hd_action *a = hd_event_action(&w->log, e);
    node->done = hd_set_with(node->done, a->thread);
    if (uses_sleep(w) && !hd_set_has(node->asleep, a->thread)) {
        if (w->reduction == HD_REDUCTION_OPTIMAL)
            hd_outcome_put_to_sleep(w, e, a);
        else
            sleep_whatever_inputs(w, node, e);
        node->n_sleepers = (uint32_t)w->sleepers.n;
    }
    while (w->explored.n && w->explored.at[w->explored.n - 1].event >= e)
        w->explored.n--;
}

/* ---- new states ---- */

/* The same thread goes on if it can, else the first that can (paper 002, 2.2 and 5.3). */
static uint32_t prefer_same(const hd_threads *threads, hd_thread_set among) {
    if (hd_set_has(among, threads->current))
        return threads->current;
    return hd_set_first(among);
}

#define LOOK_EVERY 7 /* events: prime, so that it is another place of a loop each time */

/* Has the thread done nothing else for long before event `end` than the same few accesses?  Then it
 * may be waiting for another in a way that nobody recognised. */
static bool goes_round(const hd_weave *w, uint32_t thread, uint32_t end) {
    uint64_t seen[HD_FEW_ACCESSES];
    uint32_t n_seen = 0;
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

/* The others get a turn; any order will do, so nothing is lost by that. */
bool hd_reduce_has_run_long(const hd_weave *w, uint32_t thread) {
    return w->n_events >= HD_LONG_RUN && w->n_events % LOOK_EVERY == 0 &&
           goes_round(w, thread, w->n_events);
}

/* Can the current thread go on for sure, without a look at all others? */
static bool current_can_go_on(const hd_weave *w, const hd_threads *threads,
                              const hd_weave_node *node) {
    if (hd_reduce_has_run_long(w, threads->current))
        return false;
    return hd_set_has(threads->alive, threads->current) &&
           !hd_set_has(node->asleep, threads->current) &&
           !(threads->action[threads->current].flags & HD_ACTION_WAITS);
}

/* Take the next step of the sequence that guides the execution. */
static uint32_t guided(hd_weave *w, hd_weave_node *node) {
    uint32_t step = hd_wakeups_take(&w->wakeups, &w->tree);
    hd_wakeup_node *s = &w->wakeups.at.at[step];
    uint32_t thread = s->action.thread;
    node->tree = w->tree;
    w->tree = s->child;
    w->free_from = (uint32_t)(node - w->nodes.at) + 1;
    if (s->run != UINT32_MAX)
        hd_runs_drop(&w->x->runs, s->run);
    hd_wakeups_free(&w->wakeups, step);
    return thread;
}

static uint32_t choose_bounded(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    uint32_t n = w->n_events;
    if (n) {
        const hd_weave_node *before = &w->nodes.at[n - 1];
        node->preemptions =
            before->preemptions +
            (n > 1 &&
             hd_event_action(&w->log, n - 1)->thread != hd_event_action(&w->log, n - 2)->thread &&
             hd_set_has(before->enabled, hd_event_action(&w->log, n - 2)->thread));
    }
    return prefer_same(threads, node->enabled);
}

/* On the stack of a thread: nobody else looks at it without being given it. */
static bool is_on_stack(const hd_access *c) {
    uint64_t at = c->address & HD_SPACE_MASK;
    return at < HD_TOKEN_LIMIT || (at >= HD_STACK_BASE && at < HD_HEAP_BASE);
}

/* Creating and joining order threads and touch nothing else (PC15): they are no choices.  Unless
 * others may see what they write, or a join may come before the end of its thread. */
static bool is_no_choice(const hd_action *a) {
    if ((a->kind != HD_DO_CREATE && a->kind != HD_DO_JOIN) || a->flags & HD_ACTION_SETTLES)
        return false;
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (!is_on_stack(&a->access[i]))
            return false;
    return true;
}

static hd_thread_set without_choice(const hd_threads *threads, hd_thread_set enabled) {
    uint32_t t;
    HD_SET_EACH(t, enabled)
    if (is_no_choice(&threads->action[t]))
        return hd_set_of(t);
    return enabled;
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
    if (threads->action[t].kind == HD_DO_SPIN)
        enabled = hd_set_without(enabled, t);
    return enabled;
}

/* Source sets begin with one thread: what the others could do need not be known.  HD_MAX_THREADS:
 * it must. */
static uint32_t choose_first(const hd_weave *w, const hd_weave_node *node, hd_threads *threads) {
    if (!uses_sleep(w) || !threads->first || threads->may_spin ||
        hd_reduce_has_run_long(w, threads->current))
        return HD_MAX_THREADS;
    hd_thread_set awake = hd_set_minus(threads->alive, node->asleep);
    hd_thread_set same = hd_set_both(awake, hd_set_of(threads->current));
    uint32_t t = hd_set_is_empty(same) ? HD_MAX_THREADS : threads->first(threads, same);
    return t < HD_MAX_THREADS ? t : threads->first(threads, awake);
}

uint32_t hd_reduce_choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    if (w->x->options.sampling)
        return hd_sample_choose(w, threads);
    hd_reduction reduction = w->reduction;
    if (w->tree != HD_NO_WAKEUP)
        return guided(w, node);
    if (reduction == HD_REDUCTION_OPTIMAL && current_can_go_on(w, threads, node))
        return threads->current;
    if (reduction == HD_REDUCTION_DPOR && w->n_events < HD_LONG_RUN &&
        current_can_go_on(w, threads, node)) {
        node->todo = hd_set_of(threads->current);
        return threads->current;
    }
    uint32_t first = choose_first(w, node, threads);
    if (first < HD_MAX_THREADS) {
        node->todo = hd_set_of(first);
        return first;
    }
    hd_thread_set all = hd_threads_enabled(threads), enabled = without_vain(threads, all);
    node->enabled = enabled;
    if (reduction == HD_REDUCTION_MESSAGE) /* those that are stuck count too */
        memcpy(w->process, threads->process, threads->n * sizeof *w->process);
    if (hd_set_is_empty(enabled))
        return hd_set_is_empty(all) ? HD_SCHEDULE_STUCK : HD_SCHEDULE_VAIN;
    if (reduction == HD_REDUCTION_NONE)
        node->enabled = enabled = without_choice(threads, enabled);
    if (w->bound >= 0)
        return choose_bounded(w, node, threads);
    enabled = hd_set_minus(enabled, node->asleep);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STOP;
    if (reduction == HD_REDUCTION_MESSAGE) {
        node->todo = hd_message_first(w, enabled);
        return hd_set_first(node->todo);
    }
    hd_thread_set others = hd_set_without(enabled, threads->current);
    bool gives_way = !hd_set_is_empty(others) && hd_reduce_has_run_long(w, threads->current);
    uint32_t t = prefer_same(threads, gives_way ? others : enabled);
    node->todo = hd_set_of(t);
    return t;
}

/* ---- sequences ---- */

typedef struct moment {
    uint32_t thread, nth;
} moment;

static inline bool has_seen_any(const uint32_t *clock, const moment *first, uint32_t n) {
    bool has_seen = clock[first[0].thread] >= first[0].nth;
    for (uint32_t i = 1; i < n && !has_seen; i++)
        has_seen = clock[first[i].thread] >= first[i].nth;
    return has_seen;
}

/* The steps of a sequence get their outcomes, which are collected. */
static void add_outcomes(hd_weave *w) {
    for (size_t i = 0; i < w->steps.n; i++) {
        hd_wakeup_step *step = &w->steps.at[i];
        step->outcome = w->step_outcomes.at[step->event].outcome;
        step->scope = w->step_outcomes.at[step->event].scope;
        if (step->outcome)
            hd_vec_push(&w->outcomes, step->outcome);
    }
}

/* What happened after the earliest of `first` and does not depend on any of them, up to event
 * `end`, then `last` (notdep in the paper on optimal reduction), whose own clock this is. */
static hd_sequence independent_of(hd_weave *w, const uint32_t *first, uint32_t n, uint32_t end,
                                  const hd_action *last, const uint32_t *clock_of_last) {
    const hd_logged *events = w->log.at.at;
    uint32_t from = first[0], stride = w->log.stride;
    moment at[HD_MAX_THREADS];
    for (uint32_t i = 0; i < n; i++) {
        from = first[i] < from ? first[i] : from;
        at[i] = (moment){events[first[i]].action.thread, events[first[i]].nth};
    }
    hd_vec_reserve(&w->steps, end - from + 1);
    hd_wakeup_step *step = w->steps.at;
    const uint32_t *clock = hd_event_clock(&w->log, from);
    for (uint32_t e = from + 1; e < end; e++)
        if (!has_seen_any(clock += stride, at, n))
            *step++ = (hd_wakeup_step){.action = &events[e].action, .event = e};
    w->steps.n = (size_t)(step - w->steps.at);
    hd_vec_clear(&w->outcomes);
    if (w->step_outcomes.n)
        add_outcomes(w);
    w->steps.at[w->steps.n++] = (hd_wakeup_step){.action = last, .event = UINT32_MAX};
    return (hd_sequence){.at = w->steps.at,
                         .n = (uint32_t)w->steps.n,
                         .log = &w->log,
                         .last_clock = clock_of_last,
                         .from = from};
}

static uint32_t earliest(const uint32_t *first, uint32_t n) {
    uint32_t e = first[0];
    for (uint32_t i = 1; i < n; i++)
        e = first[i] < e ? first[i] : e;
    return e;
}

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
    uint32_t i = w->nodes.at[e].sleep;
    if (i != HD_NO_EVENT && w->step_outcomes.at[e].outcome)
        return false;
    while (i != HD_NO_EVENT && !w->sleepers.at[i].scope)
        i = w->sleepers.at[i].next;
    return i == HD_NO_EVENT;
}

/* `last_outcome` must hold for the last step, HD_NONE = nothing.  False if sleepers cover it. */
static bool insert_sequence(hd_weave *w, const uint32_t *first, uint32_t n, const hd_action *last,
                            hd_expr last_outcome, const uint32_t *clock, uint32_t *run) {
    uint32_t e = earliest(first, n);
    hd_weave_node *node = &w->nodes.at[e];
    hd_sequence s = independent_of(w, first, n, (uint32_t)w->log.at.n, last, clock);
    s.at[s.n - 1].outcome = s.at[s.n - 1].scope = last_outcome;
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
        hd_wakeups_insert(&w->wakeups, &node->tree, &s, &d);
    hd_demand_release(&d);
    return is_new;
}

/* The threads that may come first in a sequence (initials). */
static hd_thread_set initials(const hd_sequence *s) {
    hd_thread_set seen = HD_SET_EMPTY, found = HD_SET_EMPTY;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t t = s->at[i].action->thread;
        if (!hd_set_has(seen, t) && hd_sequence_may_begin_with(s, s->at[i].action))
            found = hd_set_with(found, t);
        seen = hd_set_with(seen, t);
    }
    return found;
}

static void add_source(hd_weave *w, const uint32_t *first, uint32_t n, uint32_t end,
                       const hd_action *last, const uint32_t *clock) {
    hd_weave_node *node = &w->nodes.at[earliest(first, n)];
    hd_sequence s = independent_of(w, first, n, end, last, clock);
    hd_thread_set able = initials(&s);
    if (!hd_set_meets(able, node->todo) && !hd_set_meets(able, node->done))
        node->todo = hd_set_with(node->todo, hd_set_first(able));
}

/* ---- races of an execution ---- */

/* Does the action conflict with all that it could conflict with in any other order that leads to
 * it?  An exchange that succeeded does: if it fails it only reads. */
static bool is_settled(const hd_action *a) {
    if (a->kind == HD_DO_COMPARE)
        return a->access[0].mode == HD_MODE_WRITE;
    return !(a->flags & HD_ACTION_SETTLES) && a->kind != HD_DO_ARRIVE &&
           !hd_kind_is(a->kind, HD_KIND_WORLD);
}

/* Does nothing but the first event of the race, and what is after it, keep the second one from
 * coming before it?  The second is the next event of its thread. */
static bool second_could_come_first(hd_weave *w, const hd_racing *r) {
    const hd_action *a = hd_event_action(&w->log, r->second);
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
        if (cause == HD_NO_EVENT || cause < r->first ||
            (e == r->second && second_could_come_first(w, r)))
            return e;
    }
    return HD_NO_EVENT;
}

/* A thread that goes round for ever before another gets its turn is no order that a fair scheduler
 * makes: it is left out, and said. */
static bool is_unfair(hd_weave *w, const hd_racing *r) {
    if (!goes_round(w, hd_event_action(&w->log, r->second)->thread, r->first))
        return false;
    w->x->counters.preempted_away++;
    return true;
}

/* The second event of the race before the first.  If that is an exchange and inputs decide about it
 * there, failing and succeeding are two events, each for its inputs. */
static bool insert_reversed(hd_weave *w, const hd_racing *r, uint32_t *run) {
    bool is_guess;
    hd_action last = hd_events_predict(&w->log, r->first, r->second, &is_guess);
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

static void treat_race(hd_weave *w, hd_racing *r, uint32_t *run) {
    hd_action last;
    bool is_guess;
    if (r->first >= HD_LONG_RUN && is_unfair(w, r))
        return;
    switch (w->reduction) {
    case HD_REDUCTION_FLIP:
        w->nodes.at[r->first].has_race = true;
        break;
    case HD_REDUCTION_DPOR:
        last = hd_events_predict(&w->log, r->first, r->second, &is_guess);
        if (hd_exchange_condition(w, r->first, r->second))
            hd_exchange_turn(w, &last, false); /* who comes first then may in any case */
        hd_events_own_clock(&w->log, r->second, &last, w->last_clock);
        add_source(w, &r->first, 1, r->second, &last, w->last_clock);
        break;
    case HD_REDUCTION_OPTIMAL:
        r->covered_by = covering_event(w, r);
        if (r->covered_by != HD_NO_EVENT)
            break;
        r->was_slept_away = !insert_reversed(w, r, run);
        break;
    default:
        break;
    }
}

/* What waits could have run if none of the blockers had. */
static void treat_held(hd_weave *w, const hd_held *h, uint32_t *run) {
    switch (w->reduction) {
    case HD_REDUCTION_FLIP:
        for (uint32_t i = 0; i < h->n; i++)
            w->nodes.at[hd_held_blockers(w, h)[i]].has_race = true;
        break;
    case HD_REDUCTION_DPOR:
        add_source(w, hd_held_blockers(w, h), h->n, h->at, &h->action, hd_held_clock(w, h));
        break;
    case HD_REDUCTION_OPTIMAL:
        insert_sequence(w, hd_held_blockers(w, h), h->n, &h->action, HD_NONE, hd_held_clock(w, h),
                        run);
        break;
    default:
        break;
    }
}

static void add_numbers(hd_weave *w, const uint32_t *numbers, uint32_t n) {
    hd_vec_reserve(&w->held_numbers, w->held_numbers.n + n);
    memcpy(w->held_numbers.at + w->held_numbers.n, numbers, n * sizeof *numbers);
    w->held_numbers.n += n;
}

const uint32_t *hd_held_blockers(const hd_weave *w, const hd_held *h) {
    return w->held_numbers.at + h->first;
}

/* There may be more threads now than then, which it has not seen. */
const uint32_t *hd_held_clock(hd_weave *w, const hd_held *h) {
    memcpy(w->held_clock, w->held_numbers.at + h->first + h->n, h->n_clock * sizeof *w->held_clock);
    memset(w->held_clock + h->n_clock, 0, (w->log.stride - h->n_clock) * sizeof *w->held_clock);
    return w->held_clock;
}

/* A thread that waits, at the end or for time to pass, races with those that keep it waiting
 * (PC18).  Who looks at several queues could go on without any of those who emptied one, and who
 * waits in a loop perhaps before any of several writes: each is a way of its own. */
static void note_held(hd_weave *w, uint32_t at, const hd_action *a) {
    uint32_t blockers[HD_MAX_THREADS];
    uint32_t n = a->flags & HD_ACTION_WAITS ? hd_events_blockers(&w->log, a, blockers) : 0;
    bool is_each_enough = a->kind == HD_DO_POLL || a->flags & HD_ACTION_SPINS;
    uint32_t n_ways = is_each_enough ? n : n > 0;
    for (uint32_t i = 0; i < n_ways; i++) {
        hd_vec_reserve(&w->held, w->held.n + 1);
        hd_held *h = &w->held.at[w->held.n++];
        h->at = at;
        h->n = n / n_ways;
        h->action = *a;
        h->action.flags &= (uint8_t)~HD_ACTION_FAILED; /* a mark of what was killed */
        h->is_guess = !hd_events_predict_waiting(&w->log, &blockers[i], h->n, &h->action);
        hd_events_own_clock(&w->log, HD_NO_EVENT, &h->action, w->held_clock);
        h->first = w->held_numbers.n;
        h->n_clock = w->log.stride;
        add_numbers(w, &blockers[i], h->n);
        add_numbers(w, w->held_clock, h->n_clock);
    }
}

static void note_all_held(hd_weave *w, uint32_t at, const hd_threads *threads, hd_thread_set set) {
    if (w->reduction == HD_REDUCTION_NONE || w->x->options.sampling)
        return;
    uint32_t t;
    HD_SET_EACH(t, set)
    note_held(w, at, &threads->action[t]);
}

void hd_reduce_note_held(hd_weave *w, const hd_threads *threads) {
    note_all_held(w, (uint32_t)w->log.at.n, threads, threads->alive);
}

hd_thread_set hd_reduce_note_ended(hd_weave *w, const hd_threads *threads, uint32_t thread) {
    uint32_t process = threads->process[thread];
    hd_set_maker stopping = {0};
    uint32_t t;
    HD_SET_EACH(t, hd_set_without(threads->alive, thread)) {
        uint8_t kind = threads->action[t].kind;
        if (threads->process[t] == process &&
            (!hd_kind_is(kind, HD_KIND_WORLD) || kind == HD_DO_EXIT))
            hd_set_maker_add(&stopping, t);
    }
    hd_thread_set stopped = hd_set_made(&stopping);
    note_all_held(w, (uint32_t)w->log.at.n - 1, threads, stopped);
    return stopped;
}

/* What a sequence does must be known beforehand.  If the outcome of an exchange in another order
 * cannot be told (accesses that nobody knows the values of), `optimal` is source sets and sleep
 * sets (`dpor`) from then on: sequences become the threads they begin with, and all races are
 * treated again.  What was left to sleepers is not known any more: with decisions inside threads
 * the search starts anew. */
static void fall_back(hd_weave *w) {
    w->has_fallen_back = w->treats_all = true;
    hd_reduce_set(w);
    w->is_starting_anew |= w->has_inner_decisions;
    for (uint32_t e = 0; e < w->log.at.n; e++) {
        hd_weave_node *node = &w->nodes.at[e];
        node->todo = hd_set_with(node->done, hd_event_action(&w->log, e)->thread);
        for (uint32_t s = node->tree; s; s = w->wakeups.at.at[s].next)
            node->todo = hd_set_with(node->todo, w->wakeups.at.at[s].action.thread);
        hd_weave_release_tree(w, node->tree);
        node->tree = HD_NO_WAKEUP;
    }
}

/* A race whose second event would have an outcome that cannot be told: no sequence is right. */
static bool has_guess(hd_weave *w) {
    bool is_guess = false;
    for (size_t i = 0; i < w->held.n && !is_guess; i++)
        is_guess = w->held.at[i].at >= w->n_treated && w->held.at[i].is_guess;
    for (size_t i = w->log.races.n; i-- > 0 && !is_guess;) {
        const hd_racing *r = &w->log.races.at[i];
        uint8_t kind = hd_event_action(&w->log, r->second)->kind;
        if (r->second < w->n_treated)
            break;
        if (r->is_reversible && (kind == HD_DO_COMPARE || hd_kind_is(kind, HD_KIND_QUEUE)))
            hd_events_predict(&w->log, r->first, r->second, &is_guess);
    }
    return is_guess;
}

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

void hd_reduce_races(hd_weave *w) {
    bool has_races = w->reduction != HD_REDUCTION_NONE && w->reduction != HD_REDUCTION_MESSAGE;
    if (!has_races && w->has_inner_decisions) {
        hd_outcome_find(w);
        hd_outcome_open_assumptions(w);
    }
    if (w->reduction == HD_REDUCTION_NONE)
        return;
    hd_reduce_note_held(w, &w->stuck);
    if (w->reduction == HD_REDUCTION_MESSAGE) {
        hd_message_delay(w);
        return;
    }
    uint32_t run = UINT32_MAX;
    if (!w->has_inner_decisions && hd_exchange_may_depend(w))
        w->has_inner_decisions = has_open_exchange(w);
    if (w->reduction == HD_REDUCTION_OPTIMAL && has_guess(w))
        fall_back(w);
    hd_outcome_find(w);
    if (w->reduction == HD_REDUCTION_OPTIMAL && w->has_inner_decisions)
        hd_outcome_pass_on(w);
    if (w->has_inner_decisions)
        hd_outcome_open_assumptions(w);
    /* An outcome after the race may be the other one now. */
    bool treats_all = w->treats_all || w->has_inner_decisions;
    /* What a sequence holds besides its race depends on the whole execution: a race of the
     * repeated part that a sleeper covered may need a sequence now that it does not cover. */
    for (size_t i = 0; i < w->log.races.n; i++) {
        hd_racing *r = &w->log.races.at[i];
        bool is_done = r->covered_by < w->n_treated && !w->treats_all;
        if (r->is_reversible && !is_done &&
            (r->second >= w->n_treated || r->covered_by != HD_NO_EVENT || r->was_slept_away ||
             treats_all))
            treat_race(w, r, &run);
    }
    for (size_t i = 0; i < w->held.n; i++)
        if (w->held.at[i].at >= w->n_treated || w->treats_all)
            treat_held(w, &w->held.at[i], &run);
    w->treats_all = false;
}

/* ---- what is left ---- */

static hd_thread_set untried(const hd_weave *w, const hd_weave_node *node, hd_thread_set tried) {
    switch (w->reduction) {
    case HD_REDUCTION_NONE:
        return hd_set_minus(node->enabled, tried);
    case HD_REDUCTION_FLIP:
        return node->has_race ? hd_set_minus(node->enabled, tried) : HD_SET_EMPTY;
    default:
        return hd_set_minus(hd_set_minus(node->todo, tried), node->asleep);
    }
}

static hd_thread_set candidates(const hd_weave *w, const hd_weave_node *node, uint32_t e) {
    return untried(w, node, hd_set_with(node->done, hd_event_action(&w->log, e)->thread));
}

bool hd_reduce_has_next(const hd_weave *w, uint32_t e) {
    const hd_weave_node *node = &w->nodes.at[e];
    if (w->reduction == HD_REDUCTION_MESSAGE)
        return hd_message_has_next(w, node,
                                   hd_set_with(node->done, hd_event_action(&w->log, e)->thread));
    return w->reduction == HD_REDUCTION_OPTIMAL ? node->tree != HD_NO_WAKEUP
                                                : !hd_set_is_empty(candidates(w, node, e));
}

/* May what sleeps come first in the first sequence of the tree? */
static bool may_begin(const hd_wakeups *t, uint32_t step, const hd_action *sleeping) {
    for (; step; step = t->at.at[step].child) {
        const hd_action *a = &t->at.at[step].action;
        if (a->thread == sleeping->thread)
            return true;
        if (hd_actions_conflict(a, sleeping) || hd_is_same_barrier(a, sleeping))
            return false;
    }
    return true;
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
    return hd_demand_narrow(d, condition);
}

/* Does the first sequence of the node still lead to something new?  What sleeps has become more
 * since it was inserted.  The inputs that lead there, if they must be others, into `model`. */
static bool is_still_new(hd_weave *w, uint32_t e, hd_model *model) {
    const hd_weave_node *node = &w->nodes.at[e];
    hd_model inputs = {0};
    hd_model_copy(&inputs, model);
    hd_demand d = {.x = w->x,
                   .site = w->wakeups.at.at[node->tree].action.site,
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

/* Leave out what would need more preemptions than the bound. */
static uint32_t next_bounded(hd_weave *w, hd_weave_node *node, uint32_t e) {
    uint32_t before = e ? hd_event_action(&w->log, e - 1)->thread : 0;
    uint32_t t;
    HD_SET_EACH(t, candidates(w, node, e)) {
        bool preempts = e && t != before && hd_set_has(node->enabled, before);
        if (node->preemptions + preempts <= (uint32_t)w->bound)
            return t;
        node->done = hd_set_with(node->done, t);
        w->x->counters.preempted_away++;
    }
    return HD_NO_EVENT;
}

uint32_t hd_reduce_next(hd_weave *w, uint32_t e, hd_model *model) {
    hd_reduce_put_to_sleep(w, e);
    hd_weave_node *node = &w->nodes.at[e];
    if (w->reduction == HD_REDUCTION_OPTIMAL)
        return next_sequence(w, e, model);
    if (w->bound >= 0)
        return next_bounded(w, node, e);
    if (w->reduction == HD_REDUCTION_MESSAGE) {
        hd_thread_set next = hd_message_next(w, node, node->done);
        return hd_set_is_empty(next) ? HD_NO_EVENT : hd_set_first(next);
    }
    hd_thread_set left = candidates(w, node, e);
    node->has_race = false;
    return hd_set_is_empty(left) ? HD_NO_EVENT : hd_set_first(left);
}

uint32_t hd_reduce_instead(hd_weave *w, hd_weave_node *node, hd_model *model) {
    if (node->tree != HD_NO_WAKEUP)
        return next_sequence(w, (uint32_t)(node - w->nodes.at), model);
    if (w->reduction == HD_REDUCTION_FLIP)
        node->has_race =
            !hd_set_is_empty(node->done); /* the race that asked for another thread still does */
    hd_thread_set left = hd_set_is_empty(node->done) ? HD_SET_EMPTY : untried(w, node, node->done);
    node->has_race = false;
    return !hd_set_is_empty(left) && w->reduction != HD_REDUCTION_OPTIMAL ? hd_set_first(left)
                                                                          : HD_NO_EVENT;
}
