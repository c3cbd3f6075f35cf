/* heddle report -- a run as one page of HTML. */
#include "cli/cli.h"
#include "cli/report_page.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct report_values {
    const char *output;
    hd_page_wishes wishes;
} report_values;

#define AT(field) offsetof(report_values, field)
static const hd_option options[] = {
    {"output", 'o', HD_OPTION_TEXT, AT(output), "FILE", "the page (default: DIR/report.html)", NULL,
     false},
    {"replay-time", 0, HD_OPTION_SECONDS, AT(wishes.replay_time), "T",
     "for running tests of findings again; 0: none is (default 3s)", NULL, false},
    {"cover", 0, HD_OPTION_FLAG, AT(wishes.covers), NULL,
     "with coverage over the source: compiles the program, runs all tests again", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static bool write_file(const char *path, const hd_text *page, hd_err *err) {
    char *aside = hd_text_format("%s.%d", path, (int)getpid());
    FILE *out = fopen(aside, "wb");
    bool ok = out && fwrite(page->at, 1, page->n, out) == page->n;
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok || rename(aside, path) != 0) {
        ok = false;
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
        hd_err_hint(err, "name a file that can be written with '-o FILE'");
        if (out)
            unlink(aside);
    }
    free(aside);
    return ok;
}

static bool make_page(hd_record *record, const hd_report *report, const report_values *v,
                      hd_err *err) {
    hd_text html = {0};
    char *path = v->output ? hd_text_format("%s", v->output)
                           : hd_text_format("%s/report.html", report->directory);
    bool ok = hd_report_page(record, report, &v->wishes, &html, err) &&
              write_file(path, &html, err);
    if (ok)
        hd_print(stdout, "report: %s\n", path);
    hd_text_release(&html);
    free(path);
    return ok;
}

static bool report_run(const char *directory, const report_values *v, hd_err *err) {
    hd_report report = {.version = HD_VERSION, .directory = directory};
    hd_record *record = hd_record_open(directory, false, err);
    bool ok = record && hd_report_read(&report, record, err) && make_page(record, &report, v, err);
    hd_report_release(&report);
    hd_record_close(record);
    return ok;
}

static int run(int argc, char **argv) {
    report_values v = {.wishes.replay_time = HD_REPLAY_SECONDS};
    hd_arguments a = {0};
    hd_err err;
    bool ok = hd_options_parse(&table, argc, argv, &v, &a, &err);
    if (ok && a.files.n != 1) {
        ok = hd_err_set(&err, "%s", a.files.n ? "too many arguments" : "no run directory given");
        hd_err_hint(&err, "write 'heddle report DIR', for example 'heddle report heddle-out'");
    }
    ok = ok && report_run(a.files.at[0], &v, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_report = {
    "report",
    "write a run as one page of HTML",
    "report DIR [-o FILE] [--cover] [--replay-time T]",
    "Writes what a run found as one page that opens in a browser and needs nothing else: the\n"
    "verdict, findings with their source lines and inputs, interleavings and messages step by "
    "step,\n"
    "tests and the tree of their decisions, speed, units and growth.  Source lines are those that\n"
    "were compiled.  For interleavings the tests of findings are run again, confined as ever.\n"
    "With --cover the page has what all tests cover: lines, branches, and a table of vectors for each\n"
    "decision (MC/DC), as 'heddle cover' and 'heddle obligations' say it.",
    &table,
    run,
};
