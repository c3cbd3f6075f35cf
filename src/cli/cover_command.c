/* heddle cover -- what the tests of a run cover, by clang's counters and llvm-cov's numbers. */
#include "cli/cli.h"
#include "cli/counted_module.h"
#include "cover/llvm_tools.h"
#include "report/coverage_text.h"

#include <stdio.h>

typedef struct cover_values {
    bool source, json;
    const char *lcov;
} cover_values;

static const hd_option options[] = {
    {"source", 0, HD_OPTION_FLAG, offsetof(cover_values, source), NULL,
     "show the sources with counts, branches and conditions", NULL, false},
    {"lcov", 0, HD_OPTION_TEXT, offsetof(cover_values, lcov), "FILE",
     "write them in the format of lcov", NULL, false},
    {"json", 0, HD_OPTION_FLAG, offsetof(cover_values, json), NULL,
     "print one JSON object on standard output", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static bool take_words(const hd_arguments *a, uint64_t *number, hd_err *err) {
    if (a->files.n == 0 || a->files.n > 2) {
        hd_err_set(err, "%s", a->files.n ? "too many arguments" : "no run directory given");
        return hd_err_hint(err,
                           "write 'heddle cover DIR [N]', for example 'heddle cover heddle-out'");
    }
    return a->files.n < 2 || hd_parse_number(a->files.at[1], "test number", number, err);
}

static bool show(const cover_values *v, const hd_measure *m, const hd_profile *p, hd_err *err) {
    hd_cover_report report;
    if (!hd_cover_report_read(&report, p, err))
        return false;
    if (v->json)
        hd_json_coverage(stdout, m, &report);
    else
        hd_coverage_show(stdout, m, &report);
    hd_cover_report_release(&report);
    return (!v->lcov || hd_cover_write_lcov(p, v->lcov, err)) &&
           (!v->source || hd_cover_show_source(p, err));
}

static bool cover(const cover_values *v, const hd_arguments *a, hd_err *err) {
    hd_counted_runs runs = {0};
    hd_measure m;
    hd_profile p;
    uint64_t number = 0;
    if (!take_words(a, &number, err))
        return false;
    bool ok =
        hd_counted_open(&runs, a->files.at, 1, err) && hd_counted_measure(&runs, number, &m, err);
    if (ok) {
        ok = hd_profile_init(&p, &m, err) && show(v, &m, &p, err);
        hd_profile_release(&p);
        hd_measure_release(&m);
    }
    hd_counted_release(&runs);
    return ok;
}

static int run(int argc, char **argv) {
    cover_values values = {0};
    hd_arguments a = {0};
    hd_err err = {0};
    bool ok = hd_options_parse(&table, argc, argv, &values, &a, &err) && cover(&values, &a, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_cover = {
    "cover",
    "say what the tests of a run cover: lines, branches, MC/DC",
    "cover DIR [N] [--source] [--lcov FILE] [--json]",
    "Compiles the program of the run in DIR with clang's coverage, runs its tests again (or only "
    "test\n"
    "N), each with its inputs, its order of threads and messages and its faults, and prints the "
    "numbers\n"
    "of llvm-cov for each file and function.  A test that ends otherwise than recorded is counted, "
    "and\n"
    "said.  llvm-cov and llvm-profdata are Debian's package llvm-19.",
    &table,
    run,
};
