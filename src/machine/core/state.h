/* state.h -- what the files of machine/ share: the state of the one running program.
 *
 * Slow paths are called by instrumented code without a handle, so the machine that runs is
 * the runtime's one global, hd_now.  Everything that an execution changes is in one of the
 * groups below and is brought back by hd_memory_reset() and begin() in run.c.
 *
 * I1. Host code that runs on the program's stack never keeps a lock, and never touches
 *     memory of the program before its shadow was looked at.
 * I2. Ends of an execution (hd_end_*) do not return: they switch to the host's stack. */
#ifndef HD_MACHINE_CORE_STATE_H
#define HD_MACHINE_CORE_STATE_H
#include "base/hash.h"
#include "base/hostile.h"
#include "base/map.h"
#include "base/panic.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "program/abi.h"
#include "symbolic/undefined.h"

#include <string.h>

/* Copies of host data that the program may read: argv, environment, character tables. */
/* Memory of all processes (shared.h). */
#define HD_SHARED_BASE   (HD_REGION + UINT64_C(0x25000000000))
#define HD_SHARED_LIMIT  UINT64_C(0x40000000)
#define HD_SHARES_MEMORY 2 /* in hd_registers.is_threaded */
#define HD_HAS_HANDLERS  4 /* the same: handlers of signals may touch what is accessed */
#define HD_WORLD_BASE    (HD_REGION + UINT64_C(0x8000000000))
#define HD_WORLD_LIMIT   UINT64_C(0x1000000)
/* Input objects too big for their variable's own slot. */
#define HD_INPUT_SLOT      UINT64_C(512)
#define HD_INPUT_SLOT_ROOM UINT64_C(480)
#define HD_INPUT_BIG       (HD_INPUT_BASE + HD_INPUT_LIMIT / 2)
#define HD_STACK_GUARD     UINT64_C(0x100000)
#define HD_STACK_ENTRY     UINT64_C(64) /* unused bytes above the first frame */
#define HD_PAGE            UINT64_C(4096)
/* Stacks of threads other than main, by index; main's may grow as far as here.  The first few have
 * much room, the others enough. */
#define HD_THREAD_STACKS (HD_STACK_BASE + UINT64_C(0x800000000))
#define HD_THREAD_STACK  UINT64_C(0x10000000) /* from one to the next */
#define HD_FAR_STACKS    (HD_STACK_BASE + UINT64_C(0x1000000000))
#define HD_FAR_STACK     UINT64_C(0x1000000)
/* Heaps of threads, by index, in programs that create any. */
#define HD_THREAD_HEAP UINT64_C(0x100000000)
#define HD_FAR_HEAPS   (HD_HEAP_BASE + HD_FEW_THREADS * HD_THREAD_HEAP)
#define HD_FAR_HEAP    UINT64_C(0x6000000)
_Static_assert(HD_FAR_STACKS + HD_MAX_THREADS * HD_FAR_STACK <= HD_WORLD_BASE &&
                   HD_FAR_HEAPS + HD_MAX_THREADS * HD_FAR_HEAP <= HD_HEAP_BASE + HD_HEAP_LIMIT &&
                   HD_HEAP_BASE + HD_HEAP_LIMIT <= HD_SHARED_BASE,
               "there is room for all threads");

/* A piece of the region whose bytes are poisoned until somebody allocates in it. */
typedef struct hd_area {
    uint64_t base, limit, mapped; /* mapped: end of what is mapped and poisoned */
    hd_word poison;
} hd_area;

typedef struct hd_block {
    uint64_t address, size, room;
    uint64_t allocated_at, freed_at; /* program counters */
    bool is_free;
    bool is_buried; /* free, and its shadow is a mapping of poison */
    bool is_hidden; /* not the program's own: never a leak */
    bool is_reached;
    bool is_foreign; /* freed by another thread than its heap's: never used again */
} hd_block;

typedef struct hd_heap {
    hd_area area;
    uint64_t top;
    uint64_t dirty; /* memory below this may hold bytes of earlier blocks */
    uint64_t limit;
    hd_vec(hd_block) blocks; /* ascending addresses */
    size_t n_last;           /* of the execution before; they are still there */
    hd_vec(uint32_t) freed;  /* block numbers in the order they were freed */
    size_t n_recycled;       /* of `freed`, those that left the quarantine */
    uint64_t quarantined;    /* bytes */
    uint64_t in_use;
    uint32_t reusable[48]; /* by size class: block number + 1 of a block to use again */
    hd_vec(uint32_t) next_reusable;
} hd_heap;

