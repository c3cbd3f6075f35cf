/* Dstates as rows of a table of cohorts, cohorts as lists of members: what COB, COW and SDS are
 * made of.  Every function that looks at an entry counts it, so that tests can ask what a step
 * costs. */
#include "mapping/mapping_int.h"

/* ---- cohorts ---- */

uint32_t hd_cohort_new(hd_mapping *m, uint32_t node) {
    hd_cohort fresh = {.node = node, .stamp = HD_NO_STEP};
    if (m->free_cohorts.n) {
        uint32_t cohort = m->free_cohorts.at[--m->free_cohorts.n];
        m->cohorts.at[cohort] = fresh;
        return cohort;
    }
    HD_ASSERT(m->cohorts.n < HD_NO_STATE);
    hd_vec_push(&m->cohorts, fresh);
    return (uint32_t)m->cohorts.n - 1;
}

void hd_cohort_add(hd_mapping *m, uint32_t cohort, uint32_t state) {
    hd_few *members = &hd_cohort_of(m, cohort)->members;
    hd_few *cohorts = &hd_state_of(m, state)->cohorts;
    HD_INVARIANT(M2, hd_cohort_of(m, cohort)->node == hd_state_of(m, state)->node);
    uint32_t place = cohorts->n / 2;
    hd_few_push(cohorts, cohort);
    hd_few_push(cohorts, members->n / 2);
    hd_few_push(members, state);
    hd_few_push(members, place);
    m->counts.touched++;
}

/* The last pair of a list goes where pair `place` was.  Return what it is about. */
static uint32_t fill(hd_few *list, uint32_t place, uint32_t *other_place) {
    uint32_t *at = hd_few_at(list), last = list->n / 2 - 1;
    at[2 * place] = at[2 * last];
    at[2 * place + 1] = at[2 * last + 1];
    list->n -= 2;
    *other_place = at[2 * place + 1];
    return at[2 * place];
}

/* Both pairs go: the state's, and the one that belongs to it (D1). */
void hd_state_leave(hd_mapping *m, uint32_t state, uint32_t place) {
    hd_few *cohorts = &hd_state_of(m, state)->cohorts;
    uint32_t cohort = hd_few_at(cohorts)[2 * place];
    uint32_t index = hd_few_at(cohorts)[2 * place + 1], other;
    hd_few *members = &hd_cohort_of(m, cohort)->members;
    HD_INVARIANT(D1, hd_few_at(members)[2 * index] == state);
    uint32_t moved = fill(members, index, &other);
    if (index < members->n / 2)
        hd_few_at(&hd_state_of(m, moved)->cohorts)[2 * other + 1] = index;
    moved = fill(cohorts, place, &other);
    if (place < cohorts->n / 2)
        hd_few_at(&hd_cohort_of(m, moved)->members)[2 * other + 1] = place;
    m->counts.touched++;
}

/* Member number `index` leaves its cohort. */
static uint32_t take_member(hd_mapping *m, uint32_t cohort, uint32_t index) {
    const uint32_t *pair = hd_few_at(&hd_cohort_of(m, cohort)->members) + 2 * index;
    uint32_t state = pair[0];
    hd_state_leave(m, state, pair[1]);
    return state;
}

void hd_cohort_join(hd_mapping *m, uint32_t cohort, uint32_t dstate) {
    *hd_dstate_cohort(m, dstate, hd_cohort_of(m, cohort)->node) = cohort;
    hd_few_push(&hd_cohort_of(m, cohort)->dstates, dstate);
    m->counts.touched++;
}

uint32_t hd_cohort_fork(hd_mapping *m, uint32_t cohort) {
    uint32_t fork = hd_cohort_new(m, hd_cohort_of(m, cohort)->node);
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++)
        hd_cohort_add(m, fork, hd_state_fork(m, hd_cohort_member(m, cohort, i)));
    return fork;
}

/* ---- states ---- */

void hd_state_know(hd_mapping *m, uint32_t state, uint32_t node) {
    HD_ASSERT(state != HD_NO_STATE && node < m->n_nodes);
    while (m->states.n <= state)
        hd_vec_push(&m->states, (hd_known_state){.stamp = HD_NO_STEP});
    hd_known_state *k = hd_state_of(m, state);
    HD_ASSERT(k->cohorts.n == 0);
    k->node = node;
    k->stamp = HD_NO_STEP;
    k->copy = HD_NO_STATE;
    m->counts.states++;
}

uint32_t hd_state_fork(hd_mapping *m, uint32_t state) {
    uint32_t copy = m->owner.fork(m->owner.context, state);
    hd_state_know(m, copy, hd_state_of(m, state)->node);
    m->counts.forks++;
    return copy;
}

static void release_state(hd_mapping *m, uint32_t state) {
    HD_INVARIANT(M3, hd_state_n_cohorts(m, state) == 0);
    hd_few_release(&hd_state_of(m, state)->cohorts);
    m->counts.states--;
    m->counts.discarded++;
    if (m->owner.release)
        m->owner.release(m->owner.context, state);
}

/* ---- dstates ---- */

