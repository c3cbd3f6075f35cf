/* Threads of the program as fibers: how they begin, take turns and end (docs/design.md D3, D4).
 *
 * What the machine and the registers hold of "the" thread belongs to the one that runs; a switch
 * puts it into that thread's record and takes the other's out.  A new thread runs on its own
 * stack until it stands before its first action, then its creator goes on (H2).  A thread that
 * fails while others are alive only stops: what it left is kept, and becomes the outcome when
 * nobody can go on any more (E5). */
#include "machine/core/kinds.h"
#include "machine/core/parts.h"
#include "machine/core/state.h"
#include "machine/tasks/library.h"
#include "machine/tasks/process.h"
#include "machine/tasks/recall.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <stdio.h>

#define EVENTS_AFTER_EXIT 10000u

/* ---- the machine's life ---- */

static bool calls_one_of(const hd_machine *m, const char *const *names, size_t n) {
    for (uint64_t i = 0; i < m->image->n_imports; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(m->image->imports[i].name, names[k]) == 0)
                return true;
    return false;
}

bool hd_can_spinning(hd_machine *m, const hd_action *a) {
    return !m->facts.rounds.n || hd_spin_can_access(m, a);
}

static bool can_go_on(hd_machine *m, const hd_action *a) {
    return !(a->flags & HD_ACTION_WAITS) || hd_kinds[a->kind].is_enabled(m, a);
}

/* Whether a thread can go on that waits for its own process depends on memory which may not be
 * there now; nobody has changed it since. */
static bool is_away(const hd_machine *m, const hd_action *a) {
    if (a->n_accesses && hd_is_shared(a->access[0].address) && !hd_kind_is(a->kind, HD_KIND_VAIN))
        return false; /* that is always there (shared.h) */
    return m->threads.process[a->thread] != m->processes->loaded && a->flags & HD_ACTION_WAITS &&
           !hd_kind_is(a->kind, HD_KIND_WORLD | HD_KIND_JOINS);
}

static bool can_go_on_anywhere(hd_machine *m, const hd_action *a) {
    if (!is_away(m, a))
        return can_go_on(m, a);
    return m->thread[a->thread].can_go ||
           (hd_kind_is(a->kind, HD_KIND_COUNTS) && hd_signal_ends_wait(m, a)) ||
           (hd_kind_is(a->kind, HD_KIND_VAIN) &&
            (hd_signal_is_due(m, a->thread) || hd_spin_sees_shared_change(&m->thread[a->thread])));
}

/* Of another process, at its end: when its own threads cannot go on. */
static hd_thread_set ends_of_processes(const hd_machine *m, hd_thread_set at_exit,
                                       hd_thread_set enabled) {
    hd_set_maker yes = {0};
    uint32_t t;
    HD_SET_EACH(t, at_exit)
    if (!hd_set_meets(hd_process_at(m, hd_process_of(m, t))->threads, enabled))
        hd_set_maker_add(&yes, t);
    return hd_set_made(&yes);
}

bool hd_thread_is_enabled(hd_machine *m, uint32_t t) {
    if (!hd_set_has(m->threads.alive, t))
        return false;
    if (m->thread[t].is_courier)
        return hd_courier_can_go(m, t);
    if (hd_process_at(m, hd_process_of(m, t))->has_ended)
        return false; /* killed */
    return m->system.is_concurrent ? can_go_on_anywhere(m, &m->threads.action[t])
                                   : can_go_on(m, &m->threads.action[t]);
}

/* Threads that never end must not keep the program from ending. */
static bool is_late(hd_machine *m) {
    if (m->execution.n_events < m->execution.exit_since + EVENTS_AFTER_EXIT)
        return false;
    hd_bound(m, 0, "threads run at most %u events after the program asked to end",
             EVENTS_AFTER_EXIT);
    return true;
}

/* Inside an atomic section nobody else does. */
static inline hd_thread_set those_who_may(const hd_machine *m) {
    hd_thread_set alive = m->threads.alive;
    return m->atomic.owner ? hd_set_both(alive, hd_set_of(m->atomic.owner - 1)) : alive;
}

/* With processes and couriers: the end of a process comes when its threads are done, and time
 * passes when nobody else can go on. */
static hd_thread_set find_enabled_processes(hd_machine *m) {
    const hd_threads *threads = &m->threads;
    hd_set_maker going = {0}, at_exit = {0};
    uint32_t i;
    HD_SET_EACH(i, those_who_may(m)) {
        const hd_action *a = &threads->action[i];
        if (hd_kind_is(a->kind, HD_KIND_ENDS))
            hd_set_maker_add(&at_exit, i);
        else if (!(i && i == m->system.clock) && hd_thread_is_enabled(m, i))
            hd_set_maker_add(&going, i);
    }
    hd_thread_set yes = hd_set_made(&going);
    yes = hd_set_either(yes, ends_of_processes(m, hd_set_made(&at_exit), yes));
    return hd_set_is_empty(yes) && hd_clock_can_go(m) ? hd_set_of(m->system.clock) : yes;
}

