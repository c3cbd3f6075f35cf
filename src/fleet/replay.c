/* One stored test again, in this process: no supervisor, no explorer, the program's output on
 * the terminal, and a debugger may be attached.  Its inputs and its schedule are all there is to
 * it.  The process is confined for that, as workers are, and has closed the record: whatever is
 * wanted of it is read before. */
#include "fleet/fleet_int.h"

#include "program/symbolize.h"
#include "record/stored.h"
#include "tell/able.h"
#include "tell/rerun.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the test is for ---- */

static char *copy_text(const char *text) {
    return hd_text_format("%s", text ? text : "");
}

typedef struct wanted_test {
    uint64_t test;
    hd_replay *replay;
} wanted_test;

static bool keep_recorded(void *context, const hd_found *recorded) {
    const wanted_test *l = context;
    if (recorded->test != l->test)
        return true;
    hd_found kept = *recorded;
    kept.message = copy_text(recorded->message);
    kept.file = copy_text(recorded->file);
    kept.function = copy_text(recorded->function);
    kept.stack = copy_text(recorded->stack);
    kept.story = NULL; /* the whole execution is told */
    hd_vec_push(&l->replay->recorded, kept);
    return true;
}

static bool is_recorded(const hd_finding *f, const hd_replay *replay) {
    for (size_t i = 0; i < replay->recorded.n; i++) {
        const hd_found *r = &replay->recorded.at[i];
        if (f->kind == r->kind && f->line == r->line && strcmp(f->file, r->file) == 0 &&
            strcmp(f->message, r->message) == 0)
            return true;
    }
    return false;
}

/* The finding that the record says the test shows, among those of the execution. */
static uint32_t choose_shown(const hd_finding *findings, uint32_t n, const hd_replay *replay) {
    for (uint32_t i = 0; i < n; i++)
        if (is_recorded(&findings[i], replay))
            return i;
    return 0;
}

/* The outcome shows what the test is for; the rest of what goes wrong is listed. */
static void show_failures(hd_rerun *r, const hd_module *module, hd_replay *replay) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(r->machine, &n);
    hd_finding *placed = hd_allocate((size_t)n + 1, sizeof *placed);
    hd_text *stacks = hd_allocate((size_t)n + 1, sizeof *stacks);
    hd_symbolizer *s = hd_symbolizer_new(module->directory);
    for (uint32_t i = 0; i < n; i++) {
        placed[i] = failures[i].finding;
        hd_symbolizer_stack(s, &placed[i], &stacks[i]);
    }
    hd_symbolizer_free(s);
    HD_ASSERT(n > 0);
    uint32_t chosen = choose_shown(placed, n, replay);
    hd_outcome_show(&r->outcome, &failures[chosen]);
    r->outcome.finding = placed[chosen];
    replay->stack = stacks[chosen];
    for (uint32_t i = 0; i < n; i++) {
        if (i != chosen) {
            placed[replay->n_others++] = placed[i];
            hd_text_release(&stacks[i]);
        }
    }
    HD_ASSERT(replay->n_others == n - 1);
    replay->others = placed;
    free(stacks);
}

/* ---- running it ---- */

static bool is_damaged(const hd_test *test, const char *what, hd_err *err) {
    hd_err_set(err, "cannot replay test %llu: its %s are damaged", (unsigned long long)test->number,
               what);
    return hd_err_hint(err, "explore the program again with 'heddle run'");
}

static bool check_threads(hd_machine *machine, const hd_test *test, hd_err *err) {
    hd_schedule schedule = {0};
    bool can_be_read = hd_schedule_parse(test->schedule ? test->schedule : "", &schedule);
    hd_vec_release(&schedule);
    if (test->threads && test->threads[0])
        can_be_read = can_be_read && hd_machine_take_names(machine, test->threads);
    return can_be_read || is_damaged(test, "threads", err);
}

/* What decisions are told with. */
typedef struct rerun_names {
    const hd_graph *graph;
    const hd_variables *variables;
} rerun_names;

