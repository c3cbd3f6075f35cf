/* query_world.h -- a graph, a few inputs, a path and a hint that satisfies it, and chains of
 * solvers to be asked about goals behind it.
 *
 * What a chain says is looked at at once: a model satisfies the path, what is outside of the slice
 * is the hint's, and the verdict is that of trying all values (or what the caller knows otherwise).
 * What is wrong is printed with the seed, and ends the program with 1.
 * Not here: which formulas (random/random_formulas.h, model/query_shapes.h). */
#ifndef HD_TESTS_QUERY_WORLD_H
#define HD_TESTS_QUERY_WORLD_H
#include "solve/chain.h"

enum {
    QUERY_VARS = 6,
    QUERY_CONSTRAINTS = 7,
    QUERY_GOALS = 10,
    QUERY_MOST_CONSTRAINTS = QUERY_CONSTRAINTS + 2 * QUERY_VARS
};
enum {
    QUERY_CHAINS = 14,
    QUERY_CHAIN_MEET = QUERY_CHAINS - 2,
    QUERY_CHAIN_ALIASES = QUERY_CHAINS - 4,
    QUERY_CHAIN_BOUNDS = QUERY_CHAINS - 5
};
extern const char *const query_chains[QUERY_CHAINS];

typedef struct query_world {
    uint64_t random;
    hd_graph *g;
    hd_variables *variables;
    hd_path *path;
    hd_model hint;
    uint32_t n_vars;
    hd_var vars[QUERY_VARS];
    uint64_t least[QUERY_VARS], n_values[QUERY_VARS]; /* of a bounded world */
    hd_chain *chain[QUERY_CHAINS];
    hd_eval *eval;
} query_world;

extern uint64_t query_seed; /* that is tried now */
/* What chains said, and how many queries the layers decided that some formulas are made for. */
typedef struct query_counts {
    uint64_t asked, sat, unsat, unknown;
    uint64_t cases, met, atoms, moved, aliases, bounds, lines, sums;
    uint64_t strides, halves, parts, pruned; /* by parts of cases */
} query_counts;
extern query_counts query_counted;

void query_world_begin(query_world *w, uint64_t seed);
void query_world_end(query_world *w);
uint32_t query_below(query_world *w, uint32_t n);
void query_add_integer(query_world *w, unsigned width);

uint64_t query_value_under_hint(query_world *w, hd_expr e);
/* The condition or its opposite: what it is under the hint is `truth`. */
hd_expr query_oriented(query_world *w, hd_expr e, bool truth);

void query_fail(query_world *w, const hd_query *q, const char *chain, const char *what);
bool query_holds(query_world *w, const hd_query *q, const hd_model *m);
hd_verdict query_ask(query_world *w, int chain, const hd_query *q, hd_model *out);
/* Does the chain say `expected`?  False if it gives up. */
bool query_compare_with(query_world *w, int chain, const hd_query *q, hd_verdict expected);
/* Every chain says `expected`, or nothing if that is allowed. */
void query_compare_all(query_world *w, const hd_query *q, hd_verdict expected, bool may_give_up);
/* Inputs from number `at` on with all values; true: the model that is left is one. */
bool query_try_all(query_world *w, const hd_query *q, uint32_t at, hd_model *m);
void query_compare_with_brute_force(query_world *w, const hd_query *q);
/* The counters add up: every query was decided by exactly one layer. */
void query_check_counters(const query_world *w);
uint64_t query_decided_by(const query_world *w, int chain, hd_layer layer);
#endif
