/* The option parser and the suggestions for misspelt words. */
#include "cli/cli.h"
#include "cli/run_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct parsed {
    bool ok;
    hd_run_values values;
    hd_arguments arguments;
    hd_err err;
} parsed;

/* Parse up to eight words, ended by NULL. */
static parsed parse(char *first, ...) {
    parsed p = {.values = hd_run_default_values()};
    char *words[10] = {"run"};
    int n = 1;
    va_list list;
    va_start(list, first);
    for (char *w = first; w; w = va_arg(list, char *))
        words[n++] = w;
    va_end(list);
    p.ok = hd_options_parse(&hd_run_option_table, n, words, &p.values, &p.arguments, &p.err);
    return p;
}

static void values_of_each_kind(void **state) {
    (void)state;
    parsed p =
        parse("--max-time=5m", "-n", "10k", "--json", "-oout", "--strategy", "bfs", "a.c", NULL);
    assert_true(p.ok);
    assert_true(p.values.max_time == 300);
    assert_int_equal(p.values.max_executions, 10000);
    assert_true(p.values.json);
    assert_string_equal(p.values.output, "out");
    assert_int_equal(p.values.strategy, HD_STRATEGY_BFS);
    assert_int_equal(p.arguments.files.n, 1);
    hd_arguments_release(&p.arguments);
}

static void words_go_where_they_belong(void **state) {
    (void)state;
    parsed p = parse("-I", "dir", "-DX=1", "a.c", "b.c", "--", "--json", "-x", NULL);
    assert_true(p.ok);
    assert_false(p.values.json);
    assert_int_equal(p.arguments.files.n, 2);
    assert_int_equal(p.arguments.compiler.n, 3);
    assert_string_equal(p.arguments.compiler.at[1], "dir");
    assert_int_equal(p.arguments.program.n, 2);
    assert_string_equal(p.arguments.program.at[0], "--json");
    hd_arguments_release(&p.arguments);
}

/* No short option may swallow one of clang's. */
static void compiler_options_are_told_apart(void **state) {
    (void)state;
    static char *const words[] = {"-std=gnu2x", "-O2",   "-Wall",    "-w",  "-fwrapv",
                                  "-msse4",     "-g3",   "-Idir",    "-DX", "-UX",
                                  "-pedantic",  "-ansi", "-pthread", "-g",  "-O"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        parsed p = parse(words[i], "a.c", NULL);
        assert_true(p.ok);
        assert_int_equal(p.arguments.compiler.n, 1);
        assert_string_equal(p.arguments.compiler.at[0], words[i]);
        hd_arguments_release(&p.arguments);
    }
}

static void times(void **state) {
    (void)state;
    static const struct {
        char *text;
        double seconds;
    } good[] = {{"10", 10}, {"0.5", 0.5}, {"200ms", 0.2}, {"10s", 10}, {"5m", 300}, {"1h", 3600}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        parsed p = parse("--max-time", good[i].text, NULL);
        assert_true(p.ok);
        assert_true(p.values.max_time > good[i].seconds - 1e-9);
        assert_true(p.values.max_time < good[i].seconds + 1e-9);
        hd_arguments_release(&p.arguments);
    }
    static char *const bad[] = {"", "soon", "5x", "-1", "nan", "inf", "1e30", "0x10", "5 m"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse("--max-time", bad[i], NULL).ok);
}

static void counts_do_not_overflow(void **state) {
    (void)state;
    static char *const bad[] = {"",
                                "x",
                                "-1",
                                "+1",
                                " 1",
                                "1.5",
                                "18446744073709551616",
                                "99999999999999999999",
                                "18446744073709551615k"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse("--depth", bad[i], NULL).ok);
    parsed p = parse("--seed", "18446744073709551615", NULL);
    assert_true(p.ok && p.values.seed == UINT64_MAX);
}

