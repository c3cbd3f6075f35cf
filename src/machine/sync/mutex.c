/* Mutexes: normal, recursive, error-checking, robust.
 *
 * The kind lies where the C library's static initialisers put it.  Nested locks of a recursive
 * mutex concern nobody else and make no event.  A thread that locks its own normal mutex stops
 * for good: its action is never enabled. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"

typedef struct mutex {
    uint32_t is_locked, depth;
    uint32_t owner; /* thread + 1 */
    uint32_t mark;
    int32_t kind;
    uint32_t unused;
} mutex;
_Static_assert(sizeof(mutex) == HD_MUTEX_SIZE && HD_MUTEX_SIZE <= sizeof(pthread_mutex_t),
               "it fits");
_Static_assert(offsetof(mutex, kind) == offsetof(struct __pthread_mutex_s, __kind),
               "static initialisers set the kind");

#define SIZE ((uint32_t)sizeof(mutex))

/* `mark` of a robust mutex */
#define OWNER_DIED    1 /* the next to lock it is told */
#define INCONSISTENT  2 /* and holds it, without having repaired what it guards */
#define UNRECOVERABLE 3 /* it was unlocked like that */

/* `kind` */
#define TYPE_MASK 3
#define ROBUST    16
#define SHARED    128 /* between processes: accepted */
#define PROTOCOL  96  /* priorities: accepted */
#define CEILING   12  /* bits below */

static int type_of(const mutex *x) {
    return x->kind & TYPE_MASK;
}

static bool is_valid(const mutex *x) {
    return x->is_locked <= 1 && x->owner <= HD_MAX_THREADS && x->mark <= UNRECOVERABLE &&
           (x->kind & ~(TYPE_MASK | ROBUST)) == 0 && x->unused == 0;
}

static void check_valid(hd_machine *m, const mutex *x) {
    if (!is_valid(x))
        hd_sync_end_invalid(m, x, "mutex", x->mark);
}

/* ---- what an action would do ---- */

static bool is_readable(const void *object) {
    return hd_sync_is_plain(object, SIZE) && is_valid(object);
}

bool hd_mutex_is_free(const void *object) {
    return !is_readable(object) || !((const mutex *)object)->is_locked;
}

/* A bad mutex lets the thread go on, into a finding. */
bool hd_mutex_is_enabled(hd_machine *m, const hd_action *a) {
    return hd_mutex_is_free((const void *)hd_action_object(a)) ||
           (a->kind == HD_DO_TRY_LOCK && hd_sync_may_time_out(m, a->thread, a->site));
}

void hd_mutex_settle(hd_machine *m, hd_action *a) {
    (void)m;
    const mutex *x = (const mutex *)hd_action_object(a);
    hd_sync_settle_taking(a, !is_readable(x) || (!x->is_locked && x->mark != UNRECOVERABLE));
}

/* ---- taking and giving back ---- */

int hd_mutex_take(hd_machine *m, void *object) {
    mutex *x = object;
    check_valid(m, x);
    if (x->mark == UNRECOVERABLE)
        return ENOTRECOVERABLE;
    x->is_locked = x->depth = 1;
    x->owner = hd_thread_current(m) + 1;
    hd_sync_hold(m, x, SIZE, HD_LOCK_MUTEX);
    if (x->mark != OWNER_DIED)
        return 0;
    hd_spin_note_effect(&m->thread[hd_thread_current(m)]);
    x->mark = INCONSISTENT;
    return EOWNERDEAD;
}

void hd_mutex_give(hd_machine *m, void *object) {
    mutex *x = object;
    HD_CHECK(x->is_locked && x->mark != UNRECOVERABLE);
    x->is_locked = x->depth = x->owner = 0;
    if (x->mark == INCONSISTENT)
        x->mark = UNRECOVERABLE;
    hd_sync_drop(m, x);
}

bool hd_mutex_is_robust(const void *object) {
    return is_readable(object) && ((const mutex *)object)->kind & ROBUST;
}

void hd_mutex_owner_died(hd_machine *m, void *object) {
    mutex *x = object;
    if (!hd_mutex_is_robust(x))
        return;
    hd_action a = hd_action_on(m, HD_DO_UNLOCK, HD_ACTION_RELEASES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, x, SIZE);
    hd_mutex_give(m, x);
    x->mark = OWNER_DIED;
}

/* ---- locking ---- */

/* The thread holds it already. */
static int lock_again(hd_machine *m, mutex *x, int otherwise) {
    HD_CHECK(hd_sync_mine(m, x));
    switch (type_of(x)) {
    case PTHREAD_MUTEX_RECURSIVE:
        if (x->depth == UINT32_MAX)
            return EAGAIN;
        x->depth++;
        hd_spin_note_effect(&m->thread[hd_thread_current(m)]);
        return 0;
    case PTHREAD_MUTEX_ERRORCHECK:
        return EDEADLK;
    default:
        return otherwise;
    }
}

