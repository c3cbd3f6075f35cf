/* Runs in a directory: what is committed is read back, what is damaged or foreign is refused. */
#include "base/clock.h"
#include "record/stored.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include <cmocka.h>

static char top[160];

static const char *in_top(const char *name) {
    static char paths[4][256];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", top, name);
    return path;
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_top(void **state) {
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/heddle-record-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(top))
        return -1;
    mkdir(in_top("cache"), 0777);
    write_file(in_top("cache/image"), "an image");
    write_file(in_top("cache/types"), "type 1 integer 4 1 int\n");
    return 0;
}

static int drop_top(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    return system(command);
}

static hd_record *create(const char *directory, hd_err *err) {
    hd_run_info info = {.command = "heddle run a.c",
                        .options = "{\"seed\": 7}",
                        .module_hash = UINT64_C(0xfedcba9876543210),
                        .module_directory = (char *)in_top("cache"),
                        .seed = 7};
    return hd_record_create(directory, &info, err);
}

static hd_record *create_well(const char *directory) {
    hd_err err = {.message = ""};
    hd_record *r = create(directory, &err);
    if (!r)
        fail_msg("%s", err.message);
    return r;
}

static hd_stored_input inputs[] = {
    {.name = "p",
     .kind = HD_VAR_POINTER,
     .width = 64,
     .is_root = true,
     .value = 1,
     .object_size = 16},
    {.name = "x",
     .width = 32,
     .is_root = true,
     .is_signed = true,
     .number = 1,
     .value = 0xfffffffd,
     .request = 1},
    {.name = "p->next",
     .kind = HD_VAR_POINTER,
     .width = 64,
     .owner = 0,
     .number = 1,
     .value = 1,
     .bit_offset = 64},
};

/* A batch with one of everything; pointers are into constants, so it is not released. */
static hd_batch make_batch(void) {
    static hd_test tests[2];
    static hd_found findings[1];
    static hd_loss losses[1] = {{HD_LOSS_VALUE, "inline assembly", "a.c", 12, 5}};
    static hd_label labels[1] = {{"deep", 9}};
    static uint8_t coverage[4] = {1, 0, 1, 1};
    tests[0] = (hd_test){.reason = HD_TEST_COVERAGE,
                         .path_hash = UINT64_MAX,
                         .trace_hash = 5,
                         .path = "1+ 2-",
                         .map = "<3,1,3,0>",
                         .inputs = inputs,
                         .n_inputs = 3};
    tests[1] = (hd_test){.reason = HD_TEST_FINDING,
                         .path_hash = 2,
                         .trace_hash = 6,
                         .end = HD_END_FINDING,
                         .finding = HD_FINDING_ASSERTION,
                         .status = -6,
                         .path = "1-",
                         .map = "<>",
                         .schedule = "0*3 1*2 0",
                         .threads = "0:0"};
    findings[0] = (hd_found){.signature = UINT64_C(0x8000000000000001),
                             .kind = HD_FINDING_ASSERTION,
                             .message = "assertion 'x' failed",
                             .file = "a.c",
                             .function = "main",
                             .stack = "main at a.c:3\n",
                             .story = "thread 1          reads 'x' at a.c:3\n",
                             .line = 3,
                             .count = 4,
                             .test = 2};
    hd_batch b = {.tests = tests,
                  .n_tests = 2,
                  .findings = findings,
                  .n_findings = 1,
                  .losses = losses,
                  .n_losses = 1,
                  .labels = labels,
                  .n_labels = 1,
                  .coverage = coverage,
                  .n_branches = 2,
                  .frontier = "open",
                  .n_frontier = 4,
                  .threads = "0:0 0:1",
                  .warnings = "locks 'a' and 'b'\n"};
    b.counters.explore.executions = 17;
    b.counters.explore.deepest = 3;
    b.counters.solve.layer[HD_LAYER_Z3].seconds = 0.5;
    b.counters.seconds = 1.25;
    b.counters.threads = 3;
    b.counters.explore.redundant = 2;
    b.counters.explore.estimate = 1.5e20;
    return b;
}

