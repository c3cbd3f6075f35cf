/* What handlers are told of signals, and real-time signals, which wait in a queue.
 *
 * Who waits, and how many there are, is the kernel's list of pending signals; which signals wait at
 * all is a set (hd_signals.pending, hd_hearing.pending) that is kept in step with it (N1). */
#include "machine/tasks/signals.h"

#include "machine/tasks/library.h"
#include "machine/values/values.h"

#include <unistd.h>

hd_signal_note hd_signal_from(const hd_machine *m, int signal, int code) {
    return (hd_signal_note){
        .signal = signal, .code = code, .process = hd_process_current(m), .thread = HD_NOBODY};
}

hd_signal_note hd_signal_of_child(uint32_t child) {
    return (hd_signal_note){
        .signal = SIGCHLD, .code = CLD_EXITED, .process = child, .thread = HD_NOBODY};
}

/* ---- the queue ---- */

static uint32_t find(const hd_signals *s, uint32_t thread, int signal) {
    uint32_t i = 0;
    while (i < s->n_notes && (s->notes[i].signal != signal || s->notes[i].thread != thread))
        i++;
    return i;
}

bool hd_note_is_kept(const hd_signals *s, uint32_t thread, int signal) {
    return find(s, thread, signal) < s->n_notes;
}

void hd_note_keep(hd_machine *m, uint32_t process, hd_signal_note note) {
    HD_ASSERT(note.signal >= 1 && note.signal <= 64);
    hd_signals *s = hd_signals_of(m, process);
    bool is_queued = note.signal >= SIGRTMIN || note.code == SI_TIMER;
    if (!is_queued && hd_note_is_kept(s, note.thread, note.signal))
        return;
    if (s->n_notes == HD_MOST_NOTES)
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "of the signals that wait for a process, %u are kept", HD_MOST_NOTES);
    else
        s->notes[s->n_notes++] = note;
}

static void remove_at(hd_signals *s, uint32_t i) {
    HD_ASSERT(i < s->n_notes);
    for (s->n_notes--; i < s->n_notes; i++)
        s->notes[i] = s->notes[i + 1];
}

hd_signal_note hd_note_take(hd_signals *s, uint32_t thread, int signal) {
    uint32_t i = find(s, thread, signal);
    if (i == s->n_notes) /* more than are kept */
        return (hd_signal_note){.signal = signal, .code = SI_KERNEL, .thread = thread};
    hd_signal_note note = s->notes[i];
    remove_at(s, i);
    if (note.code == SI_TIMER && note.process < HD_MOST_TIMERS) {
        hd_timer *t = &s->timers[note.process];
        note.overrun = t->n_overrun = t->n_missed;
        t->n_missed = 0;
    }
    return note;
}

bool hd_note_is_of_timer(const hd_signals *s, uint32_t timer) {
    HD_ASSERT(timer < HD_MOST_TIMERS);
    for (uint32_t i = 0; i < s->n_notes; i++)
        if (s->notes[i].code == SI_TIMER && s->notes[i].process == timer)
            return true;
    return false;
}

/* The signal of a timer that is deleted stays, as in Linux. */
void hd_notes_leave_timer(hd_signals *s, uint32_t timer) {
    HD_ASSERT(timer < HD_MOST_TIMERS);
    for (uint32_t i = 0; i < s->n_notes; i++)
        if (s->notes[i].code == SI_TIMER && s->notes[i].process == timer)
            s->notes[i].process = HD_MOST_TIMERS;
}

void hd_notes_forget(hd_signals *s, int signal) {
    for (uint32_t i = s->n_notes; i-- > 0;)
        if (s->notes[i].signal == signal)
            remove_at(s, i);
}

/* ---- telling ---- */

static void fill_child(const hd_machine *m, const hd_signal_note *note, siginfo_t *info) {
    const hd_process *p = hd_process_at(m, note->process);
    HD_ASSERT(p->is_used);
    info->si_code = p->was_killed ? CLD_KILLED : CLD_EXITED;
    info->si_status = p->was_killed ? p->status : p->status & 255;
}

static siginfo_t info_of(const hd_machine *m, const hd_signal_note *note) {
    siginfo_t info = {.si_signo = note->signal, .si_code = note->code};
    if (note->code == SI_QUEUE || note->code == SI_TIMER)
        info.si_value.sival_ptr = (void *)note->value;
    if (note->code == SI_TIMER) {
        info.si_timerid = (int)note->process;
        info.si_overrun = note->overrun;
    }
    if (note->code == SI_KERNEL || note->code == SI_TIMER)
        return info;
    info.si_pid = (pid_t)(HD_PID + note->process);
    info.si_uid = getuid();
    if (note->code == CLD_EXITED && note->signal == SIGCHLD)
        fill_child(m, note, &info);
    return info;
}

/* An exit status that depends on inputs: its low bits. */
static void write_status(hd_machine *m, const hd_signal_note *note, siginfo_t *out) {
    const hd_process *p = hd_process_at(m, note->process);
    if (!p->status_shadow || p->was_killed)
        return;
    hd_expr low = hd_expr_extract(m->graph, p->status_shadow, 0, 8);
    hd_store_words(m, (uint64_t)&out->si_status, sizeof out->si_status,
                   hd_expr_zext(m->graph, low, 32));
}

static void write_shadows(hd_machine *m, const hd_signal_note *note, siginfo_t *out) {
    if ((note->code == SI_QUEUE || note->code == SI_TIMER) && note->shadow)
        hd_store_words(m, (uint64_t)&out->si_value, sizeof out->si_value, note->shadow);
    if (note->code == CLD_EXITED && note->signal == SIGCHLD)
        write_status(m, note, out);
}

void hd_note_write(hd_machine *m, const hd_signal_note *note, siginfo_t *out) {
    siginfo_t info = info_of(m, note);
    hd_library_store(m, out, &info, sizeof info);
    write_shadows(m, note, out);
}

siginfo_t *hd_note_hide(hd_machine *m, const hd_signal_note *note) {
    siginfo_t info = info_of(m, note);
    siginfo_t *out = hd_heap_hide(m->running.heap, &info, sizeof info);
    write_shadows(m, note, out);
    return out;
}
