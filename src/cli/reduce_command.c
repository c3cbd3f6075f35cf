/* heddle reduce -- a smallest suite that covers what the tests of runs cover. */
#include "base/panic.h"
#include "base/shown.h"
#include "cli/cli.h"
#include "cli/counted_module.h"
#include "cli/simpler_inputs.h"
#include "cover/suite.h"
#include "machine/libc/standard_input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct reduce_values {
    const char *output;
    bool as_they_are;
} reduce_values;

static const hd_option options[] = {
    {"output", 'o', HD_OPTION_TEXT, offsetof(reduce_values, output), "OUT",
     "directory for the smaller suite: a run directory, with the chosen tests and all findings",
     NULL, false},
    {"as-they-are", 0, HD_OPTION_FLAG, offsetof(reduce_values, as_they_are), NULL,
     "do not make inputs simpler", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

/* ---- which tests ---- */

/* Tests that people like more come first: of equal ones the first is chosen. */
typedef struct ranked_test {
    uint32_t index; /* among the measured ones */
    uint64_t order, inputs, bits;
} ranked_test;

static int by_rank(const void *a, const void *b) {
    const ranked_test *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->inputs != y->inputs)
        return x->inputs < y->inputs ? -1 : 1;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool rank(const hd_counted_runs *runs, const hd_measure *m, ranked_test *ranked,
                 hd_err *err) {
    for (uint32_t i = 0; i < m->tests.n; i++) {
        const hd_measured_test *t = &m->tests.at[i];
        hd_test test = {0};
        if (!hd_record_test(runs->all.at[t->run]->record, t->number, &test, err))
            return false;
        ranked[i] = (ranked_test){.index = i,
                                  .order = test.schedule ? strlen(test.schedule) : 0,
                                  .inputs = test.n_inputs};
        for (uint32_t k = 0; k < test.n_inputs; k++)
            ranked[i].bits +=
                64 - (test.inputs[k].value ? (unsigned)__builtin_clzll(test.inputs[k].value) : 64);
        hd_test_release(&test);
    }
    qsort(ranked, m->tests.n, sizeof *ranked, by_rank);
    return true;
}

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p)
        hd_out_of_memory();
    return p;
}

static uint64_t *rows_of(const hd_measure *m, const ranked_test *ranked) {
    size_t words = HD_SUITE_WORDS(m->obligations.n_elements);
    uint64_t *rows = zeroed(words * m->tests.n, sizeof *rows);
    for (size_t i = 0; i < m->tests.n; i++)
        for (uint32_t e = 0; e < m->obligations.n_elements; e++)
            if (m->tests.at[ranked[i].index].shown[e])
                rows[i * words + e / 64] |= UINT64_C(1) << e % 64;
    return rows;
}

static void choose(const hd_measure *m, const ranked_test *ranked, hd_suite *suite) {
    const hd_goals *o = &m->obligations;
    uint64_t *rows = rows_of(m, ranked);
    uint32_t *first = zeroed(o->all.n + 1, sizeof *first);
    for (size_t i = 0; i < o->all.n; i++)
        first[i + 1] = first[i] + o->all.at[i].n_pairs;
    hd_suite_problem p = {.n_tests = (uint32_t)m->tests.n,
                          .n_elements = o->n_elements,
                          .n_obligations = (uint32_t)o->all.n,
                          .shown = rows,
                          .pairs = o->pairs.at,
                          .first_pair = first};
    hd_suite_reduce(&p, suite);
    free(first);
    free(rows);
}

/* ---- writing them ---- */

typedef struct suite_writer {
    const hd_counted_runs *runs;
    hd_vec(hd_test) tests;
    hd_vec(uint64_t) from; /* their numbers before */
    hd_vec(uint32_t) run;
    hd_vec(hd_found) found;
    uint32_t reading; /* run */
} suite_writer;

static char *copy(const char *text) {
    return hd_text_format("%s", text ? text : "");
}

static uint64_t place_of_test(const suite_writer *w, uint64_t number) {
    for (size_t i = 0; i < w->tests.n; i++)
        if (w->run.at[i] == w->reading && w->from.at[i] == number)
            return i + 1;
    return 0;
}

/* Of a finding that two runs have the one whose test was chosen counts. */
static bool take_finding(void *context, const hd_found *f) {
    suite_writer *w = context;
    uint64_t test = place_of_test(w, f->test);
    for (size_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].signature == f->signature) {
            w->found.at[i].count += f->count;
            if (!w->found.at[i].test)
                w->found.at[i].test = test;
            return true;
        }
    hd_found own = *f;
    own.message = copy(f->message);
    own.file = copy(f->file);
    own.function = copy(f->function);
    own.stack = copy(f->stack);
    own.story = copy(f->story);
    own.test = test;
    own.leads_to = 0;
    hd_vec_push(&w->found, own);
    return true;
}

