/* simulated.h -- what a simulated fleet shows, for people and for scripts (docs/simulate.md). */
#ifndef HD_REPORT_SIMULATED_H
#define HD_REPORT_SIMULATED_H
#include "simulate/measured.h"
#include "simulate/obligations.h"

#include <stdio.h>

typedef struct hd_simulation {
    const char *directory;
    const hd_measured *measured;
    hd_curve share, part;
    double critical_path;
    uint32_t last; /* piece of the critical path; those before it are its parents */
} hd_simulation;
void hd_simulation_show(FILE *out, const hd_simulation *s);
void hd_json_simulation(FILE *out, const hd_simulation *s);

/* Runs with different seeds beside each other, instead of one that is shared. */
typedef struct hd_resampled {
    const hd_obligations *obligations;
    uint32_t n_runs;
    const hd_sizes *sizes; /* not more than runs */
    hd_vec(hd_found_all) found;
} hd_resampled;
void hd_resampled_show(FILE *out, const hd_resampled *r);
void hd_json_resampled(FILE *out, const hd_resampled *r);
#endif
