/* The efficient algorithm for messages (paper 000, section 6, Fig. 12).
 *
 * In a state all messages of one process are tried, the one with the lowest number that has any.
 * Another process comes next only if that might make a difference: if later something was sent to
 * the process although the send does not depend on what the process did from this state on ("needs
 * delay").  Corrections: clocks are those after an event (PC1), the flag stays with the path
 * (PC3), and a message of a channel that keeps its order is no reason while the channel was not
 * empty (PC4).  Threads inside a process and direct effects of processes on each other are
 * treated alike: the threads of a process are tried together with its messages, and a race between
 * two processes counts as a send. */
#include "explore/events/queues.h"
#include "explore/orders/reduction.h"

#include "base/panic.h"

static hd_thread_set of_process(const hd_weave *w, hd_thread_set among, uint32_t process) {
    hd_set_maker yes = {0};
    uint32_t t;
    HD_SET_EACH(t, among)
    if (w->process[t] == process)
        hd_set_maker_add(&yes, t);
    return hd_set_made(&yes);
}

/* The threads and couriers of the first process that could go on. */
static hd_thread_set of_first_process(const hd_weave *w, hd_thread_set enabled) {
    uint32_t lowest = UINT32_MAX;
    uint32_t t;
    HD_SET_EACH(t, enabled)
    lowest = w->process[t] < lowest ? w->process[t] : lowest;
    HD_ASSERT(hd_set_is_empty(enabled) || lowest < HD_MAX_THREADS);
    return of_process(w, enabled, lowest);
}

/* Processes of those that are stuck count too. */
static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    uint32_t end;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    memcpy(w->process, threads->process, threads->n * sizeof *w->process);
    if (hd_set_is_empty(enabled))
        return end;
    node->todo = of_first_process(w, enabled);
    HD_CHECK(!hd_set_is_empty(node->todo));
    return w->draws ? hd_reduce_draw(w, node->todo) : hd_set_first(node->todo);
}

/* What is left of a state: more of its process, or, if a send may have come too late, the next
 * process. */
static bool has_next(const hd_weave *w, uint32_t e) {
    const hd_weave_node *node = &w->nodes.at[e];
    hd_thread_set tried = hd_set_with(node->done, hd_event_action(&w->log, e)->thread);
    return !hd_set_is_empty(hd_set_minus(node->todo, tried)) ||
           (node->has_race && !hd_set_is_empty(hd_set_minus(node->enabled, node->todo)));
}

static uint32_t next(hd_weave *w, uint32_t e, hd_model *model) {
    (void)model;
    hd_weave_node *node = &w->nodes.at[e];
    if (hd_set_is_empty(hd_set_minus(node->todo, node->done)) && node->has_race) {
        hd_thread_set more = of_first_process(w, hd_set_minus(node->enabled, node->todo));
        node->has_race = false;
        node->todo = hd_set_either(node->todo, more);
    }
    hd_thread_set left = hd_set_minus(node->todo, node->done);
    HD_INVARIANT(R1, node->tree == HD_NO_WAKEUP);
    return hd_set_is_empty(left) ? HD_NO_EVENT : hd_set_first(left);
}

/* ---- delays ---- */

static uint32_t process_of(const hd_weave *w, uint32_t e) {
    return w->process[hd_event_action(&w->log, e)->thread];
}

/* Did the channel of the message that event `e` (HD_NO_EVENT: none yet) of its courier brought
 * before this one hold something before event `k`? */
static bool was_waiting(const hd_weave *w, uint32_t e, uint32_t k) {
    for (; e != HD_NO_EVENT && e >= k; e = w->log.at.at[e].previous)
        if (hd_event_action(&w->log, e)->after[0] <= k)
            return true;
    return false;
}

/* Something was sent to `process` in event `sent`.  Every state up to there from which the process
 * went on in a way that the send does not depend on could have waited for it. */
static void delay(hd_weave *w, uint32_t process, uint32_t sent, uint32_t previous) {
    HD_ASSERT(sent < w->log.at.n && process < HD_MAX_THREADS);
    for (uint32_t k = 0; k <= sent; k++)
        if (process_of(w, k) == process && !hd_event_before(&w->log, k, sent) &&
            !was_waiting(w, previous, k))
            w->nodes.at[k].has_race = true;
}

