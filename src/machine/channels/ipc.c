/* Interprocess communication: its life, requests of waiting threads, and what all calls share. */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"
#include "machine/core/parts.h"

#include "machine/sync/sync.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

/* Numbers of queues that stand for the descriptor tables of processes. */
#define TABLE_ID(process) (UINT32_C(0x1fff0000) + (process))

/* ---- life ---- */

static hd_ipc *ipc_of(hd_machine *m) {
    if (!m->ipc && !(m->ipc = calloc(1, sizeof *m->ipc)))
        hd_out_of_memory();
    return m->ipc;
}

hd_net *hd_ipc_net(hd_machine *m) {
    return &ipc_of(m)->net;
}

/* Programs without any of this never get here with something to forget. */
static void begin(hd_machine *m) {
    if (!m->ipc)
        return;
    hd_vec_clear(&m->ipc->interrupted);
    hd_net_clear(&m->ipc->net);
    m->ipc->received = NULL;
    m->ipc->n_received = 0;
    for (uint32_t i = 0; i < m->threads.n; i++)
        m->ipc->request[i] = (hd_ipc_request){0};
}

/* What the thread has asked for is kept while a handler may ask for something else. */
static void interrupt(hd_machine *m, uint32_t thread) {
    hd_interrupted one = {thread, ipc_of(m)->request[thread]};
    hd_vec_push(&m->ipc->interrupted, one);
}

static void resume(hd_machine *m, uint32_t thread) {
    size_t i = m->ipc->interrupted.n;
    do
        HD_ASSERT(i > 0);
    while (m->ipc->interrupted.at[--i].thread != thread);
    HD_ASSERT(!m->thread[thread].is_courier);
    m->ipc->request[thread] = m->ipc->interrupted.at[i].request;
    if (m->ipc->request[thread].until)
        m->thread[thread].deadline = hd_ipc_due(&m->ipc->request[thread]);
    for (m->ipc->interrupted.n--; i < m->ipc->interrupted.n; i++)
        m->ipc->interrupted.at[i] = m->ipc->interrupted.at[i + 1];
}

/* The child returns from the same handlers. */
static void fork_interrupted(hd_machine *m, uint32_t child) {
    for (size_t i = 0, n = m->ipc->interrupted.n; i < n; i++) {
        hd_interrupted one = m->ipc->interrupted.at[i];
        if (one.thread != hd_thread_current(m))
            continue;
        one.thread = hd_process_at(m, child)->main_thread;
        hd_vec_push(&m->ipc->interrupted, one);
    }
}

static void fork_descriptors(hd_machine *m, uint32_t parent, uint32_t child) {
    HD_ASSERT(parent != child);
    hd_net_fork(hd_ipc_net(m), parent, child); /* at least the standard ones are shared */
    fork_interrupted(m, child);
}

static void release(hd_machine *m) {
    hd_map_release(&m->lessons.expected_readers);
    if (!m->ipc)
        return;
    hd_vec_release(&m->ipc->interrupted);
    hd_net_release(&m->ipc->net);
    for (size_t i = 0; i < m->ipc->names.capacity; i++)
        if (m->ipc->names.keys[i] != HD_MAP_EMPTY)
            free((void *)m->ipc->names.values[i]);
    hd_map_release(&m->ipc->names);
    free(m->ipc);
    m->ipc = NULL;
}

static void visit(hd_machine *m, hd_visitor *v) {
    if (!m->ipc)
        return;
    hd_visit_list(v, &m->ipc->interrupted);
    hd_visit_bytes(v, &m->ipc->received, sizeof m->ipc->received);
    hd_visit_bytes(v, &m->ipc->n_received, sizeof m->ipc->n_received);
    hd_visit_bytes(v, m->ipc->request, m->records.n * sizeof *m->ipc->request);
}

static bool is_simple(const hd_machine *m) {
    return !m->ipc;
}

static void leave(hd_machine *m, hd_box *b) {
    hd_readers_leave(m, b);
    hd_box_put_list(b, &m->faults.happened);
}

