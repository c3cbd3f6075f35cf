/* threads.h -- threads of the tested program: fibers that stop before visible operations.
 *
 * A thread calls hd_visible with what it is about to do; the call returns when the sink has chosen
 * that action, with its outcome settled, and nothing else happens before the thread does it.
 * While there is one thread, hd_visible costs a few instructions and makes no events.
 *
 * H1. The state of a mutex, condition, semaphore, ... lies in the program's own object (static
 *     initialisers work, the reset restores it); what needs more room lies in host memory keyed by
 *     address and is forgotten at the reset.
 * H2. A new thread runs until its first action before its creator goes on (docs/papers.md,
 *     PC15): creating is no choice.
 * H3. What a thread leaves when it ends (a finding, exit, a rejected assumption) never unwinds;
 *     only hd_thread_end and hd_end_* leave a thread for good.
 * Not here: who goes next (the sink). */
#ifndef HD_MACHINE_TASKS_THREADS_H
#define HD_MACHINE_TASKS_THREADS_H
#include "machine/values/values.h"

/* The action of the running thread on one object; add accesses before hd_visible if there
 * are more.  `site` 0: the place that called the library function (hd_caller_site). */
hd_action hd_action_on(hd_machine *m, hd_action_kind kind, unsigned flags, const void *object,
                       uint32_t size, hd_access_mode mode);
/* An action in the place where hd_visible would put it, so that nothing is copied: for what happens
 * often.  The thread must stop before it next. */
hd_action *hd_action_here(hd_machine *m, hd_action_kind kind, unsigned flags, const void *object,
                          uint32_t size, hd_access_mode mode);
void hd_action_also(hd_action *a, uint64_t address, uint32_t size, hd_access_mode mode,
                    bool is_atomic);
/* Stop before `a`.  Returns the settled action when it is this thread's turn.  Ends the execution
 * if it waits and nobody can go on. */
const hd_action *hd_visible(hd_machine *m, const hd_action *a);

/* The hash of an execution with one more event. */
static inline uint64_t hd_event_hash_of(uint64_t hash, hd_action_kind kind, uint32_t thread,
                                        uint32_t site, uint64_t where) {
    uint64_t what = (uint64_t)site << 16 ^ (uint64_t)kind << 8 ^ thread;
    return hd_hash_add(hash, what ^ where << 24);
}
static inline uint64_t hd_event_hash(uint64_t hash, const hd_action *a) {
    return hd_event_hash_of(hash, a->kind, a->thread, a->site,
                            a->n_accesses ? a->access[0].address - HD_REGION : 0);
}

/* If no more threads can be created the execution ends here, which is said as a bound. */
void hd_thread_check_limit(hd_machine *m);
/* ---- atomic_section.c ---- */
/* The running thread is in no atomic section any more. */
void hd_atomic_leave(hd_machine *m);
/* What the running thread does in a section that is one event (m->atomic.is_inside). */
void hd_section_note(hd_machine *m, uint64_t address, uint32_t size, hd_access_mode mode,
                     bool is_atomic, uint32_t site);
const hd_action *hd_section_visible(hd_machine *m, const hd_action *a);
/* After an execution: must it be run again, because it showed more than was known? */
void hd_sections_end_lesson(hd_machine *m);
/* Take over what another machine has found out about sections. */
void hd_section_learn(hd_machine *m, const hd_section *s);
void hd_section_is_big(hd_machine *m, uint32_t site);
/* As text: which are big, which must be known to repeat an execution, and what the others touch,
 * which must be known to go on with a search.  hd_section_take returns what is behind one of the
 * latter, NULL if it is none. */
void hd_sections_print(const hd_machine *m, hd_text *out);
void hd_sections_print_footprints(const hd_machine *m, hd_text *out);
const char *hd_section_take(hd_machine *m, const char *text);

