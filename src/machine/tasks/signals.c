/* Signals: what processes do with them, and when. */
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include "machine/core/parts.h"

#include <errno.h>

#define HARMLESS (HD_SIGNAL(SIGCHLD) | HD_SIGNAL(SIGURG) | HD_SIGNAL(SIGWINCH) | HD_SIGNAL(SIGCONT))

hd_signals *hd_signals_of(hd_machine *m, uint32_t process) {
    hd_process *p = hd_process_at(m, process);
    if (!p->signals)
        p->signals = hd_execution_alloc(m, sizeof *p->signals);
    return p->signals;
}

/* A child has the handlers of its parent, and neither its alarm nor what waits to be delivered. */
void hd_signals_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    HD_ASSERT(parent != child);
    hd_process_at(m, child)->signals = NULL;
    if (!hd_process_at(m, parent)->signals)
        return;
    hd_signals *to = hd_signals_of(m, child);
    *to = *hd_signals_of(m, parent);
    to->pending = to->is_own = to->alarm = to->interval = to->n_notes =
        0; /* handlers that run are left by both */
    memset(to->timers, 0, sizeof to->timers);
    if (hd_thread_current(m) != hd_process_at(m, parent)->main_thread) /* it is that there */
        to->blocked = m->thread[hd_thread_current(m)].own_blocked;
}

static bool is_signal(int signal) {
    return signal >= 1 && signal <= 64;
}

static bool has(const hd_signals *s, int signal) {
    HD_ASSERT(is_signal(signal));
    return s->of[signal - 1].sa_handler != SIG_DFL && s->of[signal - 1].sa_handler != SIG_IGN;
}

bool hd_signal_has_handler(hd_machine *m, uint32_t process, int signal) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    return s && is_signal(signal) && has(s, signal);
}

bool hd_signal_is_ignored(hd_machine *m, uint32_t process, int signal) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    HD_ASSERT(is_signal(signal));
    bool is_default = !s || s->of[signal - 1].sa_handler == SIG_DFL;
    return is_default ? (HARMLESS & HD_SIGNAL(signal)) != 0
                      : s->of[signal - 1].sa_handler == SIG_IGN;
}

/* Would this thread of a process take the signal now? */
static bool wants(const hd_machine *m, uint32_t process, uint32_t thread, int signal) {
    const hd_process *p = hd_process_at(m, process);
    if (!hd_set_has(m->threads.alive, thread) || m->thread[thread].is_courier)
        return false;
    uint64_t blocked =
        thread == p->main_thread ? p->signals->blocked : m->thread[thread].own_blocked;
    return !(blocked & HD_SIGNAL(signal));
}

/* The first of its threads that would take the signal, the main thread before all others. */
static uint32_t first_that_wants(const hd_machine *m, uint32_t process, int signal) {
    const hd_process *p = hd_process_at(m, process);
    if (wants(m, process, p->main_thread, signal))
        return p->main_thread;
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(p->threads, m->threads.alive))
    if (wants(m, process, t, signal))
        return t;
    return HD_NOBODY;
}

/* The main thread has ended or does not let the signal in, and another thread would. */
static void note_other_takers(hd_machine *m, uint32_t process, int signal) {
    uint32_t t = first_that_wants(m, process, signal);
    bool is_due = hd_process_at(m, process)->signals->pending & HD_SIGNAL(signal);
    if (is_due && t != HD_NOBODY && t != hd_process_at(m, process)->main_thread)
        hd_bound(m, m->threads.action[t].site,
                 "only the main thread takes signals that several threads could take");
}

bool hd_signals_are_owed(hd_machine *m) {
    for (uint32_t p = 0; p < m->processes->n; p++) {
        const hd_signals *s = hd_process_at(m, p)->signals;
        uint64_t left = s && !hd_process_at(m, p)->has_ended ? s->pending : 0;
        for (; left; left &= left - 1)
            if (first_that_wants(m, p, 1 + __builtin_ctzll(left)) != HD_NOBODY)
                return true;
    }
    return false;
}

/* What is blocked waits, even if it would be ignored now. */
void hd_signal_post(hd_machine *m, uint32_t process, hd_signal_note note) {
    hd_signals *s = hd_signals_of(m, process);
    HD_ASSERT(is_signal(note.signal) && process < m->processes->n);
    note.thread = HD_NOBODY;
    if (s->blocked & HD_SIGNAL(note.signal) || !hd_signal_is_ignored(m, process, note.signal)) {
        s->pending |= HD_SIGNAL(note.signal);
        hd_note_keep(m, process, note);
    }
    note_other_takers(m, process, note.signal);
}

