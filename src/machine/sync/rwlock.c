/* Read-write locks.  Who is preferred is left open: any order that the library allows is possible.
 *
 * Readers read the object, so that they commute with each other.  A writer that fails because of
 * readers would have succeeded without them: it does not commute with their locking and
 * unlocking, and counts as a write although it changes nothing. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"

typedef struct rwlock {
    uint32_t writer; /* thread + 1 */
    uint32_t mark;
    hd_thread_set readers;
    uint64_t unused[2];
} rwlock; /* static initialisers only set preferences, which lie behind it */
_Static_assert(sizeof(rwlock) == HD_RWLOCK_SIZE && HD_RWLOCK_SIZE <= sizeof(pthread_rwlock_t),
               "it fits");

#define SIZE      ((uint32_t)sizeof(rwlock))
#define MAX_FLAGS 2

static bool is_valid(const rwlock *x) {
    return x->writer <= HD_MAX_THREADS && x->mark == 0 && (x->unused[0] | x->unused[1]) == 0 &&
           hd_set_is_valid(x->readers);
}

static void check_valid(hd_machine *m, const rwlock *x) {
    if (!is_valid(x))
        hd_sync_end_invalid(m, x, "rwlock", x->mark);
}

/* ---- what an action would do ---- */

static bool is_reading(const hd_action *a) {
    return a->kind == HD_DO_READ_LOCK || a->kind == HD_DO_TRY_READ_LOCK;
}

static bool is_free(const hd_action *a) {
    const rwlock *x = (const rwlock *)hd_action_object(a);
    if (!hd_sync_is_plain(x, SIZE) || !is_valid(x))
        return true;
    return x->writer == 0 && (is_reading(a) || hd_set_is_empty(x->readers));
}

bool hd_rwlock_is_enabled(hd_machine *m, const hd_action *a) {
    bool is_timed = a->kind == HD_DO_TRY_LOCK || a->kind == HD_DO_TRY_READ_LOCK;
    return is_free(a) || (is_timed && hd_sync_may_time_out(m, a->thread, a->site));
}

static hd_action reading(hd_machine *m, hd_action_kind kind, unsigned flags, const rwlock *x) {
    return hd_action_on(m, kind, flags, x, SIZE, HD_MODE_READ);
}

/* Is there a reader, so that a writer fails? */
static bool has_readers(const rwlock *x) {
    return hd_sync_is_plain(x, SIZE) && !hd_set_is_empty(x->readers);
}

void hd_rwlock_settle(hd_machine *m, hd_action *a) {
    HD_CHECK(a->n_accesses && a->access[0].size == SIZE);
    (void)m;
    hd_sync_settle_taking(a, is_free(a));
    if (is_reading(a))
        a->access[0].mode = HD_MODE_READ;
    else if (has_readers((const rwlock *)hd_action_object(a)))
        a->access[0].mode = HD_MODE_WRITE;
}

/* ---- locking ---- */

static int take_reading(hd_machine *m, rwlock *x) {
    x->readers = hd_set_with(x->readers, hd_thread_current(m));
    hd_sync_hold(m, x, SIZE, HD_LOCK_READ);
    return 0;
}

static int take_writing(hd_machine *m, rwlock *x) {
    x->writer = hd_thread_current(m) + 1;
    hd_sync_hold(m, x, SIZE, HD_LOCK_WRITE);
    return 0;
}

/* The thread reads already: that is between it and itself. */
static int read_again(hd_held *mine) {
    HD_ASSERT(mine->kind == HD_LOCK_READ && mine->depth);
    if (mine->depth == UINT16_MAX)
        return EAGAIN;
    mine->depth++;
    return 0;
}

static int lock_reading(hd_machine *m, rwlock *x) {
    hd_held *mine = hd_sync_mine(m, x);
    if (mine)
        return mine->kind == HD_LOCK_READ ? read_again(mine) : EDEADLK;
    hd_action a = reading(m, HD_DO_READ_LOCK, HD_ACTION_WAITS | HD_ACTION_ACQUIRES, x);
    hd_sync_turn(m, &a, x, SIZE);
    check_valid(m, x);
    return take_reading(m, x);
}

