/* pthread_once and call_once: the first thread runs the function, the others wait for it. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"

/* The control word: 0 not begun, DONE, or 256 * (1 + the thread in it). */
#define DONE      2
#define INSIDE(t) (((t) + 1) << 8)
#define SIZE      ((uint32_t)sizeof(pthread_once_t))

static bool is_valid(uint32_t word) {
    return word == 0 || word == DONE || (word % 256 == 0 && word >> 8 <= HD_MAX_THREADS);
}

/* DONE if it cannot be read: the thread goes on, into a finding. */
static uint32_t word_of(const hd_action *a) {
    const uint32_t *control = (const uint32_t *)hd_action_object(a);
    return hd_sync_is_plain(control, SIZE) && is_valid(*control) ? *control : DONE;
}

bool hd_once_is_enabled(hd_machine *m, const hd_action *a) {
    (void)m;
    return word_of(a) <= DONE;
}

void hd_once_settle(hd_machine *m, hd_action *a) {
    HD_CHECK(a->n_accesses && a->access[0].size == SIZE);
    (void)m;
    bool begins = word_of(a) == 0;
    a->access[0].mode = begins ? HD_MODE_WRITE : HD_MODE_READ;
    a->flags &= (uint8_t)~HD_ACTION_ACQUIRES;
    a->flags |= begins ? HD_ACTION_ACQUIRES : 0;
}

void hd_once_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    hd_sync_describe_lock_wait(m, a, hd_locks[HD_LOCK_ONCE].words, out);
}

static void end(hd_machine *m, uint32_t *control, uint32_t word) {
    hd_action a = hd_action_on(m, HD_DO_ONCE_END, HD_ACTION_RELEASES, control, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, control, SIZE);
    *control = word;
    hd_sync_drop(m, control);
}

/* The thread in its function ends: as if it had not begun. */
void hd_once_abandoned(hd_machine *m, void *control) {
    end(m, control, 0);
}

int hd_once_run(hd_machine *m, void *object, void (*function)(void)) {
    uint32_t *control = object;
    hd_action a =
        hd_action_on(m, HD_DO_ONCE_BEGIN, HD_ACTION_WAITS | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES,
                     control, SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, &a, control, SIZE);
    if (!is_valid(*control))
        hd_sync_end_invalid(m, control, "once control", *control);
    if (*control == DONE)
        return 0;
    *control = INSIDE(hd_thread_current(m));
    hd_sync_hold(m, control, SIZE, HD_LOCK_ONCE);
    function();
    end(m, control, DONE);
    return 0;
}

int hd_libc_pthread_once(void *control, void (*function)(void)) {
    return hd_once_run(hd_sync_enter(), control, function);
}
