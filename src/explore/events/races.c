/* Which pairs of events race (see races.h). */
#include "explore/events/races.h"

#include "base/panic.h"

#include "explore/events/queues.h"

/* Data races of sections are looked at again when it is known what they did. */
static bool is_plain(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_PLAIN);
}

/* Of all touches of two events on one place: both plain memory, not both atomic. */
static bool is_data_race(const hd_action *a, const hd_action *b) {
    if (a->n_accesses == 1 && b->n_accesses == 1 && a->access[0].is_atomic & b->access[0].is_atomic)
        return false;
    if (!is_plain(a) || !is_plain(b) ||
        (hd_kind_is(a->kind, HD_KIND_READS) && hd_kind_is(b->kind, HD_KIND_READS)))
        return false;
    for (unsigned i = 0; i < a->n_accesses; i++)
        for (unsigned k = 0; k < b->n_accesses; k++)
            if (hd_accesses_conflict(&a->access[i], 0, &b->access[k], 0) &&
                !(a->access[i].is_atomic && b->access[k].is_atomic))
                return true;
    return false;
}

void hd_events_note_inner(hd_events *log, const hd_inner *inner) {
    size_t n = log->inner.n;
    HD_ASSERT(inner->n <= HD_MAX_INNER && inner->event < log->at.n);
    if (n && log->inner.at[n - 1].event >= inner->event)
        return;
    for (uint32_t i = 0; i < inner->n; i++) {
        log->knows_contents |= inner->at[i].content != 0;
        hd_vec_push(&log->inner, ((hd_logged_inner){(uint32_t)inner->event, inner->at[i]}));
    }
}

/* An access of a section that makes a data race with what the other event did. */
static bool find_inner(const hd_events *log, uint32_t section, const hd_action *other,
                       hd_action *found) {
    HD_ASSERT(hd_kind_is(found->kind, HD_KIND_SECTION));
    for (size_t i = log->inner.n; i-- > 0 && log->inner.at[i].event >= section;) {
        const hd_inner_access *x = &log->inner.at[i].access;
        hd_action a = {.kind = (uint8_t)hd_access_kind(x->access.mode == HD_MODE_READ),
                       .thread = found->thread,
                       .n_accesses = 1,
                       .site = x->site,
                       .access[0] = x->access};
        a.access[0].is_atomic = true; /* as a whole the section is */
        if (log->inner.at[i].event == section && is_data_race(&a, other)) {
            *found = a;
            return true;
        }
    }
    return false;
}

bool hd_events_data_race(const hd_events *log, const hd_racing *r, hd_action pair[2]) {
    HD_INVARIANT(L2, r->first < r->second && r->second < log->at.n);
    if (!r->is_data_race)
        return false;
    pair[0] = *hd_event_action(log, r->first);
    pair[1] = *hd_event_action(log, r->second);
    if (hd_kind_is(pair[0].kind, HD_KIND_SECTION))
        return find_inner(log, r->first, &pair[1], &pair[0]);
    if (hd_kind_is(pair[1].kind, HD_KIND_SECTION))
        return find_inner(log, r->second, &pair[0], &pair[1]);
    return true;
}

/* Candidates that another candidate has seen are ordered by it, which came later then. */
static bool is_dominated(const hd_events *log, uint32_t c) {
    uint32_t thread = hd_event_action(log, c)->thread, nth = log->at.at[c].nth;
    for (size_t i = 0; i < log->candidates.n; i++) {
        uint32_t other = log->candidates.at[i];
        if (other > c && hd_event_clock(log, other)[thread] >= nth)
            return true;
    }
    return false;
}

/* What happens inside an atomic section can only be reversed as a whole: from its beginning, if
 * the other thread has not seen that. */
static uint32_t start_of_section(const hd_events *log, uint32_t e, const uint32_t *clock) {
    if (!(hd_event_action(log, e)->flags & HD_ACTION_INSIDE))
        return e;
    while (e != HD_NO_EVENT && !hd_kind_is(hd_event_action(log, e)->kind, HD_KIND_SECTION))
        e = log->at.at[e].previous;
    return e == HD_NO_EVENT || hd_clock_has_seen(log, clock, e) ? HD_NO_EVENT : e;
}

static bool has_race(const hd_events *log, uint32_t first, uint32_t second) {
    for (size_t i = log->at.at[second].n_races; i < log->races.n; i++)
        if (log->races.at[i].first == first && log->races.at[i].is_reversible)
            return true;
    return false;
}

