/* The event log: what happened before what, which pairs race, and that it goes back (events.h L1 to
 * L3). */
#include "explore/events/races.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PLACE UINT64_C(0x7f0000001000) /* of memory; nobody looks at what is there */

static hd_action on(hd_action_kind kind, uint32_t thread, uint64_t offset, uint32_t size,
                    hd_access_mode mode) {
    return (hd_action){
        .kind = (uint8_t)kind,
        .thread = thread,
        .n_accesses = 1,
        .access[0] = {.address = PLACE + offset, .size = size, .mode = (uint8_t)mode}};
}
static hd_action reads(uint32_t thread, uint64_t offset, uint32_t size) {
    return on(HD_DO_READ, thread, offset, size, HD_MODE_READ);
}
static hd_action writes(uint32_t thread, uint64_t offset, uint32_t size) {
    return on(HD_DO_WRITE, thread, offset, size, HD_MODE_WRITE);
}
static hd_action atomic(hd_action a) {
    for (unsigned i = 0; i < a.n_accesses; i++)
        a.access[i].is_atomic = true;
    return a;
}
static hd_action about(hd_action_kind kind, uint32_t thread, uint32_t detail) {
    return (hd_action){.kind = (uint8_t)kind, .thread = thread, .detail = detail};
}
static hd_action flagged(hd_action a, unsigned flags) {
    a.flags |= (uint8_t)flags;
    return a;
}
static hd_action locks(uint32_t thread) {
    return flagged(atomic(on(HD_DO_LOCK, thread, 0, 40, HD_MODE_WRITE)),
                   HD_ACTION_WAITS | HD_ACTION_ACQUIRES);
}
static hd_action unlocks(uint32_t thread) {
    return flagged(atomic(on(HD_DO_UNLOCK, thread, 0, 40, HD_MODE_WRITE)), HD_ACTION_RELEASES);
}

#define N_THREADS 4
static hd_threads threads; /* big; as the log sees them: who is alive */
static hd_events begin(void) {
    hd_events log;
    hd_events_init(&log);
    threads.alive = HD_SET_EMPTY;
    log.threads = &threads;
    return log;
}
static uint32_t append(hd_events *log, hd_action a) {
    hd_events_append(log, &a, N_THREADS);
    return (uint32_t)log->at.n - 1;
}

/* Is there a race of these two, as expected: '-' none, 'r' reversible, 'd' of data too, 'D' of data
 * only? */
static char race_of(const hd_events *log, uint32_t first, uint32_t second) {
    char found = '-';
    for (size_t i = 0; i < log->races.n; i++) {
        const hd_racing *r = &log->races.at[i];
        if (r->first == first && r->second == second) {
            assert_int_equal(found, '-'); /* once */
            found = (char)(!r->is_reversible ? 'D' : r->is_data_race ? 'd' : 'r');
            assert_true(!r->is_reversible || r->covered_by == HD_NO_EVENT);
            assert_false(r->was_slept_away);
        }
    }
    return found;
}