/* The end of the program comes last. */
static hd_thread_set find_enabled(hd_threads *threads) {
    hd_machine *m = threads->machine;
    if (__builtin_expect(m->system.is_concurrent, 0))
        return find_enabled_processes(m);
    hd_set_maker going = {0}, ending = {0};
    uint32_t i;
    HD_SET_EACH(i, those_who_may(m)) {
        const hd_action *a = &threads->action[i];
        if (hd_kind_is(a->kind, HD_KIND_ENDS))
            hd_set_maker_add(&ending, i);
        else if (can_go_on(m, a))
            hd_set_maker_add(&going, i);
    }
    hd_thread_set yes = hd_set_made(&going), at_exit = hd_set_made(&ending);
    bool is_over = hd_set_is_empty(yes) || (!hd_set_is_empty(at_exit) && is_late(m));
    return is_over ? at_exit : yes;
}

/* Processes, sections and the end of the program depend on what others can do. */
static uint32_t find_first(hd_threads *threads, hd_thread_set among) {
    hd_machine *m = threads->machine;
    if (m->system.is_concurrent || m->atomic.owner ||
        m->execution.n_events >= m->execution.exit_since + EVENTS_AFTER_EXIT)
        return HD_MAX_THREADS;
    uint32_t i;
    HD_SET_EACH(i, among) {
        const hd_action *a = &threads->action[i];
        if (!hd_kind_is(a->kind, HD_KIND_ENDS) && can_go_on(m, a))
            return i;
    }
    return HD_MAX_THREADS;
}

static bool is_poisoned(uint64_t at, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (HD_WORD_IS_POISON(HD_SHADOW_OF(at)[i]))
            return true;
    return false;
}

/* If inputs decide, that becomes a decision of the path at once after the event
 * (HD_BRANCH_EXCHANGE), and its other way is another action. */
void hd_settle_compare(hd_machine *m, hd_action *a) {
    (void)m;
    hd_access *x = &a->access[0];
    uint64_t at = hd_action_object(a);
    bool fails = hd_value_at(at, x->size) != a->expected &&
                 !(hd_any_word(at, x->size) && is_poisoned(at, x->size));
    x->mode = fails ? HD_MODE_READ : HD_MODE_WRITE;
    a->flags = (uint8_t)((a->flags & ~HD_ACTION_FAILED) | (fails ? HD_ACTION_FAILED : 0));
}

/* Who is expected to read is learned once for all executions (channels/readers.c). */
static void mark_sets(void *machine) {
    const hd_machine *m = machine;
    for (size_t i = 0; i < m->lessons.expected_readers.capacity; i++)
        if (m->lessons.expected_readers.keys[i] != HD_MAP_EMPTY)
            hd_set_mark((hd_set){m->lessons.expected_readers.values[i]});
    for (uint32_t i = 0; i < m->options.n_nodes; i++)
        hd_set_mark(m->options.nodes[i].after); /* those who wait to start have the same sets */
    for (uint32_t i = 0; i < m->options.n_faults; i++) {
        hd_set_mark(m->options.faults[i].from);
        hd_set_mark(m->options.faults[i].to);
    }
}

static void settle(hd_threads *threads, uint32_t thread) {
    hd_action *a = &threads->action[thread];
    hd_kinds[a->kind].settle(threads->machine, a);
}

