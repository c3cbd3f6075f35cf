/* The table of kinds of actions: rows that make sense. */
#include "explore/kinds.h"
#include "machine/core/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FOR_EACH(k) for (unsigned k = 0; k < HD_N_ACTIONS; k++)

static bool waits(unsigned k) {
    return hd_kind_is(k, HD_KIND_WAITS);
}

static void test_rows_are_whole(void **state) {
    (void)state;
    assert_true(HD_N_ACTIONS <= 64); /* sets of kinds are words */
    FOR_EACH(k) {
        assert_non_null(hd_kinds[k].words);
        assert_true(hd_kinds[k].words[0] != '\0');
        assert_non_null(hd_kinds[k].is_enabled);
        assert_non_null(hd_kinds[k].settle);
        assert_non_null(hd_kinds[k].describe);
        assert_non_null(hd_kind_orders[k].predict);
        assert_non_null(hd_kind_orders[k].race);
        assert_non_null(hd_kind_orders[k].blockers);
    }
}

/* Who waits has words for it; who never waits has nothing that is about waiting. */
static void test_who_waits_says_for_what(void **state) {
    (void)state;
    FOR_EACH(k) {
        assert_true(waits(k) == (hd_kinds[k].describe != hd_describe_nothing));
        if (waits(k))
            continue;
        assert_true(hd_kinds[k].is_enabled == hd_can_always);
        assert_true(hd_kind_orders[k].race == hd_race_none);
        assert_true(hd_kind_orders[k].blockers == hd_blockers_none);
    }
}

/* Who can be kept waiting by others could have gone on before them. */
static void test_blocked_ones_race(void **state) {
    (void)state;
    FOR_EACH(k) {
        bool is_blocked = hd_kind_orders[k].blockers != hd_blockers_none;
        if (is_blocked && k != HD_DO_EXIT)
            assert_true(hd_kind_orders[k].race != hd_race_none);
        if (hd_kind_is(k, HD_KIND_TRIES))
            assert_false(is_blocked);
    }
}

/* What an action touches depends on the state: the explorer must be able to foretell it. */
static void test_settled_ones_are_foretold(void **state) {
    (void)state;
    FOR_EACH(k)
    if (hd_kinds[k].settle != hd_settle_nothing && !hd_kind_is(k, HD_KIND_WORLD))
        assert_true(hd_kind_orders[k].predict != hd_predict_same);
}

/* An action is about memory, an object, the world or the life of threads, or marks a place. */
static void test_traits_fit_together(void **state) {
    (void)state;
    FOR_EACH(k) {
        unsigned about =
            hd_kinds[k].traits & (HD_KIND_MEMORY | HD_KIND_OBJECT | HD_KIND_WORLD | HD_KIND_LIFE);
        assert_true((about & (about - 1)) == 0);
        if (hd_kind_is(k, HD_KIND_MEMORY))
            assert_true(hd_kind_is(k, HD_KIND_PLAIN));
        if (hd_kind_is(k, HD_KIND_OBJECT | HD_KIND_WORLD | HD_KIND_LIFE))
            assert_false(hd_kind_is(k, HD_KIND_PLAIN));
        if (hd_kind_is(k, HD_KIND_QUEUE))
            assert_true(hd_kind_is(k, HD_KIND_WORLD) && waits(k));
        if (hd_kind_is(k, HD_KIND_TIMED | HD_KIND_TRIES | HD_KIND_IDLE))
            assert_true(waits(k));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_who_waits_says_for_what),
        cmocka_unit_test(test_blocked_ones_race),
        cmocka_unit_test(test_settled_ones_are_foretold),
        cmocka_unit_test(test_traits_fit_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