static void two_accesses(void **state) {
    (void)state;
    hd_action update = atomic(on(HD_DO_UPDATE, 1, 0, 4, HD_MODE_WRITE));
    hd_action free_all = on(HD_DO_FREE, 1, 0, 64, HD_MODE_WRITE);
    hd_action two = reads(1, 32, 4);
    two.access[two.n_accesses++] = writes(1, 4, 4).access[0];
    hd_action arrives = atomic(on(HD_DO_ARRIVE, 0, 0, 8, HD_MODE_ARRIVE)), meets = arrives,
              later = arrives, leaves = atomic(on(HD_DO_LEAVE, 1, 0, 8, HD_MODE_LEAVE));
    meets.thread = later.thread = 1;
    later.detail = 1;
    hd_action leaves_too = leaves, leaves_later = leaves;
    leaves_too.thread = 0;
    leaves_later.detail = 1;
    const struct {
        hd_action first, second;
        char race;
    } cases[] = {
        {reads(0, 0, 4), reads(1, 0, 4), '-'},
        {writes(0, 0, 4), reads(1, 0, 4), 'd'},
        {reads(0, 0, 4), writes(1, 0, 4), 'd'},
        {writes(0, 0, 4), writes(1, 0, 4), 'd'},
        {writes(0, 0, 4), writes(1, 4, 4), '-'}, /* neighbours in one word */
        {writes(0, 0, 4), writes(1, 3, 1), 'd'},
        {writes(0, 3, 1), writes(1, 0, 3), '-'},
        {writes(0, 7, 1), writes(1, 0, 8), 'd'},
        {writes(0, 8, 1), writes(1, 0, 8), '-'},
        {writes(0, 6, 4), writes(1, 8, 1), 'd'}, /* over the end of a word */
        {writes(0, 6, 4), writes(1, 9, 1), 'd'},
        {writes(0, 6, 4), writes(1, 10, 1), '-'},
        {writes(0, 6, 4), writes(1, 5, 1), '-'},
        {writes(0, 6, 4), writes(1, 6, 1), 'd'},
        {writes(0, 3, 40), writes(1, 42, 1), 'd'},
        {writes(0, 3, 40), writes(1, 43, 1), '-'},
        {writes(0, 3, 40), reads(1, 24, 2), 'd'},
        {writes(0, 4, 1), two, 'd'},
        {writes(0, 8, 1), two, '-'},
        {reads(0, 32, 4), two, '-'},
        {writes(0, 0, 4), update, 'd'},
        {atomic(writes(0, 0, 4)), update, 'r'},
        {atomic(reads(0, 0, 4)), update, 'r'},
        {reads(0, 0, 4), update, 'd'},
        {reads(0, 60, 4), free_all, 'd'},
        {reads(0, 64, 4), free_all, '-'},
        {atomic(on(HD_DO_OBJECT, 0, 0, 4, HD_MODE_WRITE)), writes(1, 0, 4), 'r'}, /* no memory */
        {atomic(on(HD_DO_OBJECT, 0, 0, 40, HD_MODE_WRITE)), writes(1, 7, 1), 'r'},
        {atomic(on(HD_DO_OBJECT, 0, 0, 40, HD_MODE_WRITE)), writes(1, 8, 1), '-'}, /* first word */
        {on(HD_DO_OBJECT, 0, 0, 4, HD_MODE_ADD), on(HD_DO_OBJECT, 1, 0, 4, HD_MODE_ADD), '-'},
        {on(HD_DO_OBJECT, 0, 0, 4, HD_MODE_ADD), on(HD_DO_OBJECT, 1, 0, 4, HD_MODE_READ), 'r'},
        {on(HD_DO_OBJECT, 0, 0, 4, HD_MODE_READ), on(HD_DO_OBJECT, 1, 0, 4, HD_MODE_ADD), 'r'},
        {on(HD_DO_OBJECT, 0, 0, 4, HD_MODE_ADD), on(HD_DO_OBJECT, 1, 0, 4, HD_MODE_WRITE), 'r'},
        {arrives, meets, '-'},
        {arrives, later, 'r'},
        {arrives, leaves, 'r'},
        {leaves_too, leaves, '-'},
        {arrives, leaves_later, '-'},
        {unlocks(0), locks(1), '-'}, /* nothing was taken that could have been left */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_events log = begin();
        assert_int_equal(append(&log, cases[i].first), 0);
        assert_int_equal(append(&log, cases[i].second), 1);
        if (race_of(&log, 0, 1) != cases[i].race)
            fail_msg("case %zu: '%c', expected '%c'", i, race_of(&log, 0, 1), cases[i].race);
        assert_int_equal(log.races.n, cases[i].race != '-');
        bool is_ordered = hd_actions_conflict(&cases[i].first, &cases[i].second);
        if (cases[i].first.kind != HD_DO_OBJECT || cases[i].first.access[0].size <= 8)
            assert_int_equal(hd_event_before(&log, 0, 1), is_ordered);
        hd_events_release(&log);
    }
}

/* ---- against brute force ---- */

static uint64_t draws;
static uint32_t draw(uint32_t n) {
    draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(draws >> 33) % n;
}

/* Accesses of three threads to a few bytes, at most two each. */
static hd_action draw_access(void) {
    static const hd_action_kind kinds[] = {HD_DO_READ, HD_DO_WRITE, HD_DO_OBJECT};
    hd_action_kind kind = kinds[draw(3)];
    hd_access_mode mode = kind == HD_DO_READ    ? HD_MODE_READ
                          : kind == HD_DO_WRITE ? HD_MODE_WRITE
                                                : (draw(2) ? HD_MODE_ADD : HD_MODE_READ);
    hd_action a = on(kind, draw(3), draw(14), 1 + draw(draw(3) ? 3 : 9), mode);
    if (draw(4) == 0)
        a.access[a.n_accesses++] = on(kind, 0, draw(14), 1 + draw(4), mode).access[0];
    return draw(3) && kind != HD_DO_OBJECT ? atomic(a) : a;
}