static void push_race(hd_events *log, hd_racing race) {
    HD_INVARIANT(L2, race.first < race.second);
    HD_INVARIANT(L2, !log->races.n || log->races.at[log->races.n - 1].second <= race.second);
    HD_CHECK_INVARIANT(L2, hd_event_action(log, race.first)->thread !=
                               hd_event_action(log, race.second)->thread);
    HD_CHECK_INVARIANT(L2, !hd_event_before(log, race.second, race.first));
    hd_vec_push(&log->races, race);
}

static void add_race(hd_events *log, uint32_t first, uint32_t second) {
    push_race(log, (hd_racing){.first = first,
                               .second = second,
                               .is_reversible = true,
                               .covered_by = HD_NO_EVENT});
}

/* What waited for an item could have had the one before it, if that was taken by another thread;
 * whatever else has happened between the two. */
static void note_rivals(hd_events *log, uint32_t n, const uint32_t *before) {
    uint32_t rivals[HD_MAX_THREADS];
    uint32_t n_rivals = hd_queues_rivals(log, hd_event_action(log, n), n, before, rivals);
    HD_ASSERT(n_rivals <= HD_MAX_THREADS);
    for (uint32_t i = 0; i < n_rivals; i++) {
        HD_CHECK_INVARIANT(L2, !hd_clock_has_seen(log, before, rivals[i]));
        if (!has_race(log, rivals[i], n))
            add_race(log, rivals[i], n);
    }
}

/* Writes before which the access of a waiting loop may have gone on, if it is not known before
 * which of them it could, race with it too. */
static void note_spinning_races(hd_events *log, uint32_t n, const uint32_t *before) {
    uint32_t first[HD_MAX_THREADS];
    uint32_t n_first = hd_spinning_races(log, hd_event_action(log, n), n, n, before, first);
    HD_ASSERT(n_first <= HD_MAX_THREADS);
    for (uint32_t i = 0; i < n_first; i++) {
        uint32_t start = hd_clock_has_seen(log, before, first[i])
                             ? HD_NO_EVENT
                             : start_of_section(log, first[i], before);
        if (start != HD_NO_EVENT && !has_race(log, start, n))
            add_race(log, start, n);
    }
}

/* Did `a` find nothing, and went on because its thread was cancelled in `b`?  It could not have
 * gone on before that, unless for what others have taken. */
static bool is_let_go(const hd_action *a, const hd_action *b) {
    bool found_nothing = a->flags & HD_ACTION_FAILED && !(a->flags & HD_ACTION_TIMEOUT);
    return hd_uses_queue(a) && found_nothing && hd_cancels(b, a);
}

static uint32_t first_of_race(hd_events *log, uint32_t c, uint32_t n, const uint32_t *before) {
    const hd_action *a = hd_event_action(log, n);
    if (is_let_go(a, hd_event_action(log, c))) {
        note_rivals(log, n, before);
        return HD_NO_EVENT;
    }
    return hd_must_wait(a) ? hd_waiting_race(log, c, n, before) : c;
}

void hd_note_races(hd_events *log, uint32_t n, const uint32_t *before) {
    const hd_action *a = hd_event_action(log, n);
    HD_CHECK(n + 1 == log->at.n);
    for (size_t i = 0; i < log->candidates.n; i++) {
        uint32_t c = log->candidates.at[i];
        HD_CHECK(c < n && !hd_clock_has_seen(log, before, c));
        if (is_dominated(log, c) || hd_queues_is_answer(a, hd_event_action(log, c)))
            continue;
        uint32_t first = first_of_race(log, c, n, before);
        if (first != HD_NO_EVENT)
            first = start_of_section(log, first, before);
        HD_CHECK_INVARIANT(L2, first == HD_NO_EVENT || !hd_clock_has_seen(log, before, first));
        bool is_data = is_data_race(hd_event_action(log, c), a);
        if (is_data && first != c)
            push_race(log, (hd_racing){.first = c, .second = n, .is_data_race = true});
        if (first != HD_NO_EVENT)
            push_race(log, (hd_racing){.first = first,
                                       .second = n,
                                       .is_reversible = true,
                                       .is_data_race = is_data && first == c,
                                       .covered_by = HD_NO_EVENT});
    }
    if (hd_uses_queue(a) && hd_must_wait(a))
        note_rivals(log, n, before);
    if (a->flags & HD_ACTION_SPINS && hd_must_wait(a))
        note_spinning_races(log, n, before);
}
