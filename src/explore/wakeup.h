/* wakeup.h -- wakeup trees: the sequences of events that must still be run from a state.
 *
 * Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas: "Optimal dynamic
 * partial order reduction", 2014) keeps for each state of the current execution an ordered tree
 * of such sequences.  A sequence is inserted where it shares beginnings with others, and not at
 * all if one that is there already covers it; so nothing is run twice, and no execution ends
 * because all that could go on is asleep.
 *
 * W1. A step is an event and the decisions on inputs that its thread made until its next event.
 *     While a sequence is run its decisions are choices like all others, and from another way of
 *     one on the execution is free: a sequence that begins with the same thread and decides
 *     differently is covered by that.
 * W2. Children of a node are in the order in which they are run. */
#ifndef HD_EXPLORE_WAKEUP_H
#define HD_EXPLORE_WAKEUP_H
#include "base/vec.h"
#include "explore/events.h"

#define HD_NO_WAKEUP 0 /* an empty tree */

/* One step of a sequence to insert.  `event` orders steps among each other. */
typedef struct hd_wakeup_step {
    const hd_action *action;
    uint64_t decisions; /* hash of its decisions, 0 = none; not known for the last one */
    uint32_t event;     /* in the log; UINT32_MAX for the last one */
    bool is_gone;       /* scratch */
} hd_wakeup_step;

typedef struct hd_wakeup_node {
    hd_action action;
    uint64_t decisions;
    uint32_t child, next;
    uint32_t run; /* inputs to run it with (runs.h), of the first node of an inserted piece */
} hd_wakeup_node;

typedef struct hd_wakeups {
    hd_vec(hd_wakeup_node) at; /* at[0] is unused */
    uint32_t unused;           /* list through `next` */
} hd_wakeups;

void hd_wakeups_init(hd_wakeups *w);
void hd_wakeups_release(hd_wakeups *w);
/* The last step was executed after other events, or not at all: what comes before it here is what
 * conflicts with it and what orders it in any case. */
typedef struct hd_sequence {
    hd_wakeup_step *at;
    uint32_t n;
    const hd_events *log;
    const uint32_t *last_clock; /* hd_events_own_clock of the last step; NULL: nothing */
} hd_sequence;

/* Is `thread`, which would do `action`, a weak initial of the sequence: can it come first without
 * changing anything?  Steps that are gone do not count. */
bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action);

/* Insert into the tree *root; false if it is covered already (nothing changed).  `run` is noted
 * on what is added. */
bool hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, uint32_t run);
/* Take the first node off the list *root: its number; its children are the tree that follows.
 * The caller frees the node. */
uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root);
void hd_wakeups_free(hd_wakeups *w, uint32_t node);
/* A new node at the end of the list *root. */
uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root);
/* Nodes of the list, without their children. */
uint32_t hd_wakeups_width(const hd_wakeups *w, uint32_t root);
#endif
