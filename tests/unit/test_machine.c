/* Executions of small programs: findings, inputs, decisions, and nothing left behind. */
#include "tool/machine_program.h"

#include "program/symbolize.h"

/* ---- findings ---- */

typedef struct expectation {
    const char *body; /* of main, on line 8; x is an int input */
    int64_t x;
    hd_finding_kind kind;
} expectation;

static const char head[] = "#include <heddle.h>\n#include <assert.h>\n#include <stdlib.h>\n"
                           "#include <string.h>\nint *volatile lost; int volatile four = 4;\n"
                           "int *escape(void) { int l = 1; int *volatile p = &l; return p; }\n"
                           "int main(void) { int x; heddle_input(x);\n";

static const expectation expectations[] = {
    {"return 0;", 1, HD_FINDING_NONE},
    {"heddle_assert(x != 5);", 5, HD_FINDING_ASSERTION},
    {"heddle_assert(x != 5);", 6, HD_FINDING_NONE},
    {"assert(x < 10);", 10, HD_FINDING_ASSERTION},
    {"if (x == 3) abort();", 3, HD_FINDING_ABORT},
    {"return 10 / x;", 0, HD_FINDING_DIVISION_BY_ZERO},
    {"return x + four > 0;", INT32_MAX, HD_FINDING_OVERFLOW},
    {"return 1 << x;", 40, HD_FINDING_BAD_SHIFT},
    {"lost = x ? &x : 0; return *lost;", 0, HD_FINDING_NULL_POINTER},
    {"lost = malloc(16); lost[x] = 1; free(lost);", 4, HD_FINDING_OUT_OF_BOUNDS},
    {"lost = malloc(16); lost[x] = 1; free(lost);", 3, HD_FINDING_NONE},
    {"lost = malloc(16); lost[x] = 1; free(lost);", -1, HD_FINDING_OUT_OF_BOUNDS},
    {"int a[4] = {0}; lost = a; return lost[x];", 4, HD_FINDING_OUT_OF_BOUNDS},
    {"static int a[4]; lost = a; return lost[x];", 4, HD_FINDING_OUT_OF_BOUNDS},
    {"lost = malloc(4); free(lost); return *lost;", 0, HD_FINDING_USE_AFTER_FREE},
    {"lost = malloc(4); free(lost); free(lost);", 0, HD_FINDING_DOUBLE_FREE},
    {"lost = malloc(8); free(lost + 1);", 0, HD_FINDING_BAD_FREE},
    {"lost = &x; free(lost);", 0, HD_FINDING_BAD_FREE},
    {"lost = malloc(8); lost = 0;", 0, HD_FINDING_LEAK},
    {"lost = malloc(8);", 0, HD_FINDING_NONE},
    {"lost = escape(); return *lost;", 0, HD_FINDING_USE_AFTER_RETURN},
    {"static const int c = 1; lost = (int *)&c; *lost = 2;", 0, HD_FINDING_READ_ONLY},
    {"for (;;) x ^= 1;", 0, HD_FINDING_NON_TERMINATION},
    {"void (*volatile f)(void) = 0; f();", 0, HD_FINDING_NULL_POINTER},
    {"char *volatile p = (char *)0x7fffffff0000; return *p;", 0, HD_FINDING_OUT_OF_BOUNDS},
    {"char b[4]; strcpy(b, x ? \"abc\" : \"abcd\"); return b[0];", 0, HD_FINDING_OUT_OF_BOUNDS},
    {"char b[4]; strcpy(b, x ? \"abc\" : \"abcd\"); return b[0];", 1, HD_FINDING_NONE},
    {"char b[8]; memset(b, 0, x); return b[0];", 9, HD_FINDING_OUT_OF_BOUNDS},
    {"int n = x, a[n]; lost = a; lost[n] = 1; return a[0];", 3, HD_FINDING_OUT_OF_BOUNDS},
    {"exit(x);", 3, HD_FINDING_NONE},
    {"heddle_assume(x == 9); abort();", 8, HD_FINDING_NONE},
};

