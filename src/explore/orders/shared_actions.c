/* Shared actions: found by a hash, swept when there are too many that nobody holds. */
#include "explore/orders/shared_actions.h"

#include "base/hostile.h"
#include "base/panic.h"

#define FIRST_BITS HD_HOSTILE(8, 1)

static void make_heads(hd_shared_actions *all, unsigned bits) {
    free(all->heads);
    all->bits = bits;
    all->heads = calloc((size_t)1 << bits, sizeof *all->heads);
    if (!all->heads)
        hd_out_of_memory();
}

void hd_shared_actions_init(hd_shared_actions *all) {
    *all = (hd_shared_actions){0};
    hd_vec_push(&all->at, (hd_shared_action){0});
    make_heads(all, FIRST_BITS);
}

void hd_shared_actions_release(hd_shared_actions *all) {
    hd_vec_release(&all->at);
    free(all->heads);
    all->heads = NULL;
}

/* Asked for each step of a sequence: what differs in most actions has to do. */
static inline uint64_t hash_of(const hd_action *a) {
    uint64_t who = (uint64_t)a->thread << 32 | a->site;
    uint64_t what = a->n_accesses ? a->access[0].address + a->access[0].mode : 0;
    uint64_t h = (who + ((uint64_t)a->kind << 24) + ((uint64_t)a->flags << 56)) ^ what << 1;
    return ((h ^ h >> 29) + a->value) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t *head_of(const hd_shared_actions *all, const hd_action *a) {
    return &all->heads[hash_of(a) >> (64 - all->bits)];
}

static inline bool is_same(const hd_action *a, const hd_action *b) {
    return a->n_accesses == b->n_accesses && a->thread == b->thread && a->site == b->site &&
           memcmp(a, b, offsetof(hd_action, access) + a->n_accesses * sizeof *a->access) == 0;
}

/* Actions that nobody holds go; if there are still many, lists become shorter. */
static void sweep(hd_shared_actions *all) {
    uint32_t n_held = 0;
    for (size_t i = 1; i < all->at.n; i++)
        n_held += all->at.at[i].n_holders > 0;
    bool is_wide = n_held >> (all->bits - 1);
    make_heads(all, all->bits + is_wide);
    all->unused = 0;
    all->n_known = n_held;
    for (uint32_t i = (uint32_t)all->at.n; i-- > 1;) {
        hd_shared_action *s = &all->at.at[i];
        uint32_t *list = s->n_holders ? head_of(all, &s->action) : &all->unused;
        s->next = *list;
        *list = i;
    }
}

static uint32_t add(hd_shared_actions *all, const hd_action *a) {
    if (all->n_known >> all->bits)
        sweep(all);
    uint32_t n = all->unused, *head = head_of(all, a);
    if (n)
        all->unused = all->at.at[n].next;
    else {
        n = (uint32_t)all->at.n;
        hd_vec_push(&all->at, (hd_shared_action){0});
    }
    hd_shared_action *s = &all->at.at[n];
    hd_action_copy(&s->action, a);
    s->n_holders = 1;
    s->next = *head;
    *head = n;
    all->n_known++;
    return n;
}

uint32_t hd_shared_actions_hold(hd_shared_actions *all, const hd_action *a) {
    uint32_t n = *head_of(all, a);
    while (n && !is_same(&all->at.at[n].action, a))
        n = all->at.at[n].next;
    if (!n)
        n = add(all, a);
    else
        all->at.at[n].n_holders++;
    HD_CHECK_INVARIANT(A1, is_same(&all->at.at[n].action, a));
    HD_CHECK_INVARIANT(A2, all->at.at[n].n_holders > 0);
    return n;
}