/* Linux asks the main thread first, and if that does not want it any of the others. */
hd_signal_taker hd_signal_find_taker(hd_machine *m, uint32_t process, int signal) {
    const hd_process *p = hd_process_at(m, process);
    uint32_t t, n = 0, me = hd_thread_current(m);
    if (!p->signals || wants(m, process, p->main_thread, signal))
        return HD_TAKER_MAIN;
    HD_SET_EACH(t, hd_set_both(p->threads, m->threads.alive)) {
        n += wants(m, process, t, signal);
    }
    if (!n)
        return HD_TAKER_NOBODY;
    bool is_me = hd_process_of(m, me) == process && wants(m, process, me, signal);
    return n == 1 && is_me ? HD_TAKER_SENDER : HD_TAKER_ANOTHER;
}

bool hd_signals_mind_children(hd_machine *m, uint32_t process) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    return s && (s->blocked & HD_SIGNAL(SIGCHLD) || has(s, SIGCHLD));
}

void hd_signals_note(hd_machine *m) {
    const hd_signals *s = hd_process_at(m, hd_process_current(m))->signals;
    m->registers->is_threaded &= ~(uint64_t)HD_HAS_HANDLERS;
    if (s && s->handled && m->system.is_concurrent)
        m->registers->is_threaded |= HD_HAS_HANDLERS;
}

uint64_t *hd_signals_blocked(hd_machine *m) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    uint32_t me = hd_thread_current(m);
    hd_signals *s = hd_signals_of(m, hd_process_current(m));
    if (me == p->main_thread)
        return &s->blocked;
    return &m->thread[me].own_blocked;
}

void hd_signals_begin_thread(hd_machine *m, uint32_t child) {
    m->thread[child].own_blocked = *hd_signals_blocked(m);
    m->thread[child].own_pending = 0;
    /* From here on signals of its own threads come to a process at any time. */
    if (m->may.kill)
        m->system.is_concurrent = true;
    hd_signals_note(m);
}

static uint64_t due_of(const hd_signals *s) {
    return s && !s->is_deaf ? s->pending & ~s->blocked : 0;
}

/* The main thread waits for a lock or the like that another one has: on Linux it would run the
 * handler and go on waiting, as it does here where it joins. */
static bool is_deaf_now(hd_machine *m, const hd_process *p) {
    const hd_action *a = &m->threads.action[p->main_thread];
    return hd_set_has(m->threads.alive, p->main_thread) && a->flags & HD_ACTION_WAITS &&
           !hd_kind_is(a->kind, HD_KIND_WORLD | HD_KIND_VAIN | HD_KIND_JOINS) &&
           !hd_thread_is_enabled(m, p->main_thread);
}

void hd_signals_note_deaf(hd_machine *m) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (p->is_used && !p->has_ended && p->signals && due_of(p->signals) & p->signals->handled &&
            is_deaf_now(m, p))
            hd_bound(m, m->threads.action[p->main_thread].site,
                     "handlers of signals do not run while the main thread waits for "
                     "another thread");
    }
}

bool hd_signal_is_due(hd_machine *m, uint32_t thread) {
    if (!m->may.signal)
        return false;
    const hd_process *p = hd_process_at(m, hd_process_of(m, thread));
    return thread == p->main_thread && due_of(p->signals);
}

/* ---- delivering ---- */

/* The handler may do anything that makes events: what the thread is in the middle of stays. */
static void call(hd_machine *m, const struct sigaction *what, const hd_signal_note *note) {
    uint32_t me = hd_thread_current(m), n_spins = m->thread[me].n_spins;
    hd_parts_interrupt(m, me);
    uint64_t deadline = m->thread[me].deadline;
    int number = *(int *)m->running.errno_at;
    m->thread[me].deadline = UINT64_MAX;
    m->thread[me].n_spins = 0; /* it is in none of the loops around it */
    m->registers->passed = m->registers->returned = 0;
    if (what->sa_flags & SA_SIGINFO) {
        siginfo_t *info = hd_note_hide(m, note);
        what->sa_sigaction(note->signal, info, NULL);
    } else
        what->sa_handler(note->signal);
    m->registers->passed = m->registers->returned = 0;
    me = hd_thread_current(m); /* another one in a child of the handler */
    m->thread[me].n_spins = n_spins;
    m->thread[me].deadline = deadline;
    hd_parts_resume(m, me);
    if (*(int *)m->running.errno_at != number && m->system.is_concurrent)
        hd_handled_note(m, m->running.errno_at, sizeof number, true, 0);
}