/* An object made for an input pointer in this execution. */
typedef struct hd_input_object {
    hd_var owner;
    hd_type_id type;
    uint64_t address, size;
    bool is_freed;
} hd_input_object;

/* A store to the object that a pointer would have, if it did not share another's. */
typedef struct hd_own_store {
    hd_var owner;
    uint32_t size;
    uint64_t offset;
    hd_expr value; /* HD_NONE: not known */
} hd_own_store;

/* When a variable was used last: in which execution, and which of its inputs it was. */
typedef struct hd_turn {
    uint32_t run, order;
} hd_turn;

/* Something that an address can point into. */
typedef enum hd_object_kind {
    HD_OBJECT_NONE,
    HD_OBJECT_HEAP,
    HD_OBJECT_GLOBAL,
    HD_OBJECT_LOCAL,
    HD_OBJECT_INPUT
} hd_object_kind;
typedef struct hd_object {
    hd_object_kind kind;
    uint64_t base, size;
    const char *name;      /* globals */
    const hd_block *block; /* heap */
    bool is_constant;
} hd_object;
typedef hd_vec(hd_object) hd_objects;

typedef struct hd_range {
    uint64_t address, n;
} hd_range;

typedef struct hd_event {
    uint32_t site;
    hd_expr condition;
    uint8_t taken, kind;
} hd_event;

/* A decision that the sink was told of, and after how many events of threads. */
typedef struct hd_decided {
    hd_event decision;
    uint32_t n_events;
} hd_decided;

typedef struct hd_shared hd_shared; /* what a forked child leaves behind: isolate.c */

/* A value that a thread keeps for a key (pthread_setspecific). */
typedef struct hd_specific {
    uint32_t key;
    hd_shadow shadow;
    uint64_t value;
} hd_specific;

/* One location that a waiting loop has read, and what it saw. */
typedef struct hd_watched {
    uint64_t address, value;
    uint32_t size;
} hd_watched;
#define HD_MAX_WATCHED 16 /* locations of a waiting loop */
#define HD_MAX_TAKEN   4  /* locks within each other */
#define HD_MAX_CHANGED 4  /* locations that are changed for a moment */

/* What an atomic section touches (atomic_section.c). */
#define HD_SECTION_RANGES (HD_OWN_ACCESSES - 1) /* besides the token of all sections */
typedef struct hd_section {
    uint64_t key;
    uint32_t site;
    uint32_t n;
    bool is_new, is_big;
    hd_access access[HD_SECTION_RANGES + 1]; /* one more while a range is added */
} hd_section;

/* What executions of one explorer found out. */
typedef hd_vec(hd_section) hd_sections;
typedef struct hd_facts {
    hd_map rounds;
    uint32_t n_rounds;
    bool has_big_sections;
    hd_sections sections;
    hd_map section_of, section_places;
    hd_map handled;
} hd_facts;

/* An arrival of a thread at the header of a loop, without an effect since then: spin.c. */
typedef struct hd_spin {
    uint32_t loop, site, n_events;
    uint64_t state, frame, n_decisions;
    uint32_t n_reads; /* of `watched` */
    uint32_t n_taken; /* of `taken` */
    uint32_t n_changed;
    uint32_t n_undone; /* iterations before it that were hindered, and changed nothing */
    bool is_seen;      /* somebody has looked at what is taken or changed */
    bool is_hindered;  /* and had undone as much himself */
    bool is_stale;     /* something has changed since it was read */
    bool has_stores;   /* of what was there; exchanges and the like not counted */
    hd_watched watched[HD_MAX_WATCHED];
    uint64_t taken[HD_MAX_TAKEN]; /* locks that were locked since then, and not unlocked yet */
    hd_watched changed[HD_MAX_CHANGED]; /* and what it wrote that is not undone yet: as it was */
} hd_spin;
#define HD_MAX_SPINS 4 /* loops within each other */

/* A thread of the program.  The first group holds what the machine and the registers know
 * of the running thread while another one runs.  What every event looks at comes first, and what is
 * big comes last. */
