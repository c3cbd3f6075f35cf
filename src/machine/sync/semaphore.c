/* Semaphores, unnamed and named.  A named one lies in memory that all processes share and has a
 * name in a table of the host; looking up a name conflicts with looking up any other. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"
#include "machine/tasks/shared.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>

typedef struct semaphore {
    uint32_t value, mark;
    uint64_t unused;
} semaphore;
_Static_assert(sizeof(semaphore) == HD_SEMAPHORE_SIZE && HD_SEMAPHORE_SIZE <= sizeof(sem_t),
               "it fits");

#define SIZE     ((uint32_t)sizeof(semaphore))
#define MAX_NAME 251

static bool is_valid(const semaphore *s) {
    return s->value <= SEM_VALUE_MAX && s->mark == 0 && s->unused == 0;
}

static void check_valid(hd_machine *m, const semaphore *s) {
    if (!is_valid(s))
        hd_sync_end_invalid(m, s, "semaphore", s->mark);
}

static int fail(int error) {
    hd_errno_set(hd_now, error);
    return -1;
}

/* ---- what an action would do ---- */

static bool is_open(const semaphore *s) {
    return !hd_sync_is_plain(s, SIZE) || !is_valid(s) || s->value > 0;
}

bool hd_semaphore_is_enabled(hd_machine *m, const hd_action *a) {
    if (is_open((const semaphore *)hd_action_object(a)))
        return true;
    return hd_thread_is_cancelled(m, a->thread) || hd_signal_ends_wait(m, a) ||
           (a->kind == HD_DO_SEMAPHORE_TRY && hd_sync_may_time_out(m, a->thread, a->site));
}

void hd_semaphore_settle(hd_machine *m, hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_COUNTS) && a->n_accesses);
    const semaphore *s = (const semaphore *)hd_action_object(a);
    a->state = hd_sync_is_plain(s, SIZE) ? s->value : 0;
    if (a->kind == HD_DO_SEMAPHORE_POST) {
        bool succeeds = a->state < SEM_VALUE_MAX;
        a->access[0].mode = succeeds ? HD_MODE_WRITE : HD_MODE_READ;
        a->flags = (uint8_t)((a->flags & ~HD_ACTION_FAILED) | (succeeds ? 0 : HD_ACTION_FAILED));
        return;
    }
    bool ends = a->flags & HD_ACTION_WAITS && hd_thread_is_cancelled(m, a->thread);
    hd_sync_settle_taking(a, is_open(s) && !ends);
    if (ends || (a->flags & HD_ACTION_WAITS && hd_signal_ends_wait(m, a)))
        a->flags &= (uint8_t)~HD_ACTION_TIMEOUT;
}

void hd_semaphore_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    hd_text_add(out, "waits for ");
    hd_sync_describe_object(m, hd_action_object(a), "semaphore", out);
    hd_text_add(out, ", whose value is 0");
}

/* ---- waiting and posting ---- */

/* Has its turn; answers whether the semaphore was taken. */
static bool try_to_take(hd_machine *m, semaphore *s, hd_action_kind kind, unsigned flags) {
    hd_action a = hd_action_on(m, kind, flags | HD_ACTION_ACQUIRES | HD_ACTION_SETTLES, s, SIZE,
                               HD_MODE_WRITE);
    if (flags & HD_ACTION_WAITS)
        hd_action_cancellable(m, &a);
    bool fails = hd_sync_turn(m, &a, s, SIZE)->flags & HD_ACTION_FAILED;
    check_valid(m, s);
    if (!fails && s->value) /* one that lay in an input is taken as free, and stays 0 */
        s->value--;
    return !fails;
}

/* Waits are where a cancelled thread ends, and where signals come in: Linux begins again after
 * handlers that allow it, but not if there is a time limit.  0, or why it was not taken. */
static int take(hd_machine *m, semaphore *s, hd_action_kind kind) {
    while (!try_to_take(m, s, kind, HD_ACTION_WAITS)) {
        hd_thread_test_cancel(m);
        if (!hd_signal_is_due(m, hd_thread_current(m)))
            return ETIMEDOUT;
        bool ends = hd_signals_interrupt(m, kind == HD_DO_SEMAPHORE_WAIT);
        hd_thread *t = &m->thread[hd_thread_current(m)]; /* another one in a child of a handler */
        int why = t->is_interrupted ? EINTR : ETIMEDOUT;
        t->is_interrupted = false;
        if (ends)
            return why;
    }
    return 0;
}

int hd_libc_sem_wait(void *s) {
    int why = take(hd_sync_enter(), s, HD_DO_SEMAPHORE_WAIT);
    HD_ASSERT(why != ETIMEDOUT);
    return why ? fail(why) : 0;
}

int hd_libc_sem_trywait(void *s) {
    return try_to_take(hd_sync_enter(), s, HD_DO_SEMAPHORE_TRY, 0) ? 0 : fail(EAGAIN);
}

int hd_libc_sem_clockwait(void *s, int clock, const struct timespec *when) {
    hd_machine *m = hd_sync_enter();
    struct timespec until;
    if (hd_sync_read_time(m, when, clock, &until) != 0)
        return fail(EINVAL);
    int why = take(m, s, HD_DO_SEMAPHORE_TRY);
    if (why == ETIMEDOUT)
        hd_sync_note_timeout(m, &until, clock);
    return why ? fail(why) : 0;
}

int hd_libc_sem_timedwait(void *s, const struct timespec *when) {
    return hd_libc_sem_clockwait(s, CLOCK_REALTIME, when);
}

