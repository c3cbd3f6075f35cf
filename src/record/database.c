/* Opening run.db, its schema, its statements, and its errors in words.
 *
 * WAL with synchronous=NORMAL: a commit is one append to the log, without waiting for the disk;
 * after a crash of any process, or of the machine, the database is the one after some commit
 * (record.h).  The header and the empty tables are written without waiting: a database whose
 * first commit never came is no loss. */
#include "record/record_int.h"

#include "base/clock.h"
#include "base/panic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const SQL[HD_N_STATEMENTS] = {
#define X(name, sql) sql,
    HD_STATEMENTS(X)
#undef X
};

/* A shorter file is an empty database to SQLite, and a damaged one to us. */
#define LEAST_SIZE 512

static const char SCHEMA[] = "BEGIN;"
#define X(name, columns) "CREATE TABLE " #name " " columns ";"
    HD_TABLES(X)
#undef X
        "CREATE TABLE fingerprint (id INTEGER PRIMARY KEY, sum INTEGER);";

/* SQLite does not keep the reason of a write that was cut short. */
static const char *why_not_written(hd_record *r) {
    int number = sqlite3_system_errno(r->db);
    return number ? strerror(number) : "the disk or a limit (ulimit -f) cut a write short";
}

bool hd_sql_failed(hd_record *r, hd_err *err) {
    int code = r->db ? sqlite3_errcode(r->db) & 0xff : SQLITE_NOMEM;
    switch (code) {
    case SQLITE_FULL:
        hd_err_set(err, "cannot write to '%s/run.db': the disk is full", r->directory);
        return hd_err_hint(err, "make room, then go on with --resume: what was committed is kept");
    case SQLITE_IOERR:
        hd_err_set(err, "cannot read or write '%s/run.db': %s", r->directory, why_not_written(r));
        return hd_err_hint(err, "check the disk; what was committed is kept");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        hd_err_set(err, "cannot open '%s/run.db': %s", r->directory, sqlite3_errmsg(r->db));
        return hd_err_hint(err, "check the permissions of the directory and its files");
    case SQLITE_BUSY:
        hd_err_set(err, "cannot write to '%s/run.db': another program holds it", r->directory);
        return hd_err_hint(err, "close the program that has the database open");
    case SQLITE_NOMEM:
        hd_err_set(err, "cannot use '%s/run.db': out of memory", r->directory);
        return hd_err_hint(err, "what was committed is kept");
    default: /* SQLITE_CORRUPT, SQLITE_NOTADB, and tables or values that we did not write */
        hd_err_set(err, "cannot use '%s/run.db': it is damaged (%s)", r->directory,
                   sqlite3_errmsg(r->db));
        return hd_err_hint(err, "start again with 'heddle run'");
    }
}

static bool open_file(hd_record *r, int flags, hd_err *err);

sqlite3_stmt *hd_sql(hd_record *r, hd_statement which, hd_err *err) {
    sqlite3_stmt **s = &r->statements[which];
    if (!r->db && !open_file(r, SQLITE_OPEN_READONLY, err)) /* it rested */
        return NULL;
    if (*s) {
        sqlite3_reset(*s);
        sqlite3_clear_bindings(*s);
    } else if (sqlite3_prepare_v3(r->db, SQL[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) !=
               SQLITE_OK) {
        hd_sql_failed(r, err);
        return NULL;
    }
    return *s;
}

bool hd_sql_row(hd_record *r, sqlite3_stmt *s, bool *has_row, hd_err *err) {
    int code = sqlite3_step(s);
    *has_row = code == SQLITE_ROW;
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE) {
        sqlite3_reset(s); /* a read transaction must not stay open */
        return true;
    }
    hd_sql_failed(r, err);
    sqlite3_reset(s);
    return false;
}

bool hd_sql_run(hd_record *r, sqlite3_stmt *s, hd_err *err) {
    bool has_row;
    return s && hd_sql_row(r, s, &has_row, err);
}

char *hd_sql_text(sqlite3_stmt *s, int column) {
    if (column >= sqlite3_column_count(s))
        return NULL;
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? hd_text_format("%s", text) : NULL;
}

static bool execute(hd_record *r, const char *sql, hd_err *err) {
    return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK || hd_sql_failed(r, err);
}

static bool set_meta(hd_record *r, const char *key, const char *text, uint64_t number,
                     hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_ADD_META, err);
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    if (text)
        sqlite3_bind_text(s, 2, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_int64(s, 2, (int64_t)number);
    return hd_sql_run(r, s, err);
}

