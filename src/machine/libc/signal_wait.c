/* Taking signals instead of handling them: sigwait and its like; and signals to one thread.
 *
 * Who waits looks whether one is there and takes it, which is an event that conflicts with all that
 * sends and takes signals of the process.  If there is none it waits until there is, and looks
 * again: another thread may have been faster.  A look in vain changes nothing, so that whatever
 * happens after a wait also happens in an execution in which the look comes later; the wait itself
 * needs to be turned round with nothing.
 *
 * A signal to a thread waits for that thread alone (hd_hearing.pending).  Of the main thread it is an
 * event that what the thread does conflicts with anyway; others have a token of their own. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"

#include <errno.h>

static uint64_t token(const hd_machine *m) {
    return HD_TOKEN_SIGNAL(hd_process_current(m));
}

/* What is sent to the running thread alone lets it go on too. */
static void also_own(const hd_machine *m, hd_action *a) {
    hd_action_also(a, HD_TOKEN_EAR(hd_thread_current(m)), 1, HD_MODE_READ, true);
}

/* Others may send or take some in between. */
static void tell(hd_machine *m, const hd_action *a) {
    if (m->system.is_concurrent || hd_is_threaded(m))
        hd_visible(m, a);
}

/* ---- taking ---- */

/* Signals of the set that the running thread may take. */
static uint64_t there(hd_machine *m, uint64_t set) {
    const hd_signals *s = hd_signals_of(m, hd_process_current(m));
    return set & (s->pending | m->thread[hd_thread_current(m)].ear.pending);
}

bool hd_signal_is_awaited(hd_machine *m, const hd_action *a) {
    const hd_signals *s = hd_process_at(m, hd_process_of(m, a->thread))->signals;
    uint64_t pending = s ? s->pending | m->thread[a->thread].ear.pending : 0;
    return (pending & a->expected) != 0;
}

/* The lowest that is there, what was sent to the thread before what was sent to its process; none:
 * 0. */
static hd_signal_note take(hd_machine *m, uint64_t set) {
    uint64_t own, found;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = token(m);
    also_own(m, &a);
    tell(m, &a);
    if (!(found = there(m, set)))
        return (hd_signal_note){0};
    own = set & m->thread[hd_thread_current(m)].ear.pending;
    int signal = 1 + __builtin_ctzll(own ? own : found);
    return own ? hd_signal_take_own(m, signal) : hd_signal_take(m, signal);
}

/* Until one of the set is there, the time is up, or a handler is to run. */
static void wait_for_one(hd_machine *m, uint64_t set) {
    hd_action a = hd_action_on(m, HD_DO_SLEEP, HD_ACTION_WAITS, NULL, 1, HD_MODE_READ);
    a.access[0].address = token(m);
    a.expected = set;
    also_own(m, &a);
    hd_action_cancellable(m, &a);
    hd_visible(m, &a);
    hd_thread_test_cancel(m);
}

/* A handler, and not the time, may have ended the wait. */
static bool was_interrupted(hd_machine *m) {
    bool *is_interrupted = &m->thread[hd_thread_current(m)].is_interrupted;
    if (!hd_signal_is_due(m, hd_thread_current(m)) || !hd_signals_interrupt(m, false))
        return false;
    bool was = *is_interrupted;
    *is_interrupted = false;
    return was;
}

/* A signal, or the negative number of an error.  With --timeouts any the time is up at once: that
 * the signal comes in time is that the look comes later. */
static int wait_until(hd_machine *m, uint64_t set, uint64_t deadline, hd_signal_note *out) {
    bool waits = deadline == UINT64_MAX || (deadline && !hd_timeouts_are_free(m));
    for (;;) {
        *out = take(m, set);
        if (out->signal || !waits)
            return out->signal ? out->signal : -EAGAIN;
        hd_wait_until(m, deadline);
        wait_for_one(m, set);
        waits = !hd_time_is_up(m, hd_thread_current(m));
        hd_wait_until(m, UINT64_MAX);
        if (waits && !there(m, set) && was_interrupted(m))
            return -EINTR;
    }
}

static uint64_t read_set(hd_machine *m, const sigset_t *set) {
    sigset_t given;
    hd_library_get(m, &given, set, sizeof given);
    return given.__val[0] & ~(HD_SIGNAL(SIGKILL) | HD_SIGNAL(SIGSTOP));
}

