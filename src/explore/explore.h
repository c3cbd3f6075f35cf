/* explore.h -- the explorer: which paths there are, which are left, which comes next.
 *
 * The explorer is the machine's sink: it is told what an execution does, and notes what else it
 * could have done.  next() picks one of these ways, asks the solver chain for inputs that lead
 * there, and predicts the path; done() checks the prediction (paper 002, Fig. 10).  How that is
 * kept is the business of a search (search.h): a tree of decisions for programs without threads,
 * whose open ways are picked by a strategy, or a stack of events and decisions.
 *
 * X1. A way is open, explored, infeasible, unknown (the solver gave up) or mispredicted;
 *     it leaves "open" exactly once.
 * X2. A node of the tree lives as long as something below it is open: depth-first search keeps one
 *     path.
 * X3. The search is complete when nothing is open, and no way is unknown, mispredicted or
 *     cut off by the depth bound.
 * Not here: running (machine/), solving (solve/), keeping results (record/). */
#ifndef HD_EXPLORE_EXPLORE_H
#define HD_EXPLORE_EXPLORE_H
#include "base/hostile.h"
#include "machine/machine.h"
#include "mapping/mapping.h"
#include "solve/chain.h"

#include <stdatomic.h>

/* In which order open ways are taken: the rules are in explore/inputs/strategy.h. */
#define HD_STRATEGIES(X)                                                                           \
    X(MIXED, mixed, "mixed",                                                                       \
      "depth first, with turns in which the shallowest open branches are taken")                   \
    X(DFS, dfs, "dfs", "deepest open branch first; least memory")                                  \
    X(RANDOM_DFS, random_dfs, "random-dfs", "depth first, new branches in random order")           \
    X(BFS, bfs, "bfs", "shallowest open branch first")                                             \
    X(RANDOM, random, "random", "any open branch, evenly")                                         \
    X(COVERAGE, coverage, "coverage",                                                              \
      "branches not yet covered first, then those of the runs that "                               \
      "covered something new")

typedef enum hd_strategy {
#define X(name, rules, text, words) HD_STRATEGY_##name,
    HD_STRATEGIES(X)
#undef X
        HD_N_STRATEGIES
} hd_strategy;

/* How many of the orders of threads are run (docs/design.md D6): the rules are in
 * explore/orders/reduction.h. */
#define HD_REDUCTIONS(X)                                                                           \
    X(NONE, none, "none", "every order of visible operations (paper 002, Fig. 16)")                \
    X(FLIP, flip, "flip", "race detection and flipping (paper 002, Figs. 17 and 18)")              \
    X(MESSAGE, message, "message",                                                                 \
      "all messages of one process; others if a send may come too late (paper 000, section 6)")    \
    X(DPOR, dpor, "dpor", "source sets and sleep sets")                                            \
    X(OPTIMAL, optimal, "optimal",                                                                 \
      "one execution for each equivalence class: source sets and wakeup trees")
typedef enum hd_reduction {
#define X(name, rules, text, words) HD_REDUCTION_##name,
    HD_REDUCTIONS(X)
#undef X
        HD_N_REDUCTIONS
} hd_reduction;

/* Orders of threads: all of them by the reduction, or a sample. */
typedef enum hd_sampling { HD_SAMPLING_OFF, HD_SAMPLING_RANDOM, HD_SAMPLING_PCT } hd_sampling;

/* A thread that does so many visible operations in a row, and only a few different ones, gives way
 * to others. */
#define HD_LONG_RUN     500
#define HD_FEW_ACCESSES 16

typedef struct hd_explorer_options {
    hd_strategy strategy;
    bool is_threaded; /* the module may create threads: depth first, events and decisions in one */
    hd_reduction reduction;
    bool reads_conflict;     /* as if two reads did not commute (paper 002, 8) */
    bool bounds_preemptions; /* all orders with at most `preemptions`, fewest first */
    uint32_t preemptions;
    hd_sampling sampling;
    uint64_t samples;       /* executions of a sampling search */
    bool no_samples;        /* beside a search (explore/scout.h) */
    uint32_t sample_length; /* events of each of them before it is stopped, 0 = no bound */
    uint32_t pct_depth;     /* bugs of this depth (number of ordering constraints) */
    uint32_t depth;         /* decisions recorded per path, 0 = no bound (paper 002, 4.1.4) */
    /* Others search parts of the same program that may have paths in common with this one: paths
     * are named (hd_explorer_take_classes), alike in all parts. */
    bool names_paths;
    /* Ways of branches that anybody went who searches the same program, shared with them while they
     * run: byte 2 * site + way.  For strategies that remember ways; NULL = nobody else does. */
    _Atomic uint8_t *seen_ways;
    uint32_t n_seen_ways;
    /* Sites whose other ways may show what is still to be shown (obligations that are open), a byte
     * each; whoever gives it may change it between executions.  For strategies that remember ways:
     * to them such a way is as good as one that nobody went.  NULL = nothing is asked for. */
    const uint8_t *wanted;
    uint32_t n_wanted;
    /* Executions are those of whole systems: faults that come early in a few of them show more than
     * all that come late (explore/strategies/mixed.c). */
    bool is_system;
    /* Whole systems by node states (explore/system/): who runs nodes, NULL: this is no such search;
     * which states belong together; all dscenarios are executions; virtual time that is looked at,
     * 0 = all. */
    bool has_states; /* whoever has a machine is to fill it in */
    hd_machine *machine;
    hd_mapping_kind mapping;
    bool tells_equal_apart; /* equal packets of different states are many: mapping/sendings.h */
    uint32_t n_nodes;
    const hd_fault *faults;
    uint32_t n_faults;
    bool explodes;
    bool judges;    /* something is asserted about all nodes: dscenarios that it sees differently */
    uint64_t drawn; /* of dscenarios that are executions, drawn at random; 0: those that cover */
    uint64_t horizon;
    /* Asked now and then while next() takes long: false = it has to return.  May be NULL. */
    bool (*may_go_on)(void *context);
    void *context;
    uint64_t seed;
    double deadline; /* hd_clock_now() value: a query that ran out of time then says nothing
                      * about its way, which stays open; 0 = none */
} hd_explorer_options;

