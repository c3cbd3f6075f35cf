/* machine.h -- one execution of the program, and the next, in this process.
 *
 * The machine runs the module's main on a stack of its own inside the region, with the
 * inputs of a model, tells a sink about every symbolic decision, and brings all memory of
 * the program back to the start afterwards (docs/design.md D3).  Programs that call external code
 * with state of its own run in a forked child instead, with the same results.
 *
 * M1. Two runs with the same model give the same events, the same outcome and the same
 *     trace hash, or the program is not deterministic.
 * M2. After hd_machine_run the model knows every variable that the execution used.
 * M3. Nothing that the program does inside the region survives into the next execution.
 * Not here: which model to run next (explore/), where results are kept (record/). */
#ifndef HD_MACHINE_MACHINE_H
#define HD_MACHINE_MACHINE_H
#include "machine/action/action.h"
#include "machine/module.h"
#include "machine/fault.h"
#include "machine/node.h"
#include "program/finding.h"
#include "program/loss.h"
#include "symbolic/model.h"
#include "symbolic/variables.h"

/* Why a branch is on the path. */
typedef enum hd_branch_kind {
    HD_BRANCH_PROGRAM,  /* a branch of the program; one case of a switch */
    HD_BRANCH_ASSUME,   /* heddle_assume: if it holds there is nothing to flip */
    HD_BRANCH_ADDRESS,  /* does this symbolic address stay in its object? */
    HD_BRANCH_EXCHANGE, /* does a compare-and-exchange find what it expects? */
    HD_BRANCH_VALUE,    /* one bit of a value that must be concrete, or one object that a pointer
                           may point to: flipping them finds the other values */
    HD_BRANCH_CHECK,    /* a check that holds, or fails; the execution goes on in both cases, with
                           the same expressions */
    HD_BRANCH_SPENT,    /* a fault that no budget is left for (machine/fault.h): it does not happen,
                           and there is nothing to flip */
} hd_branch_kind;

/* Who explores: the machine tells it what an execution does, and asks it who goes next.
 * `branch`: a decision that depends on inputs, in order; `condition` is 1 bit wide and not
 * constant, `taken` says whether it holds. */
typedef struct hd_sink {
    void *context;
    void (*branch)(void *context, uint32_t site, hd_expr condition, bool taken,
                   hd_branch_kind kind);
    /* Every thread stands before its action (action.h).  Answers the thread whose action is
     * executed now: one of hd_threads_enabled, settled; or HD_SCHEDULE_STUCK if there is none,
     * or HD_SCHEDULE_STOP or VAIN.  Not called while the program has one thread only.  May be NULL:
     * the current thread goes on if it can, else the first that can. */
    uint32_t (*schedule)(void *context, hd_threads *threads);
    /* Where time orders events nobody is asked: what the thread does that goes on (settled), and what
     * arrives, as a put by its sender; NULL: nobody can go on.  May be NULL. */
    void (*see)(void *context, const hd_threads *threads, const hd_action *action);
    hd_script *script; /* what `schedule` would answer first; may be NULL */
    /* Events were told that have not been run: they are to be repeated, as if the script had had
     * them, and `schedule` is asked what comes behind them (tasks/recall.h).  NULL: all are run. */
    void (*again)(void *context);
    bool learns;       /* an execution that shows more of an atomic section than was known ends with
                        * HD_END_RETRY: atomic_section.c */
    const struct hd_outside *outside; /* one node runs alone (outside.h); NULL: all do */
} hd_sink;

/* How an execution ended. */
typedef enum hd_end {
    HD_END_EXIT,     /* main returned or exit was called */
    HD_END_REJECTED, /* an assumption did not hold, or a waiting loop went round in vain */
    HD_END_FINDING,
    HD_END_STOPPED, /* the sink said that the rest is seen elsewhere: not a path */
    HD_END_RETRY,   /* an access was found to be one of a waiting loop (spin.c), which waits from
                     * now on, or an atomic section does more than was known (atomic_section.c):
                     * the execution must be run again from before it */
} hd_end;

