/* Processes: how they begin, take turns and end. */
#include "machine/tasks/process.h"

#include "machine/core/parts.h"

#include "machine/tasks/shared.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <signal.h>
#include <stdio.h>

/* ---- the machine's life ---- */

void hd_processes_init(hd_machine *m) {
    m->processes = calloc(1, sizeof *m->processes);
    if (!m->processes)
        hd_out_of_memory();
    m->processes->n_names = 1;
}

static void release_own(hd_process_part *own) {
    hd_vec_release(&own->at_exit);
    hd_vec_release(&own->at_quick_exit);
    hd_map_release(&own->keys);
}

static void release(hd_machine *m) {
    hd_processes *all = m->processes;
    hd_spaces_release(m);
    hd_execution_release(m);
    for (uint32_t i = 0; i < all->n_names; i++)
        release_own(&all->at[i].own);
    hd_map_release(&all->names);
    free(all);
    m->processes = NULL;
}

/* Lists keep their memory. */
static void begin_own(hd_process_part *own) {
    memset(own, 0, offsetof(hd_process_part, loose));
    own->n_unjoined = 1;
    hd_vec_clear(&own->at_exit);
    hd_vec_clear(&own->at_quick_exit);
    if (own->keys.n)
        hd_map_clear(&own->keys);
}

static void begin_record(hd_machine *m, uint32_t number, uint32_t main_thread) {
    HD_ASSERT(number < HD_MAX_PROCESSES && main_thread < HD_MAX_THREADS);
    hd_process *p = hd_process_at(m, number);
    memset(p, 0, offsetof(hd_process, lasting));
    p->main_thread = main_thread;
    p->born = number ? (uint32_t)m->execution.n_events : 0;
    p->threads = hd_set_of(main_thread);
    p->is_used = true;
    p->status_shadow = HD_NONE;
    begin_own(&p->own);
    m->threads.process[main_thread] = (uint16_t)number;
}

static void begin(hd_machine *m) {
    hd_processes *all = m->processes;
    for (uint32_t i = 0; i < all->n; i++)
        all->at[i].is_used = false;
    if (all->current) /* the lists of the process that ran last become those of process 0 */
        release_own(&all->at[0].own);
    begin_record(m, 0, 0);
    all->n = 1;
    all->current = all->loaded = 0;
    all->were_many = false;
    m->threads.enter = NULL;
    m->process.n_unjoined = 1;
}

/* When an execution begins, the first process is the only one in use; what others hold is made anew
 * when they are. */
static void visit(hd_machine *m, hd_visitor *v) {
    hd_processes *all = m->processes;
    hd_visit_extent(v, &all->n, all->n_names);
    hd_visit_bytes(v, &all->current, sizeof all->current);
    hd_visit_bytes(v, &all->loaded, sizeof all->loaded);
    hd_visit_bytes(v, &all->were_many, sizeof all->were_many);
    for (uint32_t i = 0; i < all->n_names; i++) {
        hd_process *p = &all->at[i];
        hd_visit_bytes(v, &p->is_used, sizeof p->is_used);
        if (p->is_used)
            hd_visit_bytes(v, p, offsetof(hd_process, lasting));
        else
            hd_visit_loose(v, p, offsetof(hd_process, lasting));
    }
}

/* ---- checkpoints ---- */

static bool is_simple(const hd_machine *m) {
    const hd_process *p = hd_process_at(m, 0);
    const hd_process_part *own = &m->process;
    return !m->system.is_concurrent && !m->processes->were_many && !m->system.now &&
           !m->system.clock && hd_set_is_empty(m->system.wanted_up) && !m->may.signal &&
           !p->signals && !p->ended_by && !hd_execution_has_memory(m) && !own->is_ending &&
           !own->is_exiting && !own->has_returned;
}

static void keep(hd_machine *m, hd_keeper *k) {
    const hd_process *p = hd_process_at(m, 0);
    hd_keep_aside(k, &p->threads, sizeof p->threads);
    hd_keep_aside(k, &m->registers->is_threaded, sizeof m->registers->is_threaded);
}

static void restore(hd_machine *m, hd_keeper *k) {
    hd_process *p = hd_process_at(m, 0);
    hd_bring_back(k, &p->threads, sizeof p->threads);
    hd_bring_back(k, &m->registers->is_threaded, sizeof m->registers->is_threaded);
}

