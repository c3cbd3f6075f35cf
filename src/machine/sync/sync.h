/* sync.h -- what the kinds of synchronisation objects share.
 *
 * Every call is: say what is about to be done (hd_sync_turn), look at the object, change it.
 * Everything that the outcome depends on is in the object's own bytes (H1 of tasks/threads.h), so
 * that static initialisers work and the reset of memory resets it; who holds what since when is
 * noted beside it, for messages and for the end of threads.
 *
 * Y1. The bytes of an object are looked at in this thread's turn only, or by its holder: what
 *     others may change between two turns never decides anything.
 * Y2. A lock is in the list of a thread exactly while its bytes say that the thread holds it, as
 *     long as the program does not write to them itself.
 * Y3. Zero bytes are an initialised, free object; of a barrier, one that nobody has initialised.
 *
 * A kind of object is a file here, with its functions of the columns enabled, settle and describe,
 * and rows: of the table of kinds for what can be done to it, of HD_LOCKS if threads hold it, and
 * of program/functions.def for what programs call.  docs/how-to-add.md shows one.
 * Not here: who goes next (visible.c), threads (threads.c). */
#ifndef HD_MACHINE_SYNC_SYNC_H
#define HD_MACHINE_SYNC_SYNC_H
#include "machine/core/kinds.h"
#include "machine/tasks/process.h"
#include "machine/tasks/threads.h"

#include <errno.h>
#include <pthread.h>

/* The bytes of an object that are used, and looked at: as many as the library for 32 bits gives it,
 * because preprocessed programs often have its declarations in them. */
#define HD_MUTEX_SIZE     24u
#define HD_RWLOCK_SIZE    32u
#define HD_BARRIER_SIZE   24u
#define HD_SEMAPHORE_SIZE 16u

/* In the `mark` of an object that was destroyed. */
#define HD_MARK_DESTROYED UINT32_C(0x64656164)

/* What a thread can hold, one row each:
 *   name, words        HD_LOCK_name; what it is, for people
 *   bytes              its size, by which actions of kind LOCK tell locks from each other
 *   taking             HD_DO_taking: how it is taken
 *   enabled, settle    as in the table of kinds, of LOCK and TRY_LOCK if that is how it is taken
 *   abandon            its holder has ended */
/* clang-format off */
#define HD_LOCKS(X)                                                                                                       \
    X(MUTEX, "mutex", HD_MUTEX_SIZE, LOCK, hd_mutex_is_enabled, hd_mutex_settle, hd_mutex_owner_died)                     \
    X(SPIN, "spinlock", sizeof(pthread_spinlock_t), LOCK, hd_spinlock_is_enabled, hd_spinlock_settle, hd_lock_stays)      \
    X(WRITE, "rwlock", HD_RWLOCK_SIZE, LOCK, hd_rwlock_is_enabled, hd_rwlock_settle, hd_lock_stays)                       \
    X(READ, "rwlock", HD_RWLOCK_SIZE, READ_LOCK, hd_rwlock_is_enabled, hd_rwlock_settle, hd_lock_stays)                   \
    /* the thread is in its function */                                                                                   \
    X(ONCE, "once control", sizeof(pthread_once_t), ONCE_BEGIN, hd_once_is_enabled, hd_once_settle, hd_once_abandoned)
/* clang-format on */

typedef enum hd_lock_kind {
#define X(name, ...) HD_LOCK_##name,
    HD_LOCKS(X)
#undef X
        HD_N_LOCKS
} hd_lock_kind;

typedef void hd_abandoner(hd_machine *m, void *object);
typedef struct hd_lock {
    const char *words;
    uint32_t size;
    hd_action_kind taking;
    hd_enabler *is_enabled;
    hd_settler *settle;
    hd_abandoner *abandon;
} hd_lock;
extern const hd_lock hd_locks[HD_N_LOCKS];
#define X(name, words, bytes, taking, enabled, settle, abandon)                                    \
    hd_enabler enabled;                                                                            \
    hd_settler settle;                                                                             \
    hd_abandoner abandon;
