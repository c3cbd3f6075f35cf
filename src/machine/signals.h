/* signals.h -- signals that have handlers, or wait to be delivered.
 *
 * A signal for another process is an event that everything the receiver does conflicts with
 * (HD_TOKEN_SIGNAL).  The receiver takes it before its next visible operation, or in the wait that
 * it stands before, which then fails with EINTR or begins again.
 *
 * G1. Handlers run in the main thread of their process, between visible operations only: that is
 *     said beside the verdict when one is called for another process's signal.
 * G2. Before a wait there is an event of its own, so that a signal may come after the program has
 *     looked at its flag and before it waits.
 * G3. SIGCHLD comes when nobody can go on any more: everything that a server does would conflict
 *     with the end of each of its children.  That is said too.
 * Not here: signals without a handler that end another process (libc_fork.c). */
#ifndef HD_MACHINE_SIGNALS_H
#define HD_MACHINE_SIGNALS_H
#include "machine/process.h"

#include <signal.h>

#define HD_SIGNAL(s) (UINT64_C(1) << ((s)-1))

/* What a process does with signals. */
typedef struct hd_signals {
    struct sigaction of[64];
    uint32_t n_handlers; /* of them */
    uint64_t pending, blocked;
    hd_thread_set
        has_own_set; /* threads other than main that changed theirs, which has no effect */
    uint64_t own_set[HD_MAX_THREADS];
    bool has_ended_child;     /* SIGCHLD will come when nobody can go on (G3) */
    uint64_t alarm, interval; /* setitimer: when SIGALRM comes, and how often; 0: never */
    bool is_deaf;             /* it is ending */
    bool is_waiting;          /* sigsuspend: what comes, comes into the wait */
} hd_signals;

/* Never NULL. */
hd_signals *hd_signals_of(hd_machine *m, uint32_t process);
void hd_signals_fork(hd_machine *m, uint32_t parent, uint32_t child);
/* Has it a handler for anything, or an alarm, so that all that it does depends on signals? */
bool hd_signals_matter(hd_machine *m, uint32_t process);
/* Does it have a function for it? */
bool hd_signal_has_handler(hd_machine *m, uint32_t process, int signal);
bool hd_signal_is_ignored(hd_machine *m, uint32_t process, int signal);
/* The set of the running thread: that of its process, which the main thread alone takes signals
 * for, or one of its own that has no effect on them. */
uint64_t *hd_signals_blocked(hd_machine *m);
/* From now on the process has to deal with it. */
void hd_signal_post(hd_machine *m, uint32_t process, int signal);
/* Would this thread take a signal now? */
bool hd_signal_is_due(hd_machine *m, uint32_t thread);
/* The running thread is about to stop before `a`. */
void hd_signals_before(hd_machine *m, const hd_action *a);
/* Its wait has found nothing: was that a signal?  Handlers have run then; false if the wait begins
 * again. */
bool hd_signals_interrupt(hd_machine *m, bool may_restart);
/* The handler of this signal runs now: the running thread has sent it to itself. */
void hd_signal_handle(hd_machine *m, int signal);
/* Handlers of all that is due; whether there were any, and whether all allow to begin again. */
bool hd_signals_deliver(hd_machine *m, bool *restarts);
/* A child of this process has ended. */
void hd_signals_defer_child(hd_machine *m, uint32_t process);
/* When the clock would have to move for a signal: alarms, and what was deferred; and what it does.
 */
uint64_t hd_signals_first_alarm(hd_machine *m);
void hd_signals_ring(hd_machine *m);
#endif
