/* check_program.c -- does Heddle say about a test program what the program's header says?
 *
 *     check_program FILE.c...      (HEDDLE names the tool, default build/heddle)
 *
 * The first comment of a test program holds one or more groups of lines such as
 *
 *     run: --strategy dfs -DN=4      options; starts a group
 *     verdict: complete              or incomplete
 *     paths: 24                      also executions:, rejected:, tests:  (exact numbers)
 *     finding: overflow              a kind that must be found, on a line that is marked
 *                                    "// BUG overflow" if any line is; "overflow 2": two of them
 *     finding-in: parse              some finding is in this function
 *     says: waits for room           part of what some finding says
 *     stack: parse at                part of a frame of some finding's stack
 *     status: 6 3                    three tests end with this status, or by this signal
 *     label: both-equal 3            must be reached (by 3 executions); no-label: must not
 *     reason: floating               part of some reason or loss that must be named
 *     no-reason: floating            part of none of them
 *     warning: never received        part of some warning
 *     reason-at: 12                  a loss must be named at this line, or at "// LOSS"; all: at every
 *                                    line that is marked so
 *     map: <3,1,3,0>                 some test has this logical input map
 *     exit: 1                        status of the command; default 1 with findings
 *     replay: no                     tests are not replayed (the program is not deterministic)
 *     strays: WHY                    executions may leave the path that was predicted for them; of
 *                                    every other program none may (search.mispredicted is 0)
 *     fleet: 57                      the fleet under this seed shares the search too (tests/rehearse.c)
 *
 * HOSTILE=1 in the environment: the tool is a hostile build (base/hostile.h).  WORKERS: how many
 * share each search (default 1).  Parts of `dpor`, `flip` and `message`, and of `optimal` where
 * there are inputs, may repeat what others have run (docs/design.md D9), so that numbers of
 * executions are at least those of the header then; and several workers may keep more tests.
 *
 * REHEARSE: so many fleets under seeds share each search that ends by itself (tests/rehearse.c),
 * and must come to the same.
 *
 * Lines of the form "paths: -DN=4 -> 24" (bench programs) are a group each: complete, 24 paths;
 * those of more than MAX_PATHS are left to `make bench`.
 *
 * A finding that no line announces is a failure.  Every finding and every test (up to REPLAYS of
 * the environment, else MAX_REPLAYS of them, spread evenly) is then replayed, which must succeed.  Prints one line
 * "ok - ..." or "not ok - ...: reason" per group. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_WORDS = 64,
    MAX_EXPECTED = 64,
    MAX_REPLAYS = 12,
    TIME_LIMIT = 120,
    OUT_OF_TIME = 124,
    MAX_PATHS = 8000
};

typedef struct expectation {
    char key[24];
    char value[256];
} expectation;

typedef struct group {
    char options[512];
    expectation all[MAX_EXPECTED];
    unsigned n;
} group;

typedef struct output {
    char *text;
    size_t n;
    int status; /* exit status (OUT_OF_TIME), or -signal */
} output;

static const char *heddle;
static char limited[512];   /* tests/limited.c, beside this program */
static char directory[256]; /* of the run being checked */
static char reason[1024];   /* why the current group failed */
static bool is_too_slow;    /* for a hostile build, which may be slow */
static const char *workers; /* that share a search */
static bool may_repeat;     /* what one has run, because of the reduction */

/* Note the first failure; answers false so that callers can return it. */
__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...) {
    if (reason[0])
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return false;
}

/* ---- Running commands ------------------------------------------------------------- */

