/* runs.h -- the inputs of past executions that still have open ways.
 *
 * The solver starts from inputs that are known to reach the node (the hint), and a resumed
 * search re-executes them to rebuild its tree.
 *
 * U1. n_open is the number of those that name this run: open ways of the tree, sequences of wakeup
 *     trees.  At zero the inputs are dropped, and the slot is used for another run. */
#ifndef HD_EXPLORE_RUNS_H
#define HD_EXPLORE_RUNS_H
#include "base/vec.h"
#include "symbolic/model.h"

typedef struct hd_past_run {
    hd_model model;
    uint32_t n_open;
} hd_past_run;

typedef struct hd_runs {
    hd_vec(hd_past_run) at;
    hd_vec(uint32_t) unused;
} hd_runs;

void hd_runs_release(hd_runs *r);
/* A slot for a run with these inputs, used by nobody yet. */
uint32_t hd_runs_add(hd_runs *r, const hd_model *model);
void hd_runs_use(hd_runs *r, uint32_t run);
void hd_runs_drop(hd_runs *r, uint32_t run);
const hd_model *hd_runs_model(const hd_runs *r, uint32_t run);
#endif
