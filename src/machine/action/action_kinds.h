/* action_kinds.h -- every kind of action, one row each: all that there is to say about it.
 *
 * The columns, in order:
 *   name, words    HD_DO_name; what a thread does, for people
 *   traits         what the kind is like (hd_kind_trait)
 *   enabled        can it run now?  Asked about actions that wait (HD_ACTION_WAITS)
 *   settle         E4: its accesses and flags as they are if it runs now (HD_ACTION_SETTLES)
 *   describe       what a thread that stands before it waits for, for people
 *   predict        the action without an event that raced with it
 *   race           the first event of a race with an action that had to wait
 *   blockers       what keeps it waiting at the end of an execution
 *
 * The first three of the functions are the machine's (kinds.h), the others the explorer's
 * (explore/kinds.h), each in the file that owns the kind.  A row without one of them does not
 * compile; test_kinds.c looks whether rows make sense.  To add a kind is to add a row. */
#ifndef HD_MACHINE_ACTION_ACTION_KINDS_H
#define HD_MACHINE_ACTION_ACTION_KINDS_H
#include <stdbool.h>
#include <stdint.h>

typedef enum hd_kind_trait {
    HD_KIND_MEMORY = 1,   /* an access of memory: its action has the value that is there */
    HD_KIND_PLAIN = 2,    /* may be half of a data race */
    HD_KIND_OBJECT = 4,   /* about objects of synchronisation, which count as their first word */
    HD_KIND_WORLD = 8,    /* about processes, messages and time, not about memory of a process */
    HD_KIND_QUEUE = 16,   /* about queues (queues.h) */
    HD_KIND_TRIES = 32,   /* fails instead of waiting; with WAITS it waits for its turn to fail */
    HD_KIND_TIMED = 64,   /* may end by its timeout, of which there are so many */
    HD_KIND_LET_GO = 128, /* other threads let it go on without a conflict */
    HD_KIND_READER = 256, /* of a lock for reading */
    HD_KIND_LIFE = 512,   /* of threads: creation, joins and the like */
    HD_KIND_IDLE = 1024,  /* a server may wait here for ever */
    HD_KIND_WAITS = 2048, /* may have to wait */
} hd_kind_trait;

