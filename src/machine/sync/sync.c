/* Synchronisation objects: what all kinds share, and which kind of lock an action is about.
 *
 * It does not say whether its lock is a mutex, a spinlock or an rwlock: their sizes
 * differ, and the size is in its first access. */
#include "machine/sync/sync.h"
#include "machine/core/parts.h"
#include "machine/tasks/library.h"
#include "machine/tasks/threads.h"
#include "machine/tasks/time_order.h"

#define DEFAULT_TIMEOUTS 2

/* ---- life ---- */

/* Of a thread's record, what is no list. */
#define PLAIN_FROM offsetof(hd_sync_thread, condition)
#define PLAIN_SIZE (sizeof(hd_sync_thread) - PLAIN_FROM)

static void clear_thread(hd_sync_thread *t) {
    hd_vec_clear(&t->held);
    hd_vec_clear(&t->spurious);
    memset((char *)t + PLAIN_FROM, 0, PLAIN_SIZE);
}

void hd_sync_reset(hd_machine *m) {
    if (!m->sync && !(m->sync = calloc(1, sizeof *m->sync)))
        hd_out_of_memory();
    hd_sync *s = m->sync;
    HD_ASSERT(s->n_threads <= HD_MAX_THREADS);
    for (uint32_t i = 0; i < s->n_threads; i++)
        clear_thread(&s->thread[i]);
    s->n_threads = s->n_held = 0;
    s->has_said_bound = s->is_asking = false;
    hd_semaphore_reset(m);
}

static void begin(hd_machine *m) {
    if (m->may.create || m->sync)
        hd_sync_reset(m);
    HD_INVARIANT(H1, !m->sync || (!m->sync->n_held && !m->sync->names.n)); /* threads.h */
}

static void release(hd_machine *m) {
    hd_sync *s = m->sync;
    if (!s)
        return;
    for (uint32_t i = 0; i < m->records.n; i++) {
        hd_vec_release(&s->thread[i].held);
        hd_vec_release(&s->thread[i].spurious);
    }
    hd_semaphore_reset(m);
    hd_vec_release(&s->names);
    hd_lock_order_free(s->order);
    free(s);
    m->sync = NULL;
}

/* What a dead thread holds stays locked, unless the lock was made for that. */
static void end_thread(hd_machine *m, uint32_t t) {
    if (!m->sync)
        return;
    hd_sync_thread *thread = hd_sync_thread_of(m, t);
    for (size_t i = thread->held.n; i-- > 0;) {
        hd_held held = thread->held.at[i];
        HD_ASSERT(held.kind < HD_N_LOCKS && held.depth);
        hd_locks[held.kind].abandon(m, (void *)held.object);
    }
}

/* Robust mutexes that a process ends with are given back by the thread that ends it, if that is who
 * holds them: an event of its own, as at the end of a thread.  What else holds them was stopped
 * somewhere, and has no turn any more: nobody knows how to go on from there. */
static void give_back(hd_machine *m, uint32_t t, void *mutex) {
    if (t == hd_thread_current(m)) {
        hd_mutex_owner_died(m, mutex);
        return;
    }
    hd_approximate_as(m, HD_LOSS_END, m->threads.action[hd_thread_current(m)].site,
                      "the end of a process beside a thread that holds a robust mutex");
    hd_end_rejected(m);
}

/* Locks that only the process itself can see are gone with it. */
static void end_process(hd_machine *m, uint32_t process, bool is_killed) {
    uint32_t t;
    (void)is_killed;
    HD_SET_EACH(t, m->sync ? hd_process_at(m, process)->threads : HD_SET_EMPTY) {
        const hd_sync_thread *thread = hd_sync_thread_of(m, t);
        for (size_t i = thread->held.n; i-- > 0;) {
            uint64_t object = thread->held.at[i].object;
            if (hd_is_shared(object) && thread->held.at[i].kind == HD_LOCK_MUTEX &&
                hd_mutex_is_robust((void *)object))
                give_back(m, t, (void *)object);
        }
    }
}

