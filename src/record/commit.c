/* One batch, one transaction: tests and findings are added, the rest replaces what was there,
 * together with the frontier that belongs to it. */
#include "record/record_int.h"
#include "record/stored_words.h"

#include "base/panic.h"

/* Bind in order; a NULL string is stored as NULL. */
typedef struct binder {
    sqlite3_stmt *s;
    int n;
} binder;

static void bind_number(binder *b, uint64_t value) {
    sqlite3_bind_int64(b->s, ++b->n, (int64_t)value);
}

static void bind_real(binder *b, double value) {
    sqlite3_bind_double(b->s, ++b->n, value);
}

static void bind_text(binder *b, const char *text) {
    sqlite3_bind_text(b->s, ++b->n, text, -1, SQLITE_STATIC);
}

static void bind_bytes(binder *b, const void *bytes, size_t n) {
    sqlite3_bind_blob64(b->s, ++b->n, n ? bytes : "", n, SQLITE_STATIC);
}

static bool add_test(hd_record *r, hd_test *t, hd_text *scratch, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_ADD_TEST, err), 0};
    if (!b.s)
        return false;
    hd_text_clear(scratch);
    hd_inputs_pack(scratch, t->inputs, t->n_inputs);
    bind_text(&b, hd_test_reason_name(t->reason));
    bind_number(&b, t->path_hash);
    bind_number(&b, t->trace_hash);
    bind_text(&b, hd_end_name(t->end));
    bind_text(&b, hd_finding_kind_name(t->finding));
    bind_number(&b, (uint64_t)t->status);
    bind_text(&b, t->path);
    bind_text(&b, t->map);
    bind_bytes(&b, scratch->at, scratch->n);
    bind_text(&b, t->schedule);
    bind_text(&b, t->threads);
    if (!hd_sql_run(r, b.s, err))
        return false;
    t->number = (uint64_t)sqlite3_last_insert_rowid(r->db);
    return true;
}

static bool add_tests(hd_record *r, hd_batch *batch, hd_err *err) {
    hd_text scratch = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < batch->n_tests; i++)
        ok = add_test(r, &batch->tests[i], &scratch, err);
    hd_text_release(&scratch);
    return ok;
}

static bool add_finding(hd_record *r, const hd_batch *batch, hd_found *f, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_ADD_FINDING, err), 0};
    if (!b.s)
        return false;
    f->test = f->test > 0 && f->test <= batch->n_tests ? batch->tests[f->test - 1].number : 0;
    bind_number(&b, f->signature);
    bind_text(&b, hd_finding_kind_name(f->kind));
    bind_text(&b, f->message);
    bind_text(&b, f->file);
    bind_text(&b, f->function);
    bind_text(&b, f->stack);
    bind_number(&b, f->line);
    bind_number(&b, f->count);
    bind_number(&b, f->test);
    bind_text(&b, f->story);
    if (!hd_sql_run(r, b.s, err))
        return false;
    f->number = (uint64_t)sqlite3_last_insert_rowid(r->db);
    return true;
}

static bool raise_finding(hd_record *r, const hd_found *f, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_RAISE_FINDING, err), 0};
    if (!b.s)
        return false;
    bind_number(&b, f->count);
    bind_number(&b, f->number);
    return hd_sql_run(r, b.s, err);
}

static bool put_finding(hd_record *r, const hd_batch *batch, hd_found *f, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_FIND_FINDING, err), 0};
    bool is_known;
    if (!b.s)
        return false;
    bind_number(&b, f->signature);
    if (!hd_sql_row(r, b.s, &is_known, err))
        return false;
    f->is_new = !is_known;
    if (is_known)
        f->number = (uint64_t)sqlite3_column_int64(b.s, 0);
    sqlite3_reset(b.s);
    return is_known ? raise_finding(r, f, err) : add_finding(r, batch, f, err);
}

/* The finding that a race leads to is named by its signature in a batch, by its number from now
 * on.  Only after all findings of the batch are there: it may be among them. */
static bool lead_finding(hd_record *r, hd_found *f, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_FIND_FINDING, err), 0};
    bool is_known;
    if (!b.s)
        return false;
    bind_number(&b, f->leads_to);
    if (!hd_sql_row(r, b.s, &is_known, err))
        return false;
    f->leads_to = is_known ? (uint64_t)sqlite3_column_int64(b.s, 0) : 0;
    sqlite3_reset(b.s);
    b = (binder){is_known ? hd_sql(r, HD_SQL_LEAD_FINDING, err) : NULL, 0};
    if (!b.s)
        return !is_known;
    bind_number(&b, f->leads_to);
    bind_number(&b, f->number);
    return hd_sql_run(r, b.s, err);
}

