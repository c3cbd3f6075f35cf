/* Heddle against the sanitizers of clang, and of gcc, on random programs with planted errors.
 *
 *     property_sanitizers [COUNT [FIRST_SEED [literals]]]    (HEDDLE names the tool, default
 * build/heddle; KEEP=1 leaves the program that fails)
 *
 * COUNT programs of everything, and a tenth as many of compound literals, whose scopes only gcc
 * knows.  A program has many cases and an input x (sanitizer_cases.h).  Natively every case runs
 * with every x.  Heddle runs it with one x, and with x as an input.  On the same executions both
 * must say the same: the same class of error on the same line, nothing less and nothing more.  Only
 * on a line that prints what depends on x the run may list that it is not exact, and find nothing
 * there. */
#include "property/model/sanitizer_reports.h"
#include "property/random/sanitizer_cases.h"
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_CASES = 40 };

static char folder[128], source[192];

static bool write_program(uint64_t seed, case_theme theme) {
    hd_text text = {0};
    cases_write(&text, seed, N_CASES, theme);
    FILE *out = fopen(source, "w");
    bool ok = out && fwrite(text.at, 1, text.n, out) == text.n;
    ok = (!out || fclose(out) == 0) && ok;
    hd_text_release(&text);
    return ok;
}

static bool is_listed(json_t *losses, int line) {
    size_t n;
    json_t *loss;
    json_array_foreach(losses, n, loss) {
        if (json_integer_value(json_object_get(loss, "line")) == line)
            return true;
    }
    return false;
}

/* Everything of `a` for this x (-1: any) that `b` does not have is printed. */
static unsigned missing(const reports *a, const reports *b, json_t *losses, int x,
                        const char *who) {
    unsigned n = 0;
    for (size_t i = 0; i < a->n; i++) {
        const report *r = &a->at[i];
        if ((x >= 0 && r->x >= 0 && r->x != x) || reports_have(b, r->class, r->line, x) ||
            is_listed(losses, r->line))
            continue;
        printf("%s:%d: %s: %s (x = %d)\n", source, r->line, report_class_name(r->class), who,
               x >= 0 ? x : r->x);
        n++;
    }
    return n;
}

/* Is it about what is printed, or an execution that strayed because of it? */
static bool is_of_print(const char *reason) {
    static const char *const words[] = {
        "printf' with a symbolic argument", "number that '%n' stores",
        "inputs were treated as constants (listed here)", "left the path"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(reason, words[i]))
            return true;
    return printf("%s: %s\n", source, reason), false;
}

/* Complete, or only not exact where something is printed. */
static bool is_complete(json_t *summary) {
    size_t n;
    json_t *reason;
    bool ok = true;
    json_array_foreach(json_object_get(summary, "reasons"), n, reason) {
        ok = ok && is_of_print(json_string_value(reason));
    }
    return json_is_true(json_object_get(summary, "complete")) ||
           (ok && json_array_size(json_object_get(summary, "losses")) > 0);
}

/* x -1: it is an input. */
static bool compare(const reports *native, int x, const char *option) {
    char argument[16] = "";
    reports found = {0};
    if (x >= 0)
        snprintf(argument, sizeof argument, "-- %d", x);
    json_t *summary = tool_run("%s -w %s %s", source, option, argument);
    json_t *losses = json_object_get(summary, "losses");
    bool ok = summary && is_complete(summary) && reports_heddle(summary, &found);
    if (!ok)
        printf("%s: no summary, or not complete\n", source);
    if (ok && missing(native, &found, losses, x, "Heddle does not find it") +
                  missing(&found, native, NULL, x, "only Heddle finds it"))
        ok = false;
    json_decref(summary);
    hd_vec_release(&found);
    return ok;
}

static bool check_seed(uint64_t seed, case_theme theme) {
    static const char *const compilers[] = {
        [CASES_OF_ALL] = REPORTS_OF_CLANG, [CASES_OF_LITERALS] = REPORTS_OF_GCC};
    reports native = {0};
    bool ok =
        write_program(seed, theme) && reports_native(compilers[theme], source, folder, &native);
    const char *option =
        seed % 2 ? "-O1" : "-O0"; /* one for both: compiling takes most of the time */
    ok =
        ok && compare(&native, (int)(seed % N_CASE_INPUTS), option) && compare(&native, -1, option);
    hd_vec_release(&native);
    if (!ok)
        printf("seed %llu%s\n", (unsigned long long)seed,
               theme == CASES_OF_LITERALS ? ", literals" : "");
    return ok;
}

static bool begin(void) {
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/heddle-sanitizers-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return printf("cannot make a scratch directory\n"), false;
    snprintf(source, sizeof source, "%s/cases.c", folder);
    return tool_begin();
}

static void end(bool ok) {
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if ((ok || !getenv("KEEP")) && system(command) != 0)
        printf("cannot remove '%s'\n", folder);
    tool_end();
}

int main(int argc, char **argv) {
    unsigned wanted = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 500 : 7;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned n_all = argc > 3 ? 0 : wanted, n_literals = argc > 3 ? wanted : 1 + (wanted + 9) / 10;
    bool ok = begin();
    for (unsigned n = 0; n < n_all && ok; n++)
        ok = check_seed(seed + n, CASES_OF_ALL);
    for (unsigned n = 0; n < n_literals && ok; n++)
        ok = check_seed(seed + n, CASES_OF_LITERALS);
    end(ok);
    if (ok)
        printf("%u programs of %d cases, %u of literals: Heddle and the sanitizers agree\n", n_all,
               N_CASES, n_literals);
    return ok ? 0 : 1;
}
