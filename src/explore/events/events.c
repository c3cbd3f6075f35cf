/* Clocks and conflicts of the events of an execution (paper 002, 3.2). */
#include "explore/events/events.h"

#include "base/hash.h"
#include "base/panic.h"
#include "base/reserve.h"
#include "explore/events/queues.h"
#include "explore/events/races.h"

#include <immintrin.h>

#define WORD          HD_LOCATION
#define STRIDE        8 /* clocks have a multiple of so many entries */
#define LOCATIONS_MAX 4000000

void hd_events_init(hd_events *log) {
    *log = (hd_events){.stride = STRIDE};
    log->behind = hd_reserve_new(HD_MAX_THREADS * sizeof *log->behind, false);
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
    hd_vec_release(&log->last_ends);
    hd_vec_release(&log->inner);
    hd_vec_release(&log->contents);
    hd_vec_release(&log->factors);
    hd_reserve_free(log->behind, HD_MAX_THREADS * sizeof *log->behind);
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
        HD_CHECK_INVARIANT(L1, *chain_of(log, t) == log->touches.n);
        *chain_of(log, t) = t->previous;
    }
}

/* ---- the log ---- */

/* `detail` of these is a thread. */
#define ABOUT_THREADS (HD_KIND_LIFE | HD_KIND_DELIVERS)
/* What is known of another thread changes with these. */
#define CHANGES_OTHERS (HD_KIND_BEARS | HD_KIND_JOINS | HD_KIND_DELIVERS)

/* Did the action, a join, go on because the other thread had ended? */
static bool has_joined(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_JOINS) &&
           (a->state == HD_JOIN_ENDED || !(a->flags & HD_ACTION_SETTLES));
}

/* Is there an event of the thread, or one that made it? */
static bool has_begun(const hd_events *log, uint32_t thread) {
    return log->behind[thread].last || log->behind[thread].born;
}

/* ---- costly checks ---- */

#define MOST_CHECKED 4096 /* words, and events: more would take too long */

/* What the events of the log say about a thread, from the first to the last. */
static hd_behind behind_by_events(const hd_events *log, uint32_t thread) {
    hd_behind b = {0};
    for (uint32_t e = 0; e < log->at.n; e++) {
        const hd_action *a = hd_event_action(log, e);
        if (a->thread == thread)
            b.last = e + 1;
        if (hd_kind_is(a->kind, HD_KIND_BEARS) && a->detail == thread)
            b.born = e + 1;
        if (hd_kind_is(a->kind, HD_KIND_DELIVERS) && a->detail == thread)
            b.carried = e + 1;
        b.n_joins += has_joined(a) && a->detail == thread;
    }
    return b;
}

/* Is what is known besides the events what they say, whatever was cut off? */
static bool is_by_events(const hd_events *log) {
    hd_thread_set joined = HD_SET_EMPTY;
    uint32_t n = (uint32_t)log->at.n, n_begun = 0, time = HD_NO_EVENT;
    for (uint32_t e = 0; e < n; e++) {
        if (has_joined(hd_event_action(log, e)))
            joined = hd_set_with(joined, hd_event_action(log, e)->detail);
        if (hd_kind_is(hd_event_action(log, e)->kind, HD_KIND_TIME))
            time = e;
    }
    for (uint32_t t = 0; t < log->stride && n <= MOST_CHECKED / log->stride; t++) {
        hd_behind b = behind_by_events(log, t);
        n_begun += b.last || b.born;
        if (memcmp(&b, &log->behind[t], sizeof b) != 0)
            return false;
    }
    return hd_set_count(joined) == log->n_joined && time == log->time &&
           (n_begun == log->n_begun || n > MOST_CHECKED / log->stride);
}

