/* The path constraint: stack, duplicates, and slices against a slow definition. */
#include "base/hash.h"
#include "symbolic/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static hd_graph *g;
static hd_path *p;

static int set_up(void **state) {
    (void)state;
    g = hd_graph_new(false);
    p = hd_path_new(g);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hd_path_free(p);
    hd_graph_free(g);
    return 0;
}

static hd_expr less(hd_var a, hd_var b) {
    return hd_expr_binary(g, HD_OP_ULT, hd_expr_var(g, a, 32), hd_expr_var(g, b, 32));
}

static hd_expr below(hd_var a, uint64_t c) {
    return hd_expr_binary(g, HD_OP_ULT, hd_expr_var(g, a, 32), hd_expr_const(g, 32, c));
}

static void check_indices(const hd_indices *got, size_t n, const uint32_t *expected) {
    assert_int_equal(got->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(got->at[i], expected[i]);
}

static void test_slice_follows_shared_variables(void **state) {
    (void)state;
    hd_indices out = {0};
    hd_path_push(p, less(0, 1));
    hd_path_push(p, less(2, 3));
    hd_path_push(p, below(4, 9));
    hd_path_push(p, less(1, 2));
    hd_path_push(p, below(3, 50));
    hd_path_slice(p, 5, below(0, 7), &out);
    check_indices(&out, 4, (uint32_t[]){0, 1, 3, 4});
    hd_path_slice(p, 3, below(0, 7), &out);
    check_indices(&out, 1, (uint32_t[]){0});
    hd_path_slice(p, 5, below(4, 7), &out);
    check_indices(&out, 1, (uint32_t[]){2});
    hd_path_slice(p, 5, below(77, 7), &out);
    check_indices(&out, 0, NULL);
    hd_path_slice(p, 5, hd_expr_const(g, 1, 1), &out);
    check_indices(&out, 0, NULL);
    hd_vec_release(&out);
}

static void test_duplicates_are_listed_once(void **state) {
    (void)state;
    hd_indices out = {0};
    for (int i = 0; i < 5; i++)
        hd_path_push(p, below(0, 9));
    hd_path_push(p, less(0, 1));
    hd_path_slice(p, 6, below(1, 4), &out);
    check_indices(&out, 2, (uint32_t[]){0, 5});
    assert_int_equal(hd_path_occurrences(p, 0)->n, 6);
    assert_int_equal(hd_path_occurrences(p, 1)->at[0], 5);
    assert_int_equal(hd_path_occurrences(p, 99)->n, 0);
    hd_vec_release(&out);
}

static void test_contains_after_truncation(void **state) {
    (void)state;
    hd_expr a = below(0, 1000), b = below(1, 1000);
    hd_path_push(p, a);
    hd_path_push(p, b);
    hd_path_push(p, a);
    assert_true(hd_path_contains(p, 3, b));
    assert_false(hd_path_contains(p, 1, b));
    assert_true(hd_path_contains(p, 1, a));
    hd_path_truncate(p, 1);
    assert_false(hd_path_contains(p, 1, b));
    assert_true(hd_path_contains(p, 1, a));
    hd_path_truncate(p, 0);
    assert_false(hd_path_contains(p, 0, a));
    hd_path_push(p, b);
    assert_false(hd_path_contains(p, 1, a));
    hd_path_push(p, a);
    assert_false(hd_path_contains(p, 1, a));
    assert_true(hd_path_contains(p, 2, a));
    assert_int_equal(hd_path_length(p), 2);
    assert_int_equal(hd_path_at(p, 0), b);
}

static void test_path_follows_compaction(void **state) {
    (void)state;
    hd_indices out = {0};
    for (uint64_t i = 0; i < 100; i++)
        below(9, i + 5);
    hd_path_push(p, less(0, 1));
    hd_path_push(p, below(2, 10));
    hd_path_push(p, less(0, 1));
    hd_path_push(p, less(1, 2));
    hd_expr *roots[4];
    for (uint32_t i = 0; i < 4; i++)
        roots[i] = hd_path_slot(p, i);
    hd_expr old = hd_path_at(p, 3);
    hd_graph_compact(g, roots, 4);
    assert_int_not_equal(hd_path_at(p, 3), old);
    assert_int_equal(hd_path_at(p, 3), less(1, 2));
    assert_true(hd_path_contains(p, 1, less(0, 1)));
    assert_false(hd_path_contains(p, 3, less(1, 2)));
    hd_path_slice(p, 4, below(0, 8), &out);
    check_indices(&out, 3, (uint32_t[]){0, 1, 3});
    hd_path_truncate(p, 1);
    hd_path_push(p, less(1, 2));
    hd_path_slice(p, 2, below(2, 8), &out);
    check_indices(&out, 2, (uint32_t[]){0, 1});
    hd_vec_release(&out);
}

enum { N_VARIABLES = 300, MAX_LENGTH = 1500 };

static bool mentions_any(hd_expr e, const bool *reached) {
    const hd_support *s = hd_expr_support(g, e);
    for (uint32_t i = 0; i < s->n; i++)
        if (reached[s->v[i]])
            return true;
    return false;
}

static void reach(hd_expr e, bool *reached) {
    const hd_support *s = hd_expr_support(g, e);
    for (uint32_t i = 0; i < s->n; i++)
        reached[s->v[i]] = true;
}

/* The definition, word by word: grow the set until nothing more touches it. */
static size_t slow_slice(uint32_t n, hd_expr goal, uint32_t *out) {
    bool reached[N_VARIABLES] = {0}, in[MAX_LENGTH] = {0};
    size_t n_out = 0;
    reach(goal, reached);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < n; i++)
            if (!in[i] && mentions_any(hd_path_at(p, i), reached)) {
                reach(hd_path_at(p, i), reached);
                in[i] = grew = true;
            }
    }
    for (uint32_t i = 0; i < n; i++) {
        bool is_duplicate = false;
        for (uint32_t j = 0; j < i; j++)
            is_duplicate |= hd_path_at(p, j) == hd_path_at(p, i);
        if (in[i] && !is_duplicate)
            out[n_out++] = i;
    }
    return n_out;
}

