/* lifted.h -- the tree of states that searches gave up to be shared, as the coordinator keeps it.
 *
 * A state is reached by the action of the edge to it.  The tree knows which of its sequences could
 * be handed out, and which states nobody will ask about any more.  Both are kept up to date where
 * something changes, along the way to the root: a commit costs what it touches, however many states
 * there are.
 *
 * T1. A sequence can be handed out if it ends at a planned state without children, and on its whole
 *     way all siblings before have actions that are known (D3 of coordinator.h).  Each state counts
 *     those that end at it or below it.
 * T2. A state is settled if every sibling before it is done, here and above up to the nearest free
 *     state.  What is below a state that is settled and done is forgotten when that becomes so
 * (D5). Not here: what goes into the tree, and where (coordinator.h). */
#ifndef HD_FLEET_LIFTED_H
#define HD_FLEET_LIFTED_H
#include "base/vec.h"
#include "machine/action/action.h"

typedef enum hd_lifted_kind {
    HD_LIFTED_PLANNED, /* part of a sequence that nobody has taken */
    HD_LIFTED_KNOWN,   /* its children are known here */
    HD_LIFTED_OUT,     /* the base of a unit */
    HD_LIFTED_DONE,
    HD_N_LIFTED_KINDS
} hd_lifted_kind;

/* Which commit made it known that there is something to do. */
typedef struct hd_gift {
    uint64_t giver, at;
} hd_gift;

#define HD_NO_STATE UINT32_MAX
typedef hd_vec(uint32_t) hd_state_numbers;

typedef struct hd_lifted {
    hd_action action;
    uint32_t parent, depth; /* HD_NO_STATE: a root */
    uint32_t place;         /* among the children of its parent; of a root: the caller's */
    uint32_t n_visible;     /* children up to the first whose action is not known */
    uint32_t n_below;       /* sequences below these that can be handed out */
    hd_gift given;          /* who planned it */
    hd_lifted_kind kind;
    bool is_known;              /* the action is that of an execution, not foretold */
    bool is_free;               /* a sequence that was handed out ends here */
    hd_state_numbers kids;      /* in the order of their insertion */
    hd_vec(hd_action) sleepers; /* but its children */
} hd_lifted;

typedef struct hd_lifted_tree {
    hd_vec(hd_lifted) at;
    uint32_t unused;  /* a list through `parent` */
    uint64_t n_ready; /* sequences that can be handed out, below all roots */
} hd_lifted_tree;

void hd_lifted_init(hd_lifted_tree *tree);
void hd_lifted_release(hd_lifted_tree *tree);
/* A planned state, the last child of its parent; without a parent a root.  States may move. */
uint32_t hd_lifted_add(hd_lifted_tree *tree, uint32_t parent, const hd_action *a, hd_gift given);
void hd_lifted_set_kind(hd_lifted_tree *tree, uint32_t state, hd_lifted_kind kind);
/* The action of the state was executed. */
void hd_lifted_set_known(hd_lifted_tree *tree, uint32_t state);
static inline bool hd_lifted_is_root(const hd_lifted_tree *tree, uint32_t state) {
    return tree->at.at[state].parent == HD_NO_STATE;
}
/* The state is done, and those above it whose children all are. */
void hd_lifted_finish(hd_lifted_tree *tree, uint32_t state);
/* A request was put below the state: it is not done any more, nor is what is above it. */
void hd_lifted_open_again(hd_lifted_tree *tree, uint32_t state);
/* The state is done, perhaps with some above it: forget what can be (T2).  False if its root is
 * done: that is for the caller to drop. */
bool hd_lifted_fold(hd_lifted_tree *tree, uint32_t state);
/* All that is below the state is somebody's who has it: the coordinator knows it no longer. */
void hd_lifted_give_below(hd_lifted_tree *tree, uint32_t state);
/* T2. */
bool hd_lifted_is_settled(const hd_lifted_tree *tree, uint32_t state);
void hd_lifted_drop_root(hd_lifted_tree *tree, uint32_t root);

/* Sequences that can be handed out, of the state and below it. */
static inline uint32_t hd_lifted_n_ready(const hd_lifted *l) {
    if (l->kind == HD_LIFTED_PLANNED && !l->kids.n)
        return 1;
    return l->kind == HD_LIFTED_PLANNED || l->kind == HD_LIFTED_KNOWN ? l->n_below : 0;
}
/* The last states of all of them, children in their order. */
void hd_lifted_list_ready(const hd_lifted_tree *tree, uint32_t state, hd_state_numbers *out);
/* The n-th of that list, without making it. */
uint32_t hd_lifted_nth_ready(const hd_lifted_tree *tree, uint32_t state, uint64_t n);
/* Is what is counted and forgotten below a root what one would find who looks at all of it? */
bool hd_lifted_is_right(const hd_lifted_tree *tree, uint32_t root);
#endif
