/* glance.h -- a run while it goes on, for people: what was not committed yet, and who is at work.
 *
 * Not here: who tells it to whom (observer.h), how it is shown (report/). */
#ifndef HD_FLEET_GLANCE_H
#define HD_FLEET_GLANCE_H
#include "base/vec.h"
#include "record/record.h"

/* What so many workers have counted since their last bundles. */
typedef struct hd_progress {
    uint32_t n_workers;
    hd_run_counters counters;
} hd_progress;

/* Tests that wait to be handed on, and about how many bytes they are. */
typedef struct hd_kept_tests {
    hd_vec(hd_test) list;
    size_t bytes;
} hd_kept_tests;

/* A machine as its supervisor knows it. */
typedef struct hd_machine_sight {
    uint64_t machine; /* a number that no other has */
    char host[64];
    bool is_leaving;
    uint32_t n_workers, n_idle, n_units;
    uint64_t executions; /* since it came */
} hd_machine_sight;

/* A run as its coordinator knows it, with what machines have told since their last bundles. */
typedef struct hd_run_sight {
    char host[64]; /* of the coordinator */
    hd_run_counters counters;
    uint64_t n_findings;
    uint64_t n_units, n_left, n_out; /* there ever were; are left; are with machines or offered */
    double elapsed;                  /* seconds since this coordinator began */
} hd_run_sight;

/* What `heddle top` shows. */
typedef struct hd_seen_machine {
    hd_machine_sight told;
    double rate;  /* executions a second, of late */
    double quiet; /* seconds since it was heard */
} hd_seen_machine;
typedef struct hd_picture {
    bool has_coordinator; /* one was heard of late */
    hd_run_sight run;     /* as last told */
    double rate;
    hd_vec(hd_seen_machine) machines; /* that were heard of late, by name of host */
} hd_picture;
void hd_picture_release(hd_picture *p);
#endif
