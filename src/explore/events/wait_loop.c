/* Memory: what an exchange would meet, and the accesses of loops that wait for a value (SPINS). */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/hash.h"
#include "base/panic.h"
#include "explore/events/past.h"

/* What the memory at an exchange would hold: what was there before the first write that is after
 * `first`.  A write between two of these is after the former, and so after `first` too.  False if
 * nobody knows. */
static bool value_without(const hd_events *log, uint32_t first, uint32_t second, uint64_t *value) {
    const hd_action *a = hd_event_action(log, second);
    const hd_access *x = &a->access[0];
    hd_past p = {a->value, UINT64_MAX};
    for (uint32_t e = second; e-- > first;)
        if (hd_writes_at(hd_event_action(log, e), x) && hd_event_before(log, first, e))
            hd_past_go_back(&p, log, x, e);
    *value = p.value;
    return hd_past_is_known(&p, x);
}

HD_PREDICT(exchange) {
    uint64_t value;
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_EXCHANGES));
    bool is_guess = !value_without(log, first, second, &value);
    bool succeeds = is_guess || value == a->expected;
    hd_foretell(a, succeeds, !succeeds);
    return is_guess;
}

/* An access to memory, at the same bytes. */
static bool is_data_at(const hd_action *b, const hd_access *c) {
    return hd_kind_is(b->kind, HD_KIND_MEMORY) && b->access[0].address == c->address &&
           b->access[0].size == c->size;
}

static uint64_t round_key(const hd_action *a, uint64_t value) {
    uint64_t h = hd_hash_add((uint64_t)a->state << 32 | a->site, a->access[0].address);
    return hd_hash_add(h, value) & INT64_MAX;
}

/* Would the access go round its loop?  What nobody knows yet counts as no, and is noted. */
static bool goes_round(hd_events *log, const hd_action *a, uint64_t value) {
    HD_CHECK(a->flags & HD_ACTION_SPINS);
    if (log->threads->goes_round(log->threads, a, value))
        return true;
    hd_map_put(&log->assumed, round_key(a, value), 1);
    return false;
}

bool hd_events_assumed(const hd_events *log, const hd_action *a) {
    return hd_map_find(&log->assumed, round_key(a, a->value)) != NULL;
}

/* All writes before this one are before it: what has seen it has seen them too. */
static bool is_last_of_interest(const hd_events *log, const hd_access *x, uint32_t k,
                                const uint32_t *clock) {
    const hd_action *b = hd_event_action(log, k);
    const hd_access *y = &b->access[0];
    return !hd_kind_is(b->kind, HD_KIND_SECTION) && y->address <= x->address &&
           y->address + y->size >= x->address + x->size && hd_clock_has_seen(log, clock, k);
}

uint32_t hd_spinning_races(hd_events *log, const hd_action *a, uint32_t end, uint32_t e,
                           const uint32_t *clock, uint32_t *out) {
    const hd_access *x = &a->access[0];
    hd_past p = {0};
    uint32_t n = 0;
    HD_ASSERT(a->n_accesses > 0 && end <= log->at.n);
    for (uint32_t k = end; k-- > 0 && n < HD_MAX_THREADS;) {
        const hd_action *b = hd_event_action(log, k);
        bool is_write = b->n_accesses && b->access[0].mode == HD_MODE_WRITE;
        if (!(is_write && hd_actions_conflict(a, b)) &&
            !(hd_kind_is(b->kind, HD_KIND_SECTION) && hd_writes_at(b, x)))
            continue;
        if (is_last_of_interest(log, x, k, clock))
            break;
        hd_past_go_back(&p, log, x, k);
        if (k > e || b->thread == a->thread ||
            (hd_past_is_known(&p, x) && goes_round(log, a, p.value)))
            continue;
        out[n++] = k;
        if (hd_past_is_known(&p, x))
            break;
    }
    return n;
}

HD_RACE(spinning) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    bool is_read = b->access[0].mode == HD_MODE_READ && !hd_writes_at(b, &a->access[0]);
    bool waits = is_read && is_data_at(b, &a->access[0]) && goes_round(log, a, b->value);
    uint32_t first[HD_MAX_THREADS];
    first[0] = c;
    uint32_t n_first = is_read && !waits ? 1 : hd_spinning_races(log, a, n, c, clock, first);
    return !n_first || hd_clock_has_seen(log, clock, first[0]) ? HD_NO_EVENT : first[0];
}

HD_BLOCKERS(spinning) {
    uint32_t all[HD_MAX_THREADS], end = (uint32_t)log->at.n, n = 0;
    if (!(a->flags & HD_ACTION_SPINS))
        return 0;
    uint32_t n_all = hd_spinning_races(log, a, end, end, clock, all);
    for (uint32_t i = 0; i < n_all; i++)
        if (!hd_clock_has_seen(log, clock, all[i]))
            out[n++] = all[i];
    return n;
}
