/* walk.h -- the search of programs without threads: a tree of decisions on inputs.
 *
 * An execution is a walk through the tree (tree.h); a decision that nobody came to before is a new
 * node, and the way that it did not take is open.  The strategy says which open way comes next
 * (frontier.h), the solver chain what inputs go there.
 *
 * Y1. steps[i] gives path[i] of the explorer, behind what is assumed; both are kept from one
 *     execution to the next, as far as decisions repeat.
 * Y2. While saved runs are rebuilt nothing else is executed. */
#ifndef HD_EXPLORE_INPUTS_WALK_H
#define HD_EXPLORE_INPUTS_WALK_H
#include "explore/explore_int.h"
#include "explore/inputs/assumed.h"
#include "explore/inputs/frontier.h"
#include "explore/inputs/subtrees.h"
#include "explore/inputs/tree.h"

/* One decision of the current execution. */
typedef struct hd_step {
    hd_node_id node;
    uint32_t serial;
    uint32_t site;
    hd_expr condition;
    bool way, is_check;
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

typedef struct hd_walk {
    hd_explorer *x;
    hd_tree tree;
    hd_frontier *frontier;
    hd_map seen_ways;  /* key hd_way_key: some execution went there */
    hd_map seen_paths; /* hashes of the paths since the first execution that strayed */

    /* The current execution. */
    hd_vec(hd_step) steps; /* steps[0..n_steps) are of it; what follows is of the one before */
    uint32_t n_steps;
    hd_vec(hd_node_id) found; /* nodes that it added, in order */
    bool hit_bound;
    bool is_shown;  /* it was run for a check to fail, which it did: the rest is seen elsewhere */
    hd_map checked; /* hash of site and condition of a check -> its step, if that is still it */
    hd_entry plan;  /* where it is predicted to go */
    bool has_plan;
    hd_subtrees subtrees; /* open ways */

    hd_assumed assumed;
    hd_path *decided; /* decisions as they were taken: the explorer's path if nothing is assumed */
    hd_vec(uint64_t) names; /* of paths that were counted, if they are to be named */

    /* Resuming. */
    hd_vec(hd_saved_run) saved;
    size_t n_rebuilt;
    uint64_t n_saved_ways; /* open ways of those that were not rebuilt yet */
    bool is_rebuilding;
} hd_walk;

HD_SEARCH_DECLARE(hd_walk)

static inline uint64_t hd_way_key(uint32_t site, bool way) {
    return (uint64_t)site * 2 + way;
}
/* Did some execution go there, of this search or of one that shares what it has seen? */
bool hd_walk_has_seen(const hd_walk *w, uint32_t site, bool way);
/* A way is a first choice if nobody went there, or if what is asked for may be there. */
bool hd_walk_is_wanted(const hd_walk *w, uint32_t site, bool way);
/* The constraint of what is below that way of the node. */
hd_expr hd_walk_constraint(hd_walk *w, hd_node_id node, hd_expr condition, bool way);
/* The constraints of the first n steps stay; that of one more step. */
void hd_walk_cut(hd_walk *w, uint32_t n);
void hd_walk_push(hd_walk *w, hd_node_id node, hd_expr condition, bool way);
/* Put what is assumed on the path, which is empty. */
void hd_walk_begin_path(hd_walk *w);
/* Close a way of a node that was open or planned, and free what nobody needs any more. */
void hd_walk_close(hd_walk *w, hd_node_id node, bool way);
/* Make a way of `node` open: it is in the frontier from now on. */
void hd_walk_open(hd_walk *w, hd_node_id node, bool way, uint32_t run, enum hd_rank rank);
/* The first n steps and constraints say the same (Y1): costs a look at each. */
bool hd_walk_is_in_step(hd_walk *w, uint32_t n);
/* Is the entry not open any more? */
bool hd_walk_is_stale(const hd_walk *w, hd_entry e);
#endif
