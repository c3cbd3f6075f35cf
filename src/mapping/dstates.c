/* Dstates as rows of blocks, blocks as rows of cohorts, cohorts as lists of members: what COB, COW
 * and SDS are made of.  Every function that looks at an entry counts it, so that tests can ask what
 * a step costs. */
#include "mapping/mapping_int.h"

/* ---- cohorts ---- */

uint32_t hd_cohort_new(hd_mapping *m, uint32_t node) {
    hd_cohort fresh = {.node = node, .stamp = HD_NO_STEP};
    if (m->free_cohorts.n) {
        uint32_t cohort = m->free_cohorts.at[--m->free_cohorts.n];
        m->cohorts.at[cohort] = fresh;
        return cohort;
    }
    HD_ASSERT(m->cohorts.n < HD_NO_COHORT);
    hd_vec_push(&m->cohorts, fresh);
    return (uint32_t)m->cohorts.n - 1;
}

void hd_cohort_add(hd_mapping *m, uint32_t cohort, uint32_t state) {
    hd_few *members = &hd_cohort_of(m, cohort)->members;
    hd_known_state *s = hd_state_of(m, state);
    HD_INVARIANT(M2, s->cohort == HD_NO_COHORT);
    *s = (hd_known_state){cohort, members->n};
    hd_few_push(members, state);
    hd_cohort_of(m, cohort)->has_floor = false;
    m->counts.touched++;
}

/* The last member takes the place of the one that leaves. */
static void leave(hd_mapping *m, uint32_t state) {
    hd_known_state *s = hd_state_of(m, state);
    hd_few *members = &hd_cohort_of(m, s->cohort)->members;
    hd_cohort_of(m, s->cohort)->has_floor = false;
    uint32_t *at = hd_few_at(members), last = at[--members->n];
    HD_INVARIANT(M4, at[s->place] == state || last == state);
    at[s->place] = last;
    hd_state_of(m, last)->place = s->place;
    s->cohort = HD_NO_COHORT;
    m->counts.touched++;
}

void hd_cohort_join(hd_mapping *m, uint32_t cohort, uint32_t dstate) {
    hd_block_put(m, *hd_dstate_block(m, dstate, hd_cohort_of(m, cohort)->node / m->width), cohort);
}

uint32_t hd_cohort_fork(hd_mapping *m, uint32_t cohort) {
    uint32_t fork = hd_cohort_new(m, hd_cohort_of(m, cohort)->node);
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++) {
        uint32_t copy = m->owner.fork(m->owner.context, hd_cohort_member(m, cohort, i));
        hd_state_know(m, copy);
        hd_mapping_costs_inherit(m, copy, hd_cohort_member(m, cohort, i));
        hd_cohort_add(m, fork, copy);
        m->counts.forks++;
    }
    return fork;
}

/* ---- states ---- */

void hd_state_know(hd_mapping *m, uint32_t state) {
    HD_ASSERT(state != HD_NO_STATE);
    while (m->states.n <= state)
        hd_vec_push(&m->states, ((hd_known_state){.cohort = HD_NO_COHORT}));
    HD_INVARIANT(M2, hd_state_of(m, state)->cohort == HD_NO_COHORT);
    hd_mapping_costs_begin(m, state);
    m->counts.states++;
}

static void release_state(hd_mapping *m, uint32_t state) {
    leave(m, state);
    m->counts.states--;
    m->counts.discarded++;
    if (m->owner.release)
        m->owner.release(m->owner.context, state);
}

/* ---- dstates ---- */

void hd_cohort_dissolve(hd_mapping *m, uint32_t cohort) {
    while (hd_cohort_size(m, cohort))
        release_state(m, hd_cohort_member(m, cohort, 0));
    hd_few_release(&hd_cohort_of(m, cohort)->members);
    hd_few_release(&hd_cohort_of(m, cohort)->blocks);
    hd_vec_push(&m->free_cohorts, cohort);
}

void hd_dstate_drop(hd_mapping *m, uint32_t dstate) {
    for (uint32_t r = 0; r < m->n_ranges; r++)
        hd_block_leave(m, *hd_dstate_block(m, dstate, r), dstate);
    *hd_dstate_block(m, dstate, 0) = HD_NO_BLOCK;
    hd_vec_push(&m->free_dstates, dstate);
    m->counts.dstates--;
}

