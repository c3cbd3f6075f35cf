/* report_page.h -- the page of a run (report/page.h), with everything that must be run or read for
 * it. */
#ifndef HD_CLI_REPORT_PAGE_H
#define HD_CLI_REPORT_PAGE_H
#include "report/report.h"

#define HD_REPLAY_SECONDS 3.0 /* that running tests again may take, if nobody says otherwise */

typedef struct hd_page_wishes {
    double replay_time; /* seconds for running tests of findings again, in processes of their own */
    bool covers;        /* with coverage: the program is compiled, and all tests are run */
} hd_page_wishes;

/* Appends the page.  What was wished for and is not there is said in it. */
bool hd_report_page(hd_record *record, const hd_report *report, const hd_page_wishes *wishes,
                    hd_text *html, hd_err *err);
#endif