/* A thread that reads waits for itself for good. */
static int lock_writing(hd_machine *m, rwlock *x) {
    const hd_held *mine = hd_sync_mine(m, x);
    if (mine && mine->kind == HD_LOCK_WRITE)
        return EDEADLK;
    hd_action a =
        hd_action_on(m, HD_DO_LOCK, HD_ACTION_WAITS | HD_ACTION_ACQUIRES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, x, SIZE);
    check_valid(m, x);
    return take_writing(m, x);
}

static int try_reading(hd_machine *m, rwlock *x, unsigned flags, int busy) {
    hd_held *mine = hd_sync_mine(m, x);
    if (mine && mine->kind == HD_LOCK_READ)
        return read_again(mine);
    if (mine)
        return flags & HD_ACTION_WAITS ? EDEADLK : busy;
    hd_action a =
        reading(m, HD_DO_TRY_READ_LOCK, flags | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES, x);
    bool fails = hd_sync_turn(m, &a, x, SIZE)->flags & HD_ACTION_FAILED;
    check_valid(m, x);
    return fails ? busy : take_reading(m, x);
}

static int try_writing(hd_machine *m, rwlock *x, unsigned flags, int busy) {
    const hd_held *mine = hd_sync_mine(m, x);
    if (mine && mine->kind == HD_LOCK_WRITE && flags & HD_ACTION_WAITS)
        return EDEADLK;
    if (mine)
        return busy;
    hd_action a = hd_action_on(m, HD_DO_TRY_LOCK, flags | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES, x,
                               SIZE, HD_MODE_WRITE);
    bool fails = hd_sync_turn(m, &a, x, SIZE)->flags & HD_ACTION_FAILED;
    check_valid(m, x);
    return fails ? busy : take_writing(m, x);
}

typedef int try_function(hd_machine *m, rwlock *x, unsigned flags, int busy);

static int lock_until(hd_machine *m, rwlock *x, try_function *try, const struct timespec *when,
                      int clock) {
    struct timespec until;
    if (hd_sync_read_time(m, when, clock, &until) != 0)
        return EINVAL;
    int result = try(m, x, HD_ACTION_WAITS, ETIMEDOUT);
    if (result == ETIMEDOUT)
        hd_sync_note_timeout(m, &until, clock);
    return result;
}

/* ---- unlocking ---- */

static _Noreturn void end_bad_unlock(hd_machine *m, rwlock *x) {
    hd_sync_check(m, x, SIZE);
    check_valid(m, x);
    hd_sync_end(m, HD_FINDING_BAD_UNLOCK, "unlock of", x, "rwlock",
                x->writer || !hd_set_is_empty(x->readers) ? ", which other threads hold"
                                                          : ", which nobody holds");
}

static void unlock_reading(hd_machine *m, rwlock *x) {
    hd_action a = reading(m, HD_DO_READ_UNLOCK, HD_ACTION_RELEASES, x);
    hd_sync_turn(m, &a, x, SIZE);
    x->readers = hd_set_without(x->readers, hd_thread_current(m));
}

static void unlock_writing(hd_machine *m, rwlock *x) {
    hd_action a = hd_action_on(m, HD_DO_UNLOCK, HD_ACTION_RELEASES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, x, SIZE);
    x->writer = 0;
}

int hd_libc_pthread_rwlock_unlock(void *x) {
    hd_machine *m = hd_sync_enter();
    hd_held *mine = hd_sync_mine(m, x);
    if (!mine)
        end_bad_unlock(m, x);
    HD_ASSERT(mine->depth && (mine->depth == 1 || mine->kind == HD_LOCK_READ));
    if (mine->depth > 1) {
        mine->depth--;
        return 0;
    }
    if (mine->kind == HD_LOCK_READ)
        unlock_reading(m, x);
    else
        unlock_writing(m, x);
    hd_sync_drop(m, x);
    return 0;
}

/* ---- the functions of the library ---- */