HD_LOCKS(X)
#undef X
/* May several threads hold a lock of this kind at once? */
static inline bool hd_lock_is_shared(unsigned kind) {
    HD_CHECK(kind < HD_N_LOCKS);
    return hd_kind_is(hd_locks[kind].taking, HD_KIND_READER);
}

typedef struct hd_held {
    uint64_t object;
    uint32_t size, site; /* site: where it was taken */
    uint16_t depth;      /* read locks of one thread */
    uint8_t kind;        /* hd_lock_kind */
} hd_held;

typedef struct hd_sync_thread {
    hd_vec(hd_held) held;      /* in the order they were taken */
    hd_vec(uint32_t) spurious; /* places of waits that ended without a signal */
    uint64_t condition;        /* that it waits for, 0 = none */
    uint64_t wait_mutex;
    uint32_t wait_site, n_timeouts;
    bool is_woken;            /* signalled */
    bool is_timed;            /* its wait may end by its time */
    bool is_released;         /* its barrier is complete */
    uint32_t lowest, meeting; /* the lowest thread that it met, and that one's nth meeting */
    uint32_t n_meetings,
        n_asked; /* as the lowest thread: so many, and somebody is serial in those */
} hd_sync_thread;

typedef struct hd_named_semaphore {
    char *name; /* NULL once it is unlinked */
    uint64_t address;
    uint32_t n_open;
} hd_named_semaphore;

typedef struct hd_sync {
    uint32_t n_threads;             /* those from here on were not used since the reset */
    uint32_t n_held;                /* of all threads, waits for conditions included */
    bool has_said_bound, is_asking; /* about timeouts */
    hd_vec(hd_named_semaphore) names;
    hd_sync_thread thread[HD_MAX_THREADS];
    struct hd_lock_order *order; /* over all executions */
} hd_sync;

/* ---- sync.c ---- */
/* Enter a function of the library: its arguments are concrete from here on. */
hd_machine *hd_sync_enter(void);
static inline hd_sync_thread *hd_sync_thread_of(hd_machine *m, uint32_t t) {
    HD_CHECK(m->sync && t < HD_MAX_THREADS);
    if (t >= m->sync->n_threads)
        m->sync->n_threads = t + 1;
    return &m->sync->thread[t];
}
/* Is nothing poisoned or symbolic there?  Every turn of a lock asks, and find_enabled for all that
 * wait: inlined, because sizes are constants at nearly every call. */
static inline bool hd_sync_is_plain(const void *object, uint32_t n) {
    return hd_in_region((uint64_t)object) && !hd_any_word((uint64_t)object, n);
}
/* The n bytes of `object` are accessible and concrete, or the execution has ended. */
void hd_sync_make_plain(hd_machine *m, const void *object, uint32_t n);
static inline void hd_sync_check(hd_machine *m, const void *object, uint32_t n) {
    if (__builtin_expect(!hd_sync_is_plain(object, n), 0))
        hd_sync_make_plain(m, object, n);
}
/* Stop before `a`, then check `object`. */
static inline const hd_action *hd_sync_turn(hd_machine *m, const hd_action *a, const void *object,
                                            uint32_t n) {
    const hd_action *done = hd_visible(m, a);
    HD_CHECK_INVARIANT(Y1, done == &m->threads.action[hd_thread_current(m)]);
    hd_sync_check(m, object, n);
    return done;
}
/* Initialise or destroy: a turn of its own. */
void hd_sync_change(hd_machine *m, const void *object, uint32_t n);
/* Ends the execution: the object was destroyed, or its bytes are none that Heddle wrote. */
_Noreturn void hd_sync_end_invalid(hd_machine *m, const void *object, const char *kind,
                                   uint32_t mark);
/* Timed calls: may the thread give up waiting whatever others do? */
bool hd_sync_has_timeouts_left(hd_machine *m, uint32_t t);
/* Timed calls: may the thread give up waiting now?  `site`: where a loss is said to be. */
bool hd_sync_may_time_out(hd_machine *m, uint32_t t, uint32_t site);
void hd_sync_note_timeout(hd_machine *m, const struct timespec *when, int clock);
/* 0, or EINVAL for a time that is none. */
int hd_sync_read_time(hd_machine *m, const struct timespec *when, int clock, struct timespec *out);
/* The outcome of an action that takes an object, or fails and only reads it. */
void hd_sync_settle_taking(hd_action *a, bool succeeds);