static void visit(hd_machine *m, hd_visitor *v) {
    hd_sync *s = m->sync;
    if (!s)
        return;
    hd_visit_extent(v, &s->n_threads, m->records.n);
    hd_visit_bytes(v, &s->n_held, sizeof s->n_held);
    hd_visit_bytes(v, &s->has_said_bound, sizeof s->has_said_bound);
    hd_visit_bytes(v, &s->is_asking, sizeof s->is_asking);
    for (uint32_t i = 0; i < m->records.n; i++) {
        hd_visit_list(v, &s->thread[i].held);
        hd_visit_list(v, &s->thread[i].spurious);
        hd_visit_bytes(v, (char *)&s->thread[i] + PLAIN_FROM, PLAIN_SIZE);
    }
}

/* Names are of the host. */
static bool is_simple(const hd_machine *m) {
    if (!m->sync || m->sync->names.n)
        return false;
    for (uint32_t i = 0; i < m->sync->n_threads; i++)
        if (m->sync->thread[i].spurious.n)
            return false;
    return true;
}

/* Objects of synchronisation are memory of the program; beside them is who holds what. */
static void keep(hd_machine *m, hd_keeper *k) {
    hd_sync *s = m->sync;
    hd_keep(k, s, offsetof(hd_sync, names));
    for (uint32_t i = 0; i < s->n_threads; i++) {
        hd_sync_thread *t = &s->thread[i];
        HD_ASSERT(!t->spurious.n); /* is_simple */
        hd_keep(k, (char *)t + PLAIN_FROM, PLAIN_SIZE);
        hd_keep_aside(k, &t->held.n, sizeof t->held.n);
        hd_keep_aside(k, t->held.at, t->held.n * sizeof *t->held.at);
    }
}

static void restore(hd_machine *m, hd_keeper *k) {
    for (uint32_t i = 0; i < m->sync->n_threads; i++) {
        hd_sync_thread *t = &m->sync->thread[i];
        hd_bring_back(k, &t->held.n, sizeof t->held.n);
        HD_ASSERT(t->held.n <= m->sync->n_held);
        hd_vec_reserve(&t->held, t->held.n);
        hd_bring_back(k, t->held.at, t->held.n * sizeof *t->held.at);
    }
}

const hd_part hd_part_sync = {"sync",
                              {begin, NULL, release, visit},
                              {is_simple, keep, restore},
                              HD_PART_NOT_ISOLATED,
                              {hd_sync_tell_held, end_thread, NULL, end_process, NULL, NULL}};

/* ---- turns ---- */

hd_machine *hd_sync_enter(void) {
    hd_machine *m = hd_enter_uncounted(); /* by events, or not for recalled threads */
    hd_note_look(m);
    if (!m->sync)
        hd_sync_reset(m);
    hd_settle_arguments(m);
    return m;
}

/* An object within an input has bytes that could be anything: taken as a free one. */
void hd_sync_make_plain(hd_machine *m, const void *object, uint32_t n) {
    hd_check_range(m, (uint64_t)object, n, true, 0);
    hd_define_memory(m, object, n, NULL);
    if (hd_sync_is_plain(object, n))
        return;
    hd_approximate_call(m, "synchronisation object in an input (taken as free)");
    memset((void *)object, 0, n);
    hd_unpoison((uint64_t)object, n);
    HD_ASSERT(hd_sync_is_plain(object, n));
}

void hd_sync_change(hd_machine *m, const void *object, uint32_t n) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, object, n, HD_MODE_WRITE);
    hd_sync_turn(m, &a, object, n);
}

void hd_sync_settle_taking(hd_action *a, bool succeeds) {
    HD_INVARIANT(E4, a->flags & HD_ACTION_SETTLES && a->n_accesses > 0);
    unsigned failed = HD_ACTION_FAILED | (a->flags & HD_ACTION_WAITS ? HD_ACTION_TIMEOUT : 0);
    a->flags &= (uint8_t)~(HD_ACTION_FAILED | HD_ACTION_TIMEOUT | HD_ACTION_ACQUIRES);
    a->flags |= (uint8_t)(succeeds ? HD_ACTION_ACQUIRES : failed);
    a->access[0].mode = succeeds ? HD_MODE_WRITE : HD_MODE_READ;
}

