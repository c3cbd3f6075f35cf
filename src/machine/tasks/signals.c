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
        0; /* handlers that run are left by both: the ear is copied (threads.c) */
    memset(to->timers, 0, sizeof to->timers);
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
    const hd_thread *t = &m->thread[thread];
    return hd_set_has(m->threads.alive, thread) && hd_process_of(m, thread) == process &&
           !t->is_courier && !t->ear.is_deaf && !(t->ear.blocked & HD_SIGNAL(signal));
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

static uint32_t n_that_want(const hd_machine *m, uint32_t process, int signal) {
    uint32_t t, n = 0;
    HD_SET_EACH(t, hd_set_both(hd_process_at(m, process)->threads, m->threads.alive)) {
        n += wants(m, process, t, signal);
    }
    return n;
}

/* The main thread has ended or does not let the signal in, and another thread would (G7). */
static void note_other_takers(hd_machine *m, uint32_t process, int signal) {
    uint32_t t = first_that_wants(m, process, signal);
    bool is_due = hd_process_at(m, process)->signals->pending & HD_SIGNAL(signal);
    if (!is_due || t == HD_NOBODY || t == hd_process_at(m, process)->main_thread)
        return;
    hd_handled_hear(m, HD_HEARS_SHARED);
    if (n_that_want(m, process, signal) > 1)
        hd_bound(
            m, m->threads.action[t].site,
            "of several threads that could take a signal, the first that was created takes it");
}

bool hd_signals_are_owed(hd_machine *m) {
    for (uint32_t p = 0; p < m->processes->n; p++) {
        const hd_signals *s = hd_process_at(m, p)->signals;
        uint64_t left = s && !hd_process_at(m, p)->has_ended ? s->pending : 0;
        for (; left; left &= left - 1)
            if (first_that_wants(m, p, 1 + __builtin_ctzll(left)) != HD_NOBODY)
                return true;
    }
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive)
    if (m->thread[t].ear.pending & ~m->thread[t].ear.blocked)
        return true;
    return false;
}

/* What is blocked waits, even if it would be ignored now. */
void hd_signal_post(hd_machine *m, uint32_t process, hd_signal_note note) {
    hd_signals *s = hd_signals_of(m, process);
    HD_ASSERT(is_signal(note.signal) && process < m->processes->n);
    note.thread = HD_NOBODY;
    uint64_t blocked = m->thread[hd_process_at(m, process)->main_thread].ear.blocked;
    if (blocked & HD_SIGNAL(note.signal) || !hd_signal_is_ignored(m, process, note.signal)) {
        s->pending |= HD_SIGNAL(note.signal);
        hd_note_keep(m, process, note);
    }
    note_other_takers(m, process, note.signal);
}

/* Linux asks the main thread first, and if that does not want it any of the others. */
hd_signal_taker hd_signal_find_taker(hd_machine *m, uint32_t process, int signal) {
    uint32_t n = n_that_want(m, process, signal), me = hd_thread_current(m);
    if (wants(m, process, hd_process_at(m, process)->main_thread, signal))
        return HD_TAKER_MAIN;
    if (!n)
        return HD_TAKER_NOBODY;
    return n == 1 && wants(m, process, me, signal) ? HD_TAKER_SENDER : HD_TAKER_ANOTHER;
}

bool hd_signals_mind_children(hd_machine *m, uint32_t process) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    const hd_hearing *ear = &m->thread[hd_process_at(m, process)->main_thread].ear;
    return ear->blocked & HD_SIGNAL(SIGCHLD) || (s && has(s, SIGCHLD));
}

void hd_signals_note(hd_machine *m) {
    const hd_signals *s = hd_process_at(m, hd_process_current(m))->signals;
    m->registers->is_threaded &= ~(uint64_t)HD_HAS_HANDLERS;
    if (s && s->handled && m->system.is_concurrent)
        m->registers->is_threaded |= HD_HAS_HANDLERS;
}