#define STOPS_FOR_GOOD (-1)

int hd_mutex_lock(hd_machine *m, void *object) {
    mutex *x = object;
    unsigned flags = HD_ACTION_WAITS | HD_ACTION_ACQUIRES;
    if (hd_sync_mine(m, x)) {
        int result = lock_again(m, x, STOPS_FOR_GOOD);
        if (result != STOPS_FOR_GOOD)
            return result;
    }
    if (hd_sync_is_plain(x, SIZE) && x->kind & ROBUST)
        flags |= HD_ACTION_SETTLES; /* it may be unrecoverable */
    hd_action *a = hd_action_here(m, HD_DO_LOCK, flags, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, a, x, SIZE);
    return hd_mutex_take(m, x);
}

/* EBUSY or ETIMEDOUT if somebody else holds it. */
static int try_to_lock(hd_machine *m, mutex *x, unsigned flags, int busy) {
    if (hd_sync_mine(m, x)) {
        int result = lock_again(m, x, busy);
        bool is_plain = !(x->kind & ROBUST); /* of the others glibc says which it is */
        return busy == EBUSY && result == EDEADLK && is_plain ? EBUSY : result;
    }
    hd_action *a = hd_action_here(m, HD_DO_TRY_LOCK, flags | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES,
                                  x, SIZE, HD_MODE_WRITE);
    const hd_action *done = hd_sync_turn(m, a, x, SIZE);
    check_valid(m, x);
    bool is_busy = done->flags & HD_ACTION_FAILED && x->mark != UNRECOVERABLE;
    if (is_busy)
        hd_spin_note_seen(m, done);
    return is_busy ? busy : hd_mutex_take(m, x);
}

int hd_mutex_try(hd_machine *m, void *object) {
    return try_to_lock(m, object, 0, EBUSY);
}

int hd_mutex_lock_until(hd_machine *m, void *object, const struct timespec *when, int clock) {
    struct timespec until;
    if (hd_sync_read_time(m, when, clock, &until) != 0)
        return EINVAL;
    int result = try_to_lock(m, object, HD_ACTION_WAITS, ETIMEDOUT);
    if (result == ETIMEDOUT)
        hd_sync_note_timeout(m, &until, clock);
    return result;
}

/* ---- unlocking ---- */

/* Whatever others do meanwhile, this thread does not hold it: no event. */
static int unlock_not_mine(hd_machine *m, mutex *x) {
    hd_sync_check(m, x, SIZE);
    check_valid(m, x);
    if (type_of(x) == PTHREAD_MUTEX_ERRORCHECK || type_of(x) == PTHREAD_MUTEX_RECURSIVE ||
        x->kind & ROBUST)
        return EPERM;
    hd_sync_end(m, HD_FINDING_BAD_UNLOCK, "unlock of", x, "mutex",
                x->is_locked ? ", which another thread holds" : ", which nobody holds");
}

int hd_mutex_unlock(hd_machine *m, void *object) {
    mutex *x = object;
    if (!hd_sync_mine(m, x))
        return unlock_not_mine(m, x);
    if (x->depth > 1) {
        x->depth--;
        hd_spin_note_effect(&m->thread[hd_thread_current(m)]);
        return 0;
    }
    hd_action *a = hd_action_here(m, HD_DO_UNLOCK, HD_ACTION_RELEASES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, a, x, SIZE);
    hd_mutex_give(m, x);
    return 0;
}

int hd_mutex_check_wait(hd_machine *m, void *object) {
    mutex *x = object;
    if (!hd_sync_mine(m, x)) {
        hd_sync_check(m, x, SIZE);
        check_valid(m, x);
        if (type_of(x) == PTHREAD_MUTEX_ERRORCHECK || x->kind & ROBUST)
            return EPERM;
        hd_sync_end(m, HD_FINDING_BAD_LOCK, "wait with", x, "mutex",
                    ", which the thread does not hold");
    }
    if (x->depth > 1)
        hd_sync_end(m, HD_FINDING_BAD_LOCK, "wait with", x, "mutex",
                    ", which the thread has locked more than once: it stays locked");
    return 0;
}

/* ---- life ---- */

void hd_mutex_init(hd_machine *m, void *object, int kind) {
    HD_INVARIANT(Y3, is_valid(&(const mutex){0}));
    hd_sync_change(m, object, SIZE);
    hd_sync_check_unused(m, (uint64_t)object, SIZE, HD_FINDING_BAD_LOCK, 0, "initialised");
    *(mutex *)object = (mutex){.kind = kind & (TYPE_MASK | ROBUST)};
}