typedef struct hd_explorer_counters {
    uint64_t executions; /* done() calls that were not rebuilding */
    uint64_t paths;      /* executions that no assumption rejected */
    uint64_t rejected;
    uint64_t infeasible, unknown, mispredicted;
    uint64_t bounded; /* executions that ran into the depth bound */
    uint64_t open;
    uint32_t deepest;
    /* threads */
    uint64_t redundant;              /* executions that were stopped because others cover them */
    uint64_t events, races, longest; /* of all executions; most events of one */
    uint64_t preempted_away;         /* ways left out: too many preemptions, or not fair */
    uint64_t cut_places;             /* most of one execution (hd_outcome.n_cut_places) */
    uint64_t sampled;                /* executions beside the search: hd_explorer_count_sample */
    /* whole systems */
    uint64_t node_events;     /* where virtual time orders them; of states and of executions */
    uint64_t states, dstates; /* explore/system/: so many there are */
    uint64_t groups, largest; /* of dstates that share no state, when it is over; states of one */
    uint64_t moment;          /* nanoseconds of virtual time that it has come to */
    uint64_t contradictions;  /* deliveries whose constraints contradict the receiver's */
    double estimate;          /* of the classes in all, while the search goes on; 0 = none */
} hd_explorer_counters;

/* A site where ways were lost, and how many. */
typedef struct hd_lost_way {
    uint32_t site;
    bool mispredicted; /* else the solver gave up */
    uint64_t count;
} hd_lost_way;

typedef struct hd_explorer hd_explorer;
hd_explorer *hd_explorer_new(hd_graph *graph, hd_variables *variables, hd_chain *chain,
                             const hd_explorer_options *options);
void hd_explorer_free(hd_explorer *x);
hd_sink hd_explorer_sink(hd_explorer *x);

/* Only paths of inputs for which all of the conditions hold are searched (paper 003, 3.2).  Before
 * the first next(); with threads about integers only that the program asks for itself.  The journal
 * and what is split off have them too. */
void hd_explorer_assume(hd_explorer *x, const hd_expr *conditions, uint32_t n);

/* Inputs for the next execution into `model`; false when nothing is open, or when the deadline
 * passed while it was asking.  The first call gives the empty model. */
bool hd_explorer_next(hd_explorer *x, hd_model *model);
/* The execution that next() asked for is over; `model` is total now. */
void hd_explorer_done(hd_explorer *x, const hd_outcome *outcome, const hd_model *model);
/* A hash of the decisions of the execution that just ended (names the path). */
uint64_t hd_explorer_path_hash(const hd_explorer *x);
/* The decisions of that execution as text, "12+ 14- ..." (site and way), for test records. */
void hd_explorer_print_path(const hd_explorer *x, hd_text *out);

/* The threads of the events of that execution, "0*5 1*3 0": runs of one thread.  Empty for an
 * execution with one thread. */
void hd_explorer_print_schedule(const hd_explorer *x, hd_text *out);
/* The name of the class of that execution: all executions of one class have the same (inputs
 * decided alike, same happens-before). */
uint64_t hd_explorer_class_hash(const hd_explorer *x);
/* Pairs of plain accesses, one a write, that nothing orders: seen in that execution, each pair of
 * places reported once in the life of the explorer. */
typedef struct hd_race {
    uint64_t event[2]; /* numbers in the execution */
    hd_action action[2];
} hd_race;
const hd_race *hd_explorer_races(const hd_explorer *x, uint32_t *n);

/* "none", ...; false for an unknown name. */
bool hd_reduction_parse(const char *text, hd_reduction *reduction);
const char *hd_reduction_name(hd_reduction reduction);
/* "dfs", ...; false for an unknown name. */
bool hd_strategy_parse(const char *text, hd_strategy *strategy);
const char *hd_strategy_name(hd_strategy strategy);

const hd_explorer_counters *hd_explorer_counted(const hd_explorer *x);
/* Whole systems: how many dscenarios the states stand for, in decimal; NULL while that is open.
 * `are_possible`: all of them are, for they keep to budgets and no two nodes have inputs in common.
 */
