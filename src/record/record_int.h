/* record_int.h -- what the files of record/ share: the open database and its directory. */
#ifndef HD_RECORD_RECORD_INT_H
#define HD_RECORD_RECORD_INT_H
#include "record/stored.h"

#include <sqlite3.h>

/* Statements that are prepared once, in the order of database.c's table of their SQL. */
#define HD_STATEMENTS(X)                                                                           \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(ADD_META, "INSERT OR REPLACE INTO meta VALUES (?, ?)")                                       \
    X(GET_META, "SELECT value FROM meta WHERE key = ?")                                            \
    X(ADD_TEST, "INSERT INTO tests (reason, path_hash, trace_hash, end, finding, status, path, "   \
                "map, inputs, schedule, threads) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")        \
    X(GET_TEST, "SELECT * FROM tests WHERE number = ?")                                            \
    X(GET_TESTS, "SELECT * FROM tests ORDER BY number")                                            \
    X(NEW_TESTS, "SELECT * FROM tests WHERE number > ?")                                           \
    X(COUNT_TESTS, "SELECT ifnull(max(number), 0) FROM tests")                                     \
    X(FIND_FINDING, "SELECT number FROM findings WHERE signature = ?")                             \
    X(ADD_FINDING, "INSERT INTO findings (signature, kind, message, file, function, stack, line, " \
                   "count, test, story, leads_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")       \
    X(RAISE_FINDING, "UPDATE findings SET count = count + ? WHERE number = ?")                     \
    X(LEAD_FINDING, "UPDATE findings SET leads_to = ? WHERE number = ?")                           \
    X(GET_FINDINGS, "SELECT * FROM findings ORDER BY number")                                      \
    X(CLEAR_LOSSES, "DELETE FROM losses")                                                          \
    X(ADD_LOSS, "INSERT INTO losses VALUES (?, ?, ?, ?, ?)")                                       \
    X(GET_LOSSES, "SELECT * FROM losses ORDER BY rowid")                                           \
    X(CLEAR_LABELS, "DELETE FROM labels")                                                          \
    X(ADD_LABEL, "INSERT INTO labels VALUES (?, ?)")                                               \
    X(GET_LABELS, "SELECT * FROM labels ORDER BY rowid")                                           \
    X(PUT_UNIT, "INSERT OR REPLACE INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")           \
    X(GET_UNITS, "SELECT * FROM units ORDER BY number")                                            \
    X(SET_COUNTER, "INSERT OR REPLACE INTO counters VALUES (?, ?)")                                \
    X(GET_COUNTERS, "SELECT name, value FROM counters")                                            \
    X(SET_STATE, "INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?, ?, ?)")                   \
    X(SET_STOP, "INSERT INTO state (id, is_complete, stop_reason) VALUES (1, 0, ?) "               \
                "ON CONFLICT (id) DO UPDATE SET stop_reason = excluded.stop_reason")               \
    X(GET_STATE, "SELECT * FROM state")                                                            \
    X(SET_FINGERPRINT, "INSERT OR REPLACE INTO fingerprint VALUES (1, ?)")

typedef enum hd_statement {
#define X(name, sql) HD_SQL_##name,
    HD_STATEMENTS(X)
#undef X
        HD_N_STATEMENTS
} hd_statement;

/* Tables and their columns; all of them have their part in the fingerprint. */
#define HD_TABLES(X)                                                                               \
    X(meta, "(key TEXT PRIMARY KEY, value) WITHOUT ROWID")                                         \
    X(tests, "(number INTEGER PRIMARY KEY, reason TEXT, path_hash INTEGER, trace_hash INTEGER,"    \
             " end TEXT, finding TEXT, status INTEGER, path TEXT, map TEXT, inputs BLOB,"          \
             " schedule TEXT, threads TEXT)")                                                      \
    X(findings, "(number INTEGER PRIMARY KEY, signature INTEGER UNIQUE, kind TEXT, message TEXT,"  \
                " file TEXT, function TEXT, stack TEXT, line INTEGER, count INTEGER,"              \
                " test INTEGER, story TEXT, leads_to INTEGER)")                                    \
    X(losses, "(kind INTEGER, what TEXT, file TEXT, line INTEGER, count INTEGER)")                 \
    X(labels, "(name TEXT, count INTEGER)")                                                        \
    X(counters, "(name TEXT PRIMARY KEY, value) WITHOUT ROWID")                                    \
    X(units, "(number INTEGER PRIMARY KEY, parent INTEGER, given_at REAL, begun REAL,"             \
             " seconds REAL, lost REAL, executions INTEGER, paths INTEGER, repeated INTEGER,"      \
             " hand_outs INTEGER, state TEXT)")                                                    \
    X(state, "(id INTEGER PRIMARY KEY, coverage BLOB, frontier BLOB, is_complete INTEGER,"         \
             " stop_reason TEXT, threads TEXT, warnings TEXT, observed BLOB)")