/* With a limit of processor time: what else the machine does makes no difference. */
static void become(char *const argv[], int out, const char *err_file) {
    int err = open(err_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int in = open("/dev/null", O_RDONLY);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    char limit[16], *words[MAX_WORDS + 16] = {limited, limit};
    snprintf(limit, sizeof limit, "%d", TIME_LIMIT);
    for (unsigned i = 0; argv[i]; i++)
        words[i + 2] = argv[i];
    execv(limited, words);
    dprintf(2, "cannot start '%s': %s\n", limited, strerror(errno));
    _exit(127);
}

static void read_all(int from, output *o) {
    char chunk[4096];
    ssize_t n;
    while ((n = read(from, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)) {
        if (n < 0)
            continue;
        o->text = realloc(o->text, o->n + (size_t)n + 1);
        memcpy(o->text + o->n, chunk, (size_t)n);
        o->n += (size_t)n;
        o->text[o->n] = 0;
    }
}

static output run_command(char *const argv[], const char *err_file) {
    output o = {calloc(1, 1), 0, 0};
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        abort();
    pid_t child = fork();
    if (child == 0)
        become(argv, ends[1], err_file);
    close(ends[1]);
    read_all(ends[0], &o);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return o;
}

static unsigned split_words(char *text, char **words, unsigned max) {
    unsigned n = 0;
    for (char *w = strtok(text, " \t"); w && n + 1 < max; w = strtok(NULL, " \t"))
        words[n++] = w;
    words[n] = NULL;
    return n;
}

/* heddle run --json -o DIR OPTIONS FILE [-- ARGUMENTS] */
static output run_heddle(const char *file, const char *options, const char *err_file) {
    char text[512], *words[MAX_WORDS], *argv[MAX_WORDS + 10];
    snprintf(text, sizeof text, "%s", options);
    unsigned n = split_words(text, words, MAX_WORDS), at = 0;
    argv[at++] = (char *)heddle;
    argv[at++] = "run";
    argv[at++] = "--json";
    argv[at++] = "-o";
    argv[at++] = directory;
    argv[at++] = "-j";
    argv[at++] = (char *)workers;
    unsigned i = 0;
    while (i < n && strcmp(words[i], "--") != 0)
        argv[at++] = words[i++];
    argv[at++] = (char *)file;
    while (i < n)
        argv[at++] = words[i++];
    argv[at] = NULL;
    return run_command(argv, err_file);
}

/* ---- Reading the header ------------------------------------------------------------- */

static const char *known_keys[] = {"run",        "verdict", "paths",     "executions", "rejected",
                                   "tests",      "finding", "label",     "no-label",   "reason",
                                   "reason-at",  "map",     "exit",      "replay",     "strays",
                                   "finding-in", "says",    "no-reason", "warning",    "stack",
                                   "status",     "fleet",   NULL};

static bool is_known_key(const char *key) {
    for (unsigned i = 0; known_keys[i]; i++)
        if (strcmp(known_keys[i], key) == 0)
            return true;
    return false;
}

static char *trim(char *s) {
    while (isspace((unsigned char)*s))
        s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = 0;
    return s;
}

/* Splits " * key: value"; false if the line is prose. */
static bool parse_line(char *line, expectation *e) {
    char *s = trim(line);
    size_t n = strlen(s);
    if (n >= 2 && strcmp(s + n - 2, "*/") == 0)
        s[n - 2] = 0;
    if (strncmp(s, "/*", 2) == 0)
        s += 2;
    else if (*s == '*')
        s++;
    s = trim(s);
    char *colon = strchr(s, ':');
    if (!colon || (size_t)(colon - s) >= sizeof e->key)
        return false;
    for (const char *c = s; c < colon; c++)
        if (!islower((unsigned char)*c) && *c != '-')
            return false;
    snprintf(e->key, sizeof e->key, "%.*s", (int)(colon - s), s);
    snprintf(e->value, sizeof e->value, "%s", trim(colon + 1));
    return true;
}

static group *add_group(group **groups, unsigned *n, const char *options) {
    *groups = realloc(*groups, (*n + 1) * sizeof **groups);
    group *g = &(*groups)[(*n)++];
    memset(g, 0, sizeof *g);
    snprintf(g->options, sizeof g->options, "%s", options);
    return g;
}

static void expect(group *g, const char *key, const char *value) {
    expectation *e = &g->all[g->n++];
    snprintf(e->key, sizeof e->key, "%s", key);
    snprintf(e->value, sizeof e->value, "%s", value);
}

/* "-DN=4 -> 24", the form of the bench programs: a complete search with so many paths. */
static void add_count(group **groups, unsigned *n, char *text) {
    char *arrow = strstr(text, "->");
    const char *paths = arrow + 2 + strspn(arrow + 2, " ");
    *arrow = 0;
    if (atol(paths) > MAX_PATHS)
        return;
    group *g = add_group(groups, n, trim(text));
    expect(g, "verdict", "complete");
    expect(g, "paths", paths);
}

static void take_line(group **groups, unsigned *n, expectation *e) {
    if (strcmp(e->key, "run") == 0)
        add_group(groups, n, e->value);
    else if (strcmp(e->key, "paths") == 0 && strstr(e->value, "->"))
        add_count(groups, n, e->value);
    else if (*n == 0 || strcmp(e->key, "brute") == 0)
        return; /* prose, or meant for brute force alone */
    else if (!is_known_key(e->key))
        fail("unknown word '%s:' in the header", e->key);
    else if ((*groups)[*n - 1].n < MAX_EXPECTED)
        (*groups)[*n - 1].all[(*groups)[*n - 1].n++] = *e;
}

static group *read_groups(const char *file, unsigned *n) {
    FILE *f = fopen(file, "r");
    group *groups = NULL;
    char line[1024];
    bool ended = false;
    *n = 0;
    while (f && !ended && fgets(line, sizeof line, f)) {
        expectation e;
        ended = strstr(line, "*/") != NULL;
        if (parse_line(line, &e))
            take_line(&groups, n, &e);
    }
    if (f)
        fclose(f);
    return groups;
}

/* The lines of `file` that hold "// MARK" followed by `word` ("" for any). */
static unsigned marked_lines(const char *file, const char *mark, const char *word, unsigned *lines,
                             unsigned max) {
    FILE *f = fopen(file, "r");
    char line[1024];
    unsigned n = 0;
    for (unsigned at = 1; f && fgets(line, sizeof line, f); at++) {
        const char *m = strstr(line, mark);
        if (m && (!*word || strstr(m, word)) && n < max)
            lines[n++] = at;
    }
    if (f)
        fclose(f);
    return n;
}

/* ---- Comparing ------------------------------------------------------------------------ */

static bool check_number(json_t *summary, const char *key, const char *value) {
    json_t *have = json_object_get(summary, key);
    if (!json_is_integer(have))
        return fail("the summary has no number '%s'", key);
    bool is_more = json_integer_value(have) > strtoll(value, NULL, 10);
    if (is_more && ((may_repeat && strcmp(key, "paths") != 0) ||
                    (atoi(workers) > 1 && strcmp(key, "tests") == 0)))
        return true;
    if (json_integer_value(have) != strtoll(value, NULL, 10))
        return fail("%s: %lld, expected %s", key, (long long)json_integer_value(have), value);
    return true;
}

static const char *first_text(json_t *list) {
    json_t *item = json_array_get(list, 0);
    if (json_is_string(item))
        return json_string_value(item);
    const char *what = json_string_value(json_object_get(item, "what"));
    return what ? what : "no reason given";
}

static bool check_verdict(json_t *summary, const char *value) {
    json_t *reasons = json_object_get(summary, "reasons");
    bool complete = json_is_true(json_object_get(summary, "complete"));
    if (complete && strcmp(value, "complete") != 0)
        return fail("the search says complete, expected %s", value);
    if (!complete && strcmp(value, "incomplete") != 0)
        return fail("the search is incomplete (%s)", first_text(reasons));
    return true;
}

/* Does the item (a string, or an object with strings and numbers) hold this text? */
static bool item_holds(json_t *item, const char *text) {
    char *dump = json_dumps(item, JSON_ENCODE_ANY);
    bool holds = dump && strstr(dump, text);
    free(dump);
    return holds;
}

static bool has_reason(json_t *summary, const char *text) {
    const char *lists[] = {"reasons", "losses"};
    for (unsigned l = 0; l < 2; l++) {
        size_t i;
        json_t *item;
        json_array_foreach(json_object_get(summary, lists[l]), i, item) {
            if (item_holds(item, text))
                return true;
        }
    }
    return false;
}

static bool check_reason(json_t *summary, const char *text, bool wanted) {
    if (has_reason(summary, text) == wanted)
        return true;
    return fail("%s reason or loss mentions '%s'", wanted ? "no" : "a", text);
}

static bool check_warning(json_t *summary, const char *text) {
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(summary, "warnings"), i, item) {
        if (strstr(json_string_value(item), text))
            return true;
    }
    return fail("no warning mentions '%s'", text);
}

static bool has_loss_at(json_t *summary, unsigned line) {
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(summary, "losses"), i, item) {
        if (json_integer_value(json_object_get(item, "line")) == line)
            return true;
    }
    return false;
}

