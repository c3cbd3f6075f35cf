/* Observers by themselves: what workers say is added up, glances replace each other, and bytes that
 * make no sense change nothing.  That each execution is seen once is for test_fleet to show. */
#include "base/clock.h"
#include "fleet/observer.h"
#include "record/stored.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Whole they are added; cut, or with more behind them, they are not. */
static void check_lengths(const hd_text *whole, const char *name) {
    size_t size;
    const char *part = hd_observed_find(whole->at, whole->n, name, &size);
    assert_non_null(part);
    for (size_t n = 1; n <= size + 1; n++) {
        hd_observers *sums = hd_observers_new();
        hd_text bytes = {0}, longer = {0};
        hd_text_add_bytes(&longer, part, size);
        hd_text_add_bytes(&longer, "", 1);
        hd_pack_string(&bytes, name);
        hd_pack_bytes(&bytes, longer.at, n);
        assert_int_equal(hd_observers_add(sums, bytes.at, bytes.n), n == size);
        hd_text_release(&bytes);
        hd_text_release(&longer);
        hd_observers_free(sums);
    }
}

/* ---- tests ---- */

static hd_test some_test(uint64_t path) {
    return (hd_test){.reason = HD_TEST_ALL,
                     .path_hash = path,
                     .path = hd_copy("3+"),
                     .map = hd_copy("<1>"),
                     .schedule = hd_copy("0*5 1"),
                     .threads = hd_copy("0:0")};
}

