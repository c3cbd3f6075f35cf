/* One execution: the machine's life, its start, its ends (docs/design.md D3).
 *
 * The program runs on its own stack until somebody calls one of the ends, which switch back
 * to the host's stack; nothing is unwound, because the reset throws everything away. */
#include "machine/core/parts.h"
#include "machine/libc/libc.h"
#include "machine/libc/streams.h"
#include "machine/run/checkpoint.h"
#include "machine/tasks/endless.h"
#include "machine/tasks/library.h"
#include "machine/tasks/process.h"
#include "machine/tasks/recall.h"
#include "machine/tasks/signals.h"
#include "program/symbolize.h"

#include <fenv.h>
#include <heddle.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_STEPS     UINT64_C(50000000)
#define MAX_DECISIONS UINT64_C(100000)
#define STACK_SIZE    UINT64_C(0x4000000)
#define HEAP_LIMIT    UINT64_C(0x80000000)
#define MAX_TIMEOUTS  1

hd_machine *hd_now;

hd_machine_options hd_machine_defaults(void) {
    return (hd_machine_options){.seed = 1,
                                .max_steps = MAX_STEPS,
                                .max_decisions = MAX_DECISIONS,
                                .stack_size = STACK_SIZE,
                                .heap_limit = HEAP_LIMIT,
                                .max_threads = HD_MAX_THREADS,
                                .max_timeouts = MAX_TIMEOUTS,
                                .check_leaks = true};
}

/* ---- life ---- */

static void choose_isolation(hd_machine *m) {
    switch (m->options.isolation) {
    case HD_ISOLATION_FORK:
        m->isolation.forks = true;
        snprintf(m->isolation.reason, sizeof m->isolation.reason,
                 "every execution runs in a process of its "
                 "own, as asked");
        break;
    case HD_ISOLATION_AUTO:
        m->isolation.forks = m->module->has_stateful_imports;
        if (m->isolation.forks)
            snprintf(m->isolation.reason, sizeof m->isolation.reason,
                     "every execution runs in a process of its own, because the program calls "
                     "'%s', which keeps state that Heddle cannot reset",
                     m->module->stateful_import);
        break;
    case HD_ISOLATION_RESET:
        break;
    }
}

hd_machine *hd_machine_new(hd_module *module, hd_graph *graph, hd_variables *variables,
                           const hd_machine_options *options, hd_err *err) {
    /* Megabytes, of which most runs touch little: as the system gives them, nothing is written. */
    hd_machine *m = calloc(1, sizeof *m);
    if (!m)
        hd_out_of_memory();
    m->module = module;
    m->image = module->image;
    m->registers = module->image->registers;
    m->may.see_undefined = module->image->sees_undefined;
    m->may.read_flags = module->image->reads_flags;
    m->lessons.meets_undefined = module->image->sees_undefined > 1;
    m->graph = graph;
    m->variables = variables;
    m->options = *options;
    m->expressions.memo = calloc(HD_N_MEMO, sizeof *m->expressions.memo);
    m->told.coverage = calloc(2 * m->image->n_branches + 8, 1);
    if (!m->expressions.memo || !m->told.coverage)
        hd_out_of_memory();
    m->expressions.eval = hd_eval_new(graph);
    choose_isolation(m);
    hd_processes_init(m);
    hd_threads_init(m);
    hd_now = m;
    bool has_memory = hd_nodes_fit(options->nodes, options->n_nodes, m->image, err) &&
                      hd_memory_init(m, err) && hd_world_init(m, err);
    if (has_memory)
        hd_memory_watch(m);
    if (!has_memory || !hd_nodes_place(m, err) ||
        (m->isolation.forks && !hd_isolate_init(m, err))) {
        hd_machine_free(m);
        return NULL;
    }
    hd_faults_install();
    return m;
}

void hd_machine_free(hd_machine *m) {
    if (!m)
        return;
    HD_ASSERT(!m->call.is_running);
    hd_isolate_release(m);
    hd_checkpoints_free(m->checkpoints);
    hd_recall_free(m->recall);
    hd_parts_release(m);
    if (hd_now == m)
        hd_now = NULL;
    free(m);
}

/* ---- one execution ---- */

static void begin_outcome(hd_outcome *o) {
    o->end = HD_END_EXIT;
    o->status = 0;
    o->finding.kind = HD_FINDING_NONE;
    o->finding.message[0] = o->finding.file[0] = o->finding.function[0] = '\0';
    o->finding.line = o->finding.n_stack = 0;
    o->covered_new = false;
    o->failed_thread = 0;
    o->failed_event = 0;
}