enum { LENGTH = 14 };
typedef struct order {
    bool before[LENGTH][LENGTH]; /* also itself */
} order;

static void close_order(order *o, const hd_events *log) {
    memset(o, 0, sizeof *o);
    for (uint32_t k = 0; k < log->at.n; k++) {
        const hd_action *b = hd_event_action(log, k);
        o->before[k][k] = true;
        for (uint32_t i = 0; i < k; i++) {
            const hd_action *a = hd_event_action(log, i);
            bool is_direct = a->thread == b->thread || hd_actions_conflict(a, b);
            for (uint32_t e = 0; is_direct && e <= i; e++)
                o->before[e][k] |= o->before[e][i];
        }
    }
}

static bool is_race(const order *o, const hd_events *log, uint32_t i, uint32_t k) {
    const hd_action *a = hd_event_action(log, i), *b = hd_event_action(log, k);
    if (a->thread == b->thread || !hd_actions_conflict(a, b))
        return false;
    for (uint32_t e = i + 1; e < k; e++)
        if (o->before[i][e] && o->before[e][k])
            return false;
    return true;
}

static bool is_of_data(const hd_action *a, const hd_action *b) {
    if (a->kind == HD_DO_OBJECT || b->kind == HD_DO_OBJECT ||
        (a->kind == HD_DO_READ && b->kind == HD_DO_READ))
        return false;
    for (unsigned i = 0; i < a->n_accesses; i++)
        for (unsigned k = 0; k < b->n_accesses; k++)
            if (hd_accesses_conflict(&a->access[i], 0, &b->access[k], 0) &&
                !(a->access[i].is_atomic && b->access[k].is_atomic))
                return true;
    return false;
}

static uint32_t last_cause(const order *o, uint32_t k) {
    uint32_t cause = HD_NO_EVENT;
    for (uint32_t e = 0; e < k; e++)
        if (o->before[e][k])
            cause = e;
    return cause;
}

static void as_brute_force_says(void **state) {
    (void)state;
    draws = 1;
    for (int round = 0; round < 2000; round++) {
        hd_events log = begin();
        order o;
        for (uint32_t k = 0; k < LENGTH; k++)
            append(&log, draw_access());
        close_order(&o, &log);
        size_t n_races = 0;
        for (uint32_t k = 0; k < LENGTH; k++) {
            assert_int_equal(log.at.at[k].cause, last_cause(&o, k));
            for (uint32_t i = 0; i < k; i++) {
                assert_int_equal(hd_event_before(&log, i, k), o.before[i][k]);
                assert_int_equal(hd_clock_has_seen(&log, hd_event_clock(&log, k), i),
                                 o.before[i][k]);
                bool is_data = is_of_data(hd_event_action(&log, i), hd_event_action(&log, k));
                char expected = (char)(!is_race(&o, &log, i, k) ? '-' : is_data ? 'd' : 'r');
                assert_int_equal(race_of(&log, i, k), expected);
                n_races += expected != '-';
            }
        }
        assert_int_equal(log.races.n, n_races);
        for (size_t i = 1; i < log.races.n; i++) /* L2 */
            assert_true(log.races.at[i - 1].second <= log.races.at[i].second);
        hd_events_release(&log);
    }
}

/* ---- L1 ---- */

/* Anything that leaves something behind in the log.  A thread is created and joined once. */
static hd_action draw_action(hd_events *log) {
    uint32_t t = draw(N_THREADS), other = (t + 1 + draw(N_THREADS - 1)) % N_THREADS;
    bool is_joined = log->behind[other].n_joins > 0;
    hd_action a = draw_access();
    switch (draw(9)) {
    case 0:
        a = hd_event_born(log, other) == HD_NO_EVENT ? about(HD_DO_CREATE, t, other) : a;
        break;
    case 1:
        a = is_joined ? a : about(HD_DO_JOIN, t, other);
        break;
    case 2:
        a = flagged(about(HD_DO_JOIN, t, other), HD_ACTION_SETTLES);
        a.state = draw(2) && !is_joined ? HD_JOIN_ENDED : HD_JOIN_EARLY;
        break;
    case 3:
        a = on(HD_DO_RECEIVE, t, 64, 1, HD_MODE_WRITE);
        a.detail = other;
        break;
    case 4:
        a = draw(4) ? a : about(HD_DO_TIME, t, 0);
        break;
    case 5:
        a.after[draw(2)] = draw((uint32_t)log->at.n + 1);
        break;
    default:
        break;
    }
    return a;
}

