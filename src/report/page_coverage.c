/* Coverage as JSON.  Files have the names that the page has for their texts; what is in others is
 * left out. */
#include "report/page_coverage.h"

#include "report/json_values.h"

#include <stdlib.h>
#include <string.h>

typedef struct coverage_maker {
    const hd_page_coverage *c;
    const hd_sources *sources;
} coverage_maker;

static json_t *name_of(const coverage_maker *m, const char *file) {
    const hd_source_text *s = hd_sources_find(m->sources, file);
    return s ? hd_json_shown(s->path, strlen(s->path)) : NULL;
}

/* ---- numbers of llvm-cov ---- */

static json_t *numbers_of(const hd_cover_row *r) {
#define X(column) hd_json_integer(r->column.covered), hd_json_integer(r->column.n),
    json_t *all[] = {HD_COVER_COLUMNS(X)};
#undef X
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_array_append_new(list, all[i]);
    return list;
}

static const char *plain(const char *name) {
    const char *colon = name ? strrchr(name, ':') : NULL;
    return colon ? colon + 1 : name ? name : "";
}

static json_t *rows_of(const coverage_maker *m) {
    const hd_cover_report *r = m->c->numbers;
    json_t *list = json_array();
    for (size_t i = 0; i < r->functions.n; i++) {
        const hd_cover_row *f = &r->functions.at[i];
        json_t *file = name_of(m, f->file), *row = json_object();
        hd_json_put(row, "name", hd_json_shown(plain(f->name), strlen(plain(f->name))));
        hd_json_put(row, "file", file ? file : hd_json_shown(f->file, strlen(f->file)));
        hd_json_put(row, "numbers", numbers_of(f));
        json_array_append_new(list, row);
    }
    return list;
}

/* {"a.c": [[3, 14], ...]}: lines and how often they were executed. */
static json_t *lines_of(const coverage_maker *m) {
    json_t *files = json_object(), *now = NULL;
    const char *at = m->c->lcov;
    for (size_t n; *at; at += n + (at[n] == '\n')) {
        n = strcspn(at, "\n");
        if (strncmp(at, "SF:", 3) == 0) {
            char *path = hd_text_format("%.*s", (int)(n - 3), at + 3);
            json_t *name = name_of(m, path);
            now = name ? json_array() : NULL;
            if (name)
                hd_json_put(files, json_string_value(name), now);
            json_decref(name);
            free(path);
        } else if (now && strncmp(at, "DA:", 3) == 0) {
            char *end;
            uint64_t line = strtoull(at + 3, &end, 10),
                     count = *end == ',' ? strtoull(end + 1, NULL, 10) : 0;
            json_array_append_new(
                now, json_pack("[o, o]", hd_json_integer(line), hd_json_integer(count)));
        }
    }
    return files;
}

/* ---- obligations ---- */

static json_t *tests_json(const hd_measure *m, const hd_goal *g, size_t *n) {
    const hd_measured_test *by[2];
    json_t *list = json_array();
    *n = hd_measure_tests(m, g, by);
    for (size_t i = 0; i < *n; i++)
        json_array_append_new(list, hd_json_integer(by[i]->number));
    return list;
}

static json_t *span_json(const hd_span *s) {
    return json_pack("[i, i, i, i]", (int)s->line, (int)s->column, (int)s->end_line,
                     (int)s->end_column);
}

static json_t *branches_of(const coverage_maker *m) {
    const hd_measure *all = m->c->measure;
    json_t *list = json_array();
    for (size_t i = 0; i < all->obligations.all.n; i++) {
        const hd_goal *g = &all->obligations.all.at[i];
        json_t *file =
            g->kind == HD_GOAL_BRANCH ? name_of(m, all->mapped.files.at[g->at.file]) : NULL;
        size_t n;
        if (!file)
            continue;
        json_t *row = json_object(), *tests = tests_json(all, g, &n);
        hd_json_put(row, "file", file);
        hd_json_put(row, "at", span_json(&g->at));
        hd_json_put(row, "side", json_boolean(g->side));
        hd_json_put(row, "state", json_string(hd_measure_state(all, g, n > 0)));
        hd_json_put(row, "tests", tests);
        json_array_append_new(list, row);
    }
    return list;
}

