/* Several programs in one module: equal names are different things, each program has its own
 * start and end, and none sees what another defines. */
#include "base/text.h"
#include "compile/compile.h"
#include "machine/machine.h"
#include "tool/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *name, const char *text) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Functions, objects, types, an inline function, a function of libc of its own, thread-local and
 * weak objects: all called the same in both. */
#define PROGRAM(number, fields)                                                                    \
    "#include <heddle.h>\n"                                                                        \
    "#include <string.h>\n"                                                                        \
    "struct box { " fields " };\n"                                                                 \
    "int shared = " number ", started, part(void);\n"                                              \
    "static int own = 10 * " number ";\n"                                                          \
    "__attribute__((weak)) int weak = 100 * " number ";\n"                                         \
    "inline int twice(int x) { return " number " * x; }\n"                                         \
    "static int next(void) { static int state = " number "; return state++; }\n"                   \
    "__attribute__((constructor)) static void start(void) { started += " number "; }\n"            \
    "int main(int argc, char **argv, char **environment) {\n"                                      \
    "    struct box *b;\n"                                                                         \
    "    heddle_input(b);\n"                                                                       \
    "    (void)argc, (void)environment, (void)b, next();\n"                                        \
    "    return shared + own + weak + twice(1) + next() + started + part() + "                     \
    "(int)strlen(argv[0]);\n"                                                                      \
    "}\n"

static void write_programs(void) {
    write_file("a.c", PROGRAM("1", "int first, second;"));
    write_file("b.c", PROGRAM("2", "long whole;"));
    write_file("part_a.c", "int part(void) { return 1000; }\n");
    write_file("part_b.c", "#ifndef N\n#define N 1\n#endif\nint part(void) { return 2000 * N; }\n"
                           "unsigned long strlen(const char *s) { (void)s; return 9; }\n");
}

static bool compile(size_t n, const char *const *options_of_b, size_t n_options,
                    hd_compile_result *result, hd_err *err) {
    static const char *const a[] = {"a.c", "part_a.c"}, *const b[] = {"b.c", "part_b.c"};
    const hd_compile_program programs[] = {
        {"first", a, 2, NULL, 0, NULL},
        {"second \"one\"", b, 2, options_of_b, n_options, NULL},
    };
    hd_compile_request request = {.programs = programs, .n_programs = n};
    *err = (hd_err){0};
    return hd_compile(&request, result, err);
}

/* Another program than the first is run by a copy of the image's header, which is constant. */
static int status_of(const hd_module *module, size_t program) {
    static char *arguments[] = {(char *)"program", NULL};
    hd_machine_options options = hd_machine_defaults();
    hd_graph *graph = hd_graph_new(true);
    hd_variables *variables = hd_variables_new();
    hd_model model = {0};
    hd_outcome outcome = {0};
    hd_sink sink = {0};
    hd_err err;
    const hd_program *p = &module->image->programs[program];
    hd_image image = *module->image;
    hd_module of_program = *module;
    image.main = p->main;
    image.constructors = p->constructors;
    image.destructors = p->destructors;
    of_program.image = &image;
    options.argc = 1;
    options.argv = arguments;
    hd_machine *machine = hd_machine_new(&of_program, graph, variables, &options, &err);
    assert_non_null(machine);
    hd_machine_run(machine, &model, &sink, &outcome);
    assert_int_equal(outcome.end, HD_END_EXIT);
    hd_machine_free(machine);
    hd_model_release(&model);
    hd_variables_free(variables);
    hd_graph_free(graph);
    return outcome.status;
}

static hd_module load(const hd_compile_result *compiled) {
    hd_module module;
    hd_err err;
    if (!hd_module_load(&module, compiled->directory, &err))
        fail_msg("%s", err.message);
    return module;
}

static void equal_names_do_not_meet(void **state) {
    (void)state;
    hd_compile_result compiled;
    hd_err err;
    write_programs();
    if (!compile(2, NULL, 0, &compiled, &err))
        fail_msg("%s", err.message);
    hd_module module = load(&compiled);
    assert_int_equal(module.image->n_programs, 2);
    assert_string_equal(module.image->programs[0].name, "first");
    assert_string_equal(module.image->programs[1].name, "second \"one\"");
    assert_true(module.image->main == module.image->programs[0].main);
    assert_int_equal(status_of(&module, 0), (1 + 10 + 100 + 1 + 2 + 1 + 1000 + 7) % 256);
    assert_int_equal(status_of(&module, 1), (2 + 20 + 200 + 2 + 3 + 2 + 2000 + 9) % 256);
    hd_module_unload(&module);
}

/* What users read has the source's names, without a sign of the other program. */
static void names_are_those_of_the_source(void **state) {
    (void)state;
    hd_compile_result compiled;
    hd_err err;
    assert_true(compile(2, NULL, 0, &compiled, &err));
    hd_module module = load(&compiled);
    unsigned n_shared = 0;
    for (uint64_t n = 0; n < module.image->n_globals; n++) {
        assert_null(strstr(module.image->globals[n].name, ".."));
        n_shared += strcmp(module.image->globals[n].name, "shared") == 0;
    }
    assert_int_equal(n_shared, 2);
    for (uint64_t n = 0; n < module.image->n_sites; n++)
        assert_null(strstr(module.image->sites[n].function, ".."));
    hd_module_unload(&module);
}

