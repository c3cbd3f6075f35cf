/* run_files.h -- a whole run as one file, in forms that other tools read. */
#ifndef HD_REPORT_RUN_FILES_H
#define HD_REPORT_RUN_FILES_H
#include "report/report.h"

/* Forms: option of `heddle export` and end of hd_run_write_NAME, name of the file, words. */
#define HD_RUN_FILES(X)                                                                            \
    X(junit, "junit.xml", "as one JUnit file: a test case each, findings are failures")            \
    X(sarif, "findings.sarif", "findings as one SARIF 2.1.0 file")                                 \
    X(json, "run.json", "tests and findings as one JSON file, with its schema beside it")

typedef struct hd_run_file {
    hd_record *record;
    const hd_kept_options *kept;
    const char *directory; /* of the run, for commands that are shown */
    const char *version;
} hd_run_file;
#define X(name, file, words)                                                                       \
    bool hd_run_write_##name(const hd_run_file *f, const char *path, hd_err *err);
HD_RUN_FILES(X)
#undef X
#endif