static void commit_well(hd_record *r, hd_batch *b) {
    hd_err err;
    if (!hd_record_commit(r, b, &err))
        fail_msg("%s", err.message);
}

static void reads_back_what_was_committed(void **state) {
    (void)state;
    hd_err err;
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    assert_int_equal(b.tests[1].number, 2);
    assert_true(b.findings[0].is_new);
    assert_int_equal(b.findings[0].test, 2);
    hd_record_close(r);

    r = hd_record_open(in_top("out"), false, &err);
    assert_non_null(r);
    assert_string_equal(hd_record_info(r)->options, "{\"seed\": 7}");
    assert_true(hd_record_info(r)->module_hash == UINT64_C(0xfedcba9876543210));
    char image[300];
    snprintf(image, sizeof image, "%s/image", hd_record_info(r)->module_directory);
    assert_int_equal(access(image, R_OK), 0);

    hd_test t;
    assert_true(hd_record_test(r, 1, &t, &err));
    assert_true(t.path_hash == UINT64_MAX);
    assert_int_equal(t.n_inputs, 3);
    assert_string_equal(t.inputs[2].name, "p->next");
    assert_int_equal(t.inputs[2].bit_offset, 64);
    assert_int_equal(t.inputs[1].value, 0xfffffffd);
    assert_true(t.inputs[1].is_signed);
    hd_test_release(&t);
    assert_true(hd_record_test(r, 2, &t, &err));
    assert_int_equal(t.finding, HD_FINDING_ASSERTION);
    assert_int_equal(t.status, -6);
    assert_string_equal(t.schedule, "0*3 1*2 0");
    assert_string_equal(t.threads, "0:0");
    assert_true(hd_test_is_threaded(&t));
    hd_test_release(&t);
    assert_false(hd_record_test(r, 3, &t, &err));
    assert_non_null(strstr(err.message, "no test 3"));

    hd_batch s;
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.counters.explore.executions, 17);
    assert_int_equal(s.counters.explore.deepest, 3);
    assert_true(s.counters.solve.layer[HD_LAYER_Z3].seconds == 0.5);
    assert_int_equal(s.n_branches, 2);
    assert_memory_equal(s.frontier, "open", 4);
    assert_int_equal(s.n_losses, 1);
    assert_string_equal(s.labels[0].name, "deep");
    assert_int_equal(s.findings[0].count, 4);
    assert_null(s.stop_reason);
    assert_string_equal(s.findings[0].story, "thread 1          reads 'x' at a.c:3\n");
    assert_string_equal(s.threads, "0:0 0:1");
    assert_string_equal(s.warnings, "locks 'a' and 'b'\n");
    assert_int_equal(s.counters.threads, 3);
    assert_int_equal(s.counters.explore.redundant, 2);
    assert_true(s.counters.explore.estimate == 1.5e20);
    hd_batch_release(&s);
    hd_record_close(r);
}

static void known_findings_are_counted(void **state) {
    (void)state;
    hd_err err;
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    b = make_batch();
    b.n_tests = 0;
    b.findings[0].test = 0;
    b.stop_reason = "complete";
    commit_well(r, &b);
    assert_false(b.findings[0].is_new);
    assert_int_equal(b.findings[0].number, 1);
    hd_batch s;
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 1);
    assert_int_equal(s.findings[0].count, 8);
    assert_int_equal(s.findings[0].test, 2);
    assert_string_equal(s.stop_reason, "complete");
    assert_int_equal(s.n_losses, 1);
    hd_batch_release(&s);
    hd_record_close(r);
}

static void refuses(const char *directory, const char *words) {
    hd_err err = {.message = ""};
    assert_null(create(directory, &err));
    assert_non_null(strstr(err.message, words));
}