/* A type of one program is not that of the other, even if name and size agree. */
static void types_do_not_meet(void **state) {
    (void)state;
    hd_compile_result compiled;
    hd_err err;
    hd_text text = {0};
    assert_true(compile(2, NULL, 0, &compiled, &err));
    char *path = hd_text_format("%s/types", compiled.directory);
    assert_true(hd_text_read_file(&text, path));
    assert_non_null(strstr(text.at, " second\n"));
    assert_non_null(strstr(text.at, " whole\n"));
    hd_text_release(&text);
    free(path);
}

static void all_of_it_is_part_of_the_key(void **state) {
    (void)state;
    static const char *const option[] = {"-DN=3"};
    hd_compile_result plain, again, with, one;
    hd_err err;
    assert_true(compile(2, NULL, 0, &plain, &err));
    assert_true(compile(2, NULL, 0, &again, &err));
    assert_true(again.was_cached);
    assert_true(compile(2, option, 1, &with, &err));
    assert_true(compile(1, NULL, 0, &one, &err));
    assert_true(with.hash != plain.hash && one.hash != plain.hash);
    hd_module module = load(&with);
    assert_int_equal(status_of(&module, 1), (2 + 20 + 200 + 2 + 3 + 2 + 6000 + 9) % 256);
    hd_module_unload(&module);
}

/* A function that only the other program defines is as unknown as one that nobody defines. */
static void programs_do_not_see_each_other(void **state) {
    (void)state;
    static const char *const a[] = {"giver.c"}, *const b[] = {"taker.c"};
    const hd_compile_program programs[] = {{"giver", a, 1, NULL, 0, NULL}, {"taker", b, 1, NULL, 0, NULL}};
    hd_compile_request request = {.programs = programs, .n_programs = 2};
    hd_compile_result compiled;
    hd_module module;
    hd_err err;
    write_file("giver.c", "int given(void) { return 1; }\nint main(void) { return given(); }\n");
    write_file("taker.c", "int given(void);\nint main(void) { return given(); }\n");
    assert_true(hd_compile(&request, &compiled, &err));
    assert_true(hd_module_load(&module, compiled.directory, &err));
    assert_int_equal(module.refused.n, 1);
    assert_string_equal(module.refused.at[0], "given");
    hd_module_unload(&module);
}

static void each_needs_a_main(void **state) {
    (void)state;
    static const char *const a[] = {"giver.c"}, *const b[] = {"empty.c"};
    const hd_compile_program programs[] = {{"giver", a, 1, NULL, 0, NULL}, {"empty", b, 1, NULL, 0, NULL}};
    hd_compile_request request = {.programs = programs, .n_programs = 2};
    hd_compile_result compiled;
    hd_err err;
    write_file("empty.c", "int nothing;\n");
    assert_false(hd_compile(&request, &compiled, &err));
    assert_string_equal(err.message, "no function 'main' in 'empty.c'");
}

/* A record that names a program which its module does not have is refused. */
static void nodes_must_fit_the_image(void **state) {
    (void)state;
    hd_image image = {.n_programs = 2};
    hd_network_node nodes[] = {{.name = "a"}, {.name = "b", .program = 1}};
    hd_err err;
    assert_true(hd_nodes_fit(nodes, 2, &image, &err));
    nodes[1].program = 2;
    assert_false(hd_nodes_fit(nodes, 2, &image, &err));
    nodes[0].program = 1;
    assert_false(hd_nodes_fit(nodes, 1, &image, &err));
    assert_true(hd_nodes_fit(NULL, 0, &image, &err));
    assert_false(hd_nodes_fit(nodes, 64, &image, &err));
}

static void own_links_come_first(void **state) {
    (void)state;
    const hd_link links[] = {
        {HD_EVERY_NODE, HD_EVERY_NODE, .is_fifo = true, .latency = HD_LATENCY_NONE, .is_cut = true},
        {0, 1, .is_fifo = true, .latency = HD_LATENCY_ANY},
        {2, 1, .is_fifo = false, .latency = HD_LATENCY_NONE}};
    assert_true(hd_link_between(links, 3, 1, 0).is_cut && hd_link_between(links, 3, 2, 0).is_cut);
    assert_false(hd_link_between(links, 3, 0, 1).is_cut);
    assert_false(hd_link_between(links, 3, 1, 1).is_cut); /* a node reaches itself */
    assert_true(hd_link_between(links, 3, 0, 1).is_fifo);
    assert_int_equal(hd_link_between(links, 3, 0, 1).latency, HD_LATENCY_ANY);
    assert_false(hd_link_between(links, 3, 2, 1).is_fifo);
    assert_true(hd_link_between(links, 3, 1, 0).is_fifo);
    assert_int_equal(hd_link_between(links, 3, 1, 0).from, 1);
    assert_false(hd_link_between(NULL, 0, 1, 0).is_fifo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_do_not_meet),
        cmocka_unit_test(names_are_those_of_the_source),
        cmocka_unit_test(types_do_not_meet),
        cmocka_unit_test(all_of_it_is_part_of_the_key),
        cmocka_unit_test(programs_do_not_see_each_other),
        cmocka_unit_test(each_needs_a_main),
        cmocka_unit_test(nodes_must_fit_the_image),
        cmocka_unit_test(own_links_come_first),
    };
    return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
