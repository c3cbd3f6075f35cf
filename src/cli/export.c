/* heddle export -- tests of a run as files of their own. */
#include "cli/cli.h"
#include "record/record.h"
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One format each: what writes a test, and how its files end. */
static const struct {
    bool (*write)(hd_record *r, const hd_test *test, const char *path, hd_err *err);
    const char *suffix;
    bool has_orders;
} formats[] = {
#define X(name, words, has_orders) {hd_export_##name, #name, has_orders},
    HD_EXPORT_FORMATS(X)
#undef X
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

typedef struct export_values {
    struct {
#define X(name, words, has_orders) bool name;
        HD_EXPORT_FORMATS(X)
#undef X
    } wanted;
    const char *output;
} export_values;
_Static_assert(sizeof((export_values *)0)->wanted == N_FORMATS, "a flag for each format");

static const hd_option options[] = {
#define X(name, words, has_orders)                                                                 \
    {#name, 0, HD_OPTION_FLAG, offsetof(export_values, wanted.name), NULL, words, NULL, false},
    HD_EXPORT_FORMATS(X)
#undef X
        {"output", 'o', HD_OPTION_TEXT, offsetof(export_values, output), "OUT",
         "directory for the files, made if it is missing", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

typedef struct test_writer {
    hd_record *record;
    const char *output;
    size_t format;
    uint64_t n, n_threaded; /* written, and left out because of their schedules */
    bool failed;
    hd_err *err;
} test_writer;

static bool write_test(void *context, const hd_test *test) {
    test_writer *w = context;
    char *path = hd_text_format("%s/test_%04" PRIu64 ".%s", w->output, test->number,
                                formats[w->format].suffix);
    w->failed = !formats[w->format].write(w->record, test, path, w->err);
    w->n += !w->failed;
    free(path);
    return !w->failed;
}

static bool write_if_plain(void *context, const hd_test *test) {
    test_writer *w = context;
    if (formats[w->format].has_orders || !hd_test_is_threaded(test))
        return write_test(w, test);
    w->n_threaded++;
    return true;
}

static bool write_one(test_writer *w, uint64_t number, hd_err *err) {
    hd_test test = {0};
    bool written = hd_record_test(w->record, number, &test, err) && write_test(w, &test);
    hd_test_release(&test);
    return written;
}

static bool make_directory(const char *path, hd_err *err) {
    struct stat status;
    if (stat(path, &status) == 0 ? S_ISDIR(status.st_mode) : mkdir(path, 0777) == 0)
        return true;
    hd_err_set(err, "cannot write tests to '%s': %s", path, strerror(errno ? errno : ENOTDIR));
    return hd_err_hint(err, "name a directory that can be made or written with '-o OUT'");
}

/* The first format that is wanted; N_FORMATS if none is. */
static size_t format_of(const export_values *v) {
    bool wanted[N_FORMATS];
    memcpy(wanted, &v->wanted, sizeof wanted);
    size_t i = 0;
    while (i < N_FORMATS && !wanted[i])
        i++;
    return i;
}

static bool take_words(const export_values *v, const hd_arguments *a, uint64_t *number,
                       hd_err *err) {
    bool has_format = format_of(v) < N_FORMATS;
    if (a->files.n == 0 || a->files.n > 2 || !has_format || !v->output) {
        hd_err_set(err, "%s",
                   a->files.n == 0  ? "no run directory given"
                   : a->files.n > 2 ? "too many arguments"
                   : !has_format    ? "no export format given"
                                    : "no output directory given");
        return hd_err_hint(
            err, "write 'heddle export --c DIR [N] -o OUT', or '--test' instead of '--c'");
    }
    return a->files.n < 2 || hd_parse_number(a->files.at[1], "test number", number, err);
}

/* A plain program is one process: it cannot be several nodes with a network between them. */
static bool is_one_program(hd_record *record, const char *directory, hd_err *err) {
    hd_kept_options kept = {0};
    bool ok = hd_kept_read(&kept, hd_record_info(record)->options, err);
    size_t n = kept.nodes.n;
    hd_kept_release(&kept);
    if (!ok || n <= 1)
        return ok;
    hd_err_set(err,
               "the tests of '%s' cannot be exported as C: they are of a scenario with %zu nodes",
               directory, n);
    return hd_err_hint(
        err, "'heddle export --test %s N -o OUT' writes them for 'heddle run --test'", directory);
}

static bool export_tests(const export_values *v, const hd_arguments *a, hd_err *err) {
    uint64_t number = 0;
    if (!take_words(v, a, &number, err))
        return false;
    test_writer w = {.record = hd_record_open(a->files.at[0], false, err),
                     .output = v->output,
                     .format = format_of(v),
                     .err = err};
    if (!w.record)
        return false;
    bool written =
        (formats[w.format].has_orders || is_one_program(w.record, a->files.at[0], err)) &&
        make_directory(v->output, err) &&
        (number ? write_one(&w, number, err)
                : hd_record_tests(w.record, write_if_plain, &w, err) && !w.failed);
    if (written)
        hd_print(stdout, "%" PRIu64 " test%s written to %s\n", w.n, w.n == 1 ? "" : "s", v->output);
    if (written && w.n_threaded)
        hd_print(stdout,
                 "%" PRIu64 " left out: they depend on the order of threads, which a plain program "
                 "chooses itself\n",
                 w.n_threaded);
    hd_record_close(w.record);
    return written;
}

static int run(int argc, char **argv) {
    export_values values = {0};
    hd_arguments a = {0};
    hd_err err;
    bool written =
        hd_options_parse(&table, argc, argv, &values, &a, &err) && export_tests(&values, &a, &err);
    hd_arguments_release(&a);
    return written ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_export = {
    "export",
    "write tests as files of their own",
    "export --c|--test DIR [N] -o OUT",
    "Writes each test of the run in DIR (or only test N) as a C file that feeds the recorded\n"
    "inputs to the program and checks that it ends as recorded:\n"
    "    cc OUT/test_0001.c program.c -I INCLUDE-DIRECTORY-OF-HEDDLE && ./a.out\n"
    "\n"
    "With --test the files have inputs, faults and the order of events as text, also of programs\n"
    "with threads and of scenarios.  The command of the run with --test FILE compiles the program\n"
    "as it is now, runs that test, and checks that it ends as recorded:\n"
    "    heddle run --net scenario.yaml --test OUT/test_0001.test",
    &table,
    run,
};
