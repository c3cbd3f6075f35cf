/* What waits, what it waits for, and before which events it could have gone on (see races.h). */
#include "explore/kinds.h"
#include "explore/races.h"

#include "base/hash.h"
#include "explore/past.h"
#include "explore/queues.h"

/* Attempts with a time limit wait only for their turn to fail: they could run at any time.  So
 * could an atomic section, between those of others, and what ended by its time since then. */
bool hd_must_wait(const hd_action *a) {
    bool is_late = hd_uses_queue(a) && a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT);
    return a->flags & HD_ACTION_WAITS && !hd_kind_is(a->kind, HD_KIND_TRIES) && !is_late;
}

/* ---- locks and semaphores ---- */

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
    for (uint32_t k = log->at.at[e].previous; k != HD_NO_EVENT; k = log->at.at[k].previous) {
        const hd_action *b = hd_event_action(log, k);
        if (acquires(b, object))
            return k;
    }
    return HD_NO_EVENT;
}

/* Walk back over a semaphore to the event before which it could have been taken. */
static uint32_t semaphore_blocker(const hd_events *log, const hd_action *a) {
    const uint64_t *known = hd_map_find(&log->location_of, a->access[0].address / HD_LOCATION);
    uint32_t t = known ? log->locations.at[*known].writes : HD_NO_EVENT;
    for (; t != HD_NO_EVENT; t = log->touches.at[t].previous) {
        uint32_t e = log->touches.at[t].event;
        if (hd_event_action(log, e)->state > 0)
            return e;
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

/* By kind: with --reads-conflict all modes are those of writers. */
bool hd_is_lock_reader(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_READER);
}

static void look_at_holder(holder_search *s, uint32_t e, const hd_action *b) {
    bool holds = !hd_set_has(s->known, b->thread) && !(b->flags & HD_ACTION_RELEASES);
    if (holds && !(s->shares && hd_is_lock_reader(b)))
        s->out[s->n++] = e;
    s->known = hd_set_with(s->known, b->thread);
}

uint32_t hd_holders_without(const hd_events *log, const uint32_t *first, uint32_t n_first,
                            const hd_action *a, uint32_t end, uint32_t *out) {
    uint64_t object = a->access[0].address;
    holder_search s = {.shares = hd_is_lock_reader(a), .out = out};
    for (uint32_t e = end; e-- > 0;) {
        const hd_action *b = hd_event_action(log, e);
        if (log->at.at[e].is_alone_after)
            s.known = hd_set_with(s.known, b->thread); /* what it held later it took later (L3) */
        if (!(acquires(b, object) || releases(b, object)) || is_after_any(log, first, n_first, e))
            continue;
        look_at_holder(&s, e, b);
        if (!hd_is_lock_reader(b))
            break; /* before this nobody else held it */
    }
    return s.n;
}

/* An access to memory, at the same bytes. */
static bool is_data_at(const hd_action *b, const hd_access *c) {
    return hd_kind_is(b->kind, HD_KIND_MEMORY) && b->access[0].address == c->address &&
           b->access[0].size == c->size;
}

static uint64_t round_key(const hd_action *a, uint64_t value) {
    uint64_t h = hd_hash_add((uint64_t)a->state << 32 | a->site, a->access[0].address);
    return hd_hash_add(h, value) & INT64_MAX;
}

/* Would the access go round its loop?  What nobody knows yet counts as no, and is noted. */
static bool goes_round(hd_events *log, const hd_action *a, uint64_t value) {
    if (log->threads->goes_round(log->threads, a, value))
        return true;
    hd_map_put(&log->assumed, round_key(a, value), 1);
    return false;
}

bool hd_events_assumed(const hd_events *log, const hd_action *a) {
    return hd_map_find(&log->assumed, round_key(a, a->value)) != NULL;
}

/* All writes before this one are before it: what has seen it has seen them too. */
static bool is_last_of_interest(const hd_events *log, const hd_access *x, uint32_t k,
                                const uint32_t *clock) {
    const hd_action *b = hd_event_action(log, k);
    const hd_access *y = &b->access[0];
    return b->kind != HD_DO_ATOMIC && y->address <= x->address &&
           y->address + y->size >= x->address + x->size && hd_clock_has_seen(log, clock, k);
}

uint32_t hd_spinning_races(hd_events *log, const hd_action *a, uint32_t end, uint32_t e,
                           const uint32_t *clock, uint32_t *out) {
    const hd_access *x = &a->access[0];
    hd_past p = {0};
    uint32_t n = 0;
    for (uint32_t k = end; k-- > 0 && n < HD_MAX_THREADS;) {
        const hd_action *b = hd_event_action(log, k);
        bool is_write = b->n_accesses && b->access[0].mode == HD_MODE_WRITE;
        if (!(is_write && hd_actions_conflict(a, b)) &&
            !(b->kind == HD_DO_ATOMIC && hd_writes_at(b, x)))
            continue;
        if (is_last_of_interest(log, x, k, clock))
            break;
        hd_past_go_back(&p, log, x, k);
        if (k > e || b->thread == a->thread ||
            (hd_past_is_known(&p, x) && goes_round(log, a, p.value)))
            continue;
        out[n++] = k;
        if (hd_past_is_known(&p, x))
            break;
    }
    return n;
}

/* ---- messages and queues ---- */

/* The last event before `end` in which somebody wrote to the word at `address`. */
static uint32_t last_write(const hd_events *log, uint64_t address, uint32_t end) {
    const uint64_t *known = hd_map_find(&log->location_of, address / HD_LOCATION);
    uint32_t t = known ? log->locations.at[*known].writes : HD_NO_EVENT;
    while (t != HD_NO_EVENT && log->touches.at[t].event >= end)
        t = log->touches.at[t].previous;
    return t == HD_NO_EVENT ? HD_NO_EVENT : log->touches.at[t].event;
}

/* The last event before `end` in which the actor took another message although it would have
 * accepted the one of `a`, which was there; HD_NO_EVENT if there is none that `clock` has not
 * seen. */
static uint32_t receiving_race(const hd_events *log, const hd_action *a, uint32_t end,
                               const uint32_t *clock) {
    uint32_t e = end;
    while ((e = last_write(log, a->access[0].address, e)) != HD_NO_EVENT &&
           !hd_clock_has_seen(log, clock, e))
        if (hd_event_action(log, e)->expected >> (a->state & 63) & 1)
            return e;
    return HD_NO_EVENT;
}

bool hd_uses_queue(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_QUEUE);
}