static void assert_same(const hd_events *a, const hd_events *b) {
    assert_int_equal(a->at.n, b->at.n);
    assert_int_equal(a->time, b->time);
    assert_int_equal(a->touches.n, b->touches.n);
    assert_int_equal(a->races.n, b->races.n);
    assert_int_equal(a->contents.n, b->contents.n);
    assert_int_equal(a->inner.n, b->inner.n);
    for (uint32_t t = 0; t < N_THREADS; t++) {
        assert_int_equal(hd_event_last(a, t), hd_event_last(b, t));
        assert_int_equal(hd_event_born(a, t), hd_event_born(b, t));
        assert_int_equal(hd_event_carried(a, t), hd_event_carried(b, t));
        assert_int_equal(a->behind[t].n_joins, b->behind[t].n_joins);
        const uint32_t *x = hd_events_thread_clock(a, t), *y = hd_events_thread_clock(b, t);
        assert_int_equal(x != NULL, y != NULL);
        if (x)
            assert_memory_equal(x, y, N_THREADS * sizeof *x);
    }
    for (uint32_t e = 0; e < a->at.n; e++) {
        const hd_logged *x = &a->at.at[e], *y = &b->at.at[e];
        assert_memory_equal(hd_event_clock(a, e), hd_event_clock(b, e), N_THREADS * 4);
        assert_true(x->nth == y->nth && x->previous == y->previous && x->cause == y->cause &&
                    x->carried == y->carried && x->time == y->time &&
                    x->is_alone_after == y->is_alone_after);
        assert_int_equal(hd_event_content(a, e), hd_event_content(b, e));
    }
    for (size_t i = 0; i < a->races.n; i++)
        assert_memory_equal(&a->races.at[i], &b->races.at[i], offsetof(hd_racing, is_data_race));
}

/* With what is noted beside some of the events. */
static void append_all(hd_events *log, const hd_action *actions, uint32_t n) {
    for (uint32_t e = (uint32_t)log->at.n; e < n; e++) {
        append(log, actions[e]);
        hd_inner inner = {.event = e, .n = 1, .at[0].access = actions[e].access[0]};
        if (actions[e].site % 3 == 0)
            hd_events_note_content(log, 100 + e);
        if (actions[e].site % 3 == 1)
            hd_events_note_inner(log, &inner);
    }
}

static void logs_go_back(void **state) {
    (void)state;
    draws = 2;
    for (int round = 0; round < 1500; round++) {
        hd_events log = begin(), straight = begin();
        hd_action actions[2 * LENGTH];
        uint32_t cut = draw(LENGTH);
        for (uint32_t e = 0; e < LENGTH; e++) {
            actions[e] = draw_action(&log);
            actions[e].site = e + (uint32_t)round;
            append_all(&log, actions, e + 1);
            if (draw(4) == 0)
                hd_events_class_hash(&log);
        }
        hd_events_truncate(&log, LENGTH); /* nothing to do */
        assert_int_equal(log.at.n, LENGTH);
        hd_events_truncate(&log, cut);
        append_all(&straight, actions, cut);
        assert_same(&log, &straight);
        assert_int_equal(hd_events_class_hash(&log), hd_events_class_hash(&straight));
        for (uint32_t e = cut; e < LENGTH + 2; e++) { /* and on another way */
            actions[e] = draw_action(&log);
            actions[e].site = e;
            append_all(&log, actions, e + 1);
        }
        append_all(&straight, actions, LENGTH + 2);
        assert_same(&log, &straight);
        assert_int_equal(hd_events_class_hash(&log), hd_events_class_hash(&straight));
        hd_events_release(&log);
        hd_events_release(&straight);
    }
}

/* ---- what orders threads without a conflict ---- */

