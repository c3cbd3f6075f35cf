/* Waiting for what somebody holds: locks of all kinds, for reading and for writing, and once.
 *
 * ACQUIRES and RELEASES say who takes the object of access[0] and gives it back; READER, that it is
 * shared. */
#include "explore/events/kinds.h"
#include "explore/events/races.h"

#include "base/panic.h"

static bool acquires(const hd_action *a, uint64_t object) {
    return a->flags & HD_ACTION_ACQUIRES && !(a->flags & HD_ACTION_FAILED) &&
           a->access[0].address == object;
}

static bool releases(const hd_action *a, uint64_t object) {
    return a->flags & HD_ACTION_RELEASES && a->access[0].address == object;
}

/* The event by which the thread of `e` got what it gives back in `e`. */
static uint32_t acquiring_event(const hd_events *log, uint32_t e) {
    uint64_t object = hd_event_action(log, e)->access[0].address;
    HD_CHECK(releases(hd_event_action(log, e), object));
    for (uint32_t k = log->at.at[e].previous; k != HD_NO_EVENT; k = log->at.at[k].previous) {
        const hd_action *b = hd_event_action(log, k);
        if (acquires(b, object))
            return k;
    }
    return HD_NO_EVENT;
}

static bool is_after_any(const hd_events *log, const uint32_t *first, uint32_t n, uint32_t e) {
    for (uint32_t i = 0; i < n; i++)
        if (hd_event_before(log, first[i], e))
            return true;
    return false;
}

/* Who holds an object after some events were removed, looking at all events from the last to the
 * first: a thread whose last event with the object took it. */
typedef struct holder_search {
    bool shares;         /* readers are in nobody's way */
    hd_thread_set known; /* threads that need no more looking at */
    uint32_t n, *out;    /* events that took it */
} holder_search;

/* By trait: with --reads-conflict all modes are those of writers. */
static bool is_reader(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_READER);
}

static void look_at_holder(holder_search *s, uint32_t e, const hd_action *b) {
    bool holds = !hd_set_has(s->known, b->thread) && !(b->flags & HD_ACTION_RELEASES);
    if (holds && !(s->shares && is_reader(b)))
        s->out[s->n++] = e;
    HD_CHECK(s->n <= HD_MAX_THREADS);
    s->known = hd_set_with(s->known, b->thread);
}

/* Who would hold the object of an action that waits or tries before event `end` if the events
 * `first` and all after them had not happened: for each holder the event that took it. */
static uint32_t holders_without(const hd_events *log, const uint32_t *first, uint32_t n_first,
                                const hd_action *a, uint32_t end, uint32_t *out) {
    uint64_t object = a->access[0].address;
    holder_search s = {.shares = is_reader(a), .out = out};
    HD_ASSERT(a->n_accesses > 0 && end <= log->at.n);
    for (uint32_t e = end; e-- > 0;) {
        const hd_action *b = hd_event_action(log, e);
        if (log->at.at[e].is_alone_after)
            s.known = hd_set_with(s.known, b->thread); /* what it held later it took later (L3) */
        if (!(acquires(b, object) || releases(b, object)) || is_after_any(log, first, n_first, e))
            continue;
        HD_CHECK(!s.n || s.out[s.n - 1] > e); /* from the last to the first */
        look_at_holder(&s, e, b);
        if (!is_reader(b))
            break; /* before this nobody else held it */
    }
    return s.n;
}

HD_PREDICT(try_lock) {
    uint32_t holders[HD_MAX_THREADS];
    bool succeeds = holders_without(log, &first, 1, a, second, holders) == 0;
    HD_INVARIANT(L3, succeeds || holders[0] < second);
    bool reads = is_reader(a) || (!succeeds && !is_reader(hd_event_action(log, holders[0])));
    return hd_foretell(a, succeeds, reads);
}

/* The holder before whom `a` could have had it.  `is_alone`: it shares the object with nobody, so
 * that nobody held it before a writer took it; in other cases others may. */
static uint32_t lock_race(const hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock,
                          bool is_alone) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    uint32_t first = c, holders[HD_MAX_THREADS];
    bool releases_it = b->n_accesses && b->access[0].address == a->access[0].address &&
                       b->flags & HD_ACTION_RELEASES;
    if (releases_it)
        first = acquiring_event(log, c);
    HD_CHECK_INVARIANT(L3, first == HD_NO_EVENT || first <= c); /* nobody: taken without an event */
    if (first == HD_NO_EVENT || hd_clock_has_seen(log, clock, first))
        return HD_NO_EVENT;
    bool is_writer = releases_it && b->access[0].mode == HD_MODE_WRITE;
    if (!(is_alone && is_writer) && holders_without(log, &first, 1, a, n, holders) != 0)
        return HD_NO_EVENT;
    return first;
}

/* Who finds that nobody can have it any more (a robust mutex whose last holder did not repair what
 * it guards) takes nothing, but has waited for that holder too. */
HD_RACE(lock) {
    return lock_race(log, c, n, clock, true);
}

HD_RACE(shared_lock) {
    return lock_race(log, c, n, clock, false);
}

/* Who comes when all is done has waited too, and takes nothing. */
HD_RACE(once) {
    return lock_race(log, c, n, clock, false);
}

/* Events that took the lock and hold it, and those that would hold it if these and all after them
 * had not happened. */
static uint32_t all_holders(const hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t more[HD_MAX_THREADS], n = 0, n_more;
    do {
        n_more = holders_without(log, out, n, a, (uint32_t)log->at.n, more);
        for (uint32_t i = 0; i < n_more && n < HD_MAX_THREADS; i++)
            out[n++] = more[i];
    } while (n_more && n < HD_MAX_THREADS);
    return n;
}

HD_BLOCKERS(lock) {
    bool waits_for_lock = hd_must_wait(a) && a->flags & HD_ACTION_ACQUIRES;
    (void)clock;
    return waits_for_lock ? all_holders(log, a, out) : 0;
}