static bool check_reason_line(json_t *summary, const char *file, const char *value) {
    unsigned lines[32], n = marked_lines(file, "// LOSS", "", lines, 32), found = 0, missing = 0;
    if (isdigit((unsigned char)*value))
        lines[0] = (unsigned)atoi(value), n = 1;
    for (unsigned k = 0; k < n; k++) {
        bool has = has_loss_at(summary, lines[k]);
        found += has;
        missing = has ? missing : lines[k];
    }
    bool is_good = strcmp(value, "all") == 0 ? n && found == n : found > 0;
    return is_good || fail("no loss is named at line %u", missing);
}

/* Executions that reached a label; -1 if none is known by this name.  Labels are an array of
 * {name, count} or an object of counts. */
static long long label_count(json_t *summary, const char *name) {
    json_t *labels = json_object_get(summary, "labels"), *item;
    size_t i;
    if (json_is_object(labels)) {
        item = json_object_get(labels, name);
        return item ? json_integer_value(item) : -1;
    }
    json_array_foreach(labels, i, item) {
        const char *have = json_string_value(json_object_get(item, "name"));
        if (have && strcmp(have, name) == 0)
            return json_integer_value(json_object_get(item, "count"));
    }
    return -1;
}

static bool check_label(json_t *summary, const char *value) {
    char name[256], *words[3];
    snprintf(name, sizeof name, "%s", value);
    unsigned n = split_words(name, words, 3);
    long long count = label_count(summary, words[0]);
    if (count <= 0)
        return fail("label '%s' was not reached", words[0]);
    if (n == 2 && may_repeat && count > strtoll(words[1], NULL, 10))
        return true;
    if (n == 2 && count != strtoll(words[1], NULL, 10))
        return fail("label '%s' was reached %lld times, expected %s", words[0], count, words[1]);
    return true;
}

