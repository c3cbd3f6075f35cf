/* Clocks, conflicts and races of the events of an execution (paper 002, 3.2; spec 3.4). */
#include "explore/events.h"

#include "base/hash.h"
#include "explore/queues.h"

#define WORD          8
#define STRIDE        4 /* clocks have a multiple of so many entries */
#define LOCATIONS_MAX 4000000

void hd_events_init(hd_events *log) {
    *log = (hd_events){.stride = STRIDE};
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        log->last[t] = log->born[t] = log->carried[t] = HD_NO_EVENT;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        log->factors[t] = hd_mix(t + 1) | 1;
    log->time = HD_NO_EVENT;
}

void hd_events_release(hd_events *log) {
    hd_vec_release(&log->at);
    hd_vec_release(&log->clocks);
    hd_vec_release(&log->touches);
    hd_vec_release(&log->locations);
    hd_map_release(&log->location_of);
    hd_map_release(&log->assumed);
    hd_vec_release(&log->races);
    hd_vec_release(&log->candidates);
    hd_vec_release(&log->sums);
}

/* ---- locations ---- */

static uint32_t find_location(hd_events *log, uint64_t word) {
    uint64_t *known = hd_map_find(&log->location_of, word);
    if (known)
        return (uint32_t)*known;
    hd_vec_push(&log->locations, ((hd_location){word, HD_NO_EVENT, HD_NO_EVENT, false}));
    hd_map_put(&log->location_of, word, log->locations.n - 1);
    return (uint32_t)log->locations.n - 1;
}

/* Most programs share a few words only, over and over. */
static inline uint32_t location_of(hd_events *log, uint64_t word) {
    uint32_t *recent = &log->recent[word % HD_N_RECENT];
    if (*recent >= log->locations.n || log->locations.at[*recent].word != word)
        *recent = find_location(log, word);
    return *recent;
}

static uint32_t *chain_of(hd_events *log, const hd_touch *t) {
    hd_location *l = &log->locations.at[t->location];
    return t->mode == HD_MODE_WRITE ? &l->writes : &l->reads;
}

static void undo_touches(hd_events *log, uint32_t n) {
    while (log->touches.n > n) {
        const hd_touch *t = &log->touches.at[--log->touches.n];
        *chain_of(log, t) = t->previous;
    }
}

/* ---- the log ---- */

/* Sets of kinds. */
#define KIND(name) (UINT64_C(1) << HD_DO_##name)
/* What is known of another thread changes with these. */
#define CHANGES_OTHERS (KIND(CREATE) | KIND(JOIN) | KIND(RECEIVE))

void hd_events_truncate(hd_events *log, uint32_t n) {
    if (n >= log->at.n)
        return;
    undo_touches(log, log->at.at[n].first_touch);
    log->sums.n = log->sums.n < n ? log->sums.n : n;
    log->races.n = log->at.at[n].n_races;
    while (log->at.n > n) {
        const hd_logged *e = &log->at.at[--log->at.n];
        log->last[e->action.thread] = e->previous;
        log->time = e->time;
        if (!(CHANGES_OTHERS >> e->action.kind & 1))
            continue;
        if (e->action.kind == HD_DO_CREATE)
            log->born[e->action.detail] = HD_NO_EVENT;
        if (e->action.kind == HD_DO_RECEIVE)
            log->carried[e->action.detail] = e->carried;
        if (e->action.kind == HD_DO_JOIN)
            log->joined &= ~HD_THREAD(e->action.detail);
    }
    if (n == 0 && log->locations.n > LOCATIONS_MAX) {
        hd_vec_clear(&log->locations);
        hd_map_clear(&log->location_of);
    }
}

/* More threads than clocks have entries: lay them out anew. */
static void widen_clocks(hd_events *log, uint32_t n_threads) {
    uint32_t wide = (n_threads + STRIDE - 1) / STRIDE * STRIDE, narrow = log->stride;
    hd_vec_reserve(&log->clocks, (log->at.n + 1) * wide);
    for (size_t e = log->at.n; e-- > 0;) {
        uint32_t *to = &log->clocks.at[e * wide];
        memmove(to, &log->clocks.at[e * narrow], narrow * sizeof *to);
        memset(to + narrow, 0, (wide - narrow) * sizeof *to);
    }
    log->stride = wide;
}

