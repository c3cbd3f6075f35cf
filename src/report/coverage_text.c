/* Names of files are shown from here, if they lie below. */
#include "report/coverage_text.h"

#include "base/shown.h"
#include "base/text.h"
#include "report/json_values.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *near_name(const char *path) {
    static char here[PATH_MAX];
    if (!here[0] && !getcwd(here, sizeof here))
        return path;
    size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* ---- numbers ---- */

static void show_numbers(FILE *out, hd_cover_numbers n) {
    char text[48];
    if (n.n == 0) {
        hd_print(out, " %17s", "-");
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64, n.covered, n.n);
    hd_print(out, " %11s %4u%%", text, (unsigned)(100 * n.covered / n.n));
}

static void show_row(FILE *out, const char *indent, const char *name, const hd_cover_row *r) {
    hd_print(out, "%s%-*s", indent, (int)(30 - strlen(indent)), name);
    show_numbers(out, r->lines);
    show_numbers(out, r->regions);
    show_numbers(out, r->branches);
    show_numbers(out, r->mcdc);
    fputc('\n', out);
}

static void show_failures(FILE *out, const hd_measure *m) {
    size_t n_lost, n_other;
    hd_measure_failures(m, &n_lost, &n_other);
    hd_print(out, "%zu test%s run\n", m->tests.n - n_lost, m->tests.n - n_lost == 1 ? "" : "s");
    if (n_lost)
        hd_print(out, "%zu could not be run, and count for nothing\n", n_lost);
    if (n_other)
        hd_print(out, "%zu ended otherwise than recorded, and count for what they did\n", n_other);
}

static const char *plain_name(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

void hd_coverage_show(FILE *out, const hd_measure *m, const hd_cover_report *r) {
    hd_print(out, "%-30s %17s %17s %17s %17s\n", "", "lines", "regions", "branches", "MC/DC");
    for (size_t i = 0; i < r->files.n; i++) {
        show_row(out, "", near_name(r->files.at[i].name), &r->files.at[i]);
        for (size_t k = 0; k < r->functions.n; k++)
            if (strcmp(r->functions.at[k].file, r->files.at[i].name) == 0)
                show_row(out, "  ", plain_name(r->functions.at[k].name), &r->functions.at[k]);
    }
    if (r->files.n != 1)
        show_row(out, "", "all", &r->totals);
    show_failures(out, m);
}

static void put_row(json_t *o, const hd_cover_row *r) {
#define X(column)                                                                                  \
    hd_json_put(o, #column,                                                                        \
                json_pack("{s:I, s:I}", "count", (json_int_t)r->column.n, "covered",               \
                          (json_int_t)r->column.covered));
    HD_COVER_COLUMNS(X)
#undef X
}

static json_t *row_list(const hd_cover_row *rows, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object();
        hd_json_put(o, "name", hd_json_text(rows[i].name));
        if (rows[i].file)
            hd_json_put(o, "file", hd_json_text(rows[i].file));
        put_row(o, &rows[i]);
        json_array_append_new(list, o);
    }
    return list;
}

static void put_tests(json_t *o, const hd_measure *m) {
    size_t n_lost, n_other;
    hd_measure_failures(m, &n_lost, &n_other);
    hd_json_put(o, "tests", json_integer((json_int_t)m->tests.n));
    hd_json_put(o, "lost", json_integer((json_int_t)n_lost));
    hd_json_put(o, "ended_otherwise", json_integer((json_int_t)n_other));
}

static void put_obligation_counts(json_t *o, const hd_measure *m) {
    json_t *kinds = json_object();
    for (hd_goal_kind k = 0; k < HD_N_GOAL_KINDS; k++) {
        uint32_t n, n_met;
        hd_goals_count(&m->obligations, k, m->shown, &n, &n_met);
        hd_json_put(kinds, hd_goal_word(k),
                    json_pack("{s:I, s:I}", "count", (json_int_t)n, "covered", (json_int_t)n_met));
    }
    hd_json_put(o, "obligations", kinds);
}