/* From then on it could go on at any time, whatever the semaphore holds (state). */
bool hd_was_cancelled(const hd_action *a) {
    return a->kind == HD_DO_SEMAPHORE_WAIT && a->flags & HD_ACTION_FAILED;
}

static bool is_cancelled_by(const hd_action *a, const hd_action *b) {
    return b->kind == HD_DO_CANCEL && b->detail == a->thread;
}

bool hd_lets_join_early(const hd_action *b, const hd_action *join) {
    return is_cancelled_by(join, b) || (b->kind == HD_DO_DETACH && b->detail == join->detail);
}

/* ---- the first event of a race, by kind ---- */

HD_RACE(none) {
    (void)log, (void)c, (void)n, (void)clock;
    return HD_NO_EVENT;
}

HD_RACE(message) {
    (void)c;
    return receiving_race(log, hd_event_action(log, n), n, clock);
}

HD_RACE(queue) {
    (void)clock;
    return hd_queues_go_without(log, c, n) ? c : HD_NO_EVENT;
}

HD_RACE(spinning) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    bool is_read = b->access[0].mode == HD_MODE_READ && !hd_writes_at(b, &a->access[0]);
    bool waits = is_read && is_data_at(b, &a->access[0]) && goes_round(log, a, b->value);
    uint32_t first[HD_MAX_THREADS];
    first[0] = c;
    uint32_t n_first = is_read && !waits ? 1 : hd_spinning_races(log, a, n, c, clock, first);
    return !n_first || hd_clock_has_seen(log, clock, first[0]) ? HD_NO_EVENT : first[0];
}

