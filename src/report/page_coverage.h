/* page_coverage.h -- what the tests of a run cover, for its page: llvm-cov's counts of lines, sides
 * of branches, and a table for each decision with several conditions (MC/DC). */
#ifndef HD_REPORT_PAGE_COVERAGE_H
#define HD_REPORT_PAGE_COVERAGE_H
#include "cover/llvm_tools.h"
#include "program/sources.h"

#include <jansson.h>

typedef struct hd_page_coverage {
    const hd_measure *measure;
    const hd_cover_report *numbers;
    const char *lcov; /* llvm-cov's counts of lines, as lcov has them */
} hd_page_coverage;

/* Of decisions with more vectors those that tests showed are in the page, and so many others. */
#define HD_PAGE_VECTORS 64

json_t *hd_page_coverage_json(const hd_page_coverage *c, const hd_sources *sources);
#endif
