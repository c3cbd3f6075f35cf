/* The second event of a race without the first (see races.h). */
#include "explore/kinds.h"
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

/* What the semaphore of `second` would hold: what it held when the first event came that is about
 * it and not before `first`, which may be a look at its value, or about something else.  False if
 * nobody knows. */
static bool semaphore_without(const hd_events *log, uint32_t first, uint32_t second,
                              uint32_t *value) {
    const hd_action *a = hd_event_action(log, second);
    for (uint32_t e = first; e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        bool is_it = b->n_accesses && b->access[0].address == a->access[0].address;
        if (!is_it || b->kind == HD_DO_READ || (e > first && !hd_event_before(log, first, e)))
            continue;
        *value = b->state;
        return b->kind >= HD_DO_SEMAPHORE_WAIT && b->kind <= HD_DO_SEMAPHORE_POST;
    }
    *value = a->state;
    return true;
}

/* ---- by kind ---- */

static bool foretell(hd_action *a, bool succeeds, bool reads) {
    if (!(a->flags & HD_ACTION_SETTLES))
        return false;
    a->flags = (uint8_t)(succeeds ? a->flags & ~HD_ACTION_FAILED : a->flags | HD_ACTION_FAILED);
    a->access[0].mode = reads ? HD_MODE_READ : HD_MODE_WRITE;
    return false;
}

HD_PREDICT(same) {
    (void)log, (void)first, (void)second, (void)a;
    return false;
}

/* Its outcome cannot be told, or is the same. */
HD_PREDICT(write) {
    (void)log, (void)first, (void)second;
    return foretell(a, true, false);
}

HD_PREDICT(exchange) {
    uint64_t value;
    bool is_guess = !value_without(log, first, second, &value);
    bool succeeds = is_guess || value == a->expected;
    foretell(a, succeeds, !succeeds);
    return is_guess;
}

/* Why it goes on without the first event no more. */
HD_PREDICT(join) {
    const hd_action *b = hd_event_action(log, first);
    (void)second;
    a->state &= ~(hd_lets_join_early(b, a)  ? HD_JOIN_EARLY
                  : b->kind == HD_DO_OBJECT ? HD_JOIN_ENDED
                                            : 0u);
    return false;
}

HD_PREDICT(try_lock) {
    uint32_t holders[HD_MAX_THREADS];
    bool succeeds = hd_holders_without(log, &first, 1, a, second, holders) == 0;
    bool reads =
        hd_is_lock_reader(a) || (!succeeds && !hd_is_lock_reader(hd_event_action(log, holders[0])));
    return foretell(a, succeeds, reads);
}

/* Is the thread of `a` cancelled all the same? */
static bool is_cancelled_without(const hd_events *log, uint32_t first, uint32_t second,
                                 const hd_action *a) {
    for (uint32_t e = 0; e < second; e++) {
        const hd_action *b = hd_event_action(log, e);
        if (b->kind == HD_DO_CANCEL && b->detail == a->thread && e != first &&
            !hd_event_before(log, first, e))
            return true;
    }
    return false;
}

HD_PREDICT(semaphore_wait) {
    bool succeeds = !hd_was_cancelled(a) || !is_cancelled_without(log, first, second, a);
    return foretell(a, succeeds, !succeeds);
}

HD_PREDICT(semaphore_try) {
    uint32_t value;
    bool is_guess = !semaphore_without(log, first, second, &value);
    bool succeeds = is_guess || value > 0;
    foretell(a, succeeds, !succeeds);
    return is_guess;
}

HD_PREDICT(signal) {
    return foretell(a, true, waiters_without(log, first, second) == 0);
}

HD_PREDICT(arrival) {
    a->detail = generation_without(log, first, second);
    return false;
}

HD_PREDICT(message) {
    (void)second;
    a->expected = hd_event_action(log, first)->expected;
    return false;
}

HD_PREDICT(queue) {
    return !hd_queues_predict(log, first, second, a);
}

hd_action hd_events_predict(hd_events *log, uint32_t first, uint32_t second, bool *is_guess) {
    hd_action a = *hd_event_action(log, second);
    *is_guess = hd_kind_orders[a.kind].predict(log, first, second, &a);
    return a;
}

bool hd_events_predict_waiting(const hd_events *log, const uint32_t *blockers, uint32_t n,
                               hd_action *a) {
    uint32_t first = blockers[0];
    for (uint32_t i = 1; i < n; i++)
        first = blockers[i] < first ? blockers[i] : first;
    return !hd_uses_queue(a) || hd_queues_predict(log, first, (uint32_t)log->at.n, a);
}