/* The running thread, 0 = main. */
static inline uint32_t hd_thread_current(const hd_machine *m) {
    return m->threads.current;
}
/* Is anybody but the running thread alive, or ended without having been joined? */
static inline bool hd_is_threaded(const hd_machine *m) {
    return m->registers->is_threaded & 1;
}
/* Does nobody else see what the program does, so that it makes no events? */
static inline bool hd_is_unseen(const hd_machine *m) {
    return !(m->registers->is_threaded & ~(uint64_t)HD_IS_WATCHED);
}
/* The program, alone, looks at something, or changes it. */
static inline void hd_note_look(hd_machine *m) {
    m->call.n_looks += (m->registers->is_threaded & HD_IS_WATCHED) != 0;
}
/* Do all processes see this address (shared.h)? */
static inline bool hd_is_shared(uint64_t address) {
    return address - HD_SHARED_BASE < HD_SHARED_LIMIT;
}
/* Can the action of thread `t` run now?  Not for one that waits to end the program. */
bool hd_thread_is_enabled(hd_machine *m, uint32_t t);
/* Actions that the thread has executed so far. */
uint32_t hd_thread_n_events(const hd_machine *m, uint32_t t);

/* ---- threads.c: life of threads ---- */
void hd_threads_init(hd_machine *m);
/* The end of an execution: what is in registers is kept. */
void hd_threads_finish(hd_machine *m);
/* The script says who is next from now on, as far as it goes, or to the next checkpoint. */
void hd_follow_script(hd_machine *m);
typedef struct hd_thread_start {
    void *(*function)(void *);
    uint64_t argument;
    hd_shadow argument_shadow;
    bool is_detached;
} hd_thread_start;
/* A visible CREATE; the value of the new pthread_t is written to `out`. */
void hd_thread_create(hd_machine *m, uint64_t *out, const hd_thread_start *start);
/* The next name of a child of the running thread (names.c). */
uint32_t hd_thread_new_index(hd_machine *m);
/* A pseudo-thread without a stack: courier.c, time.c. */
void hd_thread_enlist_courier(hd_machine *m, uint32_t index, uint32_t process);
/* The first thread of a new process: on its own stack, or after fork on a copy of this one (true in
 * the child).  The new one runs to its first action before the call returns. */
void hd_thread_begin_process(hd_machine *m, uint32_t child, void (*entry)(void *), void *context);
bool hd_thread_fork(hd_machine *m, uint32_t child, uint32_t process);
/* The running thread returns this, after its cleanups.  Its last action was before. */
_Noreturn void hd_thread_end(hd_machine *m, uint64_t result, hd_shadow shadow);
/* The running thread stops for good, as if dead (E5); others go on, or the execution ends. */
_Noreturn void hd_thread_halt(hd_machine *m);
/* Leave the program: the execution is over. */
_Noreturn void hd_threads_leave(hd_machine *m);
/* Handlers for the end of the program come next, of which the running thread is the first to ask;
 * others that ask later wait for its end.  Does nothing the second time. */
void hd_threads_begin_end(hd_machine *m);
/* Before the program ends: waits until nobody else can go on, and stops them. */
void hd_threads_stop_others(hd_machine *m);
/* Does nobody care any more whether the running thread ends? */
bool hd_thread_is_idle(const hd_machine *m);
/* Let thread `next` go on in the place of the running one. */
void hd_thread_switch(hd_machine *m, uint32_t next);

/* What the machine and the registers hold of the running thread, into its record; and what the
 * record of another holds, which runs from now on. */
void hd_thread_put_away(hd_machine *m);
void hd_thread_take_out(hd_machine *m, uint32_t thread);
/* The machine is told that `thread` runs, and its process; memory and stack stay. */
void hd_thread_take_over(hd_machine *m, uint32_t thread);

/* pthread_t values are index + HD_PTHREAD, so that garbage is no thread. */
#define HD_PTHREAD UINT64_C(0x7468726561640001)
/* The index of a pthread_t that was made in this execution, or a finding. */
uint32_t hd_thread_index(hd_machine *m, uint64_t value, const char *function);

/* ---- visible.c ---- */
/* The running thread waits for a message: returns when a courier has brought one, as an event of
 * the courier. */
void hd_await(hd_machine *m, const hd_action *a);
/* What happens when it is the turn of `a`, whoever does it. */
void hd_note_event(hd_machine *m, uint32_t thread, const hd_action *a);
/* Somebody else's turn: the thread whose action is executed next. Ends the execution if there
 * is none. */
uint32_t hd_schedule(hd_machine *m);

/* ---- deadlock.c ---- */
/* Nobody can go on: the finding that says why. */
_Noreturn void hd_end_stuck(hd_machine *m);
/* Called once that is described; the finding is placed at thread `reason`. */
void hd_stuck_told(uint32_t reason);
/* A hash of the stacks of all threads that wait and should not wait for ever: asked on the stack of
 * the host, while it is open who goes on.  The same ways there give the same finding. */
