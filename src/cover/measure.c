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

#define MOST_LABELS (1 << 20) /* bytes */

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

static _Noreturn void run_in_child(const hd_measure *m, hd_record *record, const hd_test *test,
                                   const hd_run_options *options, measure_answer *a) {
    hd_run_options own = *options;
    hd_replay replay = {0};
    own.module_directory = m->module_directory;
    be_silent();
    if (hd_fleet_replay(record, test, &own, &replay, &a->err))
        answer(m, &replay, a);
    _exit(0);
}

/* ---- in the parent ---- */

typedef struct measuring {
    hd_measure *m;
    uint32_t run;
    hd_record *record;
    const hd_run_options *options;
    measure_answer *answer;
    size_t size;
    hd_vec(hd_found) found; /* only test and signature */
    hd_err *err;
    bool failed;
} measuring;

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

/* N1 */
static void add_up(measuring *w, const hd_test *test, hd_measured_test *t) {
    hd_measure *m = w->m;
    const uint64_t *counters = (const uint64_t *)(w->answer + 1);
    const uint8_t *vectors = (const uint8_t *)(counters + m->mapped.n_counters);
    hd_elements_show(&m->obligations, &m->mapped, counters, vectors, w->answer->labels, t->shown);
    if (t->is_same)
        show_findings(w, test, t->shown);
    for (uint64_t i = 0; i < m->mapped.n_counters; i++)
        m->counters[i] += counters[i];
    for (uint64_t i = 0; i < m->mapped.n_vectors; i++)
        m->vectors[i] |= vectors[i];
    for (uint32_t i = 0; i < m->obligations.n_elements; i++)
        m->shown[i] |= t->shown[i];
}

static bool run_test(void *context, const hd_test *test) {
    measuring *w = context;
    hd_measured_test t = {.run = w->run, .number = test->number};
    int status;
    memset(w->answer, 0, sizeof *w->answer - MOST_LABELS);
    w->answer->labels[0] = '\0';
    pid_t child = fork();
    if (child == 0)
        run_in_child(w->m, w->record, test, w->options, w->answer);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    t.shown = zeroed(w->m->obligations.n_elements, 1);
    t.was_run = child > 0 && w->answer->was_run; /* N2 */
    t.is_same = t.was_run && ended_as_recorded(w->answer, test);
    if (t.was_run)
        add_up(w, test, &t);
    else if (w->answer->err.message[0])
        *w->err = w->answer->err;
    hd_vec_push(&w->m->tests, t);
    return true;
}

static bool keep_found(void *context, const hd_found *f) {
    measuring *w = context;
    hd_found kept = {.test = f->test, .signature = f->signature};
    hd_vec_push(&w->found, kept);
    return true;
}

/* The listing holds the database open, which a test's process must not: tests are read one by one.
 */
static bool run_tests(measuring *w, uint64_t first, uint64_t last) {
    for (uint64_t number = first; number <= last; number++) {
        hd_test test = {0};
        if (!hd_record_test(w->record, number, &test, w->err))
            return false;
        hd_record_rest(w->record);
        run_test(w, &test);
        hd_test_release(&test);
    }
    return true;
}

bool hd_measure_run(hd_measure *m, uint32_t run, hd_record *record, const hd_run_options *options,
                    uint64_t number, hd_err *err) {
    measuring w = {.m = m, .run = run, .record = record, .options = options, .err = err};
    uint64_t n = 0;
    size_t before = m->tests.n, n_run = 0;
    w.size = sizeof(measure_answer) + m->mapped.n_counters * 8 + m->mapped.n_vectors;
    w.answer = mmap(NULL, w.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w.answer == MAP_FAILED)
        return hd_err_set(err, "cannot share memory: %s", strerror(errno));
    bool ok = hd_record_count_tests(record, &n, err) &&
              hd_record_findings(record, keep_found, &w, err) &&
              run_tests(&w, number ? number : 1, number ? number : n);
    munmap(w.answer, w.size);
    hd_vec_release(&w.found);
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