/* The later of two events; either may be none. */
static uint32_t later(uint32_t a, uint32_t b) {
    return a == HD_NO_EVENT || (b != HD_NO_EVENT && b > a) ? b : a;
}

/* The event that has seen all that the thread has. */
static uint32_t thread_event(const hd_events *log, uint32_t thread) {
    uint32_t e = later(log->last[thread], log->carried[thread]);
    return e == HD_NO_EVENT ? log->born[thread] : e;
}

const uint32_t *hd_events_thread_clock(const hd_events *log, uint32_t thread) {
    uint32_t from = thread_event(log, thread);
    return from == HD_NO_EVENT ? NULL : hd_event_clock(log, from);
}

/* So many entries at a time: the stride is a multiple of it.  Signed, because that is what
 * processors compare; there are never as many events as that. */
typedef int32_t entries __attribute__((vector_size(4 * STRIDE), aligned(4), may_alias));

static void join_clock(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += STRIDE) {
        entries *a = (entries *)&clock[i];
        const entries *b = (const entries *)&other[i];
        entries is_later = *a > *b;
        *a = (*a & is_later) | (*b & ~is_later);
    }
}

static void copy_clock(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += STRIDE)
        *(entries *)&clock[i] = *(const entries *)&other[i];
}

/* The event in which a thread signalled: its nth, or its last signal. */
static uint32_t signal_event(const hd_events *log, uint32_t thread, uint32_t nth) {
    uint32_t e = log->last[thread];
    while (e != HD_NO_EVENT) {
        const hd_logged *l = &log->at.at[e];
        bool signals = l->action.kind == HD_DO_SIGNAL || l->action.kind == HD_DO_BROADCAST;
        if (nth ? l->nth == nth : signals)
            return e;
        e = l->previous;
    }
    return HD_NO_EVENT;
}

/* Where an action stands in the log, apart from its thread's events. */
typedef struct place {
    uint32_t previous;      /* event of the same thread */
    uint32_t carried, time; /* as in hd_logged */
} place;

static place place_now(const hd_events *log, const hd_action *a) {
    return (place){log->last[a->thread], log->carried[a->thread], log->time};
}

/* Event `e`, if there is one, comes before what the clock is of; the later of it and `cause`. */
static uint32_t join_event(const hd_events *log, uint32_t *clock, uint32_t e, uint32_t cause) {
    if (e != HD_NO_EVENT)
        join_clock(clock, hd_event_clock(log, e), log->stride);
    return later(e, cause);
}

/* Kinds that other threads let go on without a conflict. */
#define IS_LET_GO (KIND(EXIT) | KIND(TIME) | KIND(JOIN) | KIND(WAKE) | KIND(TIMED_WAKE))

static uint32_t join_others(const hd_events *log, uint32_t *clock, const hd_action *a,
                            uint32_t cause) {
    if (a->kind == HD_DO_EXIT || a->kind == HD_DO_TIME) /* waits for the others */
        for (uint32_t t = 0; t < log->stride && t < HD_MAX_THREADS; t++)
            if (a->kind == HD_DO_TIME || !a->expected || a->expected & HD_THREAD(t))
                cause = join_event(log, clock, thread_event(log, t), cause);
    if (a->kind == HD_DO_JOIN)
        cause = join_event(log, clock, thread_event(log, a->detail), cause);
    if ((a->kind == HD_DO_WAKE || a->kind == HD_DO_TIMED_WAKE) && a->detail & 0xff)
        cause = join_event(log, clock, signal_event(log, (a->detail & 0xff) - 1, a->detail >> 8),
                           cause);
    return cause;
}

/* What orders an action without being a conflict: its thread, creation, joining, waking, messages
 * and time.  What an actor did before it receives is not among it: another message could have come
 * instead (see hd_events_append).  Returns the last event of all these. */
static inline uint32_t inherit_clock(const hd_events *log, uint32_t *clock, const hd_action *a,
                                     place at) {
    uint32_t cause = at.previous == HD_NO_EVENT ? log->born[a->thread] : at.previous;
    if (cause != HD_NO_EVENT)
        copy_clock(clock, hd_event_clock(log, cause), log->stride);
    else
        memset(clock, 0, log->stride * sizeof *clock);
    if (at.carried != HD_NO_EVENT && a->kind != HD_DO_RECEIVE)
        cause = join_event(log, clock, at.carried, cause);
    if (at.time != HD_NO_EVENT)
        cause = join_event(log, clock, at.time, cause);
    for (unsigned i = 0; i < 2; i++)
        if (a->after[i])
            cause = join_event(log, clock, a->after[i] - 1, cause);
    return IS_LET_GO >> a->kind & 1 ? join_others(log, clock, a, cause) : cause;
}

