/* process.h -- the processes (nodes) of a distributed program: all in one worker (docs/design.md
 * D3).
 *
 * A process has its own globals, heap, descriptors and threads.  It comes into being by
 * heddle_spawn (an actor), fork, or a scenario.  Threads of all processes are fibers of one machine
 * and have indices of one numbering; what a process keeps to itself is swapped when another one
 * goes on (space.c).
 *
 * P1. Processes have names that do not depend on the schedule: (parent, nth child of it) always
 *     gets the same number within one machine.  Process 0 is the program's main, or starts the
 *     nodes of a scenario.
 * P2. Creating a process is no event: the new one runs until its first action, then its creator
 *     goes on.  What it does first happened in the event in which it was born.
 * P3. Memory of one process is never seen by another; what they exchange are copies.
 * Not here: what processes say to each other (channels/ipc.h), how they are drawn (tell/). */
#ifndef HD_MACHINE_TASKS_PROCESS_H
#define HD_MACHINE_TASKS_PROCESS_H
#include "machine/tasks/threads.h"

#include <time.h>

#define HD_MAX_PROCESSES HD_MAX_THREADS
/* Host code that calls on another stack: what is below its own frame, and needed, is not far. */
#define HD_FRAME_ROOM 1024
#define HD_PID        1000 /* of process 0 */

typedef struct hd_space hd_space; /* space.c */

typedef struct hd_process {
    uint32_t n_children;
    uint32_t main_thread;
    uint32_t born;         /* 1 + the event in which it was created */
    uint32_t site;         /* of its creation; 0 = not known */
    hd_thread_set threads; /* all that it ever had */
    bool is_used;          /* in this execution */
    bool has_ended, was_waited_for;
    bool may_idle;         /* waiting for ever is no deadlock */
    uint64_t is_threaded;  /* its threads, or other processes, see its accesses */
    int status;            /* exit status, or signal */
    hd_expr status_shadow; /* of an exit status that depends on inputs: at least 8 bits wide */
    bool was_killed;
    bool was_reaped;            /* it ended while its parent had `reaps` */
    int group, session;         /* libc/process_group.c; 0: those of who started the program */
    bool reaps;                 /* it ignores SIGCHLD: children leave nothing to wait for */
    const char *name;           /* of a scenario; or NULL */
    uint32_t node;              /* 1 + its number in the scenario; 0 = none */
    struct hd_signals *signals; /* signals.h; NULL: it does nothing about them */
    struct hd_stream *streams, *spare_streams; /* libc/streams.h; of this execution */
    struct hd_stream *closed_streams;          /* those that were closed beside other threads */
    uint64_t stream_locks[3];                  /* of the standard ones */
    uint32_t ended_by;                         /* 1 + the thread that runs handlers for its end */
    bool has_exported; /* variables, which assertions look at when it is dead too */
    bool is_up;        /* it waited for something, and somebody wants to know */
    uint32_t n_sent;   /* by the host whose first process it is: time_order.c */

    char lasting[0];      /* before it all is zero when the process begins (begin_record) */
    uint32_t parent, nth; /* process 0: none */
    hd_process_part own;  /* what the machine knows of it while another one runs */
    hd_space *space;
} hd_process;

typedef struct hd_processes hd_processes;
struct hd_processes {
    hd_process at[HD_MAX_PROCESSES];
    uint32_t n; /* 1 + the highest in use in this execution */
    uint32_t current;
    uint32_t loaded; /* whose globals are in memory */
    bool were_many;  /* in this execution: there is something to bring back */
    hd_map names;    /* parent and nth -> number */
    uint32_t n_names;
};

/* ---- process.c ---- */
void hd_processes_init(hd_machine *m);
/* The end of an execution brings memory back to what process 0 sees. */
void hd_processes_finish(hd_machine *m);

