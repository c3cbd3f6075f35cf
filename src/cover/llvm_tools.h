/* llvm_tools.h -- llvm-profdata and llvm-cov: what was counted, in their words.
 *
 * Counters and vectors are written as a profile in LLVM's text form; llvm-profdata makes of it what
 * llvm-cov reads, together with the object files of the mapping. */
#ifndef HD_COVER_LLVM_TOOLS_H
#define HD_COVER_LLVM_TOOLS_H
#include "cover/measure.h"

/* Of one file or function, or of all. */
typedef struct hd_cover_numbers {
    uint64_t n, covered;
} hd_cover_numbers;
#define HD_COVER_COLUMNS(X) X(functions) X(regions) X(lines) X(branches) X(mcdc)
typedef struct hd_cover_row {
    char *name; /* of a file, absolute; or of a function, "a.c:f" if it is static */
    char *file; /* functions: theirs; NULL of a file */
#define X(column) hd_cover_numbers column;
    HD_COVER_COLUMNS(X)
#undef X
} hd_cover_row;

typedef struct hd_cover_report {
    hd_vec(hd_cover_row) files, functions;
    hd_cover_row totals; /* without names */
} hd_cover_report;

/* A directory of its own with the profile in it; removed by hd_profile_release. */
typedef struct hd_profile {
    char directory[64];
    char *path;
    const hd_mapped *mapped; /* borrowed */
} hd_profile;
bool hd_profile_init(hd_profile *p, const hd_measure *m, hd_err *err);
void hd_profile_release(hd_profile *p);

bool hd_cover_report_read(hd_cover_report *r, const hd_profile *p, hd_err *err);
void hd_cover_report_release(hd_cover_report *r);
/* Source with counts beside it, to standard output. */
bool hd_cover_show_source(const hd_profile *p, hd_err *err);
bool hd_cover_write_lcov(const hd_profile *p, const char *path, hd_err *err);
#endif