static void errors_name_the_option(void **state) {
    (void)state;
    assert_string_equal(parse("--stratgy", "dfs", NULL).err.hint, "did you mean '--strategy'?");
    assert_non_null(strstr(parse("--depth", NULL).err.message, "'--depth' needs a value"));
    assert_non_null(strstr(parse("--json=1", NULL).err.message, "'--json' takes no value"));
    assert_non_null(strstr(parse("--tests", "none", NULL).err.hint, "new, all, findings"));
    assert_non_null(strstr(parse("-I", NULL).err.message, "'-I' needs a value"));
}

static void nearest_names(void **state) {
    (void)state;
    const char *const names[] = {"run", "replay", "tests", "findings", NULL};
    assert_string_equal(hd_nearest_name("rnu", names), "run");
    assert_string_equal(hd_nearest_name("relpay", names), "replay");
    assert_string_equal(hd_nearest_name("finding", names), "findings");
    assert_null(hd_nearest_name("completely-different", names));
    assert_null(hd_nearest_name("a-word-that-is-longer-than-any-name-could-ever-be", names));
}

/* What a record keeps of a command line comes back as the same search. */
static void kept_options_come_back(void **state) {
    (void)state;
    parsed p =
        parse("--depth", "9", "--no-leaks", "--solver-chain=-z3", "x.c", "--", "one two", NULL);
    assert_true(p.ok);
    hd_kept_options kept = {0}, again = {0};
    hd_err err;
    hd_search_keep(&kept, &p.values, &p.arguments);
    char *text = hd_kept_write(&kept);
    assert_non_null(text);
    assert_true(hd_kept_read(&again, text, &err));
    assert_int_equal(again.search.n, 3);
    assert_string_equal(again.search.at[0], "--depth=9");
    assert_int_equal(again.program.n, 2);
    assert_string_equal(again.program.at[0], "x");
    assert_string_equal(again.program.at[1], "one two");
    free(text);
    hd_kept_release(&kept);
    hd_kept_release(&again);
    hd_arguments_release(&p.arguments);
    assert_false(hd_kept_read(&again, "no json", &err));
    assert_false(hd_kept_read(&again, NULL, &err));
}

static void resumed_search_must_be_the_same(void **state) {
    (void)state;
    parsed recorded = parse("--depth", "9", NULL), same = parse("--depth", "9", "-n", "5", NULL),
           other = parse("--depth", "10", NULL);
    hd_err err;
    assert_true(hd_search_check(&same.arguments, &same.values, &recorded.values, &err));
    assert_false(hd_search_check(&other.arguments, &other.values, &recorded.values, &err));
    assert_non_null(strstr(err.message, "--depth"));
}

static bool search_options(char *first, char *second, char *third, hd_run_options *options,
                           hd_err *err) {
    parsed p = parse(first, second, third, NULL);
    hd_kept_options kept = {0};
    bool ok = p.ok && hd_search_options(&p.values, &kept, options, err);
    if (!p.ok)
        *err = p.err;
    hd_kept_release(&kept);
    hd_arguments_release(&p.arguments);
    return ok;
}

static void messages_have_options(void **state) {
    (void)state;
    hd_run_options o;
    hd_err err;
    assert_true(search_options("a.c", NULL, NULL, &o, &err));
    assert_int_equal(o.machine.timeouts, HD_TIMEOUTS_LAST);
    assert_false(o.machine.partial_io);
    assert_true(search_options("--timeouts=any", "--partial-io", NULL, &o, &err));
    assert_int_equal(o.machine.timeouts, HD_TIMEOUTS_ANY);
    assert_true(o.machine.partial_io);
    assert_false(search_options("--timeouts=soon", NULL, NULL, &o, &err));
}

