/* Schedules as text, and executions that follow them. */
#include "explore/follow.h"
#include "tool/thread_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void schedules_come_back(void **state) {
    (void)state;
    static const char *const texts[] = {"", "0", "0*5 1*3 0", "63*2 1 63"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hd_schedule s = {0};
        hd_text text = {0};
        assert_true(hd_schedule_parse(texts[i], &s));
        hd_schedule_print(&s, &text);
        assert_string_equal(hd_text_string(&text), texts[i]);
        hd_vec_release(&s);
        hd_text_release(&text);
    }
}

static void bad_schedules_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"x",    "16384",     "0*", "0*0",  "-1",
                                        "0,1",  "0*x",       " 0", "0  1", "0*99999999999999999999",
                                        "1*-1", "0*70000000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hd_schedule s = {0};
        if (hd_schedule_parse(texts[i], &s))
            fail_msg("'%s' was taken", texts[i]);
        hd_vec_release(&s);
    }
}

/* Both add one to a counter; the second under a lock that the first takes, too. */
static const card_program adders = {
    .cards = {{{HD_DO_LOCK, 1, 1}, {HD_DO_READ, 0, 2}, {HD_DO_WRITE, 0, 3}, {HD_DO_UNLOCK, 1, 4}},
              {{HD_DO_LOCK, 1, 5}, {HD_DO_READ, 0, 6}, {HD_DO_WRITE, 0, 7}, {HD_DO_UNLOCK, 1, 8}}},
    .n_threads = 2};

static void follow_plan(hd_follow *f, card_program *p, const char *plan) {
    assert_true(hd_schedule_parse(plan, &f->plan));
    hd_follow_begin(f);
    hd_sink sink = hd_follow_sink(f);
    card_run(p, &sink);
}

static void assert_executed(const hd_follow *f, const char *expected) {
    hd_schedule s = {0};
    hd_text text = {0};
    for (size_t i = 0; i < f->events.n; i++)
        hd_vec_push(&s, f->events.at[i].thread);
    hd_schedule_print(&s, &text);
    assert_string_equal(hd_text_string(&text), expected);
    hd_vec_release(&s);
    hd_text_release(&text);
}

static void plans_are_followed(void **state) {
    (void)state;
    card_program p = adders;
    hd_follow f = {0};
    follow_plan(&f, &p, "1*4 0*4");
    assert_executed(&f, "1*4 0*4");
    assert_false(f.strayed);
    assert_int_equal(f.n_followed, 8);
    assert_int_equal(f.n_preemptions, 0);
    assert_int_equal(f.events.at[0].kind, HD_DO_LOCK);
    assert_int_equal(p.memory[0], 2);
    hd_follow_release(&f);
}

static void without_a_plan_threads_go_on(void **state) {
    (void)state;
    card_program p = adders;
    hd_follow f = {0};
    follow_plan(&f, &p, "");
    assert_executed(&f, "0*4 1*4");
    assert_false(f.strayed);
    assert_int_equal(f.n_preemptions, 0);
    follow_plan(&f, &p, "1");
    assert_executed(&f, "1*4 0*4");
    assert_false(f.strayed);
    hd_follow_release(&f);
}

static void what_cannot_be_done_is_left_out(void **state) {
    (void)state;
    card_program p = adders;
    hd_follow f = {0};
    follow_plan(&f, &p, "0*2 1*2 0*2 1*2");
    assert_executed(&f, "0*4 1*4");
    assert_true(f.strayed);
    assert_int_equal(f.n_followed, 2);
    assert_int_equal(f.next, 8);
    follow_plan(&f, &p, "0*4"); /* another plan, nothing left of the one before */
    assert_false(f.strayed);
    assert_int_equal(f.events.n, 8);
    hd_follow_release(&f);
}

static void nobody_able_is_stuck(void **state) {
    (void)state;
    card_program p = {.cards = {{{HD_DO_LOCK, 1, 1}, {HD_DO_LOCK, 2, 2}},
                                {{HD_DO_LOCK, 2, 3}, {HD_DO_LOCK, 1, 4}}},
                      .n_threads = 2};
    hd_follow f = {0};
    follow_plan(&f, &p, "0 1");
    assert_true(p.is_stuck);
    assert_int_equal(f.events.n, 2);
    assert_int_equal(f.n_preemptions, 1);
    hd_follow_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_come_back),
        cmocka_unit_test(bad_schedules_are_refused),
        cmocka_unit_test(plans_are_followed),
        cmocka_unit_test(without_a_plan_threads_go_on),
        cmocka_unit_test(what_cannot_be_done_is_left_out),
        cmocka_unit_test(nobody_able_is_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
