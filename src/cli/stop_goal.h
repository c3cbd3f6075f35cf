/* stop_goal.h -- `heddle run --goal` and `--mcdc`: how much of a program is covered while it is
 * explored. */
#ifndef HD_CLI_STOP_GOAL_H
#define HD_CLI_STOP_GOAL_H
#include "cli/run_options.h"
#include "cover/goals.h"

typedef struct hd_stop_goal {
    double branches, conditions; /* shares that are asked for; 0: none */
    bool has_map;                /* the module counts vectors of decisions */
    hd_mapped mapped;
    hd_goals goals;
} hd_stop_goal;

/* "branch", "mcdc", "95%".  What needs vectors turns --mcdc on. */
bool hd_stop_goal_check(hd_run_values *v, hd_err *err);
/* For the module of a run; false if it does not count what the goal asks for. */
bool hd_stop_goal_init(hd_stop_goal *g, const hd_run_values *v, const char *module_directory,
                       hd_err *err);
void hd_stop_goal_release(hd_stop_goal *g);
/* hd_run_options.is_enough */
bool hd_stop_goal_is_met(const void *goal, const uint8_t *coverage, uint32_t n_branches);
/* hd_run_options.want: sites of decisions that have conditions without an independence pair. */
void hd_stop_goal_want(const void *goal, const hd_image *image, const uint8_t *coverage, uint8_t *wanted);
/* Branches without vectors, and conditions, into what the summary says. */
void hd_stop_goal_report(const hd_stop_goal *g, hd_report *report);
/* What clang is asked to count: nothing, vectors of decisions (--mcdc), or those and regions. */
typedef enum hd_counting { HD_COUNTED_NOTHING, HD_COUNTED_VECTORS, HD_COUNTED_ALL } hd_counting;
/* The command line with clang's options for that: a copy, to be released with
 * hd_arguments_release. */
hd_arguments hd_arguments_counted(const hd_arguments *a, hd_counting what);
#endif
