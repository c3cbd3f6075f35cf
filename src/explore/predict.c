/* The second event of a race without the first (see races.h). */
#include "explore/races.h"

#include "explore/past.h"
#include "explore/queues.h"

/* The first event after the last time that a thread was alone: what events before it tell may have
 * changed since without an event (L3). */
static uint32_t since_alone(const hd_events *log, uint32_t end) {
    while (end > 0 && !log->at.at[end - 1].is_alone_after)
        end--;
    return end;
}

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

/* How many would wait for the condition that `second` signals. */
static uint32_t waiters_without(const hd_events *log, uint32_t first, uint32_t second) {
    uint64_t condition = hd_event_action(log, second)->access[0].address;
    uint32_t n = 0;
    for (uint32_t e = since_alone(log, second); e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (b->kind < HD_DO_WAIT || b->kind > HD_DO_BROADCAST || hd_event_before(log, first, e))
            continue;
        bool is_signal = b->kind == HD_DO_SIGNAL || b->kind == HD_DO_BROADCAST;
        if (b->access[!is_signal].address != condition)
            continue;
        if (b->kind == HD_DO_WAIT)
            n++;
        else if (b->kind == HD_DO_BROADCAST)
            n = 0;
        else if (n && (b->flags & HD_ACTION_TIMEOUT ||
                       (is_signal && b->access[0].mode == HD_MODE_WRITE)))
            n--;
    }
    return n;
}

/* The generation in which `second` would arrive at its barrier.  It is in a later one than another
 * arrival, so that the generation before it is complete and shows how many belong to one. */
static uint32_t generation_without(const hd_events *log, uint32_t first, uint32_t second) {
    const hd_action *a = hd_event_action(log, second);
    uint32_t n_before = 0, n_of_previous = 0, lowest = a->detail;
    for (uint32_t e = since_alone(log, second); e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (b->kind != HD_DO_ARRIVE || b->access[0].address != a->access[0].address)
            continue;
        n_of_previous += b->detail + 1 == a->detail;
        n_before += !hd_event_before(log, first, e);
        lowest = b->detail < lowest ? b->detail : lowest;
    }
    return n_of_previous ? lowest + n_before / n_of_previous : a->detail;
}

/* Why a join goes on without it no more. */
static uint32_t reason_of(const hd_action *first, const hd_action *join) {
    return hd_lets_join_early(first, join) ? HD_JOIN_EARLY
           : first->kind == HD_DO_OBJECT   ? HD_JOIN_ENDED
                                           : 0;
}

/* An action whose outcome cannot be told counts as a write: more is explored then, not less. */
hd_action hd_events_predict(hd_events *log, uint32_t first, uint32_t second, bool *is_guess) {
    hd_action a = *hd_event_action(log, second);
    *is_guess = false;
    if (a.kind == HD_DO_ARRIVE)
        a.detail = generation_without(log, first, second);
    if (a.kind == HD_DO_JOIN)
        a.state &= ~reason_of(hd_event_action(log, first), &a);
    if (a.kind == HD_DO_RECEIVE)
        a.expected = hd_event_action(log, first)->expected;
    if (hd_uses_queue(&a))
        *is_guess = !hd_queues_predict(log, first, second, &a);
    if (a.kind >= HD_DO_AWAIT || a.kind == HD_DO_ARRIVE || !(a.flags & HD_ACTION_SETTLES))
        return a;
    bool succeeds = true, reads = false;
    uint64_t value;
    uint32_t holders[HD_MAX_THREADS];
    switch (a.kind) {
    case HD_DO_COMPARE:
        *is_guess = !value_without(log, first, second, &value);
        succeeds = *is_guess || value == a.expected;
        reads = !succeeds;
        break;
    case HD_DO_TRY_LOCK:
    case HD_DO_TRY_READ_LOCK:
        succeeds = hd_holders_without(log, &first, 1, &a, second, holders) == 0;
        reads = a.kind == HD_DO_TRY_READ_LOCK ||
                (!succeeds && !hd_is_lock_reader(hd_event_action(log, holders[0])));
        break;
    case HD_DO_SEMAPHORE_WAIT:
        succeeds = !hd_was_cancelled(&a) || hd_event_action(log, first)->kind == HD_DO_CANCEL;
        reads = !succeeds;
        break;
    case HD_DO_SEMAPHORE_TRY:
        reads = !(succeeds = hd_event_action(log, first)->state > 0);
        break;
    case HD_DO_SIGNAL:
    case HD_DO_BROADCAST:
        reads = waiters_without(log, first, second) == 0;
        break;
    default:
        break;
    }
    a.flags = (uint8_t)(succeeds ? a.flags & ~HD_ACTION_FAILED : a.flags | HD_ACTION_FAILED);
    a.access[0].mode = reads ? HD_MODE_READ : HD_MODE_WRITE;
    return a;
}

bool hd_events_predict_waiting(const hd_events *log, const uint32_t *blockers, uint32_t n,
                               hd_action *a) {
    uint32_t first = blockers[0];
    for (uint32_t i = 1; i < n; i++)
        first = blockers[i] < first ? blockers[i] : first;
    return !hd_uses_queue(a) || hd_queues_predict(log, first, (uint32_t)log->at.n, a);
}