/* Before all others, who need the number of steps. */
static void begin(hd_machine *m) {
    begin_outcome(m->call.outcome);
    m->execution.fuel = m->options.max_steps ? m->options.max_steps : UINT64_MAX;
}

static void release(hd_machine *m) {
    for (size_t i = 0; i < m->told.labels.n; i++)
        free(m->told.labels.at[i].name);
    hd_vec_release(&m->told.labels);
    for (size_t i = 0; i < m->told.labels_alone.n; i++)
        free(m->told.labels_alone.at[i]);
    hd_vec_release(&m->told.labels_alone);
    free(m->told.coverage);
    free(m->told.coverage_alone);
    hd_endless_free(m);
}

/* Threads that go on only until the program ends are about to. */
static bool is_simple(const hd_machine *m) {
    return !m->execution.exit_since;
}

static void keep(hd_machine *m, hd_keeper *k) {
    hd_keep_aside(k, &m->execution.decided.n, sizeof m->execution.decided.n);
    hd_keep_aside(k, m->execution.decided.at,
                  m->execution.decided.n * sizeof *m->execution.decided.at);
    hd_keep_aside(k, &m->execution.pinned.n, sizeof m->execution.pinned.n);
    hd_keep_aside(k, m->execution.pinned.at,
                  m->execution.pinned.n * sizeof *m->execution.pinned.at);
}

static void restore_pinned(hd_machine *m, hd_keeper *k) {
    size_t n;
    hd_bring_back(k, &n, sizeof n);
    hd_vec_clear(&m->execution.pinned);
    hd_vec_reserve(&m->execution.pinned, n);
    hd_bring_back(k, m->execution.pinned.at, n * sizeof *m->execution.pinned.at);
    m->execution.pinned.n = n;
}

/* The sink is told again: it follows the path, and has the same inputs. */
static void restore(hd_machine *m, hd_keeper *k) {
    const hd_sink *sink = m->call.sink;
    size_t n;
    HD_ASSERT(sink->script);
    hd_bring_back(k, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        hd_decided d;
        hd_bring_back(k, &d, sizeof d);
        hd_vec_push(&m->execution.decided, d);
        sink->script->n_done = d.n_events;
        sink->branch(sink->context, d.decision.site, d.decision.condition, d.decision.taken,
                     (hd_branch_kind)d.decision.kind);
    }
    sink->script->n_done = (uint32_t)m->execution.n_events;
    restore_pinned(m, k);
}

/* Labels that were reached, each with its end. */
static void leave(hd_machine *m, hd_box *b) {
    size_t n = m->execution.reached.n;
    hd_box_put(b, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        const char *name = m->told.labels.at[m->execution.reached.at[i]].name;
        size_t size = strlen(name) + 1;
        hd_box_put(b, &size, sizeof size);
        hd_box_put(b, name, size);
    }
}

static void take(hd_machine *m, hd_box *b) {
    size_t n, size;
    hd_vec(char) name = {0};
    hd_box_take(b, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        hd_box_take(b, &size, sizeof size);
        hd_vec_reserve(&name, size);
        hd_box_take(b, name.at, size);
        hd_label_reach(m, name.at);
    }
    hd_vec_release(&name);
}

const hd_part hd_part_execution = {"execution",
                                   {begin, NULL, release, NULL},
                                   {is_simple, keep, restore},
                                   {leave, take},
                                   HD_PART_NO_TASKS};

/* An exit status goes to whoever waits for the process.  With --fail-on-exit it also decides
 * whether there is a finding, like a branch would. */
void hd_settle_status(hd_machine *m, hd_shadow status, int concrete) {
    status = hd_define(m, status, m->process.has_returned ? NULL : HD_USE_STATUS, 0);
    m->thread[m->threads.current].status_shadow = status;
    if (!status || !m->options.fail_on_exit)
        return;
    hd_expr low = hd_expr_extract(m->graph, status, 0, 8);
    hd_expr zero = hd_expr_const(m->graph, 8, 0);
    hd_record(m, 0, hd_expr_binary(m->graph, HD_OP_EQ, low, zero), (concrete & 255) == 0,
              HD_BRANCH_PROGRAM);
}

