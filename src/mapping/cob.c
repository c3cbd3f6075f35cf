/* Copy on branch (paper 004, section III-A): a dstate has one state for each node, as a simulator
 * that is executed symbolically as a whole would have it.  Many copies, but right by its looks: the
 * others are compared with it. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    uint32_t cohort = hd_state_of(m, state)->cohort, node = hd_cohort_of(m, cohort)->node;
    uint32_t origin = hd_cohort_dstate(m, cohort), dstate = hd_dstate_new(m);
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        uint32_t copies =
            n == node ? hd_cohort_new(m, n) : hd_cohort_fork(m, hd_dstate_cohort(m, origin, n));
        if (n == node)
            hd_cohort_add(m, copies, child);
        hd_cohort_join(m, copies, dstate);
    }
}

static void never(hd_mapping *m, uint32_t rivals, uint32_t part) {
    (void)m, (void)part;
    HD_BUG("a dscenario has several states of a node: cohort %u", rivals);
}

static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    hd_senders_part(m, senders, n_senders, never);
    hd_targets_find(m, to);
    hd_targets_receive(m, receivers);
}

const hd_mapping_rules hd_mapping_rules_cob = {branch, send_packet};
