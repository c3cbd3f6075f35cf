/* mapping_int.h -- dstates and cohorts as memory, and the columns of an algorithm.
 *
 *     dstate 0 ──▶ [ block 0 | block 1 ]      block 0 ──▶ [ cohort 0 | cohort 1 ]   a cohort for
 * each node dstate 1 ──▶ [ block 2 | block 1 ]      block 2 ──▶ [ cohort 3 | cohort 1 ]   cohort 1
 * and block 1 are shared
 *
 * The paper has a *virtual state* for each dstate that a state is in, and forks those of all
 * bystanders with each dstate.  But whatever happens to a state in SDS happens to all states of its
 * node that are in the same dstates, unless they send: these are its cohort, and cohorts never
 * overlap.  So dstates are made of cohorts, which they share.
 *
 * Most dstates differ from another one in the cohort of one node.  So nodes are divided into a few
 * ranges, and the cohorts of a range are a *block*, which dstates share as well: a dstate costs an
 * entry for each range, there and back, not for each node, and a block costs one for each of its
 * nodes. Cohorts know their blocks, and these their dstates. */
#ifndef HD_MAPPING_MAPPING_INT_H
#define HD_MAPPING_MAPPING_INT_H
#include "mapping/few.h"
#include "mapping/mapping.h"

#define HD_NO_COHORT UINT32_MAX
#define HD_NO_BLOCK  UINT32_MAX
#define HD_NO_STEP   0u

typedef struct hd_cohort {
    hd_few members, blocks;
    uint32_t node;
    uint32_t stamp; /* the step in which it was marked last; what follows is of that step */
    uint32_t n_senders;
    uint32_t part; /* of the senders, or HD_NO_COHORT */
    bool has_floor; /* dstate_costs.c */
} hd_cohort;

typedef struct hd_mapping_block {
    hd_few dstates; /* that have it */
    uint32_t range;
} hd_mapping_block;

typedef struct hd_known_state {
    uint32_t cohort; /* HD_NO_COHORT: not known */
    uint32_t place;  /* among its members */
} hd_known_state;

/* One algorithm. */
typedef struct hd_mapping_rules {
    void (*branch)(hd_mapping *m, uint32_t state, uint32_t child);
    void (*send)(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                 hd_states *receivers);
} hd_mapping_rules;
#define X(constant, suffix, name, words) extern const hd_mapping_rules hd_mapping_rules_##suffix;
HD_MAPPINGS(X)
#undef X

/* What states cost of budgets; all lists are empty without any.  Those by state, cohort and block
 * have an entry for each budget, but for `summed` and `pruned`, which say in which step. */
typedef struct hd_mapping_costs {
    hd_states budgets;
    hd_states of_states;
    hd_states floors, others, pruned; /* by cohort */
    hd_states sums, summed;           /* by block */
    hd_states floor;                  /* of the dstate that was looked at last */
    uint32_t step;
} hd_mapping_costs;

struct hd_mapping {
    hd_mapping_kind kind;
    uint32_t n_nodes;
    hd_mapping_owner owner;
    hd_vec(hd_known_state) states;
    hd_vec(hd_cohort) cohorts;
    uint32_t width, n_ranges; /* nodes of a range, but for the last one */
    hd_vec(hd_mapping_block) blocks;
    hd_vec(uint32_t) slots; /* cohort of each node of each block */
    hd_vec(uint32_t) rows;  /* block of each range of each dstate; HD_NO_BLOCK first: is free */
    uint32_t n_dstates;     /* rows */
    hd_states free_dstates, free_cohorts, free_blocks;
    uint32_t step;
    hd_states senders_at, targets_at; /* in a step: cohorts */
    hd_states left;                   /* scratch: dstates */
    hd_mapping_costs costs;
    hd_mapping_counts counts;         /* those that are no sums */
};

