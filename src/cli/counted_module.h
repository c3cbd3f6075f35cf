/* counted_module.h -- the program of a run, compiled again with clang's coverage, and its tests run
 * in it.
 */
#ifndef HD_CLI_COUNTED_MODULE_H
#define HD_CLI_COUNTED_MODULE_H
#include "cli/run_options.h"
#include "compile/compile.h"
#include "cover/measure.h"

/* A run whose tests are measured. */
typedef struct hd_counted_run {
    char *directory; /* absolute */
    hd_record *record;
    hd_kept_options kept;
    hd_run_values values;
    hd_run_options options;
} hd_counted_run;

/* Runs of one program, and its module. */
typedef struct hd_counted_runs {
    hd_vec(hd_counted_run *) all;
    hd_compile_result module;
} hd_counted_runs;

/* Opens the runs and compiles their program, which must be the same in all; says on standard error
 * if its sources have changed since.  What is opened is released in any case. */
bool hd_counted_open(hd_counted_runs *c, const char *const *directories, size_t n, hd_err *err);
void hd_counted_release(hd_counted_runs *c);
/* Runs the tests of all of them, or test `number` of each if it is not 0.  The measure knows what
 * the first run's search knows, if that is complete. */
bool hd_counted_measure(const hd_counted_runs *c, uint64_t number, hd_measure *m, hd_err *err);
#endif
