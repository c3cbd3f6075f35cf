/* The second event of a race without the first, whatever it is (see races.h; wait_*.c: by what is
 * waited for). */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"
#include "explore/events/queues.h"

uint32_t hd_events_since_alone(const hd_events *log, uint32_t end) {
    HD_ASSERT(end <= log->at.n);
    while (end > 0 && !log->at.at[end - 1].is_alone_after)
        end--;
    return end;
}

bool hd_foretell(hd_action *a, bool succeeds, bool reads) {
    if (!(a->flags & HD_ACTION_SETTLES))
        return false;
    HD_INVARIANT(E4, a->n_accesses > 0);
    a->flags = (uint8_t)(succeeds ? a->flags & ~HD_ACTION_FAILED : a->flags | HD_ACTION_FAILED);
    a->access[0].mode = reads ? HD_MODE_READ : HD_MODE_WRITE;
    return false;
}

HD_PREDICT(same) {
    (void)log, (void)first, (void)second, (void)a;
    return false;
}

/* What settles, and whose outcome cannot be told or is the same, counts as a write. */
HD_PREDICT(write) {
    (void)log, (void)first, (void)second;
    return hd_foretell(a, true, false);
}

hd_action hd_events_predict(hd_events *log, uint32_t first, uint32_t second, bool *is_guess) {
    hd_action a;
    hd_action_copy(&a, hd_event_action(log, second));
    HD_INVARIANT(L2, first < second && second < log->at.n);
    *is_guess = hd_kind_orders[a.kind].predict(log, first, second, &a);
    HD_ASSERT(a.kind == hd_event_action(log, second)->kind && a.n_accesses <= HD_MAX_ACCESSES);
    return a;
}

bool hd_events_predict_waiting(const hd_events *log, const uint32_t *blockers, uint32_t n,
                               hd_action *a) {
    HD_ASSERT(n > 0);
    uint32_t first = blockers[0];
    for (uint32_t i = 1; i < n; i++)
        first = blockers[i] < first ? blockers[i] : first;
    HD_ASSERT(first < log->at.n);
    return !hd_uses_queue(a) || hd_queues_predict(log, first, (uint32_t)log->at.n, a);
}
