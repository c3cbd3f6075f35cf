/* Threads from end to end: `heddle run` on one program, thread_program.c, whose arguments say what
 * its threads do, against all interleavings of the same operations on the abstract machine.
 *
 *     property_threads [COUNT [FIRST_SEED]]      (HEDDLE names the tool, default build/heddle)
 *
 * Every reduction must say that it is complete, find as many classes as there are traces, and the
 * failures that exist: deadlocks, and whose assertions.  `optimal` must take one execution for each
 * class and reach each label, which says what memory holds at the end, as often as there are traces
 * that end so. */
#include "base/hash.h"
#include "explore/explore.h"
#include "property/model/model_threads.h"
#include "tool/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SUBJECT "tests/property/subject/thread_program.c"
enum { MAX_INTERLEAVINGS = 5000, SHARED_LOCK = 2 };
/* How many threads come and go before: numbers around 63, where sets are no words any more, and
 * around 128. */
enum { BEFORE_LEAST = 59, BEFORE_MORE = 75 };

static char why[512]; /* the first thing that was wrong */

__attribute__((format(printf, 1, 2))) static bool wrong(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!why[0])
        vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return false;
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* What a code of eight bits means: kind, operand (ANY: the object), and the operation of the model.
 */
enum { ANY = 4 };
static const struct {
    uint8_t kind, operand;
    operation is;
} codes[] = {
    {1, ANY, {.kind = OPERATION_READ}},
    {2, ANY, {.kind = OPERATION_WRITE, .value = 1}},
    {3, ANY, {.kind = OPERATION_WRITE, .value = 2}},
    {4, ANY, {.kind = OPERATION_ADD, .value = 1}},
    {5, ANY, {.kind = OPERATION_COMPARE, .value = 0, .extra = 1}},
    {6, ANY, {.kind = OPERATION_COMPARE, .value = 1, .extra = 2}},
    {7, ANY, {.kind = OPERATION_STORE}},
    {8, ANY, {.kind = OPERATION_LOCK}},
    {9, ANY, {.kind = OPERATION_TRY_LOCK}},
    {10, ANY, {.kind = OPERATION_UNLOCK}},
    {11, 0, {.kind = OPERATION_TAKE}},
    {11, 1, {.kind = OPERATION_TRY_TAKE}},
    {11, 2, {.kind = OPERATION_POST}},
    {12, ANY, {.kind = OPERATION_WAIT}},
    {12, 2, {.kind = OPERATION_SIGNAL}},
    {12, 3, {.kind = OPERATION_BROADCAST}},
    {13, 0, {.kind = OPERATION_READ_LOCK, .object = SHARED_LOCK}},
    {13, 1, {.kind = OPERATION_LOCK, .object = SHARED_LOCK}},
    {13, 2, {.kind = OPERATION_READ_UNLOCK, .object = SHARED_LOCK}},
    {13, 3, {.kind = OPERATION_UNLOCK, .object = SHARED_LOCK}},
    {14, 0, {.kind = OPERATION_SKIP, .value = 0, .extra = 1}},
    {14, 1, {.kind = OPERATION_SKIP, .value = 1, .extra = 1}},
    {15, 0, {.kind = OPERATION_ASSERT, .value = 0}},
    {15, 1, {.kind = OPERATION_ASSERT, .value = 1}},
    {15, 2, {.kind = OPERATION_ASSERT, .value = 2}},
    {11, 3, {.kind = OPERATION_VALUE}},
    {16, 0, {.kind = OPERATION_TRY_READ_LOCK, .object = SHARED_LOCK}},
    {16, 1, {.kind = OPERATION_TRY_LOCK, .object = SHARED_LOCK}},
    {17, ANY, {.kind = OPERATION_TIMED_WAIT}},
    {18, 0, {.kind = OPERATION_BARRIER}},
    {19, 0, {.kind = OPERATION_INPUT}},
    {20, 0, {.kind = OPERATION_ASSUME, .value = 0}},
    {20, 1, {.kind = OPERATION_ASSUME, .value = 1}},
    {21, 0, {.kind = OPERATION_END}},
    {21, 2, {.kind = OPERATION_END}},
    {22, 0, {.kind = OPERATION_EXIT}},
};
enum { N_CODES = sizeof codes / sizeof *codes, N_MEMORY_CODES = 7, SKIP_CODE = 20, MAX_INPUTS = 2 };