static void run_test(hd_machine *machine, const hd_module *module, const hd_test *test,
                     const hd_model *inputs, rerun_names names, hd_replay *replay) {
    hd_rerun r = hd_rerun_of(machine, inputs, test->schedule);
    r.graph = replay->is_traced ? names.graph : NULL;
    r.variables = names.variables;
    hd_events log;
    hd_events_init(&log);
    r.log = replay->is_traced ? &log : NULL;
    r.until = replay->until;
    hd_rerun_run(&r);
    bool is_cut = r.outcome.end == HD_END_STOPPED;
    replay->strayed = r.follow.strayed || (!is_cut && r.follow.next < r.follow.plan.n);
    if (r.outcome.end == HD_END_FINDING)
        show_failures(&r, module, replay);
    hd_rerun_tell(&r, module->image, &replay->story);
    if (replay->is_traced)
        hd_trace_make(&r, module->image, &replay->trace);
    replay->outcome = r.outcome;
    hd_rerun_release(&r);
    hd_events_release(&log);
}

/* `reached`: how often labels were before it. */
static void take_counts(const hd_machine *machine, const uint64_t *reached, size_t n_reached,
                        hd_replay *replay) {
    uint64_t n;
    uint32_t n_labels;
    const uint64_t *counters = hd_machine_counters(machine, &n);
    for (uint64_t i = 0; i < n; i++)
        hd_vec_push(&replay->counters, counters[i]);
    const uint8_t *vectors = hd_machine_vectors(machine, &n);
    for (uint64_t i = 0; i < n; i++)
        hd_vec_push(&replay->vectors, vectors[i]);
    const hd_label *labels = hd_machine_labels(machine, &n_labels);
    for (uint32_t i = 0; i < n_labels; i++)
        if (labels[i].count > (i < n_reached ? reached[i] : 0))
            hd_text_add(&replay->labels, "%s\n", labels[i].name);
}

static bool run_loaded(hd_module *module, const hd_test *test,
                       const hd_machine_options *options, hd_replay *replay, hd_err *err) {
    hd_graph *graph = hd_graph_new(true);
    hd_variables *variables = hd_variables_new();
    hd_model model = {0};
    hd_machine *machine = hd_machine_new(module, graph, variables, options, err);
    bool ok = machine && check_threads(machine, test, err);
    if (ok && !hd_inputs_model(test, variables, &model))
        ok = is_damaged(test, "inputs", err);
    ok = ok && hd_machine_confine(machine, false, err);
    if (ok) {
        run_test(machine, module, test, &model, (rerun_names){graph, variables}, replay);
        take_counts(machine, NULL, 0, replay);
    }
    if (machine)
        hd_machine_free(machine);
    hd_model_release(&model);
    hd_variables_free(variables);
    hd_graph_free(graph);
    return ok;
}

static bool takes_a_process_down(const hd_test *test) {
    return test->finding == HD_FINDING_SIGNAL || test->finding == HD_FINDING_LOST_WORKER;
}

bool hd_fleet_replay(hd_record *record, const hd_test *test, const hd_run_options *options,
                     hd_replay *replay, hd_err *err) {
    hd_module module;
    hd_machine_options machine = options->machine;
    machine.show_output = true;
    /* What took a worker down would take this process down. */
    if (takes_a_process_down(test))
        machine.isolation = HD_ISOLATION_FORK;
    wanted_test l = {test->number, replay};
    if (!hd_record_findings(record, keep_recorded, &l, err) ||
        !hd_module_load(&module,
                        options->module_directory ? options->module_directory
                                                  : hd_record_info(record)->module_directory,
                        err))
        return false;
    hd_record_rest(record);
    bool ok = run_loaded(&module, test, &machine, replay, err);
    hd_module_unload(&module);
    return ok;
}

/* ---- many of them ---- */

bool hd_test_is_tame(const hd_test *test) {
    return !hd_test_is_threaded(test) && !takes_a_process_down(test);
}

typedef struct replay_series {
    hd_machine *machine;
    hd_variables *variables;
    uint8_t *nothing;            /* covered, for the machine */
    hd_vec(uint64_t) reached;    /* labels, before this test */
} replay_series;