static void threads_have_defaults(void **state) {
    (void)state;
    hd_run_options o;
    hd_err err;
    assert_true(search_options("a.c", NULL, NULL, &o, &err));
    assert_int_equal(o.explore.reduction, HD_REDUCTION_OPTIMAL);
    assert_int_equal(o.explore.sampling, HD_SAMPLING_OFF);
    assert_false(o.explore.bounds_preemptions);
    assert_false(o.explore.reads_conflict);
    assert_false(o.machine.spurious);
    assert_false(o.machine.check_thread_leaks);
    assert_false(o.ignore_races);
    assert_int_equal(o.machine.max_threads, hd_machine_defaults().max_threads);
    assert_true(search_options("--schedule=pct", NULL, NULL, &o, &err));
    assert_int_equal(o.explore.samples, 10000);
    assert_int_equal(o.explore.pct_depth, 3);
}

static void threads_are_searched_as_asked(void **state) {
    (void)state;
    hd_run_options o;
    hd_err err;
    assert_true(search_options("--por=flip", "--reads-conflict", "--spurious", &o, &err));
    assert_int_equal(o.explore.reduction, HD_REDUCTION_FLIP);
    assert_true(o.explore.reads_conflict && o.machine.spurious);
    assert_true(search_options("--preemptions=0", "--no-races", "--thread-leaks", &o, &err));
    assert_true(o.explore.bounds_preemptions && o.explore.preemptions == 0);
    assert_true(o.ignore_races && o.machine.check_thread_leaks);
    assert_true(search_options("--schedule=pct", "--samples=5k", "--depth-of-bug=2", &o, &err));
    assert_int_equal(o.explore.sampling, HD_SAMPLING_PCT);
    assert_int_equal(o.explore.samples, 5000);
    assert_int_equal(o.explore.pct_depth, 2);
    assert_true(
        search_options("--schedule=random", "--max-threads=5", "--max-timeouts=0", &o, &err));
    assert_int_equal(o.explore.sampling, HD_SAMPLING_RANDOM);
    assert_int_equal(o.machine.max_threads, 5);
    assert_int_equal(o.machine.max_timeouts, 0);
}

static void bad_thread_options_are_refused(void **state) {
    (void)state;
    static const struct {
        char *first, *second;
        const char *words;
    } bad[] = {
        {"--por=best", NULL, "'--por' does not know 'best'"},
        {"--schedule=all", NULL, "'--schedule' does not know 'all'"},
        {"--preemptions=-1", NULL, "'--preemptions' needs a whole number"},
        {"--preemptions=100k", NULL, "'--preemptions' cannot be 100000"},
        {"--max-threads=0", NULL, "'--max-threads' cannot be 0"},
        {"--max-threads=16385", NULL, "'--max-threads' cannot be 16385"},
        {"--schedule=random", "--samples=0", "'--samples' cannot be 0"},
        {"--schedule=pct", "--depth-of-bug=0", "'--depth-of-bug' cannot be 0"},
        {"--samples=10", NULL, "'--samples' has no effect without"},
        {"--schedule=random", "--depth-of-bug=2", "'--depth-of-bug' has no effect without"},
        {"--schedule=pct", "--preemptions=2", "cannot be combined with '--schedule pct'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hd_run_options o;
        hd_err err = {.message = ""};
        assert_false(search_options(bad[i].first, bad[i].second, NULL, &o, &err));
        if (!strstr(err.message, bad[i].words))
            fail_msg("'%s' lacks '%s'", err.message, bad[i].words);
        assert_true(err.hint[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_each_kind),
        cmocka_unit_test(words_go_where_they_belong),
        cmocka_unit_test(compiler_options_are_told_apart),
        cmocka_unit_test(times),
        cmocka_unit_test(counts_do_not_overflow),
        cmocka_unit_test(errors_name_the_option),
        cmocka_unit_test(nearest_names),
        cmocka_unit_test(kept_options_come_back),
        cmocka_unit_test(resumed_search_must_be_the_same),
        cmocka_unit_test(messages_have_options),
        cmocka_unit_test(threads_have_defaults),
        cmocka_unit_test(threads_are_searched_as_asked),
        cmocka_unit_test(bad_thread_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
