/* A child does it (running a test confines a process for good), and leaves the values in shared
 * memory as they are accepted: if it dies, or takes too long, what was accepted before holds.
 *
 * Tests of a series are read when their turn comes, so that what is tried next may depend on what
 * was accepted. */
#include "cli/simpler_inputs.h"

#include "base/panic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_INPUTS 4096
#define MOST_RUNS   20000
#define MOST_TRIED  64 /* values for one input */
#define MOST_CPU    2  /* seconds for one test */

/* ---- which value is simpler ---- */

/* Bytes: 0, letters and digits, other printable ones, the rest. */
static uint64_t cost_of_byte(uint64_t v) {
    bool is_word = (v >= '0' && v <= '9') || (v >= 'a' && v <= 'z') || (v >= 'A' && v <= 'Z');
    return v == 0 ? 0 : is_word ? 1 : v >= ' ' && v <= '~' ? 2 : 3 + v;
}

static uint64_t cost_of(const hd_stored_input *in, uint64_t v) {
    if (in->width == 8)
        return cost_of_byte(v);
    bool is_negative = in->is_signed && in->width && v >> (in->width - 1) & 1;
    uint64_t mask = in->width >= 64 ? UINT64_MAX : (UINT64_C(1) << in->width) - 1;
    return is_negative ? 2 * (-v & mask) + 1 : 2 * v;
}

/* The k-th value to try, from the simplest on; false behind the last. */
static bool candidate(const hd_stored_input *in, unsigned k, uint64_t *v) {
    static const char bytes[] = "aA0bx19zZ -_./,:;+*=!?()[]{}<>#%&@\"'\\|^~`$";
    static const uint8_t small[] = {0, 1, 2, 3, 4, 5, 7, 8, 10, 16, 32, 64, 100};
    uint64_t mask = in->width >= 64 ? UINT64_MAX : (UINT64_C(1) << in->width) - 1;
    if (in->width == 8) {
        *v = k == 0 ? 0 : (uint8_t)bytes[k - 1 < sizeof bytes ? k - 1 : 0];
        return k < sizeof bytes;
    }
    unsigned which = k / 2, n = sizeof small;
    uint64_t size = which < n ? small[which] : UINT64_C(1) << (which - n + 7);
    *v = (k % 2 ? -size : size) & mask;
    return which < n + 25 && size <= mask && (k % 2 == 0 || in->is_signed);
}

/* ---- in the child ---- */

typedef struct simplifier {
    const hd_test *test; /* as recorded */
    uint64_t *accepted;  /* values by input, shared; behind them: 1 if the recorded ones were run */
    hd_test tried;       /* with inputs of its own */
    uint32_t input;      /* whose value is tried, n_inputs: all were */
    unsigned k;          /* which one */
} simplifier;

static bool is_simplified(const hd_stored_input *in) {
    return in->kind == HD_VAR_INTEGER && in->width > 1 && in->width <= 64 &&
           !hd_fault_is_name(in->name);
}

static void use_accepted(simplifier *s) {
    for (uint32_t i = 0; i < s->test->n_inputs; i++)
        s->tried.inputs[i].value = s->accepted[i];
}

/* The next value that is simpler than what is accepted; false if there is none for any input. */
static bool try_next(simplifier *s) {
    use_accepted(s);
    for (; s->input < s->test->n_inputs; s->input++, s->k = 0) {
        hd_stored_input *in = &s->tried.inputs[s->input];
        uint64_t v;
        for (; is_simplified(in) && s->k < MOST_TRIED; s->k++) {
            if (!candidate(in, s->k, &v) || cost_of(in, v) >= cost_of(in, in->value))
                continue;
            in->value = v;
            s->k++;
            return true;
        }
    }
    return false;
}

static bool is_same(const simplifier *s, const hd_replay *r) {
    const hd_test *t = s->test;
    return !r->strayed && r->outcome.trace_hash == t->trace_hash && r->outcome.end == t->end &&
           (t->end == HD_END_FINDING ? r->outcome.finding.kind == t->finding
                                     : r->outcome.status == t->status);
}

/* S1: what is accepted is what was run just now. */
static void judge(void *context, size_t index, const hd_replay *replay) {
    simplifier *s = context;
    uint64_t *was_run = &s->accepted[s->test->n_inputs];
    bool same = is_same(s, replay);
    if (index == 0 && !same)
        _exit(0);
    *was_run = 1;
    if (same && index) {
        HD_INVARIANT(S1, replay->outcome.trace_hash == s->test->trace_hash);
        s->accepted[s->input] = s->tried.inputs[s->input].value;
        s->input++;
        s->k = 0;
    }
    if (!try_next(s))
        _exit(0);
}

static _Noreturn void be_child(simplifier *s, const hd_run_options *options) {
    const hd_test **tests = calloc(MOST_RUNS, sizeof *tests);
    struct rlimit limit = {MOST_CPU, MOST_CPU};
    hd_err ignored;
    int nowhere = open("/dev/null", O_RDWR);
    if (!tests)
        _exit(1);
    for (size_t i = 0; i < MOST_RUNS; i++)
        tests[i] = &s->tried;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &limit);
    hd_fleet_replay_series(tests, MOST_RUNS, options, judge, s, &ignored);
    _exit(0);
}

/* ---- in the parent ---- */

static uint64_t take(hd_test *test, const uint64_t *accepted) {
    uint64_t n = 0;
    for (uint32_t i = 0; accepted[test->n_inputs] && i < test->n_inputs; i++) {
        n += test->inputs[i].value != accepted[i];
        test->inputs[i].value = accepted[i];
    }
    return n;
}

static void copy_inputs(simplifier *s) {
    const hd_test *t = s->test;
    s->tried = *t;
    s->tried.inputs = calloc(t->n_inputs, sizeof *t->inputs);
    if (!s->tried.inputs)
        hd_out_of_memory();
    for (uint32_t i = 0; i < t->n_inputs; i++) {
        s->tried.inputs[i] = t->inputs[i];
        s->accepted[i] = t->inputs[i].value;
    }
}

uint64_t hd_inputs_simplify(hd_test *test, const hd_run_options *options,
                            const char *module_directory) {
    size_t size = (test->n_inputs + 1) * sizeof(uint64_t);
    hd_run_options with = *options;
    with.module_directory = module_directory;
    if (!test->n_inputs || test->n_inputs > MOST_INPUTS || !hd_test_is_tame(test))
        return 0;
    simplifier s = {.test = test};
    s.accepted = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s.accepted == MAP_FAILED)
        return 0;
    copy_inputs(&s);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_child(&s, &with);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    uint64_t n = child > 0 ? take(test, s.accepted) : 0;
    munmap(s.accepted, size);
    free(s.tried.inputs);
    return n;
}
