/* Condition variables: waiting is two actions, entering the queue and waking up.
 *
 * WAIT gives the mutex back and enters the queue at once.  WAKE needs a signal and the mutex.
 * Which waiter a signal wakes is a choice, made after the signal's turn; the woken thread's action
 * then names the event that woke it (`detail`), because that is known before any access is.
 *
 * A wait that may end without a signal (timed ones, and all with --spurious) is three: it stops
 * waiting (TIMED_WAKE), which needs no mutex, and takes the mutex then (LOCK).  In between others
 * may change and signal what it has waited for: it is late although it came.  TIMED_WAKE writes the
 * condition: it and a signal exclude each other in either order.  Its order with the signal comes
 * from that conflict, and it carries no detail. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"

typedef struct condition {
    hd_thread_set waiting;       /* not signalled yet */
    uint64_t mutex;              /* of those that wait */
    uint32_t is_vain, vain_site; /* the last signal: did nobody hear it, and where was it? */
    uint32_t mark, clock;
    uint64_t unused[2];
} condition;
_Static_assert(sizeof(condition) == sizeof(pthread_cond_t), "as the library's");

#define SIZE       ((uint32_t)sizeof(condition))
#define MUTEX_SIZE HD_MUTEX_SIZE
#define TOKEN_SIZE 1
#define MAX_CLOCK  16

static bool is_valid(const condition *c) {
    return c->is_vain <= 1 && c->mark == 0 && c->clock < MAX_CLOCK &&
           (c->unused[0] | c->unused[1]) == 0 && hd_set_is_valid(c->waiting);
}

static void check_valid(hd_machine *m, const condition *c) {
    if (!is_valid(c))
        hd_sync_end_invalid(m, c, "condition", c->mark);
}

static bool is_readable(const condition *c) {
    return hd_sync_is_plain(c, SIZE) && is_valid(c);
}

/* ---- waking up ---- */

/* Each wait of the program's text ends so once in every thread: a loop around it goes on waiting,
 * and would do so for ever. */
static bool may_be_spurious(hd_machine *m, const hd_sync_thread *t) {
    if (!m->options.spurious)
        return false;
    for (size_t i = 0; i < t->spurious.n; i++)
        if (t->spurious.at[i] == t->wait_site)
            return false;
    return true;
}

/* May the wait end without a signal, whenever it wants to? */
static bool could_leave(hd_machine *m, const hd_sync_thread *t) {
    return t->is_timed || may_be_spurious(m, t);
}

static bool may_leave(hd_machine *m, const hd_action *a, const hd_sync_thread *t) {
    return may_be_spurious(m, t) || (t->is_timed && hd_sync_may_time_out(m, a->thread, a->site));
}

bool hd_condition_is_enabled(hd_machine *m, const hd_action *a) {
    const hd_sync_thread *t = hd_sync_thread_of(m, a->thread);
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_WAKES) && t->condition && t->wait_mutex);
    bool has_cause = t->is_woken || hd_thread_is_cancelled(m, a->thread);
    if (a->kind == HD_DO_TIMED_WAKE)
        return has_cause || may_leave(m, a, t);
    return has_cause && hd_mutex_is_free((const void *)t->wait_mutex);
}

static void add_cancel_token(hd_machine *m, hd_action *a) {
    if (m->may.cancel)
        hd_action_also(a, HD_TOKEN_CANCEL(a->thread), TOKEN_SIZE, HD_MODE_READ, true);
}

/* Accesses of WAKE behind its mutex.  `leaves`: its thread takes itself out of the queue. */
static void set_wake_accesses(hd_machine *m, hd_action *a, const hd_sync_thread *t, bool leaves) {
    HD_CHECK(a->n_accesses && t->condition && a->kind == HD_DO_WAKE);
    a->n_accesses = 1;
    if (leaves)
        hd_action_also(a, t->condition, SIZE, HD_MODE_WRITE, true);
    else
        hd_action_also(a, HD_TOKEN_WOKEN(a->thread), TOKEN_SIZE, HD_MODE_READ, true);
    add_cancel_token(m, a);
}

static void settle_wake(hd_machine *m, hd_action *a) {
    const hd_sync_thread *t = hd_sync_thread_of(m, a->thread);
    if (a->kind == HD_DO_WAKE) {
        set_wake_accesses(m, a, t, !t->is_woken);
        return;
    }
    a->flags &= (uint8_t)~HD_ACTION_TIMEOUT;
    if (t->is_timed && !t->is_woken && !hd_thread_is_cancelled(m, a->thread))
        a->flags |= HD_ACTION_TIMEOUT;
}

