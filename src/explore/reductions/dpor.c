/* dpor: source sets and sleep sets (in place of paper 002, Fig. 19: PC19). */
#include "explore/orders/reduction.h"

#include "base/panic.h"

static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    if (w->n_events < HD_LONG_RUN && hd_reduce_current_can_go_on(w, threads, node)) {
        node->todo = hd_set_of(threads->current);
        return threads->current;
    }
    uint32_t first = hd_reduce_choose_first(w, node, threads), end;
    if (first < HD_MAX_THREADS)
        return first;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    return hd_set_is_empty(enabled) ? end : hd_reduce_choose_awake(w, node, threads, enabled);
}

/* An exchange that inputs decide wakes as the write that it may be. */
static void sleep_whatever_inputs(hd_weave *w, uint32_t e) {
    hd_action a;
    HD_CHECK(!hd_set_has(w->nodes.at[e].asleep, hd_event_action(&w->log, e)->thread));
    hd_action_copy(&a, hd_event_action(&w->log, e));
    if (hd_exchange_decision(w, e) != HD_NO_EVENT)
        hd_exchange_turn(w, &a, false);
    hd_reduce_add_sleeper(w, &w->nodes.at[e], &a, HD_NONE);
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

/* Is the thread that went next in the state before event e one that was asked for there? */
static bool has_thread_of_path(const hd_weave *w, uint32_t e) {
    uint32_t thread = hd_event_action(&w->log, e)->thread;
    return hd_set_has(w->nodes.at[e].todo, thread) || hd_set_has(w->nodes.at[e].done, thread);
}

static void add_source(hd_weave *w, const uint32_t *first, uint32_t n, uint32_t end,
                       const hd_action *last, const uint32_t *clock) {
    uint32_t e = hd_reduce_earliest(first, n);
    hd_weave_node *node = &w->nodes.at[e];
    HD_CHECK_INVARIANT(R2, has_thread_of_path(w, e));
    hd_sequence s = hd_reduce_independent_of(w, first, n, end, last, clock);
    hd_thread_set able = initials(&s);
    HD_CHECK(hd_set_has(able, s.at[0].action->thread));
    HD_INVARIANT(R1, node->tree == HD_NO_WAKEUP);
    HD_ASSERT(!hd_set_is_empty(able)); /* the first step may come first */
    if (!hd_set_meets(able, node->todo) && !hd_set_meets(able, node->done))
        node->todo = hd_set_with(node->todo, hd_set_first(able));
}

static void turn_race(hd_weave *w, hd_racing *r, uint32_t *run) {
    (void)run;
    bool is_guess;
    hd_action last = hd_events_predict(&w->log, r->first, r->second, &is_guess);
    if (hd_exchange_condition(w, r->first, r->second))
        hd_exchange_turn(w, &last, false); /* who comes first then may in any case */
    hd_events_own_clock(&w->log, r->second, &last, w->last_clock);
    add_source(w, &r->first, 1, r->second, &last, w->last_clock);
}

/* What waits could have run if none of the blockers had. */
static void turn_held(hd_weave *w, hd_held_thread *h, uint32_t *run) {
    (void)run;
    add_source(w, hd_held_blockers(w, h), h->n, h->at, &h->action, hd_held_clock(w, h));
}

void hd_dpor_turn_races(hd_weave *w) {
    hd_outcome_find(w);
    hd_reduce_turn_races(w, turn_race, turn_held);
}

static void conclude(hd_weave *w) {
    hd_reduce_begin_conclusion(w);
    hd_dpor_turn_races(w);
}

/* A race that is seen there asks for a thread there, unless it is tried here. */
static void keep(hd_weave_node *here) {
    (void)here;
}

static void leave(hd_weave_node *there) {
    there->done = hd_set_either(there->done, there->todo);
}

const hd_rules hd_rules_dpor =
    HD_RULES(true, false, false, choose, conclude, hd_reduce_awake_todo, hd_reduce_has_untried,
             hd_reduce_next_untried, hd_reduce_other_untried, sleep_whatever_inputs, keep, leave,
             hd_reduce_give);
