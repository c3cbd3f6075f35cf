/* One stored test again, in this process: no supervisor, no explorer, the program's output on
 * the terminal, and a debugger may be attached.  Its inputs and its schedule are all there is to
 * it. */
#include "fleet/fleet_int.h"

#include "program/symbolize.h"
#include "record/stored.h"
#include "tell/rerun.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the test is for ---- */

/* The finding that the record says the test shows, among those of the execution. */
typedef struct choice {
    uint64_t test;
    const hd_finding *findings;
    uint32_t n, chosen;
} choice;

static bool is_recorded(const hd_finding *f, const hd_found *recorded) {
    return f->kind == recorded->kind && f->line == recorded->line &&
           strcmp(f->file, recorded->file ? recorded->file : "") == 0 &&
           strcmp(f->message, recorded->message ? recorded->message : "") == 0;
}

static bool look_for_recorded(void *context, const hd_found *recorded) {
    choice *c = context;
    for (uint32_t i = 0; i < c->n && recorded->test == c->test; i++)
        if (is_recorded(&c->findings[i], recorded)) {
            c->chosen = i;
            return false;
        }
    return true;
}

/* The outcome shows what the test is for; the rest of what goes wrong is listed. */
static void show_failures(hd_rerun *r, hd_record *record, const hd_test *test,
                          const hd_module *module, hd_replay *replay) {
    uint32_t n;
    hd_err ignored;
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
    choice c = {.test = test->number, .findings = placed, .n = n};
    hd_record_findings(record, look_for_recorded, &c, &ignored);
    HD_ASSERT(c.chosen < n);
    hd_outcome_show(&r->outcome, &failures[c.chosen]);
    r->outcome.finding = placed[c.chosen];
    replay->stack = stacks[c.chosen];
    for (uint32_t i = 0; i < n; i++) {
        if (i != c.chosen) {
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

static void run_test(hd_machine *machine, hd_record *record, const hd_module *module,
                     const hd_test *test, const hd_model *inputs, hd_replay *replay) {
    hd_rerun r = hd_rerun_of(machine, inputs, test->schedule);
    hd_record_rest(record);
    hd_rerun_run(&r);
    replay->strayed = r.follow.strayed || r.follow.next < r.follow.plan.n;
    if (r.outcome.end == HD_END_FINDING)
        show_failures(&r, record, test, module, replay);
    hd_record_rest(record);
    hd_rerun_tell(&r, module->image, &replay->story);
    replay->outcome = r.outcome;
    hd_rerun_release(&r);
}

static bool run_loaded(hd_record *record, hd_module *module, const hd_test *test,
                       const hd_machine_options *options, hd_replay *replay, hd_err *err) {
    hd_graph *graph = hd_graph_new(true);
    hd_variables *variables = hd_variables_new();
    hd_model model = {0};
    hd_machine *machine = hd_machine_new(module, graph, variables, options, err);
    bool ok = machine && check_threads(machine, test, err);
    if (ok && !hd_inputs_model(test, variables, &model))
        ok = is_damaged(test, "inputs", err);
    if (ok)
        run_test(machine, record, module, test, &model, replay);
    if (machine)
        hd_machine_free(machine);
    hd_model_release(&model);
    hd_variables_free(variables);
    hd_graph_free(graph);
    return ok;
}

bool hd_fleet_replay(hd_record *record, const hd_test *test, const hd_run_options *options,
                     hd_replay *replay, hd_err *err) {
    hd_module module;
    hd_machine_options machine = options->machine;
    machine.show_output = true;
    /* What took a worker down would take this process down. */
    if (test->finding == HD_FINDING_SIGNAL || test->finding == HD_FINDING_LOST_WORKER)
        machine.isolation = HD_ISOLATION_FORK;
    if (!hd_module_load(&module, hd_record_info(record)->module_directory, err))
        return false;
    bool ok = run_loaded(record, &module, test, &machine, replay, err);
    hd_module_unload(&module);
    return ok;
}

void hd_replay_release(hd_replay *replay) {
    hd_text_release(&replay->stack);
    hd_text_release(&replay->story);
    free(replay->others);
}
