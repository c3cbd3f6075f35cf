/* resample.h -- how soon several runs with different seeds would have found everything.
 *
 * Each run knows when it met each obligation for the first time (a way of a branch, a finding).
 * Of x runs beside each other an obligation is met when the first of them meets it, and all are
 * met with the last obligation (paper 003, 5.4).  The result is the average over draws of x of the
 * runs. */
#ifndef HD_SIMULATE_RESAMPLE_H
#define HD_SIMULATE_RESAMPLE_H
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_DRAWS 1000 /* or all there are, if these are not more */

/* By run, then by obligation: seconds; negative: never. */
typedef struct hd_first_times {
    uint32_t n_runs, n_obligations;
    double *at;
} hd_first_times;

typedef struct hd_found_all {
    double seconds;    /* average over the draws that meet all that any run meets */
    uint64_t n_draws;  /* in all, */
    uint64_t n_missed; /* and of them those that do not */
    bool are_all;      /* every choice of x runs was drawn once */
} hd_found_all;

/* How soon x runs beside each other meet everything, 1 <= x <= n_runs. */
hd_found_all hd_resample(const hd_first_times *t, uint32_t x, uint64_t seed);
#endif