void hd_threads_init(hd_machine *m) {
    static const char *const creating[] = {"pthread_create", "thrd_create"};
    static const char *const cancelling[] = {"pthread_cancel"};
    static const char *const waiting[] = {"wait", "waitpid", "waitid", "wait3", "wait4"};
    m->may.create = hd_image_is_concurrent(m->image, m->options.n_nodes) ||
                    calls_one_of(m, creating, sizeof creating / sizeof *creating);
    static const char *const killing[] = {"kill", "killpg", "pthread_kill", "sigqueue",
                                          "pthread_sigqueue"};
    static const char *const handling[] = {"sigaction",    "signal",           "alarm",
                                           "setitimer",    "sigprocmask",      "pthread_sigmask",
                                           "sigwait",      "sigwaitinfo",      "sigtimedwait",
                                           "pthread_kill", "pthread_sigqueue", "timer_create"};
    m->may.signal = calls_one_of(m, handling, sizeof handling / sizeof *handling);
    m->may.kill = calls_one_of(m, killing, sizeof killing / sizeof *killing);
    static const char *const watching[] = {"__heddle_global_rule"};
    static const char *const judging[] = {"heddle_global_assert"};
    m->may.watch = calls_one_of(m, watching, 1);
    m->may.judge = calls_one_of(m, judging, 1);
    static const char *const asking[] = {"getppid"};
    m->may.ask = calls_one_of(m, asking, 1);
    m->may.wait = calls_one_of(m, waiting, sizeof waiting / sizeof *waiting);
    static const char *const sections[] = {"__VERIFIER_atomic_begin"};
    m->may.have_sections = calls_one_of(m, sections, 1);
    static const char *const deleting[] = {"pthread_key_delete", "tss_delete"};
    m->may.delete_keys = calls_one_of(m, deleting, sizeof deleting / sizeof *deleting);
    m->may.cancel = calls_one_of(m, cancelling, sizeof cancelling / sizeof *cancelling);
    static const char *const joining[] = {"pthread_join", "thrd_join"};
    static const char *const freeing[] = {"pthread_cancel", "pthread_detach", "thrd_detach"};
    m->may.tell_ends =
        calls_one_of(m, joining, sizeof joining / sizeof *joining) &&
        (m->may.signal || calls_one_of(m, freeing, sizeof freeing / sizeof *freeing));
    static const char *const asking_for_end[] = {"pthread_tryjoin_np", "pthread_kill",
                                                 "pthread_sigqueue"};
    m->may.tell_ends |=
        calls_one_of(m, asking_for_end, sizeof asking_for_end / sizeof *asking_for_end);
    static const char *const handling_end[] = {"atexit"};
    void (*const *destructors)(void) = m->image->destructors;
    m->may.handle_end = (destructors && *destructors) || calls_one_of(m, handling_end, 1);
    static const char *const leaving[] = {"pthread_exit", "thrd_exit"};
    m->may.end_last =
        m->may.handle_end && calls_one_of(m, leaving, sizeof leaving / sizeof *leaving);
    static const char *const meeting[] = {"pthread_barrier_wait"};
    m->may.ask_for_serial = calls_one_of(m, meeting, 1);
    static const char *const locking[] = {"flockfile", "ftrylockfile", "__heddle_wide_begin",
                                          "fwide"};
    m->may.lock_streams = calls_one_of(m, locking, sizeof locking / sizeof *locking);
    static const char *const using[] = {
        "__heddle_stream_enter", "dup", "dup2", "dup3", "close", "fclose", "freopen", "freopen64"};
    m->may.use_streams =
        m->may.lock_streams || calls_one_of(m, using, sizeof using / sizeof *using);
    hd_sets_add_marker(mark_sets, m);
    m->threads.enabled = find_enabled;
    m->threads.first = find_first;
    m->threads.settle = settle;
    m->threads.goes_round = hd_spin_goes_round;
    m->threads.machine = m;
}

static void release(hd_machine *m) {
    hd_sets_remove_marker(mark_sets, m);
    for (uint32_t i = 0; i < m->records.n; i++)
        hd_vec_release(&m->thread[i].specifics);
}

/* ---- turns ---- */

static void save(hd_machine *m, hd_thread *t) {
    const hd_registers *r = m->registers;
    t->passed = r->passed;
    t->returned = r->returned;
    t->fuel = r->fuel;
    t->stack_low = r->stack_low;
    t->carried = m->running.carried;
    if (t->variadic_passed)
        memcpy(t->variadic_args, m->running.variadic_args, sizeof t->variadic_args);
}

static void load(hd_machine *m, uint32_t index) {
    HD_CHECK(index < m->records.n);
    hd_thread *t = &m->thread[index];
    hd_registers *r = m->registers;
    r->passed = t->passed;
    r->returned = t->returned;
    r->fuel = t->fuel;
    r->stack_low = t->stack_low;
    r->thread = t->copies;
    m->threads.current = index;
    m->running.heap = &t->heap;
    m->running.stack_bottom = t->stack_bottom;
    m->running.stack_top = t->stack_top;
    m->running.errno_at = t->errno_at;
    m->running.carried = t->carried;
    if (t->variadic_passed)
        memcpy(m->running.variadic_args, t->variadic_args, sizeof m->running.variadic_args);
}

/* On the host's stack, because the one of the thread that leaves may lie at the same addresses as
 * that of the next one. */
static void enter_next(void *machine) {
    hd_machine *m = machine;
    hd_space_enter(m, hd_process_of(m, m->threads.current));
}

void hd_thread_switch(hd_machine *m, uint32_t next) {
    HD_CHECK(next < m->threads.n && m->thread[next].is_used && !m->thread[next].is_courier);
    hd_thread *from = &m->thread[m->threads.current];
    uint32_t process = hd_process_of(m, next);
    save(m, from);
    if (process == hd_process_current(m)) {
        load(m, next);
        hd_fiber_switch(&from->saved, m->thread[next].saved);
        return;
    }
    hd_process_load(m, process);
    load(m, next);
    hd_fiber_switch_through(&from->saved, &m->thread[next].saved, m->call.host_stack, enter_next,
                            m);
}

void hd_thread_put_away(hd_machine *m) {
    save(m, &m->thread[m->threads.current]);
}

void hd_thread_take_out(hd_machine *m, uint32_t thread) {
    load(m, thread);
}

void hd_thread_take_over(hd_machine *m, uint32_t thread) {
    save(m, &m->thread[m->threads.current]);
    hd_process_load(m, hd_process_of(m, thread));
    load(m, thread);
}

/* The running thread does not come back. */
static _Noreturn void switch_for_good(hd_machine *m, uint32_t next) {
    HD_ASSERT(next < m->threads.n && next != m->threads.current && !m->thread[next].is_courier);
    uint32_t process = hd_process_of(m, next);
    save(m, &m->thread[m->threads.current]);
    if (process == hd_process_current(m)) {
        load(m, next);
        hd_fiber_leave(m->thread[next].saved);
    }
    hd_process_load(m, process);
    load(m, next);
    void *gone;
    hd_fiber_switch_through(&gone, &m->thread[next].saved, m->call.host_stack, enter_next, m);
    abort(); /* nobody comes back */
}

