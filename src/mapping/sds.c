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
 * Bystanders are not looked at, but for an entry in the block of their range for each twin. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    hd_cohort_add(m, hd_state_of(m, state)->cohort, child);
}

/* ---- 1: senders and their rivals part ---- */

static void join_twins(hd_mapping *m, uint32_t rivals, uint32_t part) {
    for (uint32_t i = 0; i < hd_cohort_of(m, rivals)->blocks.n; i++) {
        uint32_t block = hd_cohort_block(m, rivals, i), copy = hd_block_copy(m, block, part);
        for (uint32_t k = 0; k < hd_block_size(m, block); k++)
            hd_dstate_twin(m, hd_block_dstate(m, block, k), copy);
    }
}

/* ---- 3 and 4: copies of targets that do not receive everywhere ---- */

static bool has_senders(hd_mapping *m, uint32_t dstate, uint32_t from) {
    m->counts.touched++;
    return hd_cohort_is_marked(m, hd_dstate_cohort(m, dstate, from));
}

static bool must_fork(hd_mapping *m, uint32_t cohort, uint32_t from) {
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->blocks.n; i++) {
        uint32_t block = hd_cohort_block(m, cohort, i);
        bool is_near = m->blocks.at[block].range == from / m->width; /* then all are like one */
        for (uint32_t k = 0; k < (is_near ? 1 : hd_block_size(m, block)); k++)
            if (!has_senders(m, hd_block_dstate(m, block, k), from))
                return true;
    }
    return false;
}

/* Dstates without senders leave the block; how many have stayed. */
static uint32_t part_block(hd_mapping *m, uint32_t block, uint32_t from, hd_states *left) {
    hd_few *dstates = &m->blocks.at[block].dstates;
    uint32_t *at = hd_few_at(dstates), kept = 0;
    hd_vec_clear(left);
    for (uint32_t i = 0; i < dstates->n; i++)
        if (has_senders(m, at[i], from))
            kept++;
        else
            hd_vec_push(left, at[i]);
    if (kept && left->n) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < dstates->n; i++)
            if (has_senders(m, at[i], from))
                at[n++] = at[i];
        dstates->n = n;
    }
    return kept;
}

/* From the last block on: a block that the copies take over leaves the list of the cohort. */
static void hand_over(hd_mapping *m, uint32_t cohort, uint32_t copies, uint32_t from) {
    for (uint32_t i = hd_cohort_of(m, cohort)->blocks.n; i-- > 0;) {
        uint32_t block = hd_cohort_block(m, cohort, i);
        uint32_t kept = part_block(m, block, from, &m->left);
        if (!kept) {
            hd_block_replace(m, block, copies);
        } else if (m->left.n) {
            uint32_t copy = hd_block_copy(m, block, copies);
            for (size_t k = 0; k < m->left.n; k++)
                hd_block_join(m, copy, m->left.at[k]);
        }
    }
    HD_INVARIANT(M3, hd_cohort_of(m, cohort)->blocks.n > 0);
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