void hd_json_coverage(FILE *out, const hd_measure *m, const hd_cover_report *r) {
    json_t *o = json_object(), *totals = json_object();
    put_tests(o, m);
    hd_json_put(o, "files", row_list(r->files.at, r->files.n));
    hd_json_put(o, "functions", row_list(r->functions.at, r->functions.n));
    put_row(totals, &r->totals);
    hd_json_put(o, "totals", totals);
    put_obligation_counts(o, m);
    hd_json_print(out, o);
}

/* ---- obligations ---- */

static void show_what(FILE *out, const hd_measure *m, const hd_goal *o) {
    if (o->kind == HD_GOAL_LABEL || o->kind == HD_GOAL_FINDING) {
        hd_print(out, "%s '%s'", hd_goal_word(o->kind), o->words);
        return;
    }
    hd_print(out, "%s:%u:%u: ", near_name(m->mapped.files.at[o->at.file]), o->at.line,
             o->at.column);
    if (o->kind == HD_GOAL_BRANCH)
        hd_print(out, "branch %s in %s", o->side ? "true" : "false", o->function);
    else
        hd_print(out, "condition %u of the decision at %u:%u in %s", o->number, o->decision.line,
                 o->decision.column, o->function);
}

void hd_obligations_show(FILE *out, const hd_measure *m, bool only_open) {
    for (size_t i = 0; i < m->obligations.all.n; i++) {
        const hd_goal *o = &m->obligations.all.at[i];
        const hd_measured_test *by[2];
        size_t n = hd_measure_tests(m, o, by);
        if ((n && only_open) || o->kind == HD_GOAL_REGION)
            continue; /* branches say it shorter */
        hd_print(out, "%-11s  ", hd_measure_state(m, o, n > 0));
        show_what(out, m, o);
        for (size_t k = 0; k < n; k++)
            hd_print(out, "%s%" PRIu64,
                     k        ? ", "
                     : n == 1 ? "  (test "
                              : "  (tests ",
                     by[k]->number);
        hd_print(out, n ? ")\n" : "\n");
    }
    for (hd_goal_kind k = 0; k < HD_N_GOAL_KINDS; k++) {
        uint32_t n, n_met;
        hd_goals_count(&m->obligations, k, m->shown, &n, &n_met);
        if (n)
            hd_print(out, "%u of %u %s covered\n", n_met, n, hd_goal_words(k));
    }
    show_failures(out, m);
}

static json_t *span_object(const hd_measure *m, const hd_span *s) {
    json_t *o = json_object();
    hd_json_put(o, "file", hd_json_text(m->mapped.files.at[s->file]));
    hd_json_put(o, "line", json_integer(s->line));
    hd_json_put(o, "column", json_integer(s->column));
    return o;
}

static json_t *obligation_object(const hd_measure *m, const hd_goal *o) {
    const hd_measured_test *by[2];
    size_t n = hd_measure_tests(m, o, by);
    json_t *j = json_object(), *tests = json_array();
    hd_json_put(j, "kind", json_string(hd_goal_word(o->kind)));
    hd_json_put(j, "state", json_string(hd_measure_state(m, o, n > 0)));
    for (size_t k = 0; k < n; k++)
        json_array_append_new(tests, json_integer((json_int_t)by[k]->number));
    hd_json_put(j, "tests", tests);
    if (o->words) {
        hd_json_put(j, "name", hd_json_text(o->words));
        return j;
    }
    hd_json_put(j, "function", hd_json_text(o->function));
    hd_json_put(j, "at", span_object(m, &o->at));
    if (o->kind == HD_GOAL_BRANCH)
        hd_json_put(j, "side", json_boolean(o->side));
    if (o->kind == HD_GOAL_CONDITION) {
        hd_json_put(j, "condition", json_integer(o->number));
        hd_json_put(j, "decision", span_object(m, &o->decision));
    }
    return j;
}

void hd_json_obligations(FILE *out, const hd_measure *m) {
    json_t *o = json_object(), *list = json_array();
    for (size_t i = 0; i < m->obligations.all.n; i++)
        if (m->obligations.all.at[i].kind != HD_GOAL_REGION)
            json_array_append_new(list, obligation_object(m, &m->obligations.all.at[i]));
    put_tests(o, m);
    put_obligation_counts(o, m);
    hd_json_put(o, "list", list);
    hd_json_print(out, o);
}
