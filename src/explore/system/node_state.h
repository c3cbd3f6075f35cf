/* node_state.h -- states of nodes, as recipes (docs/design.md D12).
 *
 * A node state is what has happened to its node since it began, the constraints of the inputs for
 * which that is what it does, and what is under way to it.  Whoever wants to go on from it runs the
 * node alone (machine/outside.h) and lets the same happen again: no memory is kept, so nothing of
 * it can be wrong, and a state costs some hundred bytes.  States that have a past in common share
 * it.
 *
 * R1. The model of a state satisfies its constraints, and leads through its recipe with the same
 *     decisions as before: `n_decisions` of them, with the hash `decisions`.
 * R2. What is shared (happenings, packets) never changes; it is gone with its last user.
 * Not here: which states belong together (mapping/), what happens next (system.h). */
#ifndef HD_EXPLORE_SYSTEM_NODE_STATE_H
#define HD_EXPLORE_SYSTEM_NODE_STATE_H
#include "explore/explore_int.h"
#include "machine/outside.h"

typedef struct hd_value {
    hd_var variable;
    uint64_t value;
} hd_value;
typedef hd_vec(hd_value) hd_few_values; /* a model of few variables */

/* A packet that was sent, with what its receiver has to know of its sender's inputs (paper 004 is
 * silent about it: PC24 in docs/papers.md). */
typedef struct hd_sent {
    uint32_t n_users;
    hd_packet packet; /* bytes and words are its own */
    hd_exprs constraints;
    hd_few_values values; /* of the sender */
    uint64_t key;         /* equal packets with equal constraints have equal ones */
    uint64_t place;       /* among all of its sender: rounds, then what is sent in one; states that
                             have sent others before it send it at the same place */
} hd_sent;

/* Something that has happened, and what happened before it. */
typedef struct hd_happening {
    uint32_t n_users;
    uint32_t n; /* so many with it */
    struct hd_happening *before;
    uint64_t time;
    hd_sent *sent; /* NULL: what the node came to by itself */
} hd_happening;

typedef enum hd_state_status {
    HD_STATE_UNUSED,
    HD_STATE_NEW,     /* its node has not begun */
    HD_STATE_WAITING, /* for something to happen */
    HD_STATE_ENDED,
} hd_state_status;

typedef struct hd_node_state {
    hd_state_status status;
    uint32_t node;
    hd_happening *last; /* NULL: nothing since it began */
    uint32_t n_decisions;
    uint64_t decisions; /* R1 */
    hd_exprs constraints;
    hd_few_values values;
    hd_indices spent;          /* of budgets that nodes share: budget.h; empty if there are none */
    hd_indices covered;        /* what it was the first to cover: entries of the search's list */
    uint64_t shown;            /* what it showed of what it exported: judged.h */
    hd_wait_end own;           /* WAITING: what it comes to by itself */
    bool may_answer;           /* ENDED: its host answers what still arrives */
    hd_vec(hd_sent *) pending; /* under way to it, the next first */
} hd_node_state;

hd_sent *hd_sent_new(const hd_packet *packet);
hd_sent *hd_sent_use(hd_sent *s);
void hd_sent_drop(hd_sent *s);
hd_happening *hd_happening_new(hd_happening *before, uint64_t time, hd_sent *sent);
hd_happening *hd_happening_use(hd_happening *h);
void hd_happening_drop(hd_happening *h);

void hd_node_state_copy(hd_node_state *to, const hd_node_state *from);
void hd_node_state_release(hd_node_state *s);
/* A packet is under way to the state. */
void hd_node_state_give(hd_node_state *s, hd_sent *sent);
/* The node has ended: nothing that is under way to it matters but what its host answers. */
void hd_node_state_forget(hd_node_state *s);
/* Does the state notice that a packet arrives? */
bool hd_node_state_hears(const hd_node_state *s, const hd_packet *packet);
/* When something happens to it next; UINT64_MAX: never. */
uint64_t hd_node_state_next(const hd_node_state *s);
/* Does the state wait for ever, for what should come? */
bool hd_node_state_is_stuck(const hd_node_state *s);
/* The next happening, which is not pending any more.  The caller drops it. */
hd_happening *hd_node_state_take(hd_node_state *s);

void hd_few_values_load(const hd_few_values *values, hd_model *model); /* unknown ones only */
void hd_few_values_keep(hd_few_values *values, const hd_model *model);
void hd_exprs_copy(hd_exprs *to, const hd_exprs *from);
#endif