typedef struct hd_thread {
    void *saved; /* stack pointer: fiber.c */
    uint64_t passed, returned, fuel, stack_low;
    uint64_t stack_dirty, virtual_time;
    uint64_t variadic_passed, variadic_room;
    const char *variadic_places;
    uint32_t variadic_fixed, n_roots, n_requests, looping_left;
    hd_shadow pinned;

    uint32_t n_spins;
    bool is_writing; /* the last of `watched` of each spin is what was there before a write */
    uint32_t n_events;
    uint64_t stack_bottom, stack_top; /* 0: its stack was never needed */
    uint64_t errno_at;
    bool is_used; /* in this execution */
    bool is_starting, has_ended, is_joined, is_detached;
    bool is_cancelled, ignores_cancel; /* pthread_cancel.c */
    bool is_interrupted;               /* its call fails because of a signal */
    uint64_t own_blocked;              /* signals.h */
    bool is_courier;                   /* courier.c */
    uint32_t parent, n_children;       /* names.c */
    uint32_t creator;                  /* who waits until it stands before its first action */
    void *(*start)(void *);
    uint64_t argument, result;
    hd_shadow argument_shadow, result_shadow;
    hd_shadow status_shadow; /* of the exit status that it ends its process with */
    uint64_t cleanup;        /* innermost handler of pthread_cleanup_push */
    uint32_t n_keys;         /* that it made */

    /* courier.c, time.c */
    bool has_borrowed_stack; /* after fork: the one of the thread that called it */
    bool can_go;             /* of a thread whose process is not loaded */
    struct hd_parcel *parcels, *last_parcel;
    uint32_t n_objects;     /* that it made: hd_name_object */
    uint32_t section_depth; /* atomic sections that it is in */
    uint64_t deadline;      /* UINT64_MAX: none */

    hd_vec(hd_specific) specifics; /* from here on there is memory elsewhere: checkpoint.c */
    hd_shadow variadic_args[HD_MAX_ARGS];
    hd_heap heap;
    hd_spin *spin; /* HD_MAX_SPINS, the innermost loop last */
} hd_thread;

/* The site that a return address belongs to: caller.c */
typedef struct hd_place_cache {
    uint64_t pc;
    uint32_t site;
} hd_place_cache;
#define HD_N_CALLERS HD_HOSTILE(256, 2)

/* (parent, nth child): names.c */
typedef struct hd_thread_name {
    uint32_t parent, nth;
} hd_thread_name;

/* Remembered results of expression constructors: the same program builds the same ones. */
typedef struct hd_memo {
    uint64_t key1, key2;
    hd_expr result;
} hd_memo;
#define HD_N_MEMO HD_HOSTILE(8192, 2)

typedef void (*hd_handler)(void);

/* ---- parts that last as long as the machine ---- */

/* What the program may do, as far as the functions tell that it calls. */
typedef struct hd_may {
    bool create;         /* threads or processes */
    bool ask_for_serial; /* somebody looks at what a wait at a barrier answers */
    bool handle_end;     /* by handlers for the end of the program */
    bool tell_ends;      /* joins may go on before the other thread ends: its end is an event */
    bool cancel;         /* threads */
    bool lock_streams;
    bool use_streams;   /* threads may come to use a standard stream together */
    bool wait;          /* for processes */
    bool ask;           /* who its parent is */
    bool signal;        /* it has handlers of signals, perhaps */
    bool kill;          /* other processes */
    bool have_sections; /* atomic ones */
    bool see_undefined; /* the module was compiled to see memory that was never written */
} hd_may;

/* Expressions that were made before. */
typedef struct hd_remembered {
    hd_eval *eval;
    uint32_t generation; /* of the graph: remembered expression ids are good for it */
    hd_memo *memo;
} hd_remembered;

/* memory.c: what the region consists of, and what is copied back. */
typedef struct hd_region {
    uint8_t *pristine;
    hd_vec(hd_range) hot; /* pieces of the data segment that are copied back */
    uint8_t *page_is_hot; /* by page, when the data segment is watched */
    bool is_watching;
    bool needs_reset;                  /* memory is as the last execution left it */
    hd_vec(const hd_global *) globals; /* ascending addresses */
    hd_area inputs_small, inputs_big;
    hd_area shared_area;
} hd_region;

/* surroundings.c: copies of host data that the program may read. */
typedef struct hd_surroundings {
    uint64_t top, writable; /* the first bytes are copied back */
    uint8_t *pristine;
    hd_objects objects;
    uint64_t argv, environment, ctype[3];
    uint64_t environs[8]; /* where the program's `environ` are */
    uint32_t n_environs;
    uint64_t thread_errno;              /* errno of all threads */
    uint64_t *node_argv, *node_environ; /* of the nodes of a scenario */
} hd_surroundings;