/* ---- one execution ---- */

static void begin_record(hd_machine *m, uint32_t index) {
    HD_ASSERT(index < HD_MAX_THREADS);
    hd_thread *t = &m->thread[index];
    if (index >= m->records.n)
        hd_memory_need_record(m, index);
    memset(&t->passed, 0, offsetof(hd_thread, lasting) - offsetof(hd_thread, passed));
    t->fuel = m->execution.fuel;
    t->stack_low = t->stack_dirty = t->stack_top;
    t->is_used = true;
    t->copies = index;
    t->deadline = UINT64_MAX;
    hd_vec_clear(&t->specifics);
}

/* A stack that was another's, after fork, is that one's again, and the
 * thread has the one that it had before. */
static void forget(hd_thread *t) {
    t->is_used = false;
    if (t->has_borrowed_stack) {
        t->stack_bottom = t->own_stack.address;
        t->stack_top = t->stack_dirty = t->own_stack.address + t->own_stack.n;
    }
    t->has_borrowed_stack = false;
}

void hd_follow_script(hd_machine *m) {
    const hd_script *script = m->call.sink->script;
    m->call.n_followed = !script                             ? 0
                         : script->n < m->call.checkpoint_at ? script->n
                                                             : m->call.checkpoint_at;
    m->call.n_repeated = m->call.n_watches || m->facts.has_big_sections ? 0 : m->call.n_followed;
    if (m->call.is_followed && hd_recall_length(m) < m->call.n_repeated)
        m->call.n_repeated = hd_recall_length(m);
}

static void begin(hd_machine *m) {
    for (uint32_t i = 0; i < m->threads.n; i++)
        forget(&m->thread[i]);
    begin_record(m, 0);
    m->thread[0].errno_at = m->surroundings.thread_errno;
    m->threads.alive = hd_set_of(0);
    m->threads.n = 1;
    hd_action_clear(&m->threads.action[0], 0);
    m->threads.may_spin = false;
    m->lessons.changing = HD_SET_EMPTY;
    m->registers->is_threaded = 0;
    m->execution.n_used = 1;
    if (m->call.sink->script)
        hd_spin_learn(m, m->call.sink->script);
    hd_follow_script(m);
    load(m, 0);
    HD_ASSERT(m->thread[0].is_used && !m->thread[0].has_borrowed_stack);
}

/* When an execution begins, main's record is the only one in use; what others hold is made anew
 * when they are. */
static void visit(hd_machine *m, hd_visitor *v) {
    hd_visit_extent(v, &m->threads.n, m->records.n);
    hd_visit_bytes(v, &m->threads.alive, sizeof m->threads.alive);
    hd_visit_bytes(v, &m->threads.may_spin, sizeof m->threads.may_spin);
    hd_visit_bytes(v, &m->threads.current, sizeof m->threads.current);
    for (uint32_t i = 0; i < m->records.n; i++) {
        hd_thread *t = &m->thread[i];
        size_t n = offsetof(hd_thread, lasting) - offsetof(hd_thread, passed);
        hd_visit_bytes(v, &t->is_used, sizeof t->is_used);
        if (t->is_used)
            hd_visit_bytes(v, &t->passed, n);
        else
            hd_visit_loose(v, &t->passed, n);
        hd_visit_loose(v, t->variadic_args, sizeof t->variadic_args);
        hd_visit_list(v, &t->specifics);
    }
}

/* ---- checkpoints ---- */

/* A stack that is dirty has been used by functions of the host, of which nothing is known: they may
 * call the program, and hold memory meanwhile. */
static bool is_simple_thread(const hd_thread *t) {
    return !t->is_courier && !t->has_borrowed_stack && t->stack_dirty == t->stack_top &&
           t->heap.top == t->heap.area.base && !t->specifics.n && !t->variadic_passed &&
           !t->looping_left && !t->argument_shadow && !t->result_shadow &&
           t->deadline == UINT64_MAX;
}

static bool is_simple(const hd_machine *m) {
    for (uint32_t i = 0; i < m->threads.n; i++)
        if (m->thread[i].is_used && !is_simple_thread(&m->thread[i]))
            return false;
    return true;
}

/* What is in use of an action, and its first access. */
static size_t size_of_action(const hd_action *a) {
    return offsetof(hd_action, access) + (a->n_accesses ? a->n_accesses : 1) * sizeof *a->access;
}

/* A record as far as it has no memory of its own, which may be elsewhere later. */
static void keep_record(hd_keeper *k, hd_thread *t) {
    hd_keep(k, t, offsetof(hd_thread, specifics));
    hd_keep(k, t->spin, t->n_spins * sizeof *t->spin);
}

/* Who has ended runs once more: to find out whose turn it is. */
static bool is_gone(const hd_machine *m, uint32_t i) {
    return m->thread[i].has_ended && i != m->threads.current && !hd_set_has(m->threads.alive, i);
}

