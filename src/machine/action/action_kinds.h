/* action_kinds.h -- every kind of action, one row each: all that there is to say about it.
 *
 * The columns, in order:
 *   name, words    HD_DO_name; what a thread does, for people
 *   traits         what the kind is like (hd_kind_trait)
 *   enabled        can it run now?  Asked about actions that wait (HD_ACTION_WAITS)
 *   settle         E4: its accesses and flags as they are if it runs now (HD_ACTION_SETTLES)
 *   describe       what a thread that stands before it waits for, for people
 *   round          what it makes of the iteration of a waiting loop that it is in
 *   predict        the action without an event that raced with it
 *   race           the first event of a race with an action that had to wait
 *   blockers       what keeps it waiting at the end of an execution
 *   drawn          how charts show it and who stands before it
 *
 * Enabled, settle and describe are functions of the machine (core/kinds.h), in the file that owns
 * the object; round is in tasks/spin.c.  Predict, race and blockers are the explorer's
 * (explore/events/kinds.h), in one file for each thing that can be waited for (explore/wait_*.c): a
 * lock that is held, a counter that is 0, a signal, a meeting.  Drawn is in tell/chart.c.  A row
 * without a column does not compile, one that names what nobody has defined does not link, and
 * test_kinds.c looks whether rows make sense.  To add a kind is to add a row; other code asks for
 * traits and columns, never for the name of a kind that it does not own (tests/rooms.sh). */
#ifndef HD_MACHINE_ACTION_ACTION_KINDS_H
#define HD_MACHINE_ACTION_ACTION_KINDS_H
#include "base/panic.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* What kinds are like: a trait says what the fields of such an action mean, or what may be done
 * with it.  Who treats kinds differently asks for traits, so that a new kind is treated right by
 * its row alone. */
typedef enum hd_kind_trait {
    /* what it is about: one of these, or the life of threads, or it only marks a place */
    HD_KIND_MEMORY = 1 << 0, /* an access of memory: its action has the value that is there */
    HD_KIND_OBJECT = 1 << 1, /* objects of synchronisation, which count as their first word */
    HD_KIND_WORLD = 1 << 2,  /* processes, messages and time, not memory of a process */

    /* accesses of memory */
    HD_KIND_PLAIN = 1 << 3,     /* may be half of a data race */
    HD_KIND_READS = 1 << 4,     /* only looks: no data race with others that do */
    HD_KIND_EXCHANGES = 1 << 5, /* reads or writes: what it meets decides (`expected`) */
    HD_KIND_SECTION = 1 << 6,   /* what it touches is known when it has run only (hd_inner) */

    /* the life of threads; `detail` is one */
    HD_KIND_BEARS = 1 << 7, /* which begins in it */
    HD_KIND_JOINS = 1 << 8, /* whose end it waits for (state: HD_JOIN_ENDED) */
    HD_KIND_DETACHES = 1 << 9,
    HD_KIND_CANCELS = 1 << 10,
    HD_KIND_LIFE = HD_KIND_BEARS | HD_KIND_JOINS | HD_KIND_DETACHES | HD_KIND_CANCELS,

    /* waiting */
    HD_KIND_WAITS = 1 << 11, /* may have to wait */
    HD_KIND_TRIES = 1 << 12, /* fails instead; with WAITS it waits for its turn to fail */
    HD_KIND_TIMED = 1 << 13, /* may end by its timeout, of which there are so many */
    HD_KIND_IDLE = 1 << 14,  /* a server may wait here for ever */
    HD_KIND_VAIN = 1 << 15,  /* stands behind an iteration of a loop that changed nothing */

    /* objects of synchronisation */
    HD_KIND_READER = 1 << 16,  /* of a lock for reading */
    HD_KIND_COUNTS = 1 << 17,  /* `state` is what the object held before; at 0 one has to wait */
    HD_KIND_ENTERS = 1 << 18,  /* gives back access[0], and waits for access[1] from then on */
    HD_KIND_WAKES = 1 << 19,   /* has waited for access[1], and takes access[0] again (detail); with
                                  TRIES it has waited for access[0], and only stops waiting */
    HD_KIND_SIGNALS = 1 << 20, /* lets one go on that waits for access[0], if it writes there */
    HD_KIND_ALL = 1 << 21,     /* with SIGNALS: lets all go on */
    HD_KIND_MEETS = 1 << 22,   /* is one of a generation (detail) that has room for `expected` */
    HD_KIND_SETS = 1 << 23,    /* initialises, destroys or sets something, or tells of a change */

    /* processes, messages and time */
    HD_KIND_DELIVERS = 1 << 24, /* `detail` is an actor, which goes on in it */
    HD_KIND_PUTS = 1 << 25,     /* something new at the end of a queue (queues.h) */
    HD_KIND_TAKES = 1 << 26,    /* what is first in a queue */
    HD_KIND_POLLS = 1 << 27,    /* waits for any of several things */
    HD_KIND_QUEUE = HD_KIND_PUTS | HD_KIND_TAKES | HD_KIND_POLLS,
    HD_KIND_TIME = 1 << 28, /* time passes for all */
    HD_KIND_ENDS = 1 << 29, /* the end of a process: `expected` is the set of its threads */

    HD_KIND_UNTOLD = 1 << 30, /* no part of a story */

    HD_KIND_STARTS = INT_MIN, /* the last bit: a node, behind those of the set `expected` */

    /* let go by what other threads did, without a conflict */
    HD_KIND_LET_GO = HD_KIND_JOINS | HD_KIND_WAKES | HD_KIND_TIME | HD_KIND_ENDS,
} hd_kind_trait;