/* inputs.c: variables that inputs have had so far. */
typedef struct hd_known_inputs {
    hd_vec(hd_var) root_vars;  /* by root number */
    hd_map cell_vars;          /* owner and cell -> variable */
    hd_vec(hd_expr) var_exprs; /* by variable; 0 = not asked yet */
    hd_vec(hd_turn) turns;     /* by variable */
    hd_objects candidates;     /* that an address may be in: address.c */
    hd_map origins;            /* address -> the pointer that it was indexed from: address.c */
    uint32_t run;              /* number of this execution */
} hd_known_inputs;

/* caller.c: places in the source. */
typedef struct hd_callers {
    struct hd_symbolizer *symbolizer; /* NULL until it is needed */
    hd_map sites;                     /* return addresses -> site */
    hd_place_cache cache[HD_N_CALLERS];
} hd_callers;

/* What is told about all executions. */
typedef struct hd_told {
    uint8_t *coverage;
    hd_vec(hd_approximation) approximations;
    hd_map approximation_at;
    hd_vec(hd_label) labels;
} hd_told;

/* What is learned once, and by whom does not matter. */
typedef struct hd_lessons {
    hd_thread_set changing;  /* those whose loops have changed something for a moment, and perhaps
                              * others: spin.c */
    bool meets_undefined;    /* some execution has loaded memory that was never written */
    bool knows_readers;      /* they stay what they are */
    hd_map expected_readers; /* of queues, see channels/readers.c: number -> set of processes */
} hd_lessons;

/* names.c: threads by (parent, nth). */
typedef struct hd_naming {
    hd_map thread_of;               /* parent and nth -> index */
    hd_vec(hd_thread_name) threads; /* by index; main's is unused */
} hd_naming;

/* Records of threads. */
typedef struct hd_records {
    uint32_t n;     /* so many were ever used */
    hd_spin *spins; /* HD_MAX_SPINS of each */
} hd_records;

/* What the caller of hd_machine_run gives, and how to come back to it. */
typedef struct hd_call {
    hd_model *model;
    const hd_sink *sink;
    hd_outcome *outcome;
    void *host_stack;
    bool is_running;
    hd_watch *watches; /* of the next execution */
    uint32_t n_watches;
    uint64_t n_followed;    /* before so many events the script is asked who is next, ... */
    uint64_t n_repeated;    /* ... and before so many nobody looks at what is done */
    uint64_t checkpoint_at; /* events; UINT64_MAX: none is to be taken */
} hd_call;

/* isolate.c: executions in forked children. */
typedef struct hd_isolation_part {
    bool forks;
    char reason[256];
    hd_shared *shared;
    struct hd_mirror *mirror;
} hd_isolation_part;

/* ---- parts of one execution ---- */

/* The running thread: what a switch puts into its record and takes out of the next one's, in the
 * same order, so that it goes several words at a time. */
typedef struct hd_running {
    hd_heap *heap;
    uint64_t stack_bottom, stack_top;
    uint64_t errno_at;
    uint64_t stack_dirty; /* external code may have written from here up */
    uint64_t virtual_time;
    uint64_t variadic_passed;
    uint64_t variadic_room; /* HD_VARIADIC_ROOM */
    const char *variadic_places;
    uint32_t variadic_fixed;
    uint32_t n_roots, n_requests; /* inputs.c */
    uint32_t looping_left;
    hd_shadow pinned; /* address that is one value by decisions */
    hd_shadow variadic_args[HD_MAX_ARGS];
} hd_running;

/* The running process: process.c. */
typedef struct hd_process_part {
    uint32_t n_unjoined; /* threads that were not joined, the running one included */
    bool is_exiting, has_returned;
    bool is_ending; /* the others do not go on any more */
    hd_vec(hd_handler) at_exit;
    hd_map keys; /* of pthread_key_create -> destructor */
} hd_process_part;

/* How far it has come. */
typedef struct hd_execution {
    uint64_t hash;
    uint64_t fuel;
    uint64_t n_events;
    uint64_t n_decisions;
    uint64_t exit_since;        /* events before somebody wanted to end the program */
    uint32_t n_used;            /* all threads */
    bool is_concrete;           /* it had too many decisions: nothing is symbolic any more */
    bool has_approximated;      /* something */
    bool handled_has_grown;     /* what handlers touch: handler_memory.c */
    hd_vec(hd_decided) decided; /* all decisions, if there may be checkpoints */
    hd_vec(uint32_t) looping;   /* sites seen after the fuel was gone */
    hd_vec(uint32_t) reached;   /* labels */
    hd_map far_objects;         /* thread-local ones of threads behind the first few: perthread.c */
} hd_execution;