void hd_mutex_destroy(hd_machine *m, void *object) {
    mutex *x = object;
    hd_sync_change(m, x, SIZE);
    check_valid(m, x);
    hd_sync_check_unused(m, (uint64_t)x, SIZE, HD_FINDING_DESTROYED_LOCKED, 0, "destroyed");
    x->mark = HD_MARK_DESTROYED;
}

/* ---- the functions of the library ---- */

int hd_libc_pthread_mutex_init(void *x, const int *attributes) {
    hd_machine *m = hd_sync_enter();
    int bits = 0;
    if (attributes)
        hd_library_get(m, &bits, attributes, sizeof bits);
    hd_mutex_init(m, x, bits);
    return 0;
}

int hd_libc_pthread_mutex_destroy(void *x) {
    hd_mutex_destroy(hd_sync_enter(), x);
    return 0;
}

int hd_libc_pthread_mutex_lock(void *x) {
    return hd_mutex_lock(hd_sync_enter(), x);
}

int hd_libc_pthread_mutex_trylock(void *x) {
    return hd_mutex_try(hd_sync_enter(), x);
}

int hd_libc_pthread_mutex_timedlock(void *x, const struct timespec *when) {
    return hd_mutex_lock_until(hd_sync_enter(), x, when, CLOCK_REALTIME);
}

int hd_libc_pthread_mutex_clocklock(void *x, int clock, const struct timespec *when) {
    return hd_mutex_lock_until(hd_sync_enter(), x, when, clock);
}

int hd_libc_pthread_mutex_unlock(void *x) {
    return hd_mutex_unlock(hd_sync_enter(), x);
}

int hd_libc_pthread_mutex_consistent(void *object) {
    hd_machine *m = hd_sync_enter();
    mutex *x = object;
    if (!hd_sync_mine(m, x) || x->mark != INCONSISTENT)
        return EINVAL;
    x->mark = 0;
    return 0;
}

/* ---- attributes: one word of the bits of `kind` ---- */

static int set_bits(int *attributes, int mask, int bits) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    if (bits & ~mask)
        return EINVAL;
    *attributes = (*attributes & ~mask) | bits;
    return 0;
}

static int get_bits(const int *attributes, int mask, unsigned shift, int *out) {
    hd_machine *m = hd_sync_enter();
    int bits, value;
    hd_library_get(m, &bits, attributes, sizeof bits);
    value = (bits & mask) >> shift;
    hd_library_store(m, out, &value, sizeof value);
    return 0;
}

int hd_libc_pthread_mutexattr_init(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    *attributes = 0;
    return 0;
}

int hd_libc_pthread_mutexattr_destroy(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    return 0;
}

int hd_libc_pthread_mutexattr_settype(int *attributes, int type) {
    return set_bits(attributes, TYPE_MASK, type);
}

int hd_libc_pthread_mutexattr_gettype(const int *attributes, int *out) {
    return get_bits(attributes, TYPE_MASK, 0, out);
}

int hd_libc_pthread_mutexattr_setrobust(int *attributes, int robust) {
    return set_bits(attributes, ROBUST, robust * ROBUST);
}

int hd_libc_pthread_mutexattr_getrobust(const int *attributes, int *out) {
    return get_bits(attributes, ROBUST, 4, out);
}

int hd_libc_pthread_mutexattr_setpshared(int *attributes, int shared) {
    return set_bits(attributes, SHARED, shared * SHARED);
}

int hd_libc_pthread_mutexattr_getpshared(const int *attributes, int *out) {
    return get_bits(attributes, SHARED, 7, out);
}

int hd_libc_pthread_mutexattr_setprotocol(int *attributes, int protocol) {
    bool is_known = protocol >= PTHREAD_PRIO_NONE && protocol <= PTHREAD_PRIO_PROTECT;
    return is_known ? set_bits(attributes, PROTOCOL, protocol << 5) : EINVAL;
}

int hd_libc_pthread_mutexattr_getprotocol(const int *attributes, int *out) {
    return get_bits(attributes, PROTOCOL, 5, out);
}

int hd_libc_pthread_mutexattr_setprioceiling(int *attributes, int ceiling) {
    hd_sync_enter();
    return ceiling < 1 || ceiling > 99 ? EINVAL
                                       : set_bits(attributes, 127 << CEILING, ceiling << CEILING);
}

int hd_libc_pthread_mutexattr_getprioceiling(const int *attributes, int *out) {
    int result = get_bits(attributes, 127 << CEILING, CEILING, out);
    if (!*out) /* none was set: the lowest that there is */
        *out = 1;
    return result;
}