static inline uint32_t hd_process_current(const hd_machine *m) {
    return m->processes->current;
}
static inline uint32_t hd_process_of(const hd_machine *m, uint32_t thread) {
    HD_CHECK(thread < HD_MAX_THREADS);
    return m->threads.process[thread];
}
static inline hd_process *hd_process_at(const hd_machine *m, uint32_t number) {
    HD_CHECK(number < HD_MAX_PROCESSES);
    return &m->processes->at[number];
}
/* Is there, or was there, more than one process, or a courier?  Then who waits is not alone. */
static inline bool hd_is_concurrent(const hd_machine *m) {
    return m->system.is_concurrent;
}
/* A new process, child of the running one, whose first thread starts like this.  It runs until its
 * first action before the call returns.  Its number. */
uint32_t hd_process_spawn(hd_machine *m, void (*entry)(void *), void *context);
/* As if one had been spawned, as far as names go. */
void hd_process_skip(hd_machine *m);
/* fork(): 0 in the child, its number in the parent. */
uint32_t hd_process_fork(hd_machine *m);
/* The running process ends: its threads are no more, its end is seen by its parent. */
_Noreturn void hd_process_exit(hd_machine *m, int status);
/* The running process ends by a signal. */
_Noreturn void hd_process_die(hd_machine *m, int signal);
/* The running process dies, and a new one begins with `entry`, in the memory that the program finds
 * when it is started. */
_Noreturn void hd_process_reboot(hd_machine *m, void (*entry)(void *), void *context);
/* A signal ends another process. */
void hd_process_kill(hd_machine *m, uint32_t number, int signal);
/* "main", "node 'a'", "process 2", "actor 2": for messages. */
void hd_process_describe(const hd_machine *m, uint32_t number, hd_text *out);
/* Process `number` is the running one from now on, in what the machine knows; memory stays. */
void hd_process_load(hd_machine *m, uint32_t number);
/* The memory of a process goes out of sight: note who of its threads could go on. */
void hd_process_note_waiting(hd_machine *m, uint32_t number);
/* Nobody can go on: the end, or a deadlock. */
_Noreturn void hd_end_quiet(hd_machine *m);
/* Is waiting for ever allowed for all that are left?  Then the end of an execution is no deadlock.
 */
bool hd_processes_are_idle(const hd_machine *m);
/* Does the action wait for something that may never come? */
bool hd_action_is_idle(const hd_action *a);

/* ---- node_place.c ---- */
/* Each node gets its name and its address in the network. */
bool hd_nodes_place(hd_machine *m, hd_err *err);
/* What the node of the running process finds on standard input. */
const char *hd_node_input(hd_machine *m);
/* How messages go from one host of the network to another. */
hd_link hd_nodes_link(const hd_machine *m, uint32_t from_host, uint32_t to_host);

/* ---- space.c: memory of processes ---- */
/* Make the memory of process `number` the one that is seen.  Never from a stack that belongs to
 * the memory that changes: see hd_thread_switch. */
void hd_space_enter(hd_machine *m, uint32_t number);
/* A copy of the running process's globals for a new one; after fork also of its stack and its
 * heaps, at the same addresses: what is in place becomes the child's. */
void hd_space_copy(hd_machine *m, uint32_t child);
/* ... that is as the program finds it. */
void hd_space_begin(hd_machine *m, uint32_t child);
void hd_space_fork(hd_machine *m, uint32_t child, uint32_t child_thread);
/* Everything as process 0 sees it, and the others forgotten. */
void hd_spaces_finish(hd_machine *m);
void hd_spaces_release(hd_machine *m);
/* hd_memory_stop_watching, with the copies that processes have of the same memory. */
void hd_spaces_stop_watching(hd_machine *m);
/* Bytes and shadow words at an address of a process, loaded or not. */
void hd_space_read(hd_machine *m, uint32_t number, uint64_t address, uint64_t n, void *bytes,
                   hd_word *words);

/* ---- courier.c ---- */
#define HD_NOBODY (UINT32_MAX - 2)
/* What a courier carries: the head of a struct of whoever sends something (a message, an item of a
 * queue, the passing of time). */
