/* Reading a run back.  A value that we could not have written is damage, and said so. */
#include "record/record_int.h"
#include "record/stored_words.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

static bool is_damaged(hd_record *r, const char *what, hd_err *err) {
    hd_err_set(err, "cannot use '%s/run.db': it is damaged (%s)", r->directory, what);
    return hd_err_hint(err, "start again with 'heddle run'");
}

static const char *word_at(sqlite3_stmt *s, int column) {
    return (const char *)sqlite3_column_text(s, column);
}

static uint64_t number_at(sqlite3_stmt *s, int column) {
    return (uint64_t)sqlite3_column_int64(s, column);
}

/* Columns in the order of the schema. */
static bool take_test(hd_record *r, sqlite3_stmt *s, hd_test *t, hd_err *err) {
    *t = (hd_test){.number = number_at(s, 0),
                   .path_hash = number_at(s, 2),
                   .trace_hash = number_at(s, 3),
                   .status = (int)number_at(s, 6),
                   .path = hd_sql_text(s, 7),
                   .map = hd_sql_text(s, 8),
                   .schedule = hd_sql_text(s, 10),
                   .threads = hd_sql_text(s, 11)};
    const void *bytes = sqlite3_column_blob(s, 9);
    hd_unpack reader = hd_unpack_from(bytes ? bytes : "", (size_t)sqlite3_column_bytes(s, 9));
    t->inputs = hd_inputs_unpack(&reader, &t->n_inputs);
    if (hd_test_reason_parse(word_at(s, 1), &t->reason) && hd_end_parse(word_at(s, 4), &t->end) &&
        hd_finding_kind_parse(word_at(s, 5), &t->finding) && hd_unpack_ok(&reader))
        return true;
    hd_test_release(t);
    return is_damaged(r, "a test cannot be read", err);
}

bool hd_record_test(hd_record *r, uint64_t number, hd_test *test, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_TEST, err);
    bool has_row;
    *test = (hd_test){0};
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)number);
    if (!hd_sql_row(r, s, &has_row, err))
        return false;
    if (!has_row) {
        hd_err_set(err, "no test %llu in '%s'", (unsigned long long)number, r->directory);
        return hd_err_hint(err, "'heddle tests %s' lists them", r->directory);
    }
    bool ok = take_test(r, s, test, err);
    sqlite3_reset(s);
    return ok;
}

/* Tests are numbered 1, 2, ... and never removed. */
bool hd_record_count_tests(hd_record *r, uint64_t *n, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_COUNT_TESTS, err);
    bool has_row;
    if (!s || !hd_sql_row(r, s, &has_row, err))
        return false;
    *n = has_row ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return true;
}

bool hd_record_tests(hd_record *r, bool (*each)(void *, const hd_test *), void *context,
                     hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_TESTS, err);
    bool has_row = s != NULL, ok = s != NULL;
    while (ok && (ok = hd_sql_row(r, s, &has_row, err)) && has_row) {
        hd_test test;
        ok = take_test(r, s, &test, err);
        bool goes_on = ok && each(context, &test);
        if (ok)
            hd_test_release(&test);
        if (!goes_on)
            break;
    }
    sqlite3_reset(s);
    return ok;
}

static void release_found(hd_found *f) {
    free(f->message);
    free(f->file);
    free(f->function);
    free(f->stack);
    free(f->story);
}

static bool take_found(hd_record *r, sqlite3_stmt *s, hd_found *f, hd_err *err) {
    *f = (hd_found){.number = number_at(s, 0),
                    .signature = number_at(s, 1),
                    .message = hd_sql_text(s, 3),
                    .file = hd_sql_text(s, 4),
                    .function = hd_sql_text(s, 5),
                    .stack = hd_sql_text(s, 6),
                    .line = (uint32_t)number_at(s, 7),
                    .count = number_at(s, 8),
                    .test = number_at(s, 9),
                    .story = hd_sql_text(s, 10),
                    .leads_to = sqlite3_column_count(s) > 11 ? number_at(s, 11) : 0};
    if (hd_finding_kind_parse(word_at(s, 2), &f->kind))
        return true;
    release_found(f);
    return is_damaged(r, "a finding cannot be read", err);
}

bool hd_record_findings(hd_record *r, bool (*each)(void *, const hd_found *), void *context,
                        hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_FINDINGS, err);
    bool has_row = s != NULL, ok = s != NULL;
    while (ok && (ok = hd_sql_row(r, s, &has_row, err)) && has_row) {
        hd_found found;
        ok = take_found(r, s, &found, err);
        bool goes_on = ok && each(context, &found);
        if (ok)
            release_found(&found);
        if (!goes_on)
            break;
    }
    sqlite3_reset(s);
    return ok;
}

static bool is_time(double seconds) {
    return seconds >= 0 && seconds < 1e15;
}