static bool check_exit(const output *o, const char *value) {
    if (o->status != atoi(value))
        return fail("exit status %d, expected %s", o->status, value);
    return true;
}

static output list_test(unsigned number) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    char *argv[] = {(char *)heddle, "tests", directory, digits, NULL};
    return run_command(argv, "/dev/null");
}

static bool check_map(json_t *summary, const char *map) {
    long long n = json_integer_value(json_object_get(summary, "tests"));
    for (long long i = 1; i <= n && i <= 64; i++) {
        output o = list_test((unsigned)i);
        bool found = strstr(o.text, map) != NULL;
        free(o.text);
        if (found)
            return true;
    }
    return fail("no test has the logical input map %s", map);
}

static bool check_status(const char *value) {
    char *argv[] = {(char *)heddle, "tests", directory, "--json", NULL};
    output o = run_command(argv, "/dev/null");
    json_t *list = json_loads(o.text, 0, NULL), *test;
    size_t i;
    char *end;
    long long status = strtoll(value, &end, 10), wanted = atoll(end), n = 0;
    json_array_foreach(json_object_get(list, "tests"), i, test) {
        n += json_integer_value(json_object_get(test, "status")) == status;
    }
    json_decref(list);
    free(o.text);
    return n == wanted || fail("%lld tests end with status %lld, expected %lld", n, status, wanted);
}