#define HD_RETRY_ALL UINT32_MAX /* retry_thread: not one event is taken back, but all */
/* What is left of an execution for whoever asked for it. */
typedef struct hd_outcome {
    hd_end end;
    int status; /* exit status, or signal number */
    hd_finding finding;
    uint64_t steps; /* loop iterations and recursive calls */
    uint64_t trace_hash;
    uint64_t n_events;      /* visible operations of threads */
    uint64_t n_node_events; /* events of nodes, where virtual time orders them */
    uint64_t n_cut_places;  /* of streams between nodes: 'segments' of their links would join them */
    uint64_t new_round;     /* HD_END_RETRY: what was found out, and ... */
    uint32_t retry_thread;  /* ... whose last event is to be taken back; HD_RETRY_ALL: all are */
    uint32_t failed_thread; /* 1 + the thread that the finding is of; 0 = none or not known */
    uint64_t failed_event;  /* how many events came before the finding (E5: others went on) */
    uint32_t n_inputs;      /* variables used */
    bool covered_new;       /* a branch went a way that no execution of this machine had gone */
} hd_outcome;

/* What keeps executions apart: memory is brought back to the start (RESET), or each is a child of
 * its own (FORK); AUTO takes FORK only if external code keeps state that no reset reaches. */
typedef enum hd_isolation { HD_ISOLATION_AUTO, HD_ISOLATION_RESET, HD_ISOLATION_FORK } hd_isolation;

/* When waits with a time limit end by it, while others can go on. */
typedef enum hd_timeouts { HD_TIMEOUTS_LAST, HD_TIMEOUTS_ANY } hd_timeouts;

/* In which order what nodes do happens: the sink says so, or virtual time does
 * (tasks/time_order.h) and the sink is not asked. */
typedef enum hd_orders_kind { HD_ORDERS_ALL, HD_ORDERS_TIME } hd_orders_kind;

typedef struct hd_machine_options {
    uint64_t seed;      /* of first values */
    uint64_t max_steps; /* loop iterations before "no end" is reported */
    /* Decisions on inputs, after which an execution goes on concretely; 0: no limit. */
    uint64_t max_decisions;
    /* Values that are not followed, but that at most so many bits of inputs decide, are decided. */
    uint32_t value_bits;
    uint64_t stack_size, heap_limit;
    hd_isolation isolation;
    /* Functions without a model that may run, by name, with commas between them; or NULL. */
    const char *external;
    bool show_output; /* let the program print (replay) */
    bool check_leaks;
    bool checks_end; /* executions end where a check for undefined behaviour fails */
    bool check_thread_leaks;
    bool fail_on_orphans;  /* messages that nobody receives, data that nobody reads: findings */
    bool fail_on_exit;     /* a non-zero exit status is a finding */
    bool spurious;         /* waits for conditions may end without a signal */
    uint32_t max_threads;  /* alive at the same time, at most HD_MAX_THREADS */
    uint32_t max_timeouts; /* of one thread while others can go on; later only when none can */
    hd_timeouts timeouts;  /* of waits for messages and of sleeping */
    bool partial_io; /* reads of streams may get one byte only, and writes without waiting too */
    uint64_t stdin_bytes; /* of standard input that are inputs; 0: it is the host's */
    int argc;             /* program arguments, argv[0] included */
    char **argv;
    const hd_network_node *nodes; /* processes to start with (node.h); none: main with argv alone */
    uint32_t n_nodes;
    const hd_link *links;
    uint32_t n_links;
    hd_orders_kind orders;
    uint64_t horizon; /* virtual time, nanoseconds: what comes later does not happen; 0: no limit */
    const hd_fault *faults; /* that may happen to nodes and between them */
    uint32_t n_faults;
    /* Confinement (confine/confine.h): what a user opens, or NULL; where relative paths belong, NULL =
     * here; and what else may be read, ending with NULL, or NULL. */
    const char *allow, *directory;
    const char *const *given;
} hd_machine_options;
hd_machine_options hd_machine_defaults(void);

