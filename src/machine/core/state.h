/* state.h -- what the files of machine/ share: the state of the one running program.
 *
 * Slow paths are called by instrumented code without a handle, so the machine that runs is
 * the runtime's one global, hd_now.  Everything that an execution changes is in a part below
 * (HD_PARTS_OF_EXECUTION) or in a row of parts.h, which say how it comes back.
 *
 * Promise (tests/calls.sh): host code that runs on the program's stack never keeps a lock, and
 *     never touches memory of the program before its shadow was looked at.
 * I2. Ends of an execution (hd_end_*) do not return: they switch to the host's stack.
 * Not here: what the parts hold (memory_parts.h, value_parts.h, task_parts.h, run_parts.h). */
#ifndef HD_MACHINE_CORE_STATE_H
#define HD_MACHINE_CORE_STATE_H
#include "base/hash.h"
#include "base/panic.h"
#include "machine/core/memory_parts.h"
#include "machine/core/run_parts.h"
#include "machine/core/task_parts.h"
#include "machine/core/value_parts.h"
#include "program/abi.h"

#include <string.h>

/* The parts of one execution: all that is said of them elsewhere is made from this list. */
#define HD_PARTS_OF_EXECUTION(X)                                                                   \
    X(hd_running, running)                                                                         \
    X(hd_execution, execution)                                                                     \
    X(hd_system, system)                                                                           \
    X(hd_process_part, process)                                                                    \
    X(hd_atomic, atomic)                                                                           \
    X(hd_memory_part, memory)                                                                      \
    X(hd_input_part, input)                                                                        \
    X(hd_calls_part, calls)                                                                        \
    X(hd_failing, failing)                                                                         \
    X(hd_fault_part, faults)

struct hd_machine {
    hd_module *module;
    hd_image *image;
    hd_registers *registers;
    hd_graph *graph;
    hd_variables *variables;
    hd_machine_options options;
    hd_may may;

    hd_call call;
#define HD_MEMBER(type, name) type name;
    HD_PARTS_OF_EXECUTION(HD_MEMBER)
#undef HD_MEMBER

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
    struct hd_globals *globals;
    struct hd_orphans *orphans;
    struct hd_endless *endless;
    struct hd_chunk *chunks; /* of hd_execution_alloc */
    struct hd_checkpoints *checkpoints;
    struct hd_recall *recall;

    hd_thread *thread; /* by index */
    hd_threads threads;
};

/* The machine of the program that runs in this process (or is about to). */
extern hd_machine *hd_now;

/* Flags of floating-point exceptions and the way of rounding are the program's: whoever calls the
 * sink keeps them, if the program may ever read them (hd_may.read_flags).  To read them is slow, to
 * write them slower, and they have seldom changed. */
static inline void hd_keep_flags(unsigned before) {
    if (__builtin_expect(__builtin_ia32_stmxcsr() != before, 0))
        __builtin_ia32_ldmxcsr(before);
}

/* The shadow that goes back to the program for `e`: none if that is a constant. */
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
void hd_approximate_as(hd_machine *m, hd_loss_kind kind, uint32_t site, const char *what);