/* Counts of labels and coverage go on from test to test. */
static void forget_counts(replay_series *s) {
    uint32_t n;
    const hd_label *labels = hd_machine_labels(s->machine, &n);
    hd_vec_clear(&s->reached);
    for (uint32_t i = 0; i < n; i++)
        hd_vec_push(&s->reached, labels[i].count);
    hd_machine_set_coverage(s->machine, s->nothing);
}

/* Of several failures the one that the test is for. */
static void choose_failure(const hd_machine *machine, const hd_test *test, hd_outcome *outcome) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(machine, &n);
    for (uint32_t i = 0; i < n; i++)
        if (failures[i].finding.kind == test->finding) {
            hd_outcome_show(outcome, &failures[i]);
            return;
        }
}

static bool run_tame(replay_series *s, const hd_test *test, hd_replay *replay) {
    hd_model model = {0};
    if (!hd_inputs_model(test, s->variables, &model)) {
        hd_model_release(&model);
        return false;
    }
    forget_counts(s);
    hd_rerun r = hd_rerun_of(s->machine, &model, test->schedule);
    hd_rerun_run(&r);
    replay->outcome = r.outcome;
    if (r.outcome.end == HD_END_FINDING)
        choose_failure(s->machine, test, &replay->outcome);
    take_counts(s->machine, s->reached.at, s->reached.n, replay);
    hd_rerun_release(&r);
    hd_model_release(&model);
    return true;
}

/* A machine for one test after the other; the process is confined from then on, and ends with it. */
static bool begin_series(replay_series *s, hd_module *module, const hd_run_options *options,
                         hd_err *err) {
    *s = (replay_series){.variables = hd_variables_new()};
    if (!hd_module_load(module, options->module_directory, err))
        return false;
    s->nothing = hd_allocate(2 * (size_t)module->image->n_branches + 1, 1);
    s->machine =
        hd_machine_new(module, hd_graph_new(true), s->variables, &options->machine, err);
    return s->machine && hd_machine_confine(s->machine, false, err);
}

bool hd_fleet_replay_series(const hd_test *const *tests, size_t n, const hd_run_options *options,
                            void (*each)(void *context, size_t index, const hd_replay *replay),
                            void *context, hd_err *err) {
    hd_module module;
    replay_series s;
    bool ok = begin_series(&s, &module, options, err);
    for (size_t i = 0; ok && i < n; i++) {
        hd_replay replay = {0};
        HD_ASSERT(hd_test_is_tame(tests[i]));
        if (run_tame(&s, tests[i], &replay))
            each(context, i, &replay);
        hd_replay_release(&replay);
    }
    return ok;
}

/* Threads are numbered as they were when the test was recorded, or it is not run. */
static bool run_able(replay_series *s, const hd_test *test, hd_text *able) {
    hd_model model = {0};
    hd_machine_forget_facts(s->machine);
    bool ok = !takes_a_process_down(test) &&
              hd_machine_take_names(s->machine, test->threads ? test->threads : "") &&
              hd_inputs_model(test, s->variables, &model) &&
              hd_able_run(s->machine, &model, test->schedule ? test->schedule : "", able);
    hd_model_release(&model);
    return ok;
}

bool hd_fleet_replay_able(const hd_test *const *tests, size_t n, const hd_run_options *options,
                          void (*each)(void *context, size_t index, const char *able),
                          void *context, hd_err *err) {
    hd_module module;
    replay_series s;
    bool ok = begin_series(&s, &module, options, err);
    for (size_t i = 0; ok && i < n; i++) {
        hd_text able = {0};
        each(context, i, run_able(&s, tests[i], &able) ? hd_text_string(&able) : NULL);
        hd_text_release(&able);
    }
    return ok;
}

void hd_replay_release(hd_replay *replay) {
    for (size_t i = 0; i < replay->recorded.n; i++) {
        hd_found *f = &replay->recorded.at[i];
        free(f->message);
        free(f->file);
        free(f->function);
        free(f->stack);
    }
    hd_vec_release(&replay->recorded);
    hd_text_release(&replay->stack);
    hd_text_release(&replay->story);
    hd_trace_release(&replay->trace);
    free(replay->others);
    hd_vec_release(&replay->counters);
    hd_vec_release(&replay->vectors);
    hd_text_release(&replay->labels);
}