static void check_expectation(const expectation *e, hd_isolation isolation) {
    hd_machine_options options = hd_machine_defaults();
    options.max_steps = 100000;
    options.isolation = isolation;
    char *text = hd_text_format("%s%s\nreturn 0; }\n", head, e->body);
    program *p = open_program(text, &options);
    uint64_t hash = 0;
    hd_var x = hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 32, 0, "x");
    for (int round = 0; round < 3; round++) {
        hd_model_set(&p->model, x, (uint32_t)e->x);
        run_program(p);
        if (p->outcome.finding.kind != e->kind)
            fail_msg("'%s' with %ld: %s (%s)", e->body, e->x,
                     hd_finding_kind_name(p->outcome.finding.kind), p->outcome.finding.message);
        assert_true(round == 0 || p->outcome.trace_hash == hash); /* M1, M3 */
        hash = p->outcome.trace_hash;
    }
    if (e->kind) {
        hd_symbolizer *s = hd_symbolizer_new(p->directory);
        hd_text stack = {0};
        hd_symbolizer_stack(s, &p->outcome.finding, &stack);
        if (p->outcome.finding.line != 8)
            fail_msg("'%s' is found at line %u: %s", e->body, p->outcome.finding.line,
                     hd_text_string(&stack));
        assert_string_equal(p->outcome.finding.function, "main");
        assert_non_null(strstr(hd_text_string(&stack), "main at "));
        hd_text_release(&stack);
        hd_symbolizer_free(s);
    }
    close_program(p);
    free(text);
}

static void test_findings(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        check_expectation(&expectations[i], HD_ISOLATION_RESET);
}

static void test_findings_in_a_child(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i += 3)
        check_expectation(&expectations[i], HD_ISOLATION_FORK);
}

/* ---- ends ---- */

static void test_ends(void **state) {
    (void)state;
    program *p = open_program("#include <heddle.h>\n#include <stdlib.h>\n"
                              "static void last(void) { heddle_reach(\"handler\"); }\n"
                              "int main(void) { unsigned char c; heddle_input(c); atexit(last);\n"
                              "heddle_assume(c < 100); if (c == 1) exit(7); return c; }\n",
                              NULL);
    hd_model_set(&p->model, hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 8, 0, "c"), 1);
    run_program(p);
    assert_int_equal(p->outcome.end, HD_END_EXIT);
    assert_int_equal(p->outcome.status, 7);
    hd_model_set(&p->model, 0, 42);
    run_program(p);
    assert_int_equal(p->outcome.end, HD_END_EXIT);
    assert_int_equal(p->outcome.status, 42);
    hd_model_set(&p->model, 0, 100);
    run_program(p);
    assert_int_equal(p->outcome.end, HD_END_REJECTED);
    uint32_t n;
    const hd_label *labels = hd_machine_labels(p->machine, &n);
    assert_int_equal(n, 1);
    assert_string_equal(labels[0].name, "handler");
    assert_int_equal(labels[0].count, 2);
    close_program(p);
}

static void test_exit_status_can_be_a_finding(void **state) {
    (void)state;
    hd_machine_options options = hd_machine_defaults();
    options.fail_on_exit = true;
    program *p = open_program("int main(void) { return 3; }\n", &options);
    run_program(p);
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_EXIT_STATUS);
    assert_int_equal(p->outcome.status, 3);
    close_program(p);
}

/* ---- nothing survives (M3) ---- */

static const char many_places[] =
    "#include <heddle.h>\n#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\n"
    "static int big[100000], small = 5; static char text[6000] = \"start\"; char *keep;\n"
    "int main(int argc, char **argv) { int x; heddle_input(x);\n"
    "static int calls; int local[64]; int sum = 0; lost: calls++;\n"
    "heddle_assert(small == 5 && calls == 1 && big[7] == 0 && big[99999] == 0 && !keep);\n"
    "heddle_assert(!strcmp(text, \"start\") && errno == 0 && argv[0][0] == 'p');\n"
    "small = x; big[7] = 1; big[99999] = x; strcpy(text, \"changed\"); errno = 5; argv[0][0] = "
    "'q';\n"
    "keep = malloc(10); keep[0] = 1; memset(local, x, sizeof local);\n"
    "for (int i = 0; i < 64; i++) sum ^= local[i]; (void)&&lost;\n"
    "return big[99999] == 77 ? rand() & 1 : sum & argc; }\n";

