/* measure.h -- what the tests of runs cover: each is run again, in a module in which clang counts.
 *
 * A test runs in another process, with its inputs, its order of threads and messages and its
 * faults, as `heddle replay` would run it; what it shows (goals.h) is handed back through shared
 * memory.
 *
 * N1. Counters and vectors of the whole are those of its tests, added up and taken together: it
 *     shows what some test shows.
 * N2. A test that could not be run shows nothing, and is counted.
 * N3. What a complete search knows, it knows of all of its executions, whether they were kept as
 *     tests or not: an obligation that none of them meets is one that nothing can meet.
 * Not here: making the module (cli/counted_module.h), numbers of llvm-cov (llvm_tools.h). */
#ifndef HD_COVER_MEASURE_H
#define HD_COVER_MEASURE_H
#include "cover/goals.h"
#include "fleet/fleet.h"

typedef struct hd_measured_test {
    uint32_t run;    /* of those that were given */
    uint64_t number; /* in it */
    bool was_run;    /* to an end */
    bool is_same;    /* that end is the recorded one */
    uint8_t *shown;  /* by element */
} hd_measured_test;

typedef struct hd_measure {
    const char *module_directory; /* borrowed */
    hd_mapped mapped;
    hd_goals obligations;
    hd_vec(uint64_t) signatures; /* of the findings among them, in this order */
    hd_vec(hd_measured_test) tests;
    uint64_t *counters;
    uint8_t *vectors;
    uint8_t *shown; /* by any test */
    uint8_t *met;   /* by any execution of the search, of elements of kinds that it knows */
    unsigned known; /* these kinds, as bits; none if the search is not complete */
} hd_measure;

/* For tests of these runs; reads the mapping of the module and the findings of the runs. */
bool hd_measure_init(hd_measure *m, const char *module_directory, hd_record *const *runs, size_t n,
                     hd_err *err);
void hd_measure_release(hd_measure *m);
/* Runs all tests of a run, or one (`number` not 0).  False if none can be run at all. */
bool hd_measure_run(hd_measure *m, uint32_t run, hd_record *record, const hd_run_options *options,
                    uint64_t number, hd_err *err);
/* The first tests that meet an obligation: one, or two for a condition whose vectors come from two;
 * 0 if none does. */
size_t hd_measure_tests(const hd_measure *m, const hd_goal *o, const hd_measured_test *found[2]);
/* What the executions of a complete search met: vectors of decisions (NULL if it had none of them
 * counted), and labels. */
void hd_measure_know(hd_measure *m, const uint8_t *vectors, const hd_label *labels, uint32_t n);
/* "covered", "open", or "unreachable" if that is known (N3). */
const char *hd_measure_state(const hd_measure *m, const hd_goal *o, bool is_covered);
/* Tests that could not be run, and that ended otherwise than recorded. */
void hd_measure_failures(const hd_measure *m, size_t *n_lost, size_t *n_other);
#endif