uint32_t hd_dstate_new(hd_mapping *m) {
    m->counts.dstates++;
    if (m->free_dstates.n)
        return m->free_dstates.at[--m->free_dstates.n];
    HD_ASSERT(m->n_dstates < HD_NO_STATE - 1);
    hd_vec_reserve(&m->table, m->table.n + m->n_nodes);
    m->table.n += m->n_nodes;
    return m->n_dstates++;
}

/* A cohort that is in no dstate any more: nobody needs it. */
static void dissolve(hd_mapping *m, uint32_t cohort) {
    while (hd_cohort_size(m, cohort)) {
        uint32_t state = take_member(m, cohort, 0);
        if (hd_state_n_cohorts(m, state) == 0)
            release_state(m, state);
    }
    hd_few_release(&hd_cohort_of(m, cohort)->members);
    hd_few_release(&hd_cohort_of(m, cohort)->dstates);
    hd_vec_push(&m->free_cohorts, cohort);
}

static void forget_dstate(hd_mapping *m, uint32_t cohort, uint32_t dstate) {
    hd_few *dstates = &hd_cohort_of(m, cohort)->dstates;
    uint32_t *at = hd_few_at(dstates), i = 0;
    while (i < dstates->n && at[i] != dstate)
        i++;
    m->counts.touched += i + 1;
    HD_INVARIANT(M4, i < dstates->n);
    at[i] = at[--dstates->n];
    if (dstates->n == 0)
        dissolve(m, cohort);
}

void hd_dstate_drop(hd_mapping *m, uint32_t dstate) {
    for (uint32_t node = 0; node < m->n_nodes; node++)
        forget_dstate(m, *hd_dstate_cohort(m, dstate, node), dstate);
    *hd_dstate_cohort(m, dstate, 0) = HD_NO_STATE;
    hd_vec_push(&m->free_dstates, dstate);
    m->counts.dstates--;
}

/* State by state, and dstates in which its node has no other. */
void hd_mapping_discard(hd_mapping *m, uint32_t state) {
    HD_ASSERT(hd_mapping_knows(m, state));
    while (hd_mapping_knows(m, state)) {
        uint32_t cohort = hd_state_cohort(m, state, 0);
        if (hd_cohort_size(m, cohort) == 1) {
            hd_dstate_drop(m, hd_few_at(&hd_cohort_of(m, cohort)->dstates)[0]);
            continue;
        }
        hd_state_leave(m, state, 0);
        if (hd_state_n_cohorts(m, state) == 0)
            release_state(m, state);
    }
}

/* ---- steps ---- */

void hd_step_begin(hd_mapping *m) {
    hd_vec_clear(&m->senders_at);
    hd_vec_clear(&m->targets_at);
    if (++m->step != HD_NO_STEP)
        return;
    for (size_t i = 0; i < m->cohorts.n; i++)
        m->cohorts.at[i].stamp = HD_NO_STEP;
    for (size_t i = 0; i < m->states.n; i++)
        m->states.at[i].stamp = HD_NO_STEP;
    m->step++;
}

bool hd_cohort_mark(hd_mapping *m, uint32_t cohort) {
    m->counts.touched++;
    if (hd_cohort_is_marked(m, cohort))
        return false;
    hd_cohort_of(m, cohort)->stamp = m->step;
    hd_cohort_of(m, cohort)->mark = 0;
    return true;
}

void hd_senders_find(hd_mapping *m, const uint32_t *senders, size_t n_senders) {
    for (size_t i = 0; i < n_senders; i++) {
        hd_known_state *s = hd_state_of(m, senders[i]);
        HD_ASSERT(s->stamp != m->step); /* nobody sends the same packet twice */
        s->stamp = m->step;
        for (uint32_t k = 0; k < hd_state_n_cohorts(m, senders[i]); k++) {
            uint32_t cohort = hd_state_cohort(m, senders[i], k);
            if (hd_cohort_mark(m, cohort))
                hd_vec_push(&m->senders_at, cohort);
            hd_cohort_of(m, cohort)->mark++;
        }
    }
}

uint32_t hd_senders_part(hd_mapping *m, uint32_t cohort) {
    uint32_t part = hd_cohort_new(m, hd_cohort_of(m, cohort)->node);
    for (uint32_t i = hd_cohort_size(m, cohort); i-- > 0; m->counts.touched++)
        if (hd_state_of(m, hd_cohort_member(m, cohort, i))->stamp == m->step)
            hd_cohort_add(m, part, take_member(m, cohort, i));
    hd_cohort_mark(m, part);
    hd_cohort_of(m, part)->mark = hd_cohort_size(m, part);
    hd_cohort_of(m, cohort)->stamp = HD_NO_STEP;
    return part;
}

void hd_targets_find(hd_mapping *m, uint32_t to) {
    for (size_t i = 0; i < m->senders_at.n; i++) {
        hd_few *dstates = &hd_cohort_of(m, m->senders_at.at[i])->dstates;
        for (uint32_t k = 0; k < dstates->n; k++) {
            uint32_t target = *hd_dstate_cohort(m, hd_few_at(dstates)[k], to);
            if (hd_cohort_mark(m, target))
                hd_vec_push(&m->targets_at, target);
        }
    }
}