static void test_nothing_survives(void **state) {
    (void)state;
    program *p = open_program(many_places, NULL);
    uint64_t hash = 0;
    for (int round = 0; round < 50; round++) {
        run_program(p);
        assert_int_equal(p->outcome.end, HD_END_EXIT);
        assert_true(round == 0 || p->outcome.trace_hash == hash);
        hash = p->outcome.trace_hash;
        assert_int_equal(p->outcome.covered_new, round == 0);
    }
    close_program(p);
}

static void test_child_and_reset_agree(void **state) {
    (void)state;
    uint64_t hash[2];
    size_t n[2];
    for (int fork = 0; fork < 2; fork++) {
        hd_machine_options options = hd_machine_defaults();
        options.isolation = fork ? HD_ISOLATION_FORK : HD_ISOLATION_RESET;
        program *p = open_program(many_places, &options);
        run_program(p);
        run_program(p);
        hash[fork] = p->outcome.trace_hash;
        n[fork] = p->n_events;
        assert_int_equal(p->outcome.n_inputs, 1);
        assert_true(hd_model_has(&p->model, find_variable(p, "x"))); /* M2 */
        close_program(p);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(n[0] == n[1] && n[0] > 0);
}

/* ---- decisions ---- */

/* Every condition that the sink is told holds as it was taken. */
static void assert_events_hold(program *p) {
    hd_eval *ev = hd_eval_new(p->graph);
    hd_eval_begin(ev, &p->model);
    for (size_t i = 0; i < p->n_events; i++) {
        assert_int_equal(hd_expr_width(p->graph, p->events[i].condition), 1);
        assert_false(hd_expr_is_const(p->graph, p->events[i].condition));
        assert_int_equal(hd_eval_value(ev, p->events[i].condition), p->events[i].taken);
    }
    hd_eval_free(ev);
}

static void test_switch_is_a_chain(void **state) {
    (void)state;
    program *p = open_program("#include <heddle.h>\nint volatile r;\n"
                              "int main(void) { unsigned char c; heddle_input(c);\n"
                              "switch (c) { case 1: case 2: r = 1; break; case 3: r = 2; break;\n"
                              "case 9: r = 3; break; default: r = 4; } return 0; }\n",
                              NULL);
    static const struct {
        uint8_t value;
        size_t n;
    } cases[] = {{1, 1}, {2, 1}, {3, 2}, {9, 3}, {200, 3}};
    hd_var c = hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 8, 0, "c");
    for (size_t i = 0; i < 5; i++) {
        hd_model_set(&p->model, c, cases[i].value);
        run_program(p);
        assert_int_equal(p->n_events, cases[i].n);
        for (size_t k = 0; k < p->n_events; k++)
            assert_int_equal(p->events[k].taken, k + 1 == p->n_events && cases[i].value != 200);
        assert_events_hold(p);
    }
    close_program(p);
}

/* Bytes written one way and read another; external code that writes behind our back. */
static void test_memory_keeps_expressions(void **state) {
    (void)state;
    program *p = open_program(
        "#include <heddle.h>\n#include <stdint.h>\n#include <string.h>\n"
        "struct s { uint16_t a; uint32_t b : 5, c : 20; uint8_t d; };\n"
        "int main(void) { uint32_t x; uint8_t y; struct s s; heddle_input(x); heddle_input(y);\n"
        "heddle_input(s); uint8_t b[8] = {0}; uint32_t z; uint64_t w;\n"
        "memcpy(b, &x, 4); b[1] = y; memmove(b + 2, b, 4); memcpy(&z, b + 1, 4);\n"
        "if (z > 1000) b[7] = 1; memset(b, y, 3); memcpy(&w, b, 8); if (w & 1) b[0]++;\n"
        "if (s.c == 77) b[0] = 3; if (s.b + s.d > 9) b[0] = 4;\n"
        "int i = x % 8; b[i] = 9; if (b[y % 8] == 9) b[0] = 5; return b[0] == 7; }\n",
        NULL);
    for (uint64_t round = 0; round < 200; round++) {
        for (hd_var v = 0; v < hd_variables_n(p->variables); v++) {
            unsigned width = hd_variables_info(p->variables, v)->width;
            hd_model_set(&p->model, v, (round * 0x9e3779b97f4a7c15u >> (v + 3)) & hd_mask(width));
        }
        run_program(p);
        assert_int_equal(p->outcome.end, HD_END_EXIT);
        assert_true(p->n_events >= 5);
        assert_events_hold(p);
    }
    close_program(p);
}