void hd_events_own_clock(const hd_events *log, uint32_t e, const hd_action *a, uint32_t *clock) {
    place at = place_now(log, a);
    if (e != HD_NO_EVENT) {
        const hd_logged *l = &log->at.at[e];
        at = (place){l->previous, l->carried, l->time};
    }
    inherit_clock(log, clock, a, at);
}

/* ---- conflicts ---- */

static bool has_seen(const hd_events *log, const uint32_t *clock, uint32_t e) {
    return hd_clock_has_seen(log, clock, e);
}

static void add_candidate(hd_events *log, const uint32_t *clock, uint32_t e) {
    hd_logged *l = &log->at.at[e];
    if (l->mark == log->marks || has_seen(log, clock, e))
        return;
    l->mark = log->marks;
    hd_vec_push(&log->candidates, e);
}

/* Do two touches that are not writes conflict? (At barriers, and if one adds something.) */
static bool reads_conflict(const hd_events *log, const hd_touch *t, uint8_t mode, uint32_t detail) {
    if (mode == HD_MODE_ADD || t->mode == HD_MODE_ADD)
        return mode != t->mode;
    if (mode < HD_MODE_ARRIVE || t->mode < HD_MODE_ARRIVE ||
        (mode == HD_MODE_LEAVE && t->mode == HD_MODE_LEAVE))
        return false;
    bool is_same = log->at.at[t->event].action.detail == detail;
    return mode == HD_MODE_ARRIVE && t->mode == HD_MODE_ARRIVE ? !is_same : is_same;
}

/* Events that conflict with a touch of `mask` at the location and that `clock` has not seen.  The
 * walk ends where writes cover the mask: what is older happened before them. */
static void find_conflicts(hd_events *log, const hd_location *l, uint8_t mask, uint8_t mode,
                           uint32_t detail, const uint32_t *clock) {
    uint8_t left = mask;
    uint32_t at = l->writes;
    for (; at != HD_NO_EVENT && left; at = log->touches.at[at].previous) {
        const hd_touch *t = &log->touches.at[at];
        if (t->mask & left)
            add_candidate(log, clock, t->event);
        left &= (uint8_t)~t->mask;
        if (!left)
            break;
    }
    uint32_t oldest = left ? 0 : at;
    if (mode == HD_MODE_READ && !l->has_additions)
        return;
    for (uint32_t r = l->reads; r != HD_NO_EVENT && r >= oldest; r = log->touches.at[r].previous) {
        const hd_touch *t = &log->touches.at[r];
        if (t->mask & mask && (mode == HD_MODE_WRITE || reads_conflict(log, t, mode, detail)))
            add_candidate(log, clock, t->event);
    }
}

/* Objects of synchronisation count as their first word. */
static uint64_t size_of(const hd_action *a, const hd_access *c) {
    bool is_object = a->kind >= HD_DO_LOCK && a->kind < HD_DO_AWAIT && c->is_atomic;
    return is_object && c->size > WORD - c->address % WORD ? WORD - c->address % WORD : c->size;
}

static void touch(hd_events *log, uint32_t location, uint8_t mask, const hd_access *c,
                  uint32_t event) {
    hd_location *l = &log->locations.at[location];
    uint32_t *chain = c->mode == HD_MODE_WRITE ? &l->writes : &l->reads;
    l->has_additions |= c->mode == HD_MODE_ADD;
    hd_vec_push(&log->touches, ((hd_touch){location, event, *chain, mask, c->mode, c->is_atomic}));
    *chain = (uint32_t)log->touches.n - 1;
}

/* Look for conflicts of some bytes of an access, those of `mask` in the word, and enter it. */
static inline void treat_word(hd_events *log, const hd_action *a, const hd_access *c, uint64_t word,
                              unsigned mask, const uint32_t *clock, uint32_t event) {
    uint32_t location = location_of(log, word);
    find_conflicts(log, &log->locations.at[location], (uint8_t)mask, c->mode, a->detail, clock);
    touch(log, location, (uint8_t)mask, c, event);
}

