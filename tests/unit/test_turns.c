/* Turns: which unit is next, and for how long.  That any order comes to the same classes is for
 * property_split and workers.sh to show. */
#include "fleet/turns.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Units 0 to n, all waiting. */
static hd_coordinator *split(uint32_t n) {
    hd_coordinator *c = hd_coordinator_new(NULL, 0);
    hd_unit u;
    assert_true(hd_coordinator_hand_out(c, 0, false, &u));
    for (uint32_t i = 0; i < n; i++) {
        hd_commit commit = {.unit = u.number, .epoch = u.epoch, .number = i};
        hd_text_add(&commit.journal, "mine");
        hd_text_add(&commit.split, "part %u", i + 1);
        assert_int_equal(hd_coordinator_commit(c, &commit), HD_COMMIT_APPLIED);
        hd_commit_release(&commit);
    }
    hd_coordinator_suspect(c, u.number);
    return c;
}

/* The unit whose turn it is; it waits again afterwards. */
static uint64_t next(hd_turns *t, hd_coordinator *c) {
    hd_unit u;
    assert_true(hd_coordinator_hand_out(c, hd_turns_next(t, c), false, &u));
    hd_turns_take(t, u.number);
    hd_coordinator_suspect(c, u.number);
    return u.number;
}

static void depth_first_takes_no_turns(void **state) {
    (void)state;
    hd_coordinator *c = split(2);
    hd_turns t = hd_turns_begin(HD_STRATEGY_DFS, 1);
    assert_int_equal(hd_turns_next(&t, c), 0);
    assert_int_equal(hd_turns_take(&t, 1), 0);
    hd_turns_release(&t);
    hd_coordinator_free(c);
}

/* T1. */
static void turns_become_longer(void **state) {
    (void)state;
    hd_turns t = hd_turns_begin(HD_STRATEGY_BFS, 1);
    uint64_t first = hd_turns_take(&t, 5), last = first, n = 1;
    assert_true(first > 0);
    assert_int_equal(hd_turns_take(&t, 6), first); /* of its own */
    for (uint64_t turn; (turn = hd_turns_take(&t, 5)) > last; last = turn, n++)
        assert_int_equal(turn, 2 * last);
    assert_true(n > 2 && n < 12);
    hd_turns_release(&t);
}

static void breadth_gives_everybody_a_turn(void **state) {
    (void)state;
    hd_coordinator *c = split(3);
    hd_turns t = hd_turns_begin(HD_STRATEGY_BFS, 1);
    unsigned seen[2] = {0, 0};
    for (unsigned i = 0; i < 8; i++)
        seen[i / 4] |= 1u << next(&t, c);
    assert_int_equal(seen[0], 15);
    assert_int_equal(seen[1], 15);
    hd_turns_release(&t);
    hd_coordinator_free(c);
}

static void coverage_prefers_who_gains(void **state) {
    (void)state;
    hd_coordinator *c = split(3);
    hd_turns t = hd_turns_begin(HD_STRATEGY_COVERAGE, 1);
    for (unsigned i = 0; i < 4; i++)
        next(&t, c);
    hd_turns_note(&t, 2, true);
    assert_int_equal(next(&t, c), 2);
    assert_int_equal(next(&t, c), 2);
    hd_turns_note(&t, 2, false);
    assert_int_not_equal(next(&t, c), 2);
    hd_turns_release(&t);
    hd_coordinator_free(c);
}

static void chance_is_the_seed(void **state) {
    (void)state;
    hd_coordinator *c = split(7);
    unsigned seen = 0;
    hd_turns a = hd_turns_begin(HD_STRATEGY_RANDOM, 3), b = hd_turns_begin(HD_STRATEGY_RANDOM, 3);
    for (unsigned i = 0; i < 100; i++) {
        uint64_t n = hd_turns_next(&a, c);
        assert_int_equal(hd_turns_next(&b, c), n);
        assert_true(n >= 1 && n <= 8);
        seen |= 1u << n;
    }
    assert_int_equal(seen, 0x1fe);
    hd_turns_release(&a);
    hd_turns_release(&b);
    hd_coordinator_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_first_takes_no_turns),
        cmocka_unit_test(turns_become_longer),
        cmocka_unit_test(breadth_gives_everybody_a_turn),
        cmocka_unit_test(coverage_prefers_who_gains),
        cmocka_unit_test(chance_is_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
