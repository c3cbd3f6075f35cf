/* Files that one compilation keeps for the next (compile/compiler/kept_files.c, code_parts.c):
 * whatever is edited and whatever becomes of them, the image is the one that a compilation without
 * any makes, byte for byte. */
#include "base/hash.h"
#include "base/text.h"
#include "compile/compile.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/heddle-test-XXXXXX";

/* -- The program --------------------------------------------------------------------------- */

/* Numbers that edits change; two sources have the same text but for nothing. */
typedef struct text_state {
    unsigned one, two, left, right, main, option;
    bool is_swapped;
} text_state;

static text_state now;

static void write_text(const char *name, const char *format, unsigned value) {
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fprintf(out, format, value, value);
    assert_int_equal(fclose(out), 0);
}

#define TWIN                                                                                       \
    "static int count;\nstatic int same(int x) { return x > %u ? ++count : x; }\n"                 \
    "int NAME(int x) { int r = 0; for (int i = 0; i < x; i++) r += same(i); return r; }\n"

static void write_sources(void) {
    write_text("one.h", "#define ONE %u\n", now.one);
    write_text("two.h", "#define TWO %u\n", now.two);
    write_text(
        "left.c",
        "#include \"one.h\"\n#include <string.h>\nstatic int table[] = {1, ONE};\n"
        "int left(const char *s) { if (strlen(s) > ONE) return %u; return table[s[0] & 1]; }\n",
        now.left);
    write_text(
        "right.c",
        "#include \"two.h\"\n#include <stdlib.h>\nint left(const char *s);\n"
        "int right(int x) { char t[9] = \"abc\"; if (x == TWO) x = (int)strtol(\"4\", 0, 0);\n"
        "    return x > %u ? left(t) : x; }\n"
        "int (*pointer)(int) = right;\n",
        now.right);
    write_text("first.c", "#define NAME first\n" TWIN, 3);
    write_text("second.c", "#define NAME second\n" TWIN, 3);
    write_text("main.c",
               "#include <heddle.h>\nint right(int), first(int), second(int);\n"
               "extern int (*pointer)(int);\n"
               "int main(void) { int x = heddle_choose(0, 3); if (x == %u) x++;\n"
               "    return pointer(x) + right(x) + first(x) + second(x + N); }\n",
               now.main);
}

static hd_compile_result compile(void) {
    const char *plain[] = {"main.c", "left.c", "right.c", "first.c", "second.c"};
    const char *swapped[] = {"second.c", "right.c", "left.c", "main.c", "first.c"};
    char *option = hd_text_format("-DN=%u", now.option);
    const char *options[] = {option, "-w"};
    hd_compile_request request = {.sources = now.is_swapped ? swapped : plain,
                                  .n_sources = 5,
                                  .options = options,
                                  .n_options = 2};
    hd_compile_result result;
    hd_err err;
    if (!hd_compile(&request, &result, &err))
        fail_msg("%s", err.message);
    free(option);
    return result;
}

static void read_image(const char *directory, hd_text *image) {
    char *path = hd_text_format("%s/image", directory);
    assert_true(hd_text_read_file(image, path));
    free(path);
}

static void remove_all(const char *path) {
    char *command = hd_text_format("rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
    free(command);
}

/* Against a cache that has nothing. */
static void expect_right_image(void) {
    hd_text with = {0}, without = {0};
    read_image(compile().directory, &with);
    setenv("HEDDLE_CACHE", "fresh", 1);
    read_image(compile().directory, &without);
    setenv("HEDDLE_CACHE", "cache", 1);
    remove_all("fresh");
    assert_int_equal(with.n, without.n);
    assert_memory_equal(with.at, without.at, with.n);
    hd_text_release(&with);
    hd_text_release(&without);
}

/* -- The files ----------------------------------------------------------------------------- */

typedef void file_visitor(const char *path, const char *name, void *context);

static void each_in(const char *folder, const char *part, file_visitor *visit, void *context) {
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *e; (e = readdir(all));)
        if (strstr(e->d_name, part)) {
            char *path = hd_text_format("%s/%s", folder, e->d_name);
            visit(path, e->d_name, context);
            free(path);
        }
    closedir(all);
}

static void visit_folder(const char *path, const char *name, void *context) {
    (void)name;
    file_visitor *visit = *(file_visitor **)context;
    each_in(path, "kept-", visit, context);
}

typedef struct visiting {
    file_visitor *visit;
    hd_text names;
    unsigned n, n_known, way;
    uint64_t random;
} visiting;

static void each_kept(visiting *v) {
    each_in("cache", ".kept", visit_folder, v);
}

