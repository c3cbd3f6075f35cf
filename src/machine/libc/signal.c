/* <signal.h>, and alarms. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <sys/time.h>

static int fail(hd_machine *m, int number) {
    hd_errno_set(m, number);
    return -1;
}

static hd_machine *enter(void) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    return m;
}

static hd_signals *mine(hd_machine *m) {
    return hd_signals_of(m, hd_process_current(m));
}

/* ---- handlers ---- */

/* Who sends a signal must know what it does, and threads of a process share its handlers. */
static void tell(hd_machine *m, hd_access_mode mode, bool to_all) {
    if (!m->system.is_concurrent && !hd_is_threaded(m))
        return;
    uint32_t me = hd_thread_current(m), most = m->threads.n < 48 ? 64 : HD_MAX_THREADS;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, mode);
    a.access[0].address = HD_TOKEN_SIGNAL(hd_process_current(m));
    if (to_all) /* also to threads that are still to come */
        hd_action_also(&a, HD_TOKEN_EAR(0), most, HD_MODE_WRITE, true);
    else
        hd_action_also(&a, HD_TOKEN_EAR(me), 1, HD_MODE_READ, true);
    hd_visible(m, &a);
}

/* A handler changes: that matters to what threads other than main do if they take signals. */
static void tell_handlers(hd_machine *m) {
    tell(m, HD_MODE_WRITE, hd_handled_hearing(m) & HD_HEARS_OWN);
}

static void tell_others(hd_machine *m) {
    tell(m, HD_MODE_WRITE, false);
}

/* The set of a thread other than main matters to those who send, and not to what others do unless
 * they take signals too (tasks/signals.h, G7). */
static void tell_set(hd_machine *m) {
    bool is_main = hd_thread_current(m) == hd_process_at(m, hd_process_current(m))->main_thread;
    bool is_shared = hd_handled_hearing(m) & HD_HEARS_SHARED;
    tell(m, is_main || is_shared ? HD_MODE_WRITE : HD_MODE_READ, false);
}

static void forget_pending(hd_machine *m, hd_signals *s, int signal) {
    uint32_t t;
    HD_SET_EACH(t, hd_process_at(m, hd_process_current(m))->threads)
    m->thread[t].ear.pending &= ~HD_SIGNAL(signal);
    s->pending &= ~HD_SIGNAL(signal);
    hd_notes_forget(s, signal);
}

/* Others came to what they stand before when there had never been anything to look for (M5).  One
 * that is taken away for a moment is not that: who came meanwhile has what it would have without
 * it. */
static void note_late_handler(hd_machine *m, uint64_t before) {
    const hd_process *p = hd_process_at(m, hd_process_current(m));
    uint64_t is_new = p->signals->handled & ~before;
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(hd_set_without(p->threads, hd_thread_current(m)), m->threads.alive))
    if (is_new & ~m->thread[t].ear.blocked && !(before & ~m->thread[t].ear.blocked) &&
        hd_signals_matter_to(m, t))
        hd_handled_come_late(m);
}

static void set(hd_machine *m, int signal, const struct sigaction *a) {
    HD_ASSERT(signal >= 1 && signal <= 64 && signal != SIGKILL && signal != SIGSTOP);
    hd_process *p = hd_process_at(m, hd_process_current(m));
    hd_signals *s = mine(m);
    if (a->sa_handler == SIG_IGN)
        hd_signals_note_lost(m, signal);
    uint64_t before = s->was_handled;
    s->of[signal - 1] = *a;
    s->handled &= ~HD_SIGNAL(signal);
    if (hd_signal_has_handler(m, hd_process_current(m), signal))
        s->handled |= HD_SIGNAL(signal);
    s->was_handled |= s->handled;
    note_late_handler(m, before);
    hd_signals_note(m);
    if (signal == SIGCHLD)
        p->reaps = a->sa_handler == SIG_IGN || a->sa_flags & SA_NOCLDWAIT;
    if (hd_signal_is_ignored(m, hd_process_current(m), signal))
        forget_pending(m, s, signal);
}

/* Two belong to the C library. */
static bool is_signal(int signal) {
    return signal >= 1 && signal <= 64 && (signal < 32 || signal >= SIGRTMIN);
}

static bool is_settable(int signal) {
    return is_signal(signal) && signal != SIGKILL && signal != SIGSTOP;
}

void *hd_libc_signal(int signal, void *handler) {
    hd_machine *m = enter();
    if (!is_settable(signal)) {
        fail(m, EINVAL);
        return (void *)SIG_ERR;
    }
    tell_handlers(m);
    void *old = (void *)mine(m)->of[signal - 1].sa_handler;
    struct sigaction a = {.sa_flags = SA_RESTART};
    a.sa_handler = (void (*)(int))handler;
    a.sa_mask.__val[0] = HD_SIGNAL(signal);
    set(m, signal, &a);
    return old;
}

