/* Waiting for a signal that has a handler, for a lock of a file, or until a time: sleep, pause,
 * sigsuspend, flock.
 *
 * Whatever lets it go on does so without the other: of two signals that came before it went on each
 * could have come after that.  Whether a signal is one that its set lets in is not known here; a
 * sequence in which it is not is given up when the thread turns out to wait (weave.c). */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

/* Who waits for a lock of a file (machine/libc/flock.c) may go on when some lock of it changes;
 * `detail` says that it does. */
static bool may_unlock(const hd_action *b, const hd_action *a) {
    for (unsigned i = 0; a->detail && i < b->n_accesses; i++)
        if (b->access[i].address == a->access[0].address && b->access[i].mode != HD_MODE_READ)
            return true;
    return false;
}

static bool lets_go(const hd_action *b, const hd_action *a) {
    return may_unlock(b, a) || hd_interrupts(b, a) || hd_cancels(b, a) ||
           hd_kind_is(b->kind, HD_KIND_TIME);
}

/* Has something else than `c` and what is after it let event `n` go? */
static bool goes_without(const hd_events *log, uint32_t c, uint32_t n) {
    const hd_action *a = hd_event_action(log, n);
    uint32_t since = log->at.at[n].previous;
    for (uint32_t e = since == HD_NO_EVENT ? 0 : since + 1; e < n; e++)
        if (e != c && lets_go(hd_event_action(log, e), a) && !hd_event_before(log, c, e))
            return true;
    return false;
}

HD_RACE(sleep) {
    HD_ASSERT(c < n);
    bool is_reversible = !hd_clock_has_seen(log, clock, c) && goes_without(log, c, n);
    return is_reversible ? c : HD_NO_EVENT;
}
