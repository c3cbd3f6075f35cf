/* A child does all that the test does to a process: it is confined, loads the module, and may die.
 */
#include "cover/measure.h"

#include "base/panic.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_LABELS (1 << 16) /* bytes */
#define BATCH       64        /* tests that a child runs, if nothing takes it down */

/* What a child says; counters and vectors lie behind it. */
typedef struct measure_answer {
    bool was_run, strayed;
    hd_end end;
    int status;
    hd_finding_kind finding;
    hd_err err;
    char labels[MOST_LABELS];
} measure_answer;

/* ---- begin and end ---- */

static bool add_finding(void *context, const hd_found *f) {
    hd_measure *m = context;
    for (size_t i = 0; i < m->signatures.n; i++)
        if (m->signatures.at[i] == f->signature)
            return true;
    hd_vec_push(&m->signatures, f->signature);
    hd_vec_push(&m->obligations.findings,
                hd_text_format("%s at %s:%u: %s", hd_finding_kind_name(f->kind),
                               f->file ? f->file : "?", f->line, f->message));
    return true;
}

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p)
        hd_out_of_memory();
    return p;
}

bool hd_measure_init(hd_measure *m, const char *module_directory, hd_record *const *runs, size_t n,
                     hd_err *err) {
    *m = (hd_measure){.module_directory = module_directory};
    bool ok = hd_mapped_read(&m->mapped, module_directory, err);
    for (size_t i = 0; ok && i < n; i++)
        ok = hd_record_findings(runs[i], add_finding, m, err);
    hd_vec(char *) words = {0};
    for (size_t i = 0; i < m->obligations.findings.n; i++)
        hd_vec_push(&words, m->obligations.findings.at[i]);
    hd_vec_release(&m->obligations.findings);
    if (ok)
        hd_goals_init(&m->obligations, &m->mapped, (const char *const *)words.at, words.n);
    for (size_t i = 0; i < words.n; i++)
        free(words.at[i]);
    hd_vec_release(&words);
    m->counters = zeroed(m->mapped.n_counters, sizeof *m->counters);
    m->vectors = zeroed(m->mapped.n_vectors, 1);
    m->shown = zeroed(m->obligations.n_elements, 1);
    m->met = zeroed(m->obligations.n_elements, 1);
    if (!ok)
        hd_measure_release(m);
    return ok;
}

void hd_measure_release(hd_measure *m) {
    for (size_t i = 0; i < m->tests.n; i++)
        free(m->tests.at[i].shown);
    hd_vec_release(&m->tests);
    hd_vec_release(&m->signatures);
    hd_goals_release(&m->obligations);
    hd_mapped_release(&m->mapped);
    free(m->counters);
    free(m->vectors);
    free(m->shown);
    free(m->met);
    *m = (hd_measure){0};
}

/* ---- in the child ---- */

