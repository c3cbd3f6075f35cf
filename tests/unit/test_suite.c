/* Smallest suites (cover/suite.h) on cases whose answer is known, and how long a large one takes.
 */
#include "cover/suite.h"
#include "solve/clauses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
// clang-format off
#include <cmocka.h>
// clang-format on

/* Elements as letters: a test is the letters that it shows. */
typedef struct lettered {
    uint64_t rows[64];
    hd_element_pair pairs[64];
    uint32_t first[64], n_tests, n_obligations;
} lettered;

static void show(lettered *c, const char *letters) {
    uint64_t row = 0;
    for (; *letters; letters++)
        row |= UINT64_C(1) << (*letters - 'a');
    c->rows[c->n_tests++] = row;
}

/* "ab|cc": a and b, or c. */
static void oblige(lettered *c, const char *pairs) {
    uint32_t n = c->first[c->n_obligations];
    for (; *pairs; pairs += pairs[2] ? 3 : 2)
        c->pairs[n++] = (hd_element_pair){(uint32_t)(pairs[0] - 'a'), (uint32_t)(pairs[1] - 'a')};
    c->first[++c->n_obligations] = n;
}

static void reduce(const lettered *c, hd_suite *s) {
    hd_suite_problem p = {c->n_tests, 26, c->n_obligations, c->rows, c->pairs, c->first};
    hd_suite_reduce(&p, s);
}

static void test_essential(void **state) {
    (void)state;
    lettered c = {0};
    hd_suite s;
    show(&c, "ab");
    show(&c, "b");
    show(&c, "c");
    oblige(&c, "aa");
    oblige(&c, "bb");
    oblige(&c, "cc");
    reduce(&c, &s);
    assert_int_equal(s.tests.n, 2);
    assert_int_equal(s.tests.at[0], 0);
    assert_int_equal(s.tests.at[1], 2);
    assert_int_equal(s.n_essential, 2);
    assert_true(s.is_smallest);
    hd_suite_release(&s);
}

/* Greed takes the largest test, and needs two more; two are enough. */
static void test_greed_is_not_enough(void **state) {
    (void)state;
    lettered c = {0};
    hd_suite s;
    show(&c, "bcde");
    show(&c, "abc");
    show(&c, "def");
    for (const char *e = "aabbccddeeff"; *e; e += 2)
        oblige(&c, (char[]){e[0], e[1], 0});
    reduce(&c, &s);
    assert_int_equal(s.tests.n, 2);
    assert_true(s.is_smallest);
    hd_suite_release(&s);
}

/* The two halves of a pair may come from two tests, or another pair be cheaper. */
static void test_pairs(void **state) {
    (void)state;
    lettered c = {0};
    hd_suite s;
    show(&c, "a");
    show(&c, "b");
    show(&c, "cx");
    oblige(&c, "ab|cc");
    oblige(&c, "xx");
    reduce(&c, &s);
    assert_int_equal(s.tests.n, 1);
    assert_int_equal(s.tests.at[0], 2);
    hd_suite_release(&s);
    lettered d = {0};
    show(&d, "a");
    show(&d, "b");
    show(&d, "a");
    oblige(&d, "ab");
    reduce(&d, &s);
    assert_int_equal(s.tests.n, 2);
    hd_suite_release(&s);
}

/* What nobody meets is not asked of the smaller suite. */
static void test_what_cannot_be_met(void **state) {
    (void)state;
    lettered c = {0};
    hd_suite s;
    show(&c, "a");
    oblige(&c, "bb");
    oblige(&c, "ab");
    reduce(&c, &s);
    assert_int_equal(s.tests.n, 0);
    assert_true(s.is_smallest);
    hd_suite_release(&s);
    hd_suite_problem none = {0};
    none.first_pair = (uint32_t[]){0};
    hd_suite_reduce(&none, &s);
    assert_int_equal(s.tests.n, 0);
    hd_suite_release(&s);
}

/* 10^4 tests that show a hundredth of 10^4 elements each: 10 s of processor time at most (asked for
 * by people who wait), and every element is still there. */
static void test_ten_thousand(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    enum { N = 1000 };
#else
    enum { N = 10000 };
#endif
    size_t words = HD_SUITE_WORDS(N);
    uint64_t *rows = calloc(N * words, 8), random = 7;
    hd_element_pair *pairs = calloc(N, sizeof *pairs);
    uint32_t *first = calloc(N + 1, sizeof *first);
    for (uint32_t t = 0; t < N; t++)
        for (int i = 0; i < N / 100; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint32_t e = (uint32_t)(random >> 33) % N;
            rows[t * words + e / 64] |= UINT64_C(1) << e % 64;
        }
    for (uint32_t i = 0; i < N; i++) {
        pairs[i] = (hd_element_pair){i, i % 7 ? i : (i + 1) % N};
        first[i + 1] = i + 1;
    }
    hd_suite_problem p = {N, N, N, rows, pairs, first};
    hd_suite s;
    clock_t begun = clock();
    hd_suite_reduce(&p, &s);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    uint64_t *all = calloc(words, 8);
    for (size_t i = 0; i < s.tests.n; i++)
        for (size_t w = 0; w < words; w++)
            all[w] |= rows[s.tests.at[i] * words + w];
    for (uint32_t e = 0; e < N; e++)
        assert_true(all[e / 64] >> e % 64 & 1);
    print_message("# %zu of %d tests in %.2f s\n", s.tests.n, N, seconds);
    assert_in_range(s.tests.n, 1, N / 10 + 100);
    assert_true(seconds < 10);
    hd_suite_release(&s);
    free(all);
    free(rows);
    free(pairs);
    free(first);
}

static void test_at_most(void **state) {
    (void)state;
    for (size_t n = 1; n <= 5; n++)
        for (size_t k = 0; k <= n; k++)
            for (size_t needed = 0; needed <= n; needed++) {
                int variables[5];
                hd_clauses *c = hd_clauses_new();
                for (size_t i = 0; i < n; i++)
                    variables[i] = hd_clauses_variable(c);
                for (size_t i = 0; i < needed; i++)
                    hd_clauses_add(c, &variables[n - 1 - i], 1);
                hd_clauses_at_most(c, variables, n, k);
                assert_int_equal(hd_clauses_solve(c, 1000),
                                 needed <= k ? HD_CLAUSES_YES : HD_CLAUSES_NO);
                hd_clauses_free(c);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_essential),    cmocka_unit_test(test_greed_is_not_enough),
        cmocka_unit_test(test_pairs),        cmocka_unit_test(test_what_cannot_be_met),
        cmocka_unit_test(test_ten_thousand), cmocka_unit_test(test_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
