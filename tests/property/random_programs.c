/* Random programs: the paths that Heddle explores are the paths that exist.
 *
 *     random_programs [COUNT [FIRST_SEED]]      (HEDDLE names the tool, default build/heddle)
 *
 * Each seed gives a small program over 8-bit inputs (random_source.h).  Compiled natively it is
 * run for all inputs; that gives the set of its paths, and for each label the number of paths
 * that reach it.  `heddle run --tests all` must then say that it is complete, and its tests
 * must be one input for each of those paths, no more and no fewer, with the exit status that
 * the native program gives for that input, and the same label counts.  Some of the tests are
 * replayed.  In programs with threads addresses that depend on inputs are decided before the
 * access (docs/threads.md): there a path may have several tests, and has at least one.  Where
 * values become constants each is a path (`--values`).  With few steps allowed, what is called
 * complete must be so all the same.
 *
 * The same seed also gives a program with errors of memory, which is explored only: whatever goes
 * wrong, no execution may leave the path that was predicted for it, and the findings replay.
 *
 * A program of too many paths is left out, and so is one whose search runs out of time, as
 * long as these stay rare.  A failing program is kept and named with its seed. */
#include "property/random/random_source.h"
#include <dlfcn.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PATHS = 2500, MIN_PATHS = 8, REPLAYS = 3, EXECUTIONS = 3000 };
#define SECONDS "60" /* of processor time, then a program is left out */

typedef struct native {
    void *library;
    int (*run)(uint8_t, uint8_t, uint8_t);
    uint64_t *path, *labels;
    unsigned n_inputs;
    bool has_threads;
} native;

typedef struct known_path {
    uint64_t hash, labels;
    unsigned seen; /* tests of Heddle that take it */
    bool is_found; /* and one that is kept for a finding */
} known_path;

typedef struct path_set {
    known_path *at;
    size_t size, n; /* size is a power of two */
} path_set;

static const char *heddle;
static char directory[128];
static char why[512]; /* the first thing that was wrong */

__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!why[0])
        vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return false;
}

/* ---- The set of paths ------------------------------------------------------------------- */

static known_path *find_path(path_set *set, uint64_t hash) {
    size_t i = hash & (set->size - 1);
    while (set->at[i].hash != 0 && set->at[i].hash != hash)
        i = (i + 1) & (set->size - 1);
    return &set->at[i];
}

static void brute_force(const native *program, path_set *set) {
    uint32_t n = program->n_inputs == 3 ? 1u << 24 : 1u << 16;
    for (uint32_t i = 0; i < n && set->n <= MAX_PATHS; i++) {
        program->run((uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16));
        known_path *p = find_path(set, *program->path);
        if (p->hash)
            continue;
        p->hash = *program->path;
        p->labels = *program->labels;
        set->n++;
    }
}

