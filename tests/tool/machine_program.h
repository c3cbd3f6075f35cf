/* machine_program.h -- small programs for the tests of machine/: compiled, loaded, run.
 *
 * The compiler is that of the build that the test belongs to; what it made is kept there, in
 * cache/programs. */
#ifndef HD_TESTS_MACHINE_PROGRAM_H
#define HD_TESTS_MACHINE_PROGRAM_H
#include "base/hash.h"
#include "base/text.h"
#include "machine/machine.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

/* ---- compiling ---- */

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...) {
    char command[4 * PATH_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return system(command) == 0;
}

/* The folder of the compiler: that of the build that the test belongs to, or of the one from which
 * that took it (PARTS of the Makefile). */
static void find_compiler(char folder[PATH_MAX]) {
    char self[PATH_MAX] = "", *compiler;
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    for (int i = 0; i < 3; i++)
        *strrchr(self, '/') = '\0';
    compiler = hd_text_format("%s/heddle-compile", self);
    assert_non_null(realpath(compiler, folder));
    *strrchr(folder, '/') = '\0';
    free(compiler);
}

/* What a module is made of besides its text: files of the compiler, by their times. */
static uint64_t hash_compiler(const char *folder) {
    static const char *const parts[] = {"heddle-compile", "inline.bc", "models/*.bc"};
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *pattern = hd_text_format("%s/%s", folder, parts[i]);
        glob_t found;
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++) {
            struct stat s;
            assert_int_equal(stat(found.gl_pathv[k], &s), 0);
            h = hd_hash_add(hd_hash_add(h, (uint64_t)s.st_mtim.tv_sec),
                            (uint64_t)s.st_mtim.tv_nsec ^ (uint64_t)s.st_size);
        }
        globfree(&found);
        free(pattern);
    }
    return h;
}

static void write_program(const char *folder, const char *text) {
    char *source = hd_text_format("%s/program.c", folder);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(source);
}

/* The folder of the program's module.  It is compiled once for all builds with this compiler, and
 * stays: whoever asks at the same time waits for it. */
static char *keep_program(const char *text) {
    char compiler[PATH_MAX];
    find_compiler(compiler);
    uint64_t key = hd_hash_bytes(hash_compiler(compiler), text, strlen(text));
    char *kept = hd_text_format("%s/cache/programs/%016llx", compiler, (unsigned long long)key);
    assert_true(shell("mkdir -p '%s'", kept));
    int lock = open(kept, O_RDONLY | O_DIRECTORY);
    assert_true(lock >= 0 && flock(lock, LOCK_EX) == 0);
    char *is_whole = hd_text_format("%s/is_whole", kept);
    if (access(is_whole, F_OK) != 0) {
        write_program(kept, text);
        if (!shell("cd '%s' && '%s/heddle-compile' --output=. program.c 2>&1 && touch is_whole",
                   kept, compiler))
            fail_msg("cannot compile the program in %s", kept);
    }
    free(is_whole);
    close(lock);
    return kept;
}

/* The module of the program whose text this is, in a new directory. */
static char *compile_program(const char *text) {
    char directory[] = "/tmp/heddle-test-XXXXXX", *kept = keep_program(text);
    assert_non_null(mkdtemp(directory));
    assert_true(shell("cp -r '%s/.' '%s'", kept, directory));
    free(kept);
    return hd_text_format("%s", directory);
}

static void remove_program(char *directory) {
    assert_true(shell("rm -rf '%s'", directory));
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