/* clang-format off */
#define HD_ACTIONS(X)                                                                                                     \
    X(NONE, "goes on", HD_KIND_PLAIN,                                                                                     \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)             \
    X(READ, "reads", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                                      \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_predict_same, hd_race_spinning, hd_blockers_spinning)      \
    X(WRITE, "writes", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                                    \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_predict_same, hd_race_spinning, hd_blockers_spinning)      \
    /* atomic read-modify-write */                                                                                        \
    X(UPDATE, "updates", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                                  \
      hd_can_spinning, hd_settle_nothing, hd_describe_spin, hd_predict_same, hd_race_spinning, hd_blockers_spinning)      \
    X(COMPARE, "compares and exchanges", HD_KIND_MEMORY | HD_KIND_PLAIN | HD_KIND_WAITS,                                  \
      hd_can_spinning, hd_settle_compare, hd_describe_spin, hd_predict_exchange, hd_race_spinning, hd_blockers_spinning)  \
    X(FREE, "frees", HD_KIND_PLAIN,                                                                                       \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)             \
    /* detail: the child */                                                                                               \
    X(CREATE, "creates", HD_KIND_LIFE,                                                                                    \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)             \
    /* detail: the thread joined */                                                                                       \
    X(JOIN, "joins", HD_KIND_LIFE | HD_KIND_LET_GO | HD_KIND_IDLE | HD_KIND_WAITS,                                        \
      hd_can_join, hd_settle_join, hd_describe_join, hd_predict_join, hd_race_join, hd_blockers_none)                     \
    X(DETACH, "detaches", HD_KIND_LIFE,                                                                                   \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)             \
    X(CANCEL, "cancels", HD_KIND_LIFE,                                                                                    \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)             \
    X(LOCK, "locks", HD_KIND_OBJECT | HD_KIND_WAITS,                                                                      \
      hd_can_lock, hd_settle_lock, hd_describe_lock, hd_predict_write, hd_race_lock, hd_blockers_lock)                    \
    /* timed locks too: scheduled while it is held, they fail */                                                          \
    X(TRY_LOCK, "tries to lock", HD_KIND_OBJECT | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS,                          \
      hd_can_lock, hd_settle_lock, hd_describe_lock, hd_predict_try_lock, hd_race_lock, hd_blockers_none)                 \
    X(UNLOCK, "unlocks", HD_KIND_OBJECT,                                                                                  \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)            \
    X(READ_LOCK, "locks for reading", HD_KIND_OBJECT | HD_KIND_READER | HD_KIND_WAITS,                                    \
      hd_rwlock_is_enabled, hd_rwlock_settle, hd_describe_lock, hd_predict_write, hd_race_lock, hd_blockers_lock)         \
    X(TRY_READ_LOCK, "tries to lock for reading",                                                                         \
      HD_KIND_OBJECT | HD_KIND_READER | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS,                                    \
      hd_rwlock_is_enabled, hd_rwlock_settle, hd_describe_lock, hd_predict_try_lock, hd_race_lock, hd_blockers_none)      \
    X(READ_UNLOCK, "unlocks for reading", HD_KIND_OBJECT | HD_KIND_READER,                                                \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)            \
    /* enters the queue of a condition and unlocks */                                                                     \
    X(WAIT, "waits for", HD_KIND_OBJECT,                                                                                  \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)            \
    /* signalled, and locks again */                                                                                      \
    X(WAKE, "wakes up from", HD_KIND_OBJECT | HD_KIND_LET_GO | HD_KIND_IDLE | HD_KIND_WAITS,                              \
      hd_condition_is_enabled, hd_condition_settle, hd_condition_describe_wait, hd_predict_write, hd_race_lock,           \
      hd_blockers_lock)                                                                                                   \
    /* signalled or not; waits for the mutex only */                                                                      \
    X(TIMED_WAKE, "ends its timed wait for", HD_KIND_OBJECT | HD_KIND_LET_GO | HD_KIND_TIMED | HD_KIND_WAITS,             \
      hd_condition_is_enabled, hd_condition_settle, hd_condition_describe_wait, hd_predict_write, hd_race_lock,           \
      hd_blockers_lock)                                                                                                   \
    X(SIGNAL, "signals", HD_KIND_OBJECT,                                                                                  \
      hd_can_always, hd_condition_settle, hd_describe_nothing, hd_predict_signal, hd_race_none, hd_blockers_none)         \
    X(BROADCAST, "broadcasts to", HD_KIND_OBJECT,                                                                         \
      hd_can_always, hd_condition_settle, hd_describe_nothing, hd_predict_signal, hd_race_none, hd_blockers_none)         \
    X(SEMAPHORE_WAIT, "waits for semaphore", HD_KIND_OBJECT | HD_KIND_IDLE | HD_KIND_WAITS,                               \
      hd_semaphore_is_enabled, hd_semaphore_settle, hd_describe_semaphore, hd_predict_semaphore_wait,                     \
      hd_race_semaphore, hd_blockers_semaphore)                                                                           \
    X(SEMAPHORE_TRY, "tries semaphore", HD_KIND_OBJECT | HD_KIND_TRIES | HD_KIND_TIMED | HD_KIND_WAITS,                   \
      hd_semaphore_is_enabled, hd_semaphore_settle, hd_describe_semaphore, hd_predict_semaphore_try, hd_race_semaphore,   \
      hd_blockers_none)                                                                                                   \
    X(SEMAPHORE_POST, "posts semaphore", HD_KIND_OBJECT,                                                                  \
      hd_can_always, hd_semaphore_settle, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)          \
    X(ARRIVE, "arrives at barrier", HD_KIND_OBJECT,                                                                       \
      hd_can_always, hd_barrier_settle, hd_describe_nothing, hd_predict_arrival, hd_race_none, hd_blockers_none)          \
    X(LEAVE, "leaves barrier", HD_KIND_OBJECT | HD_KIND_WAITS,                                                            \
      hd_barrier_is_enabled, hd_settle_nothing, hd_barrier_describe_wait, hd_predict_same, hd_race_leave,                 \
      hd_blockers_none)                                                                                                   \
    /* the first to ask is; detail: the meeting */                                                                        \
    X(SERIAL, "asks barrier who is serial", HD_KIND_OBJECT,                                                               \
      hd_can_always, hd_settle_serial, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)             \
    /* waits while another thread is in it */                                                                             \
    X(ONCE_BEGIN, "begins once", HD_KIND_OBJECT | HD_KIND_WAITS,                                                          \
      hd_once_is_enabled, hd_once_settle, hd_describe_once, hd_predict_write, hd_race_lock, hd_blockers_lock)             \
    X(ONCE_END, "ends once", HD_KIND_OBJECT,                                                                              \
      hd_can_always, hd_settle_nothing, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)            \
    /* waits until something that it read has changed */                                                                  \
    X(SPIN, "spins on", HD_KIND_OBJECT | HD_KIND_WAITS,                                                                   \
      hd_can_spin, hd_settle_nothing, hd_describe_spin, hd_predict_same, hd_race_none, hd_blockers_none)                  \
    /* __VERIFIER_atomic_begin: atomic_section.c.  Asked only when nobody else is in a section. */                        \
    X(ATOMIC, "begins an atomic section", HD_KIND_PLAIN | HD_KIND_TRIES | HD_KIND_WAITS,                                  \
      hd_can_always, hd_settle_nothing, hd_describe_section, hd_predict_same, hd_race_none, hd_blockers_none)             \
    /* initialises or destroys a synchronisation object, or says that something has changed */                            \
    X(OBJECT, "changes", HD_KIND_OBJECT,                                                                                  \
      hd_can_always, hd_end_settle, hd_describe_nothing, hd_predict_write, hd_race_none, hd_blockers_none)                \
    /* an actor; it is its couriers that go on: courier.h */                                                              \
    X(AWAIT, "waits for a message", HD_KIND_WORLD | HD_KIND_IDLE | HD_KIND_WAITS,                                         \
      hd_can_never, hd_ipc_settle, hd_describe_actor    , hd_predict_same, hd_race_none, hd_blockers_none)                \
    /* by a courier; detail: the actor, which goes on */                                                                  \
    X(RECEIVE, "receives", HD_KIND_WORLD | HD_KIND_WAITS,                                                                 \
      hd_can_always, hd_ipc_settle, hd_describe_actor    , hd_predict_message, hd_race_message, hd_blockers_message)      \
    /* something new at the end of a queue; waits if it is full */                                                        \
    X(PUT, "puts into", HD_KIND_WORLD | HD_KIND_QUEUE | HD_KIND_WAITS,                                                    \
      hd_can_queue, hd_ipc_settle,   hd_describe_queue, hd_predict_queue, hd_race_queue, hd_blockers_queue)               \
    /* what is first in a queue */                                                                                        \
    X(TAKE, "takes from", HD_KIND_WORLD | HD_KIND_QUEUE | HD_KIND_IDLE | HD_KIND_WAITS,                                   \
      hd_can_queue, hd_ipc_settle,   hd_describe_queue, hd_predict_queue, hd_race_queue, hd_blockers_queue)               \
    /* waits until one of its accesses was filled */                                                                      \
    X(POLL, "looks at", HD_KIND_WORLD | HD_KIND_QUEUE | HD_KIND_IDLE | HD_KIND_WAITS,                                     \
      hd_can_poll, hd_settle_poll, hd_describe_poll, hd_predict_queue, hd_race_queue, hd_blockers_queue)                  \
    /* waits for the clock only */                                                                                        \
    X(SLEEP, "sleeps until", HD_KIND_WORLD | HD_KIND_IDLE | HD_KIND_WAITS,                                                \
      hd_can_sleep, hd_ipc_settle,   hd_describe_queue, hd_predict_same, hd_race_none, hd_blockers_none)                  \
    /* another process, or tells it; detail: its number | signal << 8 */                                                  \
    X(KILL, "ends", HD_KIND_WORLD,                                                                                        \
      hd_can_always, hd_kill_settle, hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)                \
    /* a node, after others */                                                                                            \
    X(START, "starts", HD_KIND_WORLD | HD_KIND_WAITS,                                                                     \
      hd_can_start, hd_ipc_settle,   hd_describe_queue, hd_predict_same, hd_race_none, hd_blockers_none)                  \
    /* by the clock, when nobody else can go on */                                                                        \
    X(TIME, "lets time pass", HD_KIND_WORLD | HD_KIND_LET_GO,                                                             \
      hd_can_always, hd_ipc_settle,   hd_describe_nothing, hd_predict_same, hd_race_none, hd_blockers_none)               \
    /* waits until the others are done or stuck */                                                                        \
    X(EXIT, "ends the program", HD_KIND_WORLD | HD_KIND_LET_GO | HD_KIND_WAITS,                                           \
      hd_can_never, hd_ipc_settle,   hd_describe_queue, hd_predict_same, hd_race_none, hd_blockers_end)
/* clang-format on */

typedef enum hd_action_kind {
#define X(name, words, traits, enabled, settle, describe, predict, race, blockers) HD_DO_##name,
    HD_ACTIONS(X)
#undef X
        HD_N_ACTIONS
} hd_action_kind;

/* A set of kinds as bits; the compiler makes a constant of it. */
static inline uint64_t hd_kinds_with(unsigned trait) {
    uint64_t set = 0;
#define X(name, words, traits, enabled, settle, describe, predict, race, blockers)                 \
    set |= (traits) & trait ? UINT64_C(1) << HD_DO_##name : 0;
    HD_ACTIONS(X)
#undef X
    return set;
}
static inline bool hd_kind_is(unsigned kind, unsigned trait) {
    return hd_kinds_with(trait) >> kind & 1;
}
#endif
