/* report_coverage.h -- what the tests of a run cover, for its page: compiles the program with
 * clang's coverage and runs them again, as `heddle cover` does. */
#ifndef HD_CLI_REPORT_COVERAGE_H
#define HD_CLI_REPORT_COVERAGE_H
#include "cli/counted_module.h"
#include "report/page_coverage.h"

typedef struct hd_report_coverage {
    hd_counted_runs runs;
    hd_measure measure;
    hd_cover_report numbers;
    hd_text lcov;
    bool is_measured, has_numbers;
    hd_page_coverage page; /* borrows from all of it */
} hd_report_coverage;

/* False if there is none to show, with why: sources that changed since would have other lines than
 * the page. */
bool hd_report_coverage_init(hd_report_coverage *c, const char *directory, hd_err *err);
/* In either case. */
void hd_report_coverage_release(hd_report_coverage *c);
#endif