static void tests_wait_until_they_are_taken(void **state) {
    (void)state;
    hd_observers *worker = hd_observers_new(), *ledger = hd_observers_new();
    for (uint64_t bundle = 0; bundle < 2; bundle++) {
        hd_text bytes = {0};
        hd_observers_kept(worker, some_test(2 * bundle + 1));
        hd_observers_kept(worker, some_test(2 * bundle + 2));
        assert_int_equal(hd_observers_tests(worker)->list.n, 2);
        assert_in_range(hd_observers_tests(worker)->bytes, 2 * sizeof(hd_test), 1000);
        hd_observers_take(worker, &bytes);
        assert_int_equal(hd_observers_tests(worker)->list.n, 0);
        assert_int_equal(hd_observers_tests(worker)->bytes, 0);
        assert_true(hd_observers_add(ledger, bytes.at, bytes.n));
        check_lengths(&bytes, "kept_tests");
        hd_text_release(&bytes);
    }
    const hd_kept_tests *kept = hd_observers_tests(ledger);
    assert_int_equal(kept->list.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(kept->list.at[i].path_hash, i + 1);
    assert_string_equal(kept->list.at[3].schedule, "0*5 1");
    hd_text bytes = {0};
    size_t size;
    hd_observers_save(ledger, &bytes); /* the record has a table for them */
    assert_null(hd_observed_find(bytes.at, bytes.n, "kept_tests", &size));
    hd_text_release(&bytes);
    hd_observers_begin_anew(ledger); /* what was found stays */
    assert_int_equal(kept->list.n, 4);
    hd_kept_tests_clear(hd_observers_tests(ledger));
    assert_int_equal(kept->list.n, 0);
    hd_observers_free(worker);
    hd_observers_free(ledger);
}

/* ---- progress ---- */

static void progress(hd_observers *o, uint64_t executions, hd_text *out) {
    hd_text_clear(out);
    hd_observers_progressed(
        o, &(hd_run_counters){.explore = {.executions = executions, .longest = 9}, .branches = 2});
    hd_observers_glance(o, out);
}

static void progress_is_of_all_workers(void **state) {
    (void)state;
    hd_observers *worker = hd_observers_new(), *sums = hd_observers_new();
    hd_text bytes = {0};
    progress(worker, 3, &bytes);
    progress(worker, 5, &bytes); /* replaces it */
    check_lengths(&bytes, "live_progress");
    assert_true(hd_observers_add(sums, bytes.at, bytes.n));
    progress(worker, 20, &bytes);
    assert_true(hd_observers_add(sums, bytes.at, bytes.n));
    assert_int_equal(hd_observers_progress(sums)->n_workers, 2);
    assert_int_equal(hd_observers_progress(sums)->counters.explore.executions, 25);
    assert_int_equal(hd_observers_progress(sums)->counters.explore.longest, 9);
    hd_text_clear(&bytes);
    hd_observers_glance(sums, &bytes); /* a machine says what all of its workers do */
    hd_observers_clear(sums);
    assert_int_equal(hd_observers_progress(sums)->n_workers, 0);
    assert_true(hd_observers_add(sums, bytes.at, bytes.n));
    assert_int_equal(hd_observers_progress(sums)->n_workers, 2);
    assert_int_equal(hd_observers_progress(sums)->counters.explore.executions, 25);
    hd_text_release(&bytes);
    hd_observers_free(worker);
    hd_observers_free(sums);
}

static void progress_ends_with_a_bundle(void **state) {
    (void)state;
    hd_observers *worker = hd_observers_new();
    hd_text bytes = {0};
    progress(worker, 3, &bytes);
    hd_text_clear(&bytes);
    hd_observers_take(worker, &bytes); /* its counters say it */
    assert_int_equal(bytes.n, 0);
    hd_observers_glance(worker, &bytes);
    assert_int_equal(bytes.n, 0);
    hd_text_release(&bytes);
    hd_observers_free(worker);
}

/* ---- top ---- */

static void tell_machine(hd_observers *sums, hd_machine_sight sight) {
    hd_observers *mine = hd_observers_new();
    hd_text bytes = {0};
    hd_observers_machine_told(mine, &sight);
    hd_observers_glance(mine, &bytes);
    check_lengths(&bytes, "top_view");
    assert_true(hd_observers_add(sums, bytes.at, bytes.n));
    hd_text_release(&bytes);
    hd_observers_free(mine);
}

static void tell_run(hd_observers *sums) {
    hd_observers *mine = hd_observers_new();
    hd_text bytes = {0};
    hd_observers_run_told(mine, &(hd_run_sight){.host = "c",
                                                .counters = {.explore = {.executions = 12}},
                                                .n_findings = 1,
                                                .n_units = 9,
                                                .n_left = 4,
                                                .n_out = 2,
                                                .elapsed = 1.5});
    hd_observers_glance(mine, &bytes);
    check_lengths(&bytes, "top_view");
    assert_true(hd_observers_add(sums, bytes.at, bytes.n));
    hd_text_release(&bytes);
    hd_observers_free(mine);
}

static void top_knows_who_was_heard(void **state) {
    (void)state;
    hd_observers *sums = hd_observers_new();
    hd_picture p = hd_observers_look(sums, hd_clock_now());
    assert_false(p.has_coordinator);
    assert_int_equal(p.machines.n, 0);
    tell_machine(sums, (hd_machine_sight){.machine = 5, .host = "b", .n_workers = 2});
    tell_machine(sums, (hd_machine_sight){.machine = 4, .host = "a", .n_workers = 3});
    tell_machine(sums,
                 (hd_machine_sight){.machine = 5, .host = "b", .n_workers = 2, .executions = 7});
    tell_run(sums);
    double now = hd_clock_now();
    p = hd_observers_look(sums, now);
    assert_true(p.has_coordinator);
    assert_string_equal(p.run.host, "c");
    assert_int_equal(p.run.counters.explore.executions, 12);
    assert_int_equal(p.run.n_left, 4);
    assert_int_equal(p.machines.n, 2); /* by host, each once, as last told */
    assert_string_equal(p.machines.at[0].told.host, "a");
    assert_int_equal(p.machines.at[1].told.executions, 7);
    hd_picture_release(&p);
    p = hd_observers_look(sums, now + 10); /* nobody has said anything since */
    assert_false(p.has_coordinator);
    assert_int_equal(p.machines.n, 0);
    tell_machine(sums, (hd_machine_sight){.machine = 4, .host = "a", .is_leaving = true});
    p = hd_observers_look(sums, hd_clock_now());
    assert_int_equal(p.machines.n, 1);
    hd_picture_release(&p);
    hd_observers_free(sums);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_wait_until_they_are_taken),
        cmocka_unit_test(progress_is_of_all_workers),
        cmocka_unit_test(progress_ends_with_a_bundle),
        cmocka_unit_test(top_knows_who_was_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