/* As thread_program.c has it. */
enum how_main_ends { REPORTS, RETURNS, EXITS, LEAVES, N_ENDS };

typedef struct subject {
    program program;
    unsigned joined; /* threads that main joins, from the lowest bit on */
    unsigned how_main_ends;
    unsigned n_before; /* threads that come and go before the others */
    uint64_t code[MODEL_THREADS];
} subject;

static void add_code(subject *s, unsigned t, unsigned n, unsigned object) {
    program *p = &s->program;
    operation o = codes[n].is;
    unsigned operand = codes[n].operand == ANY ? object : codes[n].operand;
    if (codes[n].operand == ANY)
        o.object = (uint8_t)object;
    if (o.kind == OPERATION_INPUT)
        o.object = p->code.n_inputs++;
    s->code[t] |= (uint64_t)(codes[n].kind << 2 | operand) << 8 * p->code.n[t];
    p->code.at[t][p->code.n[t]++] = o;
}

static bool acquires(unsigned kind) {
    return kind == OPERATION_LOCK || kind == OPERATION_TRY_LOCK || kind == OPERATION_READ_LOCK ||
           kind == OPERATION_TRY_READ_LOCK;
}

static bool releases(unsigned kind) {
    return kind == OPERATION_UNLOCK || kind == OPERATION_READ_UNLOCK;
}

static bool waits(unsigned kind) {
    return kind == OPERATION_WAIT || kind == OPERATION_TIMED_WAIT;
}

static bool ends(unsigned kind) {
    return kind == OPERATION_END || kind == OPERATION_EXIT;
}

/* A thread takes no lock that it may hold already, and only one thread waits: whom a signal wakes
 * is a choice of Heddle that the model does not make.  A second timeout would be a bound. */
static bool is_fit(const program *p, unsigned t, unsigned kind, bool is_held) {
    if (acquires(kind) && is_held)
        return false;
    if ((releases(kind) || waits(kind)) && !is_held)
        return false;
    if (kind == OPERATION_INPUT && p->code.n_inputs == MAX_INPUTS)
        return false;
    return !waits(kind) ||
           (t == 1 && !(kind == OPERATION_TIMED_WAIT && code_has(&p->code, OPERATION_TIMED_WAIT)));
}

/* One more operation.  What ends a thread or the program comes under a condition, half of the time.
 */
static void add_random(subject *s, unsigned t, unsigned *held, uint64_t *random) {
    unsigned n = below(random, N_CODES), kind = codes[n].is.kind;
    bool is_memory = n < N_MEMORY_CODES;
    unsigned object = below(random, is_memory ? MODEL_LOCATIONS : 2);
    unsigned lock = codes[n].operand == ANY ? object : codes[n].is.object;
    if (!is_fit(&s->program, t, kind, *held >> lock & 1))
        return;
    if (ends(kind) && below(random, 2))
        add_code(s, t, SKIP_CODE, 0);
    *held |= acquires(kind) ? 1u << lock : 0;
    *held &= releases(kind) ? ~(1u << lock) : ~0u;
    add_code(s, t, n, object);
    if (kind == OPERATION_SKIP)
        add_code(s, t, below(random, N_MEMORY_CODES), below(random, MODEL_LOCATIONS));
}

/* As many threads as it joins; the others it leaves alone, and ends before they do. */
static void add_main(subject *s) {
    program *p = &s->program;
    for (uint8_t t = 1; t < p->code.n_threads; t++)
        p->code.at[0][p->code.n[0]++] = (operation){.kind = OPERATION_CREATE, .object = t};
    for (uint8_t t = 1; t < p->code.n_threads; t++)
        if (s->joined >> (t - 1) & 1)
            p->code.at[0][p->code.n[0]++] = (operation){.kind = OPERATION_JOIN, .object = t};
    if (s->how_main_ends == RETURNS || s->how_main_ends == EXITS)
        p->code.at[0][p->code.n[0]++] = (operation){.kind = OPERATION_EXIT};
}