/* Of the running process: after a handler it may be a child that the handler forked. */
static hd_signals *mine(hd_machine *m) {
    return hd_signals_of(m, hd_process_current(m));
}

static bool is_main(const hd_machine *m) {
    return hd_thread_current(m) == hd_process_at(m, hd_process_current(m))->main_thread;
}

/* What is counted of the handlers that run in the main thread. */
typedef struct nesting {
    uint32_t depth, n_interrupting;
    uint64_t inner_frame;
} nesting;

static nesting nesting_of(const hd_signals *s) {
    return (nesting){s->depth, s->n_interrupting, s->inner_frame};
}

static void enter_handler(hd_signals *s, uint64_t frame) {
    if (s->depth++ == 0)
        s->frame = frame;
    s->inner_frame = frame;
}

/* From here on the handler may be interrupted by what it does not block.  Of its memory only that
 * in the main thread matters (handler_memory.c): accesses of others are events anyway. */
static struct sigaction begin_handler(hd_machine *m, int signal) {
    hd_signals *s = mine(m);
    HD_ASSERT(has(s, signal));
    struct sigaction what = s->of[signal - 1];
    *hd_signals_blocked(m) |=
        what.sa_mask.__val[0] | (what.sa_flags & SA_NODEFER ? 0 : HD_SIGNAL(signal));
    if (what.sa_flags & (int)SA_RESETHAND) {
        s->of[signal - 1].sa_handler = SIG_DFL;
        s->handled &= ~HD_SIGNAL(signal);
    }
    if (is_main(m))
        enter_handler(s, (uint64_t)__builtin_frame_address(0));
    return what;
}

/* Handlers that it called, and that were left by jumps into it, are over with it (G6). */
static void end_handler(hd_machine *m, uint64_t blocked, nesting before) {
    hd_signals *s = mine(m);
    HD_INVARIANT(G6, !is_main(m) || s->depth > before.depth);
    if (is_main(m)) {
        s->depth = before.depth;
        s->n_interrupting = before.n_interrupting;
        s->inner_frame = before.inner_frame;
    }
    *hd_signals_blocked(m) = blocked;
}

void hd_signal_handle(hd_machine *m, hd_signal_note note) {
    uint64_t blocked = *hd_signals_blocked(m);
    nesting before = nesting_of(mine(m));
    struct sigaction what = begin_handler(m, note.signal);
    call(m, &what, &note);
    end_handler(m, blocked, before);
}

/* What goes on after the jump sees at which instruction the handler has come. */
static void note_jump(hd_machine *m) {
    hd_approximate_as(m, HD_LOSS_LEFT_OUT, hd_caller_site(m, __builtin_frame_address(0)),
                      "handlers that are left by a jump run between visible operations only");
}

void hd_signals_leave_to(hd_machine *m, uint64_t frame) {
    hd_signals *s = hd_process_at(m, hd_process_current(m))->signals;
    if (!s || !is_main(m) || !s->depth || frame <= s->inner_frame)
        return;
    if (s->is_between)
        note_jump(m);
    if (frame <= s->frame)
        return; /* into an outer one, which puts right what is counted when it ends */
    s->depth = s->n_interrupting = 0;
    s->is_between = false;
}

/* Where handlers can run is known only of modules whose accesses are announced. */
static void note_places(hd_machine *m) {
    if (!(m->image->is_threaded & 1))
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "handlers of signals run between visible operations only");
}

/* More of the same may be queued. */
hd_signal_note hd_signal_take_own(hd_machine *m, int signal) {
    hd_signals *s = mine(m);
    uint32_t me = hd_thread_current(m);
    hd_signal_note note = hd_note_take(s, me, signal);
    if (!hd_note_is_kept(s, me, signal))
        m->thread[me].own_pending &= ~HD_SIGNAL(signal);
    return note;
}

hd_signal_note hd_signal_take(hd_machine *m, int signal) {
    hd_signals *s = mine(m);
    HD_ASSERT(s->pending & HD_SIGNAL(signal));
    hd_signal_note note = hd_note_take(s, HD_NOBODY, signal);
    if (hd_note_is_kept(s, HD_NOBODY, signal))
        return note;
    s->pending &= ~HD_SIGNAL(signal);
    s->is_own &= ~HD_SIGNAL(signal);
    HD_INVARIANT(N1, s->pending || !hd_note_is_kept(s, HD_NOBODY, signal));
    return note;
}

