/* Super dstates (paper 004, section III-C, with the forking condition of docs/papers.md): a state
 * may be in several dstates, and only states that receive are copied.
 *
 * In terms of cohorts:
 *
 * 1. Senders with direct rivals leave their cohort for one of their own.  Each dstate of the cohort
 *    gets a twin, in which the senders are instead of the rivals and all other cohorts are shared.
 *    Now the sender's node has either senders or others in a dstate, never both.
 * 2. Targets are the members of all cohorts of the receiving node that are in a dstate with
 * senders.
 * 3. They are forked if their cohort is in a dstate without senders too: the twin of one with them
 *    (direct rivals), or one that never had them (super-rivals).
 * 4. The copies, which do not receive, are a cohort that takes over the dstates without senders.
 *
 * Bystanders are not looked at, but for an entry in their cohort for each twin. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    hd_cohort_add(m, hd_state_of(m, state)->cohort, child);
}

/* ---- 1: senders and their rivals part ---- */

static void join_twins(hd_mapping *m, uint32_t rivals, uint32_t part) {
    uint32_t node = hd_cohort_of(m, part)->node;
    for (uint32_t i = 0; i < hd_cohort_of(m, rivals)->dstates.n; i++) {
        uint32_t dstate = hd_cohort_dstate(m, rivals, i), twin = hd_dstate_new(m);
        for (uint32_t n = 0; n < m->n_nodes; n++)
            hd_cohort_join(m, n == node ? part : *hd_dstate_cohort(m, dstate, n), twin);
    }
}

/* ---- 3 and 4: copies of targets that do not receive everywhere ---- */

static bool has_senders(const hd_mapping *m, uint32_t dstate, uint32_t from) {
    return hd_cohort_is_marked(m, *hd_dstate_cohort(m, dstate, from));
}

static bool must_fork(hd_mapping *m, uint32_t cohort, uint32_t from) {
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->dstates.n; i++, m->counts.touched++)
        if (!has_senders(m, hd_cohort_dstate(m, cohort, i), from))
            return true;
    return false;
}

static void hand_over(hd_mapping *m, uint32_t cohort, uint32_t copies, uint32_t from) {
    hd_few *dstates = &hd_cohort_of(m, cohort)->dstates;
    uint32_t *at = hd_few_at(dstates), kept = 0;
    for (uint32_t i = 0; i < dstates->n; i++)
        if (has_senders(m, at[i], from))
            at[kept++] = at[i];
        else
            hd_cohort_join(m, copies, at[i]);
    dstates->n = kept;
    HD_INVARIANT(M3, kept > 0);
}

static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    uint32_t from = hd_mapping_node_of(m, senders[0]);
    hd_senders_part(m, senders, n_senders, join_twins);
    hd_targets_find(m, to);
    for (size_t i = 0; i < m->targets_at.n; i++)
        if (must_fork(m, m->targets_at.at[i], from))
            hand_over(m, m->targets_at.at[i], hd_cohort_fork(m, m->targets_at.at[i]), from);
    hd_targets_receive(m, receivers);
}

const hd_mapping_rules hd_mapping_rules_sds = {branch, send_packet};
