/* <threads.h> of C11, on the functions of pthreads: other names, other errors. */
#include "machine/sync/libc_sync.h"
#include "machine/sync/sync.h"
#include "machine/tasks/library.h"

#include <threads.h>

static int status_of(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* ---- threads ---- */

/* Both kinds of start functions return in the same register. */
int hd_libc_thrd_create(uint64_t *out, int (*function)(void *), void *argument) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_thread_start start = {.function = (void *(*)(void *))(void *)function,
                             .argument = (uint64_t)argument,
                             .argument_shadow = hd_argument(m, passed, 2)};
    hd_settle_argument(m, passed, 0);
    hd_settle_argument(m, passed, 1);
    hd_thread_create(m, out, &start);
    return thrd_success;
}

static void take_result(hd_machine *m, const hd_thread *t, int *out) {
    HD_ASSERT(t->has_ended && t->is_joined);
    hd_library_write(m, out, sizeof *out);
    hd_expr result = t->result_shadow;
    if (result && hd_expr_width(m->graph, result) > 32)
        result = hd_expr_extract(m->graph, result, 0, 32);
    *out = (int)t->result;
    hd_store_words(m, (uint64_t)out, sizeof *out, result);
}

int hd_libc_thrd_join(uint64_t thread, int *out) {
    hd_machine *m = hd_sync_enter();
    int error = hd_libc_pthread_join(thread, NULL);
    if (error == 0 && out)
        take_result(m, &m->thread[thread - HD_PTHREAD], out);
    return status_of(error);
}

int hd_libc_thrd_detach(uint64_t thread) {
    return status_of(hd_libc_pthread_detach(thread));
}

void hd_libc_thrd_exit(int result) {
    hd_machine *m = hd_enter();
    hd_shadow shadow = hd_argument(m, hd_take_arguments(m), 0);
    hd_thread_unwind(m, (uint32_t)result, shadow);
}

void hd_libc_thrd_yield(void) {
    hd_libc_sched_yield();
}

/* ---- mutexes ---- */

int hd_libc_mtx_init(void *x, int type) {
    hd_machine *m = hd_sync_enter();
    bool is_recursive = type == mtx_recursive || type == (mtx_timed | mtx_recursive);
    hd_mutex_init(m, x, is_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return thrd_success;
}

void hd_libc_mtx_destroy(void *x) {
    hd_mutex_destroy(hd_sync_enter(), x);
}

int hd_libc_mtx_lock(void *x) {
    return status_of(hd_mutex_lock(hd_sync_enter(), x));
}

int hd_libc_mtx_trylock(void *x) {
    return status_of(hd_mutex_try(hd_sync_enter(), x));
}

int hd_libc_mtx_timedlock(void *x, const struct timespec *when) {
    return status_of(hd_mutex_lock_until(hd_sync_enter(), x, when, CLOCK_REALTIME));
}

int hd_libc_mtx_unlock(void *x) {
    return status_of(hd_mutex_unlock(hd_sync_enter(), x));
}

/* ---- conditions ---- */

int hd_libc_cnd_init(void *c) {
    hd_condition_init(hd_sync_enter(), c, CLOCK_REALTIME);
    return thrd_success;
}

void hd_libc_cnd_destroy(void *c) {
    hd_condition_destroy(hd_sync_enter(), c);
}

int hd_libc_cnd_wait(void *c, void *mutex) {
    return status_of(hd_condition_wait(hd_sync_enter(), c, mutex, NULL, 0));
}

int hd_libc_cnd_timedwait(void *c, void *mutex, const struct timespec *when) {
    return status_of(hd_condition_wait(hd_sync_enter(), c, mutex, when, CLOCK_REALTIME));
}

int hd_libc_cnd_signal(void *c) {
    return status_of(hd_condition_signal(hd_sync_enter(), c, false));
}

int hd_libc_cnd_broadcast(void *c) {
    return status_of(hd_condition_signal(hd_sync_enter(), c, true));
}

/* ---- the rest ---- */

void hd_libc_call_once(void *control, void (*function)(void)) {
    hd_once_run(hd_sync_enter(), control, function);
}

int hd_libc_tss_create(uint32_t *out, void (*destructor)(void *)) {
    return status_of(hd_libc_pthread_key_create(out, destructor));
}

int hd_libc_tss_set(uint32_t key, void *value) {
    return status_of(hd_libc_pthread_setspecific(key, value));
}

void hd_libc_tss_delete(uint32_t key) {
    hd_libc_pthread_key_delete(key);
}
