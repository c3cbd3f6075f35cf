/* Spinlocks: like normal mutexes, in one word. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"

typedef volatile uint32_t spinlock; /* 0 free, thread + 1, or HD_MARK_DESTROYED */
#define SIZE ((uint32_t)sizeof(spinlock))

static bool is_valid(const spinlock *x) {
    return *x <= HD_MAX_THREADS;
}

static void check_valid(hd_machine *m, const spinlock *x) {
    if (!is_valid(x))
        hd_sync_end_invalid(m, (const void *)x, "spinlock", *x);
}

static bool is_free(const hd_action *a) {
    const void *x = (const void *)hd_action_object(a);
    return !hd_sync_is_plain(x, SIZE) || !is_valid(x) || *(const spinlock *)x == 0;
}

bool hd_spinlock_is_enabled(hd_machine *m, const hd_action *a) {
    (void)m;
    return is_free(a);
}

void hd_spinlock_settle(hd_machine *m, hd_action *a) {
    HD_CHECK(a->n_accesses && a->access[0].size == SIZE);
    (void)m;
    hd_sync_settle_taking(a, is_free(a));
}

static void take(hd_machine *m, void *x) {
    *(spinlock *)x = hd_thread_current(m) + 1;
    hd_sync_hold(m, x, SIZE, HD_LOCK_SPIN);
}

int hd_libc_pthread_spin_init(void *x, int shared) {
    hd_machine *m = hd_sync_enter();
    (void)shared;
    hd_sync_change(m, x, SIZE);
    hd_sync_check_unused(m, (uint64_t)x, SIZE, HD_FINDING_BAD_LOCK, 0, "initialised");
    *(spinlock *)x = 0;
    return 0;
}

int hd_libc_pthread_spin_destroy(void *x) {
    hd_machine *m = hd_sync_enter();
    hd_sync_change(m, x, SIZE);
    check_valid(m, x);
    hd_sync_check_unused(m, (uint64_t)x, SIZE, HD_FINDING_DESTROYED_LOCKED, 0, "destroyed");
    *(spinlock *)x = HD_MARK_DESTROYED;
    return 0;
}

int hd_libc_pthread_spin_lock(void *x) {
    hd_machine *m = hd_sync_enter();
    hd_action a =
        hd_action_on(m, HD_DO_LOCK, HD_ACTION_WAITS | HD_ACTION_ACQUIRES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, x, SIZE);
    check_valid(m, x);
    take(m, x);
    return 0;
}

int hd_libc_pthread_spin_trylock(void *x) {
    hd_machine *m = hd_sync_enter();
    if (hd_sync_mine(m, x))
        return EBUSY;
    hd_action a = hd_action_on(m, HD_DO_TRY_LOCK, HD_ACTION_ACQUIRES | HD_ACTION_SETTLES, x, SIZE,
                               HD_MODE_WRITE);
    const hd_action *done = hd_sync_turn(m, &a, x, SIZE);
    check_valid(m, x);
    if (done->flags & HD_ACTION_FAILED) {
        hd_spin_note_seen(m, done);
        return EBUSY;
    }
    take(m, x);
    return 0;
}

int hd_libc_pthread_spin_unlock(void *x) {
    hd_machine *m = hd_sync_enter();
    if (!hd_sync_mine(m, x)) {
        hd_sync_check(m, x, SIZE);
        check_valid(m, x);
        hd_sync_end(m, HD_FINDING_BAD_UNLOCK, "unlock of", x, "spinlock",
                    *(spinlock *)x ? ", which another thread holds" : ", which nobody holds");
    }
    hd_action a = hd_action_on(m, HD_DO_UNLOCK, HD_ACTION_RELEASES, x, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, x, SIZE);
    *(spinlock *)x = 0;
    hd_sync_drop(m, x);
    return 0;
}
