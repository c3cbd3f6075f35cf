/* Ends of threads and programs, and questions about state: random programs (ending_source.h).
 *
 *     property_endings [COUNT [FIRST_SEED]]     (HEDDLE names the tool, default build/heddle;
 * KEEP=1 goes on after a failure)
 *
 * `--por none` runs every order.  `optimal`, `dpor` and `flip` must say the same about a program:
 * the same labels, the same findings on the same lines, the same verdict; `optimal` must have as
 * many classes, unless a thread fails while the assumption of another is rejected, or inputs decide
 * about rounds of waiting loops: how many of those are run depends on the reduction
 * (docs/threads.md).  If C gives the program a
 * meaning it is run natively too, many times with random delays: nothing may happen there that
 * Heddle has not seen.  A program of too many orders is left out.  One in which a wait is signalled
 * and cancelled, or several threads could take a signal, is not complete, which is said: all
 * searches must say so then, and agree. */
#include "property/random/ending_source.h"
#include "tool/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the first seed on are four families, among them one in which waits are signalled and
 * cancelled. */
enum { NATIVE_RUNS = 25, LATE_RUNS = 3, TOGETHER = 12, MOST_EXECUTIONS = 10000, FIRST_SEED = 48 };

static char folder[128];

/* A program: one of those in the file. */
typedef struct subject {
    ending_name name;
    ending is;
} subject;

/* ---- what a search says ---- */

/* Labels and findings as sorted lines. */
typedef struct answer {
    json_t *all; /* an object: its keys are the lines */
    long long classes;
    bool is_complete, has_findings;
    bool is_said; /* it is whole, but for what is said about waits */
} answer;