int hd_libc_sigwait(const sigset_t *set, int *out) {
    hd_machine *m = hd_ipc_enter_point();
    uint64_t wanted = read_set(m, set);
    hd_signal_note note;
    int signal;
    do
        signal = wait_until(m, wanted, UINT64_MAX, &note);
    while (signal < 0);
    hd_library_store(m, out, &signal, sizeof signal);
    return 0;
}

static int answer(hd_machine *m, int signal, const hd_signal_note *note, siginfo_t *out) {
    if (signal < 0)
        return hd_ipc_fail(m, -signal);
    HD_ASSERT(note->signal == signal);
    if (out)
        hd_note_write(m, note, out);
    return signal;
}

int hd_libc_sigtimedwait(const sigset_t *set, siginfo_t *out, const struct timespec *timeout) {
    hd_machine *m = hd_ipc_enter_point();
    uint64_t wanted = read_set(m, set), deadline = UINT64_MAX;
    hd_signal_note note;
    struct timespec given;
    if (timeout) {
        hd_library_get(m, &given, timeout, sizeof given);
        if (given.tv_sec < 0 || given.tv_nsec < 0 || given.tv_nsec >= 1000000000)
            return hd_ipc_fail(m, EINVAL);
        uint64_t left = UINT64_C(1000000000) * (uint64_t)given.tv_sec + (uint64_t)given.tv_nsec;
        deadline = left ? hd_time_now(m) + left : 0;
    }
    int signal = wait_until(m, wanted, deadline, &note);
    return answer(m, signal, &note, out);
}

int hd_libc_sigwaitinfo(const sigset_t *set, siginfo_t *out) {
    hd_machine *m = hd_ipc_enter_point();
    hd_signal_note note;
    int signal = wait_until(m, read_set(m, set), UINT64_MAX, &note);
    return answer(m, signal, &note, out);
}

/* ---- signals to one thread ---- */

static bool is_main(const hd_machine *m, uint32_t t) {
    return t == hd_process_at(m, hd_process_current(m))->main_thread;
}

/* What is blocked waits until the thread lets it in, or takes it. */
static void send_to(hd_machine *m, uint32_t t, hd_signal_note note) {
    uint32_t me = hd_process_current(m);
    bool is_blocked = m->thread[t].ear.blocked & HD_SIGNAL(note.signal);
    bool has_handler = hd_signal_has_handler(m, me, note.signal);
    if (!is_blocked && hd_signal_is_ignored(m, me, note.signal))
        return;
    if (!is_blocked && !has_handler)
        hd_signal_end(m, note.signal);
    if (has_handler && !is_main(m, t))
        hd_handled_hear(m, HD_HEARS_OWN);
    hd_signal_leave_for(m, t, note);
}

/* Whether the thread has ended matters: ends are events then (threads.c).  What the main thread
 * does conflicts with what is sent to its process. */
static void tell_send(hd_machine *m, uint32_t target) {
    hd_access_mode mode = is_main(m, target) ? HD_MODE_WRITE : HD_MODE_READ;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, mode);
    a.access[0].address = token(m);
    hd_action_also(&a, HD_TOKEN_EAR(target), 1, HD_MODE_WRITE, true);
    hd_action_also(&a, HD_TOKEN_OVER(target), 1, HD_MODE_READ, true);
    tell(m, &a);
}

static int send_to_thread(hd_machine *m, uint64_t thread, hd_signal_note note, const char *who) {
    uint32_t target = hd_thread_index(m, thread, who);
    if (note.signal < 0 || note.signal > 64)
        return EINVAL;
    if (note.signal == 0)
        return 0;
    if (target == hd_thread_current(m))
        return hd_signal_send_self(m, note);
    tell_send(m, target);
    if (!m->thread[target].has_ended)
        send_to(m, target, note);
    return 0;
}

int hd_libc_pthread_kill(uint64_t thread, int signal) {
    hd_machine *m = hd_ipc_enter();
    return send_to_thread(m, thread, hd_signal_from(m, signal, SI_TKILL), "pthread_kill");
}

int hd_libc_pthread_sigqueue(uint64_t thread, int signal, uint64_t value) {
    hd_machine *m = hd_enter();
    hd_shadow shadow = hd_signal_value(m);
    hd_signal_note note = hd_signal_from(m, signal, SI_QUEUE);
    note.value = value;
    note.shadow = shadow;
    return send_to_thread(m, thread, note, "pthread_sigqueue");
}
