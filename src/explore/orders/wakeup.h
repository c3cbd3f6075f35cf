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
 * W4. From the end of a sequence on the execution is free.  In programs without decisions inside
 *     threads nothing sleeps there any more, so that whatever begins with the sequence is covered.
 *     With them threads may sleep there for some inputs: longer sequences stay in the tree, and
 *     are passed on to the state behind the end when that was reached.
 * W5. A sequence that goes down a tree is walked through without its steps that are gone, each of
 *     which is counted by the step before it that is not: most that share a beginning share it step
 *     by step, and what is there already costs as much as it is long.
 * W6. Where a thread's first step that is not gone is, is looked up if `by_thread` is there. */
#ifndef HD_EXPLORE_ORDERS_WAKEUP_H
#define HD_EXPLORE_ORDERS_WAKEUP_H
#include "base/vec.h"
#include "explore/events/events.h"
#include "explore/orders/demand.h"
#include "explore/orders/shared_actions.h"

#define HD_NO_WAKEUP 0 /* an empty tree */

/* One step of a sequence to insert.  `event` orders steps among each other. */
typedef struct hd_wakeup_step {
    const hd_action *action;
    hd_expr outcome; /* its decisions; HD_NONE = none, or the last one (but see W1) */
    hd_expr scope;   /* the same without assumptions, whose other way nobody needs */
    uint32_t event;  /* in the log; UINT32_MAX for the last one */
    uint32_t n_gone; /* scratch: so many steps right behind it are gone (W5) */
    uint32_t next;   /* with `by_thread`: the next step of its thread, beyond n if there is none */
} hd_wakeup_step;

/* Of the steps of one thread: the first that is not gone, beyond n if all
 * are; and the last. */
typedef struct hd_thread_steps {
    uint32_t sequence; /* that this is about */
    uint32_t first, last;
} hd_thread_steps;

typedef struct hd_wakeup_node {
    uint32_t does; /* the number of its action (hd_wakeup_do), 0 = that was not said */
    hd_expr outcome, scope;
    uint32_t child, next;
    uint32_t run;  /* inputs to run it with (runs.h), of the first node of an inserted piece */
    bool is_plain; /* its sequence was, so that it will be run (W4) */
} hd_wakeup_node;

typedef struct hd_wakeups {
    hd_vec(hd_wakeup_node) at; /* at[0] is unused */
    uint32_t unused;           /* list through `next` */
    hd_shared_actions actions; /* what nodes do */
} hd_wakeups;
static inline const hd_action *hd_wakeup_action(const hd_wakeups *w, uint32_t node) {
    return hd_shared_action_at(&w->actions, w->at.at[node].does);
}

void hd_wakeups_init(hd_wakeups *w);
void hd_wakeups_release(hd_wakeups *w);
/* A sequence to insert.  Its last step was executed after other events, or not at all: what comes
 * before it here is what conflicts with it and what orders it in any case. */
typedef struct hd_sequence {
    hd_wakeup_step *at;
    uint32_t n;
    const hd_events *log;       /* NULL: taken from a tree, ordered by conflicts */
    const uint32_t *last_clock; /* hd_events_own_clock of the last step; NULL: nothing */
    uint32_t from;              /* the event of the log in whose place it comes */
    hd_thread_steps *by_thread; /* of those with a step; NULL: not known */
    uint32_t number;            /* of the sequence, in `by_thread` */
    bool is_plain;              /* nothing on its way sleeps for some inputs only (W4) */
    uint32_t n_foreign;         /* scratch: steps above that it has not, which arrive at barriers */
    uint32_t n_gone;            /* scratch: so many steps at its beginning are gone (W5) */
} hd_sequence;

/* Are both arrivals at one barrier?  Asked if neither has seen the other. */
static inline bool hd_is_same_barrier(const hd_action *a, const hd_action *b) {
    return hd_kind_is(a->kind, HD_KIND_MEETS) && hd_kind_is(b->kind, HD_KIND_MEETS) &&
           a->access[0].address == b->access[0].address;
}

/* Two actions of one thread in one state: do both fail or both succeed, if they are exchanges? */
static inline bool hd_is_same_way(const hd_action *a, const hd_action *b) {
    return !hd_kind_is(a->kind, HD_KIND_EXCHANGES) || !((a->flags ^ b->flags) & HD_ACTION_FAILED);
}

/* The first step of the thread that is not gone, or n. */
uint32_t hd_sequence_step_of(const hd_sequence *s, uint32_t thread);
/* Step k is gone: what follows is about the rest. */
void hd_sequence_let_go(hd_sequence *s, uint32_t k);
/* Is `thread`, which would do `action`, a weak initial of the sequence: can it come first without
 * changing anything?  Steps that are gone do not count. */
bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action);

/* Insert into the tree *root for the inputs of the demand, where nothing there covers it. */
void hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, hd_demand *d);
/* Take the first node off the list *root: its number; its children are the tree that follows.
 * The caller frees the node. */
uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root);
void hd_wakeups_free(hd_wakeups *w, uint32_t node);
/* Take the first sequence (the first child of each node) out of the tree *root and free it, with
 * the inputs it holds. */
void hd_wakeups_drop_first(hd_wakeups *w, uint32_t *root, hd_runs *runs);
/* A new node at the end of the list *root; then say what it does. */
uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root);
static inline void hd_wakeup_do(hd_wakeups *w, uint32_t node, const hd_action *a) {
    w->at.at[node].does = hd_shared_actions_hold(&w->actions, a);
}
/* Nodes of the list, without their children. */
uint32_t hd_wakeups_width(const hd_wakeups *w, uint32_t root);
#endif
