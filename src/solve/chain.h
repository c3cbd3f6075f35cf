/* chain.h -- from a path and a branch to flip to new inputs: the solver chain.
 *
 * A query asks for inputs that satisfy the first n constraints of a path and one more, the
 * goal.  It goes through layers, cheapest first; the first layer that knows answers:
 *
 *   contradiction  the goal's negation is on the path (OPT 1, paper 002 4.1.5), or it is a constant
 *   slice          only constraints that share variables with the goal matter (OPT 2 and 3)
 *   pointers       equalities of input pointers, on their own graph (paper 002, Fig. 12, corrected)
 *   cache          a model or an unsatisfiable core seen before
 *   bounds         what is compared with constants again and again: between which numbers it is
 *   domain         goals over one byte: sets of 256 values
 *   invert         x+c, x^c, odd multiples, comparisons: solved backwards, checked by evaluation
 *   order          comparisons between variables: a graph of <, <=, == and !=
 *   aliases        pointers that may share objects: which are equal, case by case
 *   cases          few values in all, and products or quotients of them: every case is tried
 *   meet           hashes that must be one number: undone from their end, computed from the other
 *   blast          incremental bit-blasting to CaDiCaL
 *   z3             what ran out of budget there
 *
 * C1. A model is confirmed by evaluating goal and slice before it is returned.
 * C2. Unsatisfiable is only ever said when proved; giving up is HD_UNKNOWN.
 * C3. A returned model differs from the hint only in variables of the slice.
 * Not here: which branch to flip (explore/), the constraints themselves (symbolic/path.h). */
#ifndef HD_SOLVE_CHAIN_H
#define HD_SOLVE_CHAIN_H
#include "base/err.h"
#include "symbolic/model.h"
#include "symbolic/path.h"
#include "symbolic/variables.h"

typedef enum hd_verdict { HD_UNSAT, HD_SAT, HD_UNKNOWN } hd_verdict;

/* The layers, in order: name on the command line, which is that of its hd_layer_kind too
 * (hd_layer_slice), and what it is. */
#define HD_LAYERS(X)                                                                               \
    X(CONTRADICTION, contradiction, "the goal's negation is already on the path (OPT 1)")          \
    X(SLICE, slice, "keep only constraints that share inputs with the goal (OPT 2 and 3)")         \
    X(POINTERS, pointers, "equality graph of input pointers")                                      \
    X(CACHE, cache, "models and unsatisfiable cores seen before")                                  \
    X(BOUNDS, bounds, "between which numbers terms lie that are compared with constants")          \
    X(DOMAIN, domain, "value sets of single bytes")                                                \
    X(INVERT, invert, "solve simple chains backwards")                                             \
    X(ORDER, order, "graph of comparisons between inputs")                                         \
    X(ALIASES, aliases, "which pointers are equal, case by case")                                  \
    X(CASES, cases, "all cases, where inputs can have few values")                                 \
    X(MEET, meet, "hashes, undone from their end until both ends meet")                            \
    X(BLAST, blast, "incremental bit-blasting to CaDiCaL")                                         \
    X(Z3, z3, "Z3, after the budget of the layer before")

typedef enum hd_layer {
#define X(name, symbol, what) HD_LAYER_##name,
    HD_LAYERS(X)
#undef X
        HD_N_LAYERS
} hd_layer;

typedef struct hd_chain_options {
    bool enabled[HD_N_LAYERS];
    double query_seconds;     /* processor time of one query in blast, and again in z3 */
    double deadline;          /* hd_clock_now() value after which queries give up; 0 = none */
    uint64_t blast_conflicts; /* conflicts before handing over to z3 */
    int dump_to;              /* descriptor for queries as SMT-LIB; 0 = none */
} hd_chain_options;

typedef struct hd_layer_counters {
    uint64_t asked, sat, unsat, unknown;
    double seconds;
} hd_layer_counters;

typedef struct hd_chain_counters {
    uint64_t queries, sat, unsat, unknown;
    uint64_t constraints_before, constraints_after; /* what slicing removed (OPT 2 & 3) */
    double seconds;
    hd_layer_counters layer[HD_N_LAYERS];
} hd_chain_counters;

typedef struct hd_query {
    hd_path *path;
    uint32_t n;           /* the first n constraints of path must hold */
    hd_expr goal;         /* and this */
    const hd_model *hint; /* satisfies the n constraints; total for their variables */
} hd_query;

typedef struct hd_chain hd_chain;

/* All layers on, the default budgets. */
hd_chain_options hd_chain_defaults(void);
/* "all", or a comma list of layer names, or names with a minus to switch off ("-z3,-cache"). */
bool hd_chain_parse(const char *text, hd_chain_options *options, hd_err *err);

hd_chain *hd_chain_new(hd_graph *g, const hd_variables *variables, const hd_chain_options *options);
void hd_chain_free(hd_chain *c);
/* On HD_SAT `out` is the hint with the slice's variables replaced; else it is untouched. */
hd_verdict hd_chain_solve(hd_chain *c, const hd_query *q, hd_model *out);
const hd_chain_counters *hd_chain_counted(hd_chain *c);
/* The graph was compacted: forget every expression id. */
void hd_chain_forget(hd_chain *c);
void hd_chain_set_deadline(hd_chain *c, double deadline);
#endif
