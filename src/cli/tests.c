/* heddle tests -- the tests that a run kept: inputs, and how each ends. */
#include "cli/listing.h"
#include "report/report.h"

#include <inttypes.h>

#define INPUTS_IN_LIST 60

static void show_end(const hd_test *t) {
    if (t->end == HD_END_FINDING)
        hd_print(stdout, "%-16s", hd_finding_kind_name(t->finding));
    else if (t->end == HD_END_REJECTED)
        hd_print(stdout, "%-16s", "rejected");
    else
        hd_print(stdout, "exit %-11d", t->status);
}

static bool list_test(void *context, const hd_test *t) {
    (void)context;
    hd_text inputs = {0}, faults = {0};
    hd_inputs_print(t, INPUTS_IN_LIST, &inputs);
    hd_test_faults(t, &faults);
    hd_print(stdout, "%6" PRIu64 "  ", t->number);
    show_end(t);
    hd_print(stdout, "  %s%s%s\n", faults.n ? hd_text_string(&faults) : "",
             faults.n && inputs.n ? "; " : "",
             inputs.n    ? hd_text_string(&inputs)
             : !faults.n ? "no inputs"
                         : "");
    hd_text_release(&inputs);
    hd_text_release(&faults);
    return true;
}

static bool list_json(void *context, const hd_test *t) {
    hd_json_list_test(context, t);
    return true;
}

static void show_test(const hd_test *t, const char *directory) {
    static const char *const reasons[] = {"a path of its own", "new coverage", "a finding"};
    hd_print(stdout, "test %" PRIu64 ", kept for %s, ends with ", t->number, reasons[t->reason]);
    if (t->end == HD_END_FINDING)
        hd_print(stdout, "%s\n", hd_finding_kind_words(t->finding));
    else
        hd_print(stdout, "%s %d\n",
                 t->end == HD_END_EXIT ? "exit status" : "a rejected assumption, status",
                 t->status);
    hd_text faults = {0};
    hd_test_faults(t, &faults);
    if (faults.n)
        hd_print(stdout, "  faults: %s\n", hd_text_string(&faults));
    hd_text_release(&faults);
    for (uint32_t i = 0; i < t->n_inputs; i++) {
        hd_text value = {0};
        if (hd_fault_is_name(t->inputs[i].name))
            continue;
        hd_input_print(t, i, &value);
        hd_print(stdout, "  %s = %s\n", t->inputs[i].name, hd_text_string(&value));
        hd_text_release(&value);
    }
    if (hd_test_is_threaded(t))
        hd_print(stdout, "schedule: %s\nthreads: %s\n", t->schedule, t->threads ? t->threads : "");
    hd_print(stdout, "input map: %s\npath: %s\ntrace hash: %016" PRIx64 "\n", t->map ? t->map : "",
             t->path ? t->path : "", t->trace_hash);
    hd_print(stdout, "replay: heddle replay %s %" PRIu64 "\n", directory, t->number);
}

static bool show_one(hd_record_listing *l, hd_err *err) {
    hd_test test = {0};
    if (!hd_record_test(l->record, l->number, &test, err))
        return false;
    if (l->json) {
        hd_json_list list = hd_json_list_begin(stdout, "tests");
        hd_json_list_test(&list, &test);
        hd_json_list_end(&list);
    } else {
        show_test(&test, l->directory);
    }
    hd_test_release(&test);
    return true;
}

static bool show_all(hd_record_listing *l, hd_err *err) {
    if (!l->json)
        return hd_record_tests(l->record, list_test, NULL, err);
    hd_json_list list = hd_json_list_begin(stdout, "tests");
    bool listed = hd_record_tests(l->record, list_json, &list, err);
    hd_json_list_end(&list);
    return listed;
}

static int run(int argc, char **argv) {
    hd_record_listing l = {0};
    hd_err err;
    bool shown = hd_record_listing_open(&l, "test", argc, argv, &err) &&
                 (l.number ? show_one(&l, &err) : show_all(&l, &err));
    hd_record_listing_close(&l);
    return shown ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_tests = {
    "tests",
    "list the tests of a run, or show one",
    "tests DIR [N] [--json]",
    "Lists the tests that a run kept, with how each ends and its inputs; with N, shows all\n"
    "inputs of test N.",
    &hd_listing_options,
    run,
};