/* The lowest that is due; false if that needs no handler. */
static bool deliver_one(hd_machine *m) {
    hd_signals *s = mine(m);
    HD_ASSERT(due_of(s));
    HD_INVARIANT(G1, hd_thread_current(m) == hd_process_at(m, hd_process_current(m))->main_thread);
    int signal = 1 + __builtin_ctzll(due_of(s));
    bool is_own = s->is_own & HD_SIGNAL(signal);
    hd_signal_note note = hd_signal_take(m, signal);
    if (hd_signal_is_ignored(m, hd_process_current(m), signal))
        return false;
    if (!has(s, signal) && is_own)
        hd_signal_end(m, signal);
    if (!has(s, signal))
        hd_process_die(m, signal);
    bool was_waiting = s->is_waiting; /* with other signals blocked */
    uint64_t blocked = was_waiting ? s->blocked_after : s->blocked;
    nesting before = nesting_of(s);
    s->is_waiting = false;
    struct sigaction what = begin_handler(m, signal);
    s->n_interrupting++;
    HD_INVARIANT(G4, was_waiting || !(due_of(mine(m)) & (HD_SIGNAL(signal) - 1)));
    while (due_of(mine(m)))
        deliver_one(m);
    note_places(m);
    call(m, &what, &note);
    HD_ASSERT(mine(m)->n_interrupting > before.n_interrupting);
    end_handler(m, blocked, before);
    return true;
}

bool hd_signals_deliver(hd_machine *m, bool *restarts) {
    bool any = false;
    *restarts = true;
    while (due_of(mine(m))) {
        int first = 1 + __builtin_ctzll(due_of(mine(m)));
        bool begins_again = (mine(m)->of[first - 1].sa_flags & SA_RESTART) != 0;
        if (!deliver_one(m))
            continue;
        *restarts = any ? *restarts : begins_again;
        any = true;
    }
    return any;
}

bool hd_signals_matter(hd_machine *m, uint32_t process) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    return s && !s->is_deaf && s->handled & ~s->blocked;
}

bool hd_signals_matter_to(hd_machine *m, uint32_t thread) {
    uint32_t process = hd_process_of(m, thread);
    return thread == hd_process_at(m, process)->main_thread && hd_signals_matter(m, process);
}

/* Would the running thread take signals at all? */
static bool takes_signals(const hd_machine *m) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    return p->signals && !p->signals->is_deaf && hd_thread_current(m) == p->main_thread;
}

static void deliver_between(hd_machine *m) {
    bool restarts, was_between = mine(m)->is_between;
    mine(m)->is_between = true;
    hd_signals_deliver(m, &restarts);
    mine(m)->is_between = was_between;
}

/* Once more after each handler: another may come before the operation. */
static void look(hd_machine *m) {
    if (mine(m)->is_waiting) /* the wait itself takes them */
        return;
    do {
        if (due_of(mine(m)))
            deliver_between(m);
        if (!m->system.is_concurrent || !(mine(m)->handled & ~mine(m)->blocked))
            return;
        hd_action a = hd_action_on(m, HD_DO_NONE, 0, NULL, 1, HD_MODE_READ);
        a.access[0].address = HD_TOKEN_SIGNAL(hd_process_current(m));
        hd_visible(m, &a);
    } while (due_of(mine(m)));
}

static bool is_look(const hd_machine *m, const hd_action *a) {
    return a->kind == HD_DO_NONE && a->access[0].address == HD_TOKEN_SIGNAL(hd_process_current(m));
}

void hd_signals_before(hd_machine *m, const hd_action *a) {
    if (takes_signals(m) && !is_look(m, a))
        look(m);
}

void hd_signals_before_end(hd_machine *m) {
    if (takes_signals(m) && m->system.is_concurrent)
        look(m);
    HD_INVARIANT(G2, !takes_signals(m) || !m->system.is_concurrent || mine(m)->is_waiting ||
                         !due_of(mine(m)));
}

void hd_signals_end_main(hd_machine *m) {
    hd_signals *s = hd_process_at(m, hd_process_current(m))->signals;
    if (!s || !is_main(m))
        return;
    for (uint64_t left = due_of(s); left; left &= left - 1)
        note_other_takers(m, hd_process_current(m), 1 + __builtin_ctzll(left));
    s->is_deaf = !m->may.end_last;
}

