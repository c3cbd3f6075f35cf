/* trial.h -- many random programs are tried in a child, so that a crash is a failure like any
 * other; one that fails is made smaller as long as it fails, and printed. */
#ifndef HD_TESTS_TRIAL_H
#define HD_TESTS_TRIAL_H
#include "property/model/compare.h"

/* Random programs of some features, from a seed on, until so many were compared. */
typedef struct trial {
    const machine *machine;
    /* The same place each time: the program before is gone. */
    code *(*make)(uint64_t seed, unsigned features);
    uint64_t seed, count;
    unsigned features;
    /* The file with how much is done for the first so many programs; NULL: nobody knows. */
    const char *tally;
    uint64_t n_tallied;
} trial;

/* Shared by the parent and the child that compares. */
typedef struct progress {
    uint64_t seed; /* being compared */
    uint64_t n_checked;
    comparison comparison;
} progress;
progress *progress_new(uint64_t limit, unsigned variants);

/* Run `work` in a child for so long (0: without limit); false if it said no or died. */
bool in_child(progress *shared, bool (*work)(progress *shared, const void *argument),
              const void *argument, unsigned seconds);
/* False, and a report on standard output: a program is not compared well. */
bool trial_run(progress *shared, const trial *all);
/* Too many executions of `optimal` must stay the exception where it cannot foresee. */
bool progress_is_good(const progress *shared);
#endif