static void foreign_directories_are_left_alone(void **state) {
    (void)state;
    mkdir(in_top("papers"), 0777);
    write_file(in_top("papers/thesis.txt"), "years of work");
    refuses(in_top("papers"), "holds no run of Heddle");
    assert_int_equal(access(in_top("papers/thesis.txt"), R_OK), 0);
    mkdir(in_top("other"), 0777);
    write_file(in_top("other/run.db"), "somebody else's");
    refuses(in_top("other"), "not a run of Heddle");
    refuses(in_top("missing/deep"), "cannot make directory");
    write_file(in_top("plain"), "a file");
    refuses(in_top("plain"), "Not a directory");
}

static void a_new_run_takes_the_place_of_the_old(void **state) {
    (void)state;
    hd_err err;
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    hd_record_close(r);
    write_file(in_top("out/notes.txt"), "mine");
    r = create_well(in_top("out"));
    hd_test t;
    assert_false(hd_record_test(r, 1, &t, &err));
    hd_record_close(r);
    assert_int_equal(access(in_top("out/notes.txt"), R_OK), 0);
    assert_int_not_equal(access(in_top("out/.heddle-old"), F_OK), 0);
}

static void a_failed_start_keeps_the_old_run(void **state) {
    (void)state;
    hd_err err;
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    hd_record_close(r);
    hd_run_info info = {
        .command = "x", .options = "{}", .module_directory = (char *)in_top("no-such-module")};
    assert_null(hd_record_create(in_top("out"), &info, &err));
    assert_non_null(strstr(err.message, "cannot read module"));
    r = hd_record_open(in_top("out"), false, &err);
    assert_non_null(r);
    hd_test t;
    assert_true(hd_record_test(r, 2, &t, &err));
    hd_test_release(&t);
    hd_record_close(r);
    assert_int_equal(access(in_top("out/module/image"), R_OK), 0);
}

static void one_writer_at_a_time(void **state) {
    (void)state;
    hd_err err = {.message = ""};
    hd_record *r = create_well(in_top("out"));
    assert_null(hd_record_open(in_top("out"), true, &err));
    assert_non_null(strstr(err.message, "another run is using it"));
    refuses(in_top("out"), "another run is using it");
    hd_record *reader = hd_record_open(in_top("out"), false, &err);
    assert_non_null(reader);
    hd_record_close(reader);
    hd_record_close(r);
}

static void cannot_open(const char *directory, const char *words) {
    hd_err err = {.message = ""};
    assert_null(hd_record_open(directory, false, &err));
    if (!strstr(err.message, words))
        fail_msg("'%s' lacks '%s'", err.message, words);
    assert_true(err.hint[0] != '\0');
}

static void shell(const char *format, const char *path) {
    char command[512];
    snprintf(command, sizeof command, format, path);
    assert_int_equal(system(command), 0);
}

static void damage_is_said(void **state) {
    (void)state;
    cannot_open(in_top("nowhere"), "no run of Heddle in");
    mkdir(in_top("empty"), 0777);
    cannot_open(in_top("empty"), "no run of Heddle in");
    mkdir(in_top("text"), 0777);
    write_file(in_top("text/run.db"), "this is not a database, but it is long enough to look "
                                      "at: more than a hundred bytes, that is, and then some");
    cannot_open(in_top("text"), "damaged");
    hd_record_close(create_well(in_top("cut")));
    shell(
        "head -c 50 '%1$s/run.db' > '%1$s/x' && mv '%1$s/x' '%1$s/run.db' && rm -f '%1$s'/run.db-*",
        in_top("cut"));
    cannot_open(in_top("cut"), "damaged");
}