int hd_libc_sem_post(void *object) {
    hd_machine *m = hd_sync_enter();
    semaphore *s = object;
    hd_action a = hd_action_on(m, HD_DO_SEMAPHORE_POST, HD_ACTION_RELEASES | HD_ACTION_SETTLES, s,
                               SIZE, HD_MODE_WRITE);
    bool fails = hd_sync_turn(m, &a, s, SIZE)->flags & HD_ACTION_FAILED;
    check_valid(m, s);
    if (fails)
        return fail(EOVERFLOW);
    s->value++;
    return 0;
}

int hd_libc_sem_getvalue(void *object, int *out) {
    hd_machine *m = hd_sync_enter();
    semaphore *s = object;
    hd_action a = hd_action_on(m, HD_DO_READ, 0, s, SIZE, HD_MODE_READ);
    hd_sync_turn(m, &a, s, SIZE);
    check_valid(m, s);
    int value = (int)s->value;
    hd_library_store(m, out, &value, sizeof value);
    return 0;
}

/* ---- life ---- */

int hd_libc_sem_init(void *object, int shared, unsigned value) {
    HD_INVARIANT(Y3, is_valid(&(const semaphore){0}));
    hd_machine *m = hd_sync_enter();
    (void)shared;
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    hd_sync_change(m, object, SIZE);
    *(semaphore *)object = (semaphore){.value = value};
    return 0;
}

static void check_no_waiter(hd_machine *m, const semaphore *s) {
    uint32_t each;
    HD_SET_EACH(each, m->threads.alive) {
        const hd_action *a = &m->threads.action[each];
        if (a->kind == HD_DO_SEMAPHORE_WAIT && hd_action_object(a) == (uint64_t)s && !is_open(s))
            hd_sync_end(m, HD_FINDING_DESTROYED_LOCKED, "destruction of", s, "semaphore",
                        " while a thread waits for it");
    }
}

int hd_libc_sem_destroy(void *object) {
    hd_machine *m = hd_sync_enter();
    semaphore *s = object;
    hd_sync_change(m, s, SIZE);
    check_valid(m, s);
    check_no_waiter(m, s);
    s->mark = HD_MARK_DESTROYED;
    return 0;
}

/* ---- names ---- */

void hd_semaphore_reset(hd_machine *m) {
    for (size_t i = 0; i < m->sync->names.n; i++)
        free(m->sync->names.at[i].name);
    hd_vec_clear(&m->sync->names);
}

static void change_names(hd_machine *m) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = HD_TOKEN_NAMES;
    hd_visible(m, &a);
}

static hd_named_semaphore *find_name(hd_machine *m, const char *name) {
    for (size_t i = 0; i < m->sync->names.n; i++) {
        hd_named_semaphore *n = &m->sync->names.at[i];
        if (n->name && strcmp(n->name, name) == 0)
            return n;
    }
    return NULL;
}

static hd_named_semaphore *make_named(hd_machine *m, const char *name, unsigned value) {
    semaphore fresh = {.value = value};
    void *s = (void *)hd_shared_alloc(m, sizeof fresh); /* other processes find it by its name */
    HD_ASSERT(value <= SEM_VALUE_MAX && !find_name(m, name));
    if (!s)
        hd_out_of_memory();
    *(semaphore *)s = fresh;
    char *copy = strdup(name);
    if (!copy)
        hd_out_of_memory();
    hd_vec_push(&m->sync->names, ((hd_named_semaphore){.name = copy, .address = (uint64_t)s}));
    return &m->sync->names.at[m->sync->names.n - 1];
}

static void *open_failed(int error) {
    fail(error);
    return SEM_FAILED;
}

/* `mode` and `value` are given with O_CREAT only. */
void *hd_libc_sem_open(const char *name, int flags, unsigned mode, unsigned value) {
    hd_machine *m = hd_sync_enter();
    (void)mode;
    name = hd_library_name(m, name);
    change_names(m);
    size_t n = strlen(name);
    if (n <= 1 || n > MAX_NAME || strchr(name + 1, '/'))
        return open_failed(n > MAX_NAME ? ENAMETOOLONG : EINVAL);
    hd_named_semaphore *s = find_name(m, name);
    if (s && flags & O_CREAT && flags & O_EXCL)
        return open_failed(EEXIST);
    if (!s && !(flags & O_CREAT))
        return open_failed(ENOENT);
    if (!s && value > SEM_VALUE_MAX)
        return open_failed(EINVAL);
    if (!s) {
        s = make_named(m, name, value);
        hd_time_change_common(m, "named semaphores");
    }
    if (!s->address)
        return open_failed(ENOMEM);
    HD_ASSERT(s->name); /* others are not found */
    s->n_open++;
    return (void *)s->address;
}

/* A named semaphore stays until it has no name and nobody has it open. */
static void forget_unused(hd_named_semaphore *s) {
    if (!s->name && s->n_open == 0 && s->address) {
        ((semaphore *)s->address)->mark = HD_MARK_DESTROYED;
        HD_ASSERT(hd_is_shared(s->address));
        s->address = 0;
    }
}

int hd_libc_sem_close(void *object) {
    hd_machine *m = hd_sync_enter();
    change_names(m);
    for (size_t i = 0; i < m->sync->names.n; i++) {
        hd_named_semaphore *s = &m->sync->names.at[i];
        if (s->address != (uint64_t)object || s->n_open == 0)
            continue;
        s->n_open--;
        forget_unused(s);
        return 0;
    }
    return fail(EINVAL);
}

int hd_libc_sem_unlink(const char *name) {
    hd_machine *m = hd_sync_enter();
    name = hd_library_name(m, name);
    change_names(m);
    hd_named_semaphore *s = find_name(m, name);
    if (!s)
        return fail(ENOENT);
    HD_ASSERT(s->address); /* who has a name is there */
    free(s->name);
    s->name = NULL;
    forget_unused(s);
    return 0;
}