static bool is_same_span(const hd_span *a, const hd_span *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* The obligation of a condition; NULL if it has none, because its value is known to the compiler.
 */
static const hd_goal *goal_of(const hd_measure *m, const char *function,
                              const hd_mapped_decision *d, const hd_mapped_branch *condition) {
    for (size_t i = 0; i < m->obligations.all.n; i++) {
        const hd_goal *g = &m->obligations.all.at[i];
        if (g->kind == HD_GOAL_CONDITION && g->function == function &&
            is_same_span(&g->at, &condition->at) && is_same_span(&g->decision, &d->at))
            return g;
    }
    return NULL;
}

static json_t *condition_json(const coverage_maker *m, const hd_goal *g,
                              const hd_mapped_branch *condition) {
    json_t *o = json_object(), *tests = json_array();
    size_t n = 0;
    if (g) {
        json_decref(tests);
        tests = tests_json(m->c->measure, g, &n);
    }
    hd_json_put(o, "at", span_json(&condition->at));
    hd_json_put(o, "state",
                json_string(g ? hd_measure_state(m->c->measure, g, n > 0) : "constant"));
    hd_json_put(o, "tests", tests);
    return o;
}

static uint64_t first_test(const hd_measure *m, uint32_t element) {
    for (size_t i = 0; m->shown[element] && i < m->tests.n; i++)
        if (m->tests.at[i].shown[element])
            return m->tests.at[i].number;
    return 0;
}

/* "T-F": conditions in the order of their numbers. */
static json_t *vector_json(const hd_vector *v, uint32_t n, uint64_t test) {
    char letters[HD_MOST_CONDITIONS + 1];
    for (uint32_t i = 0; i < n; i++)
        letters[i] = !(v->asked >> i & 1) ? '-' : v->values >> i & 1 ? 'T' : 'F';
    letters[n] = '\0';
    return json_pack("[s, b, o]", letters, v->result, test ? hd_json_integer(test) : json_null());
}

static json_t *vectors_json(const hd_measure *m, const hd_vectors *v, uint32_t n_conditions,
                            uint32_t first) {
    json_t *list = json_array();
    size_t n_others = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        uint64_t test = first_test(m, first + i);
        if (test || n_others++ < HD_PAGE_VECTORS)
            json_array_append_new(list, vector_json(&v->at[i], n_conditions, test));
    }
    return list;
}

static void add_decision(const coverage_maker *m, size_t function, const hd_mapped_decision *d,
                         json_t *list) {
    const hd_measure *all = m->c->measure;
    const hd_mapped_function *f = &all->mapped.functions.at[function];
    const hd_mapped_branch *conditions[HD_MOST_CONDITIONS];
    const char *name = all->obligations.names.at[function];
    hd_vectors v = {0};
    uint32_t first;
    json_t *file = f->words ? name_of(m, all->mapped.files.at[d->at.file]) : NULL;
    if (file && hd_decision_read(&all->obligations, f, d, conditions, &v, &first)) {
        json_t *o = json_object(), *columns = json_array();
        for (uint32_t i = 0; i < d->n_conditions; i++)
            json_array_append_new(
                columns, condition_json(m, goal_of(all, name, d, conditions[i]), conditions[i]));
        hd_json_put(o, "file", json_incref(file));
        hd_json_put(o, "function", hd_json_shown(name, strlen(name)));
        hd_json_put(o, "at", span_json(&d->at));
        hd_json_put(o, "conditions", columns);
        hd_json_put(o, "vectors", vectors_json(all, &v, d->n_conditions, first));
        hd_json_put(o, "n_vectors", hd_json_integer(v.n));
        json_array_append_new(list, o);
    }
    json_decref(file);
    hd_vec_release(&v);
}

static json_t *decisions_of(const coverage_maker *m) {
    const hd_mapped *mapped = &m->c->measure->mapped;
    json_t *list = json_array();
    for (size_t i = 0; i < mapped->functions.n; i++)
        for (size_t k = 0; k < mapped->functions.at[i].decisions.n; k++)
            add_decision(m, i, &mapped->functions.at[i].decisions.at[k], list);
    return list;
}

json_t *hd_page_coverage_json(const hd_page_coverage *c, const hd_sources *sources) {
    coverage_maker m = {c, sources};
    json_t *o = json_object();
    size_t n_lost, n_other;
    hd_measure_failures(c->measure, &n_lost, &n_other);
    hd_json_put(o, "tests", hd_json_integer(c->measure->tests.n));
    hd_json_put(o, "lost", hd_json_integer(n_lost));
    hd_json_put(o, "other", hd_json_integer(n_other));
    hd_json_put(o, "totals", numbers_of(&c->numbers->totals));
    hd_json_put(o, "functions", rows_of(&m));
    hd_json_put(o, "lines", lines_of(&m));
    hd_json_put(o, "branches", branches_of(&m));
    hd_json_put(o, "decisions", decisions_of(&m));
    return o;
}