/* Is nothing there any more of what came after the events? */
static bool is_cut(const hd_events *log) {
    size_t n = log->at.n;
    bool is_it = (!log->races.n || log->races.at[log->races.n - 1].second < n) &&
                 (!log->inner.n || log->inner.at[log->inner.n - 1].event < n) &&
                 (!log->contents.n || log->contents.at[log->contents.n - 1].event < n) &&
                 (!log->touches.n || log->touches.at[log->touches.n - 1].event < n);
    for (size_t i = 0; i < log->locations.n && i < MOST_CHECKED && is_it; i++) {
        const hd_location *l = &log->locations.at[i];
        is_it = (l->writes == HD_NO_EVENT || l->writes < log->touches.n) &&
                (l->reads == HD_NO_EVENT || l->reads < log->touches.n);
    }
    return is_it;
}

/* Has the last event seen all that its thread and its cause had, and nothing that is not there? */
static bool is_clock_grown(const hd_events *log) {
    uint32_t n = (uint32_t)log->at.n - 1;
    const hd_logged *l = &log->at.at[n];
    const uint32_t *clock = hd_event_clock(log, n);
    for (uint32_t t = 0; t < log->stride; t++) {
        uint32_t last = log->behind[t].last;
        if ((l->previous != HD_NO_EVENT && hd_event_clock(log, l->previous)[t] > clock[t]) ||
            (l->cause != HD_NO_EVENT && hd_event_clock(log, l->cause)[t] > clock[t]) ||
            clock[t] > (last ? log->at.at[last - 1].nth : 0))
            return false;
    }
    for (uint32_t e = l->cause + 1, k = 0; e < n && k < HD_N_RECENT; e++, k++)
        if (hd_event_before(log, e, n))
            return false; /* the cause is the last one before it */
    return true;
}

/* Is there nothing between the two events of a race: of what is after the first, nothing is before
 * the second?  Not so if it is turned round further back than where it conflicts. */
static bool is_adjacent(const hd_events *log, const hd_racing *r) {
    const hd_action *a = hd_event_action(log, r->first), *b = hd_event_action(log, r->second);
    if (hd_must_wait(b) || hd_kind_is(b->kind, HD_KIND_DELIVERS) || !hd_actions_conflict(a, b) ||
        hd_kind_is(a->kind, HD_KIND_SECTION))
        return true;
    for (uint32_t e = r->first + 1; e < r->second; e++)
        if (hd_event_before(log, r->first, e) && hd_event_before(log, e, r->second))
            return false;
    return true;
}

static bool are_adjacent(const hd_events *log, uint32_t n_races) {
    bool are_they = true;
    for (size_t i = n_races; i < log->races.n && are_they; i++)
        are_they = is_adjacent(log, &log->races.at[i]);
    return are_they;
}

void hd_events_truncate(hd_events *log, uint32_t n) {
    if (n >= log->at.n)
        return;
    undo_touches(log, log->at.at[n].first_touch);
    log->sums.n = log->sums.n < n ? log->sums.n : n;
    log->races.n = log->at.at[n].n_races;
    while (log->contents.n && log->contents.at[log->contents.n - 1].event >= n)
        log->contents.n--;
    while (log->inner.n && log->inner.at[log->inner.n - 1].event >= n)
        log->inner.n--;
    while (log->at.n > n) {
        const hd_logged *e = &log->at.at[--log->at.n];
        HD_CHECK_INVARIANT(L1, hd_event_last(log, e->action.thread) == log->at.n);
        log->behind[e->action.thread].last = e->previous + 1;
        log->n_begun -= !has_begun(log, e->action.thread);
        log->time = e->time;
        if (!hd_kind_is(e->action.kind, CHANGES_OTHERS))
            continue;
        if (hd_kind_is(e->action.kind, HD_KIND_BEARS)) {
            log->behind[e->action.detail].born = 0;
            log->n_begun -= !has_begun(log, e->action.detail);
        }
        if (hd_kind_is(e->action.kind, HD_KIND_DELIVERS))
            log->behind[e->action.detail].carried = e->carried + 1;
        if (has_joined(&e->action))
            log->n_joined -= --log->behind[e->action.detail].n_joins == 0;
    }
    HD_INVARIANT(L1, log->at.n == n && (n > 0 || (log->n_begun == 0 && log->touches.n == 0)));
    HD_CHECK_INVARIANT(L1, is_by_events(log) && is_cut(log));
    if (n == 0 && log->locations.n > LOCATIONS_MAX) {
        hd_vec_clear(&log->locations);
        hd_map_clear(&log->location_of);
    }
}