/* ---- run.c: ends of an execution (I2) ---- */
_Noreturn void hd_end_finding(hd_machine *m, hd_finding_kind kind, uint32_t site,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A finding that stops nobody: at the end of a process. */
void hd_note_finding(hd_machine *m, hd_finding_kind kind, uint32_t site, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The end of the running thread because an assumption or a limit does not hold: no finding. */
_Noreturn void hd_end_rejected(hd_machine *m);
/* The exit status that a process is about to end with is told to whoever may ask for it; which it
 * is goes on the path if that decides something. */
void hd_settle_status(hd_machine *m, hd_shadow status, int concrete);
/* The end of the running process without its handlers. */
_Noreturn void hd_end_exit(hd_machine *m, int status);
/* The end of the running process, handlers of atexit first. */
_Noreturn void hd_exit_program(hd_machine *m, int status);
/* The running thread failed or was rejected, as the outcome says: others go on first (E5). */
_Noreturn void hd_thread_fail(hd_machine *m);
/* hd_end_finding and hd_note_finding, of a finding that is already filled in. */
_Noreturn void hd_end_filled(hd_machine *m);
void hd_note_filled(hd_machine *m);
/* The outcome is a finding of that kind at that place from now on; its message is still empty. */
void hd_finding_fill(hd_machine *m, hd_finding_kind kind, uint32_t site);
/* heddle_reach: counted once in each execution. */
void hd_label_reach(hd_machine *m, const char *label);

/* ---- failures.c: what went wrong, while others go on ---- */
/* List what the outcome says, if that is something wrong and not listed. */
void hd_failure_add(hd_machine *m, const hd_outcome *o);
/* What the outcome says is kept, and the execution goes on. */
void hd_failure_keep(hd_machine *m);
/* What the outcome says is kept, and even the running thread goes on. */
void hd_failure_note(hd_machine *m);
void hd_failures_forget(hd_machine *m);
/* The outcome is the first failure, if there is one. */
void hd_failures_finish(hd_machine *m);

/* ---- tasks/leaks.c ---- */
/* A finding if no pointer leads to some block any more: looked for in globals, inputs, stacks, and
 * blocks that are reached.  The running stack is in use from `stack` on; 0: main has returned. */
void hd_leaks_check(hd_machine *m, uint64_t stack);

/* ---- run/checkpoint.c ---- */
/* m->call.checkpoint_at events have happened, and the running thread is about to ask who is next.
 * Executions that go on from the checkpoint return from here too, each with its own script. */
void hd_checkpoint_take(hd_machine *m);

/* ---- isolate.c: executions in a forked child ---- */
/* Opens what isolated executions need, while the process may still open it. */
void hd_isolate_prepare(void);
bool hd_isolate_init(hd_machine *m, hd_err *err);
void hd_isolate_release(hd_machine *m);
void hd_isolate_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
/* One execution in this process, without the reset. */
void hd_run_here(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
/* Merge the coverage of the last execution; did it go somewhere new? */
bool hd_coverage_merge(hd_machine *m, hd_end end);

/* ---- libc/streams.c ---- */
/* The name of the standard stream whose lock this is, also after the execution; NULL: of none. */
const char *hd_stream_locked_by(const hd_machine *m, uint64_t lock);

/* Host code runs on the program's stack.  It must not run into the guard page in the middle
 * of a change to its own data, so it looks first whether there is room. */
#define HD_STACK_MARGIN UINT64_C(65536)
_Noreturn void hd_end_stack_overflow(hd_machine *m);
static inline __attribute__((always_inline)) hd_machine *hd_enter_uncounted(void) {
    hd_machine *m = hd_now;
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    HD_CHECK(m && m->call.is_running);
    if (__builtin_expect(here - m->running.stack_bottom < HD_STACK_MARGIN, 0))
        hd_end_stack_overflow(m);
    return m;
}
/* Whatever is done here a thread that is only recalled does not do (tasks/recall.h): it is run
 * then. Who does nothing besides an event enters uncounted. */
static inline hd_machine *hd_enter(void) {
    hd_machine *m = hd_enter_uncounted();
    m->call.n_entries++;
    return m;
}

/* The expression of an SSA value that may be concrete. */
static inline hd_expr hd_expr_of(hd_machine *m, hd_shadow s, unsigned width, uint64_t value) {
    HD_CHECK_INVARIANT(A4, !s || hd_expr_width(m->graph, s) == width); /* abi.h */
    return s ? s : hd_expr_const(m->graph, width, value);
}
/* Argument number i of the model that was just called, HD_NONE if it is concrete. */
static inline hd_shadow hd_argument(const hd_machine *m, uint64_t passed, unsigned i) {
    HD_CHECK(i < HD_MAX_ARGS);
    return passed >> i & 1 ? m->registers->args[i] : HD_NONE;
}
/* Which arguments of the model that was just called have expressions, as bits for hd_argument; the
 * next call begins without any. */
static inline uint64_t hd_take_arguments(hd_machine *m) {
    uint64_t passed = m->registers->passed;
    m->registers->passed = 0;
    return passed;
}
#endif
