/* Waiting for the end of another thread. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* Can a join go on because of `b` although the other thread has not ended? */
static bool lets_join_early(const hd_action *b, const hd_action *join) {
    return hd_cancels(b, join) || hd_interrupts(b, join) ||
           (hd_kind_is(b->kind, HD_KIND_DETACHES) && b->detail == join->detail);
}

/* Why it goes on without the first event no more. */
HD_PREDICT(join) {
    const hd_action *b = hd_event_action(log, first);
    (void)second;
    HD_ASSERT(!(a->state & ~(HD_JOIN_ENDED | HD_JOIN_EARLY)));
    a->state &= ~(lets_join_early(b, a)               ? HD_JOIN_EARLY
                  : hd_kind_is(b->kind, HD_KIND_SETS) ? HD_JOIN_ENDED
                                                      : 0u);
    return false;
}

/* What the joined thread did is before the join without a conflict, unless that was let go early.
 */
HD_RACE(join) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    bool is_end = b->n_accesses && b->access[0].address == HD_TOKEN_OVER(a->detail);
    bool lets_go =
        lets_join_early(b, a) ? !(a->state & HD_JOIN_ENDED) : is_end && !(a->state & HD_JOIN_EARLY);
    (void)clock;
    HD_INVARIANT(E4, !(a->flags & HD_ACTION_SETTLES) || a->state != 0); /* it went on */
    return lets_go ? HD_NO_EVENT : c;
}
