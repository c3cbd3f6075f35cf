/* heddle obligations -- what there is to cover, and which tests of a run do. */
#include "cli/cli.h"
#include "cli/counted_module.h"
#include "report/coverage_text.h"

#include <stdio.h>
#include <string.h>

typedef struct obligation_values {
    bool open, json;
} obligation_values;

static const hd_option options[] = {
    {"open", 0, HD_OPTION_FLAG, offsetof(obligation_values, open), NULL,
     "list only those that no test covers", NULL, false},
    {"json", 0, HD_OPTION_FLAG, offsetof(obligation_values, json), NULL,
     "print one JSON object on standard output", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static bool list(const obligation_values *v, const hd_arguments *a, hd_err *err) {
    hd_counted_runs runs = {0};
    hd_measure m;
    if (a->files.n != 1) {
        hd_err_set(err, "%s", a->files.n ? "too many arguments" : "no run directory given");
        return hd_err_hint(
            err, "write 'heddle obligations DIR', for example 'heddle obligations heddle-out'");
    }
    bool ok = hd_counted_open(&runs, a->files.at, 1, err) && hd_counted_measure(&runs, 0, &m, err);
    if (ok) {
        if (v->json)
            hd_json_obligations(stdout, &m);
        else
            hd_obligations_show(stdout, &m, v->open);
        hd_measure_release(&m);
    }
    hd_counted_release(&runs);
    return ok;
}

static int run(int argc, char **argv) {
    obligation_values values = {0};
    hd_arguments a = {0};
    hd_err err = {0};
    bool ok = hd_options_parse(&table, argc, argv, &values, &a, &err) && list(&values, &a, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_obligations = {
    "obligations",
    "list what there is to cover, and which tests do",
    "obligations DIR [--open] [--json]",
    "Lists sides of branches, conditions of decisions (MC/DC: two executions in which this "
    "condition alone\n"
    "differs, and the decision with it), labels of heddle_reach and heddle_cover, and findings of "
    "the run\n"
    "in DIR: covered, with the first tests that do; open; or unreachable, if the search was "
    "complete and\n"
    "no execution meets it: known of labels, and of conditions with 'heddle run --mcdc'.",
    &table,
    run,
};
