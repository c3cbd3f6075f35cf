/* ssp.h -- simple static partitioning (paper 003, 3.2): from the path conditions of a shallow
 * search to a queue of preconditions.
 *
 * Plain code: no solver, no program.  The conditions that occur most, on the inputs that occur
 * most, are put together in all combinations, until there are as many parts as were asked for.
 *
 * Promise (tests/property/property_partition.c): the alternatives of one set exclude each other,
 *     and leave out nothing that is in the range of their input.
 * Promise (tests/partition.sh): the set that was chosen first changes fastest from one part of the
 *     queue to the next.
 * Not here: which parts are empty, and what no part has (cover.h). */
#ifndef HD_PARTITION_SSP_H
#define HD_PARTITION_SSP_H
#include "partition/input_parts.h"

#include <stdint.h>

typedef struct hd_counted {
    uint32_t what; /* a condition, or a variable */
    uint64_t count;
    bool is_expensive; /* a variable: it is multiplied or divided somewhere */
} hd_counted;

/* All that the seven steps leave behind. */
typedef struct hd_ssp {
    hd_vec(hd_counted) conditions; /* step 2; both lists in the order in which they were seen */
    hd_vec(hd_counted) variables;  /* steps 3 and 4 */
    hd_vec(hd_division) sets;      /* step 6: alternatives of each, in the order of choice */
    hd_division queue;             /* step 7 */
} hd_ssp;

/* `paths`: the conditions of each path (step 1).  `assumed`: conditions that the program takes for
 * granted, which say how many values an input has.  Ties are decided by what was seen first.
 * The queue has at least `size` parts, if there are enough inputs to divide by. */
void hd_ssp_make(hd_graph *g, const hd_division *paths, const hd_conditions *assumed, uint64_t size,
                 hd_ssp *out);
void hd_ssp_release(hd_ssp *ssp);

#define HD_MOST_PARTS UINT64_C(65536) /* no queue is longer */
#endif
