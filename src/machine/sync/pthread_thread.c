/* pthread_create and what else there is to do with threads: joins, detaching, attributes. */
#include "machine/core/kinds.h"
#include "machine/sync/libc_sync.h"
#include "machine/tasks/library.h"
#include "machine/tasks/recall.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/threads.h"

#include <errno.h>
#include <pthread.h>

/* ---- the program's memory ---- */

/* Attributes of threads, in the program's pthread_attr_t. */
typedef struct attributes {
    uint64_t magic;
    int32_t is_detached, scope, inherits, policy;
    uint64_t stack_size, guard_size;
} attributes;
#define ATTRIBUTES         UINT64_C(0x61747472696274)
#define DEFAULT_STACK_SIZE (UINT64_C(8) << 20)
_Static_assert(sizeof(attributes) <= sizeof(pthread_attr_t), "attributes fit");

static attributes attributes_at(hd_machine *m, const void *p, const char *function) {
    attributes a;
    hd_library_get(m, &a, p, sizeof a);
    if (a.magic != ATTRIBUTES)
        hd_end_finding(m, HD_FINDING_BAD_THREAD, 0,
                       "%s is called with attributes that were not initialised", function);
    return a;
}

/* ---- life ---- */

int hd_libc_pthread_create(uint64_t *out, void *attr, void *(*function)(void *), void *argument) {
    hd_machine *m = hd_enter_uncounted();
    uint64_t passed = hd_take_arguments(m);
    hd_thread_start start = {.function = function,
                             .argument = (uint64_t)argument,
                             .argument_shadow = hd_argument(m, passed, 3)};
    for (unsigned i = 0; i < 3; i++)
        hd_settle_argument(m, passed, i);
    if (attr)
        start.is_detached = attributes_at(m, attr, "pthread_create").is_detached;
    hd_thread_check_limit(m);
    hd_thread_create(m, out, &start);
    return 0;
}

static hd_action *action_on_thread(hd_machine *m, hd_action_kind kind, unsigned flags,
                                   uint32_t target) {
    HD_ASSERT(target < m->threads.n);
    hd_action *a =
        hd_action_here(m, kind, flags, (const void *)HD_TOKEN_CANCEL(target), 1, HD_MODE_WRITE);
    a->detail = target;
    return a;
}

bool hd_can_join(hd_machine *m, const hd_action *a) {
    HD_CHECK(a->detail < m->threads.n && m->thread[a->detail].is_used);
    return m->thread[a->detail].has_ended || m->thread[a->detail].is_detached ||
           hd_thread_is_cancelled(m, a->thread) || hd_signal_is_due(m, a->thread);
}

void hd_settle_join(hd_machine *m, hd_action *a) {
    HD_CHECK(a->detail < m->threads.n && m->thread[a->detail].is_used);
    const hd_thread *t = &m->thread[a->detail];
    bool is_early =
        t->is_detached || hd_thread_is_cancelled(m, a->thread) || hd_signal_is_due(m, a->thread);
    a->state = (t->has_ended ? HD_JOIN_ENDED : 0) | (is_early ? HD_JOIN_EARLY : 0);
}

void hd_describe_join(hd_machine *m, const hd_action *a, hd_text *out) {
    (void)m;
    hd_text_add(out, "waits for thread %u to end", a->detail);
}

static void check_joinable(hd_machine *m, uint32_t target, const char *verb, uint32_t site) {
    const hd_thread *t = &m->thread[target];
    if (t->is_joined || t->is_detached)
        hd_end_finding(m, HD_FINDING_BAD_THREAD, site, "thread %u is %s, but it was %s before",
                       target, verb, t->is_joined ? "joined" : "detached");
}

static void take_result(hd_machine *m, const hd_thread *t, uint64_t *out) {
    HD_ASSERT(t->has_ended);
    hd_check_range(m, (uint64_t)out, sizeof *out, true, 0);
    *out = t->result;
    hd_store_words(m, (uint64_t)out, sizeof *out, t->result_shadow);
}

static void finish_join(hd_machine *m, uint32_t target, uint64_t *out, uint32_t site) {
    hd_thread *t = &m->thread[target];
    check_joinable(m, target, "joined", site);
    t->is_joined = true;
    if (m->running.virtual_time < t->virtual_time)
        m->running.virtual_time = t->virtual_time;
    if (out)
        take_result(m, t, out);
    HD_ASSERT(m->process.n_unjoined > 1); /* this thread and the other one */
    if (--m->process.n_unjoined == 1) {
        m->registers->is_threaded &= ~UINT64_C(1);
        if (m->call.is_followed)
            hd_recall_watch(m);
    }
}

