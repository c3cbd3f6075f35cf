/* A test as a C file of its own (paper 002, 6.0.1): heddle.h's functions again, but handing out the
 * recorded inputs instead of exploring.
 *
 * The file holds a table of root cells (which request of the program, which bits, which value)
 * and one of the cells of the objects behind input pointers; the code around the tables is the
 * same in every file.  The program runs in a child, so that the file can say whether it ended
 * as recorded, even by a signal.  Objects come from calloc(): the program may free them, and
 * sanitizers see their bounds. */
#include "record/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char CODE_BEFORE[] =
    "#include <signal.h>\n"
    "#include <stddef.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "/* `width` bits from bit `first` of a request's memory or of an object: the value, or the\n"
    " * address of object number `target` - 1. */\n"
    "struct cell {\n"
    "    unsigned place;\n"
    "    unsigned long long first;\n"
    "    unsigned width;\n"
    "    unsigned long long value;\n"
    "    unsigned target;\n"
    "};\n"
    "\n";

static const char CODE_AFTER[] =
    "\n"
    "static void *objects[sizeof sizes / sizeof *sizes];\n"
    "static unsigned n_requests;\n"
    "\n"
    "/* What heddle.h declares. */\n"
    "void __heddle_input(void *address, size_t size, const char *name, const void *type);\n"
    "void __heddle_input_array(void *address, size_t size, size_t n, const char *name,\n"
    "                          const void *type);\n"
    "void heddle_bytes(void *buffer, size_t n, const char *name);\n"
    "void __heddle_bytes_of(void *buffer, size_t n, const char *name, const void *type);\n"
    "void __heddle_bound(const char *sentence);\n"
    "long heddle_choose(long lo, long hi);\n"
    "void heddle_reach(const char *label);\n"
    "void __heddle_assume(int condition);\n"
    "_Noreturn void __heddle_assert_failed(const char *text, const char *file, int line,\n"
    "                                      const char *function);\n"
    "\n"
    "static void put_cell(unsigned char *memory, const struct cell *c) {\n"
    "    unsigned long long value = c->value;\n"
    "    if (c->target) {\n"
    "        memcpy(memory + c->first / 8, &objects[c->target - 1], sizeof(void *));\n"
    "        return;\n"
    "    }\n"
    "    for (unsigned i = 0; i < c->width; i++, value >>= 1) {\n"
    "        unsigned char bit = (unsigned char)(1u << (c->first + i) % 8);\n"
    "        unsigned char *byte = memory + (c->first + i) / 8;\n"
    "        *byte = (unsigned char)(value & 1 ? *byte | bit : *byte & ~bit);\n"
    "    }\n"
    "}\n"
    "\n"
    "/* The cells of the request that the program makes now. */\n"
    "static void fill(void *memory, size_t size) {\n"
    "    for (unsigned i = 0; i < n_roots; i++)\n"
    "        if (roots[i].place == n_requests && (roots[i].first + roots[i].width + 7) / 8 <= "
    "size)\n"
    "            put_cell(memory, &roots[i]);\n"
    "    n_requests++;\n"
    "}\n"
    "\n"
    "void __heddle_input(void *address, size_t size, const char *name, const void *type) {\n"
    "    (void)name, (void)type;\n"
    "    fill(address, size);\n"
    "}\n"
    "\n"
    "void __heddle_input_array(void *address, size_t size, size_t n, const char *name,\n"
    "                          const void *type) {\n"
    "    (void)name, (void)type;\n"
    "    fill(address, size * n);\n"
    "}\n"
    "\n"
    "void heddle_bytes(void *buffer, size_t n, const char *name) {\n"
    "    (void)name;\n"
    "    fill(buffer, n);\n"
    "}\n"
    "\n"
    "void __heddle_bytes_of(void *buffer, size_t n, const char *name, const void *type) {\n"
    "    (void)name, (void)type;\n"
    "    memset(buffer, 0, n); /* a _Bool is one bit */\n"
    "    fill(buffer, n);\n"
    "}\n"
    "\n"
    "void __heddle_bound(const char *sentence) {\n"
    "    (void)sentence;\n"
    "}\n"
    "\n"
    "long heddle_choose(long lo, long hi) {\n"
    "    long value = lo;\n"
    "    (void)hi;\n"
    "    for (unsigned i = 0; i < n_roots; i++)\n"
    "        if (roots[i].place == n_requests) {\n"
    "            unsigned unused = 64 - roots[i].width;\n"
    "            unsigned long long bits = roots[i].value << unused;\n"
    "            value = lo < 0 ? (long)bits >> unused : (long)(bits >> unused);\n"
    "        }\n"
    "    n_requests++;\n"
    "    return value;\n"
    "}\n"
    "\n"
    "void heddle_reach(const char *label) {\n"
    "    (void)label;\n"
    "}\n"
    "\n"
    "void __heddle_assume(int condition) {\n"
    "    if (condition)\n"
    "        return;\n"
    "    fprintf(stderr, \"the recorded inputs do not satisfy an assumption\\n\");\n"
    "    _exit(REFUSED);\n"
    "}\n"
    "\n"
    "_Noreturn void __heddle_assert_failed(const char *text, const char *file, int line,\n"
    "                                      const char *function) {\n"
    "    fprintf(stderr, \"%s:%d: %s: assertion '%s' failed\\n\", file, line, function, text);\n"
    "    abort();\n"
    "}\n"
    "\n"
    "static void make_objects(void) {\n"
    "    for (unsigned i = 0; i < n_objects; i++)\n"
    "        if (!(objects[i] = calloc(1, sizes[i])))\n"
    "            _exit(REFUSED);\n"
    "    for (unsigned i = 0; i < n_cells; i++)\n"
    "        put_cell(objects[cells[i].place], &cells[i]);\n"
    "}\n"
    "\n";