/* It has waited for those who meet it, and for nothing else. */
HD_RACE(leave) {
    (void)n, (void)clock;
    return hd_event_action(log, c)->kind == HD_DO_ARRIVE ? HD_NO_EVENT : c;
}

/* What the joined thread did is before the join without a conflict, unless that was let go early.
 */
HD_RACE(join) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    bool is_end = b->n_accesses && b->access[0].address == HD_TOKEN_OVER(a->detail);
    bool lets_go = hd_lets_join_early(b, a) ? !(a->state & HD_JOIN_ENDED)
                                            : is_end && !(a->state & HD_JOIN_EARLY);
    (void)clock;
    return lets_go ? HD_NO_EVENT : c;
}

/* Back from event `e`, which has changed the semaphore, to the one before which it was open. */
static uint32_t last_open(const hd_events *log, uint32_t e) {
    while (e != HD_NO_EVENT && hd_event_action(log, e)->state == 0) {
        uint32_t t = log->at.at[e].first_touch;
        while (log->touches.at[t].mode != HD_MODE_WRITE)
            t++;
        t = log->touches.at[t].previous;
        e = t == HD_NO_EVENT ? HD_NO_EVENT : log->touches.at[t].event;
    }
    return e;
}

/* Who only looked at the semaphore, after the last one that changed it, saw it open.  Who was
 * cancelled before it was open could have gone on while it was, before that. */
HD_RACE(semaphore) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    uint32_t first = c;
    if (hd_was_cancelled(a) && !(is_cancelled_by(a, b) && a->state == 0))
        return c;
    bool is_same = b->n_accesses && b->access[0].address == a->access[0].address;
    bool is_look = is_same && b->access[0].mode == HD_MODE_READ;
    if (hd_was_cancelled(a))
        first = semaphore_blocker(log, a);
    else if (is_same && !is_look)
        first = last_open(log, c);
    return first == HD_NO_EVENT || hd_clock_has_seen(log, clock, first) ? HD_NO_EVENT : first;
}

HD_RACE(lock) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    uint32_t first = c, holders[HD_MAX_THREADS];
    if (!(a->flags & HD_ACTION_ACQUIRES) && a->kind != HD_DO_ONCE_BEGIN)
        return HD_NO_EVENT;
    if (b->kind == HD_DO_CANCEL && a->kind == HD_DO_WAKE && a->detail == 0)
        return HD_NO_EVENT; /* it was cancelled, nothing else let it go on */
    bool releases_it = b->n_accesses && b->access[0].address == a->access[0].address &&
                       b->flags & HD_ACTION_RELEASES;
    if (releases_it)
        first = acquiring_event(log, c);
    if (first == HD_NO_EVENT || hd_clock_has_seen(log, clock, first))
        return HD_NO_EVENT;
    /* Before a writer took it nobody held it; in other cases others may. */
    bool is_writer = releases_it && b->access[0].mode == HD_MODE_WRITE;
    if (!(a->kind == HD_DO_LOCK && is_writer) &&
        hd_holders_without(log, &first, 1, a, n, holders) != 0)
        return HD_NO_EVENT;
    return first;
}

uint32_t hd_waiting_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock) {
    return hd_kind_orders[hd_event_action(log, n)->kind].race(log, c, n, clock);
}

/* ---- what keeps a thread waiting at the end ---- */

/* Those who hold it, and those who would if they and all after them had not happened. */
static uint32_t all_holders(const hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t more[HD_MAX_THREADS], n = 0, n_more;
    do {
        n_more = hd_holders_without(log, out, n, a, (uint32_t)log->at.n, more);
        for (uint32_t i = 0; i < n_more && n < HD_MAX_THREADS; i++)
            out[n++] = more[i];
    } while (n_more && n < HD_MAX_THREADS);
    return n;
}

