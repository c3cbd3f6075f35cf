/* One stored test again, in this process: no supervisor, no explorer, the program's output on
 * the terminal, and a debugger may be attached. */
#include "fleet/fleet_int.h"

#include "machine/symbolize.h"

static void ignore_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                          hd_branch_kind kind) {
    (void)context, (void)site, (void)condition, (void)taken, (void)kind;
}

static void describe(const hd_module *module, hd_finding *finding, hd_text *stack) {
    hd_symbolizer *s = hd_symbolizer_new(module->directory);
    hd_symbolizer_stack(s, finding, stack);
    hd_symbolizer_free(s);
}

static bool run_loaded(hd_module *module, const hd_test *test, const hd_machine_options *options,
                       hd_outcome *outcome, hd_err *err) {
    hd_graph *graph = hd_graph_new(true);
    hd_variables *variables = hd_variables_new();
    hd_model model = {0};
    hd_sink sink = {.branch = ignore_branch};
    hd_machine *machine = hd_machine_new(module, graph, variables, options, err);
    bool ok = machine != NULL;
    if (ok && !hd_inputs_model(test, variables, &model))
        ok = hd_err_set(err, "cannot replay test %llu: its inputs are damaged",
                        (unsigned long long)test->number);
    if (ok)
        hd_machine_run(machine, &model, &sink, outcome);
    if (machine)
        hd_machine_free(machine);
    hd_model_release(&model);
    hd_variables_free(variables);
    hd_graph_free(graph);
    return ok;
}

bool hd_fleet_replay(hd_record *record, const hd_test *test, const hd_run_options *options,
                     hd_outcome *outcome, hd_text *stack, hd_err *err) {
    hd_module module;
    hd_machine_options machine = options->machine;
    machine.show_output = true;
    /* What took a worker down would take this process down. */
    if (test->finding == HD_FINDING_SIGNAL || test->finding == HD_FINDING_LOST_WORKER)
        machine.isolation = HD_ISOLATION_FORK;
    if (!hd_module_load(&module, hd_record_info(record)->module_directory, err))
        return false;
    bool ok = run_loaded(&module, test, &machine, outcome, err);
    if (ok && outcome->end == HD_END_FINDING)
        describe(&module, &outcome->finding, stack);
    hd_module_unload(&module);
    return ok;
}