typedef struct hd_machine hd_machine;
/* A machine for the module, or NULL with `err` when memory cannot be set up.  All arguments are
 * borrowed.  If executions fork (module->has_stateful_imports, or asked for) `graph` must be a
 * shared one. */
hd_machine *hd_machine_new(hd_module *module, hd_graph *graph, hd_variables *variables,
                           const hd_machine_options *options, hd_err *err);
void hd_machine_free(hd_machine *m);
/* Builds the walls of confine/confine.h around this process, for good: it is to do nothing but run
 * executions and tell about them.  Children of it run executions if the machine forks already, or
 * if it `forks` later (hd_machine_isolate). */
bool hd_machine_confine(const hd_machine *m, bool forks, hd_err *err);
/* Where this process, not its children, is to leave the number of a system call that it needs for
 * itself and that its walls refuse (N3), before it ends without a word.  By default it says so, as
 * of any bug. */
void hd_machine_tell_unlisted(_Atomic int *number);
/* One execution with the inputs of `model`, which gets those that it does not know yet (M2). */
void hd_machine_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
/* Does every execution run in a forked child? and why (a sentence, for the user). */
bool hd_machine_forks(const hd_machine *m);
const char *hd_machine_fork_reason(const hd_machine *m);
/* From now on run executions in a forked child (or no longer), whatever the options say; needs
 * a shared graph.  A child that dies is a finding (SIGNAL or LOST_WORKER) of that execution. */
void hd_machine_isolate(hd_machine *m, bool yes);

/* The faults of the last execution, in the order in which they happened. */
const hd_fault_event *hd_machine_faults(const hd_machine *m, uint32_t *n);
/* How many faults of a rule that execution had, in total (HD_ALL_NODES) or of a node; as far as
 * there is such a budget. */
uint32_t hd_machine_spent(hd_machine *m, uint32_t rule, uint32_t node);
/* What the node that ran alone showed of what it exported, as a hash: when and what, or only what
 * last, as far as assertions of the module look at it; 0: nothing.  `is_symbolic`: some of it
 * depends on inputs. */
uint64_t hd_machine_shown(const hd_machine *m, bool *is_symbolic);
/* Something is left that would happen after the horizon: a bound beside the verdict. */
void hd_machine_end_time(hd_machine *m);

/* All that went wrong in the last execution, each once; the outcome's finding is the first.  Other
 * threads and processes go on when one fails (failures.c). */
typedef struct hd_failure {
    hd_finding finding;
    int status;
    uint32_t thread; /* thread and event: as failed_thread and failed_event of hd_outcome */
    uint64_t event;
} hd_failure;
const hd_failure *hd_machine_failures(const hd_machine *m, uint32_t *n);
/* The outcome of the same execution as seen from that failure. */
void hd_outcome_show(hd_outcome *o, const hd_failure *f);

/* The variables used by the last execution, in order of creation. */
const hd_var *hd_machine_inputs(const hd_machine *m, uint32_t *n);

/* The names of threads and processes (E2) as text, "0:0 0:1 1:0 p0:0 r7:1": thread 1 is child 0 of
 * thread 0, and so on, process 1 is child 0 of process 0, and is expected to read queue 7.  Indices
 * mean the same in another machine after it was given them (before its first run); false if it is
 * no such text. */
void hd_machine_print_names(const hd_machine *m, hd_text *out);
/* Has anybody been named but the first thread of each node?  These have the numbers of their nodes
 * in every machine; others have them in the order in which a machine saw them first. */
bool hd_machine_has_names(const hd_machine *m);
/* What executions have found out that a search must know to go on elsewhere (waiting loops, atomic
 * sections, memory of handlers, readers of queues), as text. */
void hd_machine_print_facts(const hd_machine *m, hd_text *out);
bool hd_machine_take_names(hd_machine *m, const char *names);
/* What executions find out about waiting loops and atomic sections changes what actions are, and an
 * explorer must be told (HD_END_RETRY).  Put aside what is known, and take what was put aside
 * before: to be called when another explorer has the next execution, and when it has not any more.
 */
void hd_machine_exchange_facts(hd_machine *m);
/* Another explorer has all executions from now on: what is known is what it is told, and what
 * hd_machine_take_names says next. */