static void creation_and_joining(void **state) {
    (void)state;
    hd_events log = begin();
    uint32_t early = append(&log, writes(0, 0, 4));
    uint32_t creates = append(&log, about(HD_DO_CREATE, 0, 1));
    assert_int_equal(hd_event_born(&log, 1), creates);
    uint32_t child = append(&log, writes(1, 0, 4));
    uint32_t beside = append(&log, writes(0, 8, 4));
    assert_true(hd_event_before(&log, early, child) && hd_event_before(&log, creates, child));
    assert_false(hd_event_before(&log, child, beside) || hd_event_before(&log, beside, child));
    assert_int_equal(log.at.at[child].cause, creates);
    threads.alive = hd_set_of(0);
    uint32_t joins = append(&log, about(HD_DO_JOIN, 0, 1));
    uint32_t late = append(&log, writes(0, 0, 4));
    assert_true(hd_event_before(&log, child, joins) && hd_event_before(&log, child, late));
    assert_true(log.at.at[joins].is_alone_after);
    assert_int_equal(log.races.n, 0);
    assert_int_equal(log.at.at[joins].cause, beside);
    hd_events_truncate(&log, joins);
    threads.alive = hd_set_with(hd_set_of(0), 2); /* another is left that has done nothing yet */
    append(&log, about(HD_DO_JOIN, 0, 1));
    assert_false(log.at.at[joins].is_alone_after);
    hd_events_truncate(&log, joins);
    threads.alive = hd_set_of(0);
    append(&log, writes(2, 16, 4)); /* one that ended by itself */
    append(&log, about(HD_DO_JOIN, 0, 1));
    assert_false(log.at.at[joins + 1].is_alone_after);
    hd_action early_join = flagged(about(HD_DO_JOIN, 0, 1), HD_ACTION_SETTLES);
    early_join.state = HD_JOIN_EARLY;
    hd_events_truncate(&log, child);
    child = append(&log, writes(1, 0, 4));
    joins = append(&log, early_join);
    assert_false(hd_event_before(&log, child, joins)); /* it did not wait for the end */
    assert_int_equal(log.behind[1].n_joins, 0);
    hd_events_release(&log);
}

static void waking_time_and_the_end(void **state) {
    (void)state;
    hd_events log = begin();
    uint32_t first = append(&log, on(HD_DO_SIGNAL, 1, 0, 8, HD_MODE_READ));
    uint32_t other = append(&log, writes(1, 64, 4));
    hd_action wake = about(HD_DO_WAKE, 0, 1 + 1);
    uint32_t woken = append(&log, wake);
    assert_true(hd_event_before(&log, first, woken)); /* its last signal, not what came then */
    assert_false(hd_event_before(&log, other, woken));
    assert_int_equal(log.at.at[woken].cause, first);
    hd_events_truncate(&log, woken);
    wake.nth = 2;
    woken = append(&log, wake);
    assert_true(hd_event_before(&log, other, woken));
    hd_events_truncate(&log, woken);
    uint32_t time = append(&log, about(HD_DO_TIME, 3, 0));
    uint32_t behind = append(&log, reads(2, 128, 4));
    assert_true(hd_event_before(&log, other, time) && hd_event_before(&log, time, behind));
    assert_int_equal(log.time, time);
    assert_int_equal(log.at.at[behind].cause, time);
    hd_action end = about(HD_DO_EXIT, 0, 0);
    uint32_t ends = append(&log, end);
    assert_true(hd_event_before(&log, behind, ends));
    hd_events_truncate(&log, ends);
    assert_int_equal(log.time, time);
    hd_events_truncate(&log, time);
    assert_int_equal(log.time, HD_NO_EVENT);
    append(&log, reads(2, 128, 4));
    end.expected = hd_set_with(hd_set_of(0), 1).bits; /* it waits for those only */
    ends = append(&log, end);
    assert_true(hd_event_before(&log, other, ends));
    assert_false(hd_event_before(&log, ends - 1, ends));
    hd_events_release(&log);
}

/* An actor goes on in what its courier brought. */
static void messages(void **state) {
    (void)state;
    hd_events log = begin();
    uint32_t sends = append(&log, writes(1, 0, 4));
    uint32_t done = append(&log, writes(0, 8, 4));
    hd_action receive = about(HD_DO_RECEIVE, 2, 0);
    receive.after[1] = sends + 1;
    uint32_t received = append(&log, receive);
    assert_true(hd_event_before(&log, sends, received));
    assert_true(hd_event_before(&log, done, received));
    assert_int_equal(hd_event_carried(&log, 0), received);
    uint32_t next = append(&log, writes(0, 16, 4));
    assert_true(hd_event_before(&log, received, next));
    assert_int_equal(log.at.at[next].carried, received);
    assert_int_equal(log.at.at[next].cause, received);
    uint32_t clock[64], zero[N_THREADS] = {0};
    assert_true(log.stride <= 64);
    hd_events_own_clock(&log, received, &receive, clock);
    assert_int_equal(clock[1], 1);
    assert_int_equal(clock[0], 0); /* another message could have come before what it did */
    hd_events_own_clock(&log, sends, hd_event_action(&log, sends), clock);
    assert_memory_equal(clock, zero, sizeof zero);
    hd_action now = writes(0, 24, 4);
    hd_events_own_clock(&log, HD_NO_EVENT, &now, clock);
    assert_memory_equal(clock, hd_event_clock(&log, next), sizeof zero);
    hd_events_truncate(&log, received);
    assert_int_equal(hd_event_carried(&log, 0), HD_NO_EVENT);
    hd_events_release(&log);
}

