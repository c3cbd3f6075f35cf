/* Counters as rows of (name, value), so that a person with an SQL shell can read them and an
 * older or newer Heddle misses none that it knows. */
#include "record/record_int.h"

#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset;
    enum { INTEGER64, INTEGER32, REAL } type;
} field;

#define AT(member, name, type) {name, offsetof(hd_run_counters, member), type}
#define LAYER(name, text)                                                                          \
    AT(solve.layer[HD_LAYER_##name].asked, text ".asked", INTEGER64),                              \
        AT(solve.layer[HD_LAYER_##name].sat, text ".sat", INTEGER64),                              \
        AT(solve.layer[HD_LAYER_##name].unsat, text ".unsat", INTEGER64),                          \
        AT(solve.layer[HD_LAYER_##name].unknown, text ".unknown", INTEGER64),                      \
        AT(solve.layer[HD_LAYER_##name].seconds, text ".seconds", REAL)

static const field FIELDS[] = {AT(explore.executions, "executions", INTEGER64),
                               AT(explore.paths, "paths", INTEGER64),
                               AT(explore.rejected, "rejected", INTEGER64),
                               AT(explore.infeasible, "infeasible", INTEGER64),
                               AT(explore.unknown, "unknown", INTEGER64),
                               AT(explore.mispredicted, "mispredicted", INTEGER64),
                               AT(explore.bounded, "bounded", INTEGER64),
                               AT(explore.open, "open", INTEGER64),
                               AT(explore.deepest, "deepest", INTEGER32),
                               AT(explore.redundant, "redundant", INTEGER64),
                               AT(explore.events, "events", INTEGER64),
                               AT(explore.races, "races", INTEGER64),
                               AT(explore.longest, "events.longest", INTEGER64),
                               AT(explore.preempted_away, "preempted.away", INTEGER64),
                               AT(explore.sampled, "sampled", INTEGER64),
                               AT(explore.estimate, "estimate", REAL),
                               AT(threads, "threads", INTEGER64),
                               AT(processes, "processes", INTEGER64),
                               AT(inputs, "inputs", INTEGER64),
                               AT(stdin_bytes, "stdin.bytes", INTEGER64),
                               AT(solve.queries, "queries", INTEGER64),
                               AT(solve.sat, "queries.sat", INTEGER64),
                               AT(solve.unsat, "queries.unsat", INTEGER64),
                               AT(solve.unknown, "queries.unknown", INTEGER64),
                               AT(solve.constraints_before, "constraints.before", INTEGER64),
                               AT(solve.constraints_after, "constraints.after", INTEGER64),
                               AT(solve.seconds, "queries.seconds", REAL),
                               AT(branches, "branches", INTEGER64),
                               AT(branches_covered, "branches.covered", INTEGER64),
                               AT(seconds, "seconds", REAL),
                               AT(cpu_seconds, "seconds.cpu", REAL),
#define X(name, symbol, what) LAYER(name, "layer." #symbol),
                               HD_LAYERS(X)
#undef X
};
#define N_FIELDS (sizeof FIELDS / sizeof *FIELDS)

static void bind_field(sqlite3_stmt *s, const field *f, const hd_run_counters *c) {
    const char *at = (const char *)c + f->offset;
    if (f->type == REAL)
        sqlite3_bind_double(s, 2, *(const double *)at);
    else if (f->type == INTEGER32)
        sqlite3_bind_int64(s, 2, *(const uint32_t *)at);
    else
        sqlite3_bind_int64(s, 2, (int64_t)*(const uint64_t *)at);
}

bool hd_counters_write(hd_record *r, const hd_run_counters *c, hd_err *err) {
    for (size_t i = 0; i < N_FIELDS; i++) {
        sqlite3_stmt *s = hd_sql(r, HD_SQL_SET_COUNTER, err);
        if (!s)
            return false;
        sqlite3_bind_text(s, 1, FIELDS[i].name, -1, SQLITE_STATIC);
        bind_field(s, &FIELDS[i], c);
        if (!hd_sql_run(r, s, err))
            return false;
    }
    return true;
}

static void take_field(sqlite3_stmt *s, const field *f, hd_run_counters *c) {
    char *at = (char *)c + f->offset;
    if (f->type == REAL)
        *(double *)at = sqlite3_column_double(s, 1);
    else if (f->type == INTEGER32)
        *(uint32_t *)at = (uint32_t)sqlite3_column_int64(s, 1);
    else
        *(uint64_t *)at = (uint64_t)sqlite3_column_int64(s, 1);
}

bool hd_counters_read(hd_record *r, hd_run_counters *c, hd_err *err) {
    sqlite3_stmt *s = hd_sql(r, HD_SQL_GET_COUNTERS, err);
    bool has_row;
    if (!s)
        return false;
    while (true) {
        if (!hd_sql_row(r, s, &has_row, err))
            return false;
        if (!has_row)
            return true;
        const char *name = (const char *)sqlite3_column_text(s, 0);
        for (size_t i = 0; name && i < N_FIELDS; i++)
            if (strcmp(FIELDS[i].name, name) == 0)
                take_field(s, &FIELDS[i], c);
    }
}
