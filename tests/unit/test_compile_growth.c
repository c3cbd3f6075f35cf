/* Twice the program, twice the time: shapes of programs for which it once was four times, each with
 * the phase of heddle-compile that this was seen in.
 *
 * Processor time of that phase alone, so that other work on the machine changes little of the
 * ratio; one that is too large is measured again.  Times are judged with SOAK=1 only; else it is
 * looked whether such programs can be compiled. */
#include "base/text.h"
#include "compile/compile.h"
#include "tool/scratch.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TRIES   3
#define AT_MOST 3.1 /* times as long, for twice the lines */

typedef void write_program(FILE *out, int n);

/* The sum of a phase over all processes, in ms. */
static double time_of_phase(const char *phase) {
    double sum = 0, ms;
    char line[256];
    int length;
    FILE *in = fopen("times", "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in))
        if (sscanf(line, "%*d %lf ms %n", &ms, &length) == 1 &&
            strncmp(line + length, phase, strlen(phase)) == 0)
            sum += ms;
    assert_int_equal(fclose(in), 0);
    assert_true(sum > 0);
    return sum;
}

/* What it says on standard error goes into a file. */
static void compile_and_tell(const char *source) {
    hd_compile_request request = {.sources = &source, .n_sources = 1};
    hd_compile_result result;
    hd_err err = {0};
    int own = dup(STDERR_FILENO), times = open("times", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(own >= 0 && times >= 0 && dup2(times, STDERR_FILENO) >= 0);
    bool ok = hd_compile(&request, &result, &err);
    assert_true(dup2(own, STDERR_FILENO) >= 0);
    close(own);
    close(times);
    if (!ok)
        fail_msg("%s", err.message);
}

/* A number in the first line makes it a program that is not in the cache. */
static double time_to_compile(write_program *write, int n, const char *phase) {
    static int number;
    FILE *out = fopen("growing.c", "w");
    assert_non_null(out);
    fprintf(out, "int number = %d;\n", number++);
    write(out, n);
    assert_int_equal(fclose(out), 0);
    compile_and_tell("growing.c");
    return time_of_phase(phase);
}

static void check_growth(write_program *write, int n, const char *phase) {
    double least = 1e9;
    if (!getenv("SOAK")) {
        assert_true(time_to_compile(write, n / 4, phase) > 0);
        return;
    }
    for (int k = 0; k < TRIES && least > AT_MOST; k++) {
        double once = time_to_compile(write, n, phase);
        double twice = time_to_compile(write, 2 * n, phase);
        least = twice / once < least ? twice / once : least;
    }
    if (least > AT_MOST)
        fail_msg("'%s' takes %.1f times as long for %d lines as for %d", phase, least, 2 * n, n);
}

/* One block with a call of the machine for each line, then many. */
static void write_inputs(FILE *out, int n) {
    fprintf(out, "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
                 "void reach_error(void);\nint main(void) {\n");
    for (int k = 0; k < n / 2; k++)
        fprintf(out, "int v%d = __VERIFIER_nondet_int(); __VERIFIER_assume(v%d >= 0);\n", k, k);
    for (int k = 0; k < n / 2; k++)
        fprintf(out, "if (v%d + v%d < 0) reach_error();\n", k, (k * 7 + 3) % (n / 2));
    fprintf(out, "return 0; }\n");
}

/* Divisions that cannot go wrong, between branches. */
static void write_divisions(FILE *out, int n) {
    fprintf(out, "int __VERIFIER_nondet_int(void); int a[64];\n"
                 "int main(void) { int x = __VERIFIER_nondet_int();\n");
    for (int k = 0; k < n; k++)
        fprintf(out, "if (x %% %d == 1) a[%d] ^= x; else a[%d] ^= 1;\n", k + 2, k % 64, k * 7 % 64);
    fprintf(out, "return 0; }\n");
}

/* Functions that call each other in a row. */
static void write_row(FILE *out, int n) {
    for (int k = 0; k < n; k++)
        fprintf(out,
                "static int f%d(int *p, int n) { for (int i = 0; i < n; i++) p[i] ^= i; "
                "return p[n - 1] ^ %s%d%s; }\n",
                k, k ? "f" : "", k ? k - 1 : 0, k ? "(p, n)" : "");
    fprintf(out, "int a[9]; int main(void) { return f%d(a, 4) & 1; }\n", n - 1);
}

static void long_blocks(void **state) {
    (void)state;
    check_growth(write_inputs, 1500, "optimising");
}

static void divisions_by_constants(void **state) {
    (void)state;
    check_growth(write_divisions, 300, "preparing");
}

static void functions_in_a_row(void **state) {
    (void)state;
    check_growth(write_row, 60, "generating code");
}

static int enter_timed(void **state) {
    return enter_scratch(state) != 0 || setenv("HEDDLE_COMPILE_TIMES", "1", 1) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_blocks),
        cmocka_unit_test(divisions_by_constants),
        cmocka_unit_test(functions_in_a_row),
    };
    return cmocka_run_group_tests(tests, enter_timed, leave_scratch);
}