/* Thread 0 is the main function. */
static subject random_subject(uint64_t seed) {
    uint64_t random = seed;
    subject s = {0};
    program *p = &s.program;
    p->code.n_threads = (uint8_t)(3 + below(&random, 2));
    p->code.n_initial = 1;
    p->code.input_width = 2;
    p->semaphore = (uint8_t)below(&random, 3);
    p->barrier = 2;
    s.how_main_ends = below(&random, 2) ? REPORTS : below(&random, N_ENDS);
    s.joined = s.how_main_ends == REPORTS ? 7 : below(&random, 8);
    add_main(&s);
    for (unsigned t = 1; t < p->code.n_threads; t++) {
        unsigned held = 0, wanted = 1 + below(&random, p->code.n_threads == 3 ? 6 : 3);
        while (p->code.n[t] < wanted)
            add_random(&s, t, &held, &random);
    }
    if (p->code.n_inputs && s.how_main_ends == REPORTS)
        s.how_main_ends = LEAVES; /* what it says would be decisions */
    if (below(&random, 4) == 0)
        s.n_before = BEFORE_LEAST + below(&random, BEFORE_MORE);
    return s;
}

/* ---- Heddle ---------------------------------------------------------------------------------- */

static unsigned word_of_main(const subject *s) {
    return s->program.semaphore | s->joined << 4 | s->how_main_ends << 8 | s->n_before << 12;
}