/* Clocks grow with the threads, and what they have seen stays. */
static void many_threads(void **state) {
    (void)state;
    hd_events log = begin();
    static const uint32_t names[] = {0, 3, 4, 7, 63, 64, 65, 200};
    for (uint32_t i = 0; i < 8; i++) {
        hd_action a = writes(names[i], i % 2 ? 0 : 64, 4);
        hd_events_append(&log, &a, names[i] + 1);
        assert_true(log.stride > names[i]);
    }
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 8; k++)
            assert_int_equal(hd_event_before(&log, i, k), i <= k && i % 2 == k % 2);
    hd_events_release(&log);
}

/* ---- classes ---- */

static uint64_t hash_of(const hd_action *actions, const uint32_t *in_order, uint32_t n) {
    hd_events log = begin();
    for (uint32_t i = 0; i < n; i++)
        append(&log, actions[in_order[i]]);
    uint64_t hash = hd_events_class_hash(&log);
    hd_events_release(&log);
    return hash;
}

static void classes_have_names(void **state) {
    (void)state;
    const hd_action actions[] = {writes(0, 0, 4), writes(1, 8, 4), reads(2, 0, 4), reads(3, 0, 4)};
    static const uint32_t orders[][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {0, 2, 3, 1},
                                         {2, 0, 1, 3}, {2, 3, 0, 1}, {3, 0, 2, 1}};
    uint64_t name[6];
    for (int i = 0; i < 6; i++)
        name[i] = hash_of(actions, orders[i], 4);
    assert_true(name[0] == name[1] && name[1] == name[2]);
    for (int i = 3; i < 6; i++)
        for (int k = 0; k < i; k++)
            assert_true(name[i] != name[k] || (k < 3 && i < 3));
    hd_action same = actions[0], there = writes(0, 1, 2), failed = flagged(same, HD_ACTION_FAILED),
              late = flagged(same, HD_ACTION_TIMEOUT), read = reads(0, 0, 4),
              other = writes(1, 0, 4);
    static const uint32_t one[] = {0};
    const hd_action *const all[] = {&same, &there, &failed, &late, &read, &other};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++)
            assert_true(hash_of(all[i], one, 1) != hash_of(all[k], one, 1));
    /* who is the last to end is nobody's business */
    hd_action end = about(HD_DO_EXIT, 0, 0), end_of_other = about(HD_DO_EXIT, 1, 0);
    assert_true(hash_of(&end, one, 1) != hash_of(&end_of_other, one, 1));
    end.state = end_of_other.state = 1;
    assert_true(hash_of(&end, one, 1) == hash_of(&end_of_other, one, 1));
    hd_events none = begin();
    assert_int_equal(hd_events_class_hash(&none), 0);
    hd_events_release(&none);
}

static void contents_are_found(void **state) {
    (void)state;
    hd_events log = begin();
    assert_false(log.knows_contents);
    for (uint32_t e = 0; e < 9; e++) {
        append(&log, writes(0, 0, 4));
        if (e % 3 != 1)
            hd_events_note_content(&log, 10 + e);
    }
    assert_true(log.knows_contents);
    for (uint32_t e = 0; e < 9; e++)
        assert_int_equal(hd_event_content(&log, e), e % 3 != 1 ? 10 + e : 0);
    hd_events_truncate(&log, 4);
    assert_int_equal(hd_event_content(&log, 3), 13);
    append(&log, writes(0, 0, 4));
    assert_int_equal(hd_event_content(&log, 4), 0);
    hd_events_release(&log);
}

/* ---- races of what waits, and of sections ---- */

/* Before the lock was taken, not before it was given back. */
static void locks_race_where_they_were_taken(void **state) {
    (void)state;
    hd_events log = begin();
    uint32_t takes = append(&log, locks(0)), inside = append(&log, writes(0, 64, 4));
    uint32_t gives = append(&log, unlocks(0)), waits = append(&log, locks(1));
    assert_int_equal(race_of(&log, takes, waits), 'r');
    assert_int_equal(log.races.n, 1);
    assert_true(hd_event_before(&log, inside, waits));
    hd_action try = flagged(atomic(on(HD_DO_TRY_LOCK, 2, 0, 40, HD_MODE_READ)),
                            HD_ACTION_FAILED | HD_ACTION_SETTLES | HD_ACTION_WAITS);
    uint32_t tries = append(&log, try); /* could have run at any time */
    assert_int_equal(race_of(&log, waits, tries), 'r');
    assert_int_equal(race_of(&log, gives, tries), '-');
    hd_events_release(&log);
}

