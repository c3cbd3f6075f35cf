/* Waiting for a signal (conditions): who enters gives back a lock (access[0]) and takes it again
 * when it wakes up; who signals lets go one of those who wait, or all. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

#define OF_CONDITIONS (HD_KIND_ENTERS | HD_KIND_WAKES | HD_KIND_SIGNALS)

/* The condition of such an action: behind the lock, if there is one. */
static const hd_access *condition_of(const hd_action *a) {
    bool is_first = hd_kind_is(a->kind, HD_KIND_SIGNALS | HD_KIND_TRIES);
    HD_CHECK(hd_kind_is(a->kind, OF_CONDITIONS) && a->n_accesses > !is_first);
    return &a->access[!is_first];
}

/* How many would wait for the condition that `second` signals. */
static uint32_t waiters_without(const hd_events *log, uint32_t first, uint32_t second) {
    uint64_t condition = hd_event_action(log, second)->access[0].address;
    uint32_t n = 0;
    for (uint32_t e = hd_events_since_alone(log, second); e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (!hd_kind_is(b->kind, OF_CONDITIONS) || hd_event_before(log, first, e))
            continue;
        bool is_signal = hd_kind_is(b->kind, HD_KIND_SIGNALS);
        if (condition_of(b)->address != condition)
            continue;
        if (hd_kind_is(b->kind, HD_KIND_ENTERS))
            n++;
        else if (hd_kind_is(b->kind, HD_KIND_ALL))
            n = 0;
        else if (n && (b->flags & HD_ACTION_TIMEOUT ||
                       (is_signal && b->access[0].mode == HD_MODE_WRITE)))
            n--;
    }
    return n;
}

HD_PREDICT(signal) {
    HD_ASSERT(hd_kind_is(a->kind, HD_KIND_SIGNALS));
    return hd_foretell(a, true, waiters_without(log, first, second) == 0);
}

/* Nobody has signalled it, and it cannot give up by itself. */
static bool was_not_signalled(const hd_action *a) {
    return a->detail == 0;
}

HD_RACE(wake) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_WAKES));
    if (hd_kind_is(b->kind, HD_KIND_CANCELS) && was_not_signalled(a))
        return HD_NO_EVENT; /* it was cancelled, nothing else let it go on */
    return hd_race_shared_lock(log, c, n, clock);
}

/* Who was not signalled waits for that, not for the lock. */
HD_BLOCKERS(wake) {
    return was_not_signalled(a) ? 0 : hd_blockers_lock(log, a, clock, out);
}