static void take(hd_machine *m, hd_box *b) {
    hd_readers_take(m, b);
    hd_box_take_list(b, &m->faults.happened);
}

const hd_part hd_part_channels = {
    "channels",
    {begin, NULL, release, visit},
    {is_simple, NULL, NULL},
    {leave, take},
    {NULL, NULL, fork_descriptors, hd_descriptors_exit, interrupt, resume}};

bool hd_ipc_set_name(hd_machine *m, const char *name, const char *address) {
    return hd_hosts_add(&hd_ipc_net(m)->hosts, name, address);
}

bool hd_ipc_set_host(hd_machine *m, uint32_t process, const char *name) {
    return hd_hosts_place(&hd_ipc_net(m)->hosts, process, name);
}

/* ---- waiting ---- */

static bool may_end_early(hd_machine *m, const hd_action *a) {
    return hd_timeouts_are_free(m) && m->thread[a->thread].deadline != UINT64_MAX &&
           hd_sync_may_time_out(m, a->thread, a->site);
}

/* A wait that may end by its time whenever it likes, or whose time has come, could run in every
 * state, also if it has found what it waited for. */
static bool could_end_anywhere(hd_machine *m, uint32_t thread) {
    if (m->thread[thread].deadline == UINT64_MAX)
        return false;
    return hd_time_is_up(m, thread) ||
           (hd_timeouts_are_free(m) && hd_sync_has_timeouts_left(m, thread));
}

/* Requests are looked at while another thread runs, whose clock may be ahead: from here on it is
 * the time of their own thread.  Answers the time to go back to. */
typedef struct both_times {
    uint64_t thread, system;
} both_times;

static both_times use_time_of(hd_machine *m, uint32_t thread) {
    both_times before = {m->running.virtual_time, m->system.now};
    if (thread != hd_thread_current(m)) {
        m->running.virtual_time = m->thread[thread].virtual_time;
        m->system.now = hd_time_of(m, thread);
    }
    return before;
}

static void go_back_to(hd_machine *m, both_times before) {
    m->running.virtual_time = before.thread;
    m->system.now = before.system;
}

static bool is_ready(hd_machine *m, uint32_t thread, const hd_ipc_request *r) {
    both_times before = use_time_of(m, thread);
    bool answer = !r->is_ready || r->is_ready(m, r);
    go_back_to(m, before);
    return answer;
}

bool hd_ipc_is_enabled(hd_machine *m, const hd_action *a) {
    HD_CHECK(!m->thread[a->thread].is_courier);
    if (is_ready(m, a->thread, &ipc_of(m)->request[a->thread]))
        return true;
    return may_end_early(m, a) || hd_thread_is_cancelled(m, a->thread) ||
           hd_signal_is_due(m, a->thread);
}

/* Accesses that all actions of a thread have: it was not killed, cancelled, or kept out of a
 * section. */
static bool is_about_thread(const hd_access *c) {
    bool is_ready = c->address >= HD_TOKEN_READY(0) && c->address < HD_TOKEN_READY(HD_MAX_THREADS);
    return c->address < HD_TOKEN_LIMIT && !is_ready;
}

static void settle_request(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    hd_access kept[HD_MAX_ACCESSES];
    unsigned n = 0;
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (is_about_thread(&a->access[i]))
            kept[n++] = a->access[i];
    both_times before = use_time_of(m, a->thread);
    r->settle(m, r, a);
    go_back_to(m, before);
    HD_CHECK(a->n_accesses <= HD_MAX_ACCESSES);
    for (unsigned i = 0; i < n && a->n_accesses < HD_MAX_ACCESSES; i++)
        a->access[a->n_accesses++] = kept[i];
}

