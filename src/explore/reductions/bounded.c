/* bounded: every order with at most so many preemptions; in force in place of any other while they
 * are bounded. */
#include "explore/orders/reduction.h"

#include "base/panic.h"

static uint32_t count_preemptions(const hd_weave *w) {
    uint32_t n = w->n_events;
    if (!n)
        return 0;
    const hd_weave_node *before = &w->nodes.at[n - 1];
    HD_ASSERT(n <= w->log.at.n && n < w->nodes.n);
    return before->preemptions +
           (n > 1 &&
            hd_event_action(&w->log, n - 1)->thread != hd_event_action(&w->log, n - 2)->thread &&
            hd_set_has(before->enabled, hd_event_action(&w->log, n - 2)->thread));
}

/* Whoever ran last goes on if it can, so that nothing is preempted: of a message that is its
 * courier, which may bring the next one, and not the actor that runs in its event. */
static uint32_t go_on(const hd_weave *w, hd_thread_set enabled) {
    uint32_t n = w->n_events, last = n ? hd_event_action(&w->log, n - 1)->thread : 0;
    return hd_set_has(enabled, last) ? last : hd_set_first(enabled);
}

static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    uint32_t end;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    if (hd_set_is_empty(enabled))
        return end;
    node->enabled = hd_none_without_choice(threads, enabled);
    node->preemptions = count_preemptions(w);
    HD_ASSERT(w->bound >= 0 && node->preemptions <= (uint32_t)w->bound);
    return go_on(w, node->enabled);
}

/* Leave out what would need more preemptions than the bound. */
static uint32_t next(hd_weave *w, uint32_t e, hd_model *model) {
    (void)model;
    hd_weave_node *node = &w->nodes.at[e];
    HD_ASSERT(w->bound >= 0 && node->preemptions <= (uint32_t)w->bound);
    uint32_t before = e ? hd_event_action(&w->log, e - 1)->thread : 0;
    uint32_t t;
    HD_SET_EACH(t, hd_reduce_candidates(w, node, e)) {
        bool preempts = e && t != before && hd_set_has(node->enabled, before);
        if (node->preemptions + preempts <= (uint32_t)w->bound)
            return t;
        node->done = hd_set_with(node->done, t);
        w->x->counters.preempted_away++;
    }
    return HD_NO_EVENT;
}

const hd_rules hd_rules_bounded =
    HD_RULES(false, false, false, choose, hd_reduce_note_decisions, hd_none_untried,
             hd_reduce_has_untried, next, hd_reduce_other_untried, NULL, NULL, NULL, NULL);