/* Standard input is made of inputs (--stdin). */
static void make_standard_input(hd_machine *m) {
    HD_ASSERT(!m->input.standard_input);
    uint64_t n = m->options.stdin_bytes;
    char *zeros = calloc(1, n);
    void *bytes = zeros ? hd_heap_hide(m->running.heap, zeros, n) : NULL;
    free(zeros);
    if (!bytes)
        hd_out_of_memory();
    hd_unpoison((uint64_t)bytes, n);
    m->input.standard_input = (uint64_t)bytes;
    heddle_bytes(bytes, n, "stdin");
}

static void run_program(void *argument) {
    hd_machine *m = argument;
    if (m->may.read_flags)
        feclearexcept(FE_ALL_EXCEPT); /* those of our own computations */
    if (m->options.stdin_bytes)
        make_standard_input(m);
    if (m->options.n_nodes)
        hd_nodes_start(m);
    hd_own_set(m);
    for (void (*const *f)(void) = m->image->constructors; f && *f; f++)
        (*f)();
    int status = m->image->main(m->options.argc, (char **)m->surroundings.argv,
                                (char **)m->surroundings.environment);
    HD_KEEP_LOCALS_OF_MAIN(m);
    m->process.has_returned = true;
    hd_settle_status(m, m->registers->returned & 1 ? m->registers->rets[0] : HD_NONE, status);
    m->registers->returned = 0;
    hd_exit_program(m, status);
}

/* A vector counts if a test can show it: of executions that nobody keeps it would only hide the
 * ones that are kept. */
static void drop_vectors(hd_machine *m, hd_end end) {
    if (m->image->n_vectors && (end == HD_END_REJECTED || end == HD_END_STOPPED))
        memset(m->image->coverage + HD_FIRST_VECTOR(m->image), 0, m->image->n_vectors);
}

/* Coverage bytes are 0 or 1; eight at a time. */
bool hd_coverage_merge(hd_machine *m, hd_end end) {
    drop_vectors(m, end);
    uint64_t n = 2 * m->image->n_branches, fresh = 0;
    bool is_alone = m->call.is_alone;
    if (is_alone && !m->told.coverage_alone && !(m->told.coverage_alone = calloc(1, n + 1)))
        hd_out_of_memory();
    uint8_t *now = m->image->coverage, *all = is_alone ? m->told.coverage_alone : m->told.coverage;
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        uint64_t x, y;
        memcpy(&x, now + i, 8);
        memcpy(&y, all + i, 8);
        fresh |= x & ~y;
        y |= x;
        memcpy(all + i, &y, 8);
    }
    for (uint64_t i = n & ~UINT64_C(7); i < n; i++) {
        fresh |= now[i] & (uint8_t)~all[i];
        all[i] |= now[i];
    }
    memset(now, 0, n);
    return fresh != 0;
}

static uint64_t count_steps(const hd_machine *m) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->threads.n; i++) {
        const hd_thread *t = &m->thread[i];
        if (t->is_used)
            n += t->looping_left ? m->options.max_steps : m->execution.fuel - t->fuel;
    }
    return n;
}

static void hash_trace(hd_outcome *o, uint64_t events) {
    uint64_t h = hd_hash_add(events, o->steps);
    h = hd_hash_add(h, (uint64_t)o->end << 32 | (uint32_t)o->status);
    h = hd_hash_add(h, o->finding.kind);
    o->trace_hash = hd_hash_add(h, o->finding.line);
}

static void finish(hd_machine *m) {
    hd_steps_finish(m);
    hd_approximate_pending(m, 0, NULL);
    hd_threads_finish(m);
    hd_outcome *o = m->call.outcome;
    o->steps = count_steps(m);
    o->n_inputs = (uint32_t)m->input.used.n;
    for (size_t i = 0; i < m->input.used.n; i++)
        HD_INVARIANT(M2, hd_model_has(m->call.model, m->input.used.at[i]));
    hash_trace(o, m->execution.hash);
}

/* Memory, if the execution before has left that. */
static void reset(hd_machine *m, const hd_checkpoint *checkpoint) {
    if (m->region.needs_reset)
        hd_checkpoint_reset_memory(m, checkpoint);
    m->region.needs_reset = false;
}

