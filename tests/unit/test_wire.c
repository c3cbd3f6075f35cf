/* Frames: what is packed comes back; what is damaged is refused. */
#include "record/stored.h"
#include "tool/wire_example.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void bundles_come_back(void **state) {
    (void)state;
    hd_text bytes = {0};
    hd_bundle p;
    pack_example(&bytes);
    assert_true(hd_wire_unpack_bundle(bytes.at, bytes.n, &p));
    assert_int_equal(p.results.n_tests, 1);
    assert_int_equal(p.results.tests[0].status, -1);
    assert_string_equal(p.results.tests[0].inputs[1].name, "*p");
    assert_int_equal(p.results.tests[0].inputs[1].object_size, 3);
    assert_int_equal(p.results.findings[0].kind, HD_FINDING_LEAK);
    assert_int_equal(p.results.losses[0].kind, HD_LOSS_UNKNOWN);
    assert_int_equal(p.results.labels[0].count, 3);
    assert_int_equal(p.results.n_observed, 4);
    assert_memory_equal(p.results.observed, "seen", 4);
    assert_int_equal(p.results.counters.solve.layer[HD_N_LAYERS - 1].asked, 42);
    assert_true(p.results.counters.cpu_seconds == 2.5);
    assert_int_equal(p.commit.unit, 5);
    assert_int_equal(p.commit.epoch, 6);
    assert_int_equal(p.commit.number, 7);
    assert_int_equal(p.commit.generation, 8);
    assert_true(p.commit.is_done && p.is_whole);
    assert_string_equal(p.commit.lifted.at, "text 0");
    assert_string_equal(p.commit.journal.at, "text 5");
    assert_string_equal(p.classes.at, "8 bytes.");
    assert_string_equal(p.results.tests[0].schedule, "0*5 1");
    assert_string_equal(p.results.tests[0].threads, "0:0");
    assert_string_equal(p.results.findings[0].story, "thread 1          reads 'x' at f:4\n");
    assert_true(p.results.findings[0].leads_to == UINT64_MAX);
    assert_string_equal(p.results.threads, "0:0 1:0");
    assert_string_equal(p.results.warnings, "locks\n");
    assert_int_equal(p.results.counters.threads, 3);
    assert_int_equal(p.results.counters.explore.preempted_away, 8);
    assert_true(p.results.counters.explore.estimate == 1e9);
    assert_string_equal(p.results.stop_reason, "time limit");
    hd_text again = {0};
    hd_wire_pack_bundle(&again, &p);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.at, bytes.at, bytes.n);
    hd_bundle_release(&p);
    hd_text_release(&again);
    hd_text_release(&bytes);
}

static void cut_bundles_are_refused(void **state) {
    (void)state;
    hd_text bytes = {0};
    hd_bundle p;
    pack_example(&bytes);
    for (size_t n = 0; n < bytes.n; n++)
        assert_false(hd_wire_unpack_bundle(bytes.at, n, &p));
    hd_text_add_bytes(&bytes, "x", 1);
    assert_false(hd_wire_unpack_bundle(bytes.at, bytes.n, &p));
    hd_text_release(&bytes);
}

/* Each byte set to a few values: refused, or a bundle that can be packed again. */
static void changed_bundles_are_harmless(void **state) {
    (void)state;
    hd_text bytes = {0};
    pack_example(&bytes);
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t i = 0; i < bytes.n; i++)
        for (size_t j = 0; j < sizeof values; j++) {
            char kept = bytes.at[i];
            hd_bundle p;
            bytes.at[i] = (char)values[j];
            if (hd_wire_unpack_bundle(bytes.at, bytes.n, &p)) {
                for (uint32_t t = 0; t < p.results.n_tests; t++)
                    for (uint32_t k = 0; k < p.results.tests[t].n_inputs; k++)
                        assert_true(p.results.tests[t].inputs[k].is_root ||
                                    p.results.tests[t].inputs[k].owner <
                                        p.results.tests[t].n_inputs);
                hd_bundle_release(&p);
            }
            bytes.at[i] = kept;
        }
    hd_text_release(&bytes);
}

static void frames_come_in_pieces(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_true(hd_wire_send(pair[1], HD_FRAME_NOTE, "hello", 5));
    assert_true(hd_wire_send(pair[1], HD_FRAME_STOPPED, "", 0));
    assert_int_equal(write(pair[1], "\x03\0\0", 3), 3);
    hd_inbox in = {0};
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged;
    assert_true(hd_inbox_fill(&in, pair[0]));
    assert_true(hd_inbox_next(&in, &type, &payload, &n, &is_damaged));
    assert_int_equal(type, HD_FRAME_NOTE);
    assert_memory_equal(payload, "hello", 5);
    assert_true(hd_inbox_next(&in, &type, &payload, &n, &is_damaged));
    assert_int_equal(n, 0);
    assert_false(hd_inbox_next(&in, &type, &payload, &n, &is_damaged));
    assert_false(is_damaged);
    assert_int_equal(write(pair[1], "\0\3abc\1\0\0\0\x63z", 11), 11);
    assert_true(hd_inbox_fill(&in, pair[0]));
    assert_true(hd_inbox_next(&in, &type, &payload, &n, &is_damaged));
    assert_memory_equal(payload, "abc", 3);
    assert_false(hd_inbox_next(&in, &type, &payload, &n, &is_damaged));
    assert_true(is_damaged);
    close(pair[1]);
    assert_false(hd_inbox_fill(&in, pair[0]));
    close(pair[0]);
    hd_inbox_release(&in);
}

