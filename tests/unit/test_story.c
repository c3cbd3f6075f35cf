/* Schedules made shorter, interleavings told, and bounds in words. */
#include "tell/left_out.h"
#include "tell/shorten.h"
#include "tell/story.h"
#include "tool/thread_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const hd_site sites[] = {{"unknown", "", 0, 0, UINT32_MAX, 0},
                                {"main", "src/bank.c", 20, 1, UINT32_MAX, 0},
                                {"pay", "src/bank.c", 9, 1, UINT32_MAX, 0},
                                {"pay", "src/bank.c", 10, 1, UINT32_MAX, 0},
                                {"pay", "src/bank.c", 11, 1, UINT32_MAX, 0}};

static card_program *described;

static size_t describe(void *context, uint64_t address, char *out, size_t size) {
    static const char *const names[] = {"balance", "m (mutex)", "own", ""};
    (void)context;
    snprintf(out, size, "%s", names[address - (uintptr_t)described->memory]);
    return strcspn(out, " (");
}

/* Two threads pay without a lock around it, and do something of their own. */
static const card_program payers = {
    .cards = {{{HD_DO_CREATE, 1, 1}, {HD_DO_CREATE, 2, 1}},
              {{HD_DO_WRITE, 2, 4}, {HD_DO_READ, 0, 2}, {HD_DO_WRITE, 0, 3}},
              {{HD_DO_READ, 0, 2}, {HD_DO_WRITE, 0, 3}, {HD_DO_LOCK, 3, 4}, {HD_DO_READ, 3, 4}}},
    .n_threads = 3};

static unsigned count(const char *text, const char *word) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

typedef struct payment {
    card_program program;
    hd_follow follow;
} payment;

static bool is_lost(void *context, hd_follow *f) {
    payment *p = context;
    hd_sink sink = hd_follow_sink(f);
    card_run(&p->program, &sink);
    return p->program.memory[0] == 1;
}

static void assert_shortened(const char *from, uint32_t n_preemptions, unsigned n_switches) {
    payment p = {.program = payers};
    hd_schedule s = {0};
    hd_text text = {0};
    hd_shortener shortener = {
        .context = &p, .run = is_lost, .max_runs = 200, .max_events = 100000, .follow = &p.follow};
    assert_true(hd_schedule_parse(from, &s));
    assert_true(hd_shorten(&shortener, &s));
    assert_true(shortener.n_runs <= 200);
    hd_schedule_print(&s, &text);
    assert_int_equal(count(text.at, " "), n_switches);
    hd_follow_begin(&p.follow);
    hd_vec_clear(&p.follow.plan);
    for (size_t i = 0; i < s.n; i++)
        hd_vec_push(&p.follow.plan, s.at[i]);
    assert_true(is_lost(&p, &p.follow));
    assert_false(p.follow.strayed);
    assert_int_equal(p.follow.n_preemptions, n_preemptions);
    hd_text_release(&text);
    hd_vec_release(&s);
    hd_follow_release(&p.follow);
}

/* One preemption, between a read and its write, is what it takes. */
static void schedules_become_short(void **state) {
    (void)state;
    assert_shortened("0 1 0 1 2 1 2*3", 1, 3);
    assert_shortened("1*2 2 0 2 1 2 0 2", 1, 3);
    assert_shortened("0*2 1*2 2*4 1", 1, 3);
}

static void what_does_not_fail_is_left_alone(void **state) {
    (void)state;
    payment p = {.program = payers};
    hd_schedule s = {0};
    hd_shortener shortener = {
        .context = &p, .run = is_lost, .max_runs = 9, .max_events = 100000, .follow = &p.follow};
    assert_true(hd_schedule_parse("0*2 2*4 1*3", &s));
    assert_false(hd_shorten(&shortener, &s));
    assert_int_equal(shortener.n_runs, 1);
    assert_int_equal(s.n, 9);
    hd_vec_release(&s);
    hd_follow_release(&p.follow);
}

static void shortening_costs_what_is_allowed(void **state) {
    (void)state;
    payment p = {.program = payers};
    hd_schedule s = {0};
    hd_shortener shortener = {
        .context = &p, .run = is_lost, .max_runs = 3, .max_events = 100000, .follow = &p.follow};
    assert_true(hd_schedule_parse("0 1 0 1 2 1 2*3", &s));
    assert_true(hd_shorten(&shortener, &s));
    assert_int_equal(shortener.n_runs, 3);
    hd_vec_release(&s);
    hd_follow_release(&p.follow);
}

static char *tell(const card_program *program, const char *plan) {
    card_program p = *program;
    hd_follow f = {0};
    hd_text out = {0};
    hd_storyteller teller = {
        .sites = sites, .n_sites = sizeof sites / sizeof *sites, .describe = describe};
    described = &p;
    assert_true(hd_schedule_parse(plan, &f.plan));
    hd_follow_begin(&f);
    hd_sink sink = hd_follow_sink(&f);
    card_run(&p, &sink);
    for (size_t i = 0; i < f.waiting.n; i++)
        hd_vec_push(&f.events, f.waiting.at[i]);
    hd_story_tell(&teller, f.events.at, f.events.n, f.waiting.n, &out);
    hd_follow_release(&f);
    return out.at;
}

