/* Copy on write (paper 004, section III-B): states of a node that have branched stay in one dstate
 * for as long as they have sent and received the same. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    hd_cohort_add(m, hd_state_cohort(m, state, 0), child);
}

/* Senders leave their rivals: they get a dstate of their own, with copies of everybody else.
 * Return their cohort there. */
static uint32_t part(hd_mapping *m, uint32_t cohort) {
    uint32_t origin = hd_few_at(&hd_cohort_of(m, cohort)->dstates)[0];
    uint32_t senders = hd_senders_part(m, cohort), dstate = hd_dstate_new(m);
    uint32_t node = hd_cohort_of(m, senders)->node;
    for (uint32_t n = 0; n < m->n_nodes; n++)
        hd_cohort_join(m, n == node ? senders : hd_cohort_fork(m, *hd_dstate_cohort(m, origin, n)),
                       dstate);
    return senders;
}

static void receive(hd_mapping *m, uint32_t cohort, hd_states *receivers) {
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++, m->counts.touched++)
        hd_vec_push(receivers, hd_cohort_member(m, cohort, i));
}

static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    hd_senders_find(m, senders, n_senders);
    for (size_t i = 0; i < m->senders_at.n; i++)
        if (hd_cohort_has_rivals(m, m->senders_at.at[i]))
            m->senders_at.at[i] = part(m, m->senders_at.at[i]);
    hd_targets_find(m, to);
    for (size_t i = 0; i < m->targets_at.n; i++)
        receive(m, m->targets_at.at[i], receivers);
}

const hd_mapping_rules hd_mapping_rules_cow = {branch, send_packet};