static bool check_function(json_t *summary, const char *name) {
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(summary, "findings"), i, f) {
        const char *function = json_string_value(json_object_get(f, "function"));
        if (function && strcmp(function, name) == 0)
            return true;
    }
    return fail("no finding in function %s", name);
}

static bool check_message(json_t *summary, const char *text) {
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(summary, "findings"), i, f) {
        const char *message = json_string_value(json_object_get(f, "message"));
        if (message && strstr(message, text))
            return true;
    }
    return fail("no finding says '%s'", text);
}

static bool check_stack(json_t *summary, const char *text) {
    size_t i, k;
    json_t *f, *frame;
    json_array_foreach(json_object_get(summary, "findings"), i, f) {
        json_array_foreach(json_object_get(f, "stack"), k, frame) {
            if (strstr(json_string_value(frame), text))
                return true;
        }
    }
    return fail("no stack has '%s'", text);
}

static bool check_one(json_t *summary, const output *o, const char *file, const expectation *e) {
    if (strcmp(e->key, "verdict") == 0)
        return check_verdict(summary, e->value);
    if (strcmp(e->key, "label") == 0)
        return check_label(summary, e->value);
    if (strcmp(e->key, "no-label") == 0)
        return label_count(summary, e->value) <= 0 || fail("label '%s' was reached", e->value);
    if (strcmp(e->key, "reason") == 0)
        return check_reason(summary, e->value, true);
    if (strcmp(e->key, "warning") == 0)
        return check_warning(summary, e->value);
    if (strcmp(e->key, "no-reason") == 0)
        return check_reason(summary, e->value, false);
    if (strcmp(e->key, "reason-at") == 0)
        return check_reason_line(summary, file, e->value);
    if (strcmp(e->key, "map") == 0)
        return check_map(summary, e->value);
    if (strcmp(e->key, "exit") == 0)
        return check_exit(o, e->value);
    if (strcmp(e->key, "finding-in") == 0)
        return check_function(summary, e->value);
    if (strcmp(e->key, "says") == 0)
        return check_message(summary, e->value);
    if (strcmp(e->key, "status") == 0)
        return check_status(e->value);
    if (strcmp(e->key, "stack") == 0)
        return check_stack(summary, e->value);
    if (strcmp(e->key, "finding") == 0 || strcmp(e->key, "replay") == 0 ||
        strcmp(e->key, "strays") == 0 || strcmp(e->key, "fleet") == 0)
        return true; /* looked at elsewhere */
    return check_number(summary, e->key, e->value);
}

/* ---- Findings --------------------------------------------------------------------------- */

/* Is the finding on a line marked for its kind, if any line of the file is? */
static bool is_at_mark(json_t *finding, const char *file, const char *kind) {
    unsigned lines[256], n = marked_lines(file, "// BUG", kind, lines, 256);
    for (unsigned i = 0; i < n; i++)
        if (json_integer_value(json_object_get(finding, "line")) == lines[i])
            return true;
    return n == 0;
}

static void describe(json_t *finding, char *text, size_t size) {
    const char *file = json_string_value(json_object_get(finding, "file"));
    const char *message = json_string_value(json_object_get(finding, "message"));
    snprintf(text, size, "%s at %s:%lld (%s)", json_string_value(json_object_get(finding, "kind")),
             file ? file : "?", (long long)json_integer_value(json_object_get(finding, "line")),
             message ? message : "");
}