static __attribute__((noinline)) void treat_words(hd_events *log, const hd_action *a,
                                                  const hd_access *c, uint64_t end,
                                                  const uint32_t *clock, uint32_t event) {
    for (uint64_t word = c->address / WORD; word * WORD < end; word++) {
        uint64_t from = c->address > word * WORD ? c->address - word * WORD : 0;
        uint64_t to = end < (word + 1) * WORD ? end - word * WORD : WORD;
        treat_word(log, a, c, word, (0xffu >> (WORD - to)) & (0xffu << from), clock, event);
    }
}

static inline void treat_access(hd_events *log, const hd_action *a, const hd_access *c,
                                const uint32_t *clock, uint32_t event) {
    uint64_t size = size_of(a, c), from = c->address % WORD;
    if (from + size <= WORD)
        treat_word(log, a, c, c->address / WORD, ((1u << size) - 1) << from, clock, event);
    else
        treat_words(log, a, c, c->address + size, clock, event);
}

/* ---- races ---- */

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
    const uint64_t *known = hd_map_find(&log->location_of, a->access[0].address / WORD);
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
static bool is_reader(const hd_action *a) {
    return a->kind == HD_DO_READ_LOCK || a->kind == HD_DO_TRY_READ_LOCK ||
           a->kind == HD_DO_READ_UNLOCK;
}

static void look_at_holder(holder_search *s, uint32_t e, const hd_action *b) {
    bool holds = !(s->known & HD_THREAD(b->thread)) && !(b->flags & HD_ACTION_RELEASES);
    if (holds && !(s->shares && is_reader(b)))
        s->out[s->n++] = e;
    s->known |= HD_THREAD(b->thread);
}

/* Who would hold the object of an action that waits or tries before event `end` if the events
 * `first` and all after them had not happened: for each holder the event that took it. */
static uint32_t holders_without(const hd_events *log, const uint32_t *first, uint32_t n_first,
                                const hd_action *a, uint32_t end, uint32_t *out) {
    uint64_t object = a->access[0].address;
    holder_search s = {.shares = is_reader(a), .out = out};
    for (uint32_t e = end; e-- > 0;) {
        const hd_action *b = hd_event_action(log, e);
        if (log->at.at[e].is_alone_after)
            s.known |= HD_THREAD(b->thread); /* what it held later it took later (L3) */
        if (!(acquires(b, object) || releases(b, object)) || is_after_any(log, first, n_first, e))
            continue;
        look_at_holder(&s, e, b);
        if (!is_reader(b))
            break; /* before this nobody else held it */
    }
    return s.n;
}

static bool is_data_at(const hd_action *b, const hd_access *c) {
    return b->kind >= HD_DO_READ && b->kind <= HD_DO_COMPARE &&
           b->access[0].address == c->address && b->access[0].size == c->size;
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

/* What is at an access, as far as it is known: going back in the log, each write shows what was
 * there before it. */
typedef struct past {
    uint64_t value, known; /* a mask of the bytes that are */
} past;

static void go_back(past *p, const hd_access *x, const hd_action *b) {
    const hd_access *y = &b->access[0];
    bool tells = b->kind >= HD_DO_READ && b->kind <= HD_DO_COMPARE && y->size <= sizeof b->value;
    for (uint32_t i = 0; i < x->size && i < sizeof p->value; i++) {
        uint64_t at = x->address + i - y->address, byte = UINT64_C(0xff) << 8 * i;
        if (at >= y->size) /* also below it */
            continue;
        p->known = tells ? p->known | byte : p->known & ~byte;
        p->value = (p->value & ~byte) | (tells ? (b->value >> 8 * at & 0xff) << 8 * i : 0);
    }
}

static bool is_known(const past *p, const hd_access *x) {
    return x->size <= sizeof p->value && p->known == UINT64_MAX >> (64 - 8 * x->size);
}

/* The access of a waiting loop, before event `end`: the last event up to `e` before which it could
 * have gone on, because what it would have seen does not lead round the loop; and all after it of
 * which that is not known.  At most HD_MAX_THREADS. */
static uint32_t spinning_races(hd_events *log, const hd_action *a, uint32_t end, uint32_t e,
                               uint32_t *out) {
    const hd_access *x = &a->access[0];
    past p = {0};
    uint32_t n = 0;
    for (uint32_t k = end; k-- > 0 && n < HD_MAX_THREADS;) {
        const hd_action *b = hd_event_action(log, k);
        if (!b->n_accesses || b->access[0].mode != HD_MODE_WRITE || !hd_actions_conflict(a, b))
            continue;
        go_back(&p, x, b);
        if (k > e || b->thread == a->thread || (is_known(&p, x) && goes_round(log, a, p.value)))
            continue;
        out[n++] = k;
        if (is_known(&p, x))
            break;
    }
    return n;
}

/* ---- messages and queues ---- */

/* The last event before `end` in which somebody wrote to the word at `address`. */
static uint32_t last_write(const hd_events *log, uint64_t address, uint32_t end) {
    const uint64_t *known = hd_map_find(&log->location_of, address / WORD);
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
           !has_seen(log, clock, e))
        if (hd_event_action(log, e)->expected >> (a->state & 63) & 1)
            return e;
    return HD_NO_EVENT;
}