/* ---- forked children ---- */

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put(b, &m->processes->n, sizeof m->processes->n);
    hd_box_put(b, m->processes->at, m->processes->n * sizeof *m->processes->at);
}

/* Who was there, and names that must mean the same in the next execution (P1). */
static void take_record(hd_machine *m, uint32_t number, const hd_process *from) {
    hd_process *p = hd_process_at(m, number);
    p->parent = from->parent, p->nth = from->nth;
    p->main_thread = from->main_thread;
    p->born = from->born, p->site = from->site;
    p->is_used = from->is_used, p->has_ended = from->has_ended, p->may_idle = from->may_idle;
    p->name = from->name, p->node = from->node;
    if (!p->is_used || number == 0)
        return;
    hd_map_put(&m->processes->names, (uint64_t)p->parent << 32 | p->nth, number);
    if (m->processes->n_names <= number)
        m->processes->n_names = number + 1;
}

static void take(hd_machine *m, hd_box *b) {
    hd_box_take(b, &m->processes->n, sizeof m->processes->n);
    HD_ASSERT(m->processes->n <= HD_MAX_PROCESSES);
    for (uint32_t i = 0; i < m->processes->n; i++) {
        hd_process from;
        hd_box_take(b, &from, sizeof from);
        take_record(m, i, &from);
    }
}

const hd_part hd_part_processes = {"processes",
                                   {begin, NULL, release, visit},
                                   {is_simple, keep, restore},
                                   {leave, take},
                                   HD_PART_NO_TASKS};

void hd_processes_finish(hd_machine *m) {
    if (m->processes->were_many)
        hd_spaces_finish(m);
    hd_execution_forget(m);
}

/* ---- names ---- */

static uint32_t name_child(hd_machine *m) {
    hd_processes *all = m->processes;
    uint32_t parent = all->current, nth = all->at[parent].n_children++;
    uint32_t number = hd_name_process(m, parent, nth);
    if (number == HD_MAX_PROCESSES)
        hd_end_at_limit(m, hd_caller_site(m, __builtin_frame_address(0)),
                        "an execution is followed for at most %u processes", HD_MAX_PROCESSES);
    return number;
}

/* ---- turns ---- */

/* What the machine knows of "the" process belongs to the one that runs, memory of lists included.
 */
static void save(hd_machine *m, hd_process *p) {
    p->own = m->process;
    p->is_threaded = m->registers->is_threaded;
}

static void load(hd_machine *m, hd_process *p) {
    m->process = p->own;
    p->own = (hd_process_part){0};
    m->registers->is_threaded = p->is_threaded;
}

/* Whether threads of a process can go on depends on its memory, which nobody changes while others
 * run. */
void hd_process_note_waiting(hd_machine *m, uint32_t number) {
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(hd_process_at(m, number)->threads, m->threads.alive))
    m->thread[t].can_go = hd_thread_is_enabled(m, t);
}

void hd_process_load(hd_machine *m, uint32_t number) {
    hd_processes *all = m->processes;
    if (all->current == number)
        return;
    HD_CHECK(number < all->n && all->at[number].is_used);
    save(m, &all->at[all->current]);
    all->current = number;
    m->system.space_tag = HD_SPACE(number);
    load(m, &all->at[number]);
    hd_time_enter(m, number);
}

static void enter(hd_threads *threads, uint32_t thread) {
    hd_machine *m = threads->machine;
    if (!m->thread[thread].is_courier)
        hd_space_enter(m, threads->process[thread]);
}

/* ---- creation ---- */

/* What a node may do, the processes may that it forks. */
static bool is_of_idle_node(const hd_machine *m, uint32_t node) {
    HD_ASSERT(node <= m->options.n_nodes);
    return node && m->options.nodes[node - 1].may_idle;
}

