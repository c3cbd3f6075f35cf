/* What of an execution comes in a sequence that turns a race round. */
#include "explore/orders/reduction.h"

#include "base/hostile.h"
#include "base/panic.h"

typedef struct moment {
    uint32_t thread, nth;
} moment;

static inline bool has_seen_any(const uint32_t *clock, const moment *first, uint32_t n) {
    bool has_seen = clock[first[0].thread] >= first[0].nth;
    for (uint32_t i = 1; i < n && !has_seen; i++)
        has_seen = clock[first[i].thread] >= first[i].nth;
    return has_seen;
}

/* The steps of a sequence from the state before event `from` on get their outcomes, which are
 * collected. */
static void add_outcomes(hd_weave *w, uint32_t from) {
    for (size_t i = 0; i < w->steps.n; i++) {
        hd_wakeup_step *step = &w->steps.at[i];
        HD_ASSERT(step->event < w->step_outcomes.n);
        step->outcome = w->step_outcomes.at[step->event].outcome;
        step->scope = hd_outcome_scope(w, step->event, from);
        if (step->outcome)
            hd_vec_push(&w->outcomes, step->outcome);
    }
}

/* Are the outcomes that were collected those of the steps, and no others? */
static bool are_outcomes_of_steps(const hd_weave *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->steps.n; i++) {
        hd_expr outcome = w->steps.at[i].outcome;
        if (outcome && (n >= w->outcomes.n || w->outcomes.at[n++] != outcome))
            return false;
    }
    return n == w->outcomes.n;
}

/* Does the sequence have, of each thread, all that comes before a step of it? */
static bool is_closed(const hd_weave *w, uint32_t from, const moment *first, uint32_t n) {
    for (size_t i = 0; i < w->steps.n; i++) {
        uint32_t e = w->log.at.at[w->steps.at[i].event].previous;
        if (e != HD_NO_EVENT && e >= from && has_seen_any(hd_event_clock(&w->log, e), first, n))
            return false;
    }
    return true;
}

#define LAST_SEQUENCE HD_HOSTILE(UINT32_MAX, 3) /* numbers begin anew behind it */

/* No thread has a step. */
static void begin_sequence(hd_weave *w) {
    if (__builtin_expect(w->n_sequences++ < LAST_SEQUENCE, 1))
        return;
    memset(w->thread_steps, 0, sizeof w->thread_steps);
    w->n_sequences = 1;
}

/* The step behind all others; where those of each thread are is noted (W6). */
static inline void add_step(hd_weave *w, const hd_action *a, uint32_t event) {
    uint32_t k = (uint32_t)w->steps.n++;
    hd_thread_steps *own = &w->thread_steps[a->thread];
    w->steps.at[k] = (hd_wakeup_step){.action = a, .event = event, .next = UINT32_MAX};
    if (own->sequence == w->n_sequences)
        w->steps.at[own->last].next = k;
    else {
        own->sequence = w->n_sequences;
        own->first = k;
    }
    own->last = k;
}

/* What happened behind event `from` and has not seen `first`, as steps. */
static inline __attribute__((always_inline)) void
add_steps(hd_weave *w, uint32_t from, uint32_t end, const moment *first, uint32_t n) {
    const hd_logged *events = w->log.at.at;
    const uint32_t *clock = hd_event_clock(&w->log, from);
    uint32_t stride = w->log.stride;
    for (uint32_t e = from + 1; e < end; e++)
        if (!has_seen_any(clock += stride, first, n))
            add_step(w, &events[e].action, e);
}

hd_sequence hd_reduce_independent_of(hd_weave *w, const uint32_t *first, uint32_t n, uint32_t end,
                                     const hd_action *last, const uint32_t *clock_of_last) {
    const hd_logged *events = w->log.at.at;
    uint32_t from = first[0];
    moment at[HD_MAX_THREADS];
    HD_ASSERT(n > 0 && n <= HD_MAX_THREADS && end <= w->log.at.n);
    for (uint32_t i = 0; i < n; i++) {
        from = first[i] < from ? first[i] : from;
        HD_ASSERT(first[i] < w->log.at.n);
        at[i] = (moment){events[first[i]].action.thread, events[first[i]].nth};
    }
    begin_sequence(w);
    HD_CHECK(w->n_sequences && w->n_sequences <= LAST_SEQUENCE); /* 0: of threads without steps */
    hd_vec_clear(&w->steps);
    hd_vec_reserve(&w->steps, end - from + 1);
    if (n == 1) /* most races: one comparison for each event */
        add_steps(w, from, end, at, 1);
    else
        add_steps(w, from, end, at, n);
    HD_CHECK(is_closed(w, from, at, n));
    hd_vec_clear(&w->outcomes);
    if (w->step_outcomes.n)
        add_outcomes(w, from);
    HD_CHECK(are_outcomes_of_steps(w));
    add_step(w, last, UINT32_MAX);
    w->clear_of_last = 0;
    return (hd_sequence){.at = w->steps.at,
                         .n = (uint32_t)w->steps.n,
                         .log = &w->log,
                         .last_clock = clock_of_last,
                         .by_thread = w->thread_steps,
                         .number = w->n_sequences,
                         .clear_of_last = &w->clear_of_last,
                         .from = from};
}