/* The end of the target, or a reason to go on without it; where that is. */
static uint32_t wait_for_end(hd_machine *m, uint32_t target, uint64_t *out) {
    unsigned settles = m->may.tell_ends ? HD_ACTION_SETTLES : 0;
    hd_action *a = action_on_thread(m, HD_DO_JOIN, HD_ACTION_WAITS | settles, target);
    uint32_t site = a->site;
    if (m->may.tell_ends)
        hd_action_also(a, HD_TOKEN_OVER(target), 1, HD_MODE_READ, true);
    if (out)
        hd_action_also(a, (uint64_t)out, sizeof *out, HD_MODE_WRITE, false);
    hd_action_cancellable(m, a);
    hd_visible(m, a);
    hd_thread_test_cancel(m);
    return site;
}

int hd_libc_pthread_join(uint64_t value, uint64_t *out) {
    hd_machine *m = hd_enter_uncounted();
    bool restarts;
    hd_settle_arguments(m);
    uint32_t target = hd_thread_index(m, value, "pthread_join");
    if (target == m->threads.current)
        hd_end_finding(m, HD_FINDING_BAD_THREAD, 0, "thread %u joins itself", target);
    uint32_t site = wait_for_end(m, target, out);
    while (hd_signal_is_due(m, m->threads.current)) { /* it came into the wait */
        hd_signals_deliver(m, &restarts);             /* which goes on, whatever the handler says */
        site = wait_for_end(m, target, out);          /* that it has ended meanwhile is no event */
    }
    finish_join(m, target, out, site);
    return 0;
}

/* Ends of threads are events then (threads.c). */
int hd_libc_pthread_tryjoin_np(uint64_t value, uint64_t *out) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    uint32_t target = hd_thread_index(m, value, "pthread_tryjoin_np");
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    hd_library_state(m, HD_TOKEN_OVER(target), false);
    if (!m->thread[target].has_ended)
        return EBUSY;
    finish_join(m, target, out, site);
    return 0;
}

int hd_libc_pthread_detach(uint64_t value) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    uint32_t target = hd_thread_index(m, value, "pthread_detach");
    hd_action *a = action_on_thread(m, HD_DO_DETACH, 0, target);
    hd_visible(m, a);
    check_joinable(m, target, "detached", a->site);
    m->thread[target].is_detached = true;
    return 0;
}

void hd_libc_pthread_exit(void *result) {
    hd_machine *m = hd_enter();
    hd_shadow shadow = hd_argument(m, hd_take_arguments(m), 0);
    hd_thread_unwind(m, (uint64_t)result, shadow);
}

uint64_t hd_libc_pthread_self(void) {
    return HD_PTHREAD + hd_now->threads.current;
}

int hd_libc_pthread_equal(uint64_t a, uint64_t b) {
    hd_settle_arguments(hd_now);
    return a == b;
}

/* Nothing changes until another thread does something: to let others run is no event. */
int hd_libc_sched_yield(void) {
    return 0;
}

/* ---- attributes ---- */

int hd_libc_pthread_attr_init(void *p) {
    hd_machine *m = hd_enter();
    attributes a = {.magic = ATTRIBUTES, .stack_size = DEFAULT_STACK_SIZE, .guard_size = HD_PAGE};
    hd_settle_arguments(m);
    hd_library_store(m, p, &a, sizeof a);
    return 0;
}

int hd_libc_pthread_attr_destroy(void *p) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    attributes_at(m, p, "pthread_attr_destroy");
    hd_library_store(m, p, &(attributes){0}, sizeof(attributes));
    return 0;
}

/* Threads that compete within their process only: known, and not to be had on Linux. */
static bool is_unsupported(const char *name, uint64_t value) {
    return strcmp(name, "scope") == 0 && value == PTHREAD_SCOPE_PROCESS;
}

#define ATTRIBUTE(name, type, field, is_good)                                                      \
    int hd_libc_pthread_attr_set##name(void *p, type value) {                                      \
        hd_machine *m = hd_enter();                                                                \
        hd_settle_arguments(m);                                                                    \
        attributes *a = p;                                                                         \
        attributes_at(m, p, "pthread_attr_set" #name);                                             \
        if (!(is_good))                                                                            \
            return is_unsupported(#name, (uint64_t)value) ? ENOTSUP : EINVAL;                      \
        hd_library_store(m, &a->field, &value, sizeof a->field);                                   \
        return 0;                                                                                  \
    }                                                                                              \
    int hd_libc_pthread_attr_get##name(void *p, type *out) {                                       \
        hd_machine *m = hd_enter();                                                                \
        hd_settle_arguments(m);                                                                    \
        type value = attributes_at(m, p, "pthread_attr_get" #name).field;                          \
        hd_library_store(m, out, &value, sizeof value);                                            \
        return 0;                                                                                  \
    }
HD_THREAD_ATTRIBUTES(ATTRIBUTE)

/* Hints about processors, and names for debuggers: accepted. */
int hd_libc_pthread_hint(void) {
    hd_take_arguments(hd_now);
    return 0;
}