/* Whatever bytes of the file are wrong: a sentence or an answer, never a crash. */
static void any_damage_is_survived(void **state) {
    (void)state;
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    hd_record_close(r);
    srand(1);
    for (int i = 0; i < 60; i++) {
        shell("rm -rf '%1$s2' && cp -r '%1$s' '%1$s2'", in_top("out"));
        FILE *f = fopen(in_top(i % 2 ? "out2/run.db-wal" : "out2/run.db"), "r+");
        for (int j = 0; f && j < 40; j++) {
            fseek(f, i % 2 ? 32 + rand() % 30000 : rand() % 4000, SEEK_SET);
            fputc(rand(), f);
        }
        if (f)
            fclose(f);
        hd_err err = {.message = ""};
        r = hd_record_open(in_top("out2"), false, &err);
        hd_batch s;
        hd_test t;
        bool ok = r && hd_record_state(r, &s, &err);
        if (ok)
            hd_batch_release(&s);
        else
            assert_true(err.message[0] != '\0');
        if (ok && hd_record_test(r, 1, &t, &err))
            hd_test_release(&t);
        hd_record_close(r);
    }
}

static void other_versions_are_said(void **state) {
    (void)state;
    hd_record_close(create_well(in_top("out")));
    shell("printf '\\000\\000\\000\\143' | dd of='%s/run.db' bs=1 seek=60 conv=notrunc "
          "status=none",
          in_top("out"));
    shell("rm -f '%s'/run.db-*", in_top("out"));
    cannot_open(in_top("out"), "a newer Heddle");
}

typedef struct unit_rows {
    uint64_t n;
    hd_unit_cost last;
} unit_rows;

static bool note_unit(void *context, const hd_unit_cost *u) {
    unit_rows *rows = context;
    rows->n++;
    rows->last = *u;
    return true;
}

static void units_are_replaced_by_number(void **state) {
    (void)state;
    hd_err err;
    unit_rows rows = {0};
    hd_unit_cost units[2] = {{.number = 1, .seconds = 0.5, .executions = 10, .hand_outs = 1},
                             {.number = 2, .parent = 1, .given_at = 0.25, .begun = 3}};
    hd_batch b = make_batch();
    hd_record *r = create_well(in_top("out"));
    b.units = units;
    b.n_units = 2;
    commit_well(r, &b);
    units[1] = (hd_unit_cost){2, 1, 0.25, 3, 0.75, 0.125, 7, 6, 1, 2, HD_UNIT_ASIDE};
    b = make_batch();
    b.units = &units[1];
    b.n_units = 1;
    commit_well(r, &b);
    hd_record_close(r);
    r = hd_record_open(in_top("out"), false, &err);
    assert_true(hd_record_units(r, note_unit, &rows, &err));
    assert_int_equal(rows.n, 2);
    assert_memory_equal(&rows.last, &units[1], sizeof rows.last);
    hd_record_close(r);
}

static void what_observers_saw_is_found_by_name(void **state) {
    (void)state;
    hd_err err;
    hd_batch b = make_batch(), s;
    hd_text first = {0}, all = {0};
    hd_firsts firsts = {0};
    hd_first met = {HD_FIRST_FINDING, 12, 0.125};
    hd_vec_push(&firsts, met);
    hd_firsts_pack(&first, &firsts);
    hd_pack_string(&all, "other");
    hd_pack_bytes(&all, "x", 1);
    hd_pack_string(&all, "firsts");
    hd_pack_bytes(&all, first.at, first.n);
    hd_record *r = create_well(in_top("out"));
    b.observed = all.at;
    b.n_observed = all.n;
    commit_well(r, &b);
    assert_true(hd_record_state(r, &s, &err));
    size_t n;
    const void *bytes = hd_observed_find(s.observed, s.n_observed, "firsts", &n);
    hd_vec_clear(&firsts);
    assert_true(bytes && hd_firsts_unpack(bytes, n, &firsts));
    assert_int_equal(firsts.n, 1);
    assert_true(firsts.at[0].kind == HD_FIRST_FINDING && firsts.at[0].what == 12);
    assert_true(firsts.at[0].seconds == 0.125);
    assert_false(hd_firsts_unpack(bytes, n - 1, &firsts));
    assert_int_equal(firsts.n, 1);
    assert_null(hd_observed_find(s.observed, s.n_observed, "third", &n));
    assert_null(hd_observed_find(s.observed, s.n_observed - 1, "firsts", &n)); /* cut */
    hd_batch_release(&s);
    hd_record_close(r);
    hd_vec_release(&firsts);
    hd_text_release(&first);
    hd_text_release(&all);
}

