/* mapping_int.h -- dstates and cohorts as memory, and the columns of an algorithm.
 *
 *     dstate 0 ──▶ [ cohort 0 | cohort 1 | cohort 2 ]          a cohort for each node
 *     dstate 1 ──▶ [ cohort 3 | cohort 1 | cohort 2 ]          cohorts 1 and 2 are shared
 *
 * The paper has a *virtual state* for each dstate that a state is in, and forks those of all
 * bystanders with each dstate.  But whatever happens to a state in SDS happens to all states of its
 * node that are in the same dstates, unless they send: these are its cohort, and cohorts never
 * overlap.  So dstates are made of cohorts, which they share.  A bystander costs eight bytes for
 * each dstate then, however many states its node has, and a branch adds a member to one cohort. */
#ifndef HD_MAPPING_MAPPING_INT_H
#define HD_MAPPING_MAPPING_INT_H
#include "mapping/few.h"
#include "mapping/mapping.h"

#define HD_NO_COHORT UINT32_MAX
#define HD_NO_STEP   0u

typedef struct hd_cohort {
    hd_few members, dstates;
    uint32_t node;
    uint32_t stamp; /* the step in which it was marked last; what follows is of that step */
    uint32_t n_senders;
    uint32_t part; /* of the senders, or HD_NO_COHORT */
} hd_cohort;

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

struct hd_mapping {
    hd_mapping_kind kind;
    uint32_t n_nodes;
    hd_mapping_owner owner;
    hd_vec(hd_known_state) states;
    hd_vec(hd_cohort) cohorts;
    hd_vec(uint32_t) table; /* cohort of each node of each dstate; HD_NO_COHORT first: is free */
    uint32_t n_dstates;     /* rows of the table */
    hd_states free_dstates, free_cohorts;
    uint32_t step;
    hd_states senders_at, targets_at; /* in a step: cohorts */
    hd_mapping_counts counts;         /* those that are no sums */
};

static inline hd_cohort *hd_cohort_of(const hd_mapping *m, uint32_t cohort) {
    return &m->cohorts.at[cohort];
}
static inline hd_known_state *hd_state_of(const hd_mapping *m, uint32_t state) {
    return &m->states.at[state];
}
/* The cohort of a node in a dstate. */
static inline uint32_t *hd_dstate_cohort(const hd_mapping *m, uint32_t dstate, uint32_t node) {
    return &m->table.at[(size_t)dstate * m->n_nodes + node];
}
static inline uint32_t hd_cohort_size(const hd_mapping *m, uint32_t cohort) {
    return m->cohorts.at[cohort].members.n;
}
static inline uint32_t hd_cohort_member(const hd_mapping *m, uint32_t cohort, uint32_t place) {
    return hd_few_at(&m->cohorts.at[cohort].members)[place];
}
static inline uint32_t hd_cohort_dstate(const hd_mapping *m, uint32_t cohort, uint32_t index) {
    return hd_few_at(&m->cohorts.at[cohort].dstates)[index];
}
static inline bool hd_dstate_is_free(const hd_mapping *m, uint32_t dstate) {
    return *hd_dstate_cohort(m, dstate, 0) == HD_NO_COHORT;
}

/* ---- dstates.c ---- */

/* A cohort of nobody in no dstate; M1 and M3 are for the caller to make true. */
uint32_t hd_cohort_new(hd_mapping *m, uint32_t node);
/* Put a state that is in no cohort into one. */
void hd_cohort_add(hd_mapping *m, uint32_t cohort, uint32_t state);
/* A cohort of copies of all members, which their owner makes. */
uint32_t hd_cohort_fork(hd_mapping *m, uint32_t cohort);
/* Put the cohort into a dstate, at its node. */
void hd_cohort_join(hd_mapping *m, uint32_t cohort, uint32_t dstate);
/* A dstate whose cohorts must still join. */
uint32_t hd_dstate_new(hd_mapping *m);
/* A state that nobody knew; it is in no cohort so far. */
void hd_state_know(hd_mapping *m, uint32_t state);

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