/* What is in a section is reversed as a whole, unless the other has seen its beginning; what races
 * as data is told all the same. */
static void sections_are_whole(void **state) {
    (void)state;
    hd_action begins = atomic(on(HD_DO_ATOMIC, 0, 512, 1, HD_MODE_WRITE));
    hd_events log = begin();
    uint32_t section = append(&log, begins);
    uint32_t inside = append(&log, flagged(writes(0, 0, 4), HD_ACTION_INSIDE));
    append(&log, flagged(reads(0, 256, 4), HD_ACTION_INSIDE));
    uint32_t other = append(&log, writes(1, 0, 4));
    assert_int_equal(race_of(&log, section, other), 'r');
    assert_int_equal(race_of(&log, inside, other), 'D');
    assert_int_equal(log.races.n, 2);
    hd_events_truncate(&log, other);
    uint32_t sees = append(&log, atomic(on(HD_DO_OBJECT, 1, 512, 1, HD_MODE_READ)));
    other = append(&log, writes(1, 0, 4));
    assert_int_equal(race_of(&log, section, sees), 'r');
    assert_int_equal(race_of(&log, section, other), '-');
    assert_int_equal(race_of(&log, inside, other), 'D');
    hd_events_truncate(&log, 0);
    append(&log, flagged(writes(0, 0, 4), HD_ACTION_INSIDE)); /* of which no beginning is known */
    append(&log, writes(1, 0, 4));
    assert_int_equal(race_of(&log, 0, 1), 'D');
    assert_int_equal(log.races.n, 1);
    hd_events_release(&log);
}

/* Which access of a section races is known when it has ended. */
static void races_of_sections_are_found(void **state) {
    (void)state;
    hd_action section = on(HD_DO_ATOMIC, 0, 0, 64, HD_MODE_WRITE);
    section.access[0].is_atomic = true;
    for (int section_is_second = 0; section_is_second < 2; section_is_second++) {
        static const struct {
            uint64_t offset;
            uint32_t size;
            bool writes, races;
            uint32_t site;
        } others[] = {{0, 4, true, true, 71},  {8, 4, true, true, 72},  {16, 4, true, false, 0},
                      {0, 4, false, false, 0}, {8, 4, false, true, 72}, {11, 1, false, true, 72},
                      {12, 1, true, false, 0}, {40, 4, true, true, 74}, {48, 4, true, true, 75}};
        hd_inner inner = {.n = 5};
        for (uint32_t i = 0; i < inner.n; i++)
            inner.at[i].site = 71 + i;
        inner.at[0].access = reads(0, 0, 4).access[0];
        inner.at[1].access = writes(0, 8, 4).access[0];
        inner.at[2].access = writes(0, 32, 4).access[0];
        inner.at[3].access = reads(0, 40, 4).access[0];
        inner.at[4].access = writes(0, 48, 4).access[0];
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            hd_events log = begin();
            hd_action other = others[i].writes ? writes(1, others[i].offset, others[i].size)
                                               : reads(1, others[i].offset, others[i].size);
            hd_action far = section, pair[2];
            far.access[0].address += 1024;
            other.site = 9;
            append(&log, far); /* another one, before and behind it, that did the same elsewhere */
            hd_inner elsewhere = {
                .event = 0, .n = 1, .at[0] = {writes(0, 0, 64).access[0], .site = 66}};
            hd_events_note_inner(&log, &elsewhere);
            uint32_t first = append(&log, section_is_second ? other : section), second;
            inner.event = first;
            if (!section_is_second)
                hd_events_note_inner(&log, &inner);
            second = append(&log, section_is_second ? section : other);
            inner.event = second;
            if (section_is_second)
                hd_events_note_inner(&log, &inner);
            hd_events_note_inner(&log, &inner); /* known: nothing is noted twice */
            assert_int_equal(log.inner.n, section_is_second ? 6 : 6 + (inner.event > first) * 5);
            assert_int_equal(log.races.n, 1);
            assert_false(log.knows_contents); /* no access has one */
            bool races = hd_events_data_race(&log, &log.races.at[0], pair);
            assert_int_equal(races, others[i].races);
            if (races) {
                assert_int_equal(pair[section_is_second].site, others[i].site);
                assert_int_equal(pair[section_is_second].thread, 0);
                assert_int_equal(pair[section_is_second].n_accesses, 1);
                assert_int_equal(pair[!section_is_second].site, 9);
                assert_int_equal(pair[section_is_second].kind,
                                 others[i].site == 71 || others[i].site == 74 ? HD_DO_READ
                                                                              : HD_DO_WRITE);
            }
            hd_events_release(&log);
        }
    }
}

