/* costs.h -- what each unit of a search costs, over all who had it.
 *
 * Plain code: who commits, dies and gives away is told by the ledger.  The costs of all units add
 * up to what their commits have counted; what workers had done since their last commit when they
 * died counts as lost. */
#ifndef HD_FLEET_COSTS_H
#define HD_FLEET_COSTS_H
#include "base/vec.h"
#include "fleet/coordinator.h"
#include "record/record.h"

typedef struct hd_known_cost {
    hd_unit_cost cost;
    bool has_changed; /* since it was last written */
} hd_known_cost;

/* A zeroed one knows of no unit. */
typedef struct hd_costs {
    hd_vec(hd_known_cost) units; /* number 1 is at[0] */
    uint64_t n_done, n_paths;    /* units that are done, and the paths of these */
} hd_costs;

/* From the record. */
bool hd_costs_read(hd_costs *c, hd_record *record, hd_err *err);
void hd_costs_release(hd_costs *c);
/* The unit is handed out, `now` seconds after the run began. */
void hd_costs_hand_out(hd_costs *c, const hd_unit *unit, double now);
/* For hd_commit.work: microseconds of processor time, with those of a part that is not added yet.
 */
uint64_t hd_costs_work(const hd_costs *c, uint64_t unit, const hd_run_counters *part);
/* A commit of the unit: what it has counted since the one before. */
void hd_costs_add(hd_costs *c, uint64_t unit, const hd_run_counters *part, bool is_done);
/* Who had the unit died, with so much processor time that it had not committed. */
void hd_costs_lose(hd_costs *c, uint64_t unit, double seconds);
/* The unit is the whole search from now on (D6 of coordinator.h): what all units have counted so
 * far was for nothing. */
void hd_costs_begin_anew(hd_costs *c, uint64_t unit);
void hd_costs_set_state(hd_costs *c, uint64_t unit, hd_unit_state state);
/* Paths of units that are done, on average; 0 if none is. */
double hd_costs_mean_paths(const hd_costs *c);
uint64_t hd_costs_paths(const hd_costs *c, uint64_t unit);
/* Units that have changed since the last time, into batch->units; to be freed by the caller. */
void hd_costs_take_changed(hd_costs *c, hd_batch *batch);
#endif