static bool uses_queue(const hd_action *a) {
    return a->kind >= HD_DO_PUT && a->kind <= HD_DO_POLL;
}

/* The first event of the race between candidate `c` and the waiting event `n`, or HD_NO_EVENT. */
static uint32_t waiting_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *clock) {
    const hd_action *a = hd_event_action(log, n), *b = hd_event_action(log, c);
    if (a->kind == HD_DO_RECEIVE)
        return receiving_race(log, a, n, clock);
    if (uses_queue(a))
        return hd_queues_go_without(log, c, n) ? c : HD_NO_EVENT;
    if (a->flags & HD_ACTION_SPINS) {
        bool is_read = b->access[0].mode == HD_MODE_READ;
        bool waits = is_read && is_data_at(b, &a->access[0]) && goes_round(log, a, b->value);
        uint32_t first[HD_MAX_THREADS] = {c};
        uint32_t n_first = is_read && !waits ? 1 : spinning_races(log, a, n, c, first);
        return !n_first || has_seen(log, clock, first[0]) ? HD_NO_EVENT : first[0];
    }
    if (!(a->flags & HD_ACTION_ACQUIRES) && a->kind != HD_DO_ONCE_BEGIN)
        return HD_NO_EVENT;
    if (b->kind == HD_DO_CANCEL && ((a->kind == HD_DO_WAKE && a->detail == 0) ||
                                    (a->kind == HD_DO_SEMAPHORE_WAIT && a->state == 0)))
        return HD_NO_EVENT; /* it was cancelled, nothing else let it go on */
    bool is_same = b->n_accesses && b->access[0].address == a->access[0].address;
    uint32_t first = c, holders[HD_MAX_THREADS];
    if (a->kind == HD_DO_SEMAPHORE_WAIT && is_same) {
        first = c;
        while (first != HD_NO_EVENT && hd_event_action(log, first)->state == 0) {
            /* the write before it on the same semaphore */
            uint32_t t = log->at.at[first].first_touch;
            while (log->touches.at[t].mode != HD_MODE_WRITE)
                t++;
            t = log->touches.at[t].previous;
            first = t == HD_NO_EVENT ? HD_NO_EVENT : log->touches.at[t].event;
        }
    } else if (is_same && b->flags & HD_ACTION_RELEASES)
        first = acquiring_event(log, c);
    if (first == HD_NO_EVENT || has_seen(log, clock, first))
        return HD_NO_EVENT;
    /* Before a writer took it nobody held it; in other cases others may. */
    bool is_writer = is_same && b->flags & HD_ACTION_RELEASES && b->access[0].mode == HD_MODE_WRITE;
    if (a->kind != HD_DO_SEMAPHORE_WAIT && !(a->kind == HD_DO_LOCK && is_writer) &&
        holders_without(log, &first, 1, a, n, holders) != 0)
        return HD_NO_EVENT;
    return first;
}

static bool is_plain(const hd_action *a) {
    return a->kind <= HD_DO_FREE;
}

/* Of all touches of two events on one place: both plain memory, not both atomic. */
static bool is_data_race(const hd_action *a, const hd_action *b) {
    if (!is_plain(a) || !is_plain(b) || (a->kind == HD_DO_READ && b->kind == HD_DO_READ))
        return false;
    for (unsigned i = 0; i < a->n_accesses; i++)
        for (unsigned k = 0; k < b->n_accesses; k++)
            if (hd_accesses_conflict(&a->access[i], 0, &b->access[k], 0) &&
                !(a->access[i].is_atomic && b->access[k].is_atomic))
                return true;
    return false;
}