static bool get_meta(hd_record *r, const char *key, char **text, uint64_t *number, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_META, err);
    bool has_row;
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
    if (!hd_sql_row(r, s, &has_row, err))
        return false;
    if (!has_row) {
        hd_err_set(err, "cannot use '%s/run.db': it is damaged (no '%s')", r->directory, key);
        return hd_err_hint(err, "start again with 'heddle run'");
    }
    if (text)
        *text = hd_sql_text(s, 0);
    else
        *number = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return true;
}

static bool write_info(hd_record *r, const hd_run_info *info, hd_err *err) {
    return set_meta(r, "command", info->command ? info->command : "", 0, err) &&
           set_meta(r, "options", info->options ? info->options : "{}", 0, err) &&
           set_meta(r, "module_hash", NULL, info->module_hash, err) &&
           set_meta(r, "seed", NULL, info->seed, err) &&
           (!info->walls || set_meta(r, "walls", info->walls, 0, err));
}

/* Runs of before have none. */
static bool read_walls(hd_record *r, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_META, err);
    bool has_row;
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, "walls", -1, SQLITE_STATIC);
    if (!hd_sql_row(r, s, &has_row, err))
        return false;
    r->info.walls = has_row ? hd_sql_text(s, 0) : NULL;
    sqlite3_reset(s);
    return true;
}

static bool read_info(hd_record *r, hd_err *err) {
    r->info.module_directory = hd_text_format("%s/module", r->directory);
    return get_meta(r, "command", &r->info.command, NULL, err) &&
           get_meta(r, "options", &r->info.options, NULL, err) &&
           get_meta(r, "module_hash", NULL, &r->info.module_hash, err) &&
           get_meta(r, "seed", NULL, &r->info.seed, err) && read_walls(r, err);
}

static bool write_schema(hd_record *r, const hd_run_info *info, hd_err *err) {
    char header[256];
    sqlite3_snprintf(sizeof header, header,
                     "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; BEGIN;"
                     "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;"
                     "PRAGMA journal_mode=WAL;",
                     HD_APPLICATION_ID, HD_RECORD_VERSION);
    sqlite3_stmt *s;
    return execute(r, header, err) && execute(r, SCHEMA, err) && write_info(r, info, err) &&
           hd_fingerprint_write(r, &r->looked, err) && (s = hd_sql(r, HD_SQL_COMMIT, err)) &&
           hd_sql_run(r, s, err) && execute(r, "PRAGMA synchronous=NORMAL", err);
}

static hd_record *new_record(const char *directory) {
    hd_record *r = hd_allocate(1, sizeof *r);
    r->directory = hd_text_format("%s", directory);
    r->lock = -1;
    r->version = HD_RECORD_VERSION;
    r->opened = hd_clock_now();
    return r;
}