static void ends_come_back(void **state) {
    (void)state;
    hd_ends ends = {.rejected = 3, .findings = 4}, again;
    hd_text bytes = {0};
    ends.exits[0] = 7;
    ends.exits[255] = 1;
    hd_ends_pack(&bytes, &ends);
    assert_true(hd_ends_unpack(bytes.at, bytes.n, &again));
    assert_memory_equal(&again, &ends, sizeof ends);
    assert_false(hd_ends_unpack(bytes.at, bytes.n - 1, &again));
    assert_false(hd_ends_unpack(bytes.at, 8, &again));
    hd_text_release(&bytes);
}

static void damaged_units_are_said(void **state) {
    (void)state;
    static const char *const DAMAGE[] = {"parent = 2", "number = 0", "seconds = -1",
                                         "seconds = 9e999", "state = 'other'"};
    for (size_t i = 0; i < sizeof DAMAGE / sizeof *DAMAGE; i++) {
        hd_err err = {.message = ""};
        unit_rows rows = {0};
        hd_unit_cost unit = {.number = 1};
        hd_batch b = make_batch();
        hd_record *r = create_well(in_top("out"));
        b.units = &unit;
        b.n_units = 1;
        commit_well(r, &b);
        hd_record_close(r);
        char sql[100], path[300];
        sqlite3 *db;
        snprintf(sql, sizeof sql,
                 "PRAGMA user_version = 4; DROP TABLE fingerprint; UPDATE units SET %s", DAMAGE[i]);
        snprintf(path, sizeof path, "%s/run.db", in_top("out"));
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        r = hd_record_open(in_top("out"), false, &err);
        assert_false(hd_record_units(r, note_unit, &rows, &err));
        assert_non_null(strstr(err.message, "a unit cannot be read"));
        hd_record_close(r);
    }
}

/* The tables of version 1, with one test and one finding. */
static void make_old_run(const char *directory) {
    sqlite3 *db;
    char path[300];
    shell("rm -f '%s'/run.db*", directory);
    snprintf(path, sizeof path, "%s/run.db", directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            db,
            "PRAGMA application_id=1214538860; PRAGMA user_version=1;"
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
            "INSERT INTO meta VALUES ('command', 'heddle run a.c'), ('options', '{}'),"
            " ('module_hash', 1), ('seed', 1);"
            "CREATE TABLE tests (number INTEGER PRIMARY KEY, reason TEXT, path_hash INTEGER,"
            " trace_hash INTEGER, end TEXT, finding TEXT, status INTEGER, path TEXT, map TEXT,"
            " inputs BLOB);"
            "INSERT INTO tests VALUES (1, 'finding', 1, 2, 'finding', 'leak', 0, '1+', '<>',"
            " x'00000000');"
            "CREATE TABLE findings (number INTEGER PRIMARY KEY, signature INTEGER UNIQUE, kind "
            "TEXT,"
            " message TEXT, file TEXT, function TEXT, stack TEXT, line INTEGER, count INTEGER,"
            " test INTEGER);"
            "INSERT INTO findings VALUES (1, 9, 'leak', 'm', 'a.c', 'main', '', 3, 1, 1);"
            "CREATE TABLE losses (kind INTEGER, what TEXT, file TEXT, line INTEGER, count "
            "INTEGER);"
            "CREATE TABLE labels (name TEXT, count INTEGER);"
            "CREATE TABLE counters (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
            "CREATE TABLE state (id INTEGER PRIMARY KEY, coverage BLOB, frontier BLOB,"
            " is_complete INTEGER, stop_reason TEXT);"
            "INSERT INTO state VALUES (1, x'0101', x'02', 0, 'time limit');",
            NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
}

static void older_runs_are_read_but_not_written(void **state) {
    (void)state;
    hd_err err = {.message = ""};
    hd_test t;
    hd_batch s;
    hd_record_close(create_well(in_top("out")));
    make_old_run(in_top("out"));
    hd_record *r = hd_record_open(in_top("out"), false, &err);
    if (!r)
        fail_msg("%s", err.message);
    assert_true(hd_record_test(r, 1, &t, &err));
    assert_int_equal(t.finding, HD_FINDING_LEAK);
    assert_false(hd_test_is_threaded(&t));
    hd_test_release(&t);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_branches, 1);
    assert_int_equal(s.n_frontier, 1);
    assert_string_equal(s.stop_reason, "time limit");
    assert_null(s.threads);
    assert_int_equal(s.n_findings, 1);
    assert_int_equal(s.findings[0].leads_to, 0);
    hd_batch_release(&s);
    unit_rows rows = {0};
    assert_true(hd_record_units(r, note_unit, &rows, &err)); /* it knew of none */
    assert_int_equal(rows.n, 0);
    hd_record_close(r);
    assert_null(hd_record_open(in_top("out"), true, &err));
    assert_non_null(strstr(err.message, "cannot go on with"));
    assert_non_null(strstr(err.message, "an older Heddle"));
    assert_non_null(strstr(err.hint, "can be listed"));
}