static bool is_announced(const group *g, const char *kind) {
    for (unsigned i = 0; i < g->n; i++)
        if (strcmp(g->all[i].key, "finding") == 0 &&
            strncmp(g->all[i].value, kind, strcspn(g->all[i].value, " ")) == 0 &&
            strlen(kind) == strcspn(g->all[i].value, " "))
            return true;
    return false;
}

static bool check_announced(json_t *findings, const group *g, const char *file) {
    size_t i;
    json_t *f;
    char text[512];
    json_array_foreach(findings, i, f) {
        const char *kind = json_string_value(json_object_get(f, "kind"));
        describe(f, text, sizeof text);
        if (!is_announced(g, kind ? kind : ""))
            return fail("unexpected finding: %s", text);
        if (!is_at_mark(f, file, kind))
            return fail("finding at an unmarked line: %s", text);
    }
    return true;
}

static bool check_found(json_t *findings, const char *value) {
    char kind[256], *words[3];
    size_t i;
    json_t *f;
    long count = 0;
    snprintf(kind, sizeof kind, "%s", value);
    unsigned n = split_words(kind, words, 3);
    json_array_foreach(findings, i, f) {
        const char *have = json_string_value(json_object_get(f, "kind"));
        count += have && strcmp(have, words[0]) == 0;
    }
    if (count == 0)
        return fail("no finding of kind %s", words[0]);
    if (n == 2 && count != atol(words[1]))
        return fail("%ld findings of kind %s, expected %s", count, words[0], words[1]);
    return true;
}

static bool check_findings(json_t *summary, const group *g, const char *file) {
    json_t *findings = json_object_get(summary, "findings");
    bool good = check_announced(findings, g, file);
    for (unsigned i = 0; i < g->n && good; i++)
        if (strcmp(g->all[i].key, "finding") == 0)
            good = check_found(findings, g->all[i].value);
    return good;
}

/* ---- Replays ----------------------------------------------------------------------------- */

/* Tests to replay, each once: what shows a finding is a test as well. */
typedef struct replays {
    char digits[MAX_WORDS][24];
    unsigned n;
} replays;

static void add_replay(replays *r, long long number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", number);
    for (unsigned i = 0; i < r->n; i++)
        if (strcmp(r->digits[i], digits) == 0)
            return;
    if (number > 0 && r->n < MAX_WORDS)
        memcpy(r->digits[r->n++], digits, sizeof digits);
}

/* One command for n of them: to begin one takes longer than to run most tests. */
static bool replay(replays *r, unsigned first, unsigned n) {
    char err[320], *argv[MAX_WORDS + 4] = {(char *)heddle, "replay", directory};
    snprintf(err, sizeof err, "%s.replay", directory);
    for (unsigned i = 0; i < n; i++)
        argv[3 + i] = r->digits[first + i];
    output o = run_command(argv, err);
    free(o.text);
    unlink(err);
    return o.status == 0 ||
           (n == 1 && fail("test %s does not replay (status %d)", r->digits[first], o.status));
}

/* Those that do not are found one by one, if any. */
static bool replay_each(replays *r) {
    if (r->n == 0 || replay(r, 0, r->n))
        return true;
    for (unsigned i = 0; i < r->n; i++)
        if (!replay(r, i, 1))
            return false;
    return fail("%u tests do not replay by one command", r->n);
}

static bool replay_all(json_t *summary) {
    long long n = json_integer_value(json_object_get(summary, "tests"));
    long long most = getenv("REPLAYS") ? atoll(getenv("REPLAYS")) : MAX_REPLAYS;
    long long step = n > most ? n / most : 1;
    replays all = {.n = 0};
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(summary, "findings"), i, f) {
        if ((long long)i < most)
            add_replay(&all, json_integer_value(json_object_get(f, "test")));
    }
    for (long long t = 1; t <= n; t += step)
        add_replay(&all, t);
    return replay_each(&all);
}

/* ---- The hostile build ------------------------------------------------------------------------
 */