enum hd_record_table {
#define X(name, columns) HD_TABLE_##name,
    HD_TABLES(X)
#undef X
        HD_N_TABLES
};

/* What need not be looked at again for the next fingerprint. */
typedef struct hd_looked {
    uint64_t schema, tests; /* their sums */
    uint64_t n_tests;
} hd_looked;

struct hd_record {
    char *directory;
    sqlite3 *db;
    sqlite3_stmt *statements[HD_N_STATEMENTS]; /* prepared when first used */
    sqlite3_stmt *tables[HD_N_TABLES];         /* all of a table, likewise */
    hd_looked looked;                          /* as of the last commit */
    int lock;                                  /* the directory, locked; -1 when reading */
    hd_run_info info;
    int version;   /* of what was opened */
    double opened; /* hd_clock_now() */
};

/* ---- run_directory.c ---- */
/* Make or check the directory and lock it; *lock is its descriptor. */
bool hd_directory_prepare(const char *directory, int *lock, hd_err *err);
/* Lock the directory of an existing run. */
bool hd_directory_lock(const char *directory, int *lock, hd_err *err);
/* Put the run that is there aside, bring it back, forget it. */
bool hd_directory_set_aside(int directory, const char *name, hd_err *err);
void hd_directory_bring_back(int directory);
void hd_directory_forget_aside(int directory);
/* Link, or else copy, the files of module directory `from` into `directory`/module. */
bool hd_directory_take_module(int directory, const char *name, const char *from, hd_err *err);
/* Does the file look like a database of Heddle?  An empty file does: a creation cut short. */
typedef enum hd_directory_owner {
    HD_FILE_MISSING,
    HD_FILE_OURS,
    HD_FILE_FOREIGN,
    HD_FILE_UNREADABLE /* errno says why */
} hd_directory_owner;
hd_directory_owner hd_directory_kind(int directory);

/* ---- database.c ---- */
#define HD_APPLICATION_ID 0x4864646c /* "Hddl" */
/* A reset statement with nothing bound; NULL with `err`. */
sqlite3_stmt *hd_sql(hd_record *r, hd_statement which, hd_err *err);
/* Run a bound statement that answers no rows. */
bool hd_sql_run(hd_record *r, sqlite3_stmt *s, hd_err *err);
/* The next row: true with *has_row, or false with `err`. */
bool hd_sql_row(hd_record *r, sqlite3_stmt *s, bool *has_row, hd_err *err);
/* Turn SQLite's last error into a sentence; always false. */
bool hd_sql_failed(hd_record *r, hd_err *err);
/* Text of a column as a heap copy, NULL for NULL and for a column that an older version of the
 * table does not have. */
char *hd_sql_text(sqlite3_stmt *s, int column);

/* ---- fingerprint.c ---- */
/* As part of a transaction: the fingerprint of what it leaves.  `looked` is for r->looked, when the
 * transaction is done. */
bool hd_fingerprint_write(hd_record *r, hd_looked *looked, hd_err *err);
/* Fingerprints are in runs from HD_RECORD_FINGERPRINT on. */
bool hd_fingerprint_is_there(hd_record *r);
/* Are the rows those that were written? */
bool hd_fingerprint_check(hd_record *r, hd_err *err);

/* ---- counters.c ---- */
bool hd_counters_write(hd_record *r, const hd_run_counters *c, hd_err *err);
bool hd_counters_read(hd_record *r, hd_run_counters *c, hd_err *err);
#endif