/* The library writes errno when the kernel has returned, after all handlers. */
void hd_signals_at_return(hd_machine *m, bool has_failed) {
    int number = *(int *)m->running.errno_at;
    hd_shadow returned = m->registers->returned;
    bool restarts;
    if (!takes_signals(m) || m->atomic.is_inside || mine(m)->is_waiting)
        return;
    hd_signals_deliver(m, &restarts);
    HD_INVARIANT(G5, !due_of(mine(m)));
    if (has_failed)
        hd_errno_set(m, number);
    m->registers->returned = returned;
}

bool hd_signals_interrupt(hd_machine *m, bool may_restart) {
    bool restarts;
    if (!hd_signal_is_due(m, hd_thread_current(m)) || hd_time_is_up(m, hd_thread_current(m)))
        return true;
    if (!hd_signals_deliver(m, &restarts) || (restarts && may_restart))
        return false; /* what was ignored interrupts nothing */
    m->thread[hd_thread_current(m)].is_interrupted = true;
    return true;
}

/* ---- what comes by itself ---- */

static bool is_running(const hd_timer *t) {
    return t->is_used && !t->is_silent && t->at;
}

static uint64_t first_of(const hd_signals *s) {
    uint64_t first = s->alarm ? s->alarm : UINT64_MAX;
    for (const hd_timer *t = s->timers; t < s->timers + HD_MOST_TIMERS; t++)
        if (is_running(t) && t->at < first)
            first = t->at;
    return first;
}

bool hd_signals_ring_at(const hd_signals *s, uint64_t time) {
    for (const hd_timer *t = s->timers; t < s->timers + HD_MOST_TIMERS; t++)
        if (is_running(t) && t->at == time)
            return true;
    return s->alarm == time;
}

uint64_t hd_signals_first_alarm(hd_machine *m) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (!p->is_used || p->has_ended || !p->signals)
            continue;
        uint64_t own = first_of(p->signals);
        first = own < first ? own : first;
    }
    return first;
}

/* A timer has one signal under way at most: what expires meanwhile is counted. */
static void expire(hd_machine *m, uint32_t process, hd_timer *t, uint32_t number) {
    HD_ASSERT(is_running(t));
    t->at = t->interval ? t->at + t->interval : 0;
    hd_time_limit(m, process, UINT32_MAX, t->at);
    if (hd_note_is_of_timer(hd_signals_of(m, process), number)) {
        t->n_missed++;
        return;
    }
    hd_signal_post(m, process,
                   (hd_signal_note){.signal = t->signal,
                                    .code = SI_TIMER,
                                    .process = number,
                                    .value = t->value,
                                    .shadow = t->shadow});
}

static void ring(hd_machine *m, uint32_t process, hd_signals *s, uint64_t time) {
    for (uint32_t i = 0; i < HD_MOST_TIMERS; i++)
        if (is_running(&s->timers[i]) && s->timers[i].at <= time)
            expire(m, process, &s->timers[i], i);
    if (!s->alarm || s->alarm > time)
        return;
    s->alarm = s->interval ? s->alarm + s->interval : 0;
    hd_time_limit(m, process, UINT32_MAX, s->alarm);
    hd_signal_post(m, process, (hd_signal_note){.signal = SIGALRM, .code = SI_KERNEL});
}

void hd_signals_ring(hd_machine *m) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (p->is_used && !p->has_ended && p->signals)
            ring(m, i, p->signals, m->system.now);
    }
}

void hd_signals_ring_of(hd_machine *m, uint32_t host, uint64_t time) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (p->is_used && !p->has_ended && p->node == host && p->signals)
            ring(m, i, p->signals, time);
    }
}

/* A blocked signal waits, for the thread alone unless that is the main thread. */
static void keep_blocked(hd_machine *m, hd_signals *s, hd_signal_note note) {
    uint32_t me = hd_thread_current(m);
    note.thread = is_main(m) ? HD_NOBODY : me;
    hd_note_keep(m, hd_process_current(m), note);
    if (!is_main(m)) {
        m->thread[me].own_pending |= HD_SIGNAL(note.signal);
        return;
    }
    s->pending |= HD_SIGNAL(note.signal);
    s->is_own |= HD_SIGNAL(note.signal);
}

bool hd_signal_raise(hd_machine *m, hd_signal_note note) {
    uint32_t me = hd_process_current(m);
    hd_signals *s = hd_process_at(m, me)->signals;
    if (hd_signal_is_ignored(m, me, note.signal))
        return true;
    if (s && *hd_signals_blocked(m) & HD_SIGNAL(note.signal)) {
        keep_blocked(m, s, note);
        return true;
    }
    if (!hd_signal_has_handler(m, me, note.signal))
        return false;
    hd_signal_handle(m, note);
    return true;
}
