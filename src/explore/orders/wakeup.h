/* wakeup.h -- wakeup trees: the sequences of events that must still be run from a state.
 *
 * Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas: "Optimal dynamic
 * partial order reduction", 2014) keeps for each state of the current execution an ordered tree
 * of such sequences.  A sequence is inserted where it shares beginnings with others, and not at
 * all if one that is there already covers it; so nothing is run twice, and no execution ends
 * because all that could go on is asleep.
 *
 * W1. A step is an event with its outcome: the decisions on inputs that its thread made until its
 *     next event.  The same action with another outcome is another step.  What the last step of
 *     a sequence decides is open: all outcomes are meant; except that an exchange which inputs
 *     decide either fails or succeeds, which are two steps (exchange.c).
 * W2. Children of a node are in the order in which they are run.
 * W3. A step with an outcome covers only inputs that lead to it; for others the sequence goes on
 *     to the next child (demand.h).
 * W4. From the end of what is planned of a sequence on the execution is free.  In programs without
 *     decisions inside threads nothing sleeps there any more, so that whatever begins with the
 *     sequence is covered.  With them threads may sleep there for some inputs: longer sequences
 *     stay in the tree, and are passed on to the state behind the end when that was reached.
 * W5. A sequence that goes down a tree is walked through without its steps that are gone, each of
 *     which is counted by the steps before and behind it that are not: most that share a beginning
 *     share it step by step, and what is there already costs as much as it is long.
 * W6. Where a thread's first step that is not gone is, is looked up if `by_thread` is there. */
#ifndef HD_EXPLORE_ORDERS_WAKEUP_H
#define HD_EXPLORE_ORDERS_WAKEUP_H
#include "explore/orders/demand.h"
#include "explore/orders/needed_steps.h"
#include "explore/orders/sequence.h"
#include "explore/orders/shared_actions.h"

#define HD_NO_WAKEUP 0 /* an empty tree */

typedef struct hd_wakeup_node {
    uint32_t does; /* the number of its action (hd_wakeup_do), 0 = that was not said */
    hd_expr outcome, scope;
    uint32_t child, next;
    uint32_t run;  /* inputs to run it with (runs.h), of the first node of an inserted piece */
    bool is_plain; /* its sequence was, so that it will be run (W4) */
} hd_wakeup_node;

typedef hd_vec(const hd_action *) hd_asleep;

typedef struct hd_wakeups {
    hd_vec(hd_wakeup_node) at; /* at[0] is unused */
    uint32_t unused;           /* list through `next` */
    hd_shared_actions actions; /* what nodes do */
    /* Scratch of an insertion: nodes that it went down, who sleeps behind them, what is planned. */
    hd_vec(uint32_t) way;
    hd_asleep asleep;
    hd_needed_steps needed;
} hd_wakeups;
static inline const hd_action *hd_wakeup_action(const hd_wakeups *w, uint32_t node) {
    return hd_shared_action_at(&w->actions, w->at.at[node].does);
}

void hd_wakeups_init(hd_wakeups *w);
void hd_wakeups_release(hd_wakeups *w);
/* Insert into the tree *root for the inputs of the demand, where nothing there covers it.  `asleep`
 * are those who need not go next in the state of the tree, and the event of the path: as much of a
 * plain sequence is planned as wakes them (needed_steps.h).  NULL: all of it. */
void hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, hd_demand *d,
                       const hd_asleep *asleep);
/* Take the first node off the list *root: its number; its children are the tree that follows.
 * The caller frees the node. */
uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root);
void hd_wakeups_free(hd_wakeups *w, uint32_t node);
/* Take the first sequence (the first child of each node) out of the tree *root and free it, with
 * the inputs it holds. */
void hd_wakeups_drop_first(hd_wakeups *w, uint32_t *root, hd_runs *runs);
/* A new node at the end of the list *root, behind its last node or HD_NO_WAKEUP; then say what it
 * does. */
uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root, uint32_t last);
static inline void hd_wakeup_do(hd_wakeups *w, uint32_t node, const hd_action *a) {
    w->at.at[node].does = hd_shared_actions_hold(&w->actions, a);
}
/* Nodes of the list, without their children. */
uint32_t hd_wakeups_width(const hd_wakeups *w, uint32_t root);
#endif