uint64_t *hd_signals_blocked(hd_machine *m) {
    return &m->thread[hd_thread_current(m)].ear.blocked;
}

void hd_signals_begin_thread(hd_machine *m, uint32_t child) {
    m->thread[child].ear = (hd_hearing){.blocked = *hd_signals_blocked(m)};
    /* From here on signals of its own threads come to a process at any time. */
    if (m->may.kill)
        m->system.is_concurrent = true;
    hd_signals_note(m);
}

static uint64_t own_due(const hd_machine *m, uint32_t t) {
    return m->thread[t].ear.pending & ~m->thread[t].ear.blocked;
}

/* Of what was sent to its process: what no other thread takes before it. */
static uint64_t shared_due(const hd_machine *m, uint32_t t) {
    const hd_process *p = hd_process_at(m, hd_process_of(m, t));
    uint64_t left = p->signals->pending & ~m->thread[t].ear.blocked, due = 0;
    if (t == p->main_thread)
        return left;
    for (; left; left &= left - 1)
        if (first_that_wants(m, hd_process_of(m, t), 1 + __builtin_ctzll(left)) == t)
            due |= left & -left;
    return due;
}

static uint64_t due_of(const hd_machine *m, uint32_t t) {
    const hd_signals *s = hd_process_at(m, hd_process_of(m, t))->signals;
    bool hears = s && !s->is_deaf && !m->thread[t].ear.is_deaf;
    return hears ? own_due(m, t) | shared_due(m, t) : 0;
}

/* Was its thread ready for signals when it came to this action?  Then it has looked before it. */
static bool is_after_look(const hd_machine *m, const hd_action *a) {
    uint64_t all = HD_TOKEN_SIGNAL(hd_process_of(m, a->thread)), own = HD_TOKEN_EAR(a->thread);
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address == all || a->access[i].address == own)
            return true;
    return false;
}

bool hd_signal_ends_wait(hd_machine *m, const hd_action *a) {
    return hd_signal_is_due(m, a->thread) && is_after_look(m, a);
}

/* The thread waits for a lock or the like that another one has: on Linux it would run the
 * handler and go on waiting, as it does here where it joins.  That it does so is the order in which
 * it looks after the signal has come (G8), if it looks. */
static bool is_deaf_now(hd_machine *m, uint32_t t, bool time_passes) {
    const hd_action *a = &m->threads.action[t];
    return a->flags & HD_ACTION_WAITS &&
           !hd_kind_is(a->kind, HD_KIND_WORLD | HD_KIND_VAIN | HD_KIND_JOINS) &&
           !hd_thread_is_enabled(m, t) && (time_passes || !is_after_look(m, a));
}

static void note_deaf_threads(hd_machine *m, const hd_process *p, bool time_passes) {
    uint32_t t;
    if (hd_handled_is_to_repeat(m))
        return;
    HD_SET_EACH(t, hd_set_both(p->threads, m->threads.alive))
    if (due_of(m, t) & p->signals->handled && is_deaf_now(m, t, time_passes))
        hd_bound(m, m->threads.action[t].site,
                 "handlers of signals do not run while %s waits for another thread",
                 t == p->main_thread ? "the main thread" : "a thread");
}

void hd_signals_note_deaf(hd_machine *m, bool time_passes) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (p->is_used && !p->has_ended && p->signals && p->signals->n_notes)
            note_deaf_threads(m, p, time_passes);
    }
}