static uint32_t new_process(hd_machine *m, uint32_t thread) {
    hd_processes *all = m->processes;
    uint32_t parent = all->current, nth = all->at[parent].n_children, child = name_child(m);
    HD_INVARIANT(P1, child && child < all->n_names && !all->at[child].is_used);
    begin_record(m, child, thread);
    all->at[child].parent = parent;
    all->at[child].node = all->at[parent].node;
    all->at[child].may_idle = is_of_idle_node(m, all->at[parent].node);
    all->at[child].nth = nth;
    all->at[child].site = hd_caller_site(m, __builtin_frame_address(0));
    if (child >= all->n)
        all->n = child + 1;
    all->were_many = m->system.is_concurrent = true;
    m->threads.enter = enter;
    return child;
}

uint32_t hd_process_spawn(hd_machine *m, void (*entry)(void *), void *context) {
    hd_thread_check_limit(m);
    uint32_t thread = hd_thread_new_index(m);
    uint32_t child = new_process(m, thread);
    hd_space_copy(m, child);
    hd_thread_begin_process(m, thread, entry, context);
    HD_INVARIANT(P2, hd_process_current(m) == hd_process_at(m, child)->parent);
    return child;
}

void hd_process_skip(hd_machine *m) {
    hd_thread_new_index(m);
    name_child(m);
}

/* As hd_process_spawn, with memory as the program finds it. */
static uint32_t start_again(hd_machine *m, void (*entry)(void *), void *context) {
    hd_thread_check_limit(m);
    uint32_t thread = hd_thread_new_index(m), child = new_process(m, thread);
    hd_space_begin(m, child);
    hd_thread_begin_process(m, thread, entry, context);
    return child;
}

/* What the library keeps in memory of the program's own is there in the child too. */
static void copy_own(const hd_process_part *from, hd_process_part *to) {
    for (size_t i = 0; i < from->at_exit.n; i++)
        hd_vec_push(&to->at_exit, from->at_exit.at[i]);
    for (size_t i = 0; i < from->at_quick_exit.n; i++)
        hd_vec_push(&to->at_quick_exit, from->at_quick_exit.at[i]);
    hd_map_add(&to->keys, &from->keys);
    to->n_keys_gone = from->n_keys_gone;
}

uint32_t hd_process_fork(hd_machine *m) {
    hd_thread_check_limit(m);
    if (hd_time_orders(m))
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "processes of a node run in their default order (--orders time)");
    uint32_t thread = hd_thread_new_index(m), child = new_process(m, thread);
    copy_own(&m->process, &hd_process_at(m, child)->own);
    const hd_process *parent = hd_process_at(m, hd_process_current(m));
    hd_process_at(m, child)->reaps = parent->reaps;
    hd_process_at(m, child)->group = parent->group;
    hd_process_at(m, child)->session = parent->session;
    hd_parts_fork(m, hd_process_current(m), child);
    hd_signals_fork(m, hd_process_current(m), child);
    hd_shared_note(m);
    hd_signals_note(m);
    hd_process_at(m, child)->is_threaded =
        m->registers->is_threaded & (HD_SHARES_MEMORY | HD_HAS_HANDLERS);
    return hd_thread_fork(m, thread, child) ? 0 : child;
}

/* ---- ends ---- */

static void end(hd_machine *m, hd_process *p) {
    HD_ASSERT(p->is_used && !p->has_ended);
    p->has_ended = true;
    p->was_reaped = hd_process_at(m, p->parent)->reaps;
}

static void stop_threads(hd_machine *m, hd_process *p) {
    m->threads.alive = hd_set_minus(m->threads.alive, p->threads);
    end(m, p);
}

/* Threads that could have gone on show what the kill raced with (hd_events_blockers); the others
 * wait for something anyway. */
static void freeze_threads(hd_machine *m, hd_process *p) {
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(p->threads, m->threads.alive)) {
        bool could_go = hd_thread_is_enabled(m, t);
        m->threads.action[t].flags |=
            (uint8_t)(HD_ACTION_WAITS | (could_go ? 0 : HD_ACTION_FAILED));
        m->thread[t].deadline = UINT64_MAX; /* its time never comes */
    }
    end(m, p);
}

/* The parent may be waiting for it, others may send it signals or ask whether it is there.  Whether
 * the parent is still there must not matter: nothing orders the two. */