static void errors_come_back(void **state) {
    (void)state;
    hd_err err = {.message = "no", .hint = "try"}, back;
    hd_text bytes = {0};
    hd_wire_pack_error(&bytes, &err);
    assert_true(hd_wire_unpack_error(bytes.at, bytes.n, &back));
    assert_string_equal(back.message, "no");
    assert_string_equal(back.hint, "try");
    hd_text_release(&bytes);
}

static void work_comes_back(void **state) {
    (void)state;
    hd_work work = {.unit = 1, .epoch = 2, .n_commits = 3, .is_shared = true, .max_executions = 4};
    hd_text *const texts[] = {&work.journal, &work.context, &work.path, &work.facts,
                              &work.coverage};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        hd_text_add(texts[i], "text %u", i);
    hd_text bytes = {0}, again = {0};
    hd_work back;
    hd_wire_pack_work(&bytes, &work);
    assert_true(hd_wire_unpack_work(bytes.at, bytes.n, &back));
    assert_int_equal(back.max_executions, 4);
    assert_string_equal(back.coverage.at, "text 4");
    hd_wire_pack_work(&again, &back);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.at, bytes.at, bytes.n);
    hd_work_release(&back);
    for (size_t n = 0; n < bytes.n; n++)
        assert_false(hd_wire_unpack_work(bytes.at, n, &back));
    hd_work_release(&work);
    hd_text_release(&bytes);
    hd_text_release(&again);
}

static void works_come_back(void **state) {
    (void)state;
    hd_works works = {0}, back = {0};
    hd_text bytes = {0};
    for (unsigned i = 0; i < 3; i++) {
        hd_work w = {.unit = i, .epoch = 7, .max_executions = i + 1};
        hd_text_add(&w.path, "path %u", i);
        hd_text_add(&w.context, i < 2 ? "in common" : "not so");
        hd_vec_push(&works, w);
    }
    hd_wire_pack_works(&bytes, &works);
    assert_true(hd_wire_unpack_works(bytes.at, bytes.n, &back));
    assert_int_equal(back.n, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(back.at[i].unit, i);
        assert_int_equal(back.at[i].max_executions, i + 1);
        assert_string_equal(back.at[i].path.at, works.at[i].path.at);
        assert_string_equal(back.at[i].context.at, works.at[i].context.at);
        assert_int_equal(back.at[i].known.n, 0);
    }
    for (size_t n = 0; n < bytes.n; n++)
        assert_false(hd_wire_unpack_works(bytes.at, n, &back));
    assert_int_equal(back.n, 3); /* those that were there stay */
    hd_works_release(&works);
    hd_works_release(&back);
    hd_text_release(&bytes);
}

static void numbers_come_back(void **state) {
    (void)state;
    hd_unit_numbers units = {0}, back;
    hd_text bytes = {0};
    hd_vec_push(&units, ((hd_unit_at){3, 4}));
    hd_vec_push(&units, ((hd_unit_at){UINT64_MAX, 6}));
    hd_wire_pack_numbers(&bytes, &units);
    assert_true(hd_wire_unpack_numbers(bytes.at, bytes.n, &back));
    assert_int_equal(back.n, 2);
    assert_memory_equal(back.at, units.at, 2 * sizeof *units.at);
    hd_vec_release(&back);
    for (size_t n = 0; n < bytes.n; n++) {
        assert_false(hd_wire_unpack_numbers(bytes.at, n, &back));
        hd_vec_release(&back);
    }
    hd_vec_release(&units);
    hd_text_release(&bytes);
}

/* Whoever reads it has to come back. */
static void who_writes_without_an_end_is_left(void **state) {
    (void)state;
    int pair[2];
    hd_inbox in = {0};
    static char notes[4096]; /* frames without a payload, mostly */
    for (size_t i = HD_FRAME_HEAD - 1; i < sizeof notes; i += HD_FRAME_HEAD)
        notes[i] = HD_FRAME_NOTE;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t pid = fork();
    if (pid == 0)
        while (write(pair[1], notes, sizeof notes) > 0)
            ;
    alarm(60);
    for (int i = 0; i < 20; i++) {
        assert_true(hd_inbox_fill(&in, pair[0]));
        assert_true(in.bytes.n <= HD_INBOX_SHARE + 65536 && !in.used);
        in.used = in.bytes.n;
    }
    alarm(0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(pair[0]);
    close(pair[1]);
    hd_inbox_release(&in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_writes_without_an_end_is_left),
        cmocka_unit_test(works_come_back),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(bundles_come_back),
        cmocka_unit_test(cut_bundles_are_refused),
        cmocka_unit_test(changed_bundles_are_harmless),
        cmocka_unit_test(frames_come_in_pieces),
        cmocka_unit_test(errors_come_back),
        cmocka_unit_test(work_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