/* Calls that are under way: slow_calls.c. */
typedef struct hd_calls_part {
    uint64_t byval_passed;
    bool has_printed;
    uint32_t n_pending; /* what to say about the external call that is under way */
    uint64_t byval_from[HD_MAX_ARGS];
    hd_approximation pending[3];
} hd_calls_part;

/* inputs.c */
typedef struct hd_input_part {
    uint64_t big_top;                /* of inputs_big */
    uint64_t standard_input;         /* address of the inputs that it consists of; 0: none */
    hd_vec(hd_input_object) objects; /* made for pointers */
    hd_vec(hd_own_store) own_stores; /* alias.c */
    hd_vec(hd_var) used;             /* variables */
    hd_vec(hd_range) moved;          /* objects that got another owner here: old and new address */
} hd_input_part;

/* memory.c */
typedef struct hd_memory_part {
    uint64_t shared_top;
    hd_vec(hd_range) symbolic_globals; /* shadow words to clear */
    hd_vec(hd_block *) reaching;       /* leaks.c: blocks still to be searched */
} hd_memory_part;

/* failures.c */
typedef struct hd_failing {
    bool has_kept;        /* something went wrong or was rejected, and others went on (E5) */
    bool has_stopped;     /* some thread stopped there: that others wait for it means nothing */
    uint32_t n_undefined; /* findings about memory that was never written, told or not */
    hd_outcome kept;      /* the outcome of the first such thing */
    hd_undefined undefined;
    hd_vec(hd_failure) failures;
    hd_map noted;         /* ubsan.c: checks that failed in this execution, by place and caller */
    hd_map failed_checks; /* slow_control.c: by thread and site */
} hd_failing;

/* atomic_section.c */
typedef struct hd_atomic {
    bool is_inside;     /* the running thread is in an atomic section that is a single event */
    bool has_grown;     /* the section is more than was known */
    bool retries;       /* so the execution ended */
    uint32_t owner;     /* 1 + the thread in an atomic section: the others wait */
    hd_section section; /* the running one, or the one that ended the execution */
} hd_atomic;

/* All processes, and their clock: process.c, time.c. */
typedef struct hd_system {
    bool is_concurrent; /* there is, or was, more than one that could go on */
    bool has_checked;   /* the assertions about all processes */
    uint32_t clock;     /* its index among the threads; 0 = nobody waits for it */
    uint64_t now;       /* nanoseconds that the clock of the system has moved */
    uint64_t space_tag; /* HD_SPACE of the running process */
    hd_set wanted_up;   /* processes for which others wait before they start */
} hd_system;

struct hd_machine {
    hd_module *module;
    hd_image *image;
    hd_registers *registers;
    hd_graph *graph;
    hd_variables *variables;
    hd_machine_options options;
    hd_may may;

    hd_call call;
    hd_running running;
    hd_execution execution;
    hd_system system;
    hd_process_part process;
    hd_atomic atomic;
    hd_memory_part memory;
    hd_input_part input;
    hd_calls_part calls;
    hd_failing failing;

    hd_remembered expressions;
    hd_region region;
    hd_surroundings surroundings;
    hd_known_inputs known_inputs;
    hd_told told;
    hd_lessons lessons;
    hd_facts facts, facts_aside; /* of this explorer and of another: hd_machine_exchange_facts */
    hd_naming naming;
    hd_records records;
    hd_isolation_part isolation;
    hd_callers callers;

    /* Parts that their rooms know alone; NULL until they are needed. */
    struct hd_processes *processes;
    struct hd_sync *sync;
    struct hd_ipc *ipc;
    struct hd_actors *actors;
    struct hd_orphans *orphans;
    struct hd_endless *endless;
    struct hd_chunk *chunks; /* of hd_execution_alloc */
    struct hd_checkpoints *checkpoints;

    hd_thread *thread; /* by index */
    hd_threads threads;
};

/* The machine of the program that runs in this process (or is about to). */
extern hd_machine *hd_now;

