/* What users see: values, strings, source lines, progress. */
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_inputs(hd_stored_input *inputs, uint32_t n, size_t limit, const char *expected) {
    hd_test test = {.inputs = inputs, .n_inputs = n};
    hd_text text = {0};
    hd_inputs_print(&test, limit, &text);
    assert_string_equal(hd_text_string(&text), expected);
    hd_text_release(&text);
}

static void integers(void **state) {
    (void)state;
    hd_stored_input in[] = {
        {.name = "a", .width = 32, .is_signed = true, .value = 0xffffffff},
        {.name = "b", .width = 32, .value = 0xffffffff},
        {.name = "c", .width = 64, .is_signed = true, .value = UINT64_C(1) << 63},
        {.name = "d", .width = 1, .value = 1},
        {.name = "e", .width = 8, .is_signed = true, .value = 'x'},
    };
    assert_inputs(in, 5, 0, "a = -1, b = 4294967295, c = -9223372036854775808, d = 1, e = 120 'x'");
    assert_inputs(in, 5, 10, "a = -1, b = 4294967295, ...");
    assert_inputs(in, 0, 0, "");
}

static void bytes_become_a_string(void **state) {
    (void)state;
    hd_stored_input in[] = {
        {.name = "buf[0]", .width = 8, .value = 'a'},
        {.name = "buf[1]", .width = 8, .value = '"'},
        {.name = "buf[2]", .width = 8, .value = 0},
        {.name = "other[0]", .width = 8, .value = 1},
        {.name = "wide[0]", .width = 32, .value = 65},
        {.name = "wide[1]", .width = 32, .value = 66},
    };
    assert_inputs(in, 6, 0, "buf = \"a\\\"\\000\", other[0] = 1, wide[0] = 65, wide[1] = 66");
}

static void pointers(void **state) {
    (void)state;
    hd_stored_input in[] = {
        {.name = "p", .kind = HD_VAR_POINTER, .width = 64, .value = 1},
        {.name = "q", .kind = HD_VAR_POINTER, .width = 64, .value = 1},
        {.name = "r", .kind = HD_VAR_POINTER, .width = 64, .value = 0},
    };
    assert_inputs(in, 3, 0, "p = new object, q = object of 'p', r = NULL");
}

/* What `print` writes, as a string for the caller to free. */
static char *capture(void (*print)(FILE *, const char *), const char *argument) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    print(out, argument);
    fclose(out);
    return text;
}

static void show_second_line(FILE *out, const char *file) {
    hd_source_show(out, file, 2, 1);
}

static void source_lines(void **state) {
    (void)state;
    char name[] = "/tmp/test_report_XXXXXX";
    int fd = mkstemp(name);
    static const char source[] = "one\n\ttwo\033[31m\nthree\nfour\n";
    assert_int_equal(write(fd, source, sizeof source - 1), sizeof source - 1);
    close(fd);
    char *text = capture(show_second_line, name);
    assert_string_equal(text, "        1 | one\n  >     2 |     two\\x1b[31m\n        3 | three\n");
    free(text);
    unlink(name);
    text = capture(show_second_line, name);
    assert_string_equal(text, "");
    free(text);
}

static void show_progress(FILE *out, const char *unused) {
    (void)unused;
    FILE *plain = tmpfile();
    hd_live_line p = hd_live_line_begin(plain);
    hd_run_counters c = {.branches = 8, .branches_covered = 5, .seconds = 2};
    c.solve.seconds = 1;
    c.explore.open = 3;
    for (int i = 1; i <= 120; i++) { /* twelve seconds */
        c.explore.executions = (uint64_t)i * 10;
        hd_live_line_update(&p, &c, 2, i / 10.0);
    }
    hd_live_line_clear(&p);
    rewind(plain);
    for (int byte; (byte = fgetc(plain)) != EOF;)
        fputc(byte, out);
    fclose(plain);
}

static void progress_is_plain_and_rare_in_a_file(void **state) {
    (void)state;
    char *text = capture(show_progress, NULL);
    const char *expected = "heddle: 0:05  500 executions (100/s)  branches 5/8  open 3  solver "
                           "50%  findings 2\n";
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    unsigned lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 2);
    assert_null(strchr(text, '\r'));
    free(text);
}

static void show_workers(FILE *out, const char *unused) {
    (void)unused;
    hd_live_line p = hd_live_line_begin(out);
    hd_run_counters c = {.branches = 8, .threads = 2};
    c.explore.paths = 7;
    c.explore.estimate = 100;
    for (uint64_t i = 1; i <= 2; i++) {
        hd_worker_progress workers[3] = {{4, 50 * i}, {0, 10}, {9, i > 1 ? 3000 : 0}};
        hd_live_line_workers(&p, workers, 3);
        c.explore.executions = 100 * i;
        hd_live_line_update(&p, &c, 0, (double)i * 10);
    }
    hd_live_line_end(&p);
}

static void workers_have_rates(void **state) {
    (void)state;
    char *text = capture(show_workers, NULL);
    assert_non_null(strstr(text, "7 classes of about 100"));
    assert_non_null(strstr(text, "200 executions (10/s: 5 - 300)  7 classes"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_have_rates),
        cmocka_unit_test(integers),
        cmocka_unit_test(bytes_become_a_string),
        cmocka_unit_test(pointers),
        cmocka_unit_test(source_lines),
        cmocka_unit_test(progress_is_plain_and_rare_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