/* Dstates in which its node has nobody else go with a state. */
void hd_mapping_discard(hd_mapping *m, uint32_t state) {
    HD_ASSERT(hd_mapping_knows(m, state));
    uint32_t cohort = hd_state_of(m, state)->cohort;
    if (hd_cohort_size(m, cohort) > 1)
        release_state(m, state);
    while (hd_mapping_knows(m, state))
        hd_dstate_drop(m, hd_cohort_dstate(m, cohort));
}

/* ---- steps ---- */

void hd_step_begin(hd_mapping *m) {
    hd_vec_clear(&m->senders_at);
    hd_vec_clear(&m->targets_at);
    if (++m->step != HD_NO_STEP)
        return;
    for (size_t i = 0; i < m->cohorts.n; i++)
        m->cohorts.at[i].stamp = HD_NO_STEP;
    m->step++;
}

/* Mark the cohort and put it on a list; nothing if it is marked. */
static void mark(hd_mapping *m, uint32_t cohort, hd_states *list) {
    hd_cohort *k = hd_cohort_of(m, cohort);
    m->counts.touched++;
    if (hd_cohort_is_marked(m, cohort))
        return;
    k->stamp = m->step;
    k->n_senders = 0;
    k->part = HD_NO_COHORT;
    hd_vec_push(list, cohort);
}

/* Senders with rivals move to the part of their cohort, which is made for the first of them. */
static void part(hd_mapping *m, uint32_t sender) {
    uint32_t cohort = hd_state_of(m, sender)->cohort;
    if (hd_cohort_of(m, cohort)->part == HD_NO_COHORT) {
        HD_ASSERT(hd_cohort_of(m, cohort)->n_senders <= hd_cohort_size(m, cohort));
        if (hd_cohort_of(m, cohort)->n_senders == hd_cohort_size(m, cohort))
            return;
        uint32_t fresh = hd_cohort_new(m, hd_cohort_of(m, cohort)->node);
        hd_cohort_of(m, cohort)->part = fresh;
    }
    leave(m, sender);
    hd_cohort_add(m, hd_cohort_of(m, cohort)->part, sender);
}

void hd_senders_part(hd_mapping *m, const uint32_t *senders, size_t n_senders,
                     void (*join)(hd_mapping *m, uint32_t rivals, uint32_t part)) {
    for (size_t i = 0; i < n_senders; i++) {
        uint32_t cohort = hd_state_of(m, senders[i])->cohort;
        mark(m, cohort, &m->senders_at);
        hd_cohort_of(m, cohort)->n_senders++;
    }
    for (size_t i = 0; i < n_senders; i++)
        part(m, senders[i]);
    for (size_t i = 0; i < m->senders_at.n; i++) {
        uint32_t rivals = m->senders_at.at[i], part = hd_cohort_of(m, rivals)->part;
        if (part == HD_NO_COHORT)
            continue;
        hd_cohort_of(m, rivals)->stamp = HD_NO_STEP;
        hd_cohort_of(m, part)->stamp = m->step;
        m->senders_at.at[i] = part;
        join(m, rivals, part);
    }
}

/* In a range that the senders are in, too, all dstates of a block have one cohort. */
static void find_in(hd_mapping *m, uint32_t block, uint32_t to) {
    if (m->blocks.at[block].range == to / m->width) {
        mark(m, hd_block_cohort(m, block, to), &m->targets_at);
        return;
    }
    for (uint32_t i = 0; i < hd_block_size(m, block); i++)
        mark(m, hd_dstate_cohort(m, hd_block_dstate(m, block, i), to), &m->targets_at);
}

void hd_targets_find(hd_mapping *m, uint32_t to) {
    for (size_t i = 0; i < m->senders_at.n; i++) {
        uint32_t cohort = m->senders_at.at[i];
        for (uint32_t k = 0; k < hd_cohort_of(m, cohort)->blocks.n; k++)
            find_in(m, hd_cohort_block(m, cohort, k), to);
    }
}

void hd_targets_receive(hd_mapping *m, hd_states *receivers) {
    for (size_t i = 0; i < m->targets_at.n; i++)
        for (uint32_t k = 0; k < hd_cohort_size(m, m->targets_at.at[i]); k++, m->counts.touched++)
            hd_vec_push(receivers, hd_cohort_member(m, m->targets_at.at[i], k));
}