static bool open_file(hd_record *r, int flags, hd_err *err) {
    char *path = hd_text_format("%s/run.db", r->directory);
    int code = sqlite3_open_v2(path, &r->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    free(path);
    if (code != SQLITE_OK)
        return hd_sql_failed(r, err);
    sqlite3_busy_timeout(r->db, 5000); /* a reader's checkpoint is short */
    return true;
}

static bool create_files(hd_record *r, const hd_run_info *info, hd_err *err) {
    return open_file(r, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
           write_schema(r, info, err) &&
           (!info->module_directory ||
            hd_directory_take_module(r->lock, r->directory, info->module_directory, err)) &&
           read_info(r, err);
}

static void close_database(hd_record *r) {
    for (unsigned i = 0; i < HD_N_STATEMENTS; i++) {
        sqlite3_finalize(r->statements[i]);
        r->statements[i] = NULL;
    }
    for (unsigned i = 0; i < HD_N_TABLES; i++) {
        sqlite3_finalize(r->tables[i]);
        r->tables[i] = NULL;
    }
    /* Emptying the log into the database waits for the disk: not worth it after a short run,
     * whose log is small and read by whoever opens the database next. */
    if (r->db && hd_clock_now() - r->opened < 1)
        sqlite3_db_config(r->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_close(r->db);
    r->db = NULL;
}

hd_record *hd_record_create(const char *directory, const hd_run_info *info, hd_err *err) {
    hd_record *r = new_record(directory);
    bool is_prepared = hd_directory_prepare(directory, &r->lock, err);
    if (is_prepared && hd_directory_set_aside(r->lock, directory, err) &&
        create_files(r, info, err)) {
        hd_directory_owner kind = hd_directory_kind(r->lock);
        HD_INVARIANT(R3, kind == HD_FILE_OURS || kind == HD_FILE_UNREADABLE);
        hd_directory_forget_aside(r->lock);
        return r;
    }
    if (is_prepared) {
        close_database(r);
        memset(r->statements, 0, sizeof r->statements);
        hd_directory_bring_back(r->lock);
    }
    hd_record_close(r);
    return NULL;
}

static bool other_version(hd_record *r, int version, bool for_writing, hd_err *err) {
    bool is_readable = version >= HD_RECORD_OLDEST && version < HD_RECORD_VERSION;
    hd_err_set(err, "cannot %s '%s': it was written by %s Heddle (format %d, this one has %d)",
               is_readable && for_writing ? "go on with" : "use", r->directory,
               version < HD_RECORD_VERSION ? "an older" : "a newer", version, HD_RECORD_VERSION);
    if (is_readable)
        return hd_err_hint(err, "its tests and findings can be listed; explore the program again "
                                "with 'heddle run'");
    return hd_err_hint(err, "explore the program again with 'heddle run', or use that version");
}

static bool check_version(hd_record *r, bool for_writing, hd_err *err) {
    sqlite3_stmt *s = NULL;
    int version = -1;
    if (sqlite3_prepare_v2(r->db, "PRAGMA user_version", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        version = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    if (version < 0)
        return hd_sql_failed(r, err);
    bool is_readable = version >= HD_RECORD_OLDEST && version < HD_RECORD_VERSION;
    r->version = version;
    if (version == HD_RECORD_VERSION || (is_readable && !for_writing))
        return true;
    return other_version(r, version, for_writing, err);
}

static bool check_file(hd_record *r, hd_err *err) {
    char *path = hd_text_format("%s/run.db", r->directory);
    struct stat status;
    bool exists = stat(path, &status) == 0;
    int failure = errno;
    free(path);
    if (exists && S_ISREG(status.st_mode) && status.st_size >= LEAST_SIZE)
        return true;
    if (exists)
        hd_err_set(err, "cannot use '%s/run.db': it is damaged (no database in it)", r->directory);
    else if (failure == ENOENT)
        hd_err_set(err, "no run of Heddle in '%s'", r->directory);
    else
        hd_err_set(err, "cannot read '%s/run.db': %s", r->directory, strerror(failure));
    return hd_err_hint(err, "make one with 'heddle run', or name its directory");
}

static bool check_application(hd_record *r, hd_err *err) {
    sqlite3_stmt *s = NULL;
    int id = 0;
    if (sqlite3_prepare_v2(r->db, "PRAGMA application_id", -1, &s, NULL) != SQLITE_OK ||
        sqlite3_step(s) != SQLITE_ROW) {
        hd_sql_failed(r, err);
        sqlite3_finalize(s);
        return false;
    }
    id = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    if (id == HD_APPLICATION_ID)
        return true;
    hd_err_set(err, "cannot use '%s/run.db': it is a database of another program", r->directory);
    return hd_err_hint(err, "name the directory of a run of Heddle");
}

/* A run that was begun at this moment has a version before it has tables: whoever comes in between waits for
 * them, and does not call it damaged. */
static bool await_tables(hd_record *r) {
    enum { PAUSE = 10000, MOST_PAUSES = 500 }; /* microseconds; five seconds together */
    for (unsigned i = 0; i < MOST_PAUSES && r->version == HD_RECORD_VERSION; i++) {
        if (hd_fingerprint_is_there(r) || !hd_record_is_running(r->directory))
            break;
        usleep(PAUSE);
    }
    return true;
}

hd_record *hd_record_open(const char *directory, bool for_writing, hd_err *err) {
    hd_record *r = new_record(directory);
    int flags = for_writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    bool ok = check_file(r, err) && (!for_writing || hd_directory_lock(directory, &r->lock, err)) &&
              open_file(r, flags, err) && check_application(r, err) &&
              check_version(r, for_writing, err) && (for_writing || await_tables(r)) &&
              ((r->version < HD_RECORD_FINGERPRINT && !hd_fingerprint_is_there(r)) ||
               hd_fingerprint_check(r, err)) &&
              (!for_writing || execute(r, "PRAGMA synchronous=NORMAL", err)) && read_info(r, err);
    if (ok) {
        HD_INVARIANT(R2, for_writing == (r->lock >= 0)); /* who writes has the directory */
        return r;
    }
    hd_record_close(r);
    return NULL;
}

void hd_record_rest(hd_record *r) {
    if (r->lock < 0)
        close_database(r);
}

void hd_record_close(hd_record *r) {
    if (!r)
        return;
    close_database(r);
    if (r->lock >= 0)
        close(r->lock);
    free(r->info.command);
    free(r->info.options);
    free(r->info.walls);
    free(r->info.module_directory);
    free(r->directory);
    free(r);
}

const hd_run_info *hd_record_info(const hd_record *r) {
    return &r->info;
}
