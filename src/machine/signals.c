/* Signals: what processes do with them, and when. */
#include "machine/signals.h"

#include "machine/ipc.h"
#include "machine/libc.h"

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
    hd_process_at(m, child)->signals = NULL;
    if (!hd_process_at(m, parent)->signals)
        return;
    hd_signals *to = hd_signals_of(m, child);
    *to = *hd_signals_of(m, parent);
    to->pending = to->alarm = to->interval = 0;
    to->has_ended_child = false;
    if (to->has_own_set & HD_THREAD(hd_thread_current(m))) /* it is the main thread there */
        to->blocked = to->own_set[hd_thread_current(m)];
    to->has_own_set = 0;
}

static bool has(const hd_signals *s, int signal) {
    return s->of[signal - 1].sa_handler != SIG_DFL && s->of[signal - 1].sa_handler != SIG_IGN;
}

bool hd_signal_has_handler(hd_machine *m, uint32_t process, int signal) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    return s && signal >= 1 && signal <= 64 && has(s, signal);
}

bool hd_signal_is_ignored(hd_machine *m, uint32_t process, int signal) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    bool is_default = !s || s->of[signal - 1].sa_handler == SIG_DFL;
    return is_default ? (HARMLESS & HD_SIGNAL(signal)) != 0
                      : s->of[signal - 1].sa_handler == SIG_IGN;
}

void hd_signal_post(hd_machine *m, uint32_t process, int signal) {
    if (!hd_signal_is_ignored(m, process, signal))
        hd_signals_of(m, process)->pending |= HD_SIGNAL(signal);
}

uint64_t *hd_signals_blocked(hd_machine *m) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    uint32_t me = hd_thread_current(m);
    hd_signals *s = hd_signals_of(m, hd_process_current(m));
    if (me == p->main_thread)
        return &s->blocked;
    if (!(s->has_own_set & HD_THREAD(me))) {
        s->has_own_set |= HD_THREAD(me);
        s->own_set[me] = s->blocked;
    }
    return &s->own_set[me];
}

static uint64_t due_of(const hd_signals *s) {
    return s && !s->is_deaf ? s->pending & ~s->blocked : 0;
}

bool hd_signal_is_due(hd_machine *m, uint32_t thread) {
    if (!m->may_signal)
        return false;
    const hd_process *p = hd_process_at(m, hd_process_of(m, thread));
    return thread == p->main_thread && due_of(p->signals);
}

/* ---- delivering ---- */

/* The handler may do anything that makes events: what the thread is in the middle of stays. */
static void call(hd_machine *m, const struct sigaction *what, int signal) {
    uint32_t me = hd_thread_current(m);
    hd_ipc_request request = m->ipc ? m->ipc->request[me] : (hd_ipc_request){0};
    uint64_t deadline = m->thread[me].deadline;
    m->thread[me].deadline = UINT64_MAX;
    m->registers->passed = m->registers->returned = 0;
    if (what->sa_flags & SA_SIGINFO) {
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "handlers of signals are not told who sent them");
        siginfo_t info = {.si_signo = signal, .si_code = SI_USER};
        what->sa_sigaction(signal, hd_libc_hidden(m, &info, sizeof info), NULL);
    } else
        what->sa_handler(signal);
    m->registers->passed = m->registers->returned = 0;
    m->thread[me].deadline = deadline;
    if (m->ipc)
        m->ipc->request[me] = request;
}

void hd_signal_handle(hd_machine *m, int signal) {
    hd_signals *s = hd_signals_of(m, hd_process_current(m));
    struct sigaction what = s->of[signal - 1];
    uint64_t blocked = s->blocked;
    s->blocked |= what.sa_mask.__val[0] | (what.sa_flags & SA_NODEFER ? 0 : HD_SIGNAL(signal));
    if (what.sa_flags & (int)SA_RESETHAND) {
        s->of[signal - 1].sa_handler = SIG_DFL;
        s->n_handlers--;
    }
    call(m, &what, signal);
    s->blocked = blocked;
}

bool hd_signals_deliver(hd_machine *m, bool *restarts) {
    hd_signals *s = hd_signals_of(m, hd_process_current(m));
    bool any = false;
    *restarts = true;
    while (due_of(s)) {
        int signal = 1 + __builtin_ctzll(due_of(s));
        s->pending &= ~HD_SIGNAL(signal);
        if (hd_signal_is_ignored(m, hd_process_current(m), signal))
            continue;
        if (!has(s, signal))
            hd_process_die(m, signal);
        any = true;
        *restarts &= (s->of[signal - 1].sa_flags & SA_RESTART) != 0;
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "handlers of signals run between visible operations only");
        hd_signal_handle(m, signal);
    }
    return any;
}

bool hd_signals_matter(hd_machine *m, uint32_t process) {
    const hd_signals *s = hd_process_at(m, process)->signals;
    return s && !s->is_deaf && (s->n_handlers || s->blocked);
}

void hd_signals_before(hd_machine *m, const hd_action *a) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    bool restarts;
    if (!p->signals || p->signals->is_deaf || hd_thread_current(m) != p->main_thread)
        return;
    if (due_of(p->signals))
        hd_signals_deliver(m, &restarts);
    if (!(a->flags & HD_ACTION_WAITS) || !m->is_concurrent || p->signals->is_waiting ||
        !p->signals->n_handlers)
        return;
    hd_action look = hd_action_on(m, HD_DO_NONE, 0, NULL, 1, HD_MODE_READ); /* G2 */
    look.access[0].address = HD_TOKEN_SIGNAL(hd_process_current(m));
    hd_visible(m, &look);
    if (due_of(p->signals))
        hd_signals_deliver(m, &restarts);
}

bool hd_signals_interrupt(hd_machine *m, bool may_restart) {
    bool restarts;
    if (!hd_signal_is_due(m, hd_thread_current(m)) || hd_time_is_up(m, hd_thread_current(m)))
        return true;
    if (hd_signals_deliver(m, &restarts) && restarts && may_restart)
        return false;
    m->thread[hd_thread_current(m)].is_interrupted = true;
    return true;
}

/* ---- what comes by itself ---- */

void hd_signals_defer_child(hd_machine *m, uint32_t process) {
    if (!hd_signal_has_handler(m, process, SIGCHLD))
        return;
    hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
             "handlers of SIGCHLD run only when nothing else can happen");
    hd_signals_of(m, process)->has_ended_child = true;
    hd_clock_start(m);
}

static bool is_deferred(const hd_signals *s) {
    return s->has_ended_child && !s->is_deaf && !(s->blocked & HD_SIGNAL(SIGCHLD));
}

uint64_t hd_signals_first_alarm(hd_machine *m) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (!p->is_used || p->has_ended || !p->signals)
            continue;
        if (is_deferred(p->signals))
            return m->now;
        bool is_set = p->signals->alarm != 0;
        if (is_set && p->signals->alarm < first)
            first = p->signals->alarm;
    }
    return first;
}

void hd_signals_ring(hd_machine *m) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        hd_signals *s = p->is_used && !p->has_ended ? p->signals : NULL;
        if (s && is_deferred(s)) {
            s->has_ended_child = false;
            hd_signal_post(m, i, SIGCHLD);
        }
        if (!s || !s->alarm || s->alarm > m->now)
            continue;
        s->alarm = s->interval ? s->alarm + s->interval : 0;
        hd_signal_post(m, i, SIGALRM);
    }
}