static void keep(hd_machine *m, hd_keeper *k) {
    hd_threads *all = &m->threads;
    hd_keep_aside(k, &all->alive, sizeof all->alive);
    hd_keep_aside(k, &all->n, sizeof all->n);
    hd_keep_aside(k, &all->current, sizeof all->current);
    hd_keep_aside(k, &all->may_spin, sizeof all->may_spin);
    hd_keep_aside(k, &m->lessons.changing, sizeof m->lessons.changing);
    for (uint32_t i = 0; i < all->n; i++) {
        bool is_used = m->thread[i].is_used;
        hd_keep_stack(k, is_used ? &m->thread[i] : NULL, is_gone(m, i));
        if (!is_used)
            continue;
        keep_record(k, &m->thread[i]);
        hd_keep(k, &all->action[i], size_of_action(&all->action[i]));
    }
}

static void restore(hd_machine *m, hd_keeper *k) {
    hd_threads *all = &m->threads;
    hd_bring_back(k, &all->alive, sizeof all->alive);
    hd_bring_back(k, &all->n, sizeof all->n);
    hd_bring_back(k, &all->current, sizeof all->current);
    hd_bring_back(k, &all->may_spin, sizeof all->may_spin);
    hd_bring_back(k, &m->lessons.changing, sizeof m->lessons.changing);
    HD_ASSERT(all->current < all->n && all->n <= m->records.n);
    memset(all->process, 0, all->n * sizeof *all->process);
    load(m, all->current);
}

/* ---- forked children ---- */

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put(b, &m->threads.n, sizeof m->threads.n);
    hd_box_put(b, m->threads.process, m->threads.n * sizeof *m->threads.process);
    for (uint32_t i = 0; i < m->threads.n; i++)
        hd_box_put(b, &m->thread[i].is_courier, sizeof m->thread[i].is_courier);
    hd_box_put(b, m->call.watches, m->call.n_watches * sizeof *m->call.watches);
}

static void take(hd_machine *m, hd_box *b) {
    uint32_t n;
    hd_box_take(b, &n, sizeof n);
    HD_ASSERT(n <= HD_MAX_THREADS);
    hd_box_take(b, m->threads.process, n * sizeof *m->threads.process);
    if (n)
        hd_memory_need_record(m, n - 1);
    for (uint32_t i = 0; i < n; i++)
        hd_box_take(b, &m->thread[i].is_courier, sizeof m->thread[i].is_courier);
    hd_box_take(b, m->call.watches, m->call.n_watches * sizeof *m->call.watches);
}

const hd_part hd_part_threads = {"threads",
                                 {begin, NULL, release, visit},
                                 {is_simple, keep, restore},
                                 {leave, take},
                                 HD_PART_NO_TASKS};

void hd_threads_finish(hd_machine *m) {
    HD_ASSERT(m->threads.current < m->threads.n);
    save(m, &m->thread[m->threads.current]);
    hd_failures_finish(m);
    m->call.outcome->n_events = m->execution.n_events;
    m->call.outcome->n_node_events = m->system.n_happened;
    m->call.outcome->n_cut_places = m->system.n_cut_places;
}

/* ---- creation ---- */

static void run_thread(void *argument) {
    hd_machine *m = argument;
    hd_registers *r = m->registers;
    hd_thread *t = &m->thread[m->threads.current];
    if (t->argument_shadow) {
        r->args[0] = t->argument_shadow;
        r->passed = 1;
    }
    uint64_t result = (uint64_t)t->start((void *)t->argument);
    hd_shadow shadow = r->returned & 1 ? r->rets[0] : HD_NONE;
    r->passed = r->returned = 0;
    hd_thread_end(m, result, shadow);
}

/* A thread keeps its index for the whole execution, whether it has ended or not. */
void hd_thread_check_limit(hd_machine *m) {
    uint32_t limit = m->options.max_threads;
    if (limit == 0 || limit > HD_MAX_THREADS)
        limit = HD_MAX_THREADS;
    uint32_t n_children = m->thread[m->threads.current].n_children;
    if (m->execution.n_used < limit &&
        (m->naming.threads.n < HD_MAX_THREADS ||
         hd_name_thread(m, m->threads.current, n_children) != HD_MAX_THREADS))
        return;
    hd_end_at_limit(m, hd_caller_site(m, __builtin_frame_address(0)),
                    "an execution is followed for at most %u threads%s", limit,
                    limit < HD_MAX_THREADS ? " (--max-threads)" : "");
}

static uint32_t name_child(hd_machine *m) {
    return hd_name_thread(m, m->threads.current, m->thread[m->threads.current].n_children++);
}

uint32_t hd_thread_new_index(hd_machine *m) {
    return name_child(m);
}

/* The end of a process comes after those too that are created when it is waited for already. */
static void await_at_exit(hd_machine *m) {
    hd_thread_set all = hd_process_at(m, hd_process_current(m))->threads;
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(all, m->threads.alive)) {
        hd_action *a = &m->threads.action[t];
        if (hd_kind_is(a->kind, HD_KIND_ENDS))
            a->expected = all.bits;
    }
}