/* HOSTILE is set: the tool is a hostile build, whose solver gives up at random.  Where it has, the
 * search must say that it is not complete, and must not show more than there is. */
static bool has_given_up(json_t *summary) {
    json_t *unknown = json_object_get(json_object_get(summary, "solver"), "unknown");
    return getenv("HOSTILE") && json_integer_value(unknown) > 0;
}

static bool check_at_most(json_t *summary, const expectation *e) {
    static const char *const counts[] = {"paths", "executions", "rejected"};
    long long have = json_integer_value(json_object_get(summary, e->key));
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(e->key, counts[i]) == 0 && have > strtoll(e->value, NULL, 10))
            return fail("%s: %lld, but there are only %s", e->key, have, e->value);
    return true;
}

static bool check_less(json_t *summary, const char *file, const group *g) {
    bool good = check_announced(json_object_get(summary, "findings"), g, file);
    if (json_is_true(json_object_get(summary, "complete")))
        return fail("the search says complete, but the solver gave up");
    for (unsigned i = 0; i < g->n && good; i++)
        good = check_at_most(summary, &g->all[i]);
    return good;
}

/* ---- Fleets ------------------------------------------------------------------------------- */

/* Seeds differ from program to program. */
static unsigned first_seed(const char *file, const group *g) {
    unsigned sum = 1;
    for (const char *c = file; *c; c++)
        sum = 31 * sum + (unsigned char)*c;
    for (const char *c = g->options; *c; c++)
        sum = 31 * sum + (unsigned char)*c;
    return sum % 100000;
}

static bool rehearse_under(const char *seed, const char *count) {
    char path[512];
    snprintf(path, sizeof path, "%.*srehearse", (int)(strrchr(limited, '/') + 1 - limited),
             limited);
    char *argv[] = {path, directory, (char *)seed, (char *)count, NULL};
    output o = run_command(argv, "/dev/null");
    size_t n = strcspn(o.text, "\n");
    bool good = o.status == 0 || fail("a fleet: %.*s (status %d)", (int)n, o.text, o.status);
    free(o.text);
    return good;
}

static bool rehearse(const char *file, const group *g) {
    char seed[16];
    bool good = true;
    for (unsigned i = 0; i < g->n && good; i++)
        if (strcmp(g->all[i].key, "fleet") == 0)
            good = rehearse_under(g->all[i].value, "1");
    snprintf(seed, sizeof seed, "%u", first_seed(file, g));
    return good && (!getenv("REHEARSE") || rehearse_under(seed, getenv("REHEARSE")));
}

/* ---- One group ------------------------------------------------------------------------------ */

static bool has_key(const group *g, const char *key) {
    for (unsigned i = 0; i < g->n; i++)
        if (strcmp(g->all[i].key, key) == 0)
            return true;
    return false;
}

/* The last line that the command wrote to standard error says what went wrong. */
static void fail_with_stderr(const output *o, const char *err_file) {
    char line[512], last[512] = "nothing on standard error";
    FILE *f = fopen(err_file, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(trim(line), "hint", 4) != 0 && *trim(line))
            snprintf(last, sizeof last, "%s", trim(line));
    if (f)
        fclose(f);
    if (o->status == OUT_OF_TIME && getenv("HOSTILE"))
        is_too_slow = true;
    else if (o->status == OUT_OF_TIME)
        fail("no answer within %d s of processor time", TIME_LIMIT);
    else
        fail("no JSON summary, status %d: %s", o->status, last);
}

/* A worker that dies of a mistake of its own is started again: nobody would see it in the summary.
 */
static bool check_mistakes(const char *err_file) {
    char line[512];
    bool good = true;
    FILE *f = fopen(err_file, "r");
    while (good && f && fgets(line, sizeof line, f))
        good = !strstr(line, "internal error") || fail("%s", trim(line));
    if (f)
        fclose(f);
    return good;
}

