/* wire_example.h -- a bundle with one of everything, packed: for the tests of the wire, and so that
 * fuzzing needs no corpus to get deep. */
#ifndef HD_TESTS_WIRE_EXAMPLE_H
#define HD_TESTS_WIRE_EXAMPLE_H
#include "fleet/wire.h"

static hd_stored_input inputs[] = {
    {.name = "p", .kind = HD_VAR_POINTER, .width = 64, .is_root = true, .value = 1},
    {.name = "*p", .width = 8, .owner = 0, .value = 77, .object_size = 3}};

static void pack_example(hd_text *out) {
    hd_test test = {.reason = HD_TEST_FINDING,
                    .path_hash = 1,
                    .trace_hash = 2,
                    .end = HD_END_FINDING,
                    .finding = HD_FINDING_LEAK,
                    .status = -1,
                    .path = "3+",
                    .map = "<1>",
                    .schedule = "0*5 1",
                    .threads = "0:0",
                    .inputs = inputs,
                    .n_inputs = 2};
    hd_found found = {.signature = 9,
                      .kind = HD_FINDING_LEAK,
                      .message = "m",
                      .file = "f",
                      .stack = "s",
                      .story = "thread 1          reads 'x' at f:4\n",
                      .leads_to = UINT64_MAX,
                      .line = 4,
                      .count = 2,
                      .test = 1};
    hd_loss loss = {HD_LOSS_UNKNOWN, "w", "f", 1, 2};
    hd_label label = {"l", 3};
    uint8_t coverage[2] = {0, 1};
    hd_batch b = {.tests = &test,
                  .n_tests = 1,
                  .findings = &found,
                  .n_findings = 1,
                  .losses = &loss,
                  .n_losses = 1,
                  .labels = &label,
                  .n_labels = 1,
                  .observed = "seen",
                  .n_observed = 4,
                  .coverage = coverage,
                  .n_branches = 1,
                  .threads = "0:0 1:0",
                  .warnings = "locks\n",
                  .stop_reason = "time limit"};
    b.counters.solve.layer[HD_N_LAYERS - 1].asked = 42;
    b.counters.cpu_seconds = 2.5;
    b.counters.threads = 3;
    b.counters.explore.preempted_away = 8;
    b.counters.explore.estimate = 1e9;
    hd_bundle p = {.commit = {.unit = 5, .epoch = 6, .number = 7, .generation = 8, .is_done = true},
                   .is_whole = true,
                   .results = b};
    hd_text *const texts[] = {&p.commit.lifted, &p.commit.context, &p.commit.followed,
                              &p.commit.asked,  &p.commit.split,   &p.commit.journal};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        hd_text_add(texts[i], "text %u", i);
    hd_text_add(&p.classes, "8 bytes.");
    hd_text_add(&p.commit.rounds, "eight of");
    hd_text_add(&p.races, "also eight bytes");
    hd_wire_pack_bundle(out, &p);
    hd_commit_release(&p.commit);
    hd_text_release(&p.classes);
    hd_text_release(&p.races);
}
#endif