/* Whatever the execution before has left, what an execution begins with is the same. */
static void spoil_parts(hd_machine *m) {
    uint8_t pattern = (uint8_t)(m->known_inputs.run * 37 + 1);
    hd_snapshot begun = {0};
    hd_parts_scribble(m, (uint8_t)~pattern);
    hd_parts_begin(m);
    hd_parts_copy(m, &begun);
    hd_parts_scribble(m, pattern);
    hd_parts_begin(m);
    const char *different = hd_parts_compare(m, &begun);
    if (different)
        HD_BUG("invariant P3 of parts.h is broken: '%s' begins with what was left", different);
    hd_vec_release(&begun);
    hd_parts_scribble(m, pattern);
}

void hd_run_here(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    HD_ASSERT(!m->call.is_running && model && outcome);
    m->call.model = model;
    m->call.sink = sink;
    m->call.outcome = outcome;
    hd_now = m;
    const hd_checkpoint *checkpoint = hd_checkpoint_find(m);
    reset(m, checkpoint);
    if (HD_HOSTILE(false, true))
        spoil_parts(m);
    hd_parts_begin(m);
    HD_ASSERT(!m->region.needs_reset);
    m->call.is_running = true;
    if (checkpoint)
        hd_checkpoint_restore(m, checkpoint);
    hd_recall_begin(m);
    if (checkpoint)
        hd_fiber_switch(&m->call.host_stack, m->thread[m->threads.current].saved);
    else
        hd_fiber_run(&m->call.host_stack, (void *)(m->running.stack_top - HD_STACK_ENTRY),
                     run_program, m);
    m->call.is_running = false;
    finish(m);
    hd_recall_end(m);
    hd_readers_end_lesson(m);
    hd_sections_end_lesson(m);
    hd_handled_end_lesson(m);
    hd_processes_finish(m);
}

static void take_back_alone(hd_machine *m) {
    HD_ASSERT(m->execution.reached.n <= m->told.labels_alone.n);
    for (size_t i = 0; i < m->execution.reached.n; i++)
        free(m->told.labels_alone.at[--m->told.labels_alone.n]);
}

/* The execution is run again, and will reach its labels again. */
static void take_back_labels(hd_machine *m) {
    if (m->call.is_alone) {
        take_back_alone(m);
        return;
    }
    for (size_t i = 0; i < m->execution.reached.n; i++) {
        hd_label *label = &m->told.labels.at[m->execution.reached.at[i]];
        HD_ASSERT(m->execution.reached.at[i] < m->told.labels.n && label->count > 0);
        label->count--;
    }
}

/* Of one node: then some execution of all nodes must show it. */
static bool has_new_label(const hd_machine *m) {
    return m->call.is_alone && m->execution.reached.n > 0;
}

/* Between two executions the machine has no sets but those of checkpoints, and of what it has
 * learned. */
static void collect_sets(hd_machine *m) {
    hd_checkpoints_forget(m);
    hd_sets_collect();
}

/* The outcome of an execution that was recalled. */
static void finish_recalled(hd_machine *m, const hd_recalled *r) {
    hd_outcome *o = m->call.outcome;
    begin_outcome(o);
    o->end = r->end;
    hd_vec_clear(&m->failing.failures);
    o->steps = r->steps;
    o->n_events = m->execution.n_events = r->n_events;
    o->n_node_events = o->n_cut_places = o->n_inputs = 0;
    hash_trace(o, r->hash);
}

static void run_in_place(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    hd_run_here(m, model, sink, outcome);
    if (outcome->end == HD_END_RETRY)
        take_back_labels(m);
    else
        outcome->covered_new = hd_coverage_merge(m, outcome->end) || has_new_label(m);
    m->region.needs_reset = true;
    if (!hd_checkpoint_defers_reset(m))
        reset(m, NULL);
}

/* The execution is run too: is it what was recalled? */
static void check_recalled(hd_machine *m, hd_model *model, const hd_sink *sink,
                           hd_outcome *outcome) {
    hd_outcome recalled = *outcome;
    run_in_place(m, model, sink, outcome);
    HD_INVARIANT(K7, outcome->trace_hash == recalled.trace_hash &&
                         outcome->n_events == recalled.n_events && outcome->end == recalled.end &&
                         outcome->steps == recalled.steps && !outcome->covered_new);
}

/* Without running it, if that can be. */
static bool recall(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    hd_recalled recalled;
    m->call.model = model;
    m->call.sink = sink;
    m->call.outcome = outcome;
    if (!hd_recall_run(m, &recalled)) {
        if (hd_recall_starts_anew(m))
            hd_checkpoints_forget(m);
        return false;
    }
    finish_recalled(m, &recalled);
    if (HD_HOSTILE(false, true))
        check_recalled(m, model, sink, outcome);
    return true;
}