/* A race found first, the finding that it leads to in a later batch. */
static void races_lead_to_findings(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    hd_record *r = create_well(in_top("out"));
    hd_found race = {.signature = 5, .kind = HD_FINDING_DATA_RACE, .message = "r", .count = 1};
    hd_batch b = {.findings = &race, .n_findings = 1};
    commit_well(r, &b);
    hd_found both[] = {{.signature = 5, .kind = HD_FINDING_DATA_RACE, .leads_to = 7},
                       {.signature = 7, .kind = HD_FINDING_ASSERTION, .message = "a", .count = 1}};
    b = (hd_batch){.findings = both, .n_findings = 2};
    commit_well(r, &b);
    assert_int_equal(both[0].leads_to, 2);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 2);
    assert_int_equal(s.findings[0].leads_to, 2);
    assert_int_equal(s.findings[0].count, 1);
    hd_batch_release(&s);
    both[0].leads_to = 99; /* nobody knows it: what was known stays */
    b = (hd_batch){.findings = both, .n_findings = 1};
    commit_well(r, &b);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.findings[0].leads_to, 2);
    hd_batch_release(&s);
    hd_record_close(r);
}

static void schedules_cannot_be_exported(void **state) {
    (void)state;
    hd_err err = {.message = ""};
    hd_record *r = create_well(in_top("out"));
    hd_test t = {.number = 4, .path = "", .map = "", .schedule = "0 1"};
    assert_false(hd_export_c(r, &t, in_top("test.c"), &err));
    assert_non_null(strstr(err.message, "test 4"));
    assert_non_null(strstr(err.message, "order of threads"));
    assert_int_not_equal(access(in_top("test.c"), F_OK), 0);
    hd_record_close(r);
}

static void creating_is_fast(void **state) {
    (void)state;
    double best = 1;
    for (int i = 0; i < 20; i++) {
        double began = hd_clock_cpu();
        hd_record *r = create_well(in_top("out"));
        hd_batch b = make_batch();
        commit_well(r, &b);
        hd_record_close(r);
        double took = hd_clock_cpu() - began;
        best = took < best ? took : best;
    }
    print_message("# create, commit and close: %.2f ms of processor time\n", best * 1000);
    assert_true(best < 0.1); /* the budget is 3 ms; sanitizers are slower */
}