static void note_name(const char *path, const char *name, void *context) {
    (void)path;
    visiting *v = context;
    v->n_known += strstr(hd_text_string(&v->names), name) != NULL;
    v->n++;
    hd_text_add(&v->names, "%s\n", name);
}

static void damage(const char *path, const char *name, void *context) {
    (void)name;
    visiting *v = context;
    hd_text file = {0};
    assert_true(hd_text_read_file(&file, path));
    if (v->way == 0)
        file.at[hd_random_next(&v->random) % file.n] ^= (char)(1 << hd_random_next(&v->random) % 8);
    else if (v->way == 1)
        file.n = hd_random_next(&v->random) % file.n;
    else if (v->way == 2)
        file.n = 0;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fwrite(file.at, 1, file.n, out);
    if (v->way == 3)
        fputc('x', out);
    assert_int_equal(fclose(out), 0);
    hd_text_release(&file);
}

/* -- Tests --------------------------------------------------------------------------------- */

/* Else the others would show nothing. */
static void an_edit_of_main_uses_what_was_kept(void **state) {
    (void)state;
    visiting v = {.visit = note_name};
    expect_right_image();
    each_kept(&v);
    unsigned n = v.n;
    assert_true(n >= 10); /* five sources with their lists, and parts */
    now.main++;
    write_sources();
    expect_right_image();
    v.n = v.n_known = 0;
    each_kept(&v);
    assert_true(v.n_known + 4 >= n); /* all but main's list, its code, its part and data */
    assert_true(v.n_known < v.n);
    hd_text_release(&v.names);
}

/* Each costs two compilations; under the sanitizers nothing else is seen than without. */
static unsigned n_edits(void) {
#ifdef __SANITIZE_ADDRESS__
    return 1;
#else
    return getenv("SOAK") ? 10 : 6; /* one of each */
#endif
}

/* Who reads files that are damaged is another program, which has no sanitizers here. */
static unsigned n_damages(void) {
#ifdef __SANITIZE_ADDRESS__
    return 1;
#else
    return 4;
#endif
}

static void edits_are_seen(void **state) {
    (void)state;
    unsigned *const numbers[] = {&now.one, &now.two, &now.left, &now.right, &now.main, &now.option};
    uint64_t random = 4;
    for (unsigned step = 0; step < n_edits(); step++) {
        unsigned k = step < 6 ? step : (unsigned)(hd_random_next(&random) % 7);
        if (k == 6)
            now.is_swapped = !now.is_swapped;
        else
            *numbers[k] = (unsigned)(hd_random_next(&random) % 4);
        write_sources();
        expect_right_image();
    }
    now.is_swapped = !now.is_swapped;
    expect_right_image();
}

static void damage_is_never_believed(void **state) {
    (void)state;
    for (unsigned way = 0; way < n_damages(); way++) {
        visiting v = {.visit = damage, .way = way, .random = way + 1};
        each_kept(&v);
        now.main += 4;
        write_sources();
        expect_right_image();
    }
}

/* What another program has kept is not read: its folder is another one. */
static void a_file_where_the_folder_was_is_no_error(void **state) {
    (void)state;
    remove_all("cache");
    expect_right_image();
    assert_int_equal(system("for f in cache/*.kept; do rm -r $f && echo x >$f; done"), 0);
    now.main++;
    write_sources();
    expect_right_image();
}

static void runs_share_a_cache(void **state) {
    (void)state;
    enum { RUNS = 3 };
    now.main++;
    write_sources();
    for (int n = 0; n < RUNS; n++)
        if (fork() == 0) {
            compile();
            _exit(0);
        }
    for (int n = 0, status; n < RUNS; n++) {
        wait(&status);
        assert_int_equal(status, 0);
    }
    expect_right_image();
    now.main++;
    write_sources();
    expect_right_image();
}

static int enter_scratch(void **state) {
    (void)state;
    if (!mkdtemp(scratch) || chdir(scratch) != 0)
        return 1;
    setenv("HEDDLE_CACHE", "cache", 1);
    setenv("TMPDIR", scratch, 1);
    setenv("HEDDLE_COMPILE_DIVIDE", "1", 1);
    write_sources();
    return 0;
}

static int leave_scratch(void **state) {
    (void)state;
    remove_all(scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_of_main_uses_what_was_kept),
        cmocka_unit_test(edits_are_seen),
        cmocka_unit_test(damage_is_never_believed),
        cmocka_unit_test(a_file_where_the_folder_was_is_no_error),
        cmocka_unit_test(runs_share_a_cache),
    };
    return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