/* Candidates that another candidate has seen are ordered by it. */
static bool is_dominated(const hd_events *log, uint32_t c) {
    for (size_t i = 0; i < log->candidates.n; i++)
        if (log->candidates.at[i] != c && hd_event_before(log, c, log->candidates.at[i]))
            return true;
    return false;
}

/* Attempts with a time limit wait only for their turn to fail: they could run at any time.  So
 * could an atomic section, between those of others, and what ended by its time since then. */
static bool must_wait(const hd_action *a) {
    bool is_late = uses_queue(a) && a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT);
    return a->flags & HD_ACTION_WAITS && a->kind != HD_DO_ATOMIC && a->kind != HD_DO_TRY_LOCK &&
           a->kind != HD_DO_TRY_READ_LOCK && a->kind != HD_DO_SEMAPHORE_TRY && !is_late;
}

/* What happens inside an atomic section can only be reversed as a whole: from its beginning, if
 * the other thread has not seen that. */
static uint32_t start_of_section(const hd_events *log, uint32_t e, const uint32_t *clock) {
    if (!(hd_event_action(log, e)->flags & HD_ACTION_INSIDE))
        return e;
    while (e != HD_NO_EVENT && hd_event_action(log, e)->kind != HD_DO_ATOMIC)
        e = log->at.at[e].previous;
    return e == HD_NO_EVENT || has_seen(log, clock, e) ? HD_NO_EVENT : e;
}

static bool has_race(const hd_events *log, uint32_t first, uint32_t second) {
    for (size_t i = log->at.at[second].n_races; i < log->races.n; i++)
        if (log->races.at[i].first == first && log->races.at[i].is_reversible)
            return true;
    return false;
}

static void add_race(hd_events *log, uint32_t first, uint32_t second) {
    hd_vec_push(
        &log->races,
        ((hd_racing){
            .first = first, .second = second, .is_reversible = true, .covered_by = HD_NO_EVENT}));
}

/* What waited for an item could have had the one before it, if that was taken by another thread;
 * whatever else has happened between the two. */
static void note_rivals(hd_events *log, uint32_t n, const uint32_t *before) {
    uint32_t rivals[HD_MAX_THREADS];
    uint32_t n_rivals = hd_queues_rivals(log, hd_event_action(log, n), n, before, rivals);
    for (uint32_t i = 0; i < n_rivals; i++)
        if (!has_race(log, rivals[i], n))
            add_race(log, rivals[i], n);
}

/* The same for the access of a waiting loop, if it is not known before which write it could have
 * gone on. */
static void note_spinning_races(hd_events *log, uint32_t n, const uint32_t *before) {
    uint32_t first[HD_MAX_THREADS];
    uint32_t n_first = spinning_races(log, hd_event_action(log, n), n, n, first);
    for (uint32_t i = 0; n_first > 1 && i < n_first; i++) {
        uint32_t start =
            has_seen(log, before, first[i]) ? HD_NO_EVENT : start_of_section(log, first[i], before);
        if (start != HD_NO_EVENT && !has_race(log, start, n))
            add_race(log, start, n);
    }
}

static void note_races(hd_events *log, uint32_t n, const uint32_t *before) {
    const hd_action *a = hd_event_action(log, n);
    for (size_t i = 0; i < log->candidates.n; i++) {
        uint32_t c = log->candidates.at[i];
        if (is_dominated(log, c) || hd_queues_is_answer(a, hd_event_action(log, c)))
            continue;
        uint32_t first = must_wait(a) ? waiting_race(log, c, n, before) : c;
        if (first != HD_NO_EVENT)
            first = start_of_section(log, first, before);
        bool is_data = is_data_race(hd_event_action(log, c), a);
        if (is_data && first != c)
            hd_vec_push(&log->races, ((hd_racing){.first = c, .second = n, .is_data_race = true}));
        if (first != HD_NO_EVENT)
            hd_vec_push(&log->races, ((hd_racing){.first = first,
                                                  .second = n,
                                                  .is_reversible = true,
                                                  .is_data_race = is_data && first == c,
                                                  .covered_by = HD_NO_EVENT}));
    }
    if (uses_queue(a) && must_wait(a))
        note_rivals(log, n, before);
    if (a->flags & HD_ACTION_SPINS && must_wait(a))
        note_spinning_races(log, n, before);
}