static void test_random_slices(void **state) {
    (void)state;
    uint64_t seed = 42;
    hd_indices out = {0};
    static uint32_t expected[MAX_LENGTH];
    for (int round = 0; round < 200; round++) {
        uint32_t keep = (uint32_t)(hd_random_next(&seed) % (hd_path_length(p) + 1));
        hd_path_truncate(p, keep);
        uint64_t n_more = hd_random_next(&seed) % 120;
        for (uint64_t i = 0; i < n_more && hd_path_length(p) < MAX_LENGTH; i++) {
            hd_var a = (hd_var)(hd_random_next(&seed) % N_VARIABLES);
            hd_var b = (hd_var)(hd_random_next(&seed) % N_VARIABLES);
            bool is_pair = hd_random_next(&seed) % 3 == 0 && a != b;
            hd_path_push(p, is_pair ? less(a, b) : below(a, 5 + hd_random_next(&seed) % 2));
        }
        uint32_t n = (uint32_t)(hd_random_next(&seed) % (hd_path_length(p) + 1));
        hd_expr goal = below((hd_var)(hd_random_next(&seed) % N_VARIABLES), 100);
        hd_path_slice(p, n, goal, &out);
        check_indices(&out, slow_slice(n, goal, expected), expected);
        for (uint32_t i = 0; i < hd_path_length(p); i += 7)
            assert_true(hd_path_contains(p, i + 1, hd_path_at(p, i)));
    }
    hd_vec_release(&out);
}

/* A short slice of a long path takes the other way to sort. */
static void test_short_slice_of_a_long_path(void **state) {
    (void)state;
    hd_indices out = {0};
    for (hd_var v = 0; v < 5000; v++)
        hd_path_push(p, below(v % 2500, 7 + v));
    for (int again = 0; again < 3; again++) {
        hd_path_slice(p, 5000, below(1200, 3), &out);
        check_indices(&out, 2, (uint32_t[]){1200, 3700});
    }
    hd_vec_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_slice_follows_shared_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_duplicates_are_listed_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contains_after_truncation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_path_follows_compaction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_slices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_short_slice_of_a_long_path, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