static void tell_end(hd_machine *m, uint32_t number) {
    const hd_process *p = hd_process_at(m, number);
    bool has_parent = number && (m->may.wait || m->may.signal),
         is_known = m->may.kill || m->may.ask;
    if (!has_parent && !is_known)
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    HD_ASSERT(!has_parent || hd_process_at(m, p->parent)->is_used);
    a.n_accesses = 0;
    if (has_parent)
        hd_action_also(&a, HD_TOKEN_ENDED(p->parent, p->nth), 1, HD_MODE_WRITE, true);
    if (has_parent && m->may.signal) {
        a.flags |= HD_ACTION_SETTLES;
        hd_action_also(&a, HD_TOKEN_SIGNAL(p->parent), 1, HD_MODE_READ, true);
    }
    if (is_known)
        hd_action_also(&a, HD_TOKEN_ALIVE(number), 1, HD_MODE_WRITE, true);
    hd_visible(m, &a);
    if (has_parent && m->may.signal)
        hd_signal_post(m, p->parent, hd_signal_of_child(number));
}

/* The end of a process is an event of its parent's signals too, if the parent deals with SIGCHLD
 * (G3). */
void hd_end_settle(hd_machine *m, hd_action *a) {
    uint64_t parent = a->access[1].address - HD_TOKEN_SIGNAL(0);
    HD_INVARIANT(G3, a->n_accesses > 1 && parent < HD_MAX_PROCESSES);
    a->access[1].mode =
        hd_signals_mind_children(m, (uint32_t)parent) ? HD_MODE_WRITE : HD_MODE_READ;
}

void hd_process_die(hd_machine *m, int signal) {
    hd_process *p = hd_process_at(m, hd_process_current(m));
    p->was_killed = true;
    hd_process_exit(m, signal);
}

/* What others notice of the end. */
static hd_process *begin_end(hd_machine *m, int status) {
    uint32_t me = hd_process_current(m);
    hd_process *p = hd_process_at(m, me);
    if (p->signals)
        p->signals->is_deaf = true;
    hd_parts_end_process(m, me, false);
    if (hd_set_has(m->system.wanted_up, me))
        hd_node_is_up(m);
    tell_end(m, me);
    p->status = status;
    p->status_shadow = m->thread[hd_thread_current(m)].status_shadow;
    return p;
}

void hd_process_exit(hd_machine *m, int status) {
    stop_threads(m, begin_end(m, status));
    hd_thread_halt(m);
}

void hd_process_reboot(hd_machine *m, void (*entry)(void *), void *context) {
    hd_globals_forget(m, hd_process_current(m));
    hd_process *p = begin_end(m, SIGKILL);
    p->was_killed = true;
    start_again(m, entry, context);
    stop_threads(m, p);
    hd_thread_halt(m);
}

void hd_process_kill(hd_machine *m, uint32_t number, int signal) {
    hd_process *p = hd_process_at(m, number);
    HD_ASSERT(number < m->processes->n && number != hd_process_current(m));
    if (p->has_ended)
        return;
    p->status = signal;
    p->was_killed = true;
    if (m->may.signal)
        hd_signal_post(m, p->parent, hd_signal_of_child(number));
    freeze_threads(m, p); /* before: closing is a step of its own, which it must not see */
    hd_parts_end_process(m, number, true);
}

/* ---- words ---- */

void hd_process_describe(const hd_machine *m, uint32_t number, hd_text *out) {
    const hd_process *p = hd_process_at(m, number);
    if (p->name)
        hd_text_add(out, "node '%s'", p->name);
    else if (number == 0)
        hd_text_add(out, "main");
    else
        hd_text_add(out, "%s %u", m->actors ? "actor" : "process", number);
}

/* For something that may never come: not for a lock, which somebody has. */
bool hd_action_is_idle(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_IDLE);
}

bool hd_processes_are_idle(const hd_machine *m) {
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive) {
        if (m->thread[t].is_courier || hd_process_at(m, hd_process_of(m, t))->has_ended)
            continue;
        if (!hd_action_is_idle(&m->threads.action[t]) ||
            !hd_process_at(m, hd_process_of(m, t))->may_idle)
            return false;
    }
    return true;
}

void hd_end_quiet(hd_machine *m) {
    hd_globals_check(m);
    if (!hd_processes_are_idle(m))
        hd_end_stuck(m);
    hd_orphans_at_end(m);
    hd_threads_leave(m);
}