static void test_addresses_are_decisions(void **state) {
    (void)state;
    program *p = open_program("#include <heddle.h>\nint t[10], u[10];\n"
                              "int main(void) { int i; int *q; heddle_input(i); heddle_input(q);\n"
                              "int *volatile a = t; a[i] = 1; return *q; }\n",
                              NULL);
    hd_var i = hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 32, 0, "i");
    hd_model_set(&p->model, i, 3);
    run_program(p);
    /* inside the table; then the null pointer is on the path before it is a finding */
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_NULL_POINTER);
    assert_int_equal(p->n_events, 2);
    assert_int_equal(p->events[0].kind, HD_BRANCH_ADDRESS);
    assert_true(p->events[0].taken);
    assert_int_equal(p->events[1].kind, HD_BRANCH_ADDRESS);
    assert_false(p->events[1].taken);
    hd_model_set(&p->model, i, 10);
    run_program(p);
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_OUT_OF_BOUNDS);
    assert_int_equal(p->n_events, 1);
    assert_false(p->events[0].taken);
    assert_events_hold(p);
    close_program(p);
}

/* ---- inputs ---- */

static void assert_map(program *p, const char *expected) {
    hd_text map = {0};
    run_program(p);
    hd_machine_print_map(p->machine, &p->model, &map);
    assert_string_equal(hd_text_string(&map), expected);
    hd_text_release(&map);
}

/* Paper 002, section 4.1.1: a NULL, a cell, a cycle, all with the same names. */
static void test_logical_input_map(void **state) {
    (void)state;
    program *p =
        open_program("#include <heddle.h>\ntypedef struct cell { int v; struct cell *next; }"
                     " cell;\nint main(void) { cell *p; int x; heddle_input(p);\n"
                     "heddle_input(x); return !p ? 0 : p->v != 3 ? 1 : p->next == p ? 2 : 3;"
                     " }\n",
                     NULL);
    run_program(p);
    hd_var pointer = find_variable(p, "p"), x = find_variable(p, "x");
    assert_int_equal(p->outcome.status, 0);
    hd_model_set(&p->model, x, 1);
    assert_map(p, "<0,1>");
    hd_model_set(&p->model, pointer, HD_POINTER_FRESH(pointer));
    run_program(p);
    hd_var v = find_variable(p, "p->v"), next = find_variable(p, "p->next");
    hd_model_set(&p->model, v, 3);
    assert_map(p, "<3,1,3,0>");
    assert_int_equal(p->outcome.status, 3);
    hd_model_set(&p->model, next, hd_model_get(&p->model, pointer));
    assert_map(p, "<3,1,3,3>");
    assert_int_equal(p->outcome.status, 2);
    hd_model_set(&p->model, next, HD_POINTER_FRESH(next));
    run_program(p);
    hd_model_set(&p->model, find_variable(p, "p->next->v"), (uint32_t)-8);
    assert_map(p, "<3,1,3,5,-8,0>");
    assert_int_equal(hd_variables_info(p->variables, v)->bit_offset, 0);
    assert_int_equal(hd_variables_info(p->variables, next)->bit_offset, 64);
    assert_int_equal(hd_variables_info(p->variables, pointer)->object_size, 16);
    close_program(p);
}

