/* Waiting for others to come (barriers): those who arrive make generations of so many. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* The generation in which `second` would arrive at its barrier.  It is in a later one than another
 * arrival, so that the generation before it is complete and shows how many belong to one. */
static uint32_t generation_without(const hd_events *log, uint32_t first, uint32_t second) {
    const hd_action *a = hd_event_action(log, second);
    uint32_t n_before = 0, n_of_previous = 0, lowest = a->detail;
    for (uint32_t e = hd_events_since_alone(log, second); e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (!hd_kind_is(b->kind, HD_KIND_MEETS) || b->access[0].address != a->access[0].address)
            continue;
        n_of_previous += b->detail + 1 == a->detail;
        n_before += !hd_event_before(log, first, e);
        lowest = b->detail < lowest ? b->detail : lowest;
    }
    HD_ASSERT(lowest <= a->detail);
    return n_of_previous ? lowest + n_before / n_of_previous : a->detail;
}

HD_PREDICT(arrival) {
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_MEETS));
    a->detail = generation_without(log, first, second);
    return false;
}

/* Who waited at a barrier has waited for those who meet there, and for nothing else. */
HD_RACE(meeting) {
    (void)clock;
    HD_CHECK(c < n && !hd_kind_is(hd_event_action(log, n)->kind, HD_KIND_MEETS)); /* who leaves */
    return hd_kind_is(hd_event_action(log, c)->kind, HD_KIND_MEETS) ? HD_NO_EVENT : c;
}