static void enlist(hd_machine *m, uint32_t child) {
    HD_ASSERT(child && child < HD_MAX_THREADS && !hd_set_has(m->threads.alive, child));
    hd_action_clear(&m->threads.action[child], child);
    m->threads.alive = hd_set_with(m->threads.alive, child);
    if (child >= m->threads.n)
        m->threads.n = child + 1;
    m->execution.n_used++;
}

void hd_thread_enlist_courier(hd_machine *m, uint32_t index, uint32_t process) {
    HD_ASSERT(index && index < HD_MAX_THREADS && !m->thread[index].is_used);
    HD_ASSERT(process < HD_MAX_PROCESSES);
    begin_record(m, index);
    m->thread[index].is_courier = true;
    m->thread[index].stack_low = m->thread[index].stack_top;
    m->threads.process[index] = (uint16_t)process;
    hd_action_clear(&m->threads.action[index], index);
    if (index >= m->threads.n)
        m->threads.n = index + 1;
    m->execution.n_used++;
    m->system.is_concurrent = m->system.are_joined = true;
}

static void set_up(hd_machine *m, uint32_t child, const hd_thread_start *start) {
    hd_thread *t = &m->thread[child];
    if (!hd_memory_stack(m, child))
        hd_out_of_memory();
    HD_ASSERT(!t->is_used);
    begin_record(m, child);
    t->parent = t->creator = m->threads.current;
    t->start = start->function;
    t->argument = start->argument;
    t->argument_shadow = start->argument_shadow;
    t->is_detached = start->is_detached;
    t->virtual_time = m->running.virtual_time;
    t->errno_at = hd_errno_of(m, child);
    t->is_starting = true;
    enlist(m, child);
    if (m->may.signal)
        hd_signals_begin_thread(m, child);
}

void hd_thread_create(hd_machine *m, uint64_t *out, const hd_thread_start *start) {
    uint32_t me = m->threads.current, child = name_child(m);
    /* From here on there are others, so that this is an event too. */
    bool was_alone = !hd_is_threaded(m);
    m->registers->is_threaded |= 1;
    if (was_alone)
        hd_parts_become_threaded(m);
    if (hd_time_orders(m))
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "threads of a node run in their default order (--orders time)");
    hd_action *a = hd_action_here(m, HD_DO_CREATE, 0, out, sizeof *out, HD_MODE_WRITE);
    a->access[0].is_atomic = false;
    a->detail = child;
    hd_visible(m, a);
    hd_check_range(m, (uint64_t)out, sizeof *out, true, a->site);
    hd_unpoison((uint64_t)out, sizeof *out);
    *out = HD_PTHREAD + child;
    set_up(m, child, start);
    HD_ASSERT(m->process.n_unjoined);
    m->process.n_unjoined++;
    m->threads.process[child] = (uint16_t)hd_process_current(m);
    hd_process *p = hd_process_at(m, hd_process_current(m));
    p->threads = hd_set_with(p->threads, child);
    if (hd_thread_is_idle(m))
        await_at_exit(m);
    hd_thread *t = &m->thread[child];
    save(m, &m->thread[me]);
    load(m, child);
    hd_fiber_run(&m->thread[me].saved, (void *)(t->stack_top - HD_STACK_ENTRY), run_thread, m);
    HD_INVARIANT(H2, m->threads.current == me && !t->is_starting);
}

/* ---- first threads of processes ---- */

void hd_thread_begin_process(hd_machine *m, uint32_t child, void (*entry)(void *), void *context) {
    uint32_t me = m->threads.current, process = hd_process_of(m, child);
    hd_thread_start start = {0};
    HD_ASSERT(process != hd_process_current(m) && hd_process_at(m, process)->is_used);
    set_up(m, child, &start);
    hd_thread *t = &m->thread[child];
    t->ear.blocked = 0;
    m->threads.action[child].after[0] = hd_process_at(m, process)->born;
    t->fuel = m->execution.fuel;
    save(m, &m->thread[me]);
    hd_process_load(m, process);
    load(m, child);
    hd_space_enter(m, process); /* its globals only: this stack stays where it is */
    hd_fiber_run(&m->thread[me].saved, (void *)(t->stack_top - HD_STACK_ENTRY), entry, context);
}

typedef struct fork_request {
    hd_machine *m;
    uint32_t child, process;
} fork_request;

/* On the host's stack: the memory becomes the child's, which goes on first (P2). */
static void become_child(void *request, void *stack) {
    const fork_request *f = request;
    fork_request copy = *f; /* it lies on the stack that is about to be copied */
    copy.m->thread[copy.child].saved = stack;
    hd_space_fork(copy.m, copy.process, copy.child);
    hd_process_load(copy.m, copy.process);
    load(copy.m, copy.child);
}

/* The child is the running thread once more, at the same addresses: what is on its stack, this
 * frame included, is copied.  Both come back from the switch. */
/* What belongs to the thread goes on in the child: its values, its handlers, and whether it may be
 * cancelled. */