/* More threads than clocks have entries: lay them out anew, with many threads not each time. */
static void widen_clocks(hd_events *log, uint32_t n_threads) {
    uint32_t narrow = log->stride, more = narrow < HD_FEW_THREADS ? 0 : narrow / 2;
    uint32_t wanted = n_threads > narrow + more ? n_threads : narrow + more;
    uint32_t wide = (wanted + STRIDE - 1) / STRIDE * STRIDE;
    HD_ASSERT(wide > narrow && wide >= n_threads);
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
    uint32_t e = later(hd_event_last(log, thread), hd_event_carried(log, thread));
    return e == HD_NO_EVENT ? hd_event_born(log, thread) : e;
}

const uint32_t *hd_events_thread_clock(const hd_events *log, uint32_t thread) {
    uint32_t from = thread_event(log, thread);
    return from == HD_NO_EVENT ? NULL : hd_event_clock(log, from);
}

/* So many entries at a time, by AVX2, which instrumented code needs anyway: the stride is a
 * multiple of it. */
typedef __m256i_u entries;
_Static_assert(sizeof(entries) == STRIDE * sizeof(uint32_t),
               "the stride is one of the processor's");

static void join_clock(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += STRIDE) {
        entries *a = (entries *)&clock[i];
        *a = _mm256_max_epu32(*a, *(const entries *)&other[i]);
    }
}

static void copy_clock(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += STRIDE)
        *(entries *)&clock[i] = *(const entries *)&other[i];
}

/* The event in which a thread signalled: its nth, or its last signal. */
static uint32_t signal_event(const hd_events *log, uint32_t thread, uint32_t nth) {
    uint32_t e = hd_event_last(log, thread);
    while (e != HD_NO_EVENT) {
        const hd_logged *l = &log->at.at[e];
        bool signals = hd_kind_is(l->action.kind, HD_KIND_SIGNALS);
        if (nth ? l->nth == nth : signals)
            return e;
        e = l->previous;
    }
    return HD_NO_EVENT;
}

/* Where an action stands in the log, apart from its thread's events. */
typedef struct log_place {
    uint32_t previous;      /* event of the same thread */
    uint32_t carried, time; /* as in hd_logged */
} log_place;

static log_place place_now(const hd_events *log, const hd_action *a) {
    return (log_place){hd_event_last(log, a->thread), hd_event_carried(log, a->thread), log->time};
}

/* Event `e`, if there is one, comes before what the clock is of; the later of it and `cause`.  Who
 * has seen an event has seen all that it had. */
static uint32_t join_event(const hd_events *log, uint32_t *clock, uint32_t e, uint32_t cause) {
    HD_CHECK(e == HD_NO_EVENT || e < log->at.n);
    if (e != HD_NO_EVENT && !hd_clock_has_seen(log, clock, e))
        join_clock(clock, hd_event_clock(log, e), log->stride);
    return later(e, cause);
}

