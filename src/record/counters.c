/* The one table of counters: how they are stored, sent, and added up.
 *
 * In the database they are rows of (name, value), so that a person with an SQL shell can read them
 * and an older or newer Heddle misses none that it knows. */
#include "record/record_int.h"
#include "record/stored.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset;
    enum { INTEGER64, INTEGER32, REAL } type;
    /* Parts are added up, compared, or the last one counts, or the last that has any: who makes no
     * node states says nothing about them, and how many there were meanwhile is a matter of luck.
     */
    enum { TOTAL, MOST, NOW, LAST } how;
} field;

#define AT(member, name, type, how) {name, offsetof(hd_run_counters, member), type, how}
#define LAYER(name, text)                                                                          \
    AT(solve.layer[HD_LAYER_##name].asked, text ".asked", INTEGER64, TOTAL),                       \
        AT(solve.layer[HD_LAYER_##name].sat, text ".sat", INTEGER64, TOTAL),                       \
        AT(solve.layer[HD_LAYER_##name].unsat, text ".unsat", INTEGER64, TOTAL),                   \
        AT(solve.layer[HD_LAYER_##name].unknown, text ".unknown", INTEGER64, TOTAL),               \
        AT(solve.layer[HD_LAYER_##name].seconds, text ".seconds", REAL, TOTAL)

static const field FIELDS[] = {AT(explore.executions, "executions", INTEGER64, TOTAL),
                               AT(explore.paths, "paths", INTEGER64, TOTAL),
                               AT(explore.rejected, "rejected", INTEGER64, TOTAL),
                               AT(explore.infeasible, "infeasible", INTEGER64, TOTAL),
                               AT(explore.unknown, "unknown", INTEGER64, TOTAL),
                               AT(explore.mispredicted, "mispredicted", INTEGER64, TOTAL),
                               AT(explore.bounded, "bounded", INTEGER64, TOTAL),
                               AT(explore.open, "open", INTEGER64, NOW),
                               AT(explore.deepest, "deepest", INTEGER32, MOST),
                               AT(explore.redundant, "redundant", INTEGER64, TOTAL),
                               AT(explore.events, "events", INTEGER64, TOTAL),
                               AT(explore.races, "races", INTEGER64, TOTAL),
                               AT(explore.longest, "events.longest", INTEGER64, MOST),
                               AT(explore.preempted_away, "preempted.away", INTEGER64, TOTAL),
                               AT(explore.cut_places, "streams.cut.places", INTEGER64, MOST),
                               AT(explore.sampled, "sampled", INTEGER64, TOTAL),
                               AT(explore.node_events, "node.events", INTEGER64, TOTAL),
                               AT(explore.states, "states", INTEGER64, LAST),
                               AT(explore.dstates, "dstates", INTEGER64, LAST),
                               AT(explore.groups, "dstates.groups", INTEGER64, LAST),
                               AT(explore.largest, "dstates.largest", INTEGER64, LAST),
                               AT(explore.moment, "virtual.time", INTEGER64, MOST),
                               AT(explore.contradictions, "contradictions", INTEGER64, TOTAL),
                               AT(explore.estimate, "estimate", REAL, NOW),
                               AT(threads, "threads", INTEGER64, MOST),
                               AT(processes, "processes", INTEGER64, MOST),
                               AT(inputs, "inputs", INTEGER64, MOST),
                               AT(stdin_bytes, "stdin.bytes", INTEGER64, MOST),
                               AT(units, "units", INTEGER64, MOST),
                               AT(workers, "workers", INTEGER64, TOTAL),
                               AT(repeated, "repeated", INTEGER64, TOTAL),
                               AT(solve.queries, "queries", INTEGER64, TOTAL),
                               AT(solve.sat, "queries.sat", INTEGER64, TOTAL),
                               AT(solve.unsat, "queries.unsat", INTEGER64, TOTAL),
                               AT(solve.unknown, "queries.unknown", INTEGER64, TOTAL),
                               AT(solve.constraints_before, "constraints.before", INTEGER64, TOTAL),
                               AT(solve.constraints_after, "constraints.after", INTEGER64, TOTAL),
                               AT(solve.seconds, "queries.seconds", REAL, TOTAL),
                               AT(branches, "branches", INTEGER64, NOW),
                               AT(branches_covered, "branches.covered", INTEGER64, NOW),
                               AT(vectors, "vectors", INTEGER64, NOW),
                               AT(vectors_covered, "vectors.covered", INTEGER64, NOW),
                               AT(seconds, "seconds", REAL, NOW),
                               AT(cpu_seconds, "seconds.cpu", REAL, TOTAL),
                               AT(work_seconds, "seconds.work", REAL, TOTAL),
                               AT(sample_seconds, "seconds.samples", REAL, TOTAL),
#define X(name, symbol, what) LAYER(name, "layer." #symbol),
                               HD_LAYERS(X)
#undef X
};
#define N_FIELDS (sizeof FIELDS / sizeof *FIELDS)
_Static_assert(N_FIELDS * 8 == sizeof(hd_run_counters), "every counter has a row");

/* ---- parts ---- */

static uint64_t read_bits(const field *f, const hd_run_counters *c) {
    const char *at = (const char *)c + f->offset;
    return f->type == INTEGER32 ? *(const uint32_t *)at : *(const uint64_t *)at;
}

static void write_bits(const field *f, hd_run_counters *c, uint64_t bits) {
    char *at = (char *)c + f->offset;
    if (f->type == INTEGER32)
        *(uint32_t *)at = (uint32_t)bits;
    else
        *(uint64_t *)at = bits;
}

void hd_counters_pack(hd_text *out, const hd_run_counters *c) {
    for (size_t i = 0; i < N_FIELDS; i++)
        hd_pack_u64(out, read_bits(&FIELDS[i], c));
}

hd_run_counters hd_counters_unpack(hd_unpack *u) {
    hd_run_counters c = {0};
    for (size_t i = 0; i < N_FIELDS; i++)
        write_bits(&FIELDS[i], &c, hd_unpack_u64(u));
    return c;
}

static void add_real(const field *f, hd_run_counters *sum, const hd_run_counters *part, int sign) {
    double *at = (double *)((char *)sum + f->offset);
    *at += sign * *(const double *)((const char *)part + f->offset);
}

void hd_counters_add(hd_run_counters *sum, const hd_run_counters *part) {
    for (size_t i = 0; i < N_FIELDS; i++) {
        const field *f = &FIELDS[i];
        uint64_t before = read_bits(f, sum), more = read_bits(f, part);
        if (f->how == TOTAL && f->type == REAL)
            add_real(f, sum, part, 1);
        else if (f->how == TOTAL)
            write_bits(f, sum, before + more);
        else if (f->how == NOW || (f->how == LAST && more) || more > before)
            write_bits(f, sum, more);
    }
}

hd_run_counters hd_counters_since(const hd_run_counters *now, const hd_run_counters *before) {
    hd_run_counters part = *now;
    for (size_t i = 0; i < N_FIELDS; i++) {
        const field *f = &FIELDS[i];
        HD_ASSERT(f->how != MOST || f->type != REAL);
        if (f->how == TOTAL && f->type == REAL)
            add_real(f, &part, before, -1);
        else if (f->how == TOTAL)
            write_bits(f, &part, read_bits(f, now) - read_bits(f, before));
    }
    return part;
}

/* ---- the database ---- */

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
