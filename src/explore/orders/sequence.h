/* sequence.h -- a sequence of events that turns a race round, on its way into a wakeup tree: who
 * may come first in it, what is left of it.
 *
 * Numbered invariants are those of wakeup.h, whose trees it goes into. */
#ifndef HD_EXPLORE_ORDERS_SEQUENCE_H
#define HD_EXPLORE_ORDERS_SEQUENCE_H
#include "base/pack.h"
#include "base/vec.h"
#include "explore/events/events.h"
#include "symbolic/expr.h"

/* One step of a sequence to insert.  `event` orders steps among each other. */
typedef struct hd_wakeup_step {
    const hd_action *action;
    hd_expr outcome;        /* its decisions; HD_NONE = none, or the last one (but see W1) */
    hd_expr scope;          /* the same without assumptions, whose other way nobody needs */
    uint32_t event;         /* in the log; UINT32_MAX for the last one */
    uint32_t n_gone;        /* scratch: so many steps right behind it are gone, ... */
    uint32_t n_gone_before; /* ... and so many right before it (W5) */
    uint32_t next; /* with `by_thread`: the next step of its thread, beyond n if there is none */
} hd_wakeup_step;

/* Of the steps of one thread: the first that is not gone, beyond n if all
 * are; and the last. */
typedef struct hd_thread_steps {
    uint32_t sequence; /* that this is about */
    uint32_t first, last;
} hd_thread_steps;

/* A sequence to insert.  Its last step was executed after other events, or not at all: what comes
 * before it here is what conflicts with it and what orders it in any case. */
typedef struct hd_sequence {
    hd_wakeup_step *at;
    uint32_t n;
    const hd_events *log;       /* NULL: taken from a tree, ordered by conflicts */
    const uint32_t *last_clock; /* hd_events_own_clock of the last step; NULL: nothing */
    uint32_t from;              /* the event of the log in whose place it comes */
    hd_thread_steps *by_thread; /* of those with a step; NULL: not known */
    uint32_t number;            /* of the sequence, in `by_thread` */
    const uint8_t *order;      /* without a log: n * n, does step i come before step k?  (lift.h) */
    const uint32_t *n_arrived; /* with `order`: for each step that arrives at a barrier, how many
                                * have before the sequence */
    bool is_plain;             /* nothing on its way sleeps for some inputs only (W4) */
    uint32_t n_foreign;        /* scratch: steps above that it has not, which arrive at barriers */
    uint32_t n_gone;           /* scratch: so many steps at its beginning are gone (W5) */
    /* Scratch: no step below this that is not gone comes before the last one.  NULL: not known. */
    uint32_t *clear_of_last;
} hd_sequence;

/* Are both arrivals at one barrier?  Asked if neither has seen the other. */
static inline bool hd_is_same_barrier(const hd_action *a, const hd_action *b) {
    return hd_kind_is(a->kind, HD_KIND_MEETS) && hd_kind_is(b->kind, HD_KIND_MEETS) &&
           a->access[0].address == b->access[0].address;
}

/* Two actions of one thread in one state: do both fail or both succeed, if they are exchanges? */
static inline bool hd_is_same_way(const hd_action *a, const hd_action *b) {
    return !hd_kind_is(a->kind, HD_KIND_EXCHANGES) || !((a->flags ^ b->flags) & HD_ACTION_FAILED);
}

/* The first step of the thread that is not gone, or n. */
uint32_t hd_sequence_look_through(const hd_sequence *s, uint32_t thread);
static inline uint32_t hd_sequence_step_of(const hd_sequence *s, uint32_t thread) {
    if (!s->by_thread)
        return hd_sequence_look_through(s, thread);
    const hd_thread_steps *own = &s->by_thread[thread];
    uint32_t i = own->sequence == s->number && own->first < s->n ? own->first : s->n;
    HD_CHECK_INVARIANT(W6, i == hd_sequence_look_through(s, thread));
    return i;
}
/* Step k is gone: what follows is about the rest. */
void hd_sequence_let_go(hd_sequence *s, uint32_t k);
/* Steps that were gone are there again: `by_thread` is made anew. */
void hd_sequence_look_up_anew(hd_sequence *s);
/* Is `thread`, which would do `action`, a weak initial of the sequence: can it come first without
 * changing anything?  Steps that are gone do not count. */
bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action);
/* As hd_sequence_may_begin_with, if the thread's first step is known to be step k. */
bool hd_sequence_may_begin_with_step(const hd_sequence *s, uint32_t k, const hd_action *action);

/* Does a thread that sleeps before an event sleep behind it too?  Arrivals of one generation
 * commute as long as there is room for both. */
static inline bool hd_stays_asleep(const hd_action *sleeping, const hd_action *executed) {
    if (sleeping->thread == executed->thread || hd_actions_conflict(sleeping, executed))
        return false;
    return !hd_is_same_barrier(sleeping, executed) || executed->state + 2 <= executed->expected;
}

/* Have all steps gone? */
static inline bool hd_sequence_is_used_up(const hd_sequence *s) {
    return s->n_gone == s->n;
}
/* Does step i come before step k, whatever else is moved? */
bool hd_sequence_is_before(const hd_sequence *s, uint32_t i, uint32_t k);
/* Arrivals at the barrier of `a`, in its generation, before the sequence. */
uint64_t hd_sequence_arrived_before(const hd_sequence *s, const hd_action *a);
/* The step behind step i that is not gone, or n; the first one is that behind nothing: n_gone. */
static inline uint32_t hd_sequence_behind(const hd_sequence *s, uint32_t i) {
    return i + 1 + s->at[i].n_gone;
}
/* Is one step left of it? */
static inline bool hd_sequence_is_one_step(const hd_sequence *s) {
    return s->n_gone < s->n && hd_sequence_behind(s, s->n_gone) == s->n;
}

/* A sequence as bytes, and back: what it consists of is released together. */
typedef struct hd_packed_sequence {
    hd_vec(hd_action) actions;
    hd_vec(hd_wakeup_step) steps;
    hd_vec(uint8_t) order;
    hd_vec(uint32_t) n_arrived;
} hd_packed_sequence;
void hd_sequence_pack(const hd_sequence *s, hd_text *out);
hd_sequence hd_sequence_unpack(hd_packed_sequence *p, hd_unpack *u);
void hd_packed_sequence_release(hd_packed_sequence *p);
#endif
