/* shallow.h -- paths of a program up to a depth, and the conditions of their decisions.
 *
 * The program is explored with a bound on the decisions that are looked at
 * (hd_explorer_options.depth); executions run to their ends all the same, so that inputs beyond the
 * bound are known too.
 *
 * H1. Paths are in the order of a tree whose true branches come first, whatever was executed first.
 * Promise (tests/property/property_partition.c): conditions that cannot be written (part_file.h),
 *     checks, and assumptions that hold are left out of them: a path then stands for more inputs,
 *     never for fewer. */
#ifndef HD_PARTITION_SHALLOW_H
#define HD_PARTITION_SHALLOW_H
#include "explore/explore.h"
#include "partition/input_names.h"
#include "partition/input_parts.h"

#define HD_MOST_PATHS 100000 /* more are too many to divide by */

typedef struct hd_shallow {
    hd_division deep;      /* paths that come to the depth, */
    hd_division ended;     /* and those that end before it */
    hd_conditions assumed; /* what the program assumes on some path */
    uint32_t longest;      /* decisions of a path, at most the depth */
    uint64_t n_executions;
    uint64_t n_left_out; /* conditions that cannot be written */
} hd_shallow;

/* What executes the program: hd_machine_run, or something that tells a sink as much. */
typedef struct hd_executor {
    void *context;
    void (*run)(void *context, hd_model *model, const hd_sink *sink, hd_outcome *outcome);
} hd_executor;

/* False with one sentence if there are more than HD_MOST_PATHS, or if the deadline passes (a value
 * of hd_clock_now(), 0 = none).  `explorer` is a new one with the depth. */
bool hd_shallow_explore(hd_executor executor, hd_explorer *explorer, const hd_names *names,
                        uint32_t depth, double deadline, hd_shallow *out, hd_err *err);
void hd_shallow_release(hd_shallow *shallow);
#endif
