/* signals.h -- signals that have handlers, or wait to be delivered.
 *
 * A signal for another process is an event that everything the receiver does conflicts with
 * (HD_TOKEN_SIGNAL).  Before each visible operation a process with handlers has an event of its
 * own, in which it looks at signals: one that came before runs its handler there, one that comes
 * between this look and the operation runs it after the operation, or is what the operation's wait
 * ends by, which then fails with EINTR or begins again.  So it is on Linux: a system call that has
 * begun is not kept from doing what it can do, and its process takes signals when it returns.
 *
 * A thread that sends a signal to its own process does the same: Linux lets the main thread take it
 * if that does not block it.  Only what the sender alone can take runs in the sender, at once.
 *
 * Threads other than main do what the main thread does.  What is sent to one of them alone is an
 * event of its own (HD_TOKEN_EAR), which its actions conflict with and nobody else's.  In most
 * programs none of them ever takes a signal, and looks would cost events for nothing: they look
 * when an execution has shown that signals come to them (handler_memory.c, M4).
 *
 * G1. What comes by itself runs in the main thread of its process, unless that does not let it in,
 *     or it was sent to another thread alone.  What handlers touch makes visible operations of the
 *     accesses of the rest (handler_memory.c), so that they run wherever it matters.
 * G2. A process looks before its end too, and its main thread before its own: whether that is the
 *     last thread then, and ends the process, is no event unless somebody handles the end.
 * G3. The end of a child is the event in which SIGCHLD is sent, if the parent deals with it.
 * G4. Signals that are taken together are put on top of each other: the one with the highest number
 *     runs first, and the one with the lowest says whether a wait begins again.
 * G5. What is due when a system call returns to the program is taken before that, as Linux does:
 * what a call has waited for cannot be seen without the handler of a signal that was sent before.
 *     (Locks, streams and accesses of memory are no system calls: a signal for who is in one of
 *     them may be late.)
 * G6. A handler that is left by a jump has ended: what is counted of it (depth, n_interrupting) is
 *     what it was in the frame that goes on (libc/jump.c).
 * G7. What the main thread does not let in the first thread takes that does, as long as it does.
 *     So every change of a set, also at the end of a handler, and every signal that is taken is an
 *     event of the process if that has happened; that a handler in the main thread ends is one
 *     before that too, so that it can be found to happen.  Several that could take it: said.
 * G8. Where a thread waits for a lock, a condition or a barrier no handler runs: it looks before
 * that, and may stay at this look for as long as it likes.  So the order in which a handler runs in
 *     the wait is the one in which the look comes after the signal, and one in which all wait
 *     because it came before is none (hd_signals_are_owed).  Time is different, as it passes only
 *     when nobody can go on: what comes while a thread waits so, or comes by time, is said.
 * N1. What is pending has notes: one for a signal below SIGRTMIN, whatever was sent, and one for
 * each that was sent of the others, which are taken one by one, in the order in which they came.
 * Not here: signals without a handler that end another process (libc/fork.c). */
#ifndef HD_MACHINE_TASKS_SIGNALS_H
#define HD_MACHINE_TASKS_SIGNALS_H
#include "machine/tasks/process.h"

#include <signal.h>

#define HD_SIGNAL(s) (UINT64_C(1) << ((s) - 1))

/* A signal that was sent, and what its handler is told of it. */
typedef struct hd_signal_note {
    int signal;
    int code;         /* si_code; CLD_EXITED for every end of a child */
    uint32_t process; /* that sent it, or has ended; SI_TIMER: which timer */
    uint32_t thread;  /* that it waits for; HD_NOBODY: any of the process */
    int overrun;      /* SI_TIMER */
    uint64_t value;   /* SI_QUEUE, SI_TIMER */
    hd_shadow shadow; /* of the value */
} hd_signal_note;
#define HD_MOST_NOTES 32

/* A timer of timer_create (libc/timer.c). */
typedef struct hd_timer {
    bool is_used;
    bool is_silent; /* SIGEV_NONE: it never lets time pass */
    int clock, signal;
    uint64_t value;
    hd_shadow shadow;
    uint64_t at, interval;   /* when it expires, 0: never; and then again */
    int n_missed, n_overrun; /* expired while its signal was pending: now, and when it was taken */
} hd_timer;
#define HD_MOST_TIMERS 8

