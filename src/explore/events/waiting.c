/* What waits, and what keeps it waiting, whatever that is (see races.h; wait_*.c: by what is waited
 * for). */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"
#include "explore/events/queues.h"

/* Attempts with a time limit wait only for their turn to fail: they could run at any time.  So
 * could an atomic section, between those of others, and what ended by its time since then. */
bool hd_must_wait(const hd_action *a) {
    bool is_late = hd_uses_queue(a) && a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT);
    return a->flags & HD_ACTION_WAITS && !hd_kind_is(a->kind, HD_KIND_TRIES) && !is_late;
}

bool hd_uses_queue(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_QUEUE);
}

uint32_t hd_last_write(const hd_events *log, uint64_t address, uint32_t end) {
    HD_ASSERT(end <= log->at.n);
    const uint64_t *known = hd_map_find(&log->location_of, address / HD_LOCATION);
    uint32_t t = known ? log->locations.at[*known].writes : HD_NO_EVENT;
    while (t != HD_NO_EVENT && log->touches.at[t].event >= end)
        t = log->touches.at[t].previous;
    HD_CHECK(t == HD_NO_EVENT || (log->touches.at[t].mode == HD_MODE_WRITE && t < log->touches.n));
    return t == HD_NO_EVENT ? HD_NO_EVENT : log->touches.at[t].event;
}

/* ---- the first event of a race ---- */

HD_RACE(none) {
    (void)log, (void)c, (void)n, (void)clock;
    return HD_NO_EVENT;
}

uint32_t hd_waiting_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock) {
    const hd_action *a = hd_event_action(log, n);
    HD_CHECK(c < n && hd_must_wait(a) && hd_kind_is(a->kind, HD_KIND_WAITS));
    uint32_t first = hd_kind_orders[a->kind].race(log, c, n, clock);
    HD_INVARIANT(L2, first == HD_NO_EVENT || first < n);
    HD_CHECK(first == HD_NO_EVENT || !hd_clock_has_seen(log, clock, first));
    return first;
}

/* ---- what keeps a thread waiting at the end ---- */

HD_BLOCKERS(none) {
    (void)log, (void)a, (void)clock, (void)out;
    return 0;
}

/* The end of the program has waited for none of the threads that have ended before it. */
HD_BLOCKERS(end) {
    uint32_t e = (uint32_t)log->at.n;
    (void)a;
    memset(clock, 0, log->stride * sizeof *clock);
    if (!e || !hd_kind_is(hd_event_action(log, e - 1)->kind, HD_KIND_ENDS))
        return 0;
    out[0] = e - 1;
    return 1;
}

/* The event in which the process of the action was killed: not its own end, which waits until its
 * threads cannot go on.  What the action says of its own process comes behind what it asks of
 * others. */
static uint32_t killing_event(const hd_events *log, const hd_action *a) {
    for (unsigned i = a->n_accesses; i-- > 0;) {
        uint64_t at = a->access[i].address;
        if (at < HD_TOKEN_ALIVE(0) || at >= HD_TOKEN_ALIVE(HD_MAX_THREADS))
            continue;
        uint32_t e = hd_last_write(log, at, (uint32_t)log->at.n);
        bool kills = e != HD_NO_EVENT && !hd_kind_is(hd_event_action(log, e)->kind, HD_KIND_SETS);
        return kills ? e : HD_NO_EVENT;
    }
    return HD_NO_EVENT;
}

/* What was killed while it waited could have gone on if another had not been faster than it, and
 * the kill is after that, or had not been either.  (FAILED: it could not go on when it was killed.)
 */
static uint32_t killed_blockers(const hd_events *log, const hd_action *a, uint32_t kill,
                                const uint32_t *clock, uint32_t *out) {
    out[0] = kill;
    HD_ASSERT(kill < log->at.n);
    if (!(a->flags & HD_ACTION_FAILED))
        return 1;
    if (!hd_uses_queue(a))
        return 0;
    uint32_t n_rivals = hd_queues_rivals(log, a, (uint32_t)log->at.n, clock, out), n = 0;
    bool is_after_all = true;
    for (uint32_t i = 0; i < n_rivals; i++) {
        bool is_after = hd_event_before(log, out[i], kill);
        is_after_all &= is_after;
        if (is_after || !hd_kind_is(a->kind, HD_KIND_POLLS))
            out[n++] = out[i];
    }
    if (n && !is_after_all && !hd_kind_is(a->kind, HD_KIND_POLLS) && n < HD_MAX_THREADS)
        out[n++] = kill;
    return n;
}

uint32_t hd_events_blockers(hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t clock[HD_MAX_THREADS];
    hd_events_own_clock(log, HD_NO_EVENT, a, clock);
    uint32_t kill = killing_event(log, a);
    uint32_t n = kill != HD_NO_EVENT ? killed_blockers(log, a, kill, clock, out)
                                     : hd_kind_orders[a->kind].blockers(log, a, clock, out);
    HD_ASSERT(n <= HD_MAX_THREADS);
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(out[i] < log->at.n);
        if (hd_clock_has_seen(log, clock, out[i]))
            return 0;
    }
    return n;
}