int hd_libc_sigaction(int signal, const void *action, void *old) {
    hd_machine *m = enter();
    struct sigaction wanted;
    if (!is_signal(signal) || (action && !is_settable(signal)))
        return fail(m, EINVAL);
    if (action) {
        hd_library_get(m, &wanted, action, sizeof wanted);
    }
    tell_handlers(m);
    struct sigaction before = mine(m)->of[signal - 1];
    if (action)
        set(m, signal, &wanted);
    if (old)
        hd_library_store(m, old, &before, sizeof before);
    return 0;
}

static _Noreturn void end_by_abort(hd_machine *m) {
    m->call.outcome->status = SIGABRT;
    hd_end_finding(m, HD_FINDING_ABORT, 0, "the program called abort()");
}

_Noreturn void hd_signal_end_stopped(hd_machine *m) {
    hd_ipc_refuse(m, "a process that is stopped by a signal (executions end there)");
}

bool hd_signal_is_stop(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

_Noreturn void hd_signal_end(hd_machine *m, int signal) {
    if (hd_signal_is_stop(signal))
        hd_signal_end_stopped(m);
    m->call.outcome->status = signal;
    if (signal == SIGABRT)
        end_by_abort(m);
    hd_end_finding(m, HD_FINDING_SIGNAL, 0, "the program raised signal %d (%s)", signal,
                   strsignal(signal));
}

/* What it does depends on handlers, which other threads change; and what other processes have sent
 * before is taken before. */
static void tell_raise(hd_machine *m, int signal) {
    if (m->may.signal && signal)
        tell(m, HD_MODE_READ, false);
}

bool hd_signal_is_abort_handled(hd_machine *m) {
    tell_raise(m, SIGABRT);
    return hd_signal_has_handler(m, hd_process_current(m), SIGABRT);
}

/* A handler may leave it by a jump, or end the process otherwise; blocking the signal does not
 * help. */
void hd_libc_abort(void) {
    hd_machine *m = enter();
    if (hd_signal_is_abort_handled(m))
        hd_signal_handle(m, hd_signal_from(m, SIGABRT, SI_TKILL));
    end_by_abort(m);
}

int hd_libc_raise(int signal) {
    hd_machine *m = enter();
    if (signal < 0 || signal > 64)
        return fail(m, EINVAL);
    return hd_signal_send_self(m, hd_signal_from(m, signal, SI_TKILL));
}

/* The value may be of any kind, and in part of none: it is only carried. */
hd_shadow hd_signal_value(hd_machine *m) {
    uint64_t passed = hd_take_arguments(m);
    for (unsigned i = 0; i < 2; i++)
        if (hd_argument(m, passed, i))
            hd_settle_argument(m, passed, i);
    return hd_argument(m, passed, 2);
}

/* At once. */
int hd_signal_send_self(hd_machine *m, hd_signal_note note) {
    tell_raise(m, note.signal);
    if (note.signal == 0 || hd_signal_raise(m, note))
        return 0;
    hd_signal_end(m, note.signal);
}

/* ---- sets ---- */

static void take_let_in(hd_machine *m) {
    bool restarts;
    if (hd_signal_is_due(m, hd_thread_current(m)))
        hd_signals_deliver(m, &restarts);
}

static int change_blocked(hd_machine *m, int how, const sigset_t *set, sigset_t *old) {
    sigset_t before = {0}, given;
    uint64_t wanted = 0;
    if (set) {
        hd_library_get(m, &given, set, sizeof given);
        wanted = given.__val[0] & ~(HD_SIGNAL(SIGKILL) | HD_SIGNAL(SIGSTOP));
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return EINVAL;
    }
    if (set)
        tell_set(m);
    uint64_t *blocked = hd_signals_blocked(m);
    before.__val[0] = *blocked;
    if (set)
        *blocked = how == SIG_BLOCK     ? *blocked | wanted
                   : how == SIG_UNBLOCK ? *blocked & ~wanted
                                        : wanted;
    if (old)
        hd_library_store(m, old, &before, sizeof before);
    take_let_in(m);
    return 0;
}

void hd_signals_let_in(hd_machine *m, uint64_t blocked) {
    tell_set(m);
    *hd_signals_blocked(m) = blocked;
    take_let_in(m);
}

int hd_libc_sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    hd_machine *m = enter();
    int error = change_blocked(m, how, set, old);
    return error ? fail(m, error) : 0;
}

int hd_libc_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return change_blocked(enter(), how, set, old);
}

int hd_libc_sigpending(sigset_t *out) {
    hd_machine *m = enter();
    sigset_t found = {0};
    tell_others(m);
    found.__val[0] =
        (mine(m)->pending | m->thread[hd_thread_current(m)].ear.pending) & *hd_signals_blocked(m);
    hd_library_store(m, out, &found, sizeof found);
    return 0;
}

/* ---- waiting ---- */

