/* Odd corners of C against native runs.
 *
 *     property_language [CASE...]      (HEDDLE names the tool, default build/heddle)
 *
 * Each case of tests/language/cases.c is called natively, as gcc and as clang compile it without
 * optimisation, for all 65,536 inputs.  Heddle must reach the same results, no more and no fewer,
 * and the inputs of each of its tests must give the result that it says.  Its word must be
 * "complete", or for a case that is marked so name what it approximated with its line; then results
 * may be missing. No execution strays. */
#include "tool/tool.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "tests/language/"
#define SOURCE FOLDER "cases.c"

typedef struct language_case {
    const char *name;
    int (*run)(uint8_t, uint8_t);
    int is_listed;
} language_case;

static char why[512]; /* the first thing that was wrong with a case */

__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!why[0])
        vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return false;
}

/* ---- Native ---- */

static const language_case *load_cases(const char *compiler) {
    char command[512], path[256];
    const char *temporary = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/language-%d-%s.so", temporary ? temporary : "/tmp",
             (int)getpid(), compiler);
    snprintf(command, sizeof command, "%s -w -O0 -fPIC -shared -o %s " SOURCE, compiler, path);
    void *library = system(command) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    remove(path);
    if (!library)
        printf("cannot compile and load " SOURCE " with %s\n", compiler);
    return library ? dlsym(library, "language_cases") : NULL;
}

static uint64_t results_of(const language_case *c) {
    uint64_t results = 0;
    for (unsigned n = 0; n < 65536; n++)
        results |= UINT64_C(1) << (c->run((uint8_t)n, (uint8_t)(n >> 8)) & 63);
    return results;
}

/* ---- Heddle ---- */

static bool is_incomplete_with_places(json_t *summary) {
    size_t i;
    json_t *loss;
    json_t *losses = json_object_get(summary, "losses");
    json_array_foreach(losses, i, loss) {
        const char *file = json_string_value(json_object_get(loss, "file"));
        if (!file || strncmp(file, FOLDER, strlen(FOLDER)) != 0 ||
            json_integer_value(json_object_get(loss, "line")) == 0)
            return wrong("something was approximated, but it is not said where");
    }
    return json_array_size(losses) > 0 || wrong("not complete, but nothing was approximated");
}

static bool check_summary(const language_case *c, json_t *summary) {
    if (!summary)
        return wrong("no summary");
    if (json_integer_value(json_object_get(json_object_get(summary, "search"), "mispredicted")))
        return wrong("executions strayed");
    if (json_array_size(json_object_get(summary, "findings")) > 0)
        return wrong("a finding in a program without bugs");
    if (json_is_true(json_object_get(summary, "complete")))
        return true;
    if (c->is_listed)
        return is_incomplete_with_places(summary);
    char *reasons = json_dumps(json_object_get(summary, "reasons"), 0);
    wrong("incomplete: %s", reasons);
    free(reasons);
    return false;
}

static uint8_t input_of(json_t *test, const char *name) {
    size_t i;
    json_t *input;
    json_array_foreach(json_object_get(test, "inputs"), i, input) {
        if (strcmp(json_string_value(json_object_get(input, "name")), name) == 0)
            return (uint8_t)json_integer_value(json_object_get(input, "value"));
    }
    return 0;
}

/* Each test's result is the native one; all of them together are `seen`. */
static bool check_tests(const language_case *c, uint64_t *seen) {
    json_t *list = tool_tests(), *test;
    size_t i;
    bool good = list != NULL;
    json_array_foreach(json_object_get(list, "tests"), i, test) {
        uint8_t a = input_of(test, "a"), b = input_of(test, "b");
        int status = (int)json_integer_value(json_object_get(test, "status"));
        if (status != c->run(a, b))
            good = wrong("inputs %u, %u: %d, natively %d", a, b, status, c->run(a, b));
        *seen |= UINT64_C(1) << (status & 63);
    }
    json_decref(list);
    return good;
}

static bool check_case(const language_case *gcc, const language_case *clang) {
    uint64_t wanted = results_of(gcc), seen = 0;
    if (wanted != results_of(clang))
        return wrong("gcc and clang do not agree: not a case");
    json_t *summary = tool_run("-w --tests all " SOURCE " -- %s", gcc->name);
    bool good = check_summary(gcc, summary) && check_tests(gcc, &seen);
    json_decref(summary);
    if (good && (seen & ~wanted || (seen != wanted && !gcc->is_listed)))
        return wrong("results %lx, natively %lx", seen, wanted);
    return good;
}

static bool is_wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(name, argv[i]) == 0)
            return true;
    return argc == 1;
}

int main(int argc, char **argv) {
    const language_case *gcc = load_cases("gcc"), *clang = load_cases("clang-19");
    unsigned n = 0, bad = 0;
    if (!gcc || !clang || !tool_begin())
        return 1;
    for (; gcc->name; gcc++, clang++) {
        if (!is_wanted(gcc->name, argc, argv))
            continue;
        why[0] = '\0';
        n++;
        if (check_case(gcc, clang))
            continue;
        bad++;
        printf("%s: %s\n", gcc->name, why);
    }
    tool_end();
    printf("%u cases, %u bad\n", n, bad);
    return n == 0 || bad;
}
