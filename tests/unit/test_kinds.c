/* The table of kinds of actions: rows that make sense. */
#include "explore/events/kinds.h"
#include "machine/sync/sync.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FOR_EACH(k) for (unsigned k = 0; k < HD_N_ACTIONS; k++)

/* What objects of synchronisation have. */
#define OF_OBJECTS                                                                                 \
    (HD_KIND_READER | HD_KIND_COUNTS | HD_KIND_ENTERS | HD_KIND_WAKES | HD_KIND_SIGNALS |          \
     HD_KIND_MEETS | HD_KIND_SETS)

static bool waits(unsigned k) {
    return hd_kind_is(k, HD_KIND_WAITS);
}

static void test_rows_are_whole(void **state) {
    (void)state;
    FOR_EACH(k) {
        assert_non_null(hd_kinds[k].words);
        assert_true(hd_kinds[k].words[0] != '\0');
        assert_non_null(hd_kinds[k].is_enabled);
        assert_non_null(hd_kinds[k].settle);
        assert_non_null(hd_kinds[k].describe);
        assert_non_null(hd_kinds[k].round);
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

/* Who can be kept waiting by others could have gone on before them; who tries can go on always. */
static void test_blocked_ones_race(void **state) {
    (void)state;
    FOR_EACH(k) {
        bool is_blocked = hd_kind_orders[k].blockers != hd_blockers_none;
        if (is_blocked && !hd_kind_is(k, HD_KIND_ENDS))
            assert_true(hd_kind_orders[k].race != hd_race_none);
        if (hd_kind_is(k, HD_KIND_TRIES))
            assert_true(!is_blocked && hd_kind_orders[k].race == hd_race_none);
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
        const unsigned all = HD_KIND_MEMORY | HD_KIND_OBJECT | HD_KIND_WORLD | HD_KIND_LIFE;
        unsigned about = hd_kinds[k].traits & all;
        assert_true((about & (about - 1)) == 0);
        if (hd_kind_is(k, HD_KIND_MEMORY))
            assert_true(hd_kind_is(k, HD_KIND_PLAIN));
        if (hd_kind_is(k, HD_KIND_READS | HD_KIND_EXCHANGES))
            assert_true(about == HD_KIND_MEMORY);
        if (hd_kind_is(k, OF_OBJECTS))
            assert_true(about == HD_KIND_OBJECT);
        if (hd_kind_is(k, HD_KIND_DELIVERS | HD_KIND_QUEUE | HD_KIND_TIME | HD_KIND_ENDS))
            assert_true(about == HD_KIND_WORLD);
        if (hd_kind_is(k, HD_KIND_OBJECT | HD_KIND_WORLD | HD_KIND_LIFE))
            assert_false(hd_kind_is(k, HD_KIND_PLAIN));
        if (hd_kind_is(k, HD_KIND_QUEUE))
            assert_true(hd_kind_is(k, HD_KIND_WORLD) && waits(k));
        if (hd_kind_is(k, HD_KIND_TIMED | HD_KIND_TRIES | HD_KIND_IDLE | HD_KIND_VAIN))
            assert_true(waits(k));
        if (hd_kind_is(k, HD_KIND_ALL))
            assert_true(hd_kind_is(k, HD_KIND_SIGNALS));
    }
}

/* An action is told what its fields mean by one row only: it is settled, and looked at, by columns
 * that go together. */
static void test_columns_fit_traits(void **state) {
    (void)state;
    FOR_EACH(k) {
        const hd_kind_order *o = &hd_kind_orders[k];
        bool is_of_queues = hd_kind_is(k, HD_KIND_QUEUE);
        assert_true(is_of_queues == (o->predict == hd_predict_queue));
        assert_true(is_of_queues == (o->race == hd_race_queue));
        assert_true(is_of_queues == (o->blockers == hd_blockers_queue));
        assert_true(hd_kind_is(k, HD_KIND_MEETS) == (o->predict == hd_predict_arrival));
        assert_true(hd_kind_is(k, HD_KIND_SIGNALS) == (o->predict == hd_predict_signal));
        assert_true(hd_kind_is(k, HD_KIND_EXCHANGES) == (o->predict == hd_predict_exchange));
        assert_true(hd_kind_is(k, HD_KIND_DELIVERS) == (o->predict == hd_predict_message));
        assert_true(hd_kind_is(k, HD_KIND_JOINS) == (o->race == hd_race_join));
        if (hd_kind_is(k, HD_KIND_COUNTS)) /* `state` */
            assert_true(hd_kinds[k].settle != hd_settle_nothing);
        if (o->predict == hd_predict_counter_try || o->predict == hd_predict_counter_wait)
            assert_true(hd_kind_is(k, HD_KIND_COUNTS));
        if (o->predict == hd_predict_try_lock)
            assert_true(hd_kind_is(k, HD_KIND_TRIES));
    }
}

/* A waiting loop watches what it reads and writes, and nothing else; what only marks a place makes
 * no difference to it, and whatever is new has an effect. */
static void test_rounds_fit_traits(void **state) {
    (void)state;
    FOR_EACH(k) {
        hd_rounder *round = hd_kinds[k].round;
        bool watches = round == hd_round_access || round == hd_round_store;
        assert_true(hd_kind_is(k, HD_KIND_MEMORY) == watches);
        assert_true(hd_kind_is(k, HD_KIND_SECTION) == (round == hd_round_section));
        if (hd_kind_is(k, HD_KIND_READS | HD_KIND_EXCHANGES))
            assert_true(round == hd_round_access);
        if (hd_kind_is(k, HD_KIND_VAIN))
            assert_true(round == hd_round_nothing);
        if (hd_kind_is(k, HD_KIND_WORLD | HD_KIND_LIFE | HD_KIND_READER))
            assert_true(round == hd_round_effect);
        if (round == hd_round_lock || round == hd_round_try || round == hd_round_unlock)
            assert_true(hd_kind_is(k, HD_KIND_OBJECT));
        assert_true((round == hd_round_try) ==
                    (hd_kinds[k].settle == hd_settle_lock && hd_kind_is(k, HD_KIND_TRIES)));
    }
}

/* Locks that are taken in the same way are told from each other by their sizes. */
static void test_locks_differ(void **state) {
    (void)state;
    for (unsigned i = 0; i < HD_N_LOCKS; i++) {
        const hd_lock *a = &hd_locks[i];
        assert_true(a->words && a->size && a->is_enabled && a->settle && a->abandon);
        assert_true(hd_kind_is(a->taking, HD_KIND_OBJECT) && waits(a->taking));
        for (unsigned k = 0; k < i; k++)
            assert_true(a->taking != hd_locks[k].taking || a->size != hd_locks[k].size);
    }
}

/* Each kind of token has words of its own, or none: none is taken for another. */
static void test_tokens_have_words(void **state) {
    (void)state;
    assert_string_equal(hd_token_words(HD_TOKEN_SIGNAL(3)), "handlers of signals");
    assert_string_equal(hd_token_words(HD_TOKEN_FILE(3)), "content of a file");
    assert_string_equal(hd_token_words(HD_TOKEN_KEY(3, 1)), "key of threads");
    assert_string_equal(hd_token_words(HD_TOKEN_NUMBER(3, 1)), "number of a descriptor");
    assert_null(hd_token_words(HD_TOKEN_ENDED(3, 1)));
    assert_null(hd_token_words(HD_TOKEN_INBOX(3)));
}

/* Bits of sets of kinds are those that rows say. */
static void test_sets_of_kinds(void **state) {
    (void)state;
    for (unsigned bit = 0; bit < 31; bit++) {
        unsigned n = 0;
        FOR_EACH(k) {
            bool has = hd_kinds[k].traits >> bit & 1;
            assert_true(hd_kind_in(k, hd_kinds_with(1u << bit)) == has);
            n += has;
        }
        assert_true(n > 0); /* nobody asks for what nobody has */
    }
    assert_true(hd_kinds_with(HD_KIND_LIFE | HD_KIND_QUEUE) ==
                (hd_kinds_with(HD_KIND_LIFE) | hd_kinds_with(HD_KIND_QUEUE)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_who_waits_says_for_what),
        cmocka_unit_test(test_blocked_ones_race),
        cmocka_unit_test(test_settled_ones_are_foretold),
        cmocka_unit_test(test_traits_fit_together),
        cmocka_unit_test(test_columns_fit_traits),
        cmocka_unit_test(test_rounds_fit_traits),
        cmocka_unit_test(test_locks_differ),
        cmocka_unit_test(test_tokens_have_words),
        cmocka_unit_test(test_sets_of_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