/* A signal that nobody hears changes nothing. */
static void settle_signal(hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_SIGNALS) && a->n_accesses);
    const condition *c = (const condition *)hd_action_object(a);
    bool is_heard = !is_readable(c) || !hd_set_is_empty(c->waiting);
    a->access[0].mode = is_heard ? HD_MODE_WRITE : HD_MODE_READ;
}

void hd_condition_settle(hd_machine *m, hd_action *a) {
    if (a->kind == HD_DO_SIGNAL || a->kind == HD_DO_BROADCAST)
        settle_signal(a);
    else
        settle_wake(m, a);
}

/* ---- waiting ---- */

/* A thread is in one queue at a time; POSIX gives this no meaning either. */
static _Noreturn void end_nested(hd_machine *m) {
    hd_approximate_as(m, HD_LOSS_END, hd_caller_site(m, __builtin_frame_address(0)),
                      "a handler that waits for a condition inside of such a wait (executions end "
                      "there)");
    hd_end_rejected(m);
}

static void enter_queue(hd_machine *m, condition *c, void *mutex, bool is_timed) {
    uint32_t self = hd_thread_current(m);
    if (hd_sync_thread_of(m, self)->condition)
        end_nested(m);
    hd_action *a =
        hd_action_here(m, HD_DO_WAIT, HD_ACTION_RELEASES, mutex, MUTEX_SIZE, HD_MODE_WRITE);
    hd_action_also(a, (uint64_t)c, SIZE, HD_MODE_WRITE, true);
    hd_sync_turn(m, a, mutex, MUTEX_SIZE);
    hd_sync_check(m, c, SIZE);
    check_valid(m, c);
    if (!hd_set_is_empty(c->waiting) && c->mutex != (uint64_t)mutex)
        hd_sync_end(m, HD_FINDING_BAD_LOCK, "wait for", c, "condition",
                    " with another mutex than the threads that wait for it already");
    hd_mutex_give(m, mutex);
    c->waiting = hd_set_with(c->waiting, self);
    c->mutex = (uint64_t)mutex;
    hd_sync_thread *t = hd_sync_thread_of(m, self);
    HD_CHECK(t->condition == 0); /* it waits for one at a time */
    t->condition = (uint64_t)c;
    t->wait_mutex = (uint64_t)mutex;
    t->wait_site = a->site;
    t->is_woken = false;
    t->is_timed = is_timed;
    m->sync->n_held++;
}

/* Leaves it by itself: the condition still exists, or it was destroyed with a waiter. */
static void leave_queue(hd_machine *m, condition *c, hd_sync_thread *t) {
    hd_sync_check(m, c, SIZE);
    check_valid(m, c);
    c->waiting = hd_set_without(c->waiting, hd_thread_current(m));
    if (!t->is_timed && !hd_thread_is_cancelled(m, hd_thread_current(m)))
        hd_vec_push(&t->spurious, t->wait_site);
}

/* On Linux who is woken may find that it was cancelled, and end in its wait; another one that waits
 * has the signal then. */
static void say_both(hd_machine *m, const hd_sync_thread *t) {
    if (t->is_woken && hd_thread_is_cancelled(m, hd_thread_current(m)))
        hd_bound(m, t->wait_site, "a thread that is signalled is not cancelled in the same wait");
}

static void end_wait(hd_machine *m, condition *c) {
    hd_sync_thread *t = hd_sync_thread_of(m, hd_thread_current(m));
    say_both(m, t);
    if (!t->is_woken)
        leave_queue(m, c, t);
    HD_CHECK(t->condition == (uint64_t)c && m->sync->n_held > 0);
    t->condition = 0;
    m->sync->n_held--;
}

/* Answers what taking the mutex answered. */
static int wake_up(hd_machine *m, condition *c, void *mutex) {
    hd_action *a =
        hd_action_here(m, HD_DO_WAKE, HD_ACTION_WAITS | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES,
                       mutex, MUTEX_SIZE, HD_MODE_WRITE);
    set_wake_accesses(m, a, hd_sync_thread_of(m, hd_thread_current(m)), false);
    hd_sync_turn(m, a, mutex, MUTEX_SIZE);
    end_wait(m, c);
    return hd_mutex_take(m, mutex);
}

