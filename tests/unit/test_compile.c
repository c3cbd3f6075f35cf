/* hd_compile(): what a module contains, when it is made anew, and what is said when it
 * cannot be made. */
#include "base/text.h"
#include "compile/compile.h"
#include "compile/flag.h"
#include "compile/module_cache.h"
#include "machine/module.h"
#include "program/abi.h"
#include "tool/scratch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *name, const char *text) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static bool compile(const char *source, const char *function, const char *checks,
                    hd_compile_result *result, hd_err *err) {
    hd_compile_request request = {
        .sources = &source, .n_sources = 1, .function = function, .checks = checks};
    *err = (hd_err){0};
    return hd_compile(&request, result, err);
}

static hd_compile_result compiled(const char *source) {
    hd_compile_result result;
    hd_err err;
    if (!compile(source, NULL, NULL, &result, &err))
        fail_msg("%s", err.message);
    return result;
}

/* The image's header, from the file alone. */
static hd_image read_header(const char *directory) {
    hd_text path = {0}, file = {0};
    hd_image image = {0};
    hd_text_add(&path, "%s/image", directory);
    assert_true(hd_text_read_file(&file, hd_text_string(&path)));
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file.at;
    const Elf64_Phdr *segment = (const Elf64_Phdr *)(file.at + header->e_phoff);
    for (unsigned n = 0; n < header->e_phnum; n++)
        if (header->e_entry - segment[n].p_vaddr < segment[n].p_filesz)
            memcpy(&image, file.at + segment[n].p_offset + header->e_entry - segment[n].p_vaddr,
                   sizeof image);
    hd_text_release(&path);
    hd_text_release(&file);
    assert_true(image.magic == HD_IMAGE_MAGIC);
    return image;
}

static void image_is_what_the_machine_loads(void **state) {
    (void)state;
    write_file("plain.c", "int a[3]; int main(void) { return a[1]; }\n");
    hd_image image = read_header(compiled("plain.c").directory);
    assert_int_equal(image.version, HD_ABI_VERSION);
    assert_true((uintptr_t)image.main >= HD_IMAGE_BASE);
    assert_true(image.n_globals >= 1);
    assert_int_equal((uintptr_t)image.coverage % 4096, 0);
}

/* Each `if` would become a select or a bit trick in ordinary optimisation. */
static void branches_survive(void **state) {
    (void)state;
    write_file("branches.c", "int main(int argc, char **argv) {\n"
                             "    int r = 0;\n"
                             "    if (argc > 3) r = 1;\n"
                             "    if (argc == 5 && argv[0]) r |= 2;\n"
                             "    if (argc & 1) r++; else r--;\n"
                             "    while (r > 7) r /= 2;\n"
                             "    switch (argc) { case 1: r++; case 2: return r; case 9: r = 3; }\n"
                             "    return r;\n"
                             "}\n");
    /* 5 conditions of `if` and `while`, one more of &&, 4 ways out of the switch. */
    assert_int_equal(read_header(compiled("branches.c").directory).n_branches, 5 + 4);
}

typedef struct questions {
    uint64_t branches, others; /* places that can ask which way a branch goes, or something else */
} questions;

/* Of a program with a decision, with these options of clang. */
static questions count_questions(const char *const *options, size_t n) {
    const char *source = "decision.c";
    hd_compile_request request = {
        .sources = &source, .n_sources = 1, .options = options, .n_options = n};
    hd_compile_result result;
    hd_err err = {0};
    hd_module module;
    if (!hd_compile(&request, &result, &err) || !hd_module_load(&module, result.directory, &err))
        fail_msg("%s", err.message);
    questions found = {0};
    for (uint64_t i = 0; i < module.image->n_sites; i++)
        *(module.image->sites[i].branch == UINT32_MAX ? &found.others : &found.branches) += 1;
    hd_module_unload(&module);
    return found;
}

/* What is loaded in a decision is known after it: test vectors are written where no load looks.
 * And so is the way that it goes: it is not asked for again where its ways meet. */
static void vectors_ask_nothing(void **state) {
    (void)state;
    static const char *const counting[] = {"-fprofile-instr-generate", "-fcoverage-mapping",
                                           "-fcoverage-mcdc", HD_VECTORS_ONLY_FLAG};
    write_file("decision.c", "static int item(const char *p) {\n"
                             "    if (*p == '$' && p[1] == 0) return 1;\n"
                             "    return *p == '*' ? 2 : p[0] + 1;\n"
                             "}\n"
                             "int main(int argc, char **argv) { return item(argv[argc - 1]); }\n");
    questions with = count_questions(counting, 4), without = count_questions(NULL, 0);
    assert_int_equal(with.others, without.others);
    assert_int_equal(with.branches, without.branches);
}