static void stories_name_what_is_shared(void **state) {
    (void)state;
    char *story = tell(&payers, "0*2 1*2 2*4 1");
    assert_string_equal(
        story, "thread 0 (main)   creates thread 1 at bank.c:20, creates thread 2 at bank.c:20\n"
               "thread 1          reads 'balance' at bank.c:9\n"
               "thread 2          reads 'balance' at bank.c:9, writes 'balance' at bank.c:10\n"
               "thread 1          writes 'balance' at bank.c:10\n");
    free(story);
}

static void locks_are_objects(void **state) {
    (void)state;
    card_program p = {.cards = {{{HD_DO_LOCK, 1, 1}, {HD_DO_UNLOCK, 1, 2}},
                                {{HD_DO_LOCK, 1, 3}, {HD_DO_READ, 3, 0}},
                                {{HD_DO_WRITE, 3, 0}}},
                      .n_threads = 3};
    char *story = tell(&p, "");
    char expected[512];
    snprintf(expected, sizeof expected,
             "thread 0 (main)   locks 'm' (mutex) at bank.c:20, unlocks 'm' (mutex) at bank.c:9\n"
             "thread 1          locks 'm' (mutex) at bank.c:10, reads memory at 0x%llx\n"
             "thread 2          writes memory at 0x%llx\n",
             (unsigned long long)(uintptr_t)&described->memory[3],
             (unsigned long long)(uintptr_t)&described->memory[3]);
    assert_string_equal(story, expected);
    free(story);
}

static void who_waits_is_told(void **state) {
    (void)state;
    card_program p = {.cards = {{{HD_DO_LOCK, 0, 1}, {HD_DO_LOCK, 1, 2}},
                                {{HD_DO_LOCK, 1, 3}, {HD_DO_LOCK, 0, 4}}},
                      .n_threads = 2};
    char *story = tell(&p, "0 1");
    assert_string_equal(story, "thread 0 (main)   locks 'balance' at bank.c:20\n"
                               "thread 1          locks 'm' (mutex) at bank.c:10\n"
                               "thread 0 (main)   cannot go on: locks 'm' (mutex) at bank.c:9\n"
                               "thread 1          cannot go on: locks 'balance' at bank.c:11\n");
    free(story);
}

static void long_stories_lose_their_middle(void **state) {
    (void)state;
    card_program p = {.n_threads = 4};
    described = &p;
    hd_action events[60];
    for (unsigned i = 0; i < 60; i++)
        events[i] = (hd_action){
            .kind = HD_DO_WRITE,
            .thread = i % 2,
            .n_accesses = 1,
            .access = {{.address = (uintptr_t)&p.memory[0], .size = 1, .mode = HD_MODE_WRITE}}};
    hd_storyteller teller = {
        .sites = sites, .n_sites = sizeof sites / sizeof *sites, .describe = describe};
    hd_text out = {0};
    hd_story_tell(&teller, events, 60, 0, &out);
    assert_int_equal(count(out.at, "\n"), 20);
    assert_int_equal(count(out.at, "...\n"), 1);
    hd_text_clear(&out);
    for (unsigned i = 0; i < 59; i++)
        events[i].thread = 0;
    hd_story_tell(&teller, events, 60, 0, &out);
    assert_string_equal(out.at, "thread 0 (main)   writes 'balance' (59 times)\n"
                                "thread 1          writes 'balance'\n");
    hd_text_release(&out);
}

static void collect(void *context, const char *sentence) {
    hd_text_add(context, "%s\n", sentence);
}

static void bounds_are_said(void **state) {
    (void)state;
    hd_text text = {0};
    hd_explorer_options o = {.sampling = HD_SAMPLING_PCT, .pct_depth = 3};
    hd_explorer_counters c = {.executions = 1000, .longest = 10};
    hd_bounds_tell(&o, &c, 0, collect, &text); /* no threads: nothing was sampled */
    assert_int_equal(text.n, 0);
    assert_true(hd_pct_chance(2, 10, 3) == 1.0 / 200);
    assert_true(hd_pct_chance(2, 10, 1) == 1.0 / 2);
    hd_bounds_tell(&o, &c, 2, collect, &text);
    assert_non_null(strstr(text.at, "1000 orders of threads were sampled (PCT): a bug of depth 3 "
                                    "shows in each with probability at least 0.005 (2 threads, "
                                    "10 events), in one of them with 0.993"));
    hd_text_clear(&text);
    o = (hd_explorer_options){.bounds_preemptions = true, .preemptions = 2};
    hd_bounds_tell(&o, &c, 2, collect, &text); /* nothing needed more */
    assert_int_equal(text.n, 0);
    c.preempted_away = 5;
    hd_bounds_tell(&o, &c, 2, collect, &text);
    assert_non_null(strstr(text.at, "more than 2 preemptions were left out (5 ways)"));
    hd_text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_become_short),
        cmocka_unit_test(what_does_not_fail_is_left_alone),
        cmocka_unit_test(shortening_costs_what_is_allowed),
        cmocka_unit_test(stories_name_what_is_shared),
        cmocka_unit_test(locks_are_objects),
        cmocka_unit_test(who_waits_is_told),
        cmocka_unit_test(long_stories_lose_their_middle),
        cmocka_unit_test(bounds_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