void hd_machine_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    if (__builtin_expect(hd_sets_are_many(), 0))
        collect_sets(m);
    m->call.is_alone = sink->outside != NULL;
    if (m->image->n_counters)
        memset(m->image->counters, 0, m->image->n_counters * sizeof *m->image->counters);
    if (!m->isolation.forks || sink->outside) {
        if (!recall(m, model, sink, outcome))
            run_in_place(m, model, sink, outcome);
        return;
    }
    reset(m, NULL);
    hd_isolate_run(m, model, sink, outcome);
    if (outcome->end == HD_END_RETRY)
        take_back_labels(m);
}

/* ---- ends ---- */

void hd_finding_fill(hd_machine *m, hd_finding_kind kind, uint32_t site) {
    HD_ASSERT(kind < HD_N_FINDING_KINDS);
    hd_finding *f = &m->call.outcome->finding;
    m->call.outcome->end = HD_END_FINDING;
    f->kind = kind;
    f->n_stack = 0;
    f->file[0] = f->function[0] = f->message[0] = '\0';
    f->line = 0;
    if (site == 0 || site >= m->image->n_sites)
        return;
    const hd_site *s = &m->image->sites[site];
    if (!s->file || !s->line || hd_finding_is_model(s->file))
        return; /* the stack says where */
    snprintf(f->file, sizeof f->file, "%s", s->file);
    snprintf(f->function, sizeof f->function, "%s", s->function ? s->function : "");
    f->line = s->line;
}

void hd_end_filled(hd_machine *m) {
    hd_thread_fail(m);
}

void hd_note_filled(hd_machine *m) {
    hd_failure_note(m);
}

static void fill(hd_machine *m, hd_finding_kind kind, uint32_t site, const char *format,
                 va_list arguments) {
    hd_finding_fill(m, kind, site);
    vsnprintf(m->call.outcome->finding.message, sizeof m->call.outcome->finding.message, format,
              arguments);
    hd_stack_walk(m, &m->call.outcome->finding, __builtin_frame_address(0));
}

void hd_note_finding(hd_machine *m, hd_finding_kind kind, uint32_t site, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(m, kind, site, format, arguments);
    va_end(arguments);
    hd_note_filled(m);
}

/* A call that ends here does not come back to say what it lost: its place is this one. */
static void lose_pending(hd_machine *m, uint32_t site) {
    if (m->calls.n_pending)
        hd_approximate_pending(m, site ? site : hd_caller_site(m, __builtin_frame_address(0)),
                               NULL);
}

void hd_end_finding(hd_machine *m, hd_finding_kind kind, uint32_t site, const char *format, ...) {
    va_list arguments;
    lose_pending(m, site);
    va_start(arguments, format);
    fill(m, kind, site, format, arguments);
    va_end(arguments);
    hd_end_filled(m);
}

void hd_end_stack_overflow(hd_machine *m) {
    hd_end_finding(m, HD_FINDING_STACK_OVERFLOW, 0, "the stack of %lu bytes is exhausted",
                   m->running.stack_top - m->running.stack_bottom);
}

void hd_end_rejected(hd_machine *m) {
    m->call.outcome->end = HD_END_REJECTED;
    hd_thread_fail(m);
}

static void check_thread_leaks(hd_machine *m) {
    for (uint32_t i = 1; i < m->threads.n; i++) {
        const hd_thread *t = &m->thread[i];
        if (t->is_used && t->has_ended && !t->is_joined && !t->is_detached)
            hd_note_finding(m, HD_FINDING_THREAD_LEAK, 0,
                            "thread %u has ended and was neither joined nor detached", i);
    }
}

/* The status of the program and that of a node is for the user, that of other processes for those
 * who wait for them. */
static void report_status(hd_machine *m, int status) {
    const char *node = hd_process_at(m, hd_process_current(m))->name;
    if (!status || (!node && hd_process_current(m) != 0))
        return;
    if (!m->options.fail_on_exit)
        hd_orphans_at_status(m, status);
    else if (node)
        hd_note_finding(m, HD_FINDING_EXIT_STATUS, 0, "node '%s' ended with status %d", node,
                        status);
    else
        hd_note_finding(m, HD_FINDING_EXIT_STATUS, 0, "the program ended with status %d", status);
}