static void checks_are_no_branches_of_the_program(void **state) {
    (void)state;
    write_file("checks.c", "int main(int argc, char **argv) {\n"
                           "    (void)argv;\n"
                           "    return 100 / argc + (argc << argc) * argc;\n"
                           "}\n");
    assert_int_equal(read_header(compiled("checks.c").directory).n_branches, 0);
}

static void second_time_comes_from_the_cache(void **state) {
    (void)state;
    write_file("cached.c", "int main(void) { return 1; }\n");
    hd_compile_result first = compiled("cached.c"), second = compiled("cached.c");
    assert_false(first.was_cached);
    assert_true(second.was_cached);
    assert_string_equal(first.directory, second.directory);
    assert_true(first.hash == second.hash);
}

/* Which is what makes it quick; bench/run measures how quick. */
static void look_up_starts_no_process(void **state) {
    (void)state;
    write_file("quick.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                          "int main(void) { return 0; }\n");
    struct rusage first, second, third;
    getrusage(RUSAGE_CHILDREN, &first);
    compiled("quick.c");
    getrusage(RUSAGE_CHILDREN, &second);
    assert_true(compiled("quick.c").was_cached);
    getrusage(RUSAGE_CHILDREN, &third);
    assert_true(second.ru_minflt > first.ru_minflt);
    assert_int_equal(third.ru_minflt, second.ru_minflt);
}

/* Looked up with this list of the files that were read. */
static bool is_hit(const char *path, uint64_t key, const char *list, size_t n) {
    hd_compile_result result;
    hd_text directory = {0};
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(list, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    assert_true(hd_cache_directory(&directory));
    bool hit = hd_cache_look_up(hd_text_string(&directory), key, &result);
    hd_text_release(&directory);
    return hit;
}

/* A list that lost files, or has others, would not notice that they change. */
static void damaged_manifests_are_not_believed(void **state) {
    (void)state;
    const char *source = "cut.c";
    hd_compile_request request = {.sources = &source, .n_sources = 1};
    hd_text path = {0}, good = {0};
    write_file("cut.h", "#define VALUE 1\n");
    write_file("cut.c", "#include \"cut.h\"\nint main(void) { return VALUE; }\n");
    compiled("cut.c");
    uint64_t key = hd_cache_key(&request);
    assert_true(hd_cache_directory(&path));
    hd_text_add(&path, "/%016lx.manifest", key);
    assert_true(hd_text_read_file(&good, hd_text_string(&path)));
    for (size_t n = 0; n <= good.n; n++)
        assert_int_equal(is_hit(hd_text_string(&path), key, good.at, n), n == good.n);
    for (size_t bit = 0; bit < good.n * 8; bit++) {
        char *byte = &good.at[bit / 8], was = *byte;
        *byte ^= (char)(1 << bit % 8);
        assert_false(is_hit(hd_text_string(&path), key, good.at, good.n));
        *byte = was;
    }
    assert_true(is_hit(hd_text_string(&path), key, good.at, good.n));
    hd_text_release(&good);
    hd_text_release(&path);
}

static void changes_are_seen(void **state) {
    (void)state;
    write_file("part.h", "#define VALUE 1\n");
    write_file("changes.c", "#include \"part.h\"\nint main(void) { return VALUE; }\n");
    hd_compile_result first = compiled("changes.c");
    utimensat(AT_FDCWD, "changes.c", NULL, 0);
    assert_true(compiled("changes.c").was_cached); /* touched, not changed */
    write_file("part.h", "#define VALUE 2\n");
    hd_compile_result second = compiled("changes.c");
    assert_false(second.was_cached);
    assert_true(first.hash != second.hash);
    write_file("part.h", "#define VALUE 1\n");
    assert_true(compiled("changes.c").hash == first.hash);
    assert_int_equal(access(second.directory, F_OK), 0);
}

static void options_are_part_of_the_key(void **state) {
    (void)state;
    const char *source = "options.c", *options[] = {"-DX=3"};
    write_file(source, "#ifndef X\n#define X 4\n#endif\nint main(void) { return X; }\n");
    hd_compile_request request = {.sources = &source, .n_sources = 1, .options = options};
    hd_compile_result plain, with;
    hd_err err;
    assert_true(hd_compile(&request, &plain, &err));
    request.n_options = 1;
    assert_true(hd_compile(&request, &with, &err));
    assert_false(with.was_cached);
    assert_true(plain.hash != with.hash);
}

static void types_are_written(void **state) {
    (void)state;
    write_file("types.c", "#include <heddle.h>\n"
                          "struct node { int value; struct node *next; unsigned b : 3; };\n"
                          "int main(void) { struct node *l; heddle_input(l); return l != 0; }\n");
    hd_text path = {0}, types = {0};
    hd_text_add(&path, "%s/types", compiled("types.c").directory);
    assert_true(hd_text_read_file(&types, hd_text_string(&path)));
    assert_non_null(strstr(hd_text_string(&types), "struct 24 node\nfield 0 "));
    assert_non_null(strstr(hd_text_string(&types), " 0 0 next\n"));
    assert_non_null(strstr(hd_text_string(&types), " 0 3 b\n"));
    assert_non_null(strstr(hd_text_string(&types), "key 12"));
    hd_text_release(&path);
    hd_text_release(&types);
}

static void function_gets_a_driver(void **state) {
    (void)state;
    write_file("function.c", "struct p { int x, y; };\n"
                             "static int f(const struct p *p, const int k) { return p->x / k; }\n"
                             "int main(void) { return f(0, 1); }\n");
    hd_compile_result result;
    hd_err err;
    if (!compile("function.c", "f", NULL, &result, &err))
        fail_msg("%s", err.message);
}

static void expect_error(const char *source, const char *function, const char *checks,
                         const char *message) {
    hd_compile_result result;
    hd_err err;
    assert_false(compile(source, function, checks, &result, &err));
    assert_string_equal(err.message, message);
    assert_true(err.hint[0] != '\0');
}

static void errors_are_one_sentence(void **state) {
    (void)state;
    write_file("nomain.c",
               "int f(void *p) { return p != 0; }\nint g(int (*h)(int)) { return h(1); }\n");
    expect_error("missing.c", NULL, NULL, "cannot read 'missing.c': No such file or directory");
    expect_error("nomain.c", NULL, NULL, "no function 'main' in 'nomain.c'");
    expect_error("nomain.c", "nothing", NULL, "no function 'nothing' in 'nomain.c'");
    expect_error(
        "nomain.c", "f", NULL,
        "argument 'p' of 'f' cannot be an input: nothing is known of what a 'void *' points to");
    expect_error("nomain.c", "g", NULL,
                 "argument 'h' of 'g' cannot be an input: it is a pointer to a function");
    expect_error("nomain.c", NULL, "overflow,typo", "there is no check 'typo'");
}

/* clang's message goes to standard error; the sentence does not repeat it. */
static void compile_errors_are_clangs(void **state) {
    (void)state;
    write_file("wrong.c", "int main(void) { return undeclared; }\n");
    int kept = dup(STDERR_FILENO), file = open("stderr", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    hd_compile_result result;
    hd_err err;
    bool ok = compile("wrong.c", NULL, NULL, &result, &err);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    assert_false(ok);
    assert_string_equal(err.message, "cannot compile 'wrong.c'");
    hd_text said = {0};
    assert_true(hd_text_read_file(&said, "stderr"));
    const char *first = strstr(hd_text_string(&said), "undeclared identifier");
    assert_non_null(first);
    assert_null(strstr(first + 1, "undeclared identifier"));
    hd_text_release(&said);
}

static void cache_that_cannot_be_written_is_no_error(void **state) {
    (void)state;
    write_file("nocache.c", "int main(void) { return 0; }\n");
    setenv("HEDDLE_CACHE", "/proc/nowhere", 1);
    hd_compile_result result = compiled("nocache.c");
    setenv("HEDDLE_CACHE", scratch, 1);
    assert_false(result.was_cached);
    assert_int_equal(access(result.directory, R_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(image_is_what_the_machine_loads),
        cmocka_unit_test(branches_survive),
        cmocka_unit_test(vectors_ask_nothing),
        cmocka_unit_test(checks_are_no_branches_of_the_program),
        cmocka_unit_test(second_time_comes_from_the_cache),
        cmocka_unit_test(look_up_starts_no_process),
        cmocka_unit_test(changes_are_seen),
        cmocka_unit_test(damaged_manifests_are_not_believed),
        cmocka_unit_test(options_are_part_of_the_key),
        cmocka_unit_test(types_are_written),
        cmocka_unit_test(function_gets_a_driver),
        cmocka_unit_test(errors_are_one_sentence),
        cmocka_unit_test(compile_errors_are_clangs),
        cmocka_unit_test(cache_that_cannot_be_written_is_no_error),
    };
    return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
