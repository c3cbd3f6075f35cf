/* obligations.h -- when each of several runs with different seeds met what any of them met.
 *
 * An obligation is a way of a branch, or a finding, that at least one of the runs met. */
#ifndef HD_SIMULATE_OBLIGATIONS_H
#define HD_SIMULATE_OBLIGATIONS_H
#include "record/record.h"
#include "simulate/resample.h"

typedef struct hd_obligations {
    hd_firsts met;               /* by all runs, one after the other */
    hd_vec(size_t) ends;         /* of each run in `met` */
    uint64_t n_ways, n_findings; /* after hd_obligations_times */
} hd_obligations;

/* One run more. */
bool hd_obligations_add(hd_obligations *o, hd_record *record, hd_err *err);
/* As hd_resample wants it; the caller frees `at`. */
hd_first_times hd_obligations_times(hd_obligations *o);
void hd_obligations_release(hd_obligations *o);
#endif
