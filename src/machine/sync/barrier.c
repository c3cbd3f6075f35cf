/* Barriers: arriving is one action, leaving another, which waits for the generation to be complete.
 *
 * Arrivals of one generation commute.  POSIX tells any one of the threads that it is the serial
 * one: here it is the first to ask, which is an action of its own and so is every one of them in
 * some order.  If no call looks at the answer (compiler/serial.c), nobody asks. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"

typedef struct barrier {
    uint32_t needed; /* 0: never initialised */
    uint32_t n_arrived, generation, mark;
    hd_thread_set arrived; /* of this generation */
} barrier;
_Static_assert(sizeof(barrier) == HD_BARRIER_SIZE && HD_BARRIER_SIZE <= sizeof(pthread_barrier_t),
               "it fits");

#define SIZE ((uint32_t)sizeof(barrier))

static bool is_valid(const barrier *b) {
    return b->needed && b->n_arrived < b->needed && b->mark == 0 && hd_set_is_valid(b->arrived);
}

static void check_valid(hd_machine *m, const barrier *b) {
    HD_CHECK_INVARIANT(Y3, !is_valid(&(const barrier){0}));
    if (!is_valid(b))
        hd_sync_end_invalid(m, b, "barrier", b->mark);
}

/* The barrier may be gone when the last ones leave it. */
bool hd_barrier_is_enabled(hd_machine *m, const hd_action *a) {
    return hd_sync_thread_of(m, a->thread)->is_released;
}

/* Whoever asks later only reads that it was somebody else. */
void hd_barrier_settle_serial(hd_machine *m, hd_action *a) {
    bool is_late =
        hd_sync_thread_of(m, hd_sync_thread_of(m, a->thread)->lowest)->n_asked > a->detail;
    a->access[0].mode = is_late ? HD_MODE_READ : HD_MODE_WRITE;
    a->flags = (uint8_t)((a->flags & ~HD_ACTION_FAILED) | (is_late ? HD_ACTION_FAILED : 0));
}

void hd_barrier_settle(hd_machine *m, hd_action *a) {
    HD_CHECK(a->n_accesses && a->access[0].mode == HD_MODE_ARRIVE);
    const barrier *b = (const barrier *)hd_action_object(a);
    (void)m;
    bool is_plain = hd_sync_is_plain(b, SIZE);
    a->detail = is_plain ? b->generation : 0;
    a->state = is_plain ? b->n_arrived : 0;
    a->expected = is_plain ? b->needed : 0;
}

static void complete(hd_machine *m, barrier *b) {
    uint32_t lowest = hd_set_first(b->arrived);
    HD_ASSERT(lowest < HD_MAX_THREADS);
    uint32_t meeting = hd_sync_thread_of(m, lowest)->n_meetings++;
    uint32_t each;
    HD_SET_EACH(each, b->arrived) {
        hd_sync_thread *t = hd_sync_thread_of(m, each);
        t->is_released = true;
        t->lowest = lowest;
        t->meeting = meeting;
    }
    b->generation++;
    b->n_arrived = 0;
    b->arrived = HD_SET_EMPTY;
}

static uint32_t arrive(hd_machine *m, barrier *b) {
    hd_action a = hd_action_on(m, HD_DO_ARRIVE, HD_ACTION_SETTLES, b, SIZE, HD_MODE_ARRIVE);
    hd_sync_turn(m, &a, b, SIZE);
    check_valid(m, b);
    uint32_t generation = b->generation, self = hd_thread_current(m);
    hd_sync_thread *t = hd_sync_thread_of(m, self);
    t->is_released = false;
    b->arrived = hd_set_with(b->arrived, self);
    if (++b->n_arrived == b->needed)
        complete(m, b);
    return generation;
}

