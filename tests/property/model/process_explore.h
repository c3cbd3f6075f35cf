/* process_explore.h -- all executions of process_program.c with one script and one reduction. */
#ifndef PROCESS_EXPLORE_H
#define PROCESS_EXPLORE_H
#include "base/text.h"
#include "base/vec.h"
#include "explore/explore.h"

/* What the processes of an execution saw: labels in order, with a blank behind each, then how it
 * ended.  A node that crashed or
 * rebooted is named behind them: "crash:2 ", "reboot:2 ". */
typedef struct explored_outcome {
    char *text;
    uint64_t n_classes;
} explored_outcome;

typedef struct explored {
    bool is_finished; /* within the executions that were allowed */
    bool is_complete; /* and nothing was lost */
    uint64_t executions, classes, redundant, mispredicted;
    hd_vec(explored_outcome) outcomes; /* sorted */
    hd_vec(char *) findings;           /* kind and line, sorted */
    hd_vec(char *) losses;             /* what was not exact, sorted */
} explored;

typedef struct exploration {
    int argc;
    char **argv;
    hd_reduction reduction;
    hd_timeouts timeouts;
    bool partial_io;
    uint64_t max_executions;
    bool is_shared; /* parts are given away and searched later, and the search is saved and goes on */
    /* Of a scenario; none: one process. */
    const hd_network_node *nodes;
    uint32_t n_nodes;
    const hd_link *link; /* of every node; or NULL */
    const hd_fault *faults;
    uint32_t n_faults;
} exploration;

/* Compiles the program and loads it, once; explorations run in children. */
bool explore_load(const char *source, hd_err *err);
/* False if the child dies. */
bool explore_run(const exploration *x, explored *out);
void explored_release(explored *e);
#endif