/* A race that is none of data is never told as one. */
static void only_races_of_data_are_told(void **state) {
    (void)state;
    hd_events log = begin();
    hd_action pair[2];
    append(&log, atomic(writes(0, 0, 4)));
    append(&log, atomic(writes(1, 0, 4)));
    append(&log, writes(2, 0, 4));
    assert_int_equal(log.races.n, 2);
    assert_false(hd_events_data_race(&log, &log.races.at[0], pair));
    assert_true(hd_events_data_race(&log, &log.races.at[1], pair));
    assert_int_equal(pair[0].thread, 1);
    assert_int_equal(pair[1].thread, 2);
    hd_events_release(&log);
}

/* Both are atomic in one of the places only. */
static void every_access_may_race(void **state) {
    (void)state;
    hd_events log = begin();
    hd_action both = atomic(writes(0, 0, 4)), pair[2];
    both.access[1] = writes(0, 64, 4).access[0];
    both.n_accesses = 2;
    append(&log, both);
    append(&log, atomic(writes(1, 64, 4)));
    assert_int_equal(log.races.n, 1);
    assert_true(hd_events_data_race(&log, &log.races.at[0], pair));
    append(&log, atomic(writes(2, 0, 4)));
    assert_int_equal(log.races.n, 2);
    assert_false(hd_events_data_race(&log, &log.races.at[1], pair));
    hd_events_release(&log);
}

/* What sections found that depends on inputs is known as what events did. */
static void contents_of_sections_are_known(void **state) {
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        hd_events log = begin();
        hd_inner inner = {.n = 2};
        inner.at[which].content = 1;
        append(&log, on(HD_DO_ATOMIC, 0, 0, 64, HD_MODE_WRITE));
        hd_events_note_inner(&log, &inner);
        assert_true(log.knows_contents);
        hd_events_release(&log);
    }
}

/* ---- waiting loops ---- */

static bool goes_round(hd_threads *t, const hd_action *a, uint64_t value) {
    (void)t, (void)a;
    return value == 0;
}

/* It reads what was there last: the race is with the last write before which something else than
 * 0 was there, and nothing is if it went round each time. */
static void loops_race_where_they_could_end(void **state) {
    (void)state;
    static const struct {
        uint64_t before[3]; /* what the writes found there */
        char race[3];
    } cases[] = {
        {{0, 0, 0}, "---"}, {{1, 0, 0}, "r--"}, {{0, 1, 0}, "-r-"},
        {{1, 1, 0}, "-r-"}, {{0, 0, 1}, "--r"}, {{1, 1, 1}, "--r"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_events log = begin();
        threads.goes_round = goes_round;
        for (uint32_t k = 0; k < 3; k++) {
            hd_action a = atomic(writes(1, 0, 4));
            a.value = cases[i].before[k];
            append(&log, a);
        }
        hd_action reads_it = atomic(flagged(reads(0, 0, 4), HD_ACTION_SPINS | HD_ACTION_WAITS));
        reads_it.value = 1;
        uint32_t n = append(&log, reads_it);
        for (uint32_t k = 0; k < 3; k++)
            if (race_of(&log, k, n) != cases[i].race[k])
                fail_msg("case %zu, write %u: '%c'", i, k, race_of(&log, k, n));
        hd_events_release(&log);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_accesses),
        cmocka_unit_test(as_brute_force_says),
        cmocka_unit_test(logs_go_back),
        cmocka_unit_test(creation_and_joining),
        cmocka_unit_test(waking_time_and_the_end),
        cmocka_unit_test(messages),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(classes_have_names),
        cmocka_unit_test(contents_are_found),
        cmocka_unit_test(locks_race_where_they_were_taken),
        cmocka_unit_test(sections_are_whole),
        cmocka_unit_test(races_of_sections_are_found),
        cmocka_unit_test(only_races_of_data_are_told),
        cmocka_unit_test(every_access_may_race),
        cmocka_unit_test(contents_of_sections_are_known),
        cmocka_unit_test(loops_race_where_they_could_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
