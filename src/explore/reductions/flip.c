/* flip: another thread where a race begins; races persist with the path (paper 002, Figs. 17 and
 * 18, with the corrections PC17 and PC18). */
#include "explore/orders/reduction.h"

#include "base/panic.h"

static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    uint32_t end;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    return hd_set_is_empty(enabled) ? end : hd_reduce_choose_awake(w, node, threads, enabled);
}

static void turn_race(hd_weave *w, hd_racing *r, uint32_t *run) {
    (void)run;
    HD_INVARIANT(L2, r->first < r->second && r->second < w->log.at.n);
    w->nodes.at[r->first].has_race = true;
}

/* What waits could have run if none of the blockers had. */
static void turn_held(hd_weave *w, hd_held_thread *h, uint32_t *run) {
    (void)run;
    const uint32_t *blockers = hd_held_blockers(w, h);
    for (uint32_t i = 0; i < h->n; i++) {
        HD_ASSERT(blockers[i] < w->log.at.n);
        w->nodes.at[blockers[i]].has_race = true;
    }
}

static void conclude(hd_weave *w) {
    hd_reduce_begin_conclusion(w);
    hd_outcome_find(w);
    hd_reduce_turn_races(w, turn_race, turn_held);
}

/* `todo` is the thread that was chosen first, unless the search was split. */
static hd_thread_set untried(const hd_weave *w, const hd_weave_node *node, hd_thread_set tried) {
    (void)w;
    return hd_set_minus(node->has_race ? node->enabled : node->todo, tried);
}

/* The race that asked for another thread still does. */
static uint32_t instead(hd_weave *w, hd_weave_node *node, hd_model *model) {
    node->has_race = !hd_set_is_empty(node->done);
    return hd_reduce_other_untried(w, node, model);
}

const hd_rules hd_rules_flip = HD_RULES(
    true, false, false, choose, conclude, untried, hd_reduce_has_untried, hd_reduce_next_untried,
    instead, NULL, hd_reduce_keep_all, hd_reduce_leave_all, hd_reduce_give);