static inline hd_cohort *hd_cohort_of(const hd_mapping *m, uint32_t cohort) {
    return &m->cohorts.at[cohort];
}
static inline hd_known_state *hd_state_of(const hd_mapping *m, uint32_t state) {
    return &m->states.at[state];
}
static inline uint32_t *hd_dstate_block(const hd_mapping *m, uint32_t dstate, uint32_t range) {
    return &m->rows.at[(size_t)dstate * m->n_ranges + range];
}
static inline uint32_t hd_block_cohort(const hd_mapping *m, uint32_t block, uint32_t node) {
    return m->slots.at[(size_t)block * m->width + node % m->width];
}
/* The cohort of a node in a dstate. */
static inline uint32_t hd_dstate_cohort(const hd_mapping *m, uint32_t dstate, uint32_t node) {
    return hd_block_cohort(m, *hd_dstate_block(m, dstate, node / m->width), node);
}
static inline uint32_t hd_cohort_size(const hd_mapping *m, uint32_t cohort) {
    return m->cohorts.at[cohort].members.n;
}
static inline uint32_t hd_cohort_member(const hd_mapping *m, uint32_t cohort, uint32_t place) {
    return hd_few_at(&m->cohorts.at[cohort].members)[place];
}
static inline uint32_t hd_cohort_block(const hd_mapping *m, uint32_t cohort, uint32_t index) {
    return hd_few_at(&m->cohorts.at[cohort].blocks)[index];
}
static inline uint32_t hd_block_size(const hd_mapping *m, uint32_t block) {
    return m->blocks.at[block].dstates.n;
}
static inline uint32_t hd_block_dstate(const hd_mapping *m, uint32_t block, uint32_t index) {
    return hd_few_at(&m->blocks.at[block].dstates)[index];
}
/* Some dstate that the cohort is in. */
static inline uint32_t hd_cohort_dstate(const hd_mapping *m, uint32_t cohort) {
    return hd_block_dstate(m, hd_cohort_block(m, cohort, 0), 0);
}
static inline bool hd_dstate_is_free(const hd_mapping *m, uint32_t dstate) {
    return *hd_dstate_block(m, dstate, 0) == HD_NO_BLOCK;
}

/* ---- cohort_blocks.c ---- */

/* Nodes of a block: [begin, end). */
uint32_t hd_block_begin(const hd_mapping *m, uint32_t block);
uint32_t hd_block_end(const hd_mapping *m, uint32_t block);
/* Put the cohort into a block whose place for its node is empty. */
void hd_block_put(hd_mapping *m, uint32_t block, uint32_t cohort);
/* A block in no dstate that has the cohort at its node, and else what `block` has. */
uint32_t hd_block_copy(hd_mapping *m, uint32_t block, uint32_t cohort);
/* The cohort comes in place of the one at its node, in all dstates of the block. */
void hd_block_replace(hd_mapping *m, uint32_t block, uint32_t cohort);
/* The dstate has the block from now on; it has left the one that it had. */
void hd_block_join(hd_mapping *m, uint32_t block, uint32_t dstate);
/* Take the dstate off the list of its block, which may be the end of block and cohorts. */
void hd_block_leave(hd_mapping *m, uint32_t block, uint32_t dstate);
/* A dstate whose cohorts must still join: none of its blocks is shared. */
uint32_t hd_dstate_new(hd_mapping *m);
/* A dstate that has the block, and else what another one has. */
uint32_t hd_dstate_twin(hd_mapping *m, uint32_t dstate, uint32_t block);

/* ---- dstates.c ---- */

/* A cohort of nobody in no dstate; M1 and M3 are for the caller to make true. */
uint32_t hd_cohort_new(hd_mapping *m, uint32_t node);
/* Put a state that is in no cohort into one. */
void hd_cohort_add(hd_mapping *m, uint32_t cohort, uint32_t state);
/* A cohort of copies of all members, which their owner makes. */
uint32_t hd_cohort_fork(hd_mapping *m, uint32_t cohort);
/* Put the cohort into a dstate that hd_dstate_new made, at its node. */
void hd_cohort_join(hd_mapping *m, uint32_t cohort, uint32_t dstate);
/* A cohort that is in no block any more, with its members. */
void hd_cohort_dissolve(hd_mapping *m, uint32_t cohort);
/* The end of a dstate, and of states that were in no other. */
void hd_dstate_drop(hd_mapping *m, uint32_t dstate);
/* A state that nobody knew; it is in no cohort so far. */
void hd_state_know(hd_mapping *m, uint32_t state);

/* ---- dstate_costs.c ---- */

/* A state that nobody knew costs nothing; one that is a copy costs what its origin does. */
void hd_mapping_costs_begin(hd_mapping *m, uint32_t state);
void hd_mapping_costs_inherit(hd_mapping *m, uint32_t copy, uint32_t origin);
void hd_mapping_costs_release(hd_mapping *m);

/* ---- a step: marks that are forgotten by the next one ---- */
void hd_step_begin(hd_mapping *m);
static inline bool hd_cohort_is_marked(const hd_mapping *m, uint32_t cohort) {
    return m->cohorts.at[cohort].stamp == m->step;
}
/* Put the senders' cohorts into m->senders_at, marked.  Those that have rivals leave them for a
 * cohort of their own: it is marked instead, and `join` is called to put it into dstates. */
void hd_senders_part(hd_mapping *m, const uint32_t *senders, size_t n_senders,
                     void (*join)(hd_mapping *m, uint32_t rivals, uint32_t part));
/* Cohorts of node `to` in the dstates of m->senders_at go into m->targets_at. */
void hd_targets_find(hd_mapping *m, uint32_t to);
/* Members of all of m->targets_at. */
void hd_targets_receive(hd_mapping *m, hd_states *receivers);
#endif
