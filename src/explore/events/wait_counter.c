/* Waiting until a counter is above 0 (semaphores; a gate is one that is 0 or 1).
 *
 * `state` of those who change it (COUNTS) is what it held before.  Who waits fails only if its
 * thread was cancelled, whatever the counter holds, or if a signal came while that was 0. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* Walk back over a counter to the event before which it could have been taken. */
static uint32_t counter_blocker(const hd_events *log, const hd_action *a) {
    const uint64_t *known = hd_map_find(&log->location_of, a->access[0].address / HD_LOCATION);
    uint32_t t = known ? log->locations.at[*known].writes : HD_NO_EVENT;
    for (; t != HD_NO_EVENT; t = log->touches.at[t].previous) {
        uint32_t e = log->touches.at[t].event;
        if (hd_event_action(log, e)->state > 0)
            return e;
        HD_CHECK(log->touches.at[t].previous == HD_NO_EVENT || log->touches.at[t].previous < t);
    }
    return HD_NO_EVENT;
}

/* What the counter of `second` would hold: what it held when the first event came that is about
 * it and not before `first`, which may be a look at its value, or about something else.  False if
 * nobody knows. */
static bool count_without(const hd_events *log, uint32_t first, uint32_t second, uint32_t *value) {
    const hd_action *a = hd_event_action(log, second);
    HD_ASSERT(first < second && a->n_accesses > 0);
    for (uint32_t e = first; e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        bool is_it = b->n_accesses && b->access[0].address == a->access[0].address;
        if (!is_it || hd_kind_is(b->kind, HD_KIND_READS) ||
            (e > first && !hd_event_before(log, first, e)))
            continue;
        *value = b->state;
        return hd_kind_is(b->kind, HD_KIND_COUNTS);
    }
    *value = a->state;
    return true;
}

/* From then on it could go on at any time. */
static bool was_let_go(const hd_action *a) {
    return a->flags & HD_ACTION_FAILED;
}

static bool lets_go(const hd_action *b, const hd_action *a) {
    return hd_cancels(b, a) || hd_interrupts(b, a);
}

/* Is the thread of `a`, event `second`, cancelled all the same? */
static bool is_cancelled_without(const hd_events *log, uint32_t first, uint32_t second,
                                 const hd_action *a) {
    for (uint32_t e = 0; e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (hd_cancels(b, a) && e != first && !hd_event_before(log, first, e))
            return true;
    }
    return false;
}

/* Or has another signal come?  Its thread has looked before it waited. */
static bool is_interrupted_without(const hd_events *log, uint32_t first, uint32_t second,
                                   const hd_action *a) {
    uint32_t since = log->at.at[second].previous;
    for (uint32_t e = since == HD_NO_EVENT ? 0 : since + 1; e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (hd_interrupts(b, a) && e != first && !hd_event_before(log, first, e))
            return true;
    }
    return false;
}

static bool is_let_go_without(const hd_events *log, uint32_t first, uint32_t second,
                              const hd_action *a) {
    return is_cancelled_without(log, first, second, a) ||
           is_interrupted_without(log, first, second, a);
}

HD_PREDICT(counter_wait) {
    uint32_t value;
    HD_ASSERT(!hd_kind_is(a->kind, HD_KIND_TRIES));
    bool fails = was_let_go(a) && is_cancelled_without(log, first, second, a), is_guess = false;
    if (!fails && is_interrupted_without(log, first, second, a)) {
        is_guess = !count_without(log, first, second, &value);
        fails = !is_guess && value == 0;
    }
    hd_foretell(a, !fails, fails);
    return is_guess;
}

HD_PREDICT(counter_try) {
    uint32_t value;
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_TRIES));
    bool is_guess = !count_without(log, first, second, &value);
    bool succeeds = is_guess || value > 0;
    hd_foretell(a, succeeds, !succeeds);
    return is_guess;
}

/* Back from event `e`, which has changed the counter, to the one before which it was open. */
static uint32_t last_open(const hd_events *log, uint32_t e) {
    while (e != HD_NO_EVENT && hd_event_action(log, e)->state == 0) {
        uint32_t t = log->at.at[e].first_touch;
        while (log->touches.at[t].mode != HD_MODE_WRITE)
            t++;
        HD_ASSERT(log->touches.at[t].event == e); /* it has changed something */
        t = log->touches.at[t].previous;
        e = t == HD_NO_EVENT ? HD_NO_EVENT : log->touches.at[t].event;
    }
    return e;
}

/* Who only looked at the counter, after the last one that changed it, saw it open.  Who was
 * let go before it was open could have gone on while it was, before that; who has taken it, and had
 * a signal, could have gone on without it. */
HD_RACE(counter) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    uint32_t first = c;
    HD_CHECK(!hd_kind_is(a->kind, HD_KIND_TRIES)); /* who tries may fail for other reasons */
    bool is_why = lets_go(b, a) && a->state == 0 && !is_let_go_without(log, c, n, a);
    if (was_let_go(a) && !is_why)
        return c;
    bool is_same = b->n_accesses && b->access[0].address == a->access[0].address;
    bool is_look = is_same && b->access[0].mode == HD_MODE_READ;
    if (was_let_go(a))
        first = counter_blocker(log, a);
    else if (is_same && !is_look && !is_interrupted_without(log, c, n, a))
        first = last_open(log, c);
    return first == HD_NO_EVENT || hd_clock_has_seen(log, clock, first) ? HD_NO_EVENT : first;
}

HD_BLOCKERS(counter) {
    (void)clock;
    out[0] = counter_blocker(log, a);
    return out[0] != HD_NO_EVENT;
}
