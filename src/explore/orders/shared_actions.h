/* shared_actions.h -- actions that many hold: each is there once, under a number.
 *
 * Wakeup trees have a node for each step of each sequence, and most of these steps are the same
 * few actions, over and over.
 *
 * A1. Two numbers are the same if and only if the actions are, as far as these are in use.
 * A2. An action stays as long as somebody holds its number; then it may be replaced. */
#ifndef HD_EXPLORE_ORDERS_SHARED_ACTIONS_H
#define HD_EXPLORE_ORDERS_SHARED_ACTIONS_H
#include "base/vec.h"
#include "machine/action/action.h"

typedef struct hd_shared_action {
    hd_action action;
    uint32_t n_holders;
    uint32_t next; /* with the same hash, or not in use; 0 = end */
} hd_shared_action;

typedef struct hd_shared_actions {
    hd_vec(hd_shared_action) at; /* at[0] is unused */
    uint32_t *heads;             /* lists, by the upper bits of hashes */
    unsigned bits;               /* there are 1 << bits of them */
    uint32_t unused;             /* a list */
    uint32_t n_known;            /* in the lists of heads */
} hd_shared_actions;

void hd_shared_actions_init(hd_shared_actions *all);
void hd_shared_actions_release(hd_shared_actions *all);
/* The number of the action; whoever asks holds it. */
uint32_t hd_shared_actions_hold(hd_shared_actions *all, const hd_action *a);
static inline void hd_shared_actions_let_go(hd_shared_actions *all, uint32_t number) {
    all->at.at[number].n_holders--;
}
/* Good until the next one is held. */
static inline const hd_action *hd_shared_action_at(const hd_shared_actions *all, uint32_t number) {
    return &all->at.at[number].action;
}
#endif