/* What a courier carries says itself what its arrival would be. */
void hd_ipc_settle(hd_machine *m, hd_action *a) {
    if (m->thread[a->thread].is_courier) {
        hd_courier_refresh(m, a->thread);
        return;
    }
    const hd_ipc_request *r = &ipc_of(m)->request[a->thread];
    if (!r->settle)
        return;
    settle_request(m, r, a);
    if (a->flags & HD_ACTION_WAITS && could_end_anywhere(m, a->thread))
        a->flags &= (uint8_t)~HD_ACTION_WAITS;
    if (hd_signal_is_due(m, a->thread) || hd_thread_is_cancelled(m, a->thread))
        a->flags &= /* the same, and it is not because of the time */
            (uint8_t)~(HD_ACTION_WAITS | (hd_time_is_up(m, a->thread) ? 0 : HD_ACTION_TIMEOUT));
}

/* ---- calls ---- */

hd_machine *hd_ipc_enter(void) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    if (!m->sync)
        hd_sync_reset(m);
    ipc_of(m);
    return m;
}

hd_machine *hd_ipc_enter_point(void) {
    hd_machine *m = hd_ipc_enter();
    hd_cancellation_point(m);
    return m;
}

uint32_t hd_ipc_process(const hd_machine *m) {
    return hd_process_current(m);
}

/* What a signal has interrupted fails for that reason. */
int hd_ipc_fail(hd_machine *m, int error) {
    HD_ASSERT(error > 0);
    bool *is_interrupted = &m->thread[hd_thread_current(m)].is_interrupted;
    hd_errno_set(m, *is_interrupted ? EINTR : error);
    *is_interrupted = false;
    return -1;
}

bool hd_ipc_was_interrupted(const hd_machine *m) {
    return m->thread[hd_thread_current(m)].is_interrupted;
}

hd_file *hd_ipc_find(hd_machine *m, int descriptor) {
    hd_ipc_number_event(m, descriptor, false);
    return hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor);
}

hd_file *hd_ipc_file(hd_machine *m, int descriptor) {
    hd_file *f = hd_ipc_find(m, descriptor);
    if (!f)
        hd_ipc_fail(m, EBADF);
    return f;
}

hd_socket *hd_ipc_socket(hd_machine *m, int descriptor, hd_file **file) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (file)
        *file = f;
    if (f && f->kind != HD_FILE_SOCKET) {
        hd_ipc_fail(m, ENOTSOCK);
        return NULL;
    }
    HD_ASSERT(!f || f->socket);
    return f ? f->socket : NULL;
}

static void tell_unordered(hd_machine *m) {
    hd_bound_call(m, "O_NONBLOCK, connect or shutdown of a file that processes share "
                     "is not ordered");
}

void hd_ipc_note_use(hd_machine *m, hd_file *f, hd_use use) {
    uint32_t me = hd_ipc_process(m);
    for (int i = 0; i <= (int)use; i++) {
        f->users[i] = hd_set_with(f->users[i], me);
        if (f->changer[i] && f->changer[i] != 1 + me)
            tell_unordered(m);
    }
}

void hd_ipc_note_change(hd_machine *m, hd_file *f, hd_use matters_to) {
    uint32_t me = hd_ipc_process(m);
    if (!f->is_shared)
        return;
    f->changer[matters_to] = 1 + me;
    if (!hd_set_is_empty(hd_set_without(f->users[matters_to], me)))
        tell_unordered(m);
}

bool hd_ipc_is_shared_table(const hd_machine *m) {
    hd_thread_set threads = hd_process_at(m, hd_process_current(m))->threads;
    return hd_set_count(threads) > 1;
}

static void touch_table(hd_machine *m, hd_action *a) {
    HD_ASSERT(hd_ipc_process(m) < HD_MAX_PROCESSES);
    hd_action_also(a, HD_QUEUE_TAIL(TABLE_ID(hd_ipc_process(m))), 1, HD_MODE_WRITE, true);
}

/* What is no number never means anything. */
static void touch_number(hd_machine *m, hd_action *a, int descriptor, hd_access_mode mode) {
    if (descriptor >= 0 && descriptor < HD_MAX_DESCRIPTORS)
        hd_action_also(a, HD_TOKEN_NUMBER(hd_ipc_process(m), (uint64_t)descriptor), 1, mode, true);
}