/* The end of a file that is a program with PROGRAM.c. */
static const char CODE_PLAIN[] =
    "/* Runs before main.  The child goes on to main; this process judges how it ended.  With\n"
    " * HEDDLE_DIRECT set there is no child, for a debugger. */\n"
    "__attribute__((constructor)) static void begin(void) {\n"
    "    int status = 0;\n"
    "    pid_t child = getenv(\"HEDDLE_DIRECT\") ? 0 : fork();\n"
    "    if (child == 0) {\n"
    "        make_objects();\n"
    "        if (IS_ENDLESS)\n"
    "            alarm(5);\n"
    "        return;\n"
    "    }\n"
    "    if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "        _exit(2);\n"
    "    if (WIFSIGNALED(status))\n"
    "        fprintf(stderr, \"ended by signal %d: %s\\n\", WTERMSIG(status),\n"
    "                AS_RECORDED(status) ? \"as recorded\" : \"NOT AS RECORDED\");\n"
    "    else\n"
    "        fprintf(stderr, \"ended with status %d: %s\\n\", WEXITSTATUS(status),\n"
    "                AS_RECORDED(status) ? \"as recorded\" : \"NOT AS RECORDED\");\n"
    "    _exit(AS_RECORDED(status) ? 0 : 1);\n"
    "}\n";

/* The end of one that is a test of cmocka: main of the program has another name. */
static const char CODE_CMOCKA[] =
    "#include <setjmp.h>\n"
    "#include <stdarg.h>\n"
    "#include <stdint.h>\n"
    "#include <cmocka.h>\n"
    "\n"
    "int heddle_program_main(int argc, char **argv);\n"
    "\n"
    "static void ends_as_recorded(void **state) {\n"
    "    char *argv[] = {\"program\", NULL};\n"
    "    int status = 0;\n"
    "    (void)state;\n"
    "    pid_t child = fork();\n"
    "    if (child == 0) {\n"
    "        make_objects();\n"
    "        if (IS_ENDLESS)\n"
    "            alarm(5);\n"
    "        exit(heddle_program_main(1, argv));\n"
    "    }\n"
    "    assert_true(child > 0 && waitpid(child, &status, 0) == child);\n"
    "    assert_true(AS_RECORDED(status));\n"
    "}\n"
    "\n"
    "int main(void) {\n"
    "    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_as_recorded)};\n"
    "    return cmocka_run_group_tests_name(TEST_NAME, tests, NULL, NULL);\n"
    "}\n";

/* Text inside a comment: nothing that could end it, begin another, or break the line. */
static void add_comment_text(hd_text *out, const char *text) {
    for (char before = '\0'; *text; before = *text++) {
        bool is_mark = (before == '*' && *text == '/') || (before == '/' && *text == '*');
        unsigned char c = (unsigned char)*text;
        hd_text_add(out, "%s%c", is_mark ? " " : "", c < ' ' || c == '\\' ? ' ' : c);
    }
}