bool hd_signal_is_due(hd_machine *m, uint32_t thread) {
    return m->may.signal && due_of(m, thread);
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

static hd_hearing *my_ear(hd_machine *m) {
    return &m->thread[hd_thread_current(m)].ear;
}

static uint64_t my_due(hd_machine *m) {
    return due_of(m, hd_thread_current(m));
}

/* Do threads other than main take signals of their process? */
static bool are_shared(const hd_machine *m) {
    return hd_handled_hearing(m) & HD_HEARS_SHARED;
}

/* The set of the running thread changes, or it takes what others could: G7.  What is due is looked
 * for elsewhere. */
static void tell_others(hd_machine *m, hd_access_mode mode) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, mode);
    hd_thread *t = &m->thread[hd_thread_current(m)];
    uint32_t n_spins = t->n_spins;
    a.access[0].address = HD_TOKEN_SIGNAL(hd_process_current(m));
    hd_action_also(&a, HD_TOKEN_EAR(hd_thread_current(m)), 1, HD_MODE_READ, true);
    t->ear.is_taking = true;
    t->n_spins = 0; /* what it does in a loop is the same without it */
    hd_visible(m, &a);
    t->n_spins = n_spins;
    t->ear.is_taking = false;
}

/* Is there a signal for the running thread when others have had their chance to take it? */
static bool is_one_due(hd_machine *m) {
    uint32_t me = hd_thread_current(m);
    if (!my_due(m) || own_due(m, me))
        return my_due(m);
    if (!is_main(m))
        hd_handled_hear(m, HD_HEARS_SHARED);
    if (are_shared(m) && m->system.is_concurrent)
        tell_others(m, HD_MODE_WRITE);
    return my_due(m);
}

/* What is counted of the handlers that run in a thread. */
typedef struct nesting {
    uint32_t depth, n_interrupting;
    uint64_t inner_frame;
} nesting;

static nesting nesting_of(const hd_hearing *s) {
    return (nesting){s->depth, s->n_interrupting, s->inner_frame};
}

static void enter_handler(hd_hearing *s, uint64_t frame) {
    if (s->depth++ == 0)
        s->frame = frame;
    s->inner_frame = frame;
}

/* From here on the handler may be interrupted by what it does not block. */
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
    enter_handler(my_ear(m), (uint64_t)__builtin_frame_address(0));
    return what;
}

/* What the handler blocks other threads could take (G7): that it ends is an event of its own then.
 */
static void tell_end_of_handler(hd_machine *m, uint64_t blocked) {
    hd_thread_set own = hd_process_at(m, hd_process_current(m))->threads;
    bool has_others = !hd_set_is_empty(hd_set_without(own, hd_thread_current(m))); /* or had */
    bool lets_in = my_ear(m)->blocked & ~blocked & mine(m)->handled;
    bool is_told = is_main(m) || hd_handled_hearing(m);
    if (m->system.is_concurrent && has_others && lets_in && !m->atomic.is_inside && is_told)
        tell_others(m, are_shared(m) ? HD_MODE_WRITE : HD_MODE_READ);
}

/* Handlers that it called, and that were left by jumps into it, are over with it (G6). */
static void end_handler(hd_machine *m, uint64_t blocked, nesting before) {
    tell_end_of_handler(m, blocked);
    hd_hearing *ear = my_ear(m);
    HD_INVARIANT(G6, ear->depth > before.depth);
    ear->depth = before.depth;
    ear->n_interrupting = before.n_interrupting;
    ear->inner_frame = before.inner_frame;
    ear->blocked = blocked;
}

void hd_signal_handle(hd_machine *m, hd_signal_note note) {
    uint64_t blocked = *hd_signals_blocked(m);
    nesting before = nesting_of(my_ear(m));
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
    hd_hearing *s = my_ear(m);
    if (!s->depth || frame <= s->inner_frame)
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
        m->thread[me].ear.pending &= ~HD_SIGNAL(signal);
    return note;
}

void hd_signals_note_lost(hd_machine *m, int signal) {
    hd_thread_set own = hd_process_at(m, hd_process_current(m))->threads;
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(hd_set_without(own, hd_thread_current(m)), m->threads.alive))
    if (due_of(m, t) & HD_SIGNAL(signal) & mine(m)->handled &&
        m->threads.action[t].flags & HD_ACTION_WAITS)
        hd_bound(m, m->threads.action[t].site,
                 "a signal that another thread takes or ignores interrupts no wait before that");
}