static uint32_t join_others(const hd_events *log, uint32_t *clock, const hd_action *a,
                            uint32_t cause) {
    if (hd_kind_is(a->kind, HD_KIND_TIME) || (hd_kind_is(a->kind, HD_KIND_ENDS) && !a->expected))
        for (uint32_t t = 0; t < log->stride && t < HD_MAX_THREADS; t++) /* waits for all others */
            cause = join_event(log, clock, thread_event(log, t), cause);
    else if (hd_kind_is(a->kind, HD_KIND_ENDS)) {
        uint32_t t;
        HD_SET_EACH(t, (hd_set){a->expected})
        cause = join_event(log, clock, t < log->stride ? thread_event(log, t) : HD_NO_EVENT, cause);
    }
    if (has_joined(a))
        cause = join_event(log, clock, thread_event(log, a->detail), cause);
    if (hd_kind_is(a->kind, HD_KIND_WAKES) && a->detail)
        cause = join_event(log, clock, signal_event(log, a->detail - 1, a->nth), cause);
    return cause;
}

/* What orders an action without being a conflict: its thread, creation, joining, waking, messages
 * and time.  What an actor did before it receives is not among it: another message could have come
 * instead (see hd_events_append).  Returns the last event of all these. */
static inline uint32_t inherit_clock(const hd_events *log, uint32_t *clock, const hd_action *a,
                                     log_place at) {
    uint32_t cause = at.previous == HD_NO_EVENT ? hd_event_born(log, a->thread) : at.previous;
    if (cause != HD_NO_EVENT)
        copy_clock(clock, hd_event_clock(log, cause), log->stride);
    else
        memset(clock, 0, log->stride * sizeof *clock);
    if (at.carried != HD_NO_EVENT && !hd_kind_is(a->kind, HD_KIND_DELIVERS))
        cause = join_event(log, clock, at.carried, cause);
    if (at.time != HD_NO_EVENT)
        cause = join_event(log, clock, at.time, cause);
    for (unsigned i = 0; i < 2; i++)
        if (a->after[i])
            cause = join_event(log, clock, a->after[i] - 1, cause);
    return hd_kind_is(a->kind, HD_KIND_LET_GO) ? join_others(log, clock, a, cause) : cause;
}