int hd_libc_pthread_rwlock_init(void *x, const void *attributes) {
    hd_machine *m = hd_sync_enter();
    (void)attributes;
    hd_sync_change(m, x, SIZE);
    hd_sync_check_unused(m, (uint64_t)x, SIZE, HD_FINDING_BAD_LOCK, 0, "initialised");
    *(rwlock *)x = (rwlock){0};
    return 0;
}

int hd_libc_pthread_rwlock_destroy(void *object) {
    hd_machine *m = hd_sync_enter();
    rwlock *x = object;
    hd_sync_change(m, x, SIZE);
    check_valid(m, x);
    hd_sync_check_unused(m, (uint64_t)x, SIZE, HD_FINDING_DESTROYED_LOCKED, 0, "destroyed");
    x->mark = HD_MARK_DESTROYED;
    return 0;
}

int hd_libc_pthread_rwlock_rdlock(void *x) {
    return lock_reading(hd_sync_enter(), x);
}

int hd_libc_pthread_rwlock_wrlock(void *x) {
    return lock_writing(hd_sync_enter(), x);
}

int hd_libc_pthread_rwlock_tryrdlock(void *x) {
    return try_reading(hd_sync_enter(), x, 0, EBUSY);
}

int hd_libc_pthread_rwlock_trywrlock(void *x) {
    return try_writing(hd_sync_enter(), x, 0, EBUSY);
}

int hd_libc_pthread_rwlock_timedrdlock(void *x, const struct timespec *when) {
    return lock_until(hd_sync_enter(), x, try_reading, when, CLOCK_REALTIME);
}

int hd_libc_pthread_rwlock_timedwrlock(void *x, const struct timespec *when) {
    return lock_until(hd_sync_enter(), x, try_writing, when, CLOCK_REALTIME);
}

int hd_libc_pthread_rwlock_clockrdlock(void *x, int clock, const struct timespec *when) {
    return lock_until(hd_sync_enter(), x, try_reading, when, clock);
}

int hd_libc_pthread_rwlock_clockwrlock(void *x, int clock, const struct timespec *when) {
    return lock_until(hd_sync_enter(), x, try_writing, when, clock);
}

/* Attributes: two words, "between processes" and who is preferred.  Both are accepted. */

static int set_word(int *attributes, unsigned i, int value, int most) {
    HD_ASSERT(i < sizeof(pthread_rwlockattr_t) / sizeof *attributes);
    hd_library_write(hd_sync_enter(), attributes, sizeof(pthread_rwlockattr_t));
    hd_sync_check(hd_now, attributes, sizeof(pthread_rwlockattr_t));
    if (value < 0 || value > most)
        return EINVAL;
    attributes[i] = value;
    return 0;
}

static int get_word(const int *attributes, unsigned i, int *out) {
    hd_machine *m = hd_sync_enter();
    int words[2];
    HD_ASSERT(i < sizeof words / sizeof *words);
    _Static_assert(sizeof words == sizeof(pthread_rwlockattr_t), "two words");
    hd_library_get(m, words, attributes, sizeof words);
    hd_library_store(m, out, &words[i], sizeof words[i]);
    return 0;
}

int hd_libc_pthread_rwlockattr_init(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof(pthread_rwlockattr_t));
    hd_sync_check(hd_now, attributes, sizeof(pthread_rwlockattr_t));
    memset(attributes, 0, sizeof(pthread_rwlockattr_t));
    return 0;
}

int hd_libc_pthread_rwlockattr_destroy(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof(pthread_rwlockattr_t));
    hd_sync_check(hd_now, attributes, sizeof(pthread_rwlockattr_t));
    return 0;
}

int hd_libc_pthread_rwlockattr_setpshared(int *attributes, int shared) {
    return set_word(attributes, 0, shared, PTHREAD_PROCESS_SHARED);
}

int hd_libc_pthread_rwlockattr_getpshared(const int *attributes, int *out) {
    return get_word(attributes, 0, out);
}

int hd_libc_pthread_rwlockattr_setkind_np(int *attributes, int kind) {
    return set_word(attributes, 1, kind, MAX_FLAGS);
}

int hd_libc_pthread_rwlockattr_getkind_np(const int *attributes, int *out) {
    return get_word(attributes, 1, out);
}
