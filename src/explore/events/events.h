/* events.h -- the event log: what threads did in the current execution, what happened before
 * what, and which pairs of events race.
 *
 * Clocks are those of paper 002, 3.2 (algorithm A): one vector per event, taken after it; an
 * event is after another if its clock has seen it.  Races are the location-based form
 * (PC11, PC12): the last conflicting accesses that nothing else orders.  Conflicts are exact to
 * the byte: memory is looked at in words of eight bytes with a mask.
 *
 * L1. The log is kept between executions; truncating to n brings everything back to what it was
 *     after the first n events, at a cost that depends on what is cut off only.
 * L2. races[] is sorted by `second`; a race is reversible if the second event can happen without
 *     the first.
 * L3. A thread that is alone takes locks, gives them back and writes to memory without events;
 *     before it creates another thread it takes what it holds, perhaps again (E6).
 * Not here: what is done about a race (reductions/). */
#ifndef HD_EXPLORE_EVENTS_EVENTS_H
#define HD_EXPLORE_EVENTS_EVENTS_H
#include "base/map.h"
#include "base/vec.h"
#include "machine/action/action.h"

#define HD_NO_EVENT UINT32_MAX

typedef struct hd_logged {
    uint32_t nth;                /* among the events of its thread, from 1 */
    uint32_t previous;           /* event of the same thread */
    uint32_t cause;              /* the last event that happened before it, HD_NO_EVENT = none */
    uint32_t first_touch;        /* its touches begin here */
    uint32_t n_races : 31;       /* length of races[] before it */
    uint32_t is_alone_after : 1; /* joined the last other thread: what it does now is no event */
    uint32_t carried; /* the last message that its thread received before it; of a RECEIVE: that
                       * its actor did */
    uint32_t time;    /* the last event before it in which time passed */
    uint32_t mark;    /* scratch: which search saw it last */
    hd_action action; /* last: most have one access, and what lies behind it is not touched */
} hd_logged;
_Static_assert(sizeof(hd_logged) % 64 == 0, "whole lines of the processor's caches");

/* One access to one word of memory. */
typedef struct hd_touch {
    uint32_t location, event, previous; /* previous: in the same chain of the location */
    uint8_t mask, mode, is_atomic;
} hd_touch;

/* A word of memory with its chains of touches, newest first. */
typedef struct hd_location {
    uint64_t word;
    uint32_t writes, reads;
    bool has_additions; /* among the reads */
} hd_location;

/* What the second event of a race, an exchange, would be without the first: what lies between them
 * tells, so that it is the same for as long as the race is there. */
typedef enum hd_foretold { HD_FORETOLD_NOT, HD_FORETOLD_SUCCEEDS, HD_FORETOLD_FAILS } hd_foretold;

typedef struct hd_racing {
    uint32_t first, second;
    bool is_data_race;   /* of plain accesses, one a write; or may be, with a section */
    bool is_reversible;  /* else it is only reported */
    bool was_slept_away; /* reduce.c: it need not be reversed, for all that was seen so far */
    uint8_t foretold;    /* optimal.c: of an exchange, hd_foretold */
    uint32_t covered_by; /* reduce.c: nor as long as this event stays, HD_NO_EVENT = not known */
} hd_racing;

/* An access that an atomic section made.  They are in the order of the events. */
typedef struct hd_logged_inner {
    uint32_t event;
    hd_inner_access access;
} hd_logged_inner;

/* What was at the place of an event before it, if that depends on inputs (hd_threads_content). */
typedef struct hd_logged_content {
    uint32_t event, content;
} hd_logged_content;

/* What is known of a thread: 1 + its last event, the one that created it, and the one that brought
 * it the last message, 0 = none; and how often it was joined. */
typedef struct hd_behind {
    uint32_t last, born, carried;
    uint32_t n_joins;
} hd_behind;

