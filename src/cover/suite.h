/* suite.h -- a smallest set of tests that meets what all of them meet.
 *
 * A test shows elements; an obligation is met if both elements of one of its pairs are shown, by
 * whichever tests (goals.h).  Tests without which something is lost are kept first.  The others are
 * chosen greedily, then what became superfluous is dropped and several are replaced by one where
 * that works.  If what is left to choose from is small, a SAT solver finds a smallest choice, or
 * shows that this one is.
 *
 * U1. The chosen tests meet every obligation that all tests together meet.
 * U2. No chosen test can be left out alone.
 * Not here: running tests (measure.h), writing suites (cli/reduce_command.c). */
#ifndef HD_COVER_SUITE_H
#define HD_COVER_SUITE_H
#include "cover/goals.h"

typedef struct hd_suite_problem {
    uint32_t n_tests, n_elements, n_obligations;
    const uint64_t *shown; /* a row of HD_SUITE_WORDS words for each test, a bit for each element */
    const hd_element_pair *pairs;
    const uint32_t *first_pair; /* n_obligations + 1 of them: where the pairs of each begin */
} hd_suite_problem;
#define HD_SUITE_WORDS(n_elements) (((size_t)(n_elements) + 63) / 64)

typedef struct hd_suite {
    hd_vec(uint32_t) tests; /* chosen, ascending */
    uint32_t n_essential;   /* of them: something is lost without each */
    bool is_smallest;       /* proved */
} hd_suite;

void hd_suite_reduce(const hd_suite_problem *p, hd_suite *out);
void hd_suite_release(hd_suite *s);
#endif
