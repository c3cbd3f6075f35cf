/* Nobody can go on: what to say about it.
 *
 * Every thread that is left is named, with what it waits for and what it holds. */
#include "machine/core/kinds.h"
#include "machine/tasks/signals.h"

#include <stdio.h>

static bool is_spinning(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_VAIN) || (a->flags & HD_ACTION_SPINS) != 0;
}

void hd_describe_spin(hd_machine *m, const hd_action *a, hd_text *out) {
    char what[128];
    bool is_behind = hd_kind_is(a->kind, HD_KIND_VAIN);
    uint64_t address = is_behind ? hd_spin_place(&m->thread[a->thread]) : hd_action_object(a);
    if (!address) {
        hd_text_add(out, "waits in a loop for a signal");
        return;
    }
    size_t n = hd_machine_describe(m, address, what, sizeof what);
    if (n)
        hd_text_add(out, "waits in a loop for '%.*s'%s to change", (int)n, what, what + n);
    else
        hd_text_add(out, "waits in a loop for %s to change", what[0] ? what : "memory");
}

static void describe_place(const hd_machine *m, uint32_t site, hd_text *out) {
    const hd_site *s = &m->image->sites[site];
    if (site && site < m->image->n_sites && s->line)
        hd_text_add(out, "at %s:%u ", s->file, s->line);
}

static bool holds_something(hd_machine *m, uint32_t thread, hd_text *held) {
    hd_sync_describe_held(m, thread, held);
    return held->n != 0;
}

/* In a program of several processes their first threads are called by the process's name. */
static void describe_who(hd_machine *m, uint32_t thread, hd_text *out) {
    uint32_t process = hd_process_of(m, thread);
    if (m->processes->were_many)
        hd_process_describe(m, process, out);
    if (m->processes->were_many && hd_process_at(m, process)->main_thread == thread)
        hd_text_add(out, " ");
    else
        hd_text_add(out, "%sthread %u ", m->processes->were_many ? ", " : "", thread);
}

static void describe_thread(hd_machine *m, uint32_t thread, hd_text *out) {
    const hd_action *a = &m->threads.action[thread];
    HD_ASSERT(a->thread == thread && a->kind < HD_N_ACTIONS);
    hd_text held = {0};
    hd_threads_enter(&m->threads, thread); /* what it waits for lies in memory of its process */
    hd_text_add(out, "%s", out->n ? "; " : "");
    describe_who(m, thread, out);
    describe_place(m, a->site, out);
    hd_kinds[a->kind].describe(m, a, out);
    if (holds_something(m, thread, &held))
        hd_text_add(out, " and holds %s", hd_text_string(&held));
    hd_text_release(&held);
}

/* Frame pointer of a thread that does not run: the last of the registers on its stack. */
static const void *frame_of(const hd_machine *m, uint32_t thread) {
    HD_ASSERT(m->thread[thread].saved);
    return ((void *const *)m->thread[thread].saved)[6];
}

static hd_finding_kind kind_of_stuck(hd_machine *m) {
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive)
    if (is_spinning(&m->threads.action[t]))
        return HD_FINDING_LIVELOCK;
    return hd_sync_is_lost_wakeup(m) ? HD_FINDING_LOST_WAKEUP : HD_FINDING_DEADLOCK;
}

/* How much is the wait of this thread the reason?  One that only waits for another to end is
 * none, one that holds what others want is a better one. */
static int blame(hd_machine *m, uint32_t thread, hd_finding_kind kind) {
    const hd_action *a = &m->threads.action[thread];
    HD_ASSERT(hd_set_has(m->threads.alive, thread));
    hd_text held = {0};
    int points = holds_something(m, thread, &held);
    hd_text_release(&held);
    if (kind == HD_FINDING_LIVELOCK)
        points += 4 * is_spinning(a);
    if (kind == HD_FINDING_LOST_WAKEUP)
        points += 4 * hd_kind_is(a->kind, HD_KIND_WAKES);
    return points + 2 * !hd_kind_is(a->kind, HD_KIND_JOINS);
}