/* How a finding shows when the program runs natively: an expression over `s`, the status. */
static const char *expected_end(const hd_test *t, char buffer[64]) {
    if (t->end != HD_END_FINDING || t->finding == HD_FINDING_EXIT_STATUS) {
        snprintf(buffer, 64, "WIFEXITED(s) && WEXITSTATUS(s) == %d", t->status & 0xff);
        return buffer;
    }
    switch (t->finding) {
    case HD_FINDING_ASSERTION:
    case HD_FINDING_ABORT:
        return "WIFSIGNALED(s) && WTERMSIG(s) == SIGABRT";
    case HD_FINDING_SIGNAL:
        snprintf(buffer, 64, "WIFSIGNALED(s) && WTERMSIG(s) == %d", t->status & 0x7f);
        return buffer;
    case HD_FINDING_NON_TERMINATION:
        return "WIFSIGNALED(s) && WTERMSIG(s) == SIGALRM";
    case HD_FINDING_NULL_POINTER:
    case HD_FINDING_READ_ONLY:
    case HD_FINDING_DIVISION_BY_ZERO:
    case HD_FINDING_STACK_OVERFLOW:
    case HD_FINDING_LOST_WORKER:
        return "WIFSIGNALED(s) || (WEXITSTATUS(s) != 0 && WEXITSTATUS(s) != REFUSED)";
    default:
        return "WIFSIGNALED(s) || WEXITSTATUS(s) != REFUSED";
    }
}

/* Without a sanitizer these often pass unnoticed. */
static bool needs_sanitizer(hd_finding_kind kind) {
    switch (kind) {
    case HD_FINDING_OUT_OF_BOUNDS:
    case HD_FINDING_USE_AFTER_FREE:
    case HD_FINDING_USE_AFTER_RETURN:
    case HD_FINDING_USE_AFTER_SCOPE:
    case HD_FINDING_MEMBER_BOUNDS:
    case HD_FINDING_BAD_FREE:
    case HD_FINDING_DOUBLE_FREE:
    case HD_FINDING_LEAK:
    case HD_FINDING_OVERFLOW:
    case HD_FINDING_BAD_SHIFT:
    case HD_FINDING_UNDEFINED:
    case HD_FINDING_UNINITIALISED:
        return true;
    default:
        return false;
    }
}

/* How to compile the file.  With --function the program is the main that the compiler made,
 * which needs a compiler that knows typeof_unqual. */
static void add_command(hd_text *out, const hd_record *r, const char *name, bool is_cmocka) {
    char *driver = hd_text_format("%s/driver.c", hd_record_info(r)->module_directory);
    bool has_driver = access(driver, R_OK) == 0;
    const char *compiler = has_driver ? "clang-19" : "cc";
    if (is_cmocka)
        hd_text_add(out, " *     %s -I DIRECTORY-OF-heddle.h -Dmain=heddle_program_main -c ",
                    compiler);
    else
        hd_text_add(out, " *     %s -I DIRECTORY-OF-heddle.h ", compiler);
    if (is_cmocka) {
        add_comment_text(out, has_driver ? driver : "PROGRAM.c");
        hd_text_add(out, " -o program.o\n *     %s ", compiler);
        add_comment_text(out, name);
        hd_text_add(out, " program.o -lcmocka && ./a.out\n");
        free(driver);
        return;
    }
    add_comment_text(out, name);
    hd_text_add(out, " ");
    add_comment_text(out, has_driver ? driver : "PROGRAM.c");
    hd_text_add(out, " && ./a.out\n");
    free(driver);
}

static void add_head(hd_text *out, const hd_record *r, const hd_test *t, const char *name,
                     bool is_cmocka) {
    bool is_finding = t->end == HD_END_FINDING;
    hd_text_add(out, "/* ");
    add_comment_text(out, name);
    hd_text_add(out,
                " -- test %llu of a run of Heddle, as a C file that needs no Heddle to run.\n *\n",
                (unsigned long long)t->number);
    add_command(out, r, name, is_cmocka);
    hd_text_add(out, " *\n * Recorded by: ");
    add_comment_text(out, hd_record_info(r)->command ? hd_record_info(r)->command : "");
    if (is_finding)
        hd_text_add(out, "\n * Recorded end: %s (%s)", hd_finding_kind_words(t->finding),
                    hd_finding_kind_name(t->finding));
    else
        hd_text_add(out, "\n * Recorded end: exit status %d", t->status);
    if (is_finding && needs_sanitizer(t->finding))
        hd_text_add(out, "\n * Build with %s to see it.",
                    t->finding == HD_FINDING_UNINITIALISED ? "clang -fsanitize=memory"
                                                           : "-fsanitize=address,undefined");
    hd_text_add(out, "\n * Ends with status 0 if the program ended as recorded, else 1. */\n");
}