/* Is the value concrete after all? */
static inline hd_shadow hd_shadow_of(const hd_machine *m, hd_expr e) {
    return hd_expr_is_const(m->graph, e) ? HD_NONE : e;
}

/* ---- slow_control.c: what is not exact ---- */
/* Something is not exact from here on; said beside the verdict, with its place. */
void hd_approximate(hd_machine *m, uint32_t site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Something that could happen is left out; `format` makes a sentence. */
void hd_bound(hd_machine *m, uint32_t site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* There are too many of something: the execution ends as if an assumption did not hold. */
_Noreturn void hd_end_at_limit(hd_machine *m, uint32_t site, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void hd_approximate_as(hd_machine *m, hd_approximation_kind kind, uint32_t site, const char *what);

/* ---- run.c: ends of an execution ---- */
_Noreturn void hd_end_finding(hd_machine *m, hd_finding_kind kind, uint32_t site,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same for one that stops nobody: at the end of a process. */
void hd_note_finding(hd_machine *m, hd_finding_kind kind, uint32_t site, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void hd_end_rejected(hd_machine *m);
void hd_settle_status(hd_machine *m, hd_shadow status, int concrete);
_Noreturn void hd_end_exit(hd_machine *m, int status);
/* Runs the handlers of atexit first. */
_Noreturn void hd_exit_program(hd_machine *m, int status);
/* The running thread failed or was rejected, as the outcome says: others go on first (E5). */
_Noreturn void hd_thread_fail(hd_machine *m);
/* These for findings that are already filled in. */
_Noreturn void hd_end_filled(hd_machine *m);
void hd_note_filled(hd_machine *m);
void hd_finding_fill(hd_machine *m, hd_finding_kind kind, uint32_t site);
void hd_label_reach(hd_machine *m, const char *label);

/* ---- failures.c: what went wrong, while others go on ---- */
/* List what the outcome says, if that is something wrong and not listed. */
void hd_failure_add(hd_machine *m, const hd_outcome *o);
/* The execution goes on. */
void hd_failure_keep(hd_machine *m);
/* The running thread too. */
void hd_failure_note(hd_machine *m);
void hd_failures_forget(hd_machine *m);
/* The outcome is the first failure, if there is one. */
void hd_failures_finish(hd_machine *m);

/* ---- tasks/leaks.c ---- */
/* Ends the execution with a finding if blocks were lost. `stack` 0: main has returned. */
void hd_leaks_check(hd_machine *m, uint64_t stack);

/* ---- run/checkpoint.c ---- */
/* m->call.checkpoint_at events have happened, and the running thread is about to ask who is next.
 * Executions that go on from the checkpoint return from here too, each with its own script. */
void hd_checkpoint_take(hd_machine *m);

/* ---- isolate.c: executions in a forked child ---- */
bool hd_isolate_init(hd_machine *m, hd_err *err);
void hd_isolate_release(hd_machine *m);
void hd_isolate_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
/* One execution in this process, without the reset. */
void hd_run_here(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
/* Merge the coverage of the last execution; did it go somewhere new? */
bool hd_coverage_merge(hd_machine *m);

/* ---- libc/streams.c ---- */
/* The name of the standard stream whose lock this is, also after the execution; NULL: of none. */
const char *hd_stream_locked_by(const hd_machine *m, uint64_t lock);

/* Host code runs on the program's stack.  It must not run into the guard page in the middle
 * of a change to its own data, so it looks first whether there is room. */
#define HD_STACK_MARGIN UINT64_C(65536)
_Noreturn void hd_end_stack_overflow(hd_machine *m);
static inline hd_machine *hd_enter(void) {
    hd_machine *m = hd_now;
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    if (__builtin_expect(here - m->running.stack_bottom < HD_STACK_MARGIN, 0))
        hd_end_stack_overflow(m);
    return m;
}

/* The expression of an SSA value that may be concrete. */
static inline hd_expr hd_expr_of(hd_machine *m, hd_shadow s, unsigned width, uint64_t value) {
    return s ? s : hd_expr_const(m->graph, width, value);
}
/* Argument number i of the model that was just called, HD_NONE if it is concrete. */
static inline hd_shadow hd_argument(const hd_machine *m, uint64_t passed, unsigned i) {
    return passed >> i & 1 ? m->registers->args[i] : HD_NONE;
}
static inline uint64_t hd_take_arguments(hd_machine *m) {
    uint64_t passed = m->registers->passed;
    m->registers->passed = 0;
    return passed;
}
#endif
