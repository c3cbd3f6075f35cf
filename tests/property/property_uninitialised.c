/* Heddle against MemorySanitizer, on random programs that use memory that was never written.
 *
 *     property_uninitialised [COUNT [FIRST_SEED]]    (HEDDLE names the tool, default build/heddle;
 *                                                     KEEP=1 leaves the program that fails)
 *
 * A program has many cases and an input x (uninitialised_cases.h).  Natively every case runs with
 * every x.  Heddle runs it with one x, and with x as an input.  On the same executions both must
 * say the same lines, nothing less and nothing more.  Arguments and results of the program's own
 * functions only move values, for Heddle and here for MemorySanitizer too. */
#include "base/vec.h"
#include "property/random/uninitialised_cases.h"
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_CASES = 40 };

/* x: which input it was seen with, or -1. */
typedef struct report {
    int line, x;
} report;
typedef hd_vec(report) reports;

static char folder[128], source[192];

static bool write_program(uint64_t seed) {
    hd_text text = {0};
    uninitialised_write(&text, seed, N_CASES);
    FILE *out = fopen(source, "w");
    bool ok = out && fwrite(text.at, 1, text.n, out) == text.n;
    ok = (!out || fclose(out) == 0) && ok;
    hd_text_release(&text);
    return ok;
}

/* -- MemorySanitizer --------------------------------------------------------------------------- */

static bool run_native(void) {
    char command[2048];
    snprintf(command, sizeof command,
             "clang-19 -w -g -O0 -fno-builtin -fsanitize=memory -fno-sanitize-memory-param-retval "
             "%s -o %s/native && MSAN_OPTIONS=symbolize=0 %s/native >/dev/null 2>%s/plain && "
             "sh tests/tool/places.sh %s/native %s/plain >%s/reports",
             source, folder, folder, folder, folder, folder, folder);
    return system(command) == 0;
}

/* The innermost frame in the source: "    # /tmp/cases.c:12" (tests/tool/places.sh). */
static int line_in(const char *text) {
    const char *at = strstr(text, "/cases.c:");
    return strstr(text, "    #") && at ? atoi(at + strlen("/cases.c:")) : 0;
}

static bool read_native(reports *out) {
    char path[256], text[1024];
    int x = -1;
    bool is_wanted = false;
    snprintf(path, sizeof path, "%s/reports", folder);
    FILE *in = fopen(path, "r");
    while (in && fgets(text, sizeof text, in)) {
        if (sscanf(text, "@ %*u %d", &x) == 1)
            is_wanted = false;
        else if (strstr(text, "WARNING: MemorySanitizer"))
            is_wanted = true;
        else if (is_wanted && line_in(text)) {
            hd_vec_push(out, ((report){line_in(text), x}));
            is_wanted = false;
        }
    }
    return in && fclose(in) == 0;
}

/* -- Heddle -------------------------------------------------------------------------------------
 */

static bool read_heddle(json_t *summary, reports *out) {
    json_t *f;
    size_t n;
    bool ok = true;
    json_array_foreach(json_object_get(summary, "findings"), n, f) {
        const char *kind = json_string_value(json_object_get(f, "kind"));
        report r = {(int)json_integer_value(json_object_get(f, "line")), -1};
        if (strcmp(kind, "uninitialised") == 0)
            hd_vec_push(out, r);
        else if (strcmp(kind, "leak") != 0) {
            printf("%s:%d: %s\n", source, r.line, kind);
            ok = false;
        }
    }
    return ok;
}

static bool have(const reports *all, int line, int x) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].line == line && (x < 0 || all->at[i].x < 0 || all->at[i].x == x))
            return true;
    return false;
}

/* Everything of `a` for this x (-1: any) that `b` does not have is printed. */
static unsigned missing(const reports *a, const reports *b, int x, const char *who) {
    unsigned n = 0;
    for (size_t i = 0; i < a->n; i++) {
        const report *r = &a->at[i];
        if ((x >= 0 && r->x >= 0 && r->x != x) || have(b, r->line, x))
            continue;
        printf("%s:%d: %s (x = %d)\n", source, r->line, who, x >= 0 ? x : r->x);
        n++;
    }
    return n;
}

/* x -1: it is an input. */
static bool compare(const reports *native, int x) {
    char argument[16] = "";
    reports found = {0};
    if (x >= 0)
        snprintf(argument, sizeof argument, "-- %d", x);
    json_t *summary = tool_run("--checks uninitialised %s -w %s", source, argument);
    bool ok = summary && json_is_true(json_object_get(summary, "complete"));
    if (!ok)
        printf("%s: no summary, or not complete\n", source);
    ok = ok && read_heddle(summary, &found);
    if (ok && missing(native, &found, x, "Heddle does not find it") +
                  missing(&found, native, x, "only Heddle finds it"))
        ok = false;
    json_decref(summary);
    hd_vec_release(&found);
    return ok;
}

static bool check_seed(uint64_t seed, size_t *n_reports) {
    reports native = {0};
    bool ok = write_program(seed) && run_native() && read_native(&native);
    ok = ok && compare(&native, (int)(seed % N_CASE_INPUTS)) && compare(&native, -1);
    *n_reports += native.n;
    hd_vec_release(&native);
    if (!ok)
        printf("seed %llu\n", (unsigned long long)seed);
    return ok;
}

static bool begin(void) {
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/heddle-uninitialised-XXXXXX",
             temporary ? temporary : "/tmp");
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
    size_t n_reports = 0;
    bool ok = begin();
    for (unsigned n = 0; n < wanted && ok; n++)
        ok = check_seed(seed + n, &n_reports);
    if (ok && wanted >= 5 && n_reports < 10 * wanted) {
        printf("MemorySanitizer reports next to nothing: the programs test nothing\n");
        ok = false;
    }
    end(ok);
    if (ok)
        printf("%u programs of %d cases: Heddle and MemorySanitizer agree (%zu reports)\n", wanted,
               N_CASES, n_reports);
    return ok ? 0 : 1;
}