static void be_silent(void) {
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

static void answer(const hd_measure *m, const hd_replay *r, measure_answer *a) {
    uint64_t *counters = (uint64_t *)(a + 1);
    uint8_t *vectors = (uint8_t *)(counters + m->mapped.n_counters);
    if (r->counters.n != m->mapped.n_counters || r->vectors.n != m->mapped.n_vectors) {
        hd_err_set(&a->err, "the module does not count what its mapping says");
        return;
    }
    if (r->counters.n)
        memcpy(counters, r->counters.at, r->counters.n * sizeof *counters);
    if (r->vectors.n)
        memcpy(vectors, r->vectors.at, r->vectors.n);
    strncpy(a->labels, hd_text_string(&r->labels), MOST_LABELS - 1);
    a->end = r->outcome.end;
    a->status = r->outcome.status;
    a->finding = r->outcome.end == HD_END_FINDING ? r->outcome.finding.kind : HD_FINDING_NONE;
    a->strayed = r->strayed;
    a->was_run = true;
}

static void run_alone(const hd_measure *m, hd_record *record, const hd_test *test,
                      const hd_run_options *options, measure_answer *a) {
    hd_replay replay = {0};
    if (hd_fleet_replay(record, test, options, &replay, &a->err))
        answer(m, &replay, a);
}

/* ---- in the parent ---- */

typedef struct measuring {
    hd_measure *m;
    uint32_t run;
    hd_record *record;
    hd_run_options options;
    hd_test tests[BATCH]; /* that are run next */
    size_t n_tests;
    char *answers; /* one of `size` bytes for each */
    size_t size;
    hd_vec(hd_found) found; /* only test and signature */
    hd_err *err;
} measuring;

static measure_answer *answer_of(const measuring *w, size_t i) {
    return (measure_answer *)(w->answers + i * w->size);
}

/* Races and what other threads do are not in the outcome: it is the end that counts. */
static bool ended_as_recorded(const measure_answer *a, const hd_test *t) {
    return !a->strayed && a->end == t->end &&
           (a->end == HD_END_FINDING ? a->finding == t->finding : a->status == t->status);
}

static void show_findings(const measuring *w, const hd_test *test, uint8_t *shown) {
    const hd_measure *m = w->m;
    for (size_t i = 0; i < w->found.n; i++)
        for (size_t k = 0; w->found.at[i].test == test->number && k < m->signatures.n; k++)
            if (m->signatures.at[k] == w->found.at[i].signature)
                shown[m->obligations.first_finding + k] = 1;
}

static void add_up(measuring *w, const hd_test *test, const measure_answer *a,
                   hd_measured_test *t) {
    hd_measure *m = w->m;
    const uint64_t *counters = (const uint64_t *)(a + 1);
    const uint8_t *vectors = (const uint8_t *)(counters + m->mapped.n_counters);
    hd_elements_show(&m->obligations, &m->mapped, counters, vectors, a->labels, t->shown);
    if (t->is_same)
        show_findings(w, test, t->shown);
    for (uint64_t i = 0; i < m->mapped.n_counters; i++)
        m->counters[i] += counters[i];
    for (uint64_t i = 0; i < m->mapped.n_vectors; i++)
        m->vectors[i] |= vectors[i];
    for (uint32_t i = 0; i < m->obligations.n_elements; i++)
        m->shown[i] |= t->shown[i];
}

/* From test `first` of the batch on; a test that is not tame is alone. */
static size_t end_of_series(const measuring *w, size_t first) {
    size_t end = first + 1;
    while (hd_test_is_tame(&w->tests[first]) && end < w->n_tests && hd_test_is_tame(&w->tests[end]))
        end++;
    return end;
}

typedef struct series_place {
    const measuring *w;
    size_t first;
} series_place;

static void take_replay(void *context, size_t index, const hd_replay *replay) {
    const series_place *p = context;
    answer(p->w->m, replay, answer_of(p->w, p->first + index));
}

static _Noreturn void run_in_child(const measuring *w, size_t first, size_t end) {
    const hd_test *tests[BATCH];
    series_place p = {w, first};
    be_silent();
    for (size_t i = first; i < end; i++)
        tests[i - first] = &w->tests[i];
    if (hd_test_is_tame(tests[0]))
        hd_fleet_replay_series(tests, end - first, &w->options, take_replay, &p,
                               &answer_of(w, first)->err);
    else
        run_alone(w->m, w->record, tests[0], &w->options, answer_of(w, first));
    _exit(0);
}

/* How many of them were run to an end, from the first on; one that took the child down is not. */
static size_t run_series(const measuring *w, size_t first, size_t end) {
    int status;
    size_t n = first;
    pid_t child = fork();
    if (child == 0)
        run_in_child(w, first, end);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    while (n < end && answer_of(w, n)->was_run)
        n++;
    return n;
}

static bool shows_anything(const hd_measure *m, const hd_measured_test *t) {
    for (uint32_t i = 0; i < m->obligations.n_elements; i++)
        if (t->shown[i])
            return true;
    return false;
}

/* Does the whole show what some test shows, and nothing else? */
static bool is_sum_of_tests(const hd_measure *m) {
    for (uint32_t i = 0; i < m->obligations.n_elements; i++) {
        bool is_shown = false;
        for (size_t t = 0; t < m->tests.n && !is_shown; t++)
            is_shown = m->tests.at[t].shown[i];
        if (is_shown != (m->shown[i] != 0))
            return false;
    }
    return true;
}

static void take_answer(measuring *w, size_t i) {
    const measure_answer *a = answer_of(w, i);
    const hd_test *test = &w->tests[i];
    hd_measured_test t = {.run = w->run, .number = test->number, .was_run = a->was_run};
    t.shown = zeroed(w->m->obligations.n_elements, 1);
    t.is_same = t.was_run && ended_as_recorded(a, test);
    if (t.was_run)
        add_up(w, test, a, &t);
    else if (a->err.message[0])
        *w->err = a->err;
    HD_INVARIANT(N2, t.was_run || !shows_anything(w->m, &t));
    hd_vec_push(&w->m->tests, t);
}

/* What takes a child down is left out, and the others go on without it. */
static void run_batch(measuring *w) {
    for (size_t i = 0; i < w->n_tests; i++) {
        memset(answer_of(w, i), 0, offsetof(measure_answer, labels));
        answer_of(w, i)->labels[0] = '\0';
    }
    hd_record_rest(w->record);
    for (size_t first = 0; first < w->n_tests;) {
        size_t end = end_of_series(w, first), n = run_series(w, first, end);
        first = n < end ? n + 1 : end;
    }
    for (size_t i = 0; i < w->n_tests; i++) {
        take_answer(w, i);
        hd_test_release(&w->tests[i]);
    }
    w->n_tests = 0;
}

static bool keep_found(void *context, const hd_found *f) {
    measuring *w = context;
    hd_found kept = {.test = f->test, .signature = f->signature};
    hd_vec_push(&w->found, kept);
    return true;
}

/* A listing would hold the database open, which a test's process must not: tests are read before.
 */
static bool run_tests(measuring *w, uint64_t first, uint64_t last) {
    bool ok = true;
    for (uint64_t number = first; ok && number <= last; number++) {
        ok = hd_record_test(w->record, number, &w->tests[w->n_tests], w->err);
        w->n_tests += ok;
        if (w->n_tests == BATCH || (ok && number == last))
            run_batch(w);
    }
    for (size_t i = 0; i < w->n_tests; i++)
        hd_test_release(&w->tests[i]);
    return ok;
}

bool hd_measure_run(hd_measure *m, uint32_t run, hd_record *record, const hd_run_options *options,
                    uint64_t number, hd_err *err) {
    static measuring w;
    uint64_t n = 0;
    size_t before = m->tests.n, n_run = 0;
    w = (measuring){.m = m, .run = run, .record = record, .options = *options, .err = err};
    w.options.module_directory = m->module_directory;
    w.size =
        (sizeof(measure_answer) + m->mapped.n_counters * 8 + m->mapped.n_vectors + 15) / 16 * 16;
    w.answers =
        mmap(NULL, BATCH * w.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w.answers == MAP_FAILED)
        return hd_err_set(err, "cannot share memory: %s", strerror(errno));
    bool ok = hd_record_count_tests(record, &n, err) &&
              hd_record_findings(record, keep_found, &w, err) &&
              run_tests(&w, number ? number : 1, number ? number : n);
    munmap(w.answers, BATCH * w.size);
    hd_vec_release(&w.found);
    HD_CHECK_INVARIANT(N1, is_sum_of_tests(m));
    for (size_t i = before; i < m->tests.n; i++)
        n_run += m->tests.at[i].was_run;
    if (ok && !n_run && m->tests.n > before && !err->message[0])
        return hd_err_set(err, "no test can be run");
    return ok && (n_run || m->tests.n == before);
}

void hd_measure_failures(const hd_measure *m, size_t *n_lost, size_t *n_other) {
    *n_lost = *n_other = 0;
    for (size_t i = 0; i < m->tests.n; i++) {
        *n_lost += !m->tests.at[i].was_run;
        *n_other += m->tests.at[i].was_run && !m->tests.at[i].is_same;
    }
}

size_t hd_measure_tests(const hd_measure *m, const hd_goal *o, const hd_measured_test *found[2]) {
    const hd_goals *all = &m->obligations;
    for (uint32_t i = 0; i < o->n_pairs; i++) {
        hd_element_pair p = all->pairs.at[o->first_pair + i];
        found[0] = found[1] = NULL;
        for (size_t k = 0; k < m->tests.n; k++) {
            const hd_measured_test *t = &m->tests.at[k];
            if (t->shown[p.first] && t->shown[p.second]) {
                found[0] = t;
                return 1;
            }
            if (t->shown[p.first] && !found[0])
                found[0] = t;
            if (t->shown[p.second] && !found[1])
                found[1] = t;
        }
        if (found[0] && found[1])
            return 2;
    }
    return 0;
}

/* ---- what the search knows ---- */

static void know_label(hd_measure *m, const hd_label *label) {
    for (size_t i = 0; i < m->mapped.labels.n; i++)
        if (label->count && strcmp(m->mapped.labels.at[i], label->name) == 0)
            m->met[m->obligations.first_label + i] = 1;
}

/* Are vectors and labels of all tests of the first run among what its search met? */
static bool knows_its_tests(const hd_measure *m) {
    uint32_t first = m->known >> HD_GOAL_CONDITION & 1 ? m->obligations.first_vector
                                                       : m->obligations.first_label;
    for (size_t i = 0; i < m->tests.n; i++)
        for (uint32_t e = first; m->tests.at[i].run == 0 && e < m->obligations.first_finding; e++)
            if (m->tests.at[i].shown[e] && !m->met[e])
                return false;
    return true;
}

/* Sides of branches and regions are never known: clang makes values of `c ? 1 : 2` and, unless it
 * counts, of `a && b`, so that one path goes both ways of what llvm-cov calls a branch. */
void hd_measure_know(hd_measure *m, const uint8_t *vectors, const hd_label *labels, uint32_t n) {
    m->known = 1u << HD_GOAL_LABEL | (vectors ? 1u << HD_GOAL_CONDITION : 0);
    if (vectors)
        memcpy(m->met + m->obligations.first_vector, vectors, m->mapped.n_vectors);
    for (uint32_t i = 0; i < n; i++)
        know_label(m, &labels[i]);
    HD_CHECK_INVARIANT(N3, knows_its_tests(m));
}

const char *hd_measure_state(const hd_measure *m, const hd_goal *o, bool is_covered) {
    if (is_covered)
        return "covered";
    bool is_known = m->known >> o->kind & 1;
    return is_known && !hd_goal_is_met(&m->obligations, o, m->met) ? "unreachable" : "open";
}