typedef struct hd_parcel hd_parcel;
struct hd_parcel {
    hd_parcel *next;
    uint32_t after; /* 1 + the event in which it was given to the courier */
    /* The action of delivering it as of now: kind, flags, accesses, detail, state. */
    void (*fill)(hd_machine *m, hd_parcel *p, hd_action *a);
    bool (*can_go)(hd_machine *m, hd_parcel *p); /* NULL: always */
    /* Deliver it; answers the thread that goes on by that, or HD_NOBODY. */
    uint32_t (*deliver)(hd_machine *m, hd_parcel *p);
};
/* A new courier of the running thread that goes to process `to`; its index.  Ends the execution
 * with a bound if there are too many. */
uint32_t hd_courier_new(hd_machine *m, uint32_t to);
/* Give the courier a parcel, behind what it carries already. */
void hd_courier_give(hd_machine *m, uint32_t courier, hd_parcel *p);
/* Give it the parcel at a time of the system's clock, which must not have come yet. */
void hd_courier_give_at(hd_machine *m, uint32_t courier, hd_parcel *p, uint64_t when);
/* What the courier stands before may have changed. */
void hd_courier_refresh(hd_machine *m, uint32_t courier);
bool hd_courier_can_go(hd_machine *m, uint32_t courier);
/* The courier's turn: the event, and who goes on. */
uint32_t hd_courier_go(hd_machine *m, uint32_t courier);
/* Zeroed host memory until the end of the execution. */
void *hd_execution_alloc(hd_machine *m, size_t n);
/* Could the thread of `a`, which sleeps, take the lock of a file that it waits for (libc/flock.c)?
 */
bool hd_lock_is_awaited(const hd_machine *m, const hd_action *a);
void hd_execution_forget(hd_machine *m);
bool hd_execution_has_memory(const hd_machine *m);
void hd_execution_release(hd_machine *m);

/* ---- names.c ---- */
/* The number of child `nth` of a process; HD_MAX_PROCESSES if there are too many. */
uint32_t hd_name_process(hd_machine *m, uint32_t parent, uint32_t nth);
/* A process and those that it descends from. */
hd_set hd_process_line(const hd_machine *m, uint32_t number);
/* A number for an object that the running thread makes: the same in every execution. */
uint32_t hd_name_object(hd_machine *m);

/* ---- actor.c ---- */
/* "waits for a message on channel 2", and what it will not take. */
void hd_actors_describe_wait(hd_machine *m, uint32_t process, hd_text *out);

/* ---- global.c ---- */
#define HD_RULE_ALWAYS     UINT64_C(0)      /* deadlines of rules that have none */
#define HD_RULE_EVENTUALLY (UINT64_MAX - 1) /* any moment will do */
/* Has the running process changed something that it exported since it was shown, and is there
 * somebody who looks?  Then it is shown before anything else that others notice: an event. */
bool hd_globals_have_changed(hd_machine *m);
void hd_globals_show(hd_machine *m);
/* Another process takes the place of the running one: what it exported counts no more. */
void hd_globals_forget(hd_machine *m, uint32_t process);
/* Nothing happens before that time any more. */
void hd_globals_pass(hd_machine *m, uint64_t time);
/* Nobody can go on: the assertions about all processes, once. */
void hd_globals_check(hd_machine *m);

/* ---- orphan.c ---- */
/* At the end of an execution in which nobody waits in vain. */
void hd_orphans_at_end(hd_machine *m);
/* A descriptor of the running process is closed. */
struct hd_file;
void hd_orphans_at_close(hd_machine *m, const struct hd_file *f, int descriptor);
/* The running process, if it is a node, ends with a status that is not 0. */
void hd_orphans_at_status(hd_machine *m, int status);

/* ---- node_start.c ---- */
_Noreturn void hd_nodes_start(hd_machine *m);
/* The running process dies, and its node starts again. */
_Noreturn void hd_node_reboot(hd_machine *m, uint32_t node);
/* The running node waits until those are up; can it go on? */
void hd_node_wait(hd_machine *m, hd_set nodes);
bool hd_node_can_start(const hd_machine *m, const hd_action *a);
/* The running process is about to wait for the first time, and others wait for that. */
void hd_node_is_up(hd_machine *m);

