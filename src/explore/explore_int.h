/* explore_int.h -- the explorer's inside, shared by explore.c, plan.c and journal.c. */
#ifndef HD_EXPLORE_EXPLORE_INT_H
#define HD_EXPLORE_EXPLORE_INT_H
#include "base/map.h"
#include "base/pack.h"
#include "explore/explore.h"
#include "explore/frontier.h"
#include "explore/runs.h"
#include "explore/tree.h"

/* One decision of the current execution. */
typedef struct hd_step {
    hd_node_id node;
    uint32_t serial;
    uint32_t site;
    hd_expr condition;
    bool way;
} hd_step;

/* A run to execute again when a search is resumed: its inputs, and at which depths it has
 * open ways. */
typedef struct hd_saved_way {
    uint32_t depth;
    uint32_t rank;
} hd_saved_way;
typedef struct hd_saved_run {
    hd_model model;
    hd_vec(hd_saved_way) ways;
} hd_saved_run;

struct hd_explorer {
    hd_explorer_options options;
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_tree tree;
    hd_runs runs;
    hd_frontier *frontier;
    hd_path *path; /* path[i] belongs to steps[i] */
    hd_explorer_counters counters;
    hd_vec(hd_lost_way) lost;
    hd_map seen_ways;  /* key 2*site+way: some execution went there */
    hd_map seen_paths; /* hashes of the paths since the first execution that strayed */
    uint64_t random;

    /* The current execution. */
    hd_vec(hd_step) steps; /* steps[0..n_steps) are of it; what follows is of the one before */
    uint32_t n_steps;
    hd_vec(hd_node_id) found; /* nodes that it added, in order */
    bool hit_bound;
    bool is_shown;  /* it was run for a check to fail, which it did: the rest is seen elsewhere */
    hd_map checked; /* hash of site and condition of a check -> its step, if that is still it */
    hd_entry plan;  /* where it is predicted to go */
    bool has_plan;

    /* Resuming. */
    hd_vec(hd_saved_run) saved;
    size_t n_rebuilt;
    uint64_t n_saved_ways; /* open ways of those that were not rebuilt yet */
    bool is_rebuilding;
    bool has_started;

    struct hd_weave *weave; /* programs with threads: weave.h; the rest is of those without */

    hd_var n_looked_at; /* variables known when has_pointers was last worked out */
    bool has_pointers;
};

/* ---- journal.c ---- */
typedef hd_vec(hd_var) hd_renaming; /* saved variables -> variables here */
void hd_journal_save_model(const hd_explorer *x, const hd_model *m, hd_text *out);
void hd_journal_restore_model(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_model *model);

/* ---- journal_expr.c ---- */
typedef hd_vec(hd_expr) hd_exprs;
void hd_journal_save_exprs(const hd_graph *g, const hd_expr *roots, uint32_t n, hd_text *out);
/* The same conditions in this graph, in the same order. */
void hd_journal_restore_exprs(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_exprs *roots);

/* The constraint that holds when `condition` goes `way`. */
hd_expr hd_explorer_oriented(hd_explorer *x, hd_expr condition, bool way);
/* The constraint of what is below that way of the node. */
hd_expr hd_explorer_constraint(hd_explorer *x, hd_node_id node, hd_expr condition, bool way);
void hd_explorer_lose(hd_explorer *x, uint32_t site, bool mispredicted);
/* Close a way of a node that was open or planned, and free what nobody needs any more. */
void hd_explorer_close(hd_explorer *x, hd_node_id node, bool way);
/* Turn a solution with pointers into a memory graph in the machine's order (settle.c). */
void hd_explorer_settle(hd_explorer *x, hd_model *model);
/* The same, if the program has input pointers at all. */
void hd_explorer_settle_pointers(hd_explorer *x, hd_model *model);
/* Make a way of `node` open: it is in the frontier from now on. */
void hd_explorer_open(hd_explorer *x, hd_node_id node, bool way, uint32_t run, enum hd_rank rank);
#endif