hd_signal_note hd_signal_take(hd_machine *m, int signal) {
    hd_signals *s = mine(m);
    hd_signals_note_lost(m, signal);
    HD_ASSERT(s->pending & HD_SIGNAL(signal));
    hd_signal_note note = hd_note_take(s, HD_NOBODY, signal);
    if (hd_note_is_kept(s, HD_NOBODY, signal))
        return note;
    s->pending &= ~HD_SIGNAL(signal);
    s->is_own &= ~HD_SIGNAL(signal);
    HD_INVARIANT(N1, s->pending || !hd_note_is_kept(s, HD_NOBODY, signal));
    return note;
}

/* The lowest that is due, what was sent to the thread alone first, as Linux does. */
static int first_due(hd_machine *m) {
    uint64_t own = own_due(m, hd_thread_current(m));
    HD_ASSERT(my_due(m));
    return 1 + __builtin_ctzll(own ? own : my_due(m));
}

/* What is due first; false if that needs no handler. */
static bool deliver_one(hd_machine *m) {
    hd_signals *s = mine(m);
    hd_hearing *ear = my_ear(m);
    int signal = first_due(m);
    bool is_alone = own_due(m, hd_thread_current(m));
    HD_INVARIANT(G1, is_alone || is_main(m) || are_shared(m));
    HD_INVARIANT(G7,
                 is_alone || is_main(m) ||
                     first_that_wants(m, hd_process_current(m), signal) == hd_thread_current(m));
    bool is_own = is_alone || s->is_own & HD_SIGNAL(signal);
    hd_signal_note note = is_alone ? hd_signal_take_own(m, signal) : hd_signal_take(m, signal);
    if (hd_signal_is_ignored(m, hd_process_current(m), signal))
        return false;
    if (!has(s, signal) && (is_own || hd_signal_is_stop(signal)))
        hd_signal_end(m, signal);
    if (!has(s, signal))
        hd_process_die(m, signal);
    bool was_waiting = ear->is_waiting; /* with other signals blocked */
    uint64_t blocked = was_waiting ? ear->blocked_after : ear->blocked;
    nesting before = nesting_of(ear);
    ear->is_waiting = false;
    struct sigaction what = begin_handler(m, signal);
    ear->n_interrupting++;
    HD_INVARIANT(G4, was_waiting || is_alone || !(my_due(m) & (HD_SIGNAL(signal) - 1)));
    while (is_one_due(m))
        deliver_one(m);
    note_places(m);
    call(m, &what, &note);
    HD_ASSERT(my_ear(m)->n_interrupting > before.n_interrupting);
    end_handler(m, blocked, before);
    return true;
}

bool hd_signals_deliver(hd_machine *m, bool *restarts) {
    bool any = false;
    *restarts = true;
    while (is_one_due(m)) {
        int first = first_due(m);
        bool begins_again = (mine(m)->of[first - 1].sa_flags & SA_RESTART) != 0;
        if (!deliver_one(m))
            continue;
        *restarts = any ? *restarts : begins_again;
        any = true;
    }
    return any;
}

bool hd_signals_matter_to(hd_machine *m, uint32_t thread) {
    const hd_process *p = hd_process_at(m, hd_process_of(m, thread));
    const hd_hearing *ear = &m->thread[thread].ear;
    bool is_handled = p->signals && p->signals->handled & ~ear->blocked;
    return (is_handled || hd_handled_comes_late(m)) && !(p->signals && p->signals->is_deaf) &&
           !ear->is_deaf && (thread == p->main_thread || hd_handled_hearing(m));
}

void hd_signals_mark(hd_machine *m, hd_action *a) {
    bool is_first = is_main(m);
    if (!hd_signals_matter_to(m, a->thread))
        return;
    if (!is_first && a->n_accesses < HD_MAX_ACCESSES && hd_handled_hearing(m) & HD_HEARS_OWN)
        hd_action_also(a, HD_TOKEN_EAR(a->thread), 1, HD_MODE_READ, true);
    if ((is_first || are_shared(m)) && a->n_accesses < HD_MAX_ACCESSES)
        hd_action_also(a, HD_TOKEN_SIGNAL(hd_process_current(m)), 1, HD_MODE_READ, true);
}

