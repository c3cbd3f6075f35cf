/* demand.h -- for which inputs a sequence of events is still to be run.
 *
 * A race asks for a sequence, and something that was explored already may cover it for some inputs
 * only: a thread that sleeps with one outcome of its decisions is awake with the others.  A demand
 * begins with the inputs of the execution that showed the race and is narrowed by one condition
 * after the other; while the inputs at hand satisfy them nobody asks a solver.
 *
 * N1. The inputs satisfy the first n constraints of the path, the outcomes and all that was wanted.
 * Not here: which conditions those are (reduction.h, wakeup.h). */
#ifndef HD_EXPLORE_ORDERS_DEMAND_H
#define HD_EXPLORE_ORDERS_DEMAND_H
#include "explore/explore_int.h"

typedef struct hd_demand {
    hd_explorer *x;
    uint32_t site;           /* where the sequence begins, for the report */
    uint32_t n;              /* constraints of the path that come before the sequence */
    const hd_expr *outcomes; /* of its steps */
    uint32_t n_outcomes;
    hd_expr wanted;        /* what else must hold; HD_NONE = nothing */
    const hd_model *first; /* the inputs it began with */
    hd_model found;        /* those a solver found since */
    bool has_found;
    uint32_t *run; /* slot (runs.h) of `first`, UINT32_MAX = none yet */
} hd_demand;

static inline const hd_model *hd_demand_inputs(const hd_demand *d) {
    return d->has_found ? &d->found : d->first;
}

/* Want `condition` as well; false if there are no such inputs.  Too late to ask (the deadline of
 * the search): true, and the inputs stay as they are (N1 does not hold). */
bool hd_demand_narrow(hd_demand *d, hd_expr condition);
/* A copy of the demand, to be narrowed differently, and released by itself. */
hd_demand hd_demand_copy(const hd_demand *d);
void hd_demand_release(hd_demand *d);
/* A slot with the inputs, in use once more; UINT32_MAX if the program has no inputs. */
uint32_t hd_demand_run(hd_demand *d);

/* The condition that both hold; either may be HD_NONE, which always holds. */
hd_expr hd_demand_both(hd_explorer *x, hd_expr a, hd_expr b);
/* Does `condition` hold for the inputs? (Unknown variables are 0.) */
bool hd_demand_holds(hd_explorer *x, const hd_model *inputs, hd_expr condition);
#endif