void hd_events_own_clock(const hd_events *log, uint32_t e, const hd_action *a, uint32_t *clock) {
    log_place at = place_now(log, a);
    if (e != HD_NO_EVENT) {
        const hd_logged *l = &log->at.at[e];
        at = (log_place){l->previous, l->carried, l->time};
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
    HD_CHECK(e + 1 < log->at.n); /* not the event itself, which its clock has seen */
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
    bool is_object = hd_kind_is(a->kind, HD_KIND_OBJECT) && c->is_atomic;
    return is_object && c->size > WORD - c->address % WORD ? WORD - c->address % WORD : c->size;
}

static void touch(hd_events *log, uint32_t location, uint8_t mask, const hd_access *c,
                  uint32_t event) {
    hd_location *l = &log->locations.at[location];
    uint32_t *chain = c->mode == HD_MODE_WRITE ? &l->writes : &l->reads;
    l->has_additions |= c->mode == HD_MODE_ADD;
    HD_CHECK_INVARIANT(L1, *chain == HD_NO_EVENT || *chain < log->touches.n);
    hd_vec_push(&log->touches, ((hd_touch){location, event, *chain, mask, c->mode, c->is_atomic}));
    *chain = (uint32_t)log->touches.n - 1;
}

/* Look for conflicts of some bytes of an access, those of `mask` in the word, and enter it. */
static inline void treat_word(hd_events *log, const hd_action *a, const hd_access *c, uint64_t word,
                              unsigned mask, const uint32_t *clock, uint32_t event) {
    uint32_t location = location_of(log, word);
    HD_CHECK(mask <= 0xff && log->locations.at[location].word == word);
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

/* Were all others that ever began joined?  Who was joined has begun: counting is enough, except for
 * those that are alive without an event so far. */
static bool is_alone(const hd_events *log, uint32_t thread) {
    if (log->n_joined + !log->behind[thread].n_joins != log->n_begun)
        return false;
    uint32_t t;
    HD_SET_EACH(t, log->threads->alive)
    if (t != thread && !log->behind[t].n_joins)
        return false;
    return true;
}

/* Nothing is marked. */
static inline void begin_marks(hd_events *log) {
    if (__builtin_expect(++log->marks != 0, 1))
        return;
    for (size_t e = 0; e < log->at.n; e++)
        log->at.at[e].mark = 0;
    log->marks = 1;
}

void hd_events_append(hd_events *log, const hd_action *a, uint32_t n_threads) {
    if (n_threads > log->stride)
        widen_clocks(log, n_threads);
    uint32_t n = (uint32_t)log->at.n, t = a->thread, stride = log->stride;
    HD_CHECK(t < stride && a->kind < HD_N_ACTIONS && a->n_accesses <= HD_MAX_ACCESSES);
    HD_CHECK(!hd_kind_is(a->kind, ABOUT_THREADS) || a->detail < HD_MAX_THREADS);
    uint32_t last = hd_event_last(log, t);
    hd_vec_reserve(&log->clocks, (size_t)(n + 1) * stride);
    uint32_t *clock = &log->clocks.at[(size_t)n * stride];
    log_place at = place_now(log, a);
    uint32_t cause = inherit_clock(log, clock, a, at);
    bool receives = hd_kind_is(a->kind, HD_KIND_DELIVERS);
    hd_vec_reserve(&log->at, (size_t)n + 1);
    hd_logged *event = &log->at.at[log->at.n++];
    hd_action_copy(&event->action, a);
    event->nth = last == HD_NO_EVENT ? 1 : log->at.at[last].nth + 1;
    event->previous = last;
    event->carried = receives ? hd_event_carried(log, a->detail) : at.carried;
    event->time = at.time;
    event->first_touch = (uint32_t)log->touches.n;
    event->n_races = (uint32_t)log->races.n & INT32_MAX;
    event->mark = 0;
    event->is_alone_after = false;
    clock[t] = event->nth; /* has seen itself */
    begin_marks(log);
    hd_vec_clear(&log->candidates);
    for (unsigned i = 0; i < a->n_accesses; i++)
        treat_access(log, a, &a->access[i], clock, n);
    if (log->candidates.n) {
        hd_note_races(log, n, clock);
        for (size_t i = 0; i < log->candidates.n; i++)
            cause = join_event(log, clock, log->candidates.at[i], cause);
    }
    if (receives) { /* the actor goes on in it */
        cause = join_event(log, clock, thread_event(log, a->detail), cause);
        log->behind[a->detail].carried = n + 1;
    }
    HD_CHECK_INVARIANT(L2, !log->races.n || log->races.at[log->races.n - 1].second <= n);
    HD_CHECK(cause == HD_NO_EVENT || cause < n);
    event->cause = cause;
    log->n_begun += !has_begun(log, t);
    log->behind[t].last = n + 1;
    if (hd_kind_is(a->kind, HD_KIND_TIME))
        log->time = n;
    if (hd_kind_is(a->kind, HD_KIND_BEARS)) {
        log->n_begun += !has_begun(log, a->detail);
        log->behind[a->detail].born = n + 1;
    }
    if (has_joined(a)) {
        log->n_joined += log->behind[a->detail].n_joins++ == 0;
        event->is_alone_after = is_alone(log, t);
    }
    HD_CHECK(is_clock_grown(log));
    HD_CHECK_INVARIANT(L2, are_adjacent(log, event->n_races));
    HD_CHECK(hd_queues_are_right(log, n));
}

void hd_events_note_content(hd_events *log, uint32_t content) {
    log->knows_contents = true;
    HD_ASSERT(log->at.n &&
              (!log->contents.n || log->contents.at[log->contents.n - 1].event < log->at.n - 1));
    hd_vec_push(&log->contents, ((hd_logged_content){(uint32_t)log->at.n - 1, content}));
}

uint32_t hd_event_content(const hd_events *log, uint32_t e) {
    size_t low = 0, high = log->contents.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (log->contents.at[middle].event < e)
            low = middle + 1;
        else
            high = middle;
    }
    bool has_one = low < log->contents.n && log->contents.at[low].event == e;
    return has_one ? log->contents.at[low].content : 0;
}

/* ---- class ---- */

static uint64_t kind_and_thread(const hd_action *a) {
    uint64_t low = a->thread & 0xff, high = a->thread >> 8;
    return (uint64_t)a->kind << 8 | low | high << 16;
}

/* If all threads of a process end, main with pthread_exit, one of them is the last and ends the
 * process: who that is makes no difference.  What it does from then on is nobody's. */
static bool is_last_end(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_ENDS) && a->state;
}