/* What a process does with signals. */
typedef struct hd_signals {
    struct sigaction of[64];
    hd_signal_note notes[HD_MOST_NOTES]; /* of what is pending, the oldest first: N1 */
    uint32_t n_notes;
    uint64_t handled;         /* those that have a function */
    uint64_t was_handled;     /* and those that ever had one */
    uint64_t pending;         /* for any of its threads; for one alone: hd_hearing */
    uint64_t is_own;          /* of `pending`, what the process has sent itself */
    uint64_t alarm, interval; /* setitimer: when SIGALRM comes, and how often; 0: never */
    hd_timer timers[HD_MOST_TIMERS];
    bool is_deaf; /* the process is ending, and takes none any more */
} hd_signals;

/* The signals of a process: never NULL. */
hd_signals *hd_signals_of(hd_machine *m, uint32_t process);
void hd_signals_fork(hd_machine *m, uint32_t parent, uint32_t child);
/* Can a handler run in this thread now, so that all that it does depends on signals?  G1. */
bool hd_signals_matter_to(hd_machine *m, uint32_t thread);
/* Then what the running thread stands before is after what was sent to it. */
void hd_signals_mark(hd_machine *m, hd_action *a);
/* Does the process have a function for the signal? */
bool hd_signal_has_handler(hd_machine *m, uint32_t process, int signal);
bool hd_signal_is_ignored(hd_machine *m, uint32_t process, int signal);
/* The set of the running thread. */
uint64_t *hd_signals_blocked(hd_machine *m);
/* The running thread creates this one, which has its set. */
void hd_signals_begin_thread(hd_machine *m, uint32_t child);
/* Who would take a signal for the process. */
typedef enum hd_signal_taker {
    HD_TAKER_MAIN,    /* its main thread */
    HD_TAKER_SENDER,  /* the running thread, and nobody else */
    HD_TAKER_ANOTHER, /* a thread that is neither of these, perhaps one of several */
    HD_TAKER_NOBODY,  /* it waits until somebody lets it in */
} hd_signal_taker;
hd_signal_taker hd_signal_find_taker(hd_machine *m, uint32_t process, int signal);
/* From now on the process has to deal with the signal. */
void hd_signal_post(hd_machine *m, uint32_t process, hd_signal_note note);
/* The thread alone has to deal with the signal, now or when it lets it in. */
void hd_signal_leave_for(hd_machine *m, uint32_t thread, hd_signal_note note);
/* What was sent to the running process, or to the running thread alone, is taken. */
hd_signal_note hd_signal_take(hd_machine *m, int signal);
hd_signal_note hd_signal_take_own(hd_machine *m, int signal);
/* Whoever is about to go on: is there a signal that a thread would take, but does not because
 * it waits for another one, and did not look before that (G8)?  That is said; if time passes, also
 * of those who have looked. */
void hd_signals_note_deaf(hd_machine *m, bool time_passes);
/* The running thread takes the signal, or has it ignored: another that waits would have been
 * interrupted by it, and that this comes first is no race that searches see.  Said. */
void hd_signals_note_lost(hd_machine *m, int signal);
/* Is one there that the thread of `a`, which is in sigwait(), waits for (libc/signal_wait.c)? */
bool hd_signal_is_awaited(hd_machine *m, const hd_action *a);
/* Would this thread take a signal now? */
bool hd_signal_is_due(hd_machine *m, uint32_t thread);
/* Does one end the wait of `a`?  Of what has no order with signals (its thread came there before
 * the process had a handler) it does not. */
bool hd_signal_ends_wait(hd_machine *m, const hd_action *a);
/* The running thread is about to stop before `a`. */
void hd_signals_before(hd_machine *m, const hd_action *a);
/* A wait of the running thread has found nothing: was that a signal?  Handlers have run then; false
 * if the wait begins again. */
bool hd_signals_interrupt(hd_machine *m, bool may_restart);
/* The running process waits with this set instead of its own, if there is one, until a handler
 * has run or it is over. */
void hd_signals_wait_with(hd_machine *m, const sigset_t *set);
void hd_signals_wait_is_over(hd_machine *m);
/* The handler of this signal runs now: the running thread has sent it to itself. */
void hd_signal_handle(hd_machine *m, hd_signal_note note);
/* Handlers of all that is due; whether there were any, and whether all allow to begin again. */
bool hd_signals_deliver(hd_machine *m, bool *restarts);
/* A system call of the running thread returns, and signals are due: G5.  Has it said why it failed?
 */
