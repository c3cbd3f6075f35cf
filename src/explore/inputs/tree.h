/* tree.h -- the nodes of the choice tree.
 *
 * A node is one decision that depends on inputs: a condition at a site, with two ways.  An
 * execution is a walk from the root; what hangs below a way is a child node, the next
 * decision of the executions that went there.  A way may have several children (variants)
 * when a value that became concrete made the same decisions lead to different places.
 *
 * A check (HD_BRANCH_CHECK) is no fork: executions go on in the same way whether it holds or not,
 * with the same expressions.  Both ways have the same children, below child[1], and neither is a
 * constraint of what is below.  Its way 0 is open until some execution has shown the failure.
 *
 * T1. n_live counts the open and planned ways and the children of a node.  A node with none
 *     is freed, and so are its ancestors that it kept alive.
 * T2. serial changes whenever a slot is used anew: (node, serial) names a node for ever.
 * T3. condition is the one of the latest execution that passed. */
#ifndef HD_EXPLORE_INPUTS_TREE_H
#define HD_EXPLORE_INPUTS_TREE_H
#include "base/panic.h"
#include "base/vec.h"
#include "machine/machine.h"

typedef uint32_t hd_node_id;
#define HD_NO_NODE UINT32_MAX

typedef enum hd_way_state {
    HD_WAY_CLOSED, /* infeasible, given up, or everything below was explored */
    HD_WAY_OPEN,
    HD_WAY_PLANNED, /* the next execution is predicted to go there */
    HD_WAY_TAKEN,
} hd_way_state;

typedef struct hd_tree_node {
    hd_node_id parent;
    hd_node_id child[2];
    hd_node_id variant; /* next child of the same way of the parent */
    hd_expr condition;
    uint32_t site, depth, serial;
    uint32_t n_live;
    uint32_t run;                                         /* the run that found it (runs.h) */
    uint8_t kind, parent_way : 1, was_open : 2, state[2]; /* was_open: by way (X1) */
} hd_tree_node;

typedef struct hd_tree {
    hd_vec(hd_tree_node) nodes;
    hd_vec(hd_node_id) unused;
    hd_node_id root; /* first variant of the first decision */
    uint32_t next_serial;
    uint64_t n_open;
} hd_tree;

void hd_tree_init(hd_tree *t);
void hd_tree_release(hd_tree *t);
static inline hd_tree_node *hd_tree_at(const hd_tree *t, hd_node_id id) {
    HD_CHECK(id < t->nodes.n);
    return &t->nodes.at[id];
}
/* Which of the node's children an execution comes to by this way. */
static inline bool hd_tree_side(const hd_tree *t, hd_node_id id, bool way) {
    return way || hd_tree_at(t, id)->kind == HD_BRANCH_CHECK;
}
/* The decision at `site` after way `way` of `parent` (HD_NO_NODE: the first one), or
 * HD_NO_NODE if no execution came there yet. */
hd_node_id hd_tree_find(const hd_tree *t, hd_node_id parent, bool way, uint32_t site,
                        hd_branch_kind kind);
/* A new node there, with both ways closed. */
hd_node_id hd_tree_add(hd_tree *t, hd_node_id parent, bool way, uint32_t site, hd_branch_kind kind);
void hd_tree_set_way(hd_tree *t, hd_node_id id, bool way, hd_way_state state);
/* Free the node, and then its ancestors, as far as nothing keeps them (T1). */
void hd_tree_prune(hd_tree *t, hd_node_id id);
#endif
