/* compare.h -- the explorer on an abstract machine, against brute force.
 *
 * For every reduction the traces, final states and findings that the explorer reaches are exactly
 * those of all executions (with inputs: for all values of the inputs).  Iterations of waiting loops
 * that are in vain make traces of their own, in which no search lets the thread go on: it must
 * reach every core (history.h), by traces that exist.  `none` runs every other execution once;
 * `optimal` runs every trace once and stops no execution; no reduction runs more executions than
 * there are; the explorer's name of a class is the same exactly for executions of the same trace; a
 * search that is saved and restored in the middle reaches the same, and so do the parts of one that
 * is split, together: `none` still runs every execution once, `optimal` every trace.  A search that
 * is divided by conditions on its inputs before it begins reaches the same too; what several parts
 * have in common is run by each.
 *
 * Not here: which programs to try (trial.h), and what they mean (model_threads.h,
 * model_messages.h). */
#ifndef HD_TESTS_COMPARE_H
#define HD_TESTS_COMPARE_H
#include "explore/explore.h"
#include "property/model/code.h"
#include "property/model/known.h"
#include "property/model/tally.h"

/* An abstract machine: it has one model, of the program that was opened last. */
typedef struct machine {
    /* Of a program that was not opened before. */
    void (*reset)(void);
    void (*open)(const code *c, hd_graph *graph, hd_variables *variables);
    /* One execution with the explorer's sink, as hd_machine_run does it. */
    void (*run)(const hd_sink *sink, hd_model *inputs, hd_outcome *outcome);
    /* Of the execution that ended. */
    const history *(*history)(void);
    uint64_t (*final_state)(void);
    /* Brute force: all executions for all values of the inputs. */
    void (*collect)(known *k, const code *c);
    void (*print)(const code *c, hd_text *out);

    /* Does a reduction foresee all outcomes of other orders?  If not it may stop an execution or
     * run a class again. */
    bool (*is_foreseeable)(const code *c, hd_reduction reduction);
    /* May a thread that was to go on turn out to wait?  That is then no execution. */
    bool (*may_find_out_waits)(const code *c);
    /* May a search begin anew then, so that what was run is run and counted again? */
    bool (*may_begin_anew)(const code *c);
    uint64_t few_executions; /* with fewer there is nothing to get wrong */
} machine;

/* A graph, a solver and an explorer for one search. */
typedef struct world {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *explorer;
} world;
void world_open(world *w, const machine *m, const code *c, const hd_explorer_options *options);
void world_close(world *w);

/* What was compared so far. */
typedef struct comparison {
    uint64_t n_whole;            /* states that were handed out whole (D9 of fleet/coordinator.h) */
    uint64_t limit;              /* of executions of a program that is compared */
    unsigned variants;           /* bit 2 * reduction: straight; the bit after it: resumed */
    bool splits;                 /* searches are split at random moments, and run in parts */
    uint64_t n_parts;            /* that were handed over */
    uint64_t n_divided;          /* parts of programs that were divided by inputs before */
    uint64_t n_classes, n_extra; /* where `optimal` does not foresee all; executions too many */
    uint64_t n_runs[HD_N_REDUCTIONS];
    tally tallies[N_TALLIES]; /* by variant */
    char why[512]; /* the first thing that was wrong */
} comparison;
enum { ALL_VARIANTS = (1u << 2 * HD_N_REDUCTIONS) - 1 };
static inline bool has_variant(const comparison *c, hd_reduction r) {
    return c->variants >> 2 * r & 1;
}

/* Notes what is wrong if nothing was; false. */
__attribute__((format(printf, 2, 3))) bool wrong(comparison *to, const char *format, ...);

typedef enum answer { RIGHT, WRONG, NOT_CHECKED } answer;
answer compare_program(comparison *to, const machine *m, const code *c);
/* All reductions with what is known of the program. */
bool compare_known(comparison *to, const machine *m, const code *c, known *k);
#endif
