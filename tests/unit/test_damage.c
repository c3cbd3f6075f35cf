/* Files that know when they are damaged: bits of records and of modules are flipped, and files cut.
 * What is read is what was written, or nothing. */
#include "base/hash.h"
#include "base/text.h"
#include "program/module_fingerprint.h"
#include "record/stored.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include <cmocka.h>

#define FLIPS (getenv("SOAK") ? 20000 : 400)

static char top[160];
static uint64_t random_state = 1;

static char *in_top(const char *name) {
    return hd_text_format("%s/%s", top, name);
}

static int make_top(void **state) {
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/heddle-damage-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(top) ? 0 : -1;
}

static int drop_top(void **state) {
    (void)state;
    char *command = hd_text_format("rm -rf '%s'", top);
    int status = system(command);
    free(command);
    return status;
}

static void write_bytes(const char *name, const void *bytes, size_t n) {
    char *path = in_top(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    free(path);
}

static hd_text read_bytes(const char *name) {
    hd_text bytes = {0};
    char *path = in_top(name);
    assert_true(hd_text_read_file(&bytes, path));
    free(path);
    return bytes;
}

static void drop(const char *name) {
    char *path = in_top(name);
    unlink(path);
    free(path);
}

/* ---- a record ---- */

static void fill_tests(hd_test *tests, size_t n) {
    for (size_t i = 0; i < n; i++)
        tests[i] = (hd_test){.reason = HD_TEST_COVERAGE,
                             .path_hash = hd_random_next(&random_state),
                             .trace_hash = hd_random_next(&random_state),
                             .path = hd_text_format("1+ 2- %zu+", i),
                             .map = "<3,1,3,0>"};
}

static void commit_some(hd_record *r, unsigned round) {
    hd_err err = {.message = ""};
    hd_test tests[20];
    hd_found found = {.signature = 77 + round,
                      .kind = HD_FINDING_ASSERTION,
                      .message = "assertion 'x' failed",
                      .file = "a.c",
                      .function = "main",
                      .stack = "main at a.c:3",
                      .line = 3,
                      .count = 2,
                      .test = 1};
    hd_loss loss = {HD_LOSS_VALUE, "inline assembly", "a.c", 12, 5 + round};
    hd_label label = {"deep", 9 + round};
    hd_unit_cost unit = {.number = 1 + round, .seconds = 0.25 * round};
    uint8_t coverage[64] = {1, 0, 1, 1};
    char frontier[3000];
    memset(frontier, 'f' + (int)round, sizeof frontier);
    fill_tests(tests, 20);
    hd_batch b = {.tests = tests,
                  .n_tests = 20,
                  .findings = &found,
                  .n_findings = 1,
                  .losses = &loss,
                  .n_losses = 1,
                  .labels = &label,
                  .n_labels = 1,
                  .units = &unit,
                  .n_units = 1,
                  .coverage = coverage,
                  .n_branches = 32,
                  .frontier = frontier,
                  .n_frontier = sizeof frontier,
                  .is_complete = round == 3,
                  .stop_reason = round == 3 ? "complete" : NULL};
    b.counters.explore.executions = b.counters.explore.paths = 7488 + round;
    if (!hd_record_commit(r, &b, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 20; i++)
        free(tests[i].path);
}

/* All in the file itself: nothing is left in the log. */
static void empty_log(void) {
    sqlite3 *db;
    char *path = in_top("out/run.db");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    free(path);
}

static void make_run(void) {
    hd_err err = {.message = ""};
    hd_run_info info = {.command = "heddle run a.c", .options = "{}", .module_hash = 5, .seed = 7};
    char *out = in_top("out");
    hd_record *r = hd_record_create(out, &info, &err);
    if (!r)
        fail_msg("%s", err.message);
    for (unsigned round = 0; round < 4; round++)
        commit_some(r, round);
    hd_record_close(r);
    free(out);
}

static bool add_test(void *text, const hd_test *t) {
    hd_text_add(text, "test %lu %d %lu %lu %s %s\n", t->number, t->reason, t->path_hash,
                t->trace_hash, t->path, t->map);
    return true;
}

static bool add_unit(void *text, const hd_unit_cost *u) {
    hd_text_add(text, "unit %lu %g\n", u->number, u->seconds);
    return true;
}

static void add_state(hd_text *text, const hd_batch *s) {
    hd_text_add(text, "%d %s %lu %lu\n", s->is_complete, s->stop_reason ? s->stop_reason : "-",
                s->counters.explore.executions, s->counters.explore.paths);
    hd_text_add_bytes(text, s->coverage, (size_t)2 * s->n_branches);
    hd_text_add_bytes(text, s->frontier, s->n_frontier);
    for (uint32_t i = 0; i < s->n_findings; i++)
        hd_text_add(text, "finding %lu %lu %d %s %s %u %lu %lu\n", s->findings[i].number,
                    s->findings[i].signature, s->findings[i].kind, s->findings[i].message,
                    s->findings[i].stack, s->findings[i].line, s->findings[i].count,
                    s->findings[i].test);
    for (uint32_t i = 0; i < s->n_losses; i++)
        hd_text_add(text, "loss %d %s %u %lu\n", s->losses[i].kind, s->losses[i].what,
                    s->losses[i].line, s->losses[i].count);
    for (uint32_t i = 0; i < s->n_labels; i++)
        hd_text_add(text, "label %s %lu\n", s->labels[i].name, s->labels[i].count);
}

/* What the run says; false if it is refused. */
static bool tell(hd_text *text) {
    hd_err err = {.message = ""};
    hd_batch s;
    char *out = in_top("out");
    hd_record *r = hd_record_open(out, false, &err);
    free(out);
    if (!r)
        return err.message[0];
    bool ok = hd_record_state(r, &s, &err);
    if (ok) {
        add_state(text, &s);
        hd_batch_release(&s);
    }
    ok = ok && hd_record_tests(r, add_test, text, &err) && hd_record_units(r, add_unit, text, &err);
    hd_text_add(text, "%s %s", hd_record_info(r)->command, hd_record_info(r)->options);
    hd_record_close(r);
    if (!ok)
        hd_text_clear(text); /* said while it was read */
    return true;
}

/* Is that which is told nothing, or one of these? */
static void assert_true_word(const hd_text *told, const hd_text *words, size_t n, unsigned flip) {
    for (size_t i = 0; i < n; i++)
        if (told->n == words[i].n && memcmp(told->at, words[i].at, told->n) == 0)
            return;
    if (told->n)
        fail_msg("change %u was believed", flip);
}

static void flip_bit(hd_text *bytes) {
    size_t bit = hd_random_next(&random_state) % (8 * bytes->n);
    bytes->at[bit / 8] ^= (char)(1 << bit % 8);
}

/* One time in eight the end is cut off instead. */
static void damage(hd_text *bytes) {
    if (hd_random_next(&random_state) % 8)
        flip_bit(bytes);
    else
        bytes->n = hd_random_next(&random_state) % bytes->n;
}

static hd_text copy(const hd_text *bytes) {
    hd_text made = {0};
    hd_text_add_bytes(&made, bytes->at, bytes->n);
    return made;
}

static void bits_of_a_record_are_missed(void **state) {
    (void)state;
    make_run();
    empty_log();
    hd_text whole = read_bytes("out/run.db"), truth = {0};
    assert_true(tell(&truth) && truth.n > 5000);
    unsigned refused = 0;
    for (int i = 0; i < FLIPS; i++) {
        hd_text bytes = copy(&whole), told = {0};
        damage(&bytes);
        drop("out/run.db-wal");
        drop("out/run.db-shm");
        write_bytes("out/run.db", bytes.at, bytes.n);
        assert_true(tell(&told));
        refused += !told.n;
        assert_true_word(&told, &truth, 1, (unsigned)i);
        hd_text_release(&bytes);
        hd_text_release(&told);
    }
    assert_true(refused > (unsigned)FLIPS / 4);
    hd_text_release(&whole);
    hd_text_release(&truth);
}

/* SQLite has checksums there: behind the damage nothing is read, and the run is that of an earlier
 * commit. */
static void bits_of_a_log_are_missed(void **state) {
    (void)state;
    hd_err err;
    hd_text truths[6] = {0};
    hd_run_info info = {.command = "heddle run a.c", .options = "{}", .module_hash = 5, .seed = 7};
    char *out = in_top("out");
    hd_record *r = hd_record_create(out, &info, &err);
    assert_non_null(r);
    for (unsigned round = 0; round < 4; round++) {
        assert_true(tell(&truths[round]));
        commit_some(r, round);
    }
    assert_true(tell(&truths[4]));
    hd_record_close(r);
    free(out);
    hd_text log = read_bytes("out/run.db-wal"), file = read_bytes("out/run.db");
    assert_true(log.n > 1000);
    for (int i = 0; i < FLIPS; i++) {
        hd_text bytes = copy(&log), told = {0};
        damage(&bytes);
        drop("out/run.db-shm");
        write_bytes("out/run.db", file.at, file.n);
        write_bytes("out/run.db-wal", bytes.at, bytes.n);
        assert_true(tell(&told));
        assert_true_word(&told, truths, 5, (unsigned)i);
        hd_text_release(&bytes);
        hd_text_release(&told);
    }
    for (size_t i = 0; i < 5; i++)
        hd_text_release(&truths[i]);
    hd_text_release(&log);
    hd_text_release(&file);
}

/* ---- a module ---- */

static void bits_of_a_module_are_missed(void **state) {
    (void)state;
    hd_err err;
    char image[5000], *module = in_top("module");
    static const char *const names[] = {"module/image", "module/types", "module/imports",
                                        "module/fingerprint"};
    memset(image, 'i', sizeof image);
    assert_int_equal(mkdir(module, 0777), 0);
    assert_false(hd_module_is_whole(module));
    write_bytes("module/image", image, sizeof image);
    write_bytes("module/types", "type 1 integer 4 1 int\n", 23);
    write_bytes("module/imports", "", 0);
    write_bytes("module/dependencies", "a.c\n", 4);
    assert_true(hd_module_fingerprint(module, &err));
    assert_true(hd_module_is_whole(module));
    for (int i = 0; i < FLIPS; i++) {
        const char *name = names[hd_random_next(&random_state) % 4];
        hd_text whole = read_bytes(name), bytes = copy(&whole);
        if (bytes.n)
            damage(&bytes);
        write_bytes(name, bytes.at, bytes.n);
        if (whole.n && hd_module_is_whole(module))
            fail_msg("change %d of %s was believed", i, name);
        write_bytes(name, whole.n ? whole.at : "", whole.n);
        assert_true(hd_module_is_whole(module));
        hd_text_release(&whole);
        hd_text_release(&bytes);
    }
    drop("module/types");
    assert_false(hd_module_is_whole(module));
    free(module);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_top, drop_top)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bits_of_a_record_are_missed),
        TEST(bits_of_a_log_are_missed),
        TEST(bits_of_a_module_are_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
