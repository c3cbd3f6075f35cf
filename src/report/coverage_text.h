/* coverage_text.h -- coverage and obligations for people and for scripts. */
#ifndef HD_REPORT_COVERAGE_TEXT_H
#define HD_REPORT_COVERAGE_TEXT_H
#include "cover/llvm_tools.h"
#include <stdio.h>

/* Numbers of llvm-cov, a line for each file and function. */
void hd_coverage_show(FILE *out, const hd_measure *m, const hd_cover_report *r);
void hd_json_coverage(FILE *out, const hd_measure *m, const hd_cover_report *r);

/* A line for each obligation: covered, by which test; open; or unreachable (hd_measure_state). */
void hd_obligations_show(FILE *out, const hd_measure *m, bool only_open);
void hd_json_obligations(FILE *out, const hd_measure *m);
#endif