/* Would the running thread take signals at all? */
static bool takes_signals(const hd_machine *m) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    const hd_hearing *ear = &m->thread[hd_thread_current(m)].ear;
    bool is_deaf = ear->is_deaf || (p->signals && p->signals->is_deaf);
    return (p->signals || hd_handled_comes_late(m)) && !is_deaf && !ear->is_taking;
}

static void deliver_between(hd_machine *m) {
    bool restarts, was_between = my_ear(m)->is_between;
    my_ear(m)->is_between = true;
    hd_signals_deliver(m, &restarts);
    my_ear(m)->is_between = was_between;
}

static uint64_t own_token(const hd_machine *m) {
    return is_main(m) ? HD_TOKEN_SIGNAL(hd_process_current(m)) : HD_TOKEN_EAR(hd_thread_current(m));
}

/* Once more after each handler: another may come before the operation. */
static void look(hd_machine *m) {
    if (my_ear(m)->is_waiting) /* the wait itself takes them */
        return;
    do {
        if (my_due(m))
            deliver_between(m);
        if (!m->system.is_concurrent || !hd_signals_matter_to(m, hd_thread_current(m)))
            return;
        hd_action a = hd_action_on(m, HD_DO_NONE, 0, NULL, 1, HD_MODE_READ);
        a.access[0].address = own_token(m);
        hd_visible(m, &a);
    } while (my_due(m));
}

static bool is_look(const hd_machine *m, const hd_action *a) {
    return a->kind == HD_DO_NONE && a->access[0].address == own_token(m);
}

void hd_signals_before(hd_machine *m, const hd_action *a) {
    if (takes_signals(m) && !is_look(m, a))
        look(m);
    HD_INVARIANT(G8, !takes_signals(m) || is_look(m, a) || !m->system.is_concurrent ||
                         my_ear(m)->is_waiting || !my_due(m));
}

void hd_signals_before_end(hd_machine *m) {
    if (takes_signals(m) && m->system.is_concurrent)
        look(m);
    HD_INVARIANT(G2, !takes_signals(m) || !m->system.is_concurrent || my_ear(m)->is_waiting ||
                         !my_due(m));
}

void hd_signals_end_thread(hd_machine *m) {
    hd_signals *s = hd_process_at(m, hd_process_current(m))->signals;
    if (!s)
        return;
    for (uint64_t left = s->pending & ~my_ear(m)->blocked; left; left &= left - 1)
        note_other_takers(m, hd_process_current(m), 1 + __builtin_ctzll(left));
    my_ear(m)->is_deaf = !m->may.end_last;
}

/* The library writes errno when the kernel has returned, after all handlers. */
void hd_signals_at_return(hd_machine *m, bool has_failed) {
    int number = *(int *)m->running.errno_at;
    hd_shadow returned = m->registers->returned;
    bool restarts;
    if (!takes_signals(m) || m->atomic.is_inside || my_ear(m)->is_waiting)
        return;
    hd_signals_deliver(m, &restarts);
    HD_INVARIANT(G5, !my_due(m));
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

void hd_signal_leave_for(hd_machine *m, uint32_t thread, hd_signal_note note) {
    note.thread = thread;
    hd_note_keep(m, hd_process_of(m, thread), note);
    m->thread[thread].ear.pending |= HD_SIGNAL(note.signal);
}

bool hd_signal_raise(hd_machine *m, hd_signal_note note) {
    uint32_t me = hd_process_current(m);
    if (hd_signal_is_ignored(m, me, note.signal))
        return true;
    if (*hd_signals_blocked(m) & HD_SIGNAL(note.signal)) {
        hd_signal_leave_for(m, hd_thread_current(m), note);
        return true;
    }
    if (!hd_signal_has_handler(m, me, note.signal))
        return false;
    hd_signal_handle(m, note);
    return true;
}
