/* Smallest suites (cover/suite.h) against trying all: random tests, elements and obligations with
 * one or several pairs.  What is chosen meets all that can be met, no test of it can be left out,
 * and it is as small as the smallest of all choices, which it says.  Larger ones are checked
 * without the smallest.
 *
 *     property_suite [seed [count]]     (SOAK: many more) */
#include "base/panic.h"
#include "cover/suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 200, MOST_ELEMENTS = 300, MOST_OBLIGATIONS = 200, MOST_PAIRS = 6, SMALL = 11 };

typedef struct example {
    uint32_t n_tests, n_elements, n_obligations;
    uint64_t rows[MOST_TESTS * HD_SUITE_WORDS(MOST_ELEMENTS)];
    hd_element_pair pairs[MOST_OBLIGATIONS * MOST_PAIRS];
    uint32_t first[MOST_OBLIGATIONS + 1];
} example;

static uint64_t below(uint64_t *random, uint64_t n) {
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*random >> 33) % n;
}

static void make(example *x, uint64_t *random, bool is_small) {
    memset(x, 0, sizeof *x);
    x->n_tests = (uint32_t)below(random, is_small ? SMALL : MOST_TESTS) + 1;
    x->n_elements = (uint32_t)below(random, is_small ? 14 : MOST_ELEMENTS) + 1;
    x->n_obligations = (uint32_t)below(random, is_small ? 14 : MOST_OBLIGATIONS);
    size_t words = HD_SUITE_WORDS(x->n_elements);
    uint64_t density = 1 + below(random, 9);
    for (uint32_t t = 0; t < x->n_tests; t++)
        for (uint32_t e = 0; e < x->n_elements; e++)
            if (below(random, 10) < density)
                x->rows[t * words + e / 64] |= UINT64_C(1) << e % 64;
    for (uint32_t i = 0; i < x->n_obligations; i++) {
        uint32_t n = below(random, 3) ? 1 : (uint32_t)below(random, MOST_PAIRS + 1);
        x->first[i + 1] = x->first[i] + n;
        for (uint32_t k = x->first[i]; k < x->first[i + 1]; k++) {
            uint32_t e = (uint32_t)below(random, x->n_elements);
            x->pairs[k] =
                (hd_element_pair){e, below(random, 2) ? e : (uint32_t)below(random, x->n_elements)};
        }
    }
}

/* Which obligations tests meet, of those whose byte is 1. */
static uint32_t count_met(const example *x, const uint8_t *chosen) {
    size_t words = HD_SUITE_WORDS(x->n_elements);
    uint64_t shown[HD_SUITE_WORDS(MOST_ELEMENTS)] = {0};
    uint32_t n = 0;
    for (uint32_t t = 0; t < x->n_tests; t++)
        for (size_t w = 0; chosen[t] && w < words; w++)
            shown[w] |= x->rows[t * words + w];
    for (uint32_t i = 0; i < x->n_obligations; i++) {
        bool is_met = false;
        for (uint32_t k = x->first[i]; k < x->first[i + 1]; k++) {
            hd_element_pair p = x->pairs[k];
            is_met |=
                shown[p.first / 64] >> p.first % 64 & shown[p.second / 64] >> p.second % 64 & 1;
        }
        n += is_met;
    }
    return n;
}

static uint32_t smallest_by_trying(const example *x, uint32_t wanted) {
    uint32_t best = x->n_tests;
    for (uint32_t set = 0; set < 1u << x->n_tests; set++) {
        uint8_t chosen[SMALL + 1] = {0};
        for (uint32_t t = 0; t < x->n_tests; t++)
            chosen[t] = set >> t & 1;
        uint32_t size = (uint32_t)__builtin_popcount(set);
        if (size < best && count_met(x, chosen) == wanted)
            best = size;
    }
    return best;
}

static void check(const example *x, bool is_small) {
    uint8_t all[MOST_TESTS], chosen[MOST_TESTS] = {0};
    memset(all, 1, sizeof all);
    uint32_t wanted = count_met(x, all);
    hd_suite_problem p = {x->n_tests, x->n_elements, x->n_obligations, x->rows, x->pairs, x->first};
    hd_suite s;
    hd_suite_reduce(&p, &s);
    for (size_t i = 0; i < s.tests.n; i++)
        chosen[s.tests.at[i]] = 1;
    HD_INVARIANT(U1, count_met(x, chosen) == wanted);
    for (size_t i = 0; i < s.tests.n; i++) {
        chosen[s.tests.at[i]] = 0;
        HD_INVARIANT(U2, count_met(x, chosen) < wanted);
        chosen[s.tests.at[i]] = 1;
    }
    HD_ASSERT(s.n_essential <= s.tests.n);
    if (is_small) {
        HD_ASSERT(s.is_smallest);
        HD_ASSERT(s.tests.n == smallest_by_trying(x, wanted));
    }
    hd_suite_release(&s);
}

static uint64_t running;

static void say_seed(int signal) {
    (void)signal;
    fprintf(stderr, "seed %llu\n", (unsigned long long)running);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : getenv("SOAK") ? 100000 : 1500;
    static example x;
    signal(SIGABRT, say_seed);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t random = seed + i;
        running = seed + i;
        bool is_small = i % 50 != 0;
        make(&x, &random, is_small);
        check(&x, is_small);
    }
    fprintf(stderr, "%llu suites\n", (unsigned long long)count);
    return 0;
}