static uint32_t find_reason(hd_machine *m, hd_finding_kind kind) {
    HD_ASSERT(!hd_set_is_empty(m->threads.alive));
    uint32_t best = hd_set_first(m->threads.alive);
    uint32_t thread;
    HD_SET_EACH(thread, m->threads.alive) {
        if (blame(m, thread, kind) > blame(m, best, kind))
            best = thread;
    }
    return best;
}

/* Couriers do not wait, what was killed does not either, and who may wait for ever is no reason. */
static bool is_bystander(const hd_machine *m, uint32_t t) {
    const hd_process *p = hd_process_at(m, hd_process_of(m, t));
    return m->thread[t].is_courier || p->has_ended ||
           (p->may_idle && hd_action_is_idle(&m->threads.action[t]));
}

static void drop_bystanders(hd_machine *m) {
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive)
    if (is_bystander(m, t))
        m->threads.alive = hd_set_without(m->threads.alive, t);
}

typedef struct stuck {
    hd_machine *m;
    const void *frame; /* of the running thread */
    uint32_t reason;   /* the thread that the finding is placed at */
} stuck;

/* On a stack of the host: what threads wait for, and their stacks, lie in memory of their
 * processes. */
static uint32_t describe_stuck(void *context, hd_threads *threads) {
    stuck *s = context;
    hd_machine *m = s->m;
    hd_finding *f = &m->call.outcome->finding;
    hd_text text = {0};
    uint32_t t;
    HD_SET_EACH(t, threads->alive)
    describe_thread(m, t, &text);
    hd_finding_kind kind = kind_of_stuck(m);
    if (kind == HD_FINDING_LIVELOCK)
        hd_text_add(&text, ", and nobody will change it");
    uint32_t reason = s->reason = find_reason(m, kind);
    hd_finding_fill(m, kind, threads->action[reason].site);
    snprintf(f->message, sizeof f->message, "%s", hd_text_string(&text));
    hd_text_release(&text);
    hd_threads_enter(threads, reason);
    hd_stack_walk(m, f, reason == threads->current ? s->frame : frame_of(m, reason));
    if (threads->enter)
        hd_space_enter(m, hd_process_of(m, threads->current));
    return 0;
}

/* ---- of a node that runs alone ---- */

/* The one that ran last has called from the frame above its `saved` (ask_processes in visible.c).
 */
static const void *frame_of_waiting(const hd_machine *m, uint32_t thread) {
    bool ran_last = thread == m->threads.current;
    return ran_last ? (const char *)m->thread[thread].saved + HD_FRAME_ROOM : frame_of(m, thread);
}

uint64_t hd_stacks_of_stuck(hd_machine *m) {
    hd_finding one = {.kind = HD_FINDING_DEADLOCK};
    uint64_t hash = 0;
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive) {
        if (is_bystander(m, t))
            continue;
        one.n_stack = 0;
        hd_threads_enter(&m->threads, t);
        hd_stack_walk(m, &one, frame_of_waiting(m, t));
        hash = hd_hash_add(hash, hd_finding_signature(&one));
    }
    hd_space_enter(m, hd_process_current(m));
    return hash;
}

/* ---- the end ---- */

/* A place for debuggers to stop at (cli/gdb.c): all threads still have their stacks. */
__attribute__((noinline)) void hd_stuck_told(uint32_t reason) {
    __asm__ volatile("" : : "r"(reason) : "memory");
}

/* An order in which somebody waits who would have run a handler is none: others run it
 * (tasks/signals.h, G8). */
static _Noreturn void end_owed(hd_machine *m) {
    m->call.outcome->end = HD_END_REJECTED;
    hd_threads_leave(m);
}

void hd_end_stuck(hd_machine *m) {
    if (m->may.signal && hd_signals_are_owed(m))
        end_owed(m);
    stuck s = {m, __builtin_frame_address(0), 0};
    drop_bystanders(m);
    m->thread[m->threads.current].saved = (char *)__builtin_frame_address(0) - HD_FRAME_ROOM;
    hd_fiber_call(m->call.host_stack, describe_stuck, &s, &m->threads);
    m->call.outcome->failed_thread = 0;
    m->call.outcome->failed_event = m->execution.n_events;
    hd_stuck_told(s.reason);
    hd_threads_leave(m);
}