/* The numbers that objects get in the file: those that some pointer points to. */
static uint32_t number_objects(const hd_test *t, uint32_t *number) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_inputs; i++)
        number[i] = UINT32_MAX;
    for (uint32_t i = 0; i < t->n_inputs; i++) {
        const hd_stored_input *in = &t->inputs[i];
        if (in->kind == HD_VAR_POINTER && in->value > 0 && number[in->value - 1] == UINT32_MAX)
            number[in->value - 1] = n++;
    }
    return n;
}

static void add_cell(hd_text *out, const hd_stored_input *in, uint64_t place,
                     const uint32_t *number) {
    bool points = in->kind == HD_VAR_POINTER && in->value > 0;
    hd_text_add(out, "    {%llu, %llu, %u, 0x%llxu, %u}, /* ", (unsigned long long)place,
                (unsigned long long)in->bit_offset, in->width,
                points ? 0 : (unsigned long long)in->value, points ? number[in->value - 1] + 1 : 0);
    add_comment_text(out, in->name && in->name[0] ? in->name : "input");
    hd_text_add(out, " */\n");
}

/* Tables end with an unused element, because C knows no empty ones. */
static void add_cells(hd_text *out, const hd_test *t, bool roots, const uint32_t *number) {
    uint32_t n = 0;
    hd_text_add(out, "static const struct cell %s[] = {\n", roots ? "roots" : "cells");
    for (uint32_t i = 0; i < t->n_inputs; i++) {
        const hd_stored_input *in = &t->inputs[i];
        if (in->is_root != roots || (!roots && number[in->owner] == UINT32_MAX))
            continue;
        add_cell(out, in, roots ? in->request : number[in->owner], number);
        n++;
    }
    hd_text_add(out, "    {0, 0, 0, 0, 0}};\nstatic const unsigned %s = %u;\n",
                roots ? "n_roots" : "n_cells", n);
}

static void add_sizes(hd_text *out, const hd_test *t, const uint32_t *number, uint32_t n) {
    hd_text_add(out, "static const size_t sizes[] = {");
    for (uint32_t object = 0; object < n; object++)
        for (uint32_t i = 0; i < t->n_inputs; i++)
            if (number[i] == object)
                hd_text_add(
                    out, "%llu, ",
                    (unsigned long long)(t->inputs[i].object_size ? t->inputs[i].object_size : 1));
    hd_text_add(out, "0};\nstatic const unsigned n_objects = %u;\n", n);
}

static void add_expectation(hd_text *out, const hd_test *t) {
    char buffer[64];
    hd_text_add(out,
                "enum { REFUSED = 77, IS_ENDLESS = %d };\n"
                "#define AS_RECORDED(s) (%s)\n",
                t->end == HD_END_FINDING && t->finding == HD_FINDING_NON_TERMINATION,
                expected_end(t, buffer));
}

static bool write_file(const char *path, const hd_text *text, hd_err *err) {
    FILE *file = fopen(path, "w");
    bool ok = file && fwrite(text->at, 1, text->n, file) == text->n;
    if (file && fclose(file) != 0)
        ok = false;
    return ok || hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
}

static bool export_code(const hd_record *r, const hd_test *test, const char *path, bool is_cmocka,
                        hd_err *err) {
    const char *slash = strrchr(path, '/');
    if (hd_test_is_threaded(test)) {
        hd_err_set(err,
                   "cannot export test %llu: it depends on the order of threads, which a "
                   "plain program chooses itself",
                   (unsigned long long)test->number);
        return hd_err_hint(err, "replay it with 'heddle replay'");
    }
    uint32_t *number = malloc((test->n_inputs + 1) * sizeof *number);
    if (!number)
        return hd_err_set(err, "cannot export test %llu: out of memory",
                          (unsigned long long)test->number);
    hd_text out = {0};
    uint32_t n_objects = number_objects(test, number);
    add_head(&out, r, test, slash ? slash + 1 : path, is_cmocka);
    hd_text_add(&out, "%s", CODE_BEFORE);
    add_cells(&out, test, true, number);
    add_cells(&out, test, false, number);
    add_sizes(&out, test, number, n_objects);
    add_expectation(&out, test);
    hd_text_add(&out, "%s", CODE_AFTER);
    if (is_cmocka)
        hd_text_add(&out, "#define TEST_NAME \"test %llu\"\n", (unsigned long long)test->number);
    hd_text_add(&out, "%s", is_cmocka ? CODE_CMOCKA : CODE_PLAIN);
    bool ok = write_file(path, &out, err);
    hd_text_release(&out);
    free(number);
    return ok;
}

bool hd_export_c(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    return export_code(r, test, path, false, err);
}

bool hd_export_cmocka(hd_record *r, const hd_test *test, const char *path, hd_err *err) {
    return export_code(r, test, path, true, err);
}