/* The recorded list of paper 002, Fig. 1: p -> {3, p}, x = -3, and a bit-field. */
static const char LIST_PROGRAM[] =
    "#include <heddle.h>\n"
    "#include <stdlib.h>\n"
    "struct cell { int v; struct cell *next; };\n"
    "struct flags { unsigned a : 3, b : 7; };\n"
    "int main(void) {\n"
    "    struct cell *p; int x; struct flags f = {0}; long c;\n"
    "    heddle_input(p); heddle_input(x); heddle_input(f);\n"
    "    c = heddle_choose(-5, 5);\n"
    "    heddle_assume(x < 0);\n"
    "    heddle_assert(!(p && p->v == 3 && p->next == p && x == -3 && f.b == 65 && c == -2));\n"
    "    return 4;\n"
    "}\n";

static int run_export(hd_record *r, const hd_test *t) {
    hd_err err;
    if (!hd_export_c(r, t, in_top("test_0001.c"), &err))
        fail_msg("%s", err.message);
    write_file(in_top("program.c"), LIST_PROGRAM);
    char command[1024];
    snprintf(command, sizeof command,
             "gcc -std=gnu17 -O1 -Wall -Wextra -Werror -Iinclude '%s/test_0001.c' '%s/program.c' "
             "-o '%s/a.out' && '%s/a.out' 2>/dev/null",
             top, top, top, top);
    return system(command);
}

static void exported_tests_run_without_heddle(void **state) {
    (void)state;
    hd_stored_input list[] = {
        {.name = "p",
         .kind = HD_VAR_POINTER,
         .width = 64,
         .is_root = true,
         .value = 1,
         .object_size = 16},
        {.name = "p->v", .width = 32, .owner = 0, .value = 3},
        {.name = "p->next",
         .kind = HD_VAR_POINTER,
         .width = 64,
         .owner = 0,
         .number = 1,
         .value = 1,
         .bit_offset = 64},
        {.name = "x", .width = 32, .is_root = true, .number = 1, .value = 0xfffffffd, .request = 1},
        {.name = "f.b",
         .width = 7,
         .is_root = true,
         .number = 2,
         .value = 65,
         .request = 2,
         .bit_offset = 3},
        {.name = "choose(-5,5)",
         .width = 8,
         .is_root = true,
         .number = 3,
         .value = 0xfe,
         .request = 3},
    };
    hd_test t = {.number = 1,
                 .end = HD_END_FINDING,
                 .finding = HD_FINDING_ASSERTION,
                 .inputs = list,
                 .n_inputs = 6};
    hd_run_info info = {.command = "heddle run src/*.c -- */", .options = "{}"};
    hd_err err;
    hd_record *r = hd_record_create(in_top("out"), &info, &err);
    assert_non_null(r);
    assert_int_equal(run_export(r, &t), 0);
    t.end = HD_END_EXIT; /* recorded otherwise: the file must say so */
    t.status = 4;
    assert_int_not_equal(run_export(r, &t), 0);
    list[1].value = 4; /* another input, and the program ends with 4 */
    assert_int_equal(run_export(r, &t), 0);
    t.inputs = list + 3; /* no objects: tables may be empty */
    t.n_inputs = 3;
    assert_int_equal(run_export(r, &t), 0);
    list[3].value = 1; /* against the assumption */
    assert_int_not_equal(run_export(r, &t), 0);
    hd_record_close(r);
}