const char *hd_explorer_dscenarios(const hd_explorer *x, bool *are_possible);
/* Another explorer has drawn an order of threads, to find sooner what this one comes to later. */
void hd_explorer_count_sample(hd_explorer *x);
const hd_lost_way *hd_explorer_lost(const hd_explorer *x, uint32_t *n);
bool hd_explorer_is_complete(const hd_explorer *x);
/* Is nothing left, and was nothing left out on purpose? */
bool hd_explorer_is_exhausted(const hd_explorer *x);

/* Give memory back: keep only the expressions that the tree needs.  To be called between
 * executions when the graph has grown; every other holder of expression ids must forget them. */
void hd_explorer_compact(hd_explorer *x);

/* ---- Journal: everything that is still open, to go on from later. ---- */
/* Appends bytes that hd_explorer_restore understands in another process. */
void hd_explorer_save(const hd_explorer *x, hd_text *out);
/* Load saved bytes.  The explorer then hands out the saved runs again through next() (they
 * rebuild the tree and are not counted), before it goes on.  False if damaged. */
bool hd_explorer_restore(hd_explorer *x, const void *bytes, size_t n, hd_err *err);
bool hd_explorer_is_rebuilding(const hd_explorer *x);
/* Hands over a part of what is left, between executions: appends a journal for hd_explorer_restore
 * in another explorer of the same program and options, and forgets what is in it.  Both together
 * then come to what this one would have come to: each path of a sequential program once; each class
 * at least once, as the reductions do that run some more than once (docs/design.md, D9).  The
 * counters of the journal begin at zero.  False, and nothing is appended: nothing can be handed
 * over without having nothing left here, a saved path was not run again yet, or the reduction
 * cannot be split. */
bool hd_explorer_split(hd_explorer *x, hd_text *out);
/* From now on nothing is split off but what is worth it, as far as that is known: who gets it is
 * expected to come to so many executions at least, and repeats so many at most, those with most
 * behind them.  `least` 0, as at first: anything is.  Searches through orders repeat nothing, and
 * do not ask. */
typedef struct hd_worth {
    double least;
    uint64_t most_repeated;
} hd_worth;
void hd_explorer_set_worth(hd_explorer *x, hd_worth worth);
/* Executions that are repeated by those who got what was split off, over all splits. */
uint64_t hd_explorer_n_to_repeat(const hd_explorer *x);
/* ---- A search that many share, each class once (explore/lift.h, fleet/coordinator.h) ---- */
/* Gives up states of its path between executions, as bytes: from the first that it has on,
 *     u32 count; each: sleepers { u32 count; actions }, explored { u32 count; actions in their
 *     order }, the action of the path, trees { u32 count; each: action, trees }
 * False if there is nothing to share, or if it cannot be. */
bool hd_explorer_lift(hd_explorer *x, hd_text *out);
/* What executions asked of states that were given up, since the last time: u32 number of the state
 * on the path, then a sequence (hd_sequence_unpack). */
void hd_explorer_take_asked(hd_explorer *x, hd_text *out);
/* The actions of the states above its own, as they were executed: u32 count; actions.  Those of
 * sequences are foretold, and may touch less when they are run. */
void hd_explorer_save_followed(const hd_explorer *x, hd_text *out);
/* What a new search has to know to begin with a path: appended for hd_explorer_begin_unit. */
void hd_explorer_save_context(hd_explorer *x, hd_text *out);
/* A new explorer runs a path that is not its own, and what is behind it: u32 count; each: u32 count
 * and actions of threads that others run from that state, and the action of the path. */
bool hd_explorer_begin_unit(hd_explorer *x, const hd_text *context, const hd_text *path);

/* The names of classes that were counted since the last time, u64 each, if the search may come to
 * a class more than once: parts of it may come to the same. */
void hd_explorer_take_classes(hd_explorer *x, hd_text *out);
/* Names of the pairs of places that counters.races counts. */
void hd_explorer_take_races(hd_explorer *x, hd_text *out);
/* The search begins with the whole program again, before the next execution: what executions found
 * out about the program has changed, and others do not know it. */
void hd_explorer_begin_anew(hd_explorer *x);
/* How often the search has begun anew, because it turned out that a loop waits (next() begins
 * anew). A part of a search begins anew with the whole program: all other parts of a lower
 * generation are void then, with what they have found and counted. */
uint64_t hd_explorer_generation(const hd_explorer *x);
/* A search that was divided before it began begins anew with its own part up to this generation:
 * the other parts begin anew too.  Behind it, as all others do, with the whole program: what one
 * part finds out, another would have to find out for itself again and again. */
#define HD_MOST_DIVISIONS HD_HOSTILE(16, 2)
/* What was found out about waiting loops, u64 each. */
void hd_explorer_save_rounds(const hd_explorer *x, hd_text *out);
/* The journal of a part that has not begun, or a context, becomes one of that generation, which
 * knows this about waiting loops as well. */
void hd_journal_renew(hd_text *journal, uint64_t generation, const hd_text *rounds);
#endif
