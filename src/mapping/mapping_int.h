/* mapping_int.h -- dstates and cohorts as memory, and the columns of an algorithm.
 *
 *     dstate 0 ──▶ [ cohort 0 | cohort 1 | cohort 2 ]          a cohort for each node
 *     dstate 1 ──▶ [ cohort 3 | cohort 1 | cohort 2 ]          cohorts 1 and 2 are shared
 *
 * The paper has a *virtual state* for each dstate that a state is in, and forks those of all
 * bystanders with each dstate.  States of one node that are in the same dstates need no virtual
 * states of their own: they are a cohort, which dstates share.  A bystander costs eight bytes for
 * each dstate then, however many states its node has, and a branch costs one entry for each cohort
 * that the state is in instead of one for each dstate.
 *
 * D1. A member knows its place among the cohorts of its state, which knows its place among the
 *     members: both are found without looking for them. */
#ifndef HD_MAPPING_MAPPING_INT_H
#define HD_MAPPING_MAPPING_INT_H
#include "mapping/few.h"
#include "mapping/mapping.h"

/* What beginning stamps with: the first steps of hostile builds are those in which stamps wrap. */
#define HD_NO_STEP 0u

typedef struct hd_cohort {
    hd_few members; /* pairs: state, index of the pair in hd_known_state.cohorts */
    hd_few dstates;
    uint32_t node;
    uint32_t stamp; /* the step in which it was marked last */
    uint32_t mark;
} hd_cohort;

typedef struct hd_known_state {
    hd_few cohorts; /* pairs: cohort, index of the pair in hd_cohort.members; none: not known */
    uint32_t node;
    uint32_t stamp;
    uint32_t copy; /* in a step: its fork, or HD_NO_STATE */
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
    hd_vec(uint32_t) table; /* cohort of each node of each dstate; HD_NO_STATE first: is free */
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
    return m->cohorts.at[cohort].members.n / 2;
}
static inline uint32_t hd_cohort_member(const hd_mapping *m, uint32_t cohort, uint32_t index) {
    return hd_few_at(&m->cohorts.at[cohort].members)[2 * index];
}
static inline uint32_t hd_state_n_cohorts(const hd_mapping *m, uint32_t state) {
    return m->states.at[state].cohorts.n / 2;
}
static inline uint32_t hd_state_cohort(const hd_mapping *m, uint32_t state, uint32_t index) {
    return hd_few_at(&m->states.at[state].cohorts)[2 * index];
}
static inline bool hd_dstate_is_free(const hd_mapping *m, uint32_t dstate) {
    return *hd_dstate_cohort(m, dstate, 0) == HD_NO_STATE;
}

/* ---- dstates.c ---- */

/* A cohort of nobody in no dstate; M1 and M4 are for the caller to make true. */
uint32_t hd_cohort_new(hd_mapping *m, uint32_t node);
void hd_cohort_add(hd_mapping *m, uint32_t cohort, uint32_t state);
/* The state leaves the cohort that is at `place` among its cohorts. */
void hd_state_leave(hd_mapping *m, uint32_t state, uint32_t place);
/* Put the cohort into a dstate, at its node. */
void hd_cohort_join(hd_mapping *m, uint32_t cohort, uint32_t dstate);
/* A dstate whose cohorts must still join. */
uint32_t hd_dstate_new(hd_mapping *m);
/* Take a dstate away, and states that are in no other. */
void hd_dstate_drop(hd_mapping *m, uint32_t dstate);
/* A state that nobody knew, on a node. */
void hd_state_know(hd_mapping *m, uint32_t state, uint32_t node);
/* A copy of a state, made by the owner; it is in no cohort so far. */
uint32_t hd_state_fork(hd_mapping *m, uint32_t state);
/* A cohort of copies of all members. */
uint32_t hd_cohort_fork(hd_mapping *m, uint32_t cohort);

/* ---- a step: marks that are forgotten by the next one ---- */
void hd_step_begin(hd_mapping *m);
static inline bool hd_cohort_is_marked(const hd_mapping *m, uint32_t cohort) {
    return m->cohorts.at[cohort].stamp == m->step;
}
/* Mark the cohort; false if it is marked. */
bool hd_cohort_mark(hd_mapping *m, uint32_t cohort);
/* Cohorts of the senders go into m->senders_at, marked with the number of senders in them. */
void hd_senders_find(hd_mapping *m, const uint32_t *senders, size_t n_senders);
/* Senders of this cohort leave it for a new one, which is returned and marked; the rivals' cohort
 * is not marked any more. */
uint32_t hd_senders_part(hd_mapping *m, uint32_t cohort);
static inline bool hd_cohort_has_rivals(const hd_mapping *m, uint32_t cohort) {
    return m->cohorts.at[cohort].mark < hd_cohort_size(m, cohort);
}
/* Cohorts of node `to` in the dstates of m->senders_at go into m->targets_at, marked with 0. */
void hd_targets_find(hd_mapping *m, uint32_t to);
#endif