static bool check_strays(json_t *summary, const group *g) {
    json_t *strays = json_object_get(json_object_get(summary, "search"), "mispredicted");
    if (has_key(g, "strays") || json_integer_value(strays) == 0)
        return true;
    return fail("%lld executions strayed (%s)", (long long)json_integer_value(strays),
                first_text(json_object_get(summary, "reasons")));
}

static bool check_all(json_t *summary, const output *o, const char *file, const group *g) {
    bool good = check_findings(summary, g, file);
    for (unsigned i = 0; i < g->n && good; i++)
        good = check_one(summary, o, file, &g->all[i]);
    if (good && !has_key(g, "exit") && has_key(g, "finding"))
        good = check_exit(o, "1");
    return good;
}

static bool check_summary(json_t *summary, const output *o, const char *file, const group *g) {
    bool good =
        has_given_up(summary) ? check_less(summary, file, g) : check_all(summary, o, file, g);
    good = good && check_strays(summary, g);
    return good && (has_key(g, "replay") || replay_all(summary));
}

static bool check_group(const char *file, const group *g) {
    char err_file[320];
    snprintf(err_file, sizeof err_file, "%s.err", directory);
    const char *por = strstr(g->options, "--por ");
    output o = run_heddle(file, g->options, err_file);
    json_t *summary = json_loads(o.text, 0, NULL);
    bool is_exact = !por || strstr(por, "optimal");
    bool has_inputs = json_integer_value(json_object_get(summary, "inputs")) > 0;
    may_repeat = atoi(workers) > 1 && (is_exact ? has_inputs : !strstr(por, "none"));
    /* A command that must fail as such has no summary. */
    bool no_summary_wanted = !summary && has_key(g, "exit") && g->n == 1;
    bool good = no_summary_wanted ? check_exit(&o, g->all[0].value)
                : summary         ? check_summary(summary, &o, file, g)
                                  : (fail_with_stderr(&o, err_file), false);
    good = good && check_mistakes(err_file);
    good = good && (!summary || has_key(g, "replay") || has_key(g, "strays") || rehearse(file, g));
    json_decref(summary);
    free(o.text);
    unlink(err_file);
    return good;
}

static void remove_directory(void) {
    char *argv[] = {"/bin/rm", "-rf", directory, NULL};
    output o = run_command(argv, "/dev/null");
    free(o.text);
}

static unsigned check_file(const char *file) {
    unsigned n, failures = 0;
    reason[0] = 0;
    group *groups = read_groups(file, &n);
    if (n == 0)
        fail("the header has no 'run:' line");
    for (unsigned i = 0; i < n || reason[0]; i++) {
        is_too_slow = false;
        bool good = !reason[0] && (check_group(file, &groups[i]) || is_too_slow);
        printf("%s - %s%s%s%s%s\n", good ? "ok" : "not ok", file,
               i < n && groups[i].options[0] ? " " : "", i < n ? groups[i].options : "",
               is_too_slow ? " # SKIP too slow"
               : good      ? ""
                           : ": ",
               good ? "" : reason);
        failures += !good;
        reason[0] = 0;
        if (!getenv("KEEP"))
            remove_directory();
        if (n == 0)
            break;
    }
    free(groups);
    return failures;
}

int main(int argc, char **argv) {
    const char *temporary = getenv("TMPDIR");
    unsigned failures = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *slash = strrchr(argv[0], '/');
    snprintf(limited, sizeof limited, "%.*slimited", slash ? (int)(slash + 1 - argv[0]) : 0,
             argv[0]);
    heddle = getenv("HEDDLE") ? getenv("HEDDLE") : "build/heddle";
    workers = getenv("WORKERS") ? getenv("WORKERS") : "1";
    snprintf(directory, sizeof directory, "%s/heddle-check-%d", temporary ? temporary : "/tmp",
             (int)getpid());
    for (int i = 1; i < argc; i++)
        failures += check_file(argv[i]);
    return failures != 0;
}