/* No room for the commit: nothing of it stays, what was there before does. */
static void a_full_disk_keeps_what_was_committed(void **state) {
    (void)state;
    hd_err err = {.message = ""};
    hd_record *r = create_well(in_top("out"));
    hd_batch b = make_batch();
    commit_well(r, &b);
    struct rlimit old, small = {1 << 16, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    b = make_batch();
    b.counters.explore.executions = 99;
    b.n_frontier = 1 << 20;
    b.frontier = calloc(1, b.n_frontier);
    bool committed = hd_record_commit(r, &b, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(committed);
    assert_non_null(strstr(err.message, "run.db"));
    assert_true(err.hint[0] != '\0');
    hd_batch s;
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.counters.explore.executions, 17);
    assert_int_equal(s.findings[0].count, 4);
    hd_batch_release(&s);
    commit_well(r, &b); /* room again */
    free(b.frontier);
    hd_record_close(r);
}

/* States become fewer too: what is said last counts, of those who have any. */
static void states_are_those_of_the_end(void **state) {
    (void)state;
    hd_run_counters sum = {0}, many = {0}, few = {0}, none = {0};
    many.explore.states = 20, many.explore.dstates = 9, many.explore.longest = 5;
    few.explore.states = 12, few.explore.dstates = 4, few.explore.longest = 3;
    hd_counters_add(&sum, &many);
    hd_counters_add(&sum, &few);
    hd_counters_add(&sum, &none);
    assert_int_equal(sum.explore.states, 12);
    assert_int_equal(sum.explore.dstates, 4);
    assert_int_equal(sum.explore.longest, 5);
}

static void collect(void *context, const char *reason) {
    hd_text_add(context, "%s\n", reason);
}

static void reasons_are_sentences(void **state) {
    (void)state;
    hd_text text = {0};
    hd_batch b = make_batch();
    hd_found endless = {.kind = HD_FINDING_NON_TERMINATION, .count = 2};
    hd_loss losses[] = {{HD_LOSS_UNKNOWN, "", "b.c", 7, 2},
                        {HD_LOSS_VALUE, "floating-point conversion", "a.c", 3, 1},
                        {HD_LOSS_LEFT_OUT, "timeouts were left out", "a.c", 4, 9},
                        {HD_LOSS_BOUND, "orders were sampled", "", 0, 1}};
    b.counters.threads = 0;
    b.counters.explore.open = 1;
    b.counters.explore.unknown = 2;
    b.findings = &endless;
    b.losses = losses;
    b.n_losses = 4;
    b.stop_reason = "time limit";
    hd_batch_reasons(&b, collect, &text);
    assert_string_equal(hd_text_string(&text),
                        "1 branch not tried yet: time limit\n"
                        "2 branches that the solver gave up on at b.c:7\n"
                        "2 executions went round for ever\n"
                        "timeouts were left out at a.c:4\n"
                        "orders were sampled\n"
                        "inputs were treated as constants: floating-point conversion at a.c:3 "
                        "(1 time)\n");
    assert_false(hd_batch_is_exact(&b));
    hd_text_clear(&text);
    b.counters.threads = 2;
    b.counters.explore.open = 3;
    hd_batch_reasons(&b, collect, &text);
    assert_non_null(strstr(text.at, "3 ways not tried yet: time limit\n"));
    hd_text_clear(&text);
    b.is_complete = true;
    hd_batch_reasons(&b, collect, &text);
    assert_int_equal(text.n, 0);
    hd_text_release(&text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_top, drop_top)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_back_what_was_committed),
        TEST(known_findings_are_counted),
        TEST(foreign_directories_are_left_alone),
        TEST(a_new_run_takes_the_place_of_the_old),
        TEST(a_failed_start_keeps_the_old_run),
        TEST(one_writer_at_a_time),
        TEST(damage_is_said),
        TEST(any_damage_is_survived),
        TEST(other_versions_are_said),
        TEST(units_are_replaced_by_number),
        TEST(what_observers_saw_is_found_by_name),
        TEST(ends_come_back),
        TEST(damaged_units_are_said),
        TEST(older_runs_are_read_but_not_written),
        TEST(races_lead_to_findings),
        TEST(schedules_cannot_be_exported),
        TEST(creating_is_fast),
        TEST(reasons_are_sentences),
        TEST(exported_tests_run_without_heddle),
        TEST(states_are_those_of_the_end),
        TEST(a_full_disk_keeps_what_was_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