/* Were all others that ever began joined? */
static bool is_alone(const hd_events *log, uint32_t thread) {
    hd_thread_set others = ~(log->joined | HD_THREAD(thread));
    if (log->threads->alive & others)
        return false;
    for (uint32_t t = 0; t < log->stride && t < HD_MAX_THREADS; t++)
        if (others & HD_THREAD(t) && (log->last[t] != HD_NO_EVENT || log->born[t] != HD_NO_EVENT))
            return false;
    return true;
}

void hd_events_append(hd_events *log, const hd_action *a, uint32_t n_threads) {
    if (n_threads > log->stride)
        widen_clocks(log, n_threads);
    uint32_t n = (uint32_t)log->at.n, t = a->thread, stride = log->stride;
    uint32_t last = log->last[t];
    hd_vec_reserve(&log->clocks, (size_t)(n + 1) * stride);
    uint32_t *clock = &log->clocks.at[(size_t)n * stride];
    place at = place_now(log, a);
    uint32_t cause = inherit_clock(log, clock, a, at);
    bool receives = a->kind == HD_DO_RECEIVE;
    hd_vec_reserve(&log->at, (size_t)n + 1);
    hd_logged *event = &log->at.at[log->at.n++];
    hd_action_copy(&event->action, a);
    event->nth = last == HD_NO_EVENT ? 1 : log->at.at[last].nth + 1;
    event->previous = last;
    event->carried = receives ? log->carried[a->detail] : at.carried;
    event->time = at.time;
    event->first_touch = (uint32_t)log->touches.n;
    event->n_races = (uint32_t)log->races.n;
    event->mark = 0;
    event->is_alone_after = false;
    clock[t] = event->nth; /* has seen itself */
    log->marks++;
    hd_vec_clear(&log->candidates);
    for (unsigned i = 0; i < a->n_accesses; i++)
        treat_access(log, a, &a->access[i], clock, n);
    if (log->candidates.n) {
        note_races(log, n, clock);
        for (size_t i = 0; i < log->candidates.n; i++)
            cause = join_event(log, clock, log->candidates.at[i], cause);
    }
    if (receives) { /* the actor goes on in it */
        cause = join_event(log, clock, thread_event(log, a->detail), cause);
        log->carried[a->detail] = n;
    }
    event->cause = cause;
    log->last[t] = n;
    if (a->kind == HD_DO_TIME)
        log->time = n;
    if (a->kind == HD_DO_CREATE)
        log->born[a->detail] = n;
    if (a->kind == HD_DO_JOIN) {
        log->joined |= HD_THREAD(a->detail);
        event->is_alone_after = is_alone(log, t);
    }
}

/* ---- what keeps a thread waiting at the end ---- */

/* Those who hold it, and those who would if they and all after them had not happened. */
static uint32_t all_holders(const hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t more[HD_MAX_THREADS], n = 0, n_more;
    do {
        n_more = holders_without(log, out, n, a, (uint32_t)log->at.n, more);
        for (uint32_t i = 0; i < n_more && n < HD_MAX_THREADS; i++)
            out[n++] = more[i];
    } while (n_more && n < HD_MAX_THREADS);
    return n;
}