static json_t *run_heddle(const subject *s, const char *reduction) {
    hd_text codes = {0};
    for (unsigned t = 1; t < s->program.code.n_threads; t++)
        hd_text_add(&codes, " %llx", (unsigned long long)s->code[t]);
    json_t *summary = tool_run("--por %s " SUBJECT " -- %x%s", reduction, word_of_main(s),
                               hd_text_string(&codes));
    hd_text_release(&codes);
    if (!summary)
        wrong("%s: no summary", reduction);
    return summary;
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

static uint64_t number(json_t *object, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

/* What goes wrong in any execution: bit 0 for a deadlock, bit t for an assertion of thread t,
 * the highest for anything else. */
#define OTHER_FAILURE (1u << 31)

static unsigned failures_found(json_t *summary) {
    unsigned bits = 0;
    size_t i;
    json_t *finding;
    json_array_foreach(json_object_get(summary, "findings"), i, finding) {
        const char *kind = json_string_value(json_object_get(finding, "kind"));
        const char *function = json_string_value(json_object_get(finding, "function"));
        unsigned thread = 0;
        if (strcmp(kind, "deadlock") == 0 || strcmp(kind, "lost-wakeup") == 0)
            bits |= 1;
        else if (strcmp(kind, "assertion") == 0 && sscanf(function, "assert_%u", &thread) == 1)
            bits |= 2u << thread; /* the program's first is thread 1 */
        else
            bits |= OTHER_FAILURE;
    }
    return bits;
}

static unsigned failures_known(const known *k) {
    uint64_t all = k->findings;
    unsigned bits = (all & FINDING_DEADLOCK) != 0;
    for (unsigned t = 1; t < MODEL_THREADS; t++) /* 0 is main */
        if (all >> t * MODEL_OPERATIONS & ((1u << MODEL_OPERATIONS) - 1))
            bits |= 1u << t;
    return bits;
}

static bool check_findings(json_t *summary, const known *k, const char *how) {
    unsigned found = failures_found(summary), real = failures_known(k);
    if (found & ~real)
        return wrong("%s: failures %x, of which only %x are real", how, found, real);
    if (real & ~found)
        return wrong("%s: failures %x, and %x are not found", how, found, real & ~found);
    return true;
}

/* How many traces end with this value (3: any other) at the location? */
static uint64_t count_ends(const known *k, unsigned location, unsigned value) {
    uint64_t n = 0;
    for (size_t i = 0; i < k->classes.n; i++) {
        unsigned have = k->classes.at[i].memory[location];
        n += k->classes.at[i].has_ended && (have < 3 ? have : 3) == value;
    }
    return n;
}

static bool check_labels(json_t *summary, const known *k, const char *how, bool is_exact) {
    static const char *const values[] = {"0", "1", "2", "other"};
    for (unsigned location = 0; location < MODEL_LOCATIONS; location++)
        for (unsigned value = 0; value < 4; value++) {
            char label[16];
            snprintf(label, sizeof label, "x%u=%s", location, values[value]);
            uint64_t have = number(json_object_get(summary, "labels"), label);
            uint64_t want = count_ends(k, location, value);
            if (is_exact ? have != want : (have > 0) != (want > 0))
                return wrong("%s: %s at the end of %llu executions, %llu traces", how, label,
                             (unsigned long long)have, (unsigned long long)want);
        }
    return true;
}

/* `optimal` runs each class once.  Classes of executions that fail beside a rejected assumption
 * are not known: they are run as far as they show something. */
static bool check_classes(json_t *summary, const subject *s, const known *k,
                          hd_reduction reduction) {
    const char *how = hd_reduction_name(reduction);
    json_t *threads = json_object_get(summary, "threads");
    uint64_t n = number(threads, "classes"), executions = number(summary, "executions");
    bool is_optimal = reduction == HD_REDUCTION_OPTIMAL;
    if (code_has(&s->program.code, OPERATION_ASSUME) && k->findings)
        return n >= k->classes.n || wrong("%s: too few classes", how);
    if (n != k->classes.n)
        return wrong("%s: %llu classes, %zu by brute force", how, (unsigned long long)n,
                     k->classes.n);
    if (is_optimal &&
        (executions - number(summary, "rejected") != n || number(threads, "redundant") != 0))
        return wrong("%s: %llu executions for %llu classes", how, (unsigned long long)executions,
                     (unsigned long long)n);
    return true;
}

static bool check_summary(json_t *summary, const subject *s, const known *k,
                          hd_reduction reduction) {
    const char *how = hd_reduction_name(reduction);
    if (!json_is_true(json_object_get(summary, "complete")))
        return wrong("%s: not complete", how);
    return check_classes(summary, s, k, reduction) && check_findings(summary, k, how) &&
           (s->how_main_ends != REPORTS ||
            check_labels(summary, k, how, reduction == HD_REDUCTION_OPTIMAL));
}

static bool check_subject(const subject *s, known *k) {
    for (unsigned r = 0; r < HD_N_REDUCTIONS && !why[0]; r++) {
        json_t *summary = run_heddle(s, hd_reduction_name(r));
        if (summary)
            check_summary(summary, s, k, r);
        json_decref(summary);
    }
    return !why[0];
}

typedef enum answer { RIGHT, WRONG, TOO_BIG } answer;

static answer check_seed(uint64_t seed) {
    subject s = random_subject(seed);
    known k = {.limit = MAX_INTERLEAVINGS};
    threads_collect(&k, &s.program);
    answer result = k.is_beyond ? TOO_BIG : check_subject(&s, &k) ? RIGHT : WRONG;
    known_release(&k);
    return result;
}

static int report_failure(uint64_t seed) {
    subject s = random_subject(seed);
    hd_text text = {0};
    program_print(&s.program, &text);
    hd_text_add(&text, "heddle run " SUBJECT " -- %x", word_of_main(&s));
    for (unsigned t = 1; t < s.program.code.n_threads; t++)
        hd_text_add(&text, " %llx", (unsigned long long)s.code[t]);
    printf("%s\nseed %llu: %s\n", hd_text_string(&text), (unsigned long long)seed, why);
    hd_text_release(&text);
    return 1;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : getenv("SOAK") ? 5000 : 90;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned n_right = 0;
    answer result = RIGHT;
    if (!tool_begin())
        return 1;
    for (; n_right < count && result != WRONG; seed++) {
        result = check_seed(seed);
        n_right += result == RIGHT;
    }
    bool is_clean = tool_end();
    if (result == WRONG)
        return report_failure(seed - 1);
    printf("%u programs of threads: every reduction agrees with brute force\n", n_right);
    return is_clean ? 0 : 1;
}
