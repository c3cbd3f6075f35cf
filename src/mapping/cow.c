/* Copy on write (paper 004, section III-B): states of a node that have branched stay in one dstate
 * for as long as they have sent and received the same. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    hd_cohort_add(m, hd_state_of(m, state)->cohort, child);
}

/* Senders get a dstate of their own, with copies of everybody but their rivals. */
static void join_copies(hd_mapping *m, uint32_t rivals, uint32_t part) {
    uint32_t origin = hd_cohort_dstate(m, rivals), dstate = hd_dstate_new(m);
    uint32_t node = hd_cohort_of(m, part)->node;
    for (uint32_t n = 0; n < m->n_nodes; n++)
        hd_cohort_join(m, n == node ? part : hd_cohort_fork(m, hd_dstate_cohort(m, origin, n)),
                       dstate);
}

static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    hd_senders_part(m, senders, n_senders, join_copies);
    hd_targets_find(m, to);
    hd_targets_receive(m, receivers);
}

const hd_mapping_rules hd_mapping_rules_cow = {branch, send_packet};