static bool put_losses(hd_record *r, const hd_batch *batch, hd_err *err) {
    bool ok = hd_sql_run(r, hd_sql(r, HD_SQL_CLEAR_LOSSES, err), err);
    for (uint32_t i = 0; ok && i < batch->n_losses; i++) {
        const hd_loss *loss = &batch->losses[i];
        binder b = {hd_sql(r, HD_SQL_ADD_LOSS, err), 0};
        if (!b.s)
            return false;
        bind_number(&b, loss->kind);
        bind_text(&b, loss->what);
        bind_text(&b, loss->file);
        bind_number(&b, loss->line);
        bind_number(&b, loss->count);
        ok = hd_sql_run(r, b.s, err);
    }
    return ok;
}

static bool put_labels(hd_record *r, const hd_batch *batch, hd_err *err) {
    bool ok = hd_sql_run(r, hd_sql(r, HD_SQL_CLEAR_LABELS, err), err);
    for (uint32_t i = 0; ok && i < batch->n_labels; i++) {
        binder b = {hd_sql(r, HD_SQL_ADD_LABEL, err), 0};
        if (!b.s)
            return false;
        bind_text(&b, batch->labels[i].name);
        bind_number(&b, batch->labels[i].count);
        ok = hd_sql_run(r, b.s, err);
    }
    return ok;
}

static bool put_unit(hd_record *r, const hd_unit_cost *u, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_PUT_UNIT, err), 0};
    if (!b.s)
        return false;
    bind_number(&b, u->number);
    bind_number(&b, u->parent);
    bind_real(&b, u->given_at);
    bind_real(&b, u->begun);
    bind_real(&b, u->seconds);
    bind_real(&b, u->lost);
    bind_number(&b, u->executions);
    bind_number(&b, u->paths);
    bind_number(&b, u->repeated);
    bind_number(&b, u->hand_outs);
    bind_text(&b, hd_unit_state_words(u->state));
    return hd_sql_run(r, b.s, err);
}

static bool put_units(hd_record *r, const hd_batch *batch, hd_err *err) {
    for (uint32_t i = 0; i < batch->n_units; i++)
        if (!put_unit(r, &batch->units[i], err))
            return false;
    return true;
}

static bool put_state(hd_record *r, const hd_batch *batch, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_SET_STATE, err), 0};
    if (!b.s)
        return false;
    bind_bytes(&b, batch->coverage, (size_t)2 * batch->n_branches);
    bind_bytes(&b, batch->frontier, batch->n_frontier);
    bind_number(&b, batch->is_complete);
    bind_text(&b, batch->stop_reason);
    bind_text(&b, batch->threads);
    bind_text(&b, batch->warnings);
    bind_bytes(&b, batch->observed, batch->n_observed);
    return hd_sql_run(r, b.s, err);
}

static bool put_all(hd_record *r, hd_batch *batch, hd_err *err) {
    if (!add_tests(r, batch, err))
        return false;
    for (uint32_t i = 0; i < batch->n_findings; i++)
        if (!put_finding(r, batch, &batch->findings[i], err))
            return false;
    for (uint32_t i = 0; i < batch->n_findings; i++)
        if (batch->findings[i].leads_to && !lead_finding(r, &batch->findings[i], err))
            return false;
    return put_losses(r, batch, err) && put_labels(r, batch, err) && put_units(r, batch, err) &&
           hd_counters_write(r, &batch->counters, err) && put_state(r, batch, err);
}

/* After a full disk SQLite may have rolled back by itself; asking again does no harm. */
static void roll_back(hd_record *r) {
    hd_err ignored;
    if (!sqlite3_get_autocommit(r->db))
        hd_sql_run(r, hd_sql(r, HD_SQL_ROLLBACK, &ignored), &ignored);
}

static bool end_transaction(hd_record *r, bool ok, hd_err *err) {
    hd_looked looked;
    if (ok && hd_fingerprint_write(r, &looked, err) &&
        hd_sql_run(r, hd_sql(r, HD_SQL_COMMIT, err), err)) {
        r->looked = looked;
        return true;
    }
    roll_back(r);
    return false;
}

bool hd_record_commit(hd_record *r, hd_batch *b, hd_err *err) {
    HD_INVARIANT(R2, r->lock >= 0);
    if (!hd_sql_run(r, hd_sql(r, HD_SQL_BEGIN, err), err))
        return false;
    return end_transaction(r, put_all(r, b, err), err);
}

static bool put_stop(hd_record *r, const char *reason, hd_err *err) {
    binder b = {hd_sql(r, HD_SQL_SET_STOP, err), 0};
    if (!b.s)
        return false;
    bind_text(&b, reason);
    return hd_sql_run(r, b.s, err);
}

bool hd_record_stop(hd_record *r, const char *reason, hd_err *err) {
    return hd_sql_run(r, hd_sql(r, HD_SQL_BEGIN, err), err) &&
           end_transaction(r, put_stop(r, reason, err), err);
}