/* The condition may be gone when it was signalled: only who leaves by itself looks at it. */
static bool stop_waiting(hd_machine *m, condition *c) {
    hd_action *a = hd_action_here(m, HD_DO_TIMED_WAKE, HD_ACTION_WAITS | HD_ACTION_SETTLES, c, SIZE,
                                  HD_MODE_WRITE);
    add_cancel_token(m, a);
    bool is_late = hd_visible(m, a)->flags & HD_ACTION_TIMEOUT;
    end_wait(m, c);
    return is_late;
}

int hd_condition_wait(hd_machine *m, void *object, void *mutex, const struct timespec *when,
                      int clock) {
    struct timespec until = {0};
    if (when && hd_sync_read_time(m, when, clock, &until) != 0)
        return EINVAL;
    int result = hd_mutex_check_wait(m, mutex);
    if (result != 0)
        return result;
    enter_queue(m, object, mutex, when != NULL);
    bool leaves = could_leave(m, hd_sync_thread_of(m, hd_thread_current(m)));
    bool is_late = leaves && stop_waiting(m, object);
    if (is_late)
        hd_sync_note_timeout(m, &until, clock);
    result = leaves ? hd_mutex_lock(m, mutex) : wake_up(m, object, mutex);
    if (!hd_sync_thread_of(m, hd_thread_current(m))->is_woken)
        hd_thread_test_cancel(m); /* a signal is not lost to a cancelled thread */
    return result ? result : is_late ? ETIMEDOUT : 0;
}

/* ---- signalling ---- */

static void wake(hd_machine *m, uint32_t waiter) {
    hd_sync_thread *t = hd_sync_thread_of(m, waiter);
    hd_action *a = &m->threads.action[waiter];
    uint32_t self = hd_thread_current(m);
    t->is_woken = true;
    if (!could_leave(m, t))
        a->detail = self + 1, a->nth = hd_thread_n_events(m, self);
}

/* Threads that a signal may wake: a cancelled one takes no signal that another could have. */
static hd_thread_set candidates(hd_machine *m, const condition *c) {
    hd_thread_set all = c->waiting, best = all;
    uint32_t t;
    HD_SET_EACH(t, all)
    if (hd_thread_is_cancelled(m, t))
        best = hd_set_without(best, t);
    return hd_set_is_empty(best) ? all : best;
}

static uint32_t choose_waiter(hd_machine *m, const condition *c) {
    hd_thread_set from = candidates(m, c);
    uint32_t n = hd_set_count(from), t;
    uint32_t skip = n > 1 ? hd_thread_choice(m, n, "woken thread") : 0;
    HD_ASSERT(skip < n); /* somebody waits, and one of them is meant */
    HD_SET_EACH(t, from)
    if (skip-- == 0)
        return t;
    return hd_set_first(from);
}

static void signal_one(hd_machine *m, condition *c) {
    uint32_t waiter = choose_waiter(m, c);
    c->waiting = hd_set_without(c->waiting, waiter);
    wake(m, waiter);
}

static void signal_all(hd_machine *m, condition *c) {
    uint32_t t;
    HD_SET_EACH(t, c->waiting)
    wake(m, t);
    c->waiting = HD_SET_EMPTY;
}

int hd_condition_signal(hd_machine *m, void *object, bool all) {
    condition *c = object;
    hd_action *a = hd_action_here(m, all ? HD_DO_BROADCAST : HD_DO_SIGNAL, HD_ACTION_SETTLES, c,
                                  SIZE, HD_MODE_WRITE);
    hd_sync_turn(m, a, c, SIZE);
    check_valid(m, c);
    bool is_heard = !hd_set_is_empty(c->waiting);
    c->is_vain = !is_heard;
    c->vain_site = a->site;
    if (is_heard && all)
        signal_all(m, c);
    else if (is_heard)
        signal_one(m, c);
    return 0;
}

/* ---- reports ---- */

bool hd_condition_was_in_vain(uint64_t address, uint32_t *site) {
    const condition *c = (const condition *)address;
    *site = is_readable(c) ? c->vain_site : 0;
    return is_readable(c) && c->is_vain;
}