uint64_t hd_stacks_of_stuck(hd_machine *m);

/* ---- thread_object.c ---- */
/* The child of fork begins with what the thread that called it has. */
void hd_thread_objects_fork(hd_machine *m, uint32_t parent, uint32_t child);
/* A thread ends, and with it what is thread-local: for those who have the address a write to all of
 * it, and then it must not be accessed any more. */
void hd_thread_objects_leave(hd_machine *m, uint32_t thread);
void hd_thread_objects_end(hd_machine *m, uint32_t thread);

/* ---- names.c ---- */
/* The index of child `nth` of `parent`; HD_MAX_THREADS if there are too many. */
uint32_t hd_name_thread(hd_machine *m, uint32_t parent, uint32_t nth);

/* ---- spin.c ---- */
/* Before a new action, or another arrival: did the last write change anything? */
void hd_spin_settle(hd_thread *t);
/* What an action makes of the loops of its thread is a column of the table of kinds: hd_round_...
 */
void hd_spin_note_inner(hd_thread *t, const hd_access *x); /* of a section */
/* The thread does something that is no event and changes the lock that it holds. */
void hd_spin_note_effect(hd_thread *t);
/* Loops of other threads that have changed for a moment what this action looks at were seen. */
void hd_spin_note_looks(hd_machine *m, const hd_action *a);
/* An attempt to lock failed: the thread has seen that another one holds the lock. */
void hd_spin_note_seen(hd_machine *m, const hd_action *attempt);
/* Has something changed that the thread's loop read, so that it goes round again? */
bool hd_spin_is_over(const hd_thread *t);
/* The first place that the thread's loop looked at; 0: at none, it waits for a signal. */
uint64_t hd_spin_place(const hd_thread *t);
/* Has shared memory changed that the loop read?  Asked while the rest of its process's memory is
 * not in place. */
bool hd_spin_sees_shared_change(const hd_thread *t);
/* An access from `frame`: the one access of a waiting loop, perhaps. */
void hd_spin_begin(const hd_thread *t, hd_action *a, const void *frame);
bool hd_spin_can_access(hd_machine *m, const hd_action *a);
/* Take over what the sink knows from other machines. */
void hd_spin_learn(hd_machine *m, const hd_script *script);
bool hd_spin_goes_round(hd_threads *threads, const hd_action *a, uint64_t value);

/* ---- pthread_cancel.c ---- */
/* Is there a cancellation that thread `t` must act on? */
bool hd_thread_is_cancelled(const hd_machine *m, uint32_t t);
/* The wait is a cancellation point: what it depends on.  hd_thread_test_cancel comes after. */
void hd_action_cancellable(hd_machine *m, hd_action *a);
/* Act on a cancellation now, if there is one: does not return then.  No event. */
void hd_thread_test_cancel(hd_machine *m);
/* A cancellation point that does not wait: an event of its own if the program can cancel. */
void hd_cancellation_point(hd_machine *m);
/* Run cleanup handlers, then hd_thread_end. */
_Noreturn void hd_thread_unwind(hd_machine *m, uint64_t result, hd_shadow shadow);

/* ---- pthread_key.c ---- */
void hd_keys_run_destructors(hd_machine *m);

/* ---- sync.c, sync/held.c: what threads hold ---- */
/* Locks that a thread holds, "'m' since a.c:12, 'n' since a.c:14"; nothing if none. */
void hd_sync_describe_held(hd_machine *m, uint32_t thread, hd_text *out);
/* Is this deadlock a lost wake-up: does somebody wait on a condition that was signalled in vain
 * before, and hold nothing that others wait for? */
bool hd_sync_is_lost_wakeup(hd_machine *m);
/* A block or object is going away (free, return): DESTROYED_LOCKED if a lock in it is held. */
void hd_sync_check_gone(hd_machine *m, uint64_t address, uint64_t size, uint32_t site);

/* ---- atomic_section.c: as the program calls them ---- */
void hd_libc_atomic_begin(void);
void hd_libc_atomic_end(void);

/* ---- steps.c ---- */
/* At the end of an execution: was it watched beyond the step limit, with inputs? */
void hd_steps_finish(hd_machine *m);
#endif
