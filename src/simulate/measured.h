/* measured.h -- what a run has measured: the costs of its units, as pieces of work that can be
 * scheduled again (schedule.h). */
#ifndef HD_SIMULATE_MEASURED_H
#define HD_SIMULATE_MEASURED_H
#include "record/record.h"
#include "simulate/curve.h"

typedef struct hd_measured {
    hd_work_pieces pieces;
    hd_vec(uint64_t) numbers; /* of the units that they are */
    uint64_t n_left; /* units that were not finished: what is missing of them is not known */
    uint64_t executions, repeated;
    double lost;        /* seconds of workers that died before they committed: in no piece */
    hd_mets mets;       /* of parts that one worker ran one after the other: what was new in each */
    hd_delays delays;   /* `start` as measured; the others are 0 until they are set */
    bool is_base_whole; /* the run of delays.base had as many executions as this one */
} hd_measured;

/* False with one sentence if the run has no costs of units. */
bool hd_measured_read(hd_measured *m, hd_record *record, const char *directory, hd_err *err);
/* Processor time of all units of another run of the same program, for hd_delays.base. */
bool hd_measured_read_base(hd_measured *m, hd_record *record, hd_record *base,
                           const char *directory, hd_err *err);
void hd_measured_release(hd_measured *m);
#endif