void hd_machine_forget_facts(hd_machine *m);
/* How many different threads there were in all executions so far, main and couriers included. */
uint32_t hd_machine_n_thread_names(const hd_machine *m);
/* Note the stacks of threads at two events of the next execution (numbers of calls of
 * hd_sink.schedule, from 0), for reports of races; UINT64_MAX: none.  Filled in afterwards: the
 * stack and place of each, and what the thread held as text. */
typedef struct hd_watch {
    uint64_t event;
    hd_finding at;
    char locks[256];
    bool in_section; /* an atomic one */
} hd_watch;
void hd_machine_watch(hd_machine *m, hd_watch *watches, uint32_t n);
/* Words for the memory or object at `address` in the last execution, for stories; "" if it is not
 * known.  Answers how much of it is a name, which comes first: 5 for "cells" and for
 * "cells (allocated at a.c:3)", 0 for "local of thread 2". */
size_t hd_machine_describe(const hd_machine *m, uint64_t address, char *out, size_t size);

/* The processes of the last execution (process.h), numbered from 0, and its couriers. */
typedef struct hd_participant {
    char name[64];        /* "main", "actor 2", or the name of a node */
    uint32_t parent;      /* process */
    uint32_t born;        /* so many events came before it was there */
    uint32_t site;        /* of its creation; 0 = not known */
    uint32_t main_thread; /* its first one */
    bool has_ended, may_idle;
} hd_participant;
uint32_t hd_machine_n_processes(const hd_machine *m);
/* How many different processes there were in all executions so far. */
uint32_t hd_machine_n_names(const hd_machine *m);
/* False if there is no such process: numbers may be missing. */
bool hd_machine_participant(const hd_machine *m, uint32_t number, hd_participant *out);
/* The process of a thread, or the one that a courier goes to. */
uint32_t hd_machine_process_of(const hd_machine *m, uint32_t thread);
bool hd_machine_is_courier(const hd_machine *m, uint32_t thread);

/* Warnings over all executions so far, one line each: locks that are taken in both orders by
 * different threads, without a deadlock having been seen. */
void hd_machine_lock_cycles(const hd_machine *m, hd_text *out);
/* The warnings above, messages that were never received, data that was never read, and nodes that
 * ended with a status other than 0. */
void hd_machine_warnings(const hd_machine *m, hd_text *out);

/* Something that makes a search inexact and that the machine has met: a symbolic value that became
 * concrete, a call that nobody modelled. */
typedef struct hd_approximation {
    hd_loss_kind kind; /* one of those that the machine notices */
    char what[96];     /* "floating-point conversion", "call of 'frobnicate'" */
    uint32_t site;
    uint64_t count;
} hd_approximation;
const hd_approximation *hd_machine_approximations(const hd_machine *m, uint32_t *n);

typedef struct hd_label {
    char *name;
    uint64_t count; /* executions that reached it */
} hd_label;
const hd_label *hd_machine_labels(const hd_machine *m, uint32_t *n);

/* Coverage so far: 2 * n_branches bytes, 1 where an execution went that way. */
const uint8_t *hd_machine_coverage(const hd_machine *m, uint32_t *n_branches);
/* Test vectors of decisions among it, 1 where an execution had that one, and counters of the last execution
 * (all of it, if it did not begin at a checkpoint); of modules in which clang counts, else none. */
const uint8_t *hd_machine_vectors(const hd_machine *m, uint64_t *n);
const uint64_t *hd_machine_counters(const hd_machine *m, uint64_t *n);
/* What has been covered by all who run the program: hd_outcome.covered_new is about what is not in
 * it.  2 * n_branches bytes of 0 and 1. */
void hd_machine_set_coverage(hd_machine *m, const uint8_t *coverage);

/* The logical input map of the last execution in the paper's form, e.g. "<3,1,3,0>"
 * (paper 002, 4.1.1): root cells first, then the objects in order of creation. */
void hd_machine_print_map(const hd_machine *m, const hd_model *model, hd_text *out);
#endif