#define HD_N_RECENT 256
typedef struct hd_events {
    hd_vec(hd_logged) at;
    hd_vec(uint32_t) clocks; /* `stride` numbers for each event */
    uint32_t stride;
    hd_vec(hd_touch) touches;
    hd_vec(hd_location) locations;
    hd_map location_of;
    uint32_t recent[HD_N_RECENT]; /* locations by the low bits of their words */
    hd_vec(hd_racing) races;
    hd_vec(hd_logged_inner) inner;
    hd_vec(hd_logged_content) contents; /* in the order of events; few have one */
    bool knows_contents;                /* there were some, or sections had them */
    hd_vec(uint64_t) sums;       /* of the hashes of events so far, as far as somebody asked */
    hd_vec(uint32_t) last_ends;  /* of those, in which the last thread of a process ends it */
    hd_vec(uint32_t) candidates; /* scratch */
    hd_behind *behind;           /* by thread; memory that costs nothing until it is used */
    uint32_t time;               /* the last event in which time passed */
    uint32_t n_joined;           /* threads that were */
    uint32_t n_begun;            /* threads with an event, or with one that created them */
    hd_vec(uint64_t) factors;    /* of clocks in the name of a class */
    uint32_t marks;
    hd_map assumed;      /* accesses of waiting loops that were taken to go on, so far */
    hd_threads *threads; /* of the running program, to ask about accesses of waiting loops */
} hd_events;

void hd_events_init(hd_events *log);
void hd_events_release(hd_events *log);
void hd_events_truncate(hd_events *log, uint32_t n);
/* The action was executed, settled.  `n_threads` bounds the thread indices in use. */
void hd_events_append(hd_events *log, const hd_action *a, uint32_t n_threads);

/* What the section that is the last event did. */
void hd_events_note_inner(hd_events *log, const hd_inner *inner);
/* What was there before the last event, as an expression. */
void hd_events_note_content(hd_events *log, uint32_t content);
/* What was there before event `e`, as an expression; 0 if it does not depend on inputs, or if
 * nobody asked. */
uint32_t hd_event_content(const hd_events *log, uint32_t e);
/* Is the race one of data, for sure, and of which accesses? */
bool hd_events_data_race(const hd_events *log, const hd_racing *r, hd_action pair[2]);

static inline const hd_action *hd_event_action(const hd_events *log, uint32_t e) {
    HD_CHECK(e < log->at.n);
    return &log->at.at[e].action;
}
/* The last event of a thread, the one that created it, and the one that brought it the last
 * message; HD_NO_EVENT if there is none. */
static inline uint32_t hd_event_last(const hd_events *log, uint32_t thread) {
    HD_CHECK(thread < HD_MAX_THREADS);
    return log->behind[thread].last - 1;
}
static inline uint32_t hd_event_born(const hd_events *log, uint32_t thread) {
    return log->behind[thread].born - 1;
}
static inline uint32_t hd_event_carried(const hd_events *log, uint32_t thread) {
    return log->behind[thread].carried - 1;
}
static inline const uint32_t *hd_event_clock(const hd_events *log, uint32_t e) {
    return &log->clocks.at[(size_t)e * log->stride];
}
/* Does `a` happen before `b`, or are they the same? */
static inline bool hd_event_before(const hd_events *log, uint32_t a, uint32_t b) {
    const hd_logged *first = &log->at.at[a];
    HD_CHECK(a < log->at.n && b < log->at.n);
    return hd_event_clock(log, b)[first->action.thread] >= first->nth;
}
static inline bool hd_clock_has_seen(const hd_events *log, const uint32_t *clock, uint32_t e) {
    const hd_logged *l = &log->at.at[e];
    HD_CHECK(e < log->at.n);
    return clock[l->action.thread] >= l->nth;
}
/* What orders event `e` (HD_NO_EVENT: the next action of its thread) apart from conflicts: its
 * thread, creation, joining, waking.  `stride` numbers. */
void hd_events_own_clock(const hd_events *log, uint32_t e, const hd_action *a, uint32_t *clock);
/* The clock of a thread now: of its last event or its creation; NULL if it has seen nothing. */
const uint32_t *hd_events_thread_clock(const hd_events *log, uint32_t thread);

/* The events that keep a waiting action from running now, and that happened before nothing of its
 * thread: with each of them removed (and what depends on it) it could run (PC18).  At most
 * HD_MAX_THREADS; 0 if there is no such way. */
uint32_t hd_events_blockers(hd_events *log, const hd_action *a, uint32_t *out);

/* Was a race treated on the assumption that this access of a loop does not go round? */
bool hd_events_assumed(const hd_events *log, const hd_action *a);
/* How `second` of a race would act if `first` and all after it had not happened; *is_guess if
 * that cannot be told. */
hd_action hd_events_predict(hd_events *log, uint32_t first, uint32_t second, bool *is_guess);

/* Action *a, which waits, becomes what it would be without its blockers; false if that cannot be
 * told. */
bool hd_events_predict_waiting(const hd_events *log, const uint32_t *blockers, uint32_t n,
                               hd_action *a);

/* The name of the class of the execution: all orders of one class have the same. */
uint64_t hd_events_class_hash(hd_events *log);
#endif
