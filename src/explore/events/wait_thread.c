/* Waiting for the end of another thread. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* Can a join go on because of `b` although the other thread has not ended? */
static bool lets_join_early(const hd_action *b, const hd_action *join) {
    return hd_cancels(b, join) || hd_interrupts(b, join) ||
           (hd_kind_is(b->kind, HD_KIND_DETACHES) && b->detail == join->detail);
}

/* Has something else than event `c` and what is after it let join `n` go early? */
static bool goes_without(const hd_events *log, uint32_t c, uint32_t n) {
    const hd_action *join = hd_event_action(log, n);
    uint32_t since = log->at.at[n].previous;
    for (uint32_t e = since == HD_NO_EVENT ? 0 : since + 1; e < n; e++)
        if (e != c && lets_join_early(hd_event_action(log, e), join) && !hd_event_before(log, c, e))
            return true;
    return false;
}

/* Why it goes on without the first event no more. */
HD_PREDICT(join) {
    const hd_action *b = hd_event_action(log, first);
    bool is_early = lets_join_early(b, a);
    HD_ASSERT(!(a->state & ~(HD_JOIN_ENDED | HD_JOIN_EARLY)));
    if (is_early && goes_without(log, first, second))
        return false;
    a->state &= ~(is_early                            ? HD_JOIN_EARLY
                  : hd_kind_is(b->kind, HD_KIND_SETS) ? HD_JOIN_ENDED
                                                      : 0u);
    return false;
}

/* What the joined thread did is before the join without a conflict, unless that was let go early.
 */
HD_RACE(join) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    bool is_end = b->n_accesses && b->access[0].address == HD_TOKEN_OVER(a->detail);
    bool lets_go = lets_join_early(b, a) ? !(a->state & HD_JOIN_ENDED) && !goes_without(log, c, n)
                                         : is_end && !(a->state & HD_JOIN_EARLY);
    (void)clock;
    HD_INVARIANT(E4, !(a->flags & HD_ACTION_SETTLES) || a->state != 0); /* it went on */
    return lets_go ? HD_NO_EVENT : c;
}
