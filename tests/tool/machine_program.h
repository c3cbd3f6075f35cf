/* machine_program.h -- small programs for the tests of machine/: compiled, loaded, run.
 *
 * heddle-compile is the one of the build that the test belongs to. */
#ifndef HD_TESTS_MACHINE_PROGRAM_H
#define HD_TESTS_MACHINE_PROGRAM_H
#include "base/text.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TEST_HELPER __attribute__((unused)) static

typedef struct event {
    uint32_t site;
    hd_expr condition;
    bool taken;
    hd_branch_kind kind;
} event;

typedef struct program {
    char *directory;
    hd_module module;
    hd_graph *graph;
    hd_variables *variables;
    hd_machine *machine;
    hd_model model;
    hd_outcome outcome;
    event events[4096];
    size_t n_events;
    void *schedules; /* of tests with threads */
} program;

TEST_HELPER void keep_event(void *context, uint32_t site, hd_expr condition, bool taken,
                            hd_branch_kind kind) {
    program *p = context;
    if (p->n_events < sizeof p->events / sizeof *p->events)
        p->events[p->n_events++] = (event){site, condition, taken, kind};
}

/* The module of the program whose text this is, in a new directory. */
static char *compile_program(const char *text) {
    char self[4096] = "", directory[] = "/tmp/heddle-test-XXXXXX";
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    for (int i = 0; i < 3; i++)
        *strrchr(self, '/') = '\0';
    assert_non_null(mkdtemp(directory));
    char *source = hd_text_format("%s/program.c", directory);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    char *command =
        hd_text_format("cd '%s' && '%s/heddle-compile' --output=. program.c 2>&1", directory, self);
    int status = system(command);
    if (status != 0)
        fail_msg("cannot compile: %s", command);
    free(command);
    free(source);
    return hd_text_format("%s", directory);
}

static void remove_program(char *directory) {
    char *command = hd_text_format("rm -rf '%s'", directory);
    assert_int_equal(system(command), 0);
    free(command);
    free(directory);
}

TEST_HELPER program *open_program(const char *text, const hd_machine_options *options) {
    static char *arguments[] = {(char *)"prog", NULL};
    hd_err err = {0};
    program *p = calloc(1, sizeof *p);
    hd_machine_options o = options ? *options : hd_machine_defaults();
    o.argc = 1;
    o.argv = arguments;
    p->directory = compile_program(text);
    if (!hd_module_load(&p->module, p->directory, &err))
        fail_msg("%s", err.message);
    p->graph = hd_graph_new(true);
    p->variables = hd_variables_new();
    p->machine = hd_machine_new(&p->module, p->graph, p->variables, &o, &err);
    if (!p->machine)
        fail_msg("%s", err.message);
    return p;
}

TEST_HELPER void run_program(program *p) {
    hd_sink sink = {.context = p, .branch = keep_event};
    p->n_events = 0;
    hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
}

TEST_HELPER void close_program(program *p) {
    hd_machine_free(p->machine);
    hd_variables_free(p->variables);
    hd_graph_free(p->graph);
    hd_model_release(&p->model);
    hd_module_unload(&p->module);
    remove_program(p->directory);
    free(p);
}

/* The variable with this name; it must exist. */
TEST_HELPER hd_var find_variable(const program *p, const char *name) {
    for (hd_var v = 0; v < hd_variables_n(p->variables); v++)
        if (strcmp(hd_variables_info(p->variables, v)->name, name) == 0)
            return v;
    fail_msg("no variable '%s'", name);
    return 0;
}
#endif