void hd_signals_at_return(hd_machine *m, bool has_failed);
/* The running thread jumps to a frame: handlers below it are left (G6). */
void hd_signals_leave_to(hd_machine *m, uint64_t frame);
/* The running thread has this set from now on: what it lets in comes now. */
void hd_signals_let_in(hd_machine *m, uint64_t blocked);
/* The running process is about to end: the last place where it takes signals. */
void hd_signals_before_end(hd_machine *m);
/* The running thread has ended and takes no signals any more, unless it may run handlers for the
 * end of the program. */
void hd_signals_end_thread(hd_machine *m);
/* Does a signal wait that some thread would take, but that nobody was made to take (what is said
 * when it comes)?  Then waiting for ever means nothing. */
bool hd_signals_are_owed(hd_machine *m);
/* The running process has handlers now, or none any more, or is one of several now. */
void hd_signals_note(hd_machine *m);
/* Does this process notice that a child of it ends? */
bool hd_signals_mind_children(hd_machine *m, uint32_t process);
/* When the clock would have to move for an alarm, and what that does. */
uint64_t hd_signals_first_alarm(hd_machine *m);
void hd_signals_ring(hd_machine *m);
/* Is there an alarm or a timer of the process at exactly that time? */
bool hd_signals_ring_at(const hd_signals *s, uint64_t time);
/* Alarms of a host that are due at that time. */
void hd_signals_ring_of(hd_machine *m, uint32_t host, uint64_t time);

/* The program ends by a signal that it has sent itself (libc/signal.c). */
_Noreturn void hd_signal_end(hd_machine *m, int signal);
/* A process is to be stopped, which is not modelled: the execution ends (libc/signal.c). */
_Noreturn void hd_signal_end_stopped(hd_machine *m);
/* Does the signal stop a process that does nothing about it? */
bool hd_signal_is_stop(int signal);
/* Would abort() run a handler?  An event, if others may change that (libc/signal.c). */
bool hd_signal_is_abort_handled(hd_machine *m);
/* raise(), and kill() of the running process by its main thread: 0 (libc/signal.c). */
int hd_signal_send_self(hd_machine *m, hd_signal_note note);
/* What the third argument of the call depends on; the others are settled (libc/signal.c). */
hd_shadow hd_signal_value(hd_machine *m);
/* The running process sends the signal to itself.  False if it would end by it. */
bool hd_signal_raise(hd_machine *m, hd_signal_note note);

/* ---- signal_note.c ---- */
/* What the running process sends to a process; without a value, which is for SI_QUEUE. */
hd_signal_note hd_signal_from(const hd_machine *m, int signal, int code);
/* What the parent is told of the end of this process. */
hd_signal_note hd_signal_of_child(uint32_t child);
/* Keep what is told; a signal that is pending already is not queued, unless it is a real-time one.
 */
void hd_note_keep(hd_machine *m, uint32_t process, hd_signal_note note);
bool hd_note_is_kept(const hd_signals *s, uint32_t thread, int signal);
/* The oldest that was kept for that thread (HD_NOBODY: the process), which is no more. */
hd_signal_note hd_note_take(hd_signals *s, uint32_t thread, int signal);
/* Is the signal of that timer of the process still under way?  And the timer is no more. */
bool hd_note_is_of_timer(const hd_signals *s, uint32_t timer);
void hd_notes_leave_timer(hd_signals *s, uint32_t timer);
/* None of a signal that is ignored is left. */
void hd_notes_forget(hd_signals *s, int signal);
/* Write all that is told to memory of the program; and to new memory, for a handler. */
void hd_note_write(hd_machine *m, const hd_signal_note *note, siginfo_t *out);
siginfo_t *hd_note_hide(hd_machine *m, const hd_signal_note *note);

/* ---- handler_memory.c ---- */
/* The running thread touches memory: is that a visible operation because of handlers? */
bool hd_signals_see(hd_machine *m, uint64_t at, uint64_t n, bool writes, uint32_t site);
/* A handler has written there. */
void hd_handled_note(hd_machine *m, uint64_t at, uint64_t n, bool writes, uint32_t site);
/* Which signals come to threads other than main, as far as executions have shown (M4). */
enum { HD_HEARS_OWN = 1, HD_HEARS_SHARED = 2 };
uint64_t hd_handled_hearing(const hd_machine *m);
void hd_handled_hear(hd_machine *m, uint64_t what);
/* Do handlers come while other threads stand somewhere (M5)? */
bool hd_handled_comes_late(const hd_machine *m);
void hd_handled_come_late(hd_machine *m);
/* Has this execution shown more than was known, so that it does not count? */
bool hd_handled_is_to_repeat(const hd_machine *m);
#endif