static void copy_own(const hd_thread *from, hd_thread *to) {
    HD_ASSERT(!to->specifics.n);
    for (size_t i = 0; i < from->specifics.n; i++)
        hd_vec_push(&to->specifics, from->specifics.at[i]);
    to->cleanup = from->cleanup;
    to->ignores_cancel = from->ignores_cancel;
}

bool hd_thread_fork(hd_machine *m, uint32_t child, uint32_t process) {
    uint32_t me = m->threads.current;
    hd_thread *t = &m->thread[child];
    const hd_thread *parent = &m->thread[me];
    HD_ASSERT(child != me && !t->is_used && hd_process_of(m, child) == process);
    save(m, &m->thread[me]);
    begin_record(m, child);
    t->parent = t->creator = me;
    t->copies = parent->copies;
    copy_own(parent, t);
    t->ear = parent->ear;
    t->ear.pending = 0;
    hd_thread_objects_fork(m, me, child);
    t->own_stack = (hd_range){t->stack_bottom, t->stack_top - t->stack_bottom};
    t->stack_bottom = parent->stack_bottom;
    t->stack_top = parent->stack_top;
    t->stack_low = parent->stack_low;
    t->stack_dirty = parent->stack_dirty;
    t->has_borrowed_stack = true;
    t->virtual_time = m->running.virtual_time;
    t->fuel = parent->fuel;
    t->errno_at = hd_errno_of(m, child);
    *(int *)t->errno_at = *(const int *)parent->errno_at;
    t->is_starting = true;
    enlist(m, child);
    m->threads.action[child].after[0] = hd_process_at(m, process)->born;
    fork_request request = {m, child, process};
    hd_fiber_fork(&m->thread[me].saved, m->call.host_stack, become_child, &request);
    return m->threads.current == child;
}

uint32_t hd_thread_index(hd_machine *m, uint64_t value, const char *function) {
    uint64_t index = value - HD_PTHREAD;
    bool is_thread = index < m->threads.n && m->thread[index].is_used;
    if (is_thread && m->threads.process[index] == m->threads.process[m->threads.current])
        return (uint32_t)index;
    if (is_thread)
        hd_end_finding(m, HD_FINDING_BAD_THREAD, 0,
                       "%s is called with %#lx, which is a thread of another process", function,
                       value);
    hd_end_finding(m, HD_FINDING_BAD_THREAD, 0, "%s is called with %#lx, which is no thread",
                   function, value);
}

/* ---- ends ---- */

void hd_threads_leave(hd_machine *m) {
    HD_INVARIANT(I2, m->call.host_stack && !hd_in_region((uint64_t)m->call.host_stack));
    hd_fiber_leave(m->call.host_stack);
}

/* The running thread is not alive any more: somebody else's turn. */
static _Noreturn void leave_turn(hd_machine *m) {
    hd_thread *t = &m->thread[m->threads.current];
    HD_INVARIANT(H3, !hd_set_has(m->threads.alive, m->threads.current));
    if (t->is_starting) {
        t->is_starting = false;
        switch_for_good(m, t->creator);
    }
    switch_for_good(m, hd_schedule(m));
}

/* Joins may go on before it; and if main does not end the program the last thread runs the handlers
 * for that, so that who is the last matters.  Of signals it is a write: what waits for this thread
 * is another one's from now on, whose looks only read. */
static void tell_end(hd_machine *m, uint32_t me) {
    bool hears = m->may.signal && hd_handled_hearing(m) & HD_HEARS_SHARED; /* signals.h, G7 */
    bool is_told = m->may.tell_ends || hears, may_be_last = m->may.end_last;
    if (!hd_is_threaded(m) || !(is_told || may_be_last))
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    uint64_t last = HD_TOKEN_LAST(hd_process_current(m));
    a.access[0].address = is_told ? HD_TOKEN_OVER(me) : last;
    if (is_told && may_be_last)
        hd_action_also(&a, last, 1, HD_MODE_WRITE, true);
    if (hears)
        hd_action_also(&a, HD_TOKEN_SIGNAL(hd_process_current(m)), 1, HD_MODE_WRITE, true);
    hd_visible(m, &a);
}

/* Processes that see how this one ends; signals alone make none. */
static bool has_other_processes(const hd_machine *m) {
    return m->system.is_concurrent && (m->processes->n > 1 || m->call.sink->outside);
}

void hd_thread_end(hd_machine *m, uint64_t result, hd_shadow shadow) {
    uint32_t me = m->threads.current;
    hd_thread *t = &m->thread[me];
    HD_ASSERT(hd_set_has(m->threads.alive, me) && !t->is_courier);
    hd_keys_run_destructors(m);
    if (m->may.signal)
        hd_signals_before_end(m);
    hd_thread_objects_leave(m, me);
    tell_end(m, me);
    t->result = result;
    t->result_shadow = shadow;
    hd_parts_end_thread(m, me);
    t->has_ended = true;
    hd_atomic_leave(m);
    m->threads.alive = hd_set_without(m->threads.alive, me);
    if (m->call.is_followed)
        hd_recall_end_thread(m);
    if (m->may.signal)
        hd_signals_end_thread(m);
    if (hd_set_meets(m->threads.alive, hd_process_at(m, hd_process_current(m))->threads)) {
        hd_thread_objects_end(m, me);
        leave_turn(m);
    }
    if (m->failing.has_stopped && !has_other_processes(m))
        hd_threads_leave(
            m); /* who failed has ended the program: no handlers run, whoever comes last */
    /* The last one ends the program. */
    m->threads.alive = hd_set_with(m->threads.alive, me);
    hd_action_clear(&m->threads.action[me], me);
    hd_exit_program(m, 0);
}