/* ---- timeouts ---- */

static bool others_can_go_on(hd_machine *m, uint32_t t) {
    uint32_t other;
    HD_SET_EACH(other, hd_set_without(m->threads.alive, t)) {
        const hd_action *a = &m->threads.action[other];
        /* The end of the program waits for the others, but not for their timeouts. */
        if (!(a->flags & HD_ACTION_WAITS) || hd_kind_is(a->kind, HD_KIND_ENDS) ||
            hd_thread_is_enabled(m, other))
            return true;
    }
    return false;
}

static void say_bound(hd_machine *m, uint32_t site, uint32_t most) {
    if (m->sync->has_said_bound)
        return;
    m->sync->has_said_bound = true;
    hd_bound(m, site, "a thread times out at most %u times while others can go on", most);
}

static uint32_t most_timeouts(const hd_machine *m) {
    return m->options.max_timeouts ? m->options.max_timeouts : DEFAULT_TIMEOUTS;
}

bool hd_sync_has_timeouts_left(hd_machine *m, uint32_t t) {
    return hd_sync_thread_of(m, t)->n_timeouts < most_timeouts(m);
}

/* A timeout can come at any moment, but a loop around a timed wait must not run for ever: after
 * some, a thread times out only when there is nothing else left to happen. */
bool hd_sync_may_time_out(hd_machine *m, uint32_t t, uint32_t site) {
    if (hd_time_orders(m))
        return hd_time_is_up(m, t);
    if (hd_sync_has_timeouts_left(m, t))
        return true;
    if (m->sync->is_asking)
        return false;
    HD_ASSERT(t < m->threads.n);
    m->sync->is_asking = true;
    bool waits = others_can_go_on(m, t);
    m->sync->is_asking = false;
    if (waits)
        say_bound(m, site, most_timeouts(m));
    return !waits;
}

void hd_sync_note_timeout(hd_machine *m, const struct timespec *when, int clock) {
    HD_ASSERT(when->tv_nsec >= 0 && when->tv_nsec < 1000000000); /* as hd_sync_read_time has it */
    hd_sync_thread_of(m, hd_thread_current(m))->n_timeouts++;
    hd_clock_reach(m, clock, when);
}

int hd_sync_read_time(hd_machine *m, const struct timespec *when, int clock, struct timespec *out) {
    hd_library_get(m, out, when, sizeof *out);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    if (out->tv_nsec < 0 || out->tv_nsec >= 1000000000)
        return EINVAL;
    if (hd_time_orders(m))
        hd_wait_until(m, hd_clock_until(clock, out));
    return 0;
}

/* ---- which lock ---- */

const hd_lock hd_locks[HD_N_LOCKS] = {
#define X(name, words, bytes, taking, enabled, settle, abandon)                                    \
    [HD_LOCK_##name] = {words, bytes, HD_DO_##taking, enabled, settle, abandon},
    HD_LOCKS(X)
#undef X
};

/* Nobody will ever have it. */
void hd_lock_stays(hd_machine *m, void *object) {
    (void)m, (void)object;
}

/* Locks that are taken by LOCK or TRY_LOCK differ in size; those that are taken in other ways have
 * rows of their own in the table of kinds, and may be as big as others. */
static inline const hd_lock *lock_of(const hd_action *a) {
    uint32_t size = a->access[0].size;
#define X(name, words, bytes, taking, ...)                                                         \
    if (HD_DO_##taking == HD_DO_LOCK && size == (bytes))                                           \
        return &hd_locks[HD_LOCK_##name];
    HD_LOCKS(X)
#undef X
    HD_BUG("no lock has %u bytes", size);
}

bool hd_can_lock(hd_machine *m, const hd_action *a) {
    return lock_of(a)->is_enabled(m, a);
}

void hd_settle_lock(hd_machine *m, hd_action *a) {
    lock_of(a)->settle(m, a);
}

void hd_describe_lock(hd_machine *m, const hd_action *a, hd_text *out) {
    hd_sync_describe_lock_wait(m, a, lock_of(a)->words, out);
}