void hd_end_exit(hd_machine *m, int status) {
    if (m->may.signal)
        hd_signals_before_end(m);
    hd_globals_show(m);
    hd_threads_stop_others(m);
    m->call.outcome->end = HD_END_EXIT;
    if (hd_process_current(m) == 0)
        m->call.outcome->status = status & 255;
    if (m->options.check_thread_leaks)
        check_thread_leaks(m);
    if (m->options.check_leaks)
        hd_leaks_check(
            m, m->process.has_returned ? 0 : hd_program_boundary(m, __builtin_frame_address(0)));
    report_status(m, status & 255);
    if (m->system.is_concurrent)
        hd_process_exit(m, status);
    hd_globals_check(m);
    hd_threads_leave(m);
}

/* Is there a handler left?  Other threads may add some. */
static bool has_handler(hd_machine *m) {
    hd_library_state(m, HD_TOKEN_AT_EXIT, true);
    return m->process.at_exit.n != 0;
}

/* An exit within a handler goes on with the handlers that are left. */
static void run_handlers(hd_machine *m) {
    while (has_handler(m)) {
        hd_handler handler = m->process.at_exit.at[--m->process.at_exit.n];
        handler();
    }
    if (!m->process.is_exiting) {
        m->process.is_exiting = true;
        for (void (*const *f)(void) = m->image->destructors; f && *f; f++)
            (*f)();
    }
}

/* Handlers run beside the other threads, unless all of them have ended. */
void hd_exit_program(hd_machine *m, int status) {
    if (m->may.handle_end && !m->thread[m->threads.current].has_ended)
        hd_threads_begin_end(m);
    else
        hd_threads_stop_others(m);
    if (m->may.handle_end)
        run_handlers(m);
    hd_threads_stop_others(m);
    hd_streams_end(m);
    hd_end_exit(m, status);
}

/* ---- what the machine knows afterwards ---- */

bool hd_machine_forks(const hd_machine *m) {
    return m->isolation.forks;
}

const char *hd_machine_fork_reason(const hd_machine *m) {
    return m->isolation.reason;
}

const hd_var *hd_machine_inputs(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->input.used.n;
    return m->input.used.at;
}

const hd_approximation *hd_machine_approximations(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->told.approximations.n;
    return m->told.approximations.at;
}

const hd_label *hd_machine_labels(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->told.labels.n;
    return m->told.labels.at;
}

const uint8_t *hd_machine_coverage(const hd_machine *m, uint32_t *n_branches) {
    *n_branches = (uint32_t)m->image->n_branches;
    return m->told.coverage;
}

const uint8_t *hd_machine_vectors(const hd_machine *m, uint64_t *n) {
    *n = m->image->n_vectors;
    return m->told.coverage + HD_FIRST_VECTOR(m->image);
}

const uint64_t *hd_machine_counters(const hd_machine *m, uint64_t *n) {
    *n = m->image->n_counters;
    return m->image->counters;
}

void hd_machine_set_coverage(hd_machine *m, const uint8_t *coverage) {
    memcpy(m->told.coverage, coverage, 2 * m->image->n_branches);
}

static uint32_t label_number(hd_machine *m, const char *name) {
    for (uint32_t i = 0; i < m->told.labels.n; i++)
        if (strcmp(m->told.labels.at[i].name, name) == 0)
            return i;
    char *copy = strdup(name);
    if (!copy)
        hd_out_of_memory();
    hd_vec_push(&m->told.labels, ((hd_label){copy, 0}));
    return (uint32_t)m->told.labels.n - 1;
}

/* Labels of one node count as covered: executions with all nodes count. */
static void reach_alone(hd_machine *m, const char *name) {
    for (size_t i = 0; i < m->told.labels_alone.n; i++)
        if (strcmp(m->told.labels_alone.at[i], name) == 0)
            return;
    char *copy = strdup(name);
    if (!copy)
        hd_out_of_memory();
    hd_vec_push(&m->execution.reached, (uint32_t)m->told.labels_alone.n);
    hd_vec_push(&m->told.labels_alone, copy);
}

void hd_label_reach(hd_machine *m, const char *name) {
    if (m->call.is_alone) {
        reach_alone(m, name);
        return;
    }
    uint32_t number = label_number(m, name);
    for (size_t i = 0; i < m->execution.reached.n; i++)
        if (m->execution.reached.at[i] == number)
            return;
    HD_ASSERT(number < m->told.labels.n);
    hd_vec_push(&m->execution.reached, number);
    m->told.labels.at[number].count++;
}
