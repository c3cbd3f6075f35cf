/* threads.h -- threads of the tested program: fibers that stop before visible operations.
 *
 * A thread calls hd_visible with what it is about to do; the call returns when the sink has chosen
 * that action, with its outcome settled, and nothing else happens before the thread does it.
 * While there is one thread, hd_visible costs a few instructions and makes no events.
 *
 * H1. The state of a mutex, condition, semaphore, ... lies in the program's own object (static
 *     initialisers work, the reset restores it); what needs more room lies in host memory keyed by
 *     address and is forgotten at the reset.
 * H2. A new thread runs until its first action before its creator goes on (spec A2.13): creating
 *     is no choice.
 * H3. What a thread leaves when it ends (a finding, exit, a rejected assumption) never unwinds;
 *     only hd_thread_end and hd_end_* leave a thread for good.
 * Not here: who goes next (the sink). */
#ifndef HD_MACHINE_THREADS_H
#define HD_MACHINE_THREADS_H
#include "machine/machine_int.h"

/* The action of the running thread on one object; add accesses before hd_visible if there
 * are more.  `site` 0: the place that called the library function (hd_caller_site). */
hd_action hd_action_on(hd_machine *m, hd_action_kind kind, unsigned flags, const void *object,
                       uint32_t size, hd_access_mode mode);
void hd_action_also(hd_action *a, uint64_t address, uint32_t size, hd_access_mode mode,
                    bool is_atomic);
/* Stop before `a`.  Returns the settled action when it is this thread's turn.  Ends the execution
 * if it waits and nobody can go on. */
const hd_action *hd_visible(hd_machine *m, const hd_action *a);

/* The running thread, 0 = main. */
uint32_t hd_thread_current(const hd_machine *m);
/* Is anybody but the running thread alive, or ended without having been joined? */
bool hd_is_threaded(const hd_machine *m);

/* ---- sync.c: what the kinds from LOCK to ONCE_END mean ---- */
/* Can the action run now?  Only asked about actions that wait. */
bool hd_sync_is_enabled(hd_machine *m, const hd_action *a);
/* E4: accesses, FAILED, TIMEOUT and state as they are if it runs now. */
void hd_sync_settle(hd_machine *m, hd_action *a);
/* A short clause for deadlock reports: "waits for mutex 'm' held by thread 2 since a.c:12". */
void hd_sync_describe_wait(hd_machine *m, const hd_action *a, hd_text *out);
/* Locks that a thread holds, "'m' since a.c:12, 'n' since a.c:14"; nothing if none. */
void hd_sync_describe_held(hd_machine *m, uint32_t thread, hd_text *out);
/* Is this deadlock a lost wake-up: does somebody wait on a condition that was signalled in vain
 * before, and hold nothing that others wait for? */
bool hd_sync_is_lost_wakeup(hd_machine *m);
/* A block or object is going away (free, return): DESTROYED_LOCKED if a lock in it is held. */
void hd_sync_check_gone(hd_machine *m, uint64_t address, uint64_t size, uint32_t site);
/* At the start of every execution; when thread `t` ended. */
void hd_sync_reset(hd_machine *m);
void hd_sync_thread_ended(hd_machine *m, uint32_t t);
#endif
