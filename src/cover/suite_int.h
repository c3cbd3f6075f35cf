/* suite_int.h -- a choice of tests under way, shared by suite.c and suite_exact.c. */
#ifndef HD_COVER_SUITE_INT_H
#define HD_COVER_SUITE_INT_H
#include "cover/suite.h"

typedef struct suite_choice {
    const hd_suite_problem *p;
    size_t words;
    /* Obligations that all tests meet, with those of their pairs that can be had. */
    hd_vec(uint32_t) first; /* one more than there are */
    hd_vec(hd_element_pair) pairs;
    uint32_t n;
    /* Which of them an element is in. */
    uint32_t *first_use, *uses;
    uint32_t *count; /* element -> chosen tests that show it */
    uint8_t *is_chosen, *is_essential;
    uint64_t work; /* elements looked at, for limits that do not depend on time */
} suite_choice;

const uint64_t *hd_suite_row(const suite_choice *c, uint32_t test);
bool hd_suite_met(const suite_choice *c, uint32_t obligation);
/* Tries to do with fewer than `limit` tests; true if it is known that nothing smaller than what is
 * chosen in the end will do. */
bool hd_suite_exact(suite_choice *c);
void hd_suite_add(suite_choice *c, uint32_t test);
void hd_suite_drop(suite_choice *c, uint32_t test);
#endif