/* A message that was sent by an event that was not treated before. */
static void treat_message(hd_weave *w, const hd_action *a, uint32_t previous) {
    /* The last event that was repeated may go on in another way, and send other things. */
    if (!a->after[0] || a->after[0] < w->n_treated)
        return;
    uint32_t sent = a->after[0] - 1, to = w->process[a->thread];
    if (process_of(w, sent) != to)
        delay(w, to, sent, previous);
}

/* The process that an event of another one has put something before, without a courier; or
 * UINT32_MAX. */
static uint32_t direct_receiver(const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++) {
        uint64_t at = a->access[i].address;
        if (hd_kind_is(a->kind, HD_KIND_PUTS) && at >= HD_TOKEN_READY(0) &&
            at < HD_TOKEN_READY(HD_MAX_THREADS))
            return (uint32_t)(at - HD_TOKEN_READY(0)) / HD_READY_TOKENS;
        if (at >= HD_TOKEN_ENDED(0, 0) && at < HD_TOKEN_ENDED(HD_MAX_THREADS, 0))
            return (uint32_t)(at - HD_TOKEN_ENDED(0, 0)) / HD_MAX_THREADS;
    }
    return UINT32_MAX;
}

/* What an event found in a queue was sent to its process, whoever the queue belongs to, and so was
 * the room that it needed. */
static void treat_items(hd_weave *w, uint32_t e) {
    uint32_t sources[HD_MAX_THREADS], n = 0;
    if (hd_kind_is(hd_event_action(&w->log, e)->kind, HD_KIND_QUEUE))
        n = hd_queues_sources(&w->log, e, sources);
    for (uint32_t i = 0; i < n; i++)
        if (process_of(w, sources[i]) != process_of(w, e))
            delay(w, process_of(w, e), sources[i], HD_NO_EVENT);
}

static void treat_event(hd_weave *w, uint32_t e) {
    const hd_action *a = hd_event_action(&w->log, e);
    treat_message(w, a, w->log.at.at[e].previous);
    treat_items(w, e);
    uint32_t to = direct_receiver(a);
    if (to != UINT32_MAX && to != process_of(w, e))
        delay(w, to, e, HD_NO_EVENT);
}

/* Two processes race: the one that was first could have waited. */
static void treat_race(hd_weave *w, const hd_racing *r) {
    uint32_t clock[HD_MAX_THREADS], process = process_of(w, r->first);
    HD_INVARIANT(L2, r->first < r->second && r->second < w->log.at.n);
    if (process == process_of(w, r->second))
        return;
    hd_events_own_clock(&w->log, r->second, hd_event_action(&w->log, r->second), clock);
    for (uint32_t k = 0; k <= r->first; k++)
        if (process_of(w, k) == process && !hd_clock_has_seen(&w->log, clock, k))
            w->nodes.at[k].has_race = true;
}

/* A thread waited, at the end or for time to pass, for what another process took: that one could
 * have waited instead. */
static void treat_held(hd_weave *w, const hd_held_thread *h) {
    const uint32_t *blockers = hd_held_blockers(w, h), *clock = hd_held_clock(w, h);
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t k = 0; k <= blockers[i]; k++)
            if (process_of(w, k) == process_of(w, blockers[i]) &&
                !hd_clock_has_seen(&w->log, clock, k))
                w->nodes.at[k].has_race = true;
}

/* Which states must try the next process too. */
static void conclude(hd_weave *w) {
    hd_reduce_note_decisions(w);
    hd_reduce_note_held(w, &w->stuck);
    for (uint32_t e = w->n_treated; e < w->log.at.n; e++)
        treat_event(w, e);
    uint32_t t;
    HD_SET_EACH(t, w->stuck.alive) {
        treat_message(w, &w->stuck.action[t], hd_event_last(&w->log, t));
    }
    for (size_t i = 0; i < w->held.n; i++)
        if (w->held.at[i].at >= w->n_treated)
            treat_held(w, &w->held.at[i]);
    for (size_t i = 0; i < w->log.races.n; i++)
        if (w->log.races.at[i].second >= w->n_treated && w->log.races.at[i].is_reversible)
            treat_race(w, &w->log.races.at[i]);
}

const hd_rules hd_rules_message = HD_RULES(
    true, false, false, choose, conclude, hd_reduce_awake_todo, has_next, next,
    hd_reduce_other_untried, NULL, hd_reduce_keep_all, hd_reduce_leave_all, hd_reduce_give);
