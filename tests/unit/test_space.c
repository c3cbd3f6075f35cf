/* Memory of processes (space.c): each sees its own, whoever runs in between. */
#include "tool/every_schedule.h"

static const char text[] =
    "#include <heddle.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/wait.h>\n#include <unistd.h>\n"
    "static int g = 1, *kept; static char big[40000]; static unsigned char v;\n"
    "static int end_of(pid_t child) { int s = 0; waitpid(child, &s, 0); return s >> 8; }\n"
    /* one global, two values */
    "static int case0(void) { pid_t c = fork(); if (!c) { g += 4; g++; _exit(g); }\n"
    "  g += 10; int s = end_of(c); return s == 6 && g == 11 ? 1 : 2; }\n"
    /* blocks of the heap: changed, freed and made again in one of them only */
    "static int case1(void) { int *p = malloc(8), *q = malloc(24); p[0] = 1; q[5] = 3;\n"
    "  pid_t c = fork(); if (!c) { p[0] = 7; free(q); q = malloc(24); q[5] = 9;\n"
    "    int s = p[0] + q[5]; free(p); free(q); _exit(s); }\n"
    "  p[0] += 1; int s = end_of(c); s = s == 16 && p[0] == 2 && q[5] == 3 ? 1 : 2;\n"
    "  free(p); free(q); return s; }\n"
    /* locals */
    "static int case2(void) { volatile int x[300]; x[0] = x[299] = 1; pid_t c = fork();\n"
    "  if (!c) { x[0] += 10; x[299] += 20; _exit(x[0] + x[299]); }\n"
    "  x[0] = 5; int s = end_of(c); return s == 32 && x[0] == 5 && x[299] == 1 ? 1 : 2; }\n"
    /* three generations */
    "static int case3(void) { int *p = malloc(4); volatile int x = 1; *p = 1; pid_t c = fork();\n"
    "  if (!c) { g = x = *p = 2; pid_t d = fork(); if (!d) { int s = g + x + *p; g = x = *p = 9;\n"
    "      free(p); _exit(s); }\n"
    "    int s = end_of(d) + g + x + *p; free(p); _exit(s); }\n"
    "  int s = end_of(c); s = s == 12 && g + x + *p == 3 ? 1 : 2; free(p); return s; }\n"
    /* pages that only one of them has written to */
    "static int case4(void) { pid_t c = fork(); if (!c) { big[20000] = 5; _exit(big[39999]); }\n"
    "  big[39999] = 6; int s = end_of(c); return s == 0 && !big[20000] && big[39999] == 6 ? 1 : 2; "
    "}\n"
    /* inputs in globals: the parent's still is one, the child's no more */
    "static int case5(void) { heddle_input(v); pid_t c = fork(); if (!c) { v = 4; _exit(v); }\n"
    "  int s = end_of(c); if (v == 77) return 3; return s == 4 ? 1 : 2; }\n"
    /* and the other way round */
    "static int case6(void) { v = 4; pid_t c = fork(); if (!c) { heddle_input(v);\n"
    "    if (v == 77) _exit(3); _exit(5); } return end_of(c) + (v != 4) * 8; }\n"
    /* what another thread has allocated */
    "static void *make(void *p) { kept = malloc(4); *kept = 1; return p; }\n"
    "static int case7(void) { pthread_t t; pthread_create(&t, 0, make, 0); pthread_join(t, 0);\n"
    "  pid_t c = fork(); if (!c) { *kept = 8; int s = *kept; free(kept); _exit(s); }\n"
    "  int s = end_of(c); s = s == 8 && *kept == 1 ? 1 : 2; free(kept); return s; }\n"
    /* two children, side by side */
    "static int case8(void) { pid_t c = fork(), d; if (!c) { g = 3; _exit(g); }\n"
    "  d = fork(); if (!d) { g += 5; _exit(g); }\n"
    "  int s = end_of(c), r = end_of(d); return s == 3 && r == 6 && g == 1 ? 1 : 2; }\n"
    "static int (*const cases[])(void) = {case0, case1, case2, case3, case4, case5, case6, case7,\n"
    "  case8};\n"
    "int main(void) { unsigned char which; heddle_input(which);\n"
    "  return which < 9 ? cases[which]() : 0; }\n";

static const case_of cases[] = {
    {"globals", 0, S(1)},
    {"heaps", 0, S(1)},
    {"stacks", 0, S(1)},
    {"generations", 0, S(1)},
    {"pages", 0, S(1)},
    {"inputs of the parent", 0, S(1)},
    {"inputs of the child", 0, S(5)},
    {"heaps of other threads", 0, S(1)},
    {"brothers", 0, S(1)},
};

static void processes_have_their_own(void **state) {
    (void)state;
    check_cases(text, cases, sizeof cases / sizeof *cases);
}

static bool is_v(const program *p, hd_var x) {
    return strcmp(hd_variables_info(p->variables, x)->name, "v") == 0;
}

/* Does the last execution depend on the input v? */
static bool decides(const program *p) {
    for (size_t i = 0; i < p->n_events; i++) {
        const hd_support *support = hd_expr_support(p->graph, p->events[i].condition);
        for (uint32_t k = 0; k < support->n; k++)
            if (is_v(p, support->v[k]))
                return true;
    }
    return false;
}

/* What is an input in one process is one after another has run. */
static void inputs_stay_inputs(void **state) {
    (void)state;
    program *p = open_program(text, NULL);
    run_program(p);
    for (uint32_t k = 5; k < 7; k++) {
        hd_model_clear(&p->model);
        hd_model_set(&p->model, find_variable(p, "which"), k);
        run_program(p);
        assert_int_equal(p->outcome.status, k == 5 ? 1 : 5);
        assert_true(decides(p));
        for (hd_var x = 0; x < hd_variables_n(p->variables); x++)
            if (is_v(p, x))
                hd_model_set(&p->model, x, 77);
        run_program(p);
        assert_int_equal(p->outcome.status, 3);
    }
    close_program(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_have_their_own),
        cmocka_unit_test(inputs_stay_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