/* The event in which the process of the action was killed. */
static uint32_t killing_event(const hd_events *log, const hd_action *a) {
    for (unsigned i = 0; i < a->n_accesses; i++) {
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
    if (!uses_queue(a))
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

uint32_t hd_events_blockers(hd_events *log, const hd_action *a, uint32_t *out) {
    uint32_t clock[HD_MAX_THREADS], n = 0;
    inherit_clock(log, clock, a, place_now(log, a));
    uint32_t kill = killing_event(log, a);
    if (kill != HD_NO_EVENT) {
        n = killed_blockers(log, a, kill, clock, out);
    } else if (a->kind == HD_DO_RECEIVE) {
        out[0] = receiving_race(log, a, (uint32_t)log->at.n, clock);
        n = out[0] != HD_NO_EVENT;
    } else if (uses_queue(a)) {
        n = hd_queues_rivals(log, a, (uint32_t)log->at.n, clock, out);
    } else if (a->kind == HD_DO_EXIT) {
        memset(clock, 0, sizeof clock); /* it has waited for none of them */
        uint32_t e = (uint32_t)log->at.n;
        if (e && hd_event_action(log, e - 1)->kind == HD_DO_EXIT)
            out[n++] = e - 1;
    } else if (a->flags & HD_ACTION_SPINS) {
        uint32_t all[HD_MAX_THREADS], end = (uint32_t)log->at.n;
        uint32_t n_all = spinning_races(log, a, end, end, all);
        for (uint32_t i = 0; i < n_all; i++)
            if (!has_seen(log, clock, all[i]))
                out[n++] = all[i];
    } else if (a->kind == HD_DO_SEMAPHORE_WAIT) {
        out[0] = semaphore_blocker(log, a);
        n = out[0] != HD_NO_EVENT;
    } else if (must_wait(a) && a->flags & HD_ACTION_ACQUIRES &&
               !(a->kind == HD_DO_WAKE && a->detail == 0))
        n = all_holders(log, a, out);
    for (uint32_t i = 0; i < n; i++)
        if (has_seen(log, clock, out[i]))
            return 0;
    return n;
}

/* ---- the second event of a race without the first ---- */

/* The first event after the last time that a thread was alone: what events before it tell may have
 * changed since without an event (L3). */
static uint32_t since_alone(const hd_events *log, uint32_t end) {
    while (end > 0 && !log->at.at[end - 1].is_alone_after)
        end--;
    return end;
}

/* What the memory at an exchange would hold: the value before the first write that is after
 * `first`, if nothing else wrote between.  False if accesses of other sizes hide it: its own
 * touches lie in one word, or nobody knows. */
static bool value_without(const hd_events *log, uint32_t first, uint32_t second, uint64_t *value) {
    const hd_access *x = &hd_event_action(log, second)->access[0];
    const hd_touch *own = &log->touches.at[log->at.at[second].first_touch];
    *value = hd_event_action(log, second)->value;
    if (x->address % WORD + x->size > WORD)
        return false;
    for (uint32_t t = log->locations.at[own->location].writes; t != HD_NO_EVENT;
         t = log->touches.at[t].previous) {
        const hd_touch *touch = &log->touches.at[t];
        const hd_action *b = hd_event_action(log, touch->event);
        if (touch->event >= second || !(touch->mask & own->mask))
            continue;
        if (!is_data_at(b, x))
            return false;
        if (!hd_event_before(log, first, touch->event))
            return true; /* its result is what the next one saw */
        *value = b->value;
    }
    return true;
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

/* An action whose outcome cannot be told counts as a write: more is explored then, not less. */
hd_action hd_events_predict(hd_events *log, uint32_t first, uint32_t second, bool *is_guess) {
    hd_action a = *hd_event_action(log, second);
    *is_guess = false;
    if (a.kind == HD_DO_ARRIVE)
        a.detail = generation_without(log, first, second);
    if (a.kind == HD_DO_RECEIVE)
        a.expected = hd_event_action(log, first)->expected;
    if (uses_queue(&a))
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
        succeeds = holders_without(log, &first, 1, &a, second, holders) == 0;
        reads = a.kind == HD_DO_TRY_READ_LOCK ||
                (!succeeds && !is_reader(hd_event_action(log, holders[0])));
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
    return !uses_queue(a) || hd_queues_predict(log, first, (uint32_t)log->at.n, a);
}

/* ---- class ---- */

static uint64_t hash_event(const hd_events *log, uint32_t e) {
    const hd_logged *l = &log->at.at[e];
    const uint32_t *clock = hd_event_clock(log, e);
    uint64_t h = hd_hash_add((uint64_t)l->action.kind << 8 | l->action.thread, l->nth);
    h = hd_hash_add(h, l->action.flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT));
    if (l->action.n_accesses)
        h = hd_hash_add(h, l->action.access[0].address);
    for (uint32_t t = 0; t < log->stride; t++) /* a dot product with odd numbers */
        h += clock[t] * log->factors[t];
    return hd_mix(h);
}

/* A sum, so that the order in the log does not matter. */
uint64_t hd_events_class_hash(hd_events *log) {
    for (uint32_t e = (uint32_t)log->sums.n; e < log->at.n; e++)
        hd_vec_push(&log->sums, (e ? log->sums.at[e - 1] : 0) + hash_event(log, e));
    return log->at.n ? log->sums.at[log->at.n - 1] : 0;
}