static void add_line(answer *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(answer *a, const char *format, ...) {
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    json_object_set_new(a->all, line, json_true());
}

/* The two places of a race, which it names in the order of its execution. */
static void add_race(answer *a, const char *message) {
    unsigned line[2] = {0}, n = 0;
    for (const char *at = message; n < 2 && (at = strstr(at, ".c:")); at++)
        line[n++] = (unsigned)strtoul(at + 3, NULL, 10);
    bool is_turned = line[0] > line[1];
    add_line(a, "F%u data-race with %u", line[is_turned], line[!is_turned]);
}

static void add_findings(answer *a, json_t *findings) {
    size_t i;
    json_t *f;
    json_array_foreach(findings, i, f) {
        if (strcmp(json_string_value(json_object_get(f, "kind")), "data-race") == 0)
            add_race(a, json_string_value(json_object_get(f, "message")));
        else
            add_line(a, "F%lld %s", json_integer_value(json_object_get(f, "line")),
                     json_string_value(json_object_get(f, "kind")));
    }
}

static bool says(json_t *losses, const char *words) {
    size_t i;
    json_t *loss;
    json_array_foreach(losses, i, loss) {
        if (strstr(json_string_value(json_object_get(loss, "what")), words))
            return true;
    }
    return false;
}

/* What is left out that all searches leave out alike. */
static bool says_one(json_t *losses) {
    return says(losses, "cancelled in the same wait") ||
           says(losses, "of several threads that could take a signal");
}

static bool ask(answer *a, const subject *s, const char *por, unsigned most) {
    json_t *summary =
        tool_run("-w -I tests %s --no-samples --max-steps 20000 --tests findings "
                 "--por %s -n %u %s/subject.c -- %u",
                 s->is.has_races ? "" : "--no-races", por, most, folder, s->name.number);
    if (!summary)
        return false;
    *a = (answer){.all = json_object()};
    const char *label;
    json_t *count;
    json_object_foreach(json_object_get(summary, "labels"), label, count) {
        add_line(a, "%s", label);
    }
    add_findings(a, json_object_get(summary, "findings"));
    a->has_findings = json_array_size(json_object_get(summary, "findings")) > 0;
    a->classes =
        json_integer_value(json_object_get(json_object_get(summary, "threads"), "classes"));
    a->is_complete = json_is_true(json_object_get(summary, "complete"));
    a->is_said = !a->is_complete && says_one(json_object_get(summary, "losses")) &&
                 json_integer_value(json_object_get(summary, "executions")) < most;
    json_decref(summary);
    return true;
}

/* Lines of `a` that `b` has not. */
static bool lacks(const answer *b, const answer *a, const char *words) {
    bool any = false;
    const char *line;
    json_t *unused;
    json_object_foreach(a->all, line, unused) {
        if (json_object_get(b->all, line))
            continue;
        printf("    %s: %s\n", words, line);
        any = true;
    }
    return any;
}

static bool is_same(const answer *none, const char *por, const subject *s) {
    answer a;
    if (!ask(&a, s, por, 20 * MOST_EXECUTIONS)) {
        printf("    %s: no summary\n", por);
        return false;
    }
    char missed[64], invented[64];
    snprintf(missed, sizeof missed, "%s misses", por);
    snprintf(invented, sizeof invented, "%s alone has", por);
    bool good = !lacks(&a, none, missed);
    good = !lacks(none, &a, invented) && good;
    bool is_as_complete = none->is_said ? a.is_said : a.is_complete;
    if (!is_as_complete)
        printf("    %s is not complete\n", por);
    bool may_differ = s->is.has_vain_rounds || (s->is.has_assumptions && a.has_findings);
    bool is_exact = strcmp(por, "optimal") != 0 || may_differ || a.classes == none->classes;
    if (!is_exact)
        printf("    %s: %lld classes, none: %lld\n", por, a.classes, none->classes);
    good = good && is_as_complete && is_exact;
    json_decref(a.all);
    return good;
}

/* ---- native runs ---- */

static bool knows(const answer *none, const char *line) {
    size_t n = strlen(line);
    const char *have;
    json_t *unused;
    if (line[0] != 'F')
        return json_object_get(none->all, line) != NULL;
    json_object_foreach(none->all, have, unused) {
        if (strncmp(have, line, n) == 0 && have[n] == ' ')
            return true;
    }
    return false;
}

static bool native_agrees(const answer *none, unsigned number) {
    char command[512], line[128];
    snprintf(command, sizeof command,
             "cd %s && late=0 && for i in $(seq %d); do timeout -s KILL 0.2 ./native %u; [ $? != "
             "137 ] || late=$((late + 1)); [ $late -lt %d ] || break; done 2>/dev/null",
             folder, NATIVE_RUNS, number, LATE_RUNS);
    FILE *in = popen(command, "r");
    bool good = in != NULL;
    while (good && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (knows(none, line))
            continue;
        printf("    natively: %s\n", line);
        good = false;
    }
    if (in)
        pclose(in);
    return good;
}

/* ---- one program ---- */

static bool write_file(const hd_text *text) {
    char path[192];
    snprintf(path, sizeof path, "%s/subject.c", folder);
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(text->at, 1, text->n, out) == text->n;
    return (!out || fclose(out) == 0) && ok;
}

static bool compile_native(void) {
    char command[512];
    snprintf(command, sizeof command,
             "${CC:-cc} -w -O1 -DNATIVE -I tests -pthread -o %s/native %s/subject.c", folder,
             folder);
    return system(command) == 0;
}

/* The programs of some seeds, and of one of them only a part. */
static bool write_programs(subject *s, unsigned n, unsigned smaller, uint64_t without) {
    hd_text text = {0};
    ending_begin(&text);
    for (unsigned i = 0; i < n; i++) {
        s[i].is = ending_write(&text, s[i].name, i == smaller ? without : 0);
    }
    ending_end(&text, n);
    bool ok = write_file(&text) && compile_native();
    hd_text_release(&text);
    return ok;
}

/* ---- comparing ---- */

typedef enum result { GOOD, BAD, TOO_BIG } result;

static uint64_t n_said; /* programs of which something is left out, which is said */

static result compare(const subject *s) {
    static const char *const others[] = {"optimal", "dpor", "flip", "message"};
    answer none;
    if (!ask(&none, s, "none", MOST_EXECUTIONS)) {
        printf("    none: no summary\n");
        return BAD;
    }
    bool good = true, is_whole = none.is_complete || none.is_said;
    for (size_t i = 0; is_whole && i < sizeof others / sizeof *others; i++)
        good = is_same(&none, others[i], s) && good;
    good =
        good && (!none.is_complete || !s->is.has_meaning || native_agrees(&none, s->name.number));
    n_said += none.is_said;
    result r = !is_whole ? TOO_BIG : good ? GOOD : BAD;
    json_decref(none.all);
    return r;
}

/* Leave out what the failure does not need. */
static void report_failure(subject *s, unsigned n, unsigned which) {
    uint64_t without = 0;
    hd_text text = {0};
    printf("seed %llu fails; made smaller:\n", (unsigned long long)s[which].name.seed);
    for (unsigned i = s[which].is.n_pieces; i-- > 0;) {
        uint64_t more = without | UINT64_C(1) << i;
        if (write_programs(s, n, which, more) && compare(&s[which]) == BAD)
            without = more;
    }
    ending_write(&text, s[which].name, without);
    printf("at last, as number %u of %u:\n", which, n);
    if (write_programs(s, n, which, without))
        compare(&s[which]);
    printf("%s\n", hd_text_string(&text));
    hd_text_release(&text);
    write_programs(s, n, n, 0);
}

/* A family of seeds is one file; three of four families are a file for each seed. */
static unsigned family_of(uint64_t seed, subject *s) {
    uint64_t family = seed / TOGETHER;
    bool is_alone = family % 4 != 3;
    unsigned n = is_alone ? 1 : TOGETHER;
    for (unsigned i = 0; i < n; i++)
        s[i].name = (ending_name){
            .family = family, .seed = is_alone ? seed : family * TOGETHER + i, .number = i};
    return n;
}

static result try(uint64_t seed, bool is_first) {
    static subject s[TOGETHER];
    unsigned n = family_of(seed, s), which = n > 1 ? (unsigned)(seed % TOGETHER) : 0;
    bool is_new = is_first || n == 1 || which == 0;
    result r = is_new && !write_programs(s, n, n, 0) ? BAD : compare(&s[which]);
    if (r == BAD)
        report_failure(s, n, which);
    fflush(stdout);
    return r;
}

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : getenv("SOAK") ? 2000 : 26;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST_SEED, n[3] = {0};
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/heddle-endings-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || !tool_begin())
        return 1;
    for (uint64_t seed = first; seed < first + count && (!n[BAD] || getenv("KEEP")); seed++)
        n[try(seed, seed == first)]++;
    char command[192];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    bool is_gone = system(command) == 0 && tool_end();
    printf("%llu programs agree, %llu do not, %llu were too big\n", (unsigned long long)n[GOOD],
           (unsigned long long)n[BAD], (unsigned long long)n[TOO_BIG]);
    printf("%llu of them are not complete, which is said\n", (unsigned long long)n_said);
    return n[BAD] || !is_gone || (count >= 20 && n[GOOD] < count / 3) || (count >= 48 && !n_said);
}
