/* Copy on branch (paper 004, section III-A): a dstate has one state for each node, as a simulator
 * that is executed symbolically as a whole would have it.  Many copies, but right by its looks: the
 * others are compared with it. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    uint32_t origin = hd_few_at(&hd_cohort_of(m, hd_state_cohort(m, state, 0))->dstates)[0];
    uint32_t dstate = hd_dstate_new(m), node = hd_state_of(m, state)->node;
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        uint32_t cohort =
            n == node ? hd_cohort_new(m, n) : hd_cohort_fork(m, *hd_dstate_cohort(m, origin, n));
        if (n == node)
            hd_cohort_add(m, cohort, child);
        hd_cohort_join(m, cohort, dstate);
    }
}

/* Nobody has rivals. */
static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    hd_senders_find(m, senders, n_senders);
    hd_targets_find(m, to);
    for (size_t i = 0; i < m->targets_at.n; i++)
        hd_vec_push(receivers, hd_cohort_member(m, m->targets_at.at[i], 0));
}

const hd_mapping_rules hd_mapping_rules_cob = {branch, send_packet};