static hd_action action_on_table(hd_machine *m) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.n_accesses = 0;
    return a;
}

void hd_ipc_change_table(hd_machine *m, int from) {
    if (!hd_ipc_is_shared_table(m))
        return;
    hd_action a = action_on_table(m);
    touch_table(m, &a);
    touch_number(m, &a, from, HD_MODE_READ);
    hd_visible(m, &a);
}

void hd_ipc_number_event(hd_machine *m, int descriptor, bool is_store) {
    if (!hd_ipc_is_shared_table(m))
        return;
    hd_action a = action_on_table(m);
    touch_number(m, &a, descriptor, is_store ? HD_MODE_WRITE : HD_MODE_READ);
    if (a.n_accesses)
        hd_visible(m, &a);
}

void hd_ipc_change_number(hd_machine *m, int descriptor, int from) {
    if (!hd_ipc_is_shared_table(m))
        return;
    hd_action a = action_on_table(m);
    touch_number(m, &a, descriptor, HD_MODE_WRITE);
    touch_number(m, &a, from, HD_MODE_READ);
    touch_table(m, &a);
    hd_visible(m, &a);
}

void hd_ipc_install(hd_machine *m, int descriptor, hd_file *file, bool closes_on_exec) {
    hd_ipc_number_event(m, descriptor, true);
    hd_descriptor_set(hd_ipc_net(m), hd_ipc_process(m), descriptor, file, closes_on_exec);
}

bool hd_ipc_is_full(hd_machine *m) {
    if (!hd_descriptors_are_full(hd_ipc_net(m), hd_ipc_process(m)))
        return false;
    hd_ipc_change_table(m, -1); /* another thread may close one */
    return hd_descriptors_are_full(hd_ipc_net(m), hd_ipc_process(m));
}

int hd_ipc_open(hd_machine *m, hd_file *file, bool closes_on_exec) {
    hd_ipc_change_table(m, -1);
    hd_queue *source = hd_file_source(file);
    if (source && !source->first_reader)
        source->n_children_before = hd_process_at(m, hd_ipc_process(m))->n_children;
    int d = hd_descriptor_reserve(hd_ipc_net(m), hd_ipc_process(m), 0);
    HD_ASSERT(d < HD_MAX_DESCRIPTORS);
    if (d < 0)
        return hd_ipc_fail(m, EMFILE);
    hd_ipc_install(m, d, file, closes_on_exec);
    return d;
}

int hd_ipc_give_back(hd_machine *m, int descriptor) {
    hd_ipc_close(m, descriptor);
    return hd_ipc_fail(m, EMFILE);
}

void hd_ipc_refuse(hd_machine *m, const char *format, ...) {
    char what[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    hd_approximate_as(m, HD_LOSS_END, hd_caller_site(m, __builtin_frame_address(0)), what);
    hd_end_rejected(m);
}

/* ---- SIGPIPE ---- */

static bool dies_of_sigpipe(hd_machine *m) {
    uint32_t me = hd_process_current(m);
    return !hd_signal_has_handler(m, me, SIGPIPE) && !hd_signal_is_ignored(m, me, SIGPIPE) &&
           !(*hd_signals_blocked(m) & HD_SIGNAL(SIGPIPE));
}

int hd_ipc_broken(hd_machine *m, const char *what, bool is_quiet) {
    if (!is_quiet && dies_of_sigpipe(m)) {
        m->call.outcome->status = SIGPIPE;
        hd_end_finding(m, HD_FINDING_SIGNAL, 0, "signal SIGPIPE ends the process: %s", what);
    }
    if (!is_quiet)
        hd_signal_raise(m, hd_signal_from(m, SIGPIPE, SI_USER));
    return hd_ipc_fail(m, EPIPE);
}

bool hd_can_queue(hd_machine *m, const hd_action *a) {
    return hd_ipc_is_enabled(m, a) || hd_time_is_up(m, a->thread);
}