static bool take_tests(suite_writer *w, const hd_measure *m, const ranked_test *ranked,
                       const hd_suite *suite, hd_err *err) {
    for (size_t i = 0; i < suite->tests.n; i++) {
        const hd_measured_test *t = &m->tests.at[ranked[suite->tests.at[i]].index];
        hd_test test = {0};
        if (!hd_record_test(w->runs->all.at[t->run]->record, t->number, &test, err))
            return false;
        hd_vec_push(&w->tests, test);
        hd_vec_push(&w->from, t->number);
        hd_vec_push(&w->run, t->run);
    }
    for (w->reading = 0; w->reading < w->runs->all.n; w->reading++)
        if (!hd_record_findings(w->runs->all.at[w->reading]->record, take_finding, w, err))
            return false;
    return true;
}

static void release_writer(suite_writer *w) {
    for (size_t i = 0; i < w->tests.n; i++)
        hd_test_release(&w->tests.at[i]);
    hd_batch b = {.findings = w->found.at, .n_findings = (uint32_t)w->found.n};
    hd_batch_release(&b);
    hd_vec_release(&w->tests);
    hd_vec_release(&w->from);
    hd_vec_release(&w->run);
}

/* The first run's program, command and state: coverage and counters are those of its search. */
static bool write_suite(const suite_writer *w, const char *output, hd_err *err) {
    hd_record *first = w->runs->all.at[0]->record;
    hd_batch state;
    if (!hd_record_state(first, &state, err))
        return false;
    hd_record *record = hd_record_create(output, hd_record_info(first), err);
    hd_batch b = state;
    b.tests = w->tests.at;
    b.n_tests = (uint32_t)w->tests.n;
    b.findings = w->found.at;
    b.n_findings = (uint32_t)w->found.n;
    b.is_complete = false;
    b.stop_reason = HD_STOP_REDUCED;
    b.frontier = NULL;
    b.n_frontier = 0;
    bool ok = record && hd_record_commit(record, &b, err);
    if (record)
        hd_record_close(record);
    hd_batch_release(&state);
    hd_standard_input_load(w->runs->all.at[0]->directory);
    return ok && hd_standard_input_save(output, err);
}

/* ---- simpler inputs ---- */

static uint64_t simplify(suite_writer *w) {
    uint64_t n = 0;
    for (size_t i = 0; i < w->tests.n; i++) {
        const hd_counted_run *r = w->runs->all.at[w->run.at[i]];
        hd_record_rest(r->record); /* whoever runs tests must not have it */
        hd_standard_input_load(r->directory);
        n += hd_inputs_simplify(&w->tests.at[i], &r->options,
                                hd_record_info(r->record)->module_directory);
    }
    return n;
}

/* What was written covers what was there before: measured, not concluded. */
static bool covers_all(const hd_measure *before, const char *output, bool *covers, hd_err *err) {
    hd_counted_runs runs = {0};
    hd_measure now;
    bool ok = hd_counted_open(&runs, &output, 1, err) && hd_counted_measure(&runs, 0, &now, err);
    *covers = ok && now.obligations.n_elements == before->obligations.n_elements;
    for (size_t i = 0; *covers && i < before->obligations.all.n; i++) {
        const hd_goal *was = &before->obligations.all.at[i], *is = &now.obligations.all.at[i];
        *covers = hd_goal_is_met(&now.obligations, is, now.shown) >=
                  hd_goal_is_met(&before->obligations, was, before->shown);
    }
    if (ok)
        hd_measure_release(&now);
    hd_counted_release(&runs);
    return ok;
}

/* ---- all of it ---- */

static void say(const hd_measure *m, const hd_suite *suite, const char *output) {
    const char *fewer = suite->is_smallest ? "fewer do not do" : "perhaps fewer would do";
    hd_print(stdout, "%zu of %zu tests written to %s: ", suite->tests.n, m->tests.n, output);
    if (suite->n_essential)
        hd_print(stdout, "%u of them nothing can replace, and %s\n", suite->n_essential, fewer);
    else
        hd_print(stdout, "others could replace each of them, but %s\n", fewer);
    for (hd_goal_kind k = 0; k < HD_N_GOAL_KINDS; k++) {
        uint32_t n, n_met;
        hd_goals_count(&m->obligations, k, m->shown, &n, &n_met);
        if (n)
            hd_print(stdout, "  %u of %u %s, as before\n", n_met, n, hd_goal_words(k));
    }
}