/* Until a handler has run. */
static void wait_for_handler(hd_machine *m) {
    hd_action a = hd_action_on(m, HD_DO_SLEEP, HD_ACTION_WAITS, NULL, 0, HD_MODE_READ);
    bool restarts, any = false;
    a.n_accesses = 0;
    hd_action_cancellable(m, &a);
    while (!any) {
        hd_visible(m, &a);
        hd_thread_test_cancel(m);
        any = hd_signals_deliver(m, &restarts);
    }
}

int hd_libc_pause(void) {
    hd_machine *m = enter();
    hd_cancellation_point(m);
    wait_for_handler(m);
    return fail(m, EINTR);
}

/* The set is in place from the moment in which the wait begins: nothing comes before. */
void hd_signals_wait_with(hd_machine *m, const sigset_t *set) {
    sigset_t given;
    if (!set)
        return;
    hd_library_get(m, &given, set, sizeof given);
    tell_set(m);
    hd_hearing *ear = &m->thread[hd_thread_current(m)].ear;
    ear->blocked_after = ear->blocked;
    ear->blocked = given.__val[0] & ~(HD_SIGNAL(SIGKILL) | HD_SIGNAL(SIGSTOP));
    ear->is_waiting = true;
}

void hd_signals_wait_is_over(hd_machine *m) {
    if (!m->thread[hd_thread_current(m)].ear.is_waiting)
        return;
    if (hd_handled_hearing(m) & HD_HEARS_SHARED)
        tell_set(m);
    hd_hearing *ear = &m->thread[hd_thread_current(m)].ear;
    ear->is_waiting = false;
    ear->blocked = ear->blocked_after;
}

int hd_libc_sigsuspend(const sigset_t *set) {
    hd_machine *m = enter();
    bool restarts;
    hd_cancellation_point(m);
    hd_signals_wait_with(m, set);
    if (!hd_signal_is_due(m, hd_thread_current(m)) || !hd_signals_deliver(m, &restarts))
        wait_for_handler(m);
    return fail(m, EINTR);
}

/* ---- alarms ---- */

static uint64_t time_left(hd_machine *m, const hd_signals *s) {
    uint64_t now = hd_time_now(m);
    return s->alarm > now ? s->alarm - now : s->alarm ? 1 : 0;
}

static uint64_t set_alarm(hd_machine *m, uint64_t after, uint64_t interval, uint64_t *old) {
    hd_signals *s = mine(m);
    tell_others(m);
    uint64_t now = hd_time_now(m), left = time_left(m, s);
    *old = s->interval;
    s->alarm = after ? now + after : 0;
    s->interval = interval;
    hd_time_limit(m, hd_process_current(m), UINT32_MAX, s->alarm);
    if (after)
        hd_alarm_start(m);
    hd_signals_note(m);
    return left;
}

unsigned hd_libc_alarm(unsigned seconds) {
    hd_machine *m = enter();
    uint64_t old, left = set_alarm(m, UINT64_C(1000000000) * seconds, 0, &old);
    unsigned nearest = (unsigned)((left + 500000000) / 1000000000);
    return left && !nearest ? 1 : nearest; /* as Linux does it */
}

static uint64_t nanoseconds_of(const struct timeval *t) {
    return UINT64_C(1000000000) * (uint64_t)t->tv_sec + UINT64_C(1000) * (uint64_t)t->tv_usec;
}

static struct timeval time_of(uint64_t nanoseconds) {
    return (struct timeval){(time_t)(nanoseconds / 1000000000),
                            (suseconds_t)(nanoseconds % 1000000000 / 1000)};
}

static bool is_time(const struct timeval *t) {
    return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

static void check_timer(hd_machine *m, int which) {
    if (which == ITIMER_VIRTUAL || which == ITIMER_PROF)
        hd_ipc_refuse(m, "timer of another clock than ITIMER_REAL (executions end there)");
}

int hd_libc_setitimer(int which, const struct itimerval *given, struct itimerval *old) {
    hd_machine *m = enter();
    uint64_t interval;
    check_timer(m, which);
    struct itimerval wanted;
    hd_library_get(m, &wanted, given, sizeof wanted);
    if (which != ITIMER_REAL || !is_time(&wanted.it_value) || !is_time(&wanted.it_interval))
        return fail(m, EINVAL);
    uint64_t left = set_alarm(m, nanoseconds_of(&wanted.it_value),
                              nanoseconds_of(&wanted.it_interval), &interval);
    struct itimerval before = {time_of(interval), time_of(left)};
    if (old)
        hd_library_store(m, old, &before, sizeof before);
    return 0;
}

int hd_libc_getitimer(int which, struct itimerval *out) {
    hd_machine *m = enter();
    check_timer(m, which);
    if (which != ITIMER_REAL)
        return fail(m, EINVAL);
    tell_others(m);
    const hd_signals *s = mine(m);
    struct itimerval now = {time_of(s->interval), time_of(time_left(m, s))};
    hd_library_store(m, out, &now, sizeof now);
    return 0;
}