static bool take_unit(hd_record *r, sqlite3_stmt *s, hd_unit_cost *u, hd_err *err) {
    *u = (hd_unit_cost){.number = number_at(s, 0),
                        .parent = number_at(s, 1),
                        .given_at = sqlite3_column_double(s, 2),
                        .begun = sqlite3_column_double(s, 3),
                        .seconds = sqlite3_column_double(s, 4),
                        .lost = sqlite3_column_double(s, 5),
                        .executions = number_at(s, 6),
                        .paths = number_at(s, 7),
                        .repeated = number_at(s, 8),
                        .hand_outs = number_at(s, 9)};
    bool is_known = hd_unit_state_parse(word_at(s, 10), &u->state);
    bool is_right = is_known && u->number > 0 && u->number <= HD_MOST_UNITS &&
                    u->parent < u->number && is_time(u->seconds) && is_time(u->given_at) &&
                    is_time(u->begun) && is_time(u->lost);
    return is_right || is_damaged(r, "a unit cannot be read", err);
}

bool hd_record_units(hd_record *r, bool (*each)(void *, const hd_unit_cost *), void *context,
                     hd_err *err) {
    if (r->version < 4)
        return true;
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_UNITS, err);
    bool has_row = s != NULL, ok = s != NULL;
    hd_unit_cost unit;
    while (ok && (ok = hd_sql_row(r, s, &has_row, err)) && has_row)
        if (!(ok = take_unit(r, s, &unit, err)) || !each(context, &unit))
            break;
    sqlite3_reset(s);
    return ok;
}

/* One more element at the end of an array of n; each reader below appends one row. */
static void *grown(void *array, uint32_t n, size_t size) {
    void *at = realloc(array, ((size_t)n + 1) * size);
    if (!at)
        hd_out_of_memory();
    return at;
}
#define GROW(array, n) ((array) = grown((array), (n), sizeof *(array)), &(array)[(n)++])

static bool add_found_row(hd_record *r, sqlite3_stmt *s, hd_batch *state, hd_err *err) {
    hd_found f;
    if (!take_found(r, s, &f, err))
        return false;
    *GROW(state->findings, state->n_findings) = f;
    return true;
}

static bool add_loss_row(hd_record *r, sqlite3_stmt *s, hd_batch *state, hd_err *err) {
    if (number_at(s, 0) >= HD_N_LOSS_KINDS)
        return is_damaged(r, "a loss cannot be read", err);
    *GROW(state->losses, state->n_losses) = (hd_loss){.kind = (hd_loss_kind)number_at(s, 0),
                                                      .what = hd_sql_text(s, 1),
                                                      .file = hd_sql_text(s, 2),
                                                      .line = (uint32_t)number_at(s, 3),
                                                      .count = number_at(s, 4)};
    return true;
}

static bool add_label_row(hd_record *r, sqlite3_stmt *s, hd_batch *state, hd_err *err) {
    (void)r, (void)err;
    *GROW(state->labels, state->n_labels) =
        (hd_label){.name = hd_sql_text(s, 0), .count = number_at(s, 1)};
    return true;
}

static void *copy_blob(sqlite3_stmt *s, int column, size_t *n) {
    const void *bytes = sqlite3_column_blob(s, column);
    *n = bytes ? (size_t)sqlite3_column_bytes(s, column) : 0;
    void *copy = hd_allocate(*n, 1);
    if (copy)
        memcpy(copy, bytes, *n);
    return copy;
}

/* Columns in the order of the schema. */
static bool add_state_row(hd_record *r, sqlite3_stmt *s, hd_batch *state, hd_err *err) {
    (void)r, (void)err;
    size_t n;
    state->coverage = copy_blob(s, 1, &n);
    state->n_branches = (uint32_t)(n / 2);
    state->frontier = copy_blob(s, 2, &state->n_frontier);
    state->is_complete = number_at(s, 3) != 0;
    state->stop_reason = hd_sql_text(s, 4);
    state->threads = hd_sql_text(s, 5);
    state->warnings = hd_sql_text(s, 6);
    if (sqlite3_column_count(s) > 7)
        state->observed = copy_blob(s, 7, &state->n_observed);
    return true;
}

static bool each_row(hd_record *r, hd_statement which, hd_batch *state, hd_err *err,
                     bool (*add)(hd_record *, sqlite3_stmt *, hd_batch *, hd_err *)) {
    sqlite3_stmt *s = hd_sql(r, which, err);
    bool has_row = s != NULL, ok = s != NULL;
    while (ok && (ok = hd_sql_row(r, s, &has_row, err)) && has_row)
        ok = add(r, s, state, err);
    sqlite3_reset(s);
    return ok;
}

bool hd_record_state(hd_record *r, hd_batch *state, hd_err *err) {
    *state = (hd_batch){0};
    /* One read transaction, so that all of it is of one commit. */
    sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL);
    bool ok = each_row(r, HD_SQL_GET_STATE, state, err, add_state_row) &&
              each_row(r, HD_SQL_GET_FINDINGS, state, err, add_found_row) &&
              each_row(r, HD_SQL_GET_LOSSES, state, err, add_loss_row) &&
              each_row(r, HD_SQL_GET_LABELS, state, err, add_label_row) &&
              hd_counters_read(r, &state->counters, err);
    sqlite3_exec(r->db, "COMMIT", NULL, NULL, NULL);
    if (!ok) {
        hd_batch_release(state);
        *state = (hd_batch){0};
    }
    return ok;
}