static bool refuse_lost(const hd_measure *m, hd_err *err) {
    size_t n_lost, n_other;
    hd_measure_failures(m, &n_lost, &n_other);
    if (!n_lost && !n_other)
        return true;
    hd_err_set(err, "%zu of %zu tests do not end as recorded: what they covered is not known",
               n_lost + n_other, m->tests.n);
    return hd_err_hint(
        err,
        "the program has changed, or is not deterministic: explore it again with 'heddle run'");
}

/* With simpler inputs, if they cover the same. */
static bool write_simple(suite_writer *w, const hd_measure *m, const reduce_values *v,
                         uint64_t *n_simpler, hd_err *err) {
    hd_vec(uint64_t) before = {0};
    bool covers = true;
    for (size_t i = 0; i < w->tests.n; i++)
        for (uint32_t k = 0; k < w->tests.at[i].n_inputs; k++)
            hd_vec_push(&before, w->tests.at[i].inputs[k].value);
    *n_simpler = v->as_they_are ? 0 : simplify(w);
    bool ok =
        write_suite(w, v->output, err) && (!*n_simpler || covers_all(m, v->output, &covers, err));
    if (ok && !covers) {
        size_t at = 0;
        *n_simpler = 0;
        for (size_t i = 0; i < w->tests.n; i++)
            for (uint32_t k = 0; k < w->tests.at[i].n_inputs; k++)
                w->tests.at[i].inputs[k].value = before.at[at++];
        ok = write_suite(w, v->output, err);
    }
    hd_vec_release(&before);
    return ok;
}

static bool reduce(const reduce_values *v, const hd_counted_runs *runs, hd_measure *m,
                   hd_err *err) {
    hd_suite suite = {0};
    suite_writer w = {.runs = runs};
    uint64_t n_simpler = 0;
    ranked_test *ranked = zeroed(m->tests.n, sizeof *ranked);
    bool ok = refuse_lost(m, err) && rank(runs, m, ranked, err);
    if (ok)
        choose(m, ranked, &suite);
    ok = ok && take_tests(&w, m, ranked, &suite, err) && write_simple(&w, m, v, &n_simpler, err);
    if (ok)
        say(m, &suite, v->output);
    if (ok && n_simpler)
        hd_print(stdout, "  %" PRIu64 " value%s of inputs made simpler\n", n_simpler,
                 n_simpler == 1 ? "" : "s");
    free(ranked);
    release_writer(&w);
    hd_suite_release(&suite);
    return ok;
}

static bool is_among(const char *output, const hd_counted_runs *runs, hd_err *err) {
    char *path = realpath(output, NULL);
    bool is = false;
    for (size_t i = 0; path && i < runs->all.n; i++)
        is |= strcmp(path, runs->all.at[i]->directory) == 0;
    free(path);
    if (!is)
        return false;
    hd_err_set(err, "'%s' is one of the runs", output);
    hd_err_hint(err, "name another directory with '-o OUT'");
    return true;
}

static bool begin(const reduce_values *v, const hd_arguments *a, hd_err *err) {
    hd_counted_runs runs = {0};
    hd_measure m;
    if (a->files.n == 0 || !v->output) {
        hd_err_set(err, "%s", a->files.n ? "no output directory given" : "no run directory given");
        return hd_err_hint(err, "write 'heddle reduce DIR... -o OUT'");
    }
    bool ok = hd_counted_open(&runs, a->files.at, a->files.n, err) &&
              !is_among(v->output, &runs, err) && hd_counted_measure(&runs, 0, &m, err);
    if (ok) {
        ok = reduce(v, &runs, &m, err);
        hd_measure_release(&m);
    }
    hd_counted_release(&runs);
    return ok;
}

static int run(int argc, char **argv) {
    reduce_values values = {0};
    hd_arguments a = {0};
    hd_err err = {0};
    bool ok = hd_options_parse(&table, argc, argv, &values, &a, &err) && begin(&values, &a, &err);
    hd_arguments_release(&a);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_reduce = {
    "reduce",
    "keep a smallest suite that covers the same",
    "reduce DIR... -o OUT [--as-they-are]",
    "Runs the tests of one or several runs of a program with clang's coverage, and writes a run\n"
    "directory with a smallest suite among them that covers the same regions, branches, "
    "conditions\n"
    "(MC/DC) and labels and shows the same findings.  Values of inputs become as small and "
    "printable as\n"
    "the same executions allow, which is tried by running them.  'heddle tests', 'replay', "
    "'export' and "
    "'cover' take it\n"
    "as any run.",
    &table,
    run,
};
