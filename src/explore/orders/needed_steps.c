#include "explore/orders/needed_steps.h"

#include "base/panic.h"

#include <string.h>

static bool is_fixed(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_MEMORY | HD_KIND_OBJECT | HD_KIND_LIFE) &&
           !hd_kind_is(a->kind, HD_KIND_WORLD | HD_KIND_MEETS | HD_KIND_COUNTS | HD_KIND_SECTION);
}

static bool are_fixed(const hd_sequence *s) {
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i))
        if (!is_fixed(s->at[i].action))
            return false;
    return true;
}

/* The last step that is left. */
static uint32_t last_of(const hd_sequence *s) {
    uint32_t last = s->n_gone;
    if (s->by_thread && s->by_thread[s->at[s->n - 1].action->thread].first < s->n)
        return s->n - 1;
    while (hd_sequence_behind(s, last) < s->n)
        last = hd_sequence_behind(s, last);
    return last;
}

bool hd_needed_are_all(const hd_sequence *s) {
    if (hd_sequence_is_used_up(s))
        return true;
    uint32_t last = last_of(s), i = s->n_gone;
    while (i < last && hd_sequence_is_before(s, i, last))
        i = hd_sequence_behind(s, i);
    return i >= last;
}

bool hd_needed_begin(hd_needed_steps *needed, const hd_sequence *s) {
    hd_vec_clear(needed);
    if (hd_sequence_is_used_up(s) || !are_fixed(s)) /* E2 */
        return false;
    hd_vec_reserve(needed, s->n);
    memset(needed->at, 0, s->n);
    needed->n = s->n;
    needed->at[last_of(s)] = true;
    return true;
}

bool hd_needed_wake(hd_needed_steps *needed, const hd_sequence *s, const hd_action *asleep) {
    HD_CHECK_INVARIANT(E2, needed->n == s->n && are_fixed(s));
    uint32_t k = hd_sequence_step_of(s, asleep->thread);
    if (!is_fixed(asleep)) /* E2 */
        return false;
    if (k < s->n) {
        needed->at[k] = true;
        return !hd_sequence_may_begin_with_step(s, k, asleep) ||
               !hd_is_same_way(s->at[k].action, asleep);
    }
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i))
        if (hd_actions_conflict(s->at[i].action, asleep)) {
            needed->at[i] = true;
            return true;
        }
    return false;
}

/* ---- what comes before needed steps (E1) ---- */

static void see(uint32_t *seen, const uint32_t *clock, uint32_t n) {
    for (uint32_t t = 0; t < n; t++)
        seen[t] = seen[t] > clock[t] ? seen[t] : clock[t];
}

/* The last step was executed elsewhere: what it conflicts with comes before it as well. */
static void see_last(hd_needed_steps *needed, const hd_sequence *s, uint32_t *seen) {
    uint32_t last = s->n - 1;
    if (s->last_clock)
        see(seen, s->last_clock, s->log->stride);
    for (uint32_t i = s->n_gone; i < last; i = hd_sequence_behind(s, i))
        if (s->at[i].action->thread == s->at[last].action->thread ||
            hd_actions_conflict(s->at[i].action, s->at[last].action))
            needed->at[i] = true;
}

/* One pass: what the clocks of needed steps have seen is needed. */
static void close_by_clocks(hd_needed_steps *needed, const hd_sequence *s) {
    uint32_t seen[HD_MAX_THREADS];
    memset(seen, 0, s->log->stride * sizeof *seen);
    for (uint32_t k = s->n; k-- > s->n_gone;) {
        uint32_t event = s->at[k].event;
        if (event != UINT32_MAX)
            needed->at[k] |= hd_clock_has_seen(s->log, seen, event);
        if (needed->at[k] && event != UINT32_MAX)
            see(seen, hd_event_clock(s->log, event), s->log->stride);
        else if (needed->at[k])
            see_last(needed, s, seen);
    }
}

static void close_by_order(hd_needed_steps *needed, const hd_sequence *s) {
    for (uint32_t k = s->n; k-- > s->n_gone;)
        for (uint32_t i = s->n_gone; needed->at[k] && i < k; i = hd_sequence_behind(s, i))
            if (!needed->at[i])
                needed->at[i] = hd_sequence_is_before(s, i, k);
}

/* The last step is needed, and nothing that comes before a needed step is left out. */
static __attribute__((unused)) bool is_closed(const hd_needed_steps *needed, const hd_sequence *s) {
    uint32_t last = s->n_gone;
    for (uint32_t k = s->n_gone; k < s->n; last = k, k = hd_sequence_behind(s, k))
        for (uint32_t i = s->n_gone; i < k; i = hd_sequence_behind(s, i))
            if (needed->at[k] && !needed->at[i] && hd_sequence_is_before(s, i, k))
                return false;
    return needed->at[last];
}

/* No step that is left is left out. */
static __attribute__((unused)) bool is_all(const hd_needed_steps *needed, const hd_sequence *s) {
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i))
        if (!needed->at[i])
            return false;
    return true;
}

void hd_needed_end(hd_needed_steps *needed, const hd_sequence *s) {
    HD_ASSERT(needed->n == s->n);
    if (s->log)
        close_by_clocks(needed, s);
    else
        close_by_order(needed, s);
    HD_CHECK_INVARIANT(E1, is_closed(needed, s));
    HD_CHECK_INVARIANT(E1, !hd_needed_are_all(s) || is_all(needed, s));
}