void hd_condition_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    const hd_sync_thread *t = hd_sync_thread_of(m, a->thread);
    uint32_t vain;
    if (t->is_woken) {
        hd_text_add(out, "was signalled, and waits for ");
        hd_sync_describe_object(m, t->wait_mutex, "mutex", out);
        hd_text_add(out, " held");
        hd_sync_describe_holders(m, t->wait_mutex, out);
        return;
    }
    HD_ASSERT(t->condition);
    hd_text_add(out, "waits for a signal of ");
    hd_sync_describe_object(m, t->condition, "condition", out);
    hd_text_add(out, " since ");
    hd_sync_describe_place(m, t->wait_site, out);
    if (!hd_condition_was_in_vain(t->condition, &vain))
        return;
    hd_text_add(out, "; it was signalled while nobody waited at ");
    hd_sync_describe_place(m, vain, out);
}

/* ---- life ---- */

void hd_condition_init(hd_machine *m, void *object, int clock) {
    HD_INVARIANT(Y3, is_valid(&(const condition){0}));
    hd_sync_change(m, object, SIZE);
    hd_sync_check_unused(m, (uint64_t)object, SIZE, HD_FINDING_BAD_LOCK, 0, "initialised");
    *(condition *)object = (condition){.clock = (uint32_t)clock};
}

void hd_condition_destroy(hd_machine *m, void *object) {
    condition *c = object;
    hd_sync_change(m, c, SIZE);
    check_valid(m, c);
    hd_sync_check_unused(m, (uint64_t)c, SIZE, HD_FINDING_DESTROYED_LOCKED, 0, "destroyed");
    c->mark = HD_MARK_DESTROYED;
}

int hd_condition_clock(const void *object) {
    const condition *c = object;
    return is_readable(c) ? (int)c->clock : CLOCK_REALTIME;
}

/* ---- the functions of the library ---- */

int hd_libc_pthread_cond_init(void *c, const int *attributes) {
    hd_machine *m = hd_sync_enter();
    int bits = 0;
    if (attributes)
        hd_library_get(m, &bits, attributes, sizeof bits);
    hd_condition_init(m, c, attributes ? bits >> 1 : CLOCK_REALTIME);
    return 0;
}

int hd_libc_pthread_cond_destroy(void *c) {
    hd_condition_destroy(hd_sync_enter(), c);
    return 0;
}

int hd_libc_pthread_cond_wait(void *c, void *mutex) {
    return hd_condition_wait(hd_sync_enter(), c, mutex, NULL, 0);
}

int hd_libc_pthread_cond_timedwait(void *c, void *mutex, const struct timespec *when) {
    return hd_condition_wait(hd_sync_enter(), c, mutex, when, hd_condition_clock(c));
}

int hd_libc_pthread_cond_clockwait(void *c, void *mutex, int clock, const struct timespec *when) {
    return hd_condition_wait(hd_sync_enter(), c, mutex, when, clock);
}

int hd_libc_pthread_cond_signal(void *c) {
    return hd_condition_signal(hd_sync_enter(), c, false);
}

int hd_libc_pthread_cond_broadcast(void *c) {
    return hd_condition_signal(hd_sync_enter(), c, true);
}

/* Attributes: bit 0 is "between processes", the others are the clock. */

int hd_libc_pthread_condattr_init(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    *attributes = 0;
    return 0;
}

int hd_libc_pthread_condattr_destroy(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    return 0;
}

int hd_libc_pthread_condattr_setclock(int *attributes, int clock) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    *attributes = (*attributes & 1) | clock << 1;
    return 0;
}

int hd_libc_pthread_condattr_getclock(const int *attributes, int *out) {
    hd_machine *m = hd_sync_enter();
    int bits, value;
    hd_library_get(m, &bits, attributes, sizeof bits);
    value = bits >> 1;
    hd_library_store(m, out, &value, sizeof value);
    return 0;
}

int hd_libc_pthread_condattr_setpshared(int *attributes, int shared) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    if (shared & ~1)
        return EINVAL;
    *attributes = (*attributes & ~1) | shared;
    return 0;
}

int hd_libc_pthread_condattr_getpshared(const int *attributes, int *out) {
    hd_machine *m = hd_sync_enter();
    int bits, value;
    hd_library_get(m, &bits, attributes, sizeof bits);
    value = bits & 1;
    hd_library_store(m, out, &value, sizeof value);
    return 0;
}
