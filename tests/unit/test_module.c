/* Loading images: good ones, damaged ones, and programs that are refused. */
#include "program/module_fingerprint.h"
#include "tool/machine_program.h"

static void test_load_and_unload(void **state) {
    (void)state;
    hd_err err;
    char *directory = compile_program("int table[3] = {1, 2, 3};\nint main(void) { return 0; }\n");
    for (int round = 0; round < 3; round++) {
        hd_module m;
        assert_true(hd_module_load(&m, directory, &err));
        assert_int_equal(m.image->magic, HD_IMAGE_MAGIC);
        assert_true(m.data_start >= HD_IMAGE_BASE && m.data_start < m.data_end);
        assert_true(m.code_start >= HD_IMAGE_BASE && m.code_start < m.code_end);
        assert_true((uint64_t)m.image->main >= m.code_start);
        assert_false(m.has_stateful_imports);
        hd_module_unload(&m);
    }
    remove_program(directory);
}

static void test_poison_behind_globals(void **state) {
    (void)state;
    hd_err err;
    hd_module m;
    char *directory = compile_program("int table[3] = {1, 2, 3}; int volatile i;\n"
                                      "int main(void) { return table[i]; }\n");
    assert_true(hd_module_load(&m, directory, &err));
    bool found = false;
    for (uint64_t i = 0; i < m.image->n_globals; i++) {
        const hd_global *g = &m.image->globals[i];
        if (strcmp(g->name, "table") != 0)
            continue;
        found = true;
        assert_int_equal(g->size, 12);
        assert_int_equal(*HD_SHADOW_OF(g->address + 11), 0);
        assert_int_equal(*HD_SHADOW_OF(g->address + 12), HD_POISON_GLOBAL);
        assert_int_equal(*HD_SHADOW_OF(g->address + g->padded - 1), HD_POISON_GLOBAL);
    }
    assert_true(found);
    hd_module_unload(&m);
    remove_program(directory);
}

/* Such a program is loaded: an execution ends where it reaches the function. */
static void expect_refused(const char *text, const char *name) {
    hd_err err = {0};
    hd_module m;
    char *directory = compile_program(text);
    assert_true(hd_module_load(&m, directory, &err));
    assert_int_equal(m.refused.n, name ? 1 : 0);
    if (name)
        assert_string_equal(m.refused.at[0], name);
    hd_module_unload(&m);
    remove_program(directory);
}

static void test_refused_functions(void **state) {
    (void)state;
    expect_refused("#include <sys/ptrace.h>\nint main(void) { return (int)ptrace(0); }\n",
                   "ptrace");
    expect_refused("#include <sys/sem.h>\nint main(void) { return semget(0, 1, 0); }\n", "semget");
    expect_refused("int frobnicate(void); int main(void) { return frobnicate(); }\n", "frobnicate");
    expect_refused("#include <stdio.h>\nint main(void) { return puts(\"\"); }\n", NULL);
}

/* An object cannot be refused where it is used: it would have to be something. */
static void test_missing_object(void **state) {
    (void)state;
    hd_err err = {0};
    hd_module m;
    char *directory = compile_program("extern int frobs; int main(void) { return frobs; }\n");
    assert_false(hd_module_load(&m, directory, &err));
    assert_non_null(strstr(err.message, "'frobs', which nobody defines"));
    assert_true(err.hint[0]);
    remove_program(directory);
}

static void test_stateful_programs_are_noted(void **state) {
    (void)state;
    hd_err err;
    hd_module m;
    char *directory =
        compile_program("#include <sys/statvfs.h>\n"
                        "int main(void) { struct statvfs u; return statvfs(\"/\", &u); }\n");
    assert_true(hd_module_load(&m, directory, &err));
    assert_true(m.has_stateful_imports);
    assert_string_equal(m.stateful_import, "statvfs");
    hd_module_unload(&m);
    remove_program(directory);
}

static void test_missing_module(void **state) {
    (void)state;
    hd_err err = {0};
    hd_module m;
    assert_false(hd_module_load(&m, "/nonexistent", &err));
    assert_non_null(strstr(err.message, "/nonexistent/image"));
}

/* A file that is not as it was compiled, and no fingerprint: each has its sentence. */
static void test_fingerprint(void **state) {
    (void)state;
    char *directory = compile_program("int main(void) { return 0; }\n");
    char *types = hd_text_format("%s/types", directory);
    char *fingerprint = hd_text_format("%s/fingerprint", directory);
    hd_err changed = {0}, other = {0};
    hd_module m;
    FILE *file = fopen(types, "ab");
    fputc('x', file);
    fclose(file);
    assert_false(hd_module_load(&m, directory, &changed));
    assert_non_null(strstr(changed.message, "damaged, or gone"));
    assert_int_equal(remove(fingerprint), 0);
    assert_false(hd_module_load(&m, directory, &other));
    assert_non_null(strstr(other.message, "another version of Heddle"));
    free(types);
    free(fingerprint);
    remove_program(directory);
}