/* ---- channels/carry.c ---- */
/* The running thread stands before its next action: what it has sent in a row leaves, unless that
 * is one more send there. */
void hd_send_rows_end(hd_machine *m);

/* ---- libc/fork.c: waiting for children is a POLL of tokens ---- */
/* The end of a process, as an event of its parent's signals too: process.c. */
void hd_end_settle(hd_machine *m, hd_action *a);
bool hd_wait_is_one(const hd_action *a);
bool hd_wait_is_enabled(hd_machine *m, const hd_action *a);
void hd_wait_settle(hd_machine *m, hd_action *a);
void hd_kill_settle(hd_machine *m, hd_action *a);
void hd_wait_describe(const hd_machine *m, const hd_action *a, hd_text *out);

/* ---- channels/readers.c: who is expected to read which queue ---- */
/* The first execution is over: if it showed something it is run again, and nothing is learned any
 * more. */
void hd_readers_end_lesson(hd_machine *m);
void hd_readers_expect(hd_machine *m, uint32_t queue, uint32_t process);
void hd_readers_print(const hd_machine *m, hd_text *out);
/* From a forked child to its parent: parts.h. */
struct hd_box;
void hd_readers_leave(hd_machine *m, struct hd_box *b);
void hd_readers_take(hd_machine *m, struct hd_box *b);

/* ---- handler_memory.c: what handlers of signals touch ---- */
void hd_handled_learn(hd_machine *m, uint64_t word, uint64_t flags);
/* An execution is over: if it showed something the search begins again. */
void hd_handled_end_lesson(hd_machine *m);
void hd_handled_print(const hd_machine *m, hd_text *out);
/* Answers what is behind such a fact in the text; NULL if the text does not begin with one. */
const char *hd_handled_take(hd_machine *m, const char *text);

/* ---- time.c: the clock of the whole system ---- */
#define HD_START_OF_TIME   1700000000 /* what time() says first */
#define HD_TIME_SINCE_BOOT 1000       /* seconds: that it were 0 no program expects */
/* What a clock shows when virtual time begins, in seconds. */
int64_t hd_clock_first(int clock);
/* A time of that clock of the library in nanoseconds of the machine's; UINT64_MAX: never. */
uint64_t hd_clock_until(int clock, const struct timespec *when);
/* Time that a timer is set to, as above: one that is past is not taken for none. */
static inline uint64_t hd_clock_set(int clock, const struct timespec *when) {
    uint64_t time = hd_clock_until(clock, when);
    return time ? time : 1;
}
/* The clock is at `when` at least: a wait has timed out. */
void hd_clock_reach(hd_machine *m, int clock, const struct timespec *when);
uint64_t hd_time_now(const hd_machine *m);
/* The next action of the running thread waits until then at most.  UINT64_MAX: for ever. */
void hd_wait_until(hd_machine *m, uint64_t deadline);
/* A thread that waits already waits until then at most. */
void hd_wait_of(hd_machine *m, uint32_t thread, uint64_t deadline);
/* Has the time of the thread's action come? */
bool hd_time_is_up(const hd_machine *m, uint32_t thread);
/* May timed waits end whenever they like (--timeouts any)? */
bool hd_timeouts_are_free(const hd_machine *m);
/* The running thread sleeps: an action if others can see the time pass. */
void hd_sleep_until(hd_machine *m, uint64_t deadline);
/* There is something that happens when time passes: the clock is among those that can go on. */
void hd_clock_start(hd_machine *m);
/* Nobody else can go on: can the clock? */
bool hd_clock_can_go(hd_machine *m);
/* Would the clock go next, if it were not for the horizon? */
bool hd_clock_is_over(hd_machine *m);
/* An alarm is set: hd_clock_start, and a bound is told. */
void hd_alarm_start(hd_machine *m);
/* A timer that runs is looked at without waiting for it, or set anew: it could have expired before,
 * which is said. */
void hd_timer_tell_running(hd_machine *m);
#endif
