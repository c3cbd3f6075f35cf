/* Waiting for a message: an actor takes one of those that it accepts (`expected`). */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* The last event before `end` in which the actor took another message although it would have
 * accepted the one of `a`, which was there; HD_NO_EVENT if there is none that `clock` has not
 * seen. */
static uint32_t receiving_race(const hd_events *log, const hd_action *a, uint32_t end,
                               const uint32_t *clock) {
    uint32_t e = end;
    HD_ASSERT(a->n_accesses > 0 && hd_kind_is(a->kind, HD_KIND_DELIVERS));
    while ((e = hd_last_write(log, a->access[0].address, e)) != HD_NO_EVENT &&
           !hd_clock_has_seen(log, clock, e))
        if (hd_event_action(log, e)->expected >> (a->state & 63) & 1)
            return e;
    return HD_NO_EVENT;
}

HD_PREDICT(message) {
    HD_ASSERT(first < second);
    a->expected = hd_event_action(log, first)->expected;
    return false;
}

HD_RACE(message) {
    (void)c;
    return receiving_race(log, hd_event_action(log, n), n, clock);
}

HD_BLOCKERS(message) {
    out[0] = receiving_race(log, a, (uint32_t)log->at.n, clock);
    return out[0] != HD_NO_EVENT;
}