/* Every way to cut or change the header gives a sentence. */
static void test_damaged_images(void **state) {
    (void)state;
    char *directory = compile_program("int main(void) { return 0; }\n");
    char *path = hd_text_format("%s/image", directory);
    hd_text good = {0};
    assert_true(hd_text_read_file(&good, path));
    for (unsigned seed = 0; seed < 400; seed++) {
        hd_err err = {0};
        hd_module m;
        FILE *file = fopen(path, "wb");
        size_t n = seed % 4 == 0 ? good.n * seed / 400 : good.n;
        fwrite(good.at, 1, n, file);
        /* one byte of the headers */
        fseek(file, (long)(seed * 7 % 376), SEEK_SET);
        fputc((int)(seed * 37 % 256), file);
        fclose(file);
        assert_true(hd_module_fingerprint(directory, &err)); /* which would say it at once */
        if (hd_module_load(&m, directory, &err))
            hd_module_unload(&m); /* that byte did not matter */
        else
            assert_true(err.message[0]);
    }
    hd_text_release(&good);
    free(path);
    remove_program(directory);
}

/* Loads the image with one word changed: true if it was refused.  The fingerprint fits, as that of
 * a module would that somebody has made by hand. */
static bool is_refused_with(const char *directory, const hd_text *good, size_t at, uint64_t word,
                            hd_err *err) {
    hd_module m;
    char *path = hd_text_format("%s/image", directory);
    FILE *file = fopen(path, "wb");
    fwrite(good->at, 1, good->n, file);
    fseek(file, (long)at, SEEK_SET);
    fwrite(&word, sizeof word, 1, file);
    fclose(file);
    free(path);
    assert_true(hd_module_fingerprint(directory, err));
    bool is_loaded = hd_module_load(&m, directory, err);
    if (is_loaded)
        hd_module_unload(&m);
    return !is_loaded;
}

/* What machine/run/module_tables.h promises. */
static void test_tables_that_are_elsewhere(void **state) {
    (void)state;
    static const size_t fields[] = {offsetof(hd_image, n_imports), offsetof(hd_image, n_globals),
                                    offsetof(hd_image, n_sites),   offsetof(hd_image, n_branches),
                                    offsetof(hd_image, imports),   offsetof(hd_image, globals),
                                    offsetof(hd_image, sites),     offsetof(hd_image, coverage),
                                    offsetof(hd_image, registers), offsetof(hd_image, n_programs),
                                    offsetof(hd_image, programs),  offsetof(hd_image, n_counters),
                                    offsetof(hd_image, counters),  offsetof(hd_image, unclean)};
    const uint64_t magic = HD_IMAGE_MAGIC,
                   wrong[] = {UINT64_MAX, UINT64_MAX / 16, (uint64_t)&fields, HD_IMAGE_BASE - 64};
    char *directory =
        compile_program("int table[3] = {1, 2, 3};\nextern char **environ;\n"
                        "int main(int n, char **v) { return table[n % 3] + (v == environ); }\n");
    char *path = hd_text_format("%s/image", directory);
    hd_text good = {0};
    hd_err err = {0};
    assert_true(hd_text_read_file(&good, path));
    const char *header = memmem(good.at, good.n, &magic, sizeof magic);
    assert_non_null(header);
    size_t at = (size_t)(header - good.at);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            assert_true(is_refused_with(directory, &good, at + fields[f], wrong[w], &err));
            assert_non_null(strstr(err.message, "not in it"));
        }
    for (unsigned seed = 1; seed <= 400;
         seed++) /* what the tables are made of: refused, or of no matter */
        is_refused_with(directory, &good, (at + seed * 8 * 1031) % (good.n - 8) & ~(size_t)7,
                        wrong[seed % 4], &err);
    hd_text_release(&good);
    free(path);
    remove_program(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_and_unload),
        cmocka_unit_test(test_poison_behind_globals),
        cmocka_unit_test(test_refused_functions),
        cmocka_unit_test(test_missing_object),
        cmocka_unit_test(test_stateful_programs_are_noted),
        cmocka_unit_test(test_missing_module),
        cmocka_unit_test(test_fingerprint),
        cmocka_unit_test(test_damaged_images),
        cmocka_unit_test(test_tables_that_are_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