/* The end of its process behind which the event's thread is nobody, itself included; HD_NO_EVENT if
 * it is somebody. */
static uint32_t last_end_before(const hd_events *log, uint32_t e) {
    for (size_t i = 0; i < log->last_ends.n; i++) {
        uint32_t end = log->last_ends.at[i];
        if (end <= e && hd_event_action(log, end)->thread == hd_event_action(log, e)->thread)
            return end;
    }
    return HD_NO_EVENT;
}

static uint64_t factor_of_nobody(const hd_events *log, uint32_t end) {
    return hd_mix(hd_event_action(log, end)->access[0].address) | 1;
}

static uint64_t name_event(const hd_events *log, uint32_t e) {
    const hd_logged *l = &log->at.at[e];
    uint32_t end = last_end_before(log, e);
    if (end == HD_NO_EVENT)
        return hd_hash_add(kind_and_thread(&l->action), l->nth);
    return hd_hash_add(l->action.kind ^ factor_of_nobody(log, end), l->nth - log->at.at[end].nth);
}

/* What of a clock counts the events of threads that were nobody then, as if one thread of their
 * process had always done that. */
static uint64_t pass_to_nobody(const hd_events *log, const uint32_t *clock) {
    uint64_t h = 0;
    for (size_t i = 0; i < log->last_ends.n; i++) {
        const hd_logged *end = &log->at.at[log->last_ends.at[i]];
        uint32_t t = end->action.thread, before = end->nth - 1;
        if (clock[t] > before)
            h += (clock[t] - before) *
                 (factor_of_nobody(log, log->last_ends.at[i]) - log->factors.at[t]);
    }
    return h;
}

static uint64_t hash_event(const hd_events *log, uint32_t e) {
    const hd_logged *l = &log->at.at[e];
    const uint32_t *clock = hd_event_clock(log, e);
    uint64_t h = name_event(log, e);
    h = hd_hash_add(h, l->action.flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT));
    if (l->action.n_accesses)
        h = hd_hash_add(h, l->action.access[0].address);
    for (uint32_t t = 0; t < log->stride; t++) /* a dot product with odd numbers */
        h += clock[t] * log->factors.at[t];
    return hd_mix(h + pass_to_nobody(log, clock));
}

/* A sum, so that the order in the log does not matter. */
uint64_t hd_events_class_hash(hd_events *log) {
    hd_vec_reserve(&log->factors, log->stride);
    for (; log->factors.n < log->stride; log->factors.n++)
        log->factors.at[log->factors.n] = hd_mix(log->factors.n + 1) | 1;
    while (log->last_ends.n && log->last_ends.at[log->last_ends.n - 1] >= log->sums.n)
        log->last_ends.n--;
    for (uint32_t e = (uint32_t)log->sums.n; e < log->at.n; e++) {
        if (is_last_end(hd_event_action(log, e)))
            hd_vec_push(&log->last_ends, e);
        hd_vec_push(&log->sums, (e ? log->sums.at[e - 1] : 0) + hash_event(log, e));
    }
    HD_INVARIANT(L1, log->sums.n == log->at.n);
    return log->at.n ? log->sums.at[log->at.n - 1] : 0;
}