/* Threads that ignore the answer ask too if others use it: they may be the serial one. */
static int ask_who_is_serial(hd_machine *m) {
    const hd_sync_thread *t = hd_sync_thread_of(m, hd_thread_current(m));
    uint32_t lowest = t->lowest, meeting = t->meeting;
    HD_ASSERT(t->is_released && meeting < hd_sync_thread_of(m, lowest)->n_meetings);
    hd_action a = hd_action_on(m, HD_DO_SERIAL, HD_ACTION_SETTLES,
                               (void *)HD_TOKEN_SERIAL(lowest, meeting), 1, HD_MODE_WRITE);
    a.detail = meeting;
    if (hd_visible(m, &a)->flags & HD_ACTION_FAILED)
        return 0;
    HD_ASSERT(hd_sync_thread_of(m, lowest)->n_asked <= meeting); /* nobody was before */
    hd_sync_thread_of(m, lowest)->n_asked = meeting + 1;
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

int hd_libc_pthread_barrier_wait(void *b) {
    hd_machine *m = hd_sync_enter();
    uint32_t generation = arrive(m, b);
    hd_action a = hd_action_on(m, HD_DO_LEAVE, HD_ACTION_WAITS, b, SIZE, HD_MODE_LEAVE);
    a.detail = generation;
    hd_visible(m, &a);
    return m->may.ask_for_serial ? ask_who_is_serial(m) : 0;
}

int hd_libc_barrier_meet(void *b) {
    return hd_libc_pthread_barrier_wait(b);
}

/* "waits at barrier 'b' for 2 more threads" */
void hd_barrier_describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    const barrier *b = (const barrier *)hd_action_object(a);
    hd_text_add(out, "waits at ");
    hd_sync_describe_object(m, (uint64_t)b, "barrier", out);
    if (!hd_sync_is_plain(b, SIZE) || !is_valid(b))
        return;
    uint32_t n = b->needed - b->n_arrived;
    hd_text_add(out, " for %u more thread%s", n, n == 1 ? "" : "s");
}

/* ---- life ---- */

/* A local variable, or a block of the heap, may have been another barrier before, which nobody had
 * to destroy; a global variable is always the same one. */
static void check_new(hd_machine *m, const barrier *b) {
    uint64_t at = (uint64_t)b;
    bool is_global = at >= m->module->data_start && at < m->module->data_end;
    if (is_valid(b) && (b->n_arrived || is_global))
        hd_sync_end(m, HD_FINDING_BAD_LOCK, "initialisation of", b, "barrier",
                    b->n_arrived ? " while threads wait at it" : ", which is in use already");
}

int hd_libc_pthread_barrier_init(void *object, const void *attributes, unsigned needed) {
    hd_machine *m = hd_sync_enter();
    (void)attributes;
    if (needed == 0)
        return EINVAL;
    hd_sync_change(m, object, SIZE);
    check_new(m, object);
    *(barrier *)object = (barrier){.needed = needed};
    return 0;
}

int hd_libc_pthread_barrier_destroy(void *object) {
    hd_machine *m = hd_sync_enter();
    barrier *b = object;
    hd_sync_change(m, b, SIZE);
    check_valid(m, b);
    if (b->n_arrived)
        hd_sync_end(m, HD_FINDING_DESTROYED_LOCKED, "destruction of", b, "barrier",
                    " while threads wait at it");
    b->mark = HD_MARK_DESTROYED;
    return 0;
}

int hd_libc_pthread_barrierattr_init(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    *attributes = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int hd_libc_pthread_barrierattr_destroy(int *attributes) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    return 0;
}

int hd_libc_pthread_barrierattr_setpshared(int *attributes, int shared) {
    hd_library_write(hd_sync_enter(), attributes, sizeof *attributes);
    hd_sync_check(hd_now, attributes, sizeof *attributes);
    if (shared & ~1)
        return EINVAL;
    *attributes = shared;
    return 0;
}

int hd_libc_pthread_barrierattr_getpshared(const int *attributes, int *out) {
    hd_machine *m = hd_sync_enter();
    int shared;
    hd_library_get(m, &shared, attributes, sizeof shared);
    hd_library_store(m, out, &shared, sizeof shared);
    return 0;
}
