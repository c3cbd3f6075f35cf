/* heddle export -- tests of a run as files of their own, or the run as one. */
#include "base/shown.h"
#include "cli/cli.h"
#include "record/record.h"
#include "report/run_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One format each: what writes a test, and how its files end; or what writes the run, and its file.
 */
static const struct {
    const char *name;
    bool (*write)(hd_record *r, const hd_test *test, const char *path, hd_err *err);
    const char *suffix;
    bool has_orders, has_objects;
    bool (*write_run)(const hd_run_file *f, const char *path, hd_err *err);
} formats[] = {
#define X(name, suffix, words, has_orders, has_objects)                                            \
    {#name, hd_export_##name, suffix, has_orders, has_objects, NULL},
    HD_EXPORT_FORMATS(X)
#undef X
#define X(name, file, words) {#name, NULL, file, true, true, hd_run_write_##name},
        HD_RUN_FILES(X)
#undef X
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

typedef struct export_values {
    struct {
#define X(name, suffix, words, has_orders, has_objects) bool name;
        HD_EXPORT_FORMATS(X)
#undef X
#define X(name, file, words) bool name;
        HD_RUN_FILES(X)
#undef X
    } wanted;
    const char *output;
} export_values;
_Static_assert(sizeof((export_values *)0)->wanted == N_FORMATS, "a flag for each format");

static const hd_option options[] = {
#define X(name, suffix, words, has_orders, has_objects)                                            \
    {#name, 0, HD_OPTION_FLAG, offsetof(export_values, wanted.name), NULL, words, NULL, false},
    HD_EXPORT_FORMATS(X)
#undef X
#define X(name, file, words)                                                                       \
    {#name, 0, HD_OPTION_FLAG, offsetof(export_values, wanted.name), NULL, words, NULL, false},
        HD_RUN_FILES(X)
#undef X
            {"output", 'o', HD_OPTION_TEXT, offsetof(export_values, output), "OUT",
             "directory for the files, made if it is missing", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

typedef struct test_writer {
    hd_record *record;
    const char *directory, *output;
    hd_kept_options kept;
    size_t format;
    uint64_t n, n_threaded, n_objects; /* written, and left out because of schedules and pointers */
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
    bool is_threaded = !formats[w->format].has_orders && hd_test_is_threaded(test);
    bool has_objects = !formats[w->format].has_objects && hd_test_has_objects(test);
    w->n_threaded += is_threaded;
    w->n_objects += !is_threaded && has_objects;
    return is_threaded || has_objects || write_test(w, test);
}

static bool refuse_order(const hd_test *test, hd_err *err) {
    hd_err_set(err,
               "cannot export test %" PRIu64 ": it depends on the order of threads, which a "
               "plain program chooses itself",
               test->number);
    return hd_err_hint(err, "replay it with 'heddle replay'");
}

static bool write_one(test_writer *w, uint64_t number, hd_err *err) {
    hd_test test = {0};
    bool written = hd_record_test(w->record, number, &test, err) &&
                   (formats[w->format].has_orders || !hd_test_is_threaded(&test) ||
                    refuse_order(&test, err)) &&
                   write_test(w, &test);
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
    if (a->files.n == 2 && formats[format_of(v)].write_run) {
        hd_err_set(err, "'--%s' is about the whole run: it takes no test number",
                   formats[format_of(v)].name);
        return hd_err_hint(err, "leave '%s' out", a->files.at[1]);
    }
    return a->files.n < 2 || hd_parse_number(a->files.at[1], "test number", number, err);
}

/* A plain program is one process: it cannot be several nodes with a network between them. */
static bool is_one_program(const test_writer *w, hd_err *err) {
    if (formats[w->format].has_orders || w->kept.nodes.n <= 1)
        return true;
    hd_err_set(
        err, "the tests of '%s' cannot be exported as %s: they are of a scenario with %zu nodes",
        w->directory, strcmp(formats[w->format].name, "c") == 0 ? "C" : formats[w->format].name,
        w->kept.nodes.n);
    return hd_err_hint(err,
                       "'heddle export --test %s N -o OUT' writes them for 'heddle run --test'",
                       w->directory);
}

static bool write_run(const test_writer *w, hd_err *err) {
    hd_run_file file = {w->record, &w->kept, w->directory, HD_VERSION};
    char *path = hd_text_format("%s/%s", w->output, formats[w->format].suffix);
    bool ok = formats[w->format].write_run(&file, path, err);
    if (ok)
        hd_print(stdout, "%s written\n", path);
    free(path);
    return ok;
}

static bool write_metadata(const test_writer *w, hd_err *err) {
    if (strcmp(formats[w->format].name, "xml") != 0 || !w->kept.sources.n)
        return true;
    const char *function = NULL;
    for (size_t i = 0; i < w->kept.build.n; i++)
        if (strncmp(w->kept.build.at[i], "--function=", 11) == 0)
            function = w->kept.build.at[i] + 11;
    char *path = hd_text_format("%s/metadata.xml", w->output);
    bool ok = hd_export_xml_metadata(w->kept.sources.at[0].path, function, path, err);
    free(path);
    return ok;
}

static void say(const test_writer *w) {
    hd_print(stdout, "%" PRIu64 " test%s written to %s\n", w->n, w->n == 1 ? "" : "s", w->output);
    if (w->n_threaded)
        hd_print(stdout,
                 "%" PRIu64 " left out: they depend on the order of threads, which a plain program "
                 "chooses itself\n",
                 w->n_threaded);
    if (w->n_objects)
        hd_print(
            stdout,
            "%" PRIu64
            " left out: they have objects behind input pointers, which this form does not know\n",
            w->n_objects);
}

static bool write_tests(test_writer *w, uint64_t number, hd_err *err) {
    if (formats[w->format].write_run)
        return write_run(w, err);
    bool ok = (number ? write_one(w, number, err)
                      : hd_record_tests(w->record, write_if_plain, w, err) && !w->failed) &&
              write_metadata(w, err);
    if (ok)
        say(w);
    return ok;
}

static bool export_tests(const export_values *v, const hd_arguments *a, hd_err *err) {
    uint64_t number = 0;
    if (!take_words(v, a, &number, err))
        return false;
    test_writer w = {.record = hd_record_open(a->files.at[0], false, err),
                     .directory = a->files.at[0],
                     .output = v->output,
                     .format = format_of(v),
                     .err = err};
    if (!w.record)
        return false;
    bool written = hd_kept_read(&w.kept, hd_record_info(w.record)->options, err) &&
                   is_one_program(&w, err) && make_directory(v->output, err) &&
                   write_tests(&w, number, err);
    hd_kept_release(&w.kept);
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
    "write tests as files of their own, or the run as one",
    "export --FORMAT DIR [N] -o OUT",
    "Writes each test of the run in DIR (or only test N) as a file in OUT.  With --c it is a C "
    "file\n"
    "that feeds the recorded inputs to the program and checks that it ends as recorded:\n"
    "    cc OUT/test_0001.c program.c -I INCLUDE-DIRECTORY-OF-HEDDLE && ./a.out\n"
    "\n"
    "With --test the files have inputs, faults and the order of events as text, also of programs\n"
    "with threads and of scenarios.  The command of the run with --test FILE compiles the program\n"
    "as it is now, runs that test, and checks that it ends as recorded:\n"
    "    heddle run --net scenario.yaml --test OUT/test_0001.test\n"
    "\n"
    "--junit, --sarif and --json write one file about the whole run.",
    &table,
    run,
};