static void test_names_of_inputs(void **state) {
    static const char *const names[] = {"a[0].x", "a[1].y[2]",   "*q",   "**r", "s->f.x",
                                        "b[1]",   "choose(3,9)", "flag", "w[2]"};
    (void)state;
    program *p = open_program(
        "#include <heddle.h>\nstruct in { int x; char y[3]; }; struct out { struct in f; };\n"
        "int main(void) { struct in a[2]; int *q, **r; struct out *s; char b[2]; _Bool flag;\n"
        "long *w = (long[3]){0}; heddle_input(a); heddle_input(q); heddle_input(r);\n"
        "heddle_input(s); heddle_bytes(b, 2, \"b\"); long c = heddle_choose(3, 9);\n"
        "heddle_input(flag); heddle_input_array(w, 3);\n"
        "heddle_assert(c >= 3 && c <= 9 && (flag == 0 || flag == 1)); return 0; }\n",
        NULL);
    run_program(p);
    static const char *const pointers[] = {"q", "r", "s", "*r"};
    for (size_t i = 0; i < 4; i++) {
        hd_var v = find_variable(p, pointers[i]);
        hd_model_set(&p->model, v, HD_POINTER_FRESH(v));
        run_program(p);
        assert_int_equal(p->outcome.end, HD_END_EXIT);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        find_variable(p, names[i]);
    assert_int_equal(hd_variables_info(p->variables, find_variable(p, "flag"))->width, 1);
    assert_int_equal(hd_variables_info(p->variables, find_variable(p, "w[2]"))->bit_offset, 128);
    close_program(p);
}

/* The first values depend on the seed alone. */
static void test_first_values(void **state) {
    (void)state;
    uint64_t values[3];
    for (uint64_t seed = 0; seed < 3; seed++) {
        hd_machine_options options = hd_machine_defaults();
        options.seed = seed / 2;
        program *p = open_program("#include <heddle.h>\nint main(void) { long x; heddle_input(x);"
                                  " return 0; }\n",
                                  &options);
        run_program(p);
        values[seed] = hd_model_get(&p->model, find_variable(p, "x"));
        close_program(p);
    }
    assert_true(values[0] == values[1]);
    assert_true(values[0] != values[2]);
}

/* ---- said aloud ---- */

static void test_approximations_are_listed(void **state) {
    (void)state;
    program *p =
        open_program("#include <heddle.h>\n#include <stdio.h>\nint sysconf(int);\n"
                     "int main(void) { int x; char t[32]; heddle_input(x);\n"
                     "printf(\"%d\", x); double volatile d = x; snprintf(t, 32, \"%p\", (void *)(long)x);\n"
                     "return d > 1 && sysconf(x) > 1; }\n",
                     NULL);
    hd_model_set(&p->model, hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 32, 0, "x"), 5);
    run_program(p);
    uint32_t n;
    const hd_approximation *a = hd_machine_approximations(p->machine, &n);
    bool has_float = false, has_call = false, has_text = false;
    for (uint32_t i = 0; i < n; i++) {
        has_float |= strstr(a[i].what, "float") != NULL;
        has_call |= strstr(a[i].what, "'sysconf'") && p->module.image->sites[a[i].site].line == 6;
        has_text |= strstr(a[i].what, "'snprintf'") != NULL;
        assert_null(strstr(a[i].what, "'printf'"));
    }
    assert_true(has_float && has_call && has_text);
    close_program(p);
}

static void test_stateful_programs_fork(void **state) {
    (void)state;
    program *p =
        open_program("#include <heddle.h>\n#include <sys/statvfs.h>\n"
                     "int main(void) { char c; heddle_input(c); struct statvfs u;\n"
                     "int f = statvfs(\"/\", &u);\n"
                     "heddle_reach(\"opened\"); if (c == 5) kill_me: { volatile int *z = 0;"
                     " *z = 1; goto kill_me; }\nreturn f; }\n",
                     NULL);
    assert_true(hd_machine_forks(p->machine));
    assert_non_null(strstr(hd_machine_fork_reason(p->machine), "'statvfs'"));
    hd_model_set(&p->model, hd_variables_root(p->variables, 0, HD_VAR_INTEGER, 8, 0, "c"), 1);
    run_program(p);
    int first = p->outcome.status;
    run_program(p);
    assert_int_equal(p->outcome.status, first); /* no descriptors are used up */
    uint32_t n;
    assert_int_equal(hd_machine_labels(p->machine, &n)[0].count, 2);
    hd_model_set(&p->model, 0, 5);
    run_program(p);
    assert_int_equal(p->outcome.finding.kind, HD_FINDING_NULL_POINTER);
    assert_events_hold(p);
    close_program(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_findings_in_a_child),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_exit_status_can_be_a_finding),
        cmocka_unit_test(test_nothing_survives),
        cmocka_unit_test(test_child_and_reset_agree),
        cmocka_unit_test(test_switch_is_a_chain),
        cmocka_unit_test(test_memory_keeps_expressions),
        cmocka_unit_test(test_addresses_are_decisions),
        cmocka_unit_test(test_logical_input_map),
        cmocka_unit_test(test_names_of_inputs),
        cmocka_unit_test(test_first_values),
        cmocka_unit_test(test_approximations_are_listed),
        cmocka_unit_test(test_stateful_programs_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