/* Inputs that an assumption excludes are no execution, whatever others would still do: in the one
 * order that there is nothing comes of it.  (Where orders are reduced, what others do next says
 * what is to be tried in place of it.) */
static bool ends_for_all(const hd_machine *m) {
    return m->call.outcome->end == HD_END_REJECTED && hd_time_orders(m);
}

void hd_thread_fail(hd_machine *m) {
    hd_outcome *o = m->call.outcome;
    bool has_others = !hd_set_is_empty(hd_set_without(m->threads.alive, m->threads.current)) ||
                      m->call.sink->outside; /* which are elsewhere */
    o->failed_thread = m->threads.current + 1;
    o->failed_event = m->execution.n_events;
    if (!has_others || (m->process.is_ending && !m->system.is_concurrent) || ends_for_all(m))
        hd_threads_leave(m);
    hd_failure_keep(m);
    m->failing.has_stopped = true;
    o->status = 0; /* the next one has its own */
    hd_thread_halt(m);
}

void hd_thread_halt(hd_machine *m) {
    hd_atomic_leave(m);
    m->threads.alive = hd_set_without(m->threads.alive, m->threads.current);
    bool is_nobody = hd_set_is_empty(m->threads.alive) && !m->call.sink->outside;
    if (is_nobody && m->system.is_concurrent && !m->failing.has_stopped)
        hd_end_quiet(m);
    if (is_nobody)
        hd_threads_leave(m);
    leave_turn(m);
}

bool hd_thread_is_idle(const hd_machine *m) {
    if (m->failing.has_stopped)
        return true;
    if (!m->system.is_concurrent && !m->execution.exit_since)
        return false; /* nobody has asked for the end */
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive)
    if (hd_kind_is(m->threads.action[t].kind, HD_KIND_ENDS))
        return true;
    return false;
}

/* A single process loses nothing: every execution in which threads are cut off earlier is the
 * beginning of one that is run.  Other processes may see that something was not done. */
static void tell_of_cut_threads(hd_machine *m, uint32_t site) {
    hd_thread_set own = hd_process_at(m, hd_process_current(m))->threads;
    bool has_others = false;
    uint32_t t;
    HD_SET_EACH(t, hd_set_minus(m->threads.alive, own))
    has_others |= !m->thread[t].is_courier && !(t && t == m->system.clock);
    if (has_others && hd_set_meets(m->threads.alive, hd_set_without(own, m->threads.current)))
        hd_bound(m, site,
                 "a process ends when its threads have to wait, neither before nor "
                 "after that");
}

void hd_threads_begin_end(hd_machine *m) {
    hd_process *p = hd_process_at(m, hd_process_current(m));
    uint32_t me = m->threads.current;
    if (m->process.is_ending || p->ended_by == 1 + me)
        return;
    if (hd_is_threaded(m)) {
        hd_action *a = hd_action_here(m, HD_DO_OBJECT, 0, (void *)HD_TOKEN_EXIT, 1, HD_MODE_WRITE);
        a->access[0].address += HD_SPACE(hd_process_current(m));
        hd_visible(m, a);
    }
    if (p->ended_by)
        hd_thread_halt(m);
    p->ended_by = 1 + me;
}

void hd_threads_stop_others(hd_machine *m) {
    if (m->process.is_ending)
        return;
    if (hd_is_threaded(m)) {
        hd_atomic_leave(m);
        if (!hd_thread_is_idle(m))
            m->execution.exit_since = m->execution.n_events;
        hd_action *a =
            hd_action_here(m, HD_DO_EXIT, HD_ACTION_WAITS, (void *)HD_TOKEN_EXIT, 1, HD_MODE_WRITE);
        a->access[0].address += HD_SPACE(hd_process_current(m));
        if (m->system.is_concurrent)
            tell_of_cut_threads(m, a->site);
        a->expected = hd_process_at(m, hd_process_current(m))->threads.bits;
        a->state = m->thread[m->threads.current].has_ended; /* all have */
        hd_visible(m, a);
    }
    m->process.is_ending = true;
    m->registers->is_threaded &= ~UINT64_C(1);
    if (m->system.is_concurrent) {
        hd_thread_set own = hd_process_at(m, hd_process_current(m))->threads;
        m->threads.alive = hd_set_minus(m->threads.alive, hd_set_without(own, m->threads.current));
        return;
    }
    if (m->failing.has_stopped)
        hd_threads_leave(m);
    m->threads.alive = hd_set_of(m->threads.current);
}

uint32_t hd_thread_n_events(const hd_machine *m, uint32_t t) {
    HD_CHECK(t < m->records.n);
    return m->thread[t].n_events;
}
