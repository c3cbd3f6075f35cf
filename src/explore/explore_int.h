/* explore_int.h -- the explorer's inside: what all searches share.
 *
 * An explorer is a search (search.h) with its counters, the path of the execution under way, inputs
 * of past ones, and the journal, in which a search writes its own part.
 * Not here: what a search keeps (inputs/walk.h, orders/weave.h). */
#ifndef HD_EXPLORE_EXPLORE_INT_H
#define HD_EXPLORE_EXPLORE_INT_H
#include "base/map.h"
#include "base/pack.h"
#include "explore/explore.h"
#include "explore/runs.h"
#include "explore/search.h"

struct hd_explorer {
    hd_explorer_options options;
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_runs runs;
    hd_path *path; /* the decisions of the current execution, as the search keeps them */
    hd_explorer_counters counters;
    hd_vec(hd_lost_way) lost;
    uint64_t random;
    bool has_started;
    bool is_running;         /* between next() and done() (S1) */
    hd_worth worth;          /* see hd_explorer_set_worth */
    uint64_t n_to_repeat;    /* by others */
    uint64_t generation;     /* see hd_explorer_generation */
    const hd_search *search; /* what it can do, ... */
    void *state;             /* ... and what it is: an hd_walk or an hd_weave */
    hd_text dscenarios;      /* see hd_explorer_dscenarios; empty: open */
    bool are_possible;

    hd_var n_looked_at; /* variables known when has_pointers was last worked out */
    bool has_pointers;
};

/* ---- journal.c ---- */
void hd_journal_save_model(const hd_explorer *x, const hd_model *m, hd_text *out);
void hd_journal_restore_model(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_model *model);

/* The keys of a map, whose values do not matter. */
void hd_journal_save_keys(const hd_map *m, hd_text *out);
void hd_journal_restore_keys(hd_map *m, hd_unpack *u);

/* What hd_explorer_save appends. */
void hd_journal_write(const hd_explorer *x, hd_text *out);
/* Is what an explorer of the same program makes of a journal the same journal?  For costly checks
 * of what was written (journal_check.c). */
bool hd_journal_reads_back(const hd_explorer *x, const void *bytes, size_t n);

/* ---- journal_expr.c ---- */
typedef hd_vec(hd_expr) hd_exprs;
void hd_journal_save_exprs(const hd_graph *g, const hd_expr *roots, uint32_t n, hd_text *out);
/* Conditions that were saved, in this graph and in the order in which they were saved. */
void hd_journal_restore_exprs(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_exprs *roots);

/* The constraint that holds when `condition` goes `way`. */
hd_expr hd_explorer_oriented(hd_explorer *x, hd_expr condition, bool way);
void hd_explorer_lose(hd_explorer *x, uint32_t site, bool mispredicted);
/* Has the deadline of the search passed? */
bool hd_explorer_is_late(const hd_explorer *x);
/* Inputs for the first execution, which satisfy the first n constraints of the path.  False:
 * nothing is left of a part without inputs, and of one that the solver gives up, or it is too late.
 */
bool hd_explorer_begin(hd_explorer *x, uint32_t n, hd_model *model);
/* Has the program input pointers, as far as is known? */
bool hd_explorer_uses_pointers(hd_explorer *x);
/* Turn a solution with pointers into a memory graph in the machine's order (settle.c). */
void hd_explorer_settle(hd_explorer *x, hd_model *model);
/* hd_explorer_settle, if the program has input pointers at all. */
void hd_explorer_settle_pointers(hd_explorer *x, hd_model *model);
#endif