/* The event in which the process of the action was killed.  What the action says of its own process
 * comes behind what it asks of others. */
static uint32_t killing_event(const hd_events *log, const hd_action *a) {
    for (unsigned i = a->n_accesses; i-- > 0;) {
        uint64_t at = a->access[i].address;
        if (at >= HD_TOKEN_ALIVE(0) && at < HD_TOKEN_ALIVE(HD_MAX_THREADS))
            return last_write(log, at, (uint32_t)log->at.n);
    }
    return HD_NO_EVENT;
}

/* What was killed while it waited could have gone on if another had not been faster than it, and
 * the kill is after that, or had not been either.  (FAILED: it could not go on when it was killed.)
 */
static uint32_t killed_blockers(const hd_events *log, const hd_action *a, uint32_t kill,
                                const uint32_t *clock, uint32_t *out) {
    out[0] = kill;
    if (!(a->flags & HD_ACTION_FAILED))
        return 1;
    if (!hd_uses_queue(a))
        return 0;
    uint32_t n_rivals = hd_queues_rivals(log, a, (uint32_t)log->at.n, clock, out), n = 0;
    bool is_after_all = true;
    for (uint32_t i = 0; i < n_rivals; i++) {
        bool is_after = hd_event_before(log, out[i], kill);
        is_after_all &= is_after;
        if (is_after || a->kind != HD_DO_POLL)
            out[n++] = out[i];
    }
    if (n && !is_after_all && a->kind != HD_DO_POLL && n < HD_MAX_THREADS)
        out[n++] = kill;
    return n;
}

HD_BLOCKERS(none) {
    (void)log, (void)a, (void)clock, (void)out;
    return 0;
}

HD_BLOCKERS(message) {
    out[0] = receiving_race(log, a, (uint32_t)log->at.n, clock);
    return out[0] != HD_NO_EVENT;
}

HD_BLOCKERS(queue) {
    return hd_queues_rivals(log, a, (uint32_t)log->at.n, clock, out);
}

/* It has waited for none of the threads that have ended before it. */
HD_BLOCKERS(end) {
    uint32_t e = (uint32_t)log->at.n;
    (void)a;
    memset(clock, 0, log->stride * sizeof *clock);
    if (!e || hd_event_action(log, e - 1)->kind != HD_DO_EXIT)
        return 0;
    out[0] = e - 1;
    return 1;
}

HD_BLOCKERS(spinning) {
    uint32_t all[HD_MAX_THREADS], end = (uint32_t)log->at.n, n = 0;
    if (!(a->flags & HD_ACTION_SPINS))
        return 0;
    uint32_t n_all = hd_spinning_races(log, a, end, end, clock, all);
    for (uint32_t i = 0; i < n_all; i++)
        if (!hd_clock_has_seen(log, clock, all[i]))
            out[n++] = all[i];
    return n;
}

HD_BLOCKERS(semaphore) {
    (void)clock;
    out[0] = semaphore_blocker(log, a);
    return out[0] != HD_NO_EVENT;
}

/* Who was not signalled waits for that, not for the lock. */
HD_BLOCKERS(lock) {
    bool waits_for_lock = hd_must_wait(a) && a->flags & HD_ACTION_ACQUIRES &&
                          !(a->kind == HD_DO_WAKE && a->detail == 0);
    (void)clock;
    return waits_for_lock ? all_holders(log, a, out) : 0;
}

uint32_t hd_events_blockers(hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t clock[HD_MAX_THREADS];
    hd_events_own_clock(log, HD_NO_EVENT, a, clock);
    uint32_t kill = killing_event(log, a);
    uint32_t n = kill != HD_NO_EVENT ? killed_blockers(log, a, kill, clock, out)
                                     : hd_kind_orders[a->kind].blockers(log, a, clock, out);
    for (uint32_t i = 0; i < n; i++)
        if (hd_clock_has_seen(log, clock, out[i]))
            return 0;
    return n;
}