/* ---- sync/held.c ---- */
/* The entry of the object in the list of a thread, or NULL. */
hd_held *hd_sync_held(hd_machine *m, uint32_t t, const void *object);
static inline hd_held *hd_sync_mine(hd_machine *m, const void *object) {
    return hd_sync_held(m, hd_thread_current(m), object);
}
/* The running thread took a lock (hold), or gives it back (drop). */
void hd_sync_hold(hd_machine *m, const void *object, uint32_t size, hd_lock_kind kind);
void hd_sync_drop(hd_machine *m, const void *object);
/* The running thread is not alone any more: what it holds is told in events (E6). */
void hd_sync_tell_held(hd_machine *m);
/* The state of all synchronisation as at the start of an execution, made now if there is none. */
void hd_sync_reset(hd_machine *m);
/* " by thread 2 since a.c:12", for all that hold the object; nothing if nobody does. */
void hd_sync_describe_holders(hd_machine *m, uint64_t object, hd_text *out);
/* "mutex 'm'", and "a.c:12" (a site). */
void hd_sync_describe_object(const hd_machine *m, uint64_t object, const char *kind, hd_text *out);
void hd_sync_describe_place(const hd_machine *m, uint32_t site, hd_text *out);
/* "waits for mutex 'm' held by thread 2 since a.c:12" */
void hd_sync_describe_lock_wait(hd_machine *m, const hd_action *a, const char *kind, hd_text *out);
/* Ends the execution with "<before> <object> <after>". */
_Noreturn void hd_sync_end(hd_machine *m, hd_finding_kind finding, const char *before,
                           const void *object, const char *kind, const char *after);
/* Ends the execution if somebody holds or waits for an object within the n bytes: "<words> while
 * ...". */
void hd_sync_check_unused(hd_machine *m, uint64_t address, uint64_t n, hd_finding_kind finding,
                          uint32_t site, const char *words);

/* ---- lock_order.c ---- */
/* The running thread took the last of its held locks while it held the others. */
void hd_lock_order_note(hd_machine *m);
void hd_lock_order_free(struct hd_lock_order *order);

/* ---- sync/mutex.c ---- */
int hd_mutex_lock(hd_machine *m, void *mutex);
int hd_mutex_try(hd_machine *m, void *mutex);
int hd_mutex_lock_until(hd_machine *m, void *mutex, const struct timespec *when, int clock);
int hd_mutex_unlock(hd_machine *m, void *mutex);
void hd_mutex_init(hd_machine *m, void *mutex, int kind);
void hd_mutex_destroy(hd_machine *m, void *mutex);
/* For waits on conditions.  check_wait: may this thread wait with the mutex?  0 or EPERM, or the
 * execution ends.  give and take: within a turn; take may answer EOWNERDEAD. */
int hd_mutex_check_wait(hd_machine *m, void *mutex);
void hd_mutex_give(hd_machine *m, void *mutex);
int hd_mutex_take(hd_machine *m, void *mutex);
/* Is its next holder told that the last one has died with it? */
bool hd_mutex_is_robust(const void *object);
bool hd_mutex_is_free(const void *mutex);

/* ---- sync/condition.c ---- */
/* Did nobody hear the condition's last signal, and where was that?  (If somebody did, a wait that
 * never ends was not lost to a signal that came too early.) */
bool hd_condition_was_in_vain(uint64_t condition, uint32_t *site);
int hd_condition_wait(hd_machine *m, void *condition, void *mutex, const struct timespec *when,
                      int clock);
int hd_condition_signal(hd_machine *m, void *condition, bool all);
void hd_condition_init(hd_machine *m, void *condition, int clock);
void hd_condition_destroy(hd_machine *m, void *condition);
int hd_condition_clock(const void *condition);

/* ---- the other kinds ---- */
/* The names of semaphores are forgotten. */
void hd_semaphore_reset(hd_machine *m);
int hd_once_run(hd_machine *m, void *control, void (*function)(void));
#endif
