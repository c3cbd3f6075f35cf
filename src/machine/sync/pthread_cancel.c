/* Cancellation, and the handlers that run when a thread ends before its time.
 *
 * A cancelled thread ends where POSIX says that it may: in a wait, or where it asks.  C programs
 * push their handlers as buffers of __sigsetjmp (glibc's <pthread.h>): to run them is to jump
 * there, and each jumps on to the next through __pthread_unwind_next. */
#include "machine/sync/libc_sync.h"
#include "machine/tasks/library.h"
#include "machine/tasks/process.h"
#include "machine/tasks/threads.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>

static hd_thread *running(hd_machine *m) {
    return &m->thread[m->threads.current];
}

bool hd_thread_is_cancelled(const hd_machine *m, uint32_t t) {
    HD_CHECK(t < HD_MAX_THREADS);
    return m->thread[t].is_cancelled && !m->thread[t].ignores_cancel;
}

void hd_action_cancellable(hd_machine *m, hd_action *a) {
    uint32_t me = m->threads.current;
    if (m->may.cancel && a->n_accesses < HD_MAX_ACCESSES)
        hd_action_also(a, HD_TOKEN_CANCEL(me), 1, HD_MODE_READ, true);
}

void hd_thread_test_cancel(hd_machine *m) {
    hd_thread *t = running(m);
    if (!hd_thread_is_cancelled(m, m->threads.current))
        return;
    HD_ASSERT(m->may.cancel && !t->has_ended);
    t->ignores_cancel = true; /* it is being done */
    hd_thread_unwind(m, (uint64_t)PTHREAD_CANCELED, HD_NONE);
}

void hd_cancellation_point(hd_machine *m) {
    if (!m->may.cancel)
        return;
    uint64_t token = HD_TOKEN_CANCEL(m->threads.current);
    hd_action a = hd_action_on(m, HD_DO_NONE, 0, (const void *)token, 1, HD_MODE_READ);
    hd_visible(m, &a);
    hd_thread_test_cancel(m);
}

int hd_libc_pthread_cancel(uint64_t value) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    uint32_t target = hd_thread_index(m, value, "pthread_cancel");
    hd_action a =
        hd_action_on(m, HD_DO_CANCEL, 0, (const void *)HD_TOKEN_CANCEL(target), 1, HD_MODE_WRITE);
    a.detail = target;
    hd_visible(m, &a);
    HD_ASSERT(m->may.cancel); /* or nobody would be looking */
    if (m->thread[target].is_joined)
        hd_end_finding(m, HD_FINDING_BAD_THREAD, a.site,
                       "thread %u is cancelled, but it was joined before", target);
    m->thread[target].is_cancelled = true;
    return 0;
}

void hd_libc_pthread_testcancel(void) {
    hd_cancellation_point(hd_enter());
}

static void write_old(hd_machine *m, int *old, int value) {
    if (old)
        hd_library_store(m, old, &value, sizeof value);
}

int hd_libc_pthread_setcancelstate(int state, int *old) {
    hd_machine *m = hd_enter();
    hd_thread *t = running(m);
    hd_settle_arguments(m);
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    write_old(m, old, t->ignores_cancel ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE);
    t->ignores_cancel = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

/* A thread that may be cancelled anywhere still ends at cancellation points only: said. */
int hd_libc_pthread_setcanceltype(int type, int *old) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    write_old(m, old, PTHREAD_CANCEL_DEFERRED);
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        hd_bound_call(m, "asynchronous cancellation takes place at cancellation points only");
    return 0;
}

/* ---- handlers ---- */

void hd_libc_register_cancel(__pthread_unwind_buf_t *buffer) {
    hd_machine *m = hd_enter();
    hd_thread *t = running(m);
    hd_take_arguments(m);
    hd_check_range(m, (uint64_t)buffer, sizeof *buffer, true, 0);
    buffer->__pad[0] = (void *)t->cleanup;
    t->cleanup = (uint64_t)buffer;
}

void hd_libc_unregister_cancel(__pthread_unwind_buf_t *buffer) {
    hd_machine *m = hd_enter();
    hd_take_arguments(m);
    running(m)->cleanup = (uint64_t)buffer->__pad[0];
}

/* The bytes of a stack from the first border of an object that others can see to the last. */
static hd_range objects_between(uint64_t low, uint64_t top) {
    HD_ASSERT(low <= top);
    hd_range found = {0, 0};
    for (uint64_t at = low; at < top; at++)
        if (*HD_SHADOW_OF(at) == HD_POISON_LOCAL) {
            found.address = found.address ? found.address : at;
            found.n = at - found.address;
        }
    return found;
}

/* Nobody returns from the functions that the thread is in, so that their locals end here, for
 * others too: a write to all of them, as when they return. */
static void leave_frames(hd_machine *m, uint64_t low) {
    hd_thread *t = running(m);
    hd_range shared = objects_between(low, t->stack_top);
    if (t->has_borrowed_stack)
        return;
    HD_ASSERT(low >= t->stack_bottom && low <= t->stack_top);
    if (m->registers->is_threaded && shared.n)
        __hd_slow_shared((const void *)shared.address, (uint32_t)shared.n, HD_SHARED_WRITE, 0);
    hd_poison(low, t->stack_top - low, HD_POISON_RETURNED);
}

/* Destructors of keys may still use the locals. */
static _Noreturn void end_by_unwinding(hd_machine *m) {
    hd_thread *t = running(m);
    hd_keys_run_destructors(m);
    leave_frames(m, (uint64_t)__builtin_frame_address(0));
    hd_thread_end(m, t->result, t->result_shadow);
}

static _Noreturn void run_next_cleanup(hd_machine *m) {
    hd_thread *t = running(m);
    uint64_t buffer = t->cleanup;
    if (!buffer)
        end_by_unwinding(m);
    t->cleanup = (uint64_t)((__pthread_unwind_buf_t *)buffer)->__pad[0];
    hd_memory_forget_frames(t);
    siglongjmp((struct __jmp_buf_tag *)buffer, 1); /* it starts like a jmp_buf */
}

void hd_libc_unwind_next(__pthread_unwind_buf_t *buffer) {
    hd_machine *m = hd_enter();
    (void)buffer;
    hd_take_arguments(m);
    run_next_cleanup(m);
}

void hd_thread_unwind(hd_machine *m, uint64_t result, hd_shadow shadow) {
    hd_thread *t = running(m);
    t->result = result;
    t->result_shadow = shadow;
    run_next_cleanup(m);
}