/* ---- Commands ------------------------------------------------------------------------------ */

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...) {
    char command[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *load_json(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    json_t *value = json_load_file(path, 0, NULL);
    if (!value)
        wrong("'%s' is not JSON", name);
    return value;
}

static long long number(json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static bool load_native(native *program) {
    char path[256];
    if (shell("${CC:-cc} -w -O1 -fPIC -shared -DBRUTE -o %s/subject.so %s/subject.c", directory,
              directory) != 0)
        return wrong("the generated program does not compile");
    snprintf(path, sizeof path, "%s/subject.so", directory);
    program->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!program->library)
        return wrong("%s", dlerror());
    program->run = (int (*)(uint8_t, uint8_t, uint8_t))dlsym(program->library, "run_subject");
    program->path = dlsym(program->library, "path");
    program->labels = dlsym(program->library, "labels");
    return true;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* By its name, or as a field of a struct. */
static uint8_t input_of(json_t *test, const char *name) {
    size_t i;
    json_t *input;
    json_array_foreach(json_object_get(test, "inputs"), i, input) {
        const char *have = json_string_value(json_object_get(input, "name"));
        const char *field = have ? strrchr(have, '.') : NULL;
        if (have && strcmp(field ? field + 1 : have, name) == 0)
            return (uint8_t)number(input, "value");
    }
    return 0;
}

/* Run the test natively: a path of its own, and the same end. */
static bool check_test(const native *program, path_set *set, json_t *test) {
    uint8_t a = input_of(test, "a"), b = input_of(test, "b"), c = input_of(test, "c");
    int status = program->run(a, b, c);
    known_path *p = find_path(set, *program->path);
    if (p->hash == 0)
        return wrong("test %lld takes a path that brute force missed", number(test, "number"));
    if (json_is_string(json_object_get(test, "finding"))) { /* one for each (has_no_bugs) */
        p->is_found = true;
        return true;
    }
    if (p->seen++ && !program->has_threads)
        return wrong("inputs %u,%u,%u: a path that another test takes too", a, b, c);
    if (status != number(test, "status"))
        return wrong("inputs %u,%u,%u: exit status %lld, natively %d", a, b, c,
                     number(test, "status"), status);
    return true;
}

static bool check_tests(const native *program, path_set *set) {
    json_t *list = load_json("tests.json"), *test;
    bool good = list != NULL;
    size_t i;
    json_array_foreach(json_object_get(list, "tests"), i, test) {
        good = good && check_test(program, set, test);
    }
    json_decref(list);
    return good;
}

static bool check_labels(json_t *summary, const native *program, const path_set *set) {
    for (unsigned label = 0; label < MAX_LABELS; label++) {
        char name[16];
        long long want = 0;
        for (size_t i = 0; i < set->size; i++)
            want += set->at[i].hash && set->at[i].labels >> label & 1;
        snprintf(name, sizeof name, "L%u", label);
        long long have = number(json_object_get(summary, "labels"), name);
        if (program->has_threads ? (have > 0) != (want > 0) : have != want)
            return wrong("label %s reached by %lld paths, %lld by brute force", name, have, want);
    }
    return true;
}

static bool is_every_path_seen(const path_set *set) {
    for (size_t i = 0; i < set->size; i++)
        if (set->at[i].hash && !set->at[i].seen && !set->at[i].is_found)
            return wrong("a path that no test takes");
    return true;
}

/* Only calls by other types (random_calls.h), which go on. */
static bool has_no_bugs(json_t *summary) {
    size_t i;
    json_t *finding;
    json_array_foreach(json_object_get(summary, "findings"), i, finding) {
        if (strcmp(json_string_value(json_object_get(finding, "kind")), "wrong-function") != 0)
            return false;
    }
    return true;
}

static bool check_summary(json_t *summary, const native *program, const path_set *set) {
    if (!json_is_true(json_object_get(summary, "complete"))) {
        char *reasons = json_dumps(json_object_get(summary, "reasons"), 0);
        wrong("incomplete: %s", reasons);
        free(reasons);
        return false;
    }
    if (!has_no_bugs(summary))
        return wrong("a finding in a program without bugs");
    if (!program->has_threads && number(summary, "paths") != (long long)set->n)
        return wrong("%lld paths, %zu by brute force", number(summary, "paths"), set->n);
    return check_labels(summary, program, set);
}

static bool check_replays(json_t *summary) {
    long long n = number(summary, "tests"), step = n / REPLAYS + 1;
    for (long long t = 1; t <= n; t += step)
        if (shell("%s replay %s/out %lld >/dev/null 2>&1", heddle, directory, t) != 0)
            return wrong("test %lld does not replay", t);
    return true;
}

/* Within a few steps not all is seen, which is said: who says "complete" has seen it. */
static bool limits_are_said(const native *program, const path_set *set, uint64_t seed) {
    unsigned steps = 1 + (unsigned)(seed % 7);
    shell(
        "%s run --json --values 24 --max-steps %u -o %s/few %s/subject.c >%s/few.json 2>%s/errors",
        heddle, steps, directory, directory, directory, directory);
    json_t *summary = load_json("few.json");
    if (!summary)
        return false;
    bool is_complete = json_is_true(json_object_get(summary, "complete"));
    bool has_bugs = !has_no_bugs(summary);
    long long paths = number(summary, "paths");
    json_decref(summary);
    if (has_bugs)
        return wrong("--max-steps %u: a finding in a program without bugs", steps);
    if (is_complete && !program->has_threads && paths != (long long)set->n)
        return wrong("--max-steps %u: complete with %lld of %zu paths", steps, paths, set->n);
    return true;
}

/* ---- One program ------------------------------------------------------------------------------
 */

typedef enum answer { GOOD, BAD, LEFT_OUT } answer;

static answer run_heddle(const native *program, path_set *set, uint64_t seed) {
    const char *limited = getenv("limited"); /* tests/limited.c: processor time */
    int status = shell(
        "%s %s %s run --json --values 24 --tests all -o %s/out %s/subject.c >%s/summary.json "
        "2>%s/errors",
        limited ? limited : "timeout", SECONDS, heddle, directory, directory, directory, directory);
    if (status == 124)
        return LEFT_OUT;
    json_t *summary = load_json("summary.json");
    if (!summary)
        return BAD;
    shell("%s tests %s/out --json >%s/tests.json", heddle, directory, directory);
    bool is_good = check_summary(summary, program, set) && check_tests(program, set) &&
                   is_every_path_seen(set) && check_replays(summary) &&
                   limits_are_said(program, set, seed);
    json_decref(summary);
    return is_good ? GOOD : BAD;
}

static answer check_native(native *program, uint64_t seed) {
    path_set set = {.size = 1 << 14};
    set.at = calloc(set.size, sizeof *set.at);
    brute_force(program, &set);
    bool is_fit = set.n >= MIN_PATHS && set.n <= MAX_PATHS;
    answer result = is_fit ? run_heddle(program, &set, seed) : LEFT_OUT;
    free(set.at);
    return result;
}

static bool write_program(uint64_t seed, bool has_errors, native *program) {
    char path[256];
    shell("rm -rf %s && mkdir -p %s", directory, directory);
    snprintf(path, sizeof path, "%s/subject.c", directory);
    FILE *out = fopen(path, "w");
    if (!out)
        return wrong("cannot write '%s'", path);
    source s = write_random_source(out, seed, has_errors);
    program->n_inputs = s.n_inputs;
    program->has_threads = s.has_threads;
    return fclose(out) == 0;
}

static bool replay_findings(json_t *summary) {
    size_t i;
    json_t *finding;
    json_array_foreach(json_object_get(summary, "findings"), i, finding) {
        if (i < REPLAYS && shell("%s replay %s/out %lld >/dev/null 2>&1", heddle, directory,
                                 number(finding, "test")) != 0)
            return wrong("finding %zu does not replay", i + 1);
    }
    return true;
}

/* Nothing but their number may keep the search from being complete. */
static bool never_strays(uint64_t seed) {
    native unused;
    if (!write_program(seed, true, &unused))
        return false;
    shell("%s run --json --values 24 --max-executions %d -o %s/out %s/subject.c >%s/summary.json "
          "2>%s/errors",
          heddle, EXECUTIONS, directory, directory, directory, directory);
    json_t *summary = load_json("summary.json");
    if (!summary)
        return false;
    long long strays = number(json_object_get(summary, "search"), "mispredicted");
    bool good = strays == 0 || wrong("with errors: %lld executions strayed", strays);
    if (good && number(summary, "executions") < EXECUTIONS &&
        !json_is_true(json_object_get(summary, "complete"))) {
        char *reasons = json_dumps(json_object_get(summary, "reasons"), 0);
        good = wrong("with errors: incomplete: %s", reasons);
        free(reasons);
    }
    good = good && replay_findings(summary);
    json_decref(summary);
    return good;
}

static answer check_seed(uint64_t seed) {
    native program = {0};
    if (!never_strays(seed) || !write_program(seed, false, &program))
        return BAD;
    answer result = load_native(&program) ? check_native(&program, seed) : BAD;
    if (program.library)
        dlclose(program.library);
    return result;
}

static int report_failure(uint64_t seed) {
    char kept[160];
    const char *folder = getenv("HEDDLE_KEEP");
    snprintf(kept, sizeof kept, "%s/random-program-%llu", folder ? folder : "/tmp",
             (unsigned long long)seed);
    shell("rm -rf %s && cp -r %s %s && rm -rf %s", kept, directory, kept, directory);
    printf("seed %llu: %s (kept in %s)\n", (unsigned long long)seed, why, kept);
    return 1;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 400 : 8;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *temporary = getenv("TMPDIR");
    unsigned good = 0, left_out = 0;
    heddle = getenv("HEDDLE") ? getenv("HEDDLE") : "build/heddle";
    snprintf(directory, sizeof directory, "%s/heddle-random-%d", temporary ? temporary : "/tmp",
             (int)getpid());
    for (; good < count; seed++) {
        answer result = check_seed(seed);
        if (result == BAD)
            return report_failure(seed);
        good += result == GOOD;
        left_out += result == LEFT_OUT;
        if (left_out > 3 * count + 10)
            return printf("too many programs left out: %u\n", left_out), 1;
    }
    shell("rm -rf %s", directory);
    printf("%u programs, %u left out\n", good, left_out);
    return 0;
}
