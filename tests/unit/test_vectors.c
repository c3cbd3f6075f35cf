/* Test vectors of decisions (cover/vectors.h): numbers, and pairs of conditions, against evaluating
 * them. */
#include "cover/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// clang-format off
#include <cmocka.h>
// clang-format on

/* (a && b) || c: the graph that clang makes of it. */
static const hd_decision_graph mixed = {3, {{2, 1}, {2, -1}, {-1, -1}}};

static void test_numbers(void **state) {
    (void)state;
    hd_vectors v = {0};
    assert_true(hd_vectors_make(&mixed, &v));
    assert_int_equal(v.n, 5); /* 0-0 0-1 100 101 11- */
    for (size_t i = 0; i < v.n; i++) {
        bool a = v.at[i].values & 1, b = v.at[i].values & 2, c = v.at[i].values & 4;
        assert_int_equal(v.at[i].result, (a && b) || c);
        for (size_t k = 0; k < i; k++)
            assert_true(v.at[i].values != v.at[k].values || v.at[i].asked != v.at[k].asked);
    }
    hd_vec_release(&v);
}

/* The number of a vector is what code adds up on its way; those that clang's own code has written
 * are compared with llvm-cov in tests/cover.sh. */
static void test_chain(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 20; n++) {
        hd_decision_graph g = {.n = n};
        for (uint32_t i = 0; i < n; i++) {
            g.next[i][0] = -1;
            g.next[i][1] = i + 1 < n ? (int32_t)i + 1 : -1;
        }
        hd_vectors v = {0};
        assert_true(hd_vectors_make(&g, &v));
        assert_int_equal(v.n, n + 1);
        hd_vec_release(&v);
    }
}

static void test_pairs(void **state) {
    (void)state;
    hd_vectors v = {0};
    unsigned n[3] = {0};
    hd_vectors_make(&mixed, &v);
    for (size_t i = 0; i < v.n; i++)
        for (size_t k = 0; k < i; k++) {
            int c = hd_vectors_pair(&v.at[i], &v.at[k]);
            if (c >= 0)
                n[c]++;
        }
    assert_int_equal(n[0], 1); /* 11- with 0-0 */
    assert_int_equal(n[1], 1); /* 11- with 100 */
    assert_int_equal(n[2], 2); /* 0-0 with 0-1, 100 with 101; in 0-0 and 101 a differs too */
    hd_vec_release(&v);
}

static void test_no_decisions(void **state) {
    (void)state;
    hd_vectors v = {0};
    hd_decision_graph circle = {2, {{1, -1}, {1, -1}}}, none = {0}, far = {1, {{-1, 7}}};
    hd_decision_graph lonely = {2, {{-1, -1}, {-1, -1}}};
    assert_false(hd_vectors_make(&circle, &v));
    assert_false(hd_vectors_make(&none, &v));
    assert_false(hd_vectors_make(&far, &v));
    assert_false(hd_vectors_make(&lonely, &v));
    hd_vec_release(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_no_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
