/* The fingerprint of a record: a number that only its own rows have.
 *
 * A bit that flips on a disk, or in a copy, is a row that nobody wrote: SQLite's pages have no
 * checksums, so it was believed.  The fingerprint is the sum of a hash of every row of every table,
 * and of the schema; it is written with each commit, and computed again by whoever opens the
 * database. Tests are only ever added: of them a commit looks at the new ones; the other tables are
 * short.
 *
 * Rejected: a checksum for each page, which is an extension that Debian's SQLite does not have; a
 * column in each table, which does not see rows that are gone; triggers that follow all changes,
 * which take 4 ms to be made. */
#include "record/record_int.h"

#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

static const char *const names[HD_N_TABLES] = {
#define X(name, columns) #name,
    HD_TABLES(X)
#undef X
};

/* ---- rows as numbers ---- */

static uint64_t add_column(uint64_t h, sqlite3_stmt *s, int i) {
    int type = sqlite3_column_type(s, i);
    h = hd_hash_add(h, (uint64_t)type);
    if (type == SQLITE_INTEGER)
        return hd_hash_add(h, (uint64_t)sqlite3_column_int64(s, i));
    if (type == SQLITE_FLOAT) {
        double real = sqlite3_column_double(s, i);
        return hd_hash_bytes(h, &real, sizeof real);
    }
    const void *bytes = sqlite3_column_blob(s, i);
    int n = sqlite3_column_bytes(s, i);
    return hd_hash_add(hd_hash_bytes(h, bytes ? bytes : "", (size_t)n), (uint64_t)n);
}

static uint64_t hash_row(uint64_t table, sqlite3_stmt *s) {
    uint64_t h = hd_hash_add(1, table);
    for (int i = 0; i < sqlite3_column_count(s); i++)
        h = add_column(h, s, i);
    return h;
}

/* Adds the rows that a statement has. */
static bool add_rows(hd_record *r, sqlite3_stmt *s, uint64_t table, uint64_t *sum, hd_err *err) {
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
        *sum += hash_row(table, s);
    if (code != SQLITE_DONE)
        hd_sql_failed(r, err);
    sqlite3_reset(s);
    return code == SQLITE_DONE;
}

static bool add_query(hd_record *r, const char *sql, uint64_t table, uint64_t *sum, hd_err *err) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) != SQLITE_OK)
        return hd_sql_failed(r, err);
    bool ok = add_rows(r, s, table, sum, err);
    sqlite3_finalize(s);
    return ok;
}

/* ---- tables ---- */

/* Tests behind the last one that was looked at. */
static bool add_tests(hd_record *r, uint64_t *sum, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_NEW_TESTS, err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)r->looked.n_tests);
    return add_rows(r, s, HD_TABLE_tests, sum, err);
}

static bool add_table(hd_record *r, unsigned table, uint64_t *sum, hd_err *err) {
    sqlite3_stmt **s = &r->tables[table];
    if (!*s) {
        char *sql = hd_text_format("SELECT * FROM %s NOT INDEXED", names[table]);
        int code = sqlite3_prepare_v3(r->db, sql, -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
        free(sql);
        if (code != SQLITE_OK)
            return hd_sql_failed(r, err);
    }
    return add_rows(r, *s, table, sum, err);
}

/* The schema and the number of the format never change: they are looked at once. */
static bool add_schema(hd_record *r, uint64_t *sum, hd_err *err) {
    if (!r->looked.schema &&
        (!add_query(r, "PRAGMA user_version", HD_N_TABLES, &r->looked.schema, err) ||
         !add_query(r, "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master", HD_N_TABLES,
                    &r->looked.schema, err)))
        return false;
    *sum += r->looked.schema;
    return true;
}

/* The fingerprint; `looked` is what a commit needs of it for the next one. */
static bool compute(hd_record *r, uint64_t *sum, hd_looked *looked, hd_err *err) {
    uint64_t tests = r->looked.tests;
    *sum = 0;
    if (!add_schema(r, sum, err) || !add_tests(r, &tests, err))
        return false;
    for (unsigned i = 0; i < HD_N_TABLES; i++)
        if (i != HD_TABLE_tests && !add_table(r, i, sum, err))
            return false;
    sqlite3_stmt *s = hd_sql(r, HD_SQL_COUNT_TESTS, err);
    bool has_row;
    if (!s || !hd_sql_row(r, s, &has_row, err))
        return false;
    *sum += tests;
    *looked = (hd_looked){.schema = r->looked.schema,
                          .tests = tests,
                          .n_tests = (uint64_t)sqlite3_column_int64(s, 0)};
    sqlite3_reset(s);
    return true;
}

bool hd_fingerprint_write(hd_record *r, hd_looked *looked, hd_err *err) {
    uint64_t sum;
    sqlite3_stmt *s = NULL;
    if (!compute(r, &sum, looked, err) || !(s = hd_sql(r, HD_SQL_SET_FINGERPRINT, err)))
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)sum);
    return hd_sql_run(r, s, err);
}

/* ---- is it whole? ---- */

static bool is_damaged(hd_record *r, const char *how, hd_err *err) {
    hd_err_set(err, "cannot use '%s/run.db': it is damaged (%s)", r->directory, how);
    return hd_err_hint(err, "start again with 'heddle run', or take a copy of the directory");
}

/* Errors that say nothing about the record: the machine could not look. */
static bool is_of_machine(int code) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_INTERRUPT:
        return true;
    default:
        return false;
    }
}

static bool is_answer(sqlite3_stmt *s, const char *answer) {
    const char *text = (const char *)sqlite3_column_text(s, 0);
    return text && strcmp(text, answer) == 0;
}

/* The first column of the first row must be this; if not, `damage` says how the record is damaged.
 */
static bool must_answer(hd_record *r, const char *question, const char *answer, const char *damage,
                        hd_err *err) {
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(r->db, question, -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    bool ok = code == SQLITE_ROW && is_answer(s, answer);
    if (!ok && is_of_machine(code))
        hd_sql_failed(r, err);
    else if (!ok)
        is_damaged(r, damage, err);
    sqlite3_finalize(s);
    return ok;
}

/* Pages in order, and the index of findings, which is asked instead of the table. */
static bool has_order(hd_record *r, hd_err *err) {
    return must_answer(r, "PRAGMA quick_check(1)", "ok", "pages do not fit together", err) &&
           must_answer(r,
                       "SELECT count(*) FROM findings AS f WHERE f.number IS NOT "
                       "(SELECT number FROM findings WHERE signature = f.signature)",
                       "0", "findings are not where they are looked for", err);
}

static bool has_sum(hd_record *r, hd_err *err) {
    uint64_t sum;
    char text[24];
    if (!compute(r, &sum, &r->looked, err))
        return false;
    sqlite3_snprintf(sizeof text, text, "%lld", (long long)sum);
    return must_answer(r, "SELECT sum FROM fingerprint WHERE id = 1", text,
                       "its rows are not those that were written", err);
}

bool hd_fingerprint_is_there(hd_record *r) {
    hd_err none;
    return must_answer(r, "SELECT count(*) FROM sqlite_master WHERE name = 'fingerprint'", "1", "",
                       &none);
}

/* All of it is looked at in one state, whoever writes meanwhile. */
bool hd_fingerprint_check(hd_record *r, hd_err *err) {
    if (sqlite3_exec(r->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return hd_sql_failed(r, err);
    bool ok = has_order(r, err) && has_sum(r, err);
    sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}