/* clang-format off */
#define HD_ACTIONS(X)                                                                                        \
    X(NONE, "goes on", HD_KIND_PLAIN | HD_KIND_UNTOLD,                                                       \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_nothing,                               \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_nothing)                                     \
    X(READ, "reads", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS | HD_KIND_READS,                         \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_round_access,                                 \
      hd_predict_same, hd_race_spinning, hd_blockers_spinning, hd_drawn_turn)                                \
    X(WRITE, "writes", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                       \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_round_store,                                  \
      hd_predict_same, hd_race_spinning, hd_blockers_spinning, hd_drawn_turn)                                \
    /* atomic read-modify-write */                                                                           \
    X(UPDATE, "updates", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                     \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_round_access,                                 \
      hd_predict_same, hd_race_spinning, hd_blockers_spinning, hd_drawn_turn)                                \
    X(COMPARE, "compares and exchanges", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS | HD_KIND_EXCHANGES, \
      hd_can_spinning, hd_settle_compare, hd_describe_spin, hd_round_access,                                 \
      hd_predict_exchange, hd_race_spinning, hd_blockers_spinning, hd_drawn_turn)                            \
    X(FREE, "frees", HD_KIND_PLAIN,                                                                          \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    /* detail: the child */                                                                                  \
    X(CREATE, "creates", HD_KIND_BEARS,                                                                      \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    /* detail: the thread joined */                                                                          \
    X(JOIN, "joins", HD_KIND_JOINS | HD_KIND_IDLE | HD_KIND_WAITS,                                           \
      hd_can_join, hd_settle_join, hd_describe_join, hd_round_effect,                                        \
      hd_predict_join, hd_race_join, hd_blockers_none, hd_drawn_turn)                                        \
    X(DETACH, "detaches", HD_KIND_DETACHES,                                                                  \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    X(CANCEL, "cancels", HD_KIND_CANCELS,                                                                    \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    X(LOCK, "locks", HD_KIND_OBJECT | HD_KIND_WAITS,                                                         \
      hd_can_lock, hd_settle_lock, hd_describe_lock, hd_round_lock,                                          \
      hd_predict_write, hd_race_lock, hd_blockers_lock, hd_drawn_turn)                                       \
    /* timed locks too: scheduled while it is held, they fail */                                             \
    X(TRY_LOCK, "tries to lock", HD_KIND_OBJECT | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS,             \
      hd_can_lock, hd_settle_lock, hd_describe_lock, hd_round_try,                                           \
      hd_predict_try_lock, hd_race_none, hd_blockers_none, hd_drawn_turn)                                    \
    X(UNLOCK, "unlocks", HD_KIND_OBJECT,                                                                     \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_unlock,                                \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    X(READ_LOCK, "locks for reading", HD_KIND_OBJECT | HD_KIND_READER | HD_KIND_WAITS,                       \
      hd_rwlock_is_enabled, hd_rwlock_settle, hd_describe_lock, hd_round_effect,                             \
      hd_predict_write, hd_race_shared_lock, hd_blockers_lock, hd_drawn_turn)                                \
    X(TRY_READ_LOCK, "tries to lock for reading",                                                            \
      HD_KIND_OBJECT | HD_KIND_READER | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS,                       \
      hd_rwlock_is_enabled, hd_rwlock_settle, hd_describe_lock, hd_round_effect,                             \
      hd_predict_try_lock, hd_race_none, hd_blockers_none, hd_drawn_turn)                                    \
    X(READ_UNLOCK, "unlocks for reading", HD_KIND_OBJECT | HD_KIND_READER,                                   \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    /* enters the queue of a condition and unlocks */                                                        \
    X(WAIT, "waits for", HD_KIND_OBJECT | HD_KIND_ENTERS,                                                    \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    /* signalled, and locks again */                                                                         \
    X(WAKE, "wakes up from", HD_KIND_OBJECT | HD_KIND_IDLE | HD_KIND_WAITS | HD_KIND_WAKES,                  \
      hd_condition_is_enabled, hd_condition_settle, hd_condition_describe_wait, hd_round_effect,             \
      hd_predict_write, hd_race_wake, hd_blockers_wake, hd_drawn_turn)                                       \
    /* signalled or not, it is in the queue no more; the lock is taken by a LOCK of its own */               \
    X(TIMED_WAKE, "stops waiting for",                                                                       \
      HD_KIND_OBJECT | HD_KIND_TIMED | HD_KIND_TRIES | HD_KIND_WAITS | HD_KIND_WAKES,                        \
      hd_condition_is_enabled, hd_condition_settle, hd_condition_describe_wait, hd_round_effect,             \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    X(SIGNAL, "signals", HD_KIND_OBJECT | HD_KIND_SIGNALS,                                                   \
      hd_can_always, hd_condition_settle, hd_describe_nothing, hd_round_effect,                              \
      hd_predict_signal, hd_race_none, hd_blockers_none, hd_drawn_turn)                                      \
    X(BROADCAST, "broadcasts to", HD_KIND_OBJECT | HD_KIND_SIGNALS | HD_KIND_ALL,                            \
      hd_can_always, hd_condition_settle, hd_describe_nothing, hd_round_effect,                              \
      hd_predict_signal, hd_race_none, hd_blockers_none, hd_drawn_turn)                                      \
    X(SEMAPHORE_WAIT, "waits for semaphore", HD_KIND_OBJECT | HD_KIND_IDLE | HD_KIND_WAITS | HD_KIND_COUNTS, \
      hd_semaphore_is_enabled, hd_semaphore_settle, hd_semaphore_describe_wait, hd_round_effect,             \
      hd_predict_counter_wait, hd_race_counter, hd_blockers_counter, hd_drawn_turn)                          \
    X(SEMAPHORE_TRY, "tries semaphore",                                                                      \
      HD_KIND_OBJECT | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS | HD_KIND_COUNTS,                       \
      hd_semaphore_is_enabled, hd_semaphore_settle, hd_semaphore_describe_wait, hd_round_effect,             \
      hd_predict_counter_try, hd_race_none, hd_blockers_none, hd_drawn_turn)                                 \
    X(SEMAPHORE_POST, "posts semaphore", HD_KIND_OBJECT | HD_KIND_COUNTS,                                    \
      hd_can_always, hd_semaphore_settle, hd_describe_nothing, hd_round_effect,                              \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    X(ARRIVE, "arrives at barrier", HD_KIND_OBJECT | HD_KIND_MEETS,                                          \
      hd_can_always, hd_barrier_settle, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_arrival, hd_race_none, hd_blockers_none, hd_drawn_turn)                                     \
    X(LEAVE, "leaves barrier", HD_KIND_OBJECT | HD_KIND_WAITS,                                               \
      hd_barrier_is_enabled, hd_settle_nothing, hd_barrier_describe_wait, hd_round_effect,                   \
      hd_predict_same, hd_race_meeting, hd_blockers_none, hd_drawn_turn)                                     \
    /* the first to ask is; detail: the meeting */                                                           \
    X(SERIAL, "asks barrier who is serial", HD_KIND_OBJECT,                                                  \
      hd_can_always, hd_barrier_settle_serial, hd_describe_nothing, hd_round_effect,                         \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    /* waits while another thread is in it */                                                                \
    X(ONCE_BEGIN, "begins once", HD_KIND_OBJECT | HD_KIND_WAITS,                                             \
      hd_once_is_enabled, hd_once_settle, hd_once_describe_wait, hd_round_effect,                            \
      hd_predict_write, hd_race_once, hd_blockers_lock, hd_drawn_turn)                                       \
    X(ONCE_END, "ends once", HD_KIND_OBJECT,                                                                 \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    /* waits until something that it read has changed */                                                     \
    X(SPIN, "spins on", HD_KIND_OBJECT | HD_KIND_WAITS | HD_KIND_VAIN,                                       \
      hd_can_spin, hd_settle_nothing, hd_describe_spin, hd_round_nothing,                                    \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    /* __VERIFIER_atomic_begin: atomic_section.c.  Asked only when nobody else is in a section. */           \
    X(ATOMIC, "begins an atomic section", HD_KIND_PLAIN | HD_KIND_TRIES | HD_KIND_WAITS | HD_KIND_SECTION,   \
      hd_can_always, hd_settle_nothing, hd_describe_section, hd_round_section,                               \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    /* initialises or destroys a synchronisation object, or says that something has changed */               \
    X(OBJECT, "changes", HD_KIND_OBJECT | HD_KIND_SETS,                                                      \
      hd_can_always, hd_end_settle, hd_describe_nothing, hd_round_effect,                                    \
      hd_predict_write, hd_race_none, hd_blockers_none, hd_drawn_turn)                                       \
    /* an actor; it is its couriers that go on: courier.h */                                                 \
    X(AWAIT, "waits for a message", HD_KIND_WORLD | HD_KIND_IDLE | HD_KIND_WAITS,                            \
      hd_can_never, hd_ipc_settle, hd_describe_actor, hd_round_effect,                                       \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_await)                                       \
    /* by a courier; detail: the actor, which goes on */                                                     \
    X(RECEIVE, "receives", HD_KIND_WORLD | HD_KIND_WAITS | HD_KIND_DELIVERS,                                 \
      hd_can_always, hd_ipc_settle, hd_describe_actor, hd_round_effect,                                      \
      hd_predict_message, hd_race_message, hd_blockers_message, hd_drawn_message)                            \
    /* something new at the end of a queue; waits if it is full */                                           \
    X(PUT, "puts into", HD_KIND_WORLD | HD_KIND_PUTS | HD_KIND_WAITS,                                        \
      hd_can_queue, hd_ipc_settle, hd_describe_queue, hd_round_effect,                                       \
      hd_predict_queue, hd_race_queue, hd_blockers_queue, hd_drawn_put)                                      \
    /* what is first in a queue */                                                                           \
    X(TAKE, "takes from", HD_KIND_WORLD | HD_KIND_TAKES | HD_KIND_IDLE | HD_KIND_WAITS,                      \
      hd_can_queue, hd_ipc_settle, hd_describe_queue, hd_round_effect,                                       \
      hd_predict_queue, hd_race_queue, hd_blockers_queue, hd_drawn_take)                                     \
    /* waits until one of its accesses was filled */                                                         \
    X(POLL, "looks at", HD_KIND_WORLD | HD_KIND_POLLS | HD_KIND_IDLE | HD_KIND_WAITS,                        \
      hd_can_poll, hd_settle_poll, hd_describe_poll, hd_round_effect,                                        \
      hd_predict_queue, hd_race_queue, hd_blockers_queue, hd_drawn_poll)                                     \
    /* waits for the clock only */                                                                           \
    X(SLEEP, "sleeps until", HD_KIND_WORLD | HD_KIND_IDLE | HD_KIND_WAITS,                                   \
      hd_can_sleep, hd_ipc_settle, hd_describe_sleep, hd_round_effect,                                       \
      hd_predict_same, hd_race_sleep, hd_blockers_none, hd_drawn_sleep)                                       \
    /* another process, or tells it; detail: its number | signal << 8 */                                     \
    X(KILL, "ends", HD_KIND_WORLD,                                                                           \
      hd_can_always, hd_kill_settle, hd_describe_nothing, hd_round_effect,                                   \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_kill)                                        \
    /* a node, after others */                                                                               \
    X(START, "starts", HD_KIND_WORLD | HD_KIND_WAITS | HD_KIND_STARTS,                                       \
      hd_can_start, hd_ipc_settle, hd_describe_queue, hd_round_effect,                                       \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)                                        \
    /* by the clock, when nobody else can go on */                                                           \
    X(TIME, "lets time pass", HD_KIND_WORLD | HD_KIND_TIME,                                                  \
      hd_can_always, hd_ipc_settle, hd_describe_nothing, hd_round_effect,                                    \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_time)                                        \
    /* waits until the others are done or stuck */                                                           \
    X(EXIT, "ends the program", HD_KIND_WORLD | HD_KIND_WAITS | HD_KIND_ENDS | HD_KIND_UNTOLD,               \
      hd_can_never, hd_ipc_settle, hd_describe_queue, hd_round_effect,                                       \
      hd_predict_same, hd_race_none, hd_blockers_end, hd_drawn_nothing)                                      \
    /* what its process exported, for assertions about all of them: global.c */                              \
    X(SHOW, "shows what it exported", HD_KIND_WORLD,                                                         \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_round_effect,                                \
      hd_predict_same, hd_race_none, hd_blockers_none, hd_drawn_turn)
/* clang-format on */

typedef enum hd_action_kind {
#define X(name, ...) HD_DO_##name,
    HD_ACTIONS(X)
#undef X
        HD_N_ACTIONS
} hd_action_kind;

/* Kinds as bits.  hd_kinds_with: the kinds that have at least one of some traits; a constant if its
 * argument is one. */
typedef uint64_t hd_kind_set;
_Static_assert(HD_N_ACTIONS <= 64, "a set of kinds is a word");
static inline __attribute__((always_inline)) hd_kind_set hd_kinds_with(unsigned trait) {
    hd_kind_set set = 0;
#define X(name, words, traits, ...) set |= (traits) & trait ? UINT64_C(1) << HD_DO_##name : 0;
    HD_ACTIONS(X)
#undef X
    return set;
}
static inline bool hd_kind_in(unsigned kind, hd_kind_set set) {
    HD_CHECK(kind < HD_N_ACTIONS);
    return set >> kind & 1;
}
static inline __attribute__((always_inline)) bool hd_kind_is(unsigned kind, unsigned trait) {
    return hd_kind_in(kind, hd_kinds_with(trait));
}
/* The kind of an access of memory that only looks, or changes what is there. */
static inline hd_action_kind hd_access_kind(bool is_look) {
    return is_look ? HD_DO_READ : HD_DO_WRITE;
}
#endif
