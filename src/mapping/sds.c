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
 * 3. A target is forked if it is in a dstate without senders too: the twin of a dstate that it was
 *    in (direct rivals), or one that never had the senders (super-rivals).
 * 4. The copy, which does not receive, takes the target's place in the dstates without senders: a
 *    cohort that is in dstates of both kinds parts, and one that is in none with senders takes the
 *    copies in.
 *
 * Bystanders are not looked at, but for an entry in their cohort for each twin. */
#include "mapping/mapping_int.h"

static void branch(hd_mapping *m, uint32_t state, uint32_t child) {
    uint32_t n = hd_state_n_cohorts(m, state);
    for (uint32_t i = 0; i < n; i++)
        hd_cohort_add(m, hd_state_cohort(m, state, i), child);
}

/* ---- 1: senders and their rivals part ---- */

static void make_twin(hd_mapping *m, uint32_t dstate, uint32_t senders) {
    uint32_t twin = hd_dstate_new(m), node = hd_cohort_of(m, senders)->node;
    for (uint32_t n = 0; n < m->n_nodes; n++)
        hd_cohort_join(m, n == node ? senders : *hd_dstate_cohort(m, dstate, n), twin);
}

static uint32_t part(hd_mapping *m, uint32_t cohort) {
    uint32_t senders = hd_senders_part(m, cohort);
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->dstates.n; i++)
        make_twin(m, hd_few_at(&hd_cohort_of(m, cohort)->dstates)[i], senders);
    return senders;
}

/* ---- 2 and 3: targets, and which of them are forked ---- */

static bool has_senders(const hd_mapping *m, uint32_t dstate, uint32_t from) {
    return hd_cohort_is_marked(m, *hd_dstate_cohort(m, dstate, from));
}

/* Mark target cohorts that are in a dstate without senders with 1. */
static void mark_parted(hd_mapping *m, uint32_t cohort, uint32_t from) {
    hd_few *dstates = &hd_cohort_of(m, cohort)->dstates;
    for (uint32_t i = 0; i < dstates->n; i++, m->counts.touched++)
        if (!has_senders(m, hd_few_at(dstates)[i], from)) {
            hd_cohort_of(m, cohort)->mark = 1;
            return;
        }
}

static bool must_fork(hd_mapping *m, uint32_t target) {
    for (uint32_t i = 0; i < hd_state_n_cohorts(m, target); i++, m->counts.touched++) {
        uint32_t cohort = hd_state_cohort(m, target, i);
        if (!hd_cohort_is_marked(m, cohort) || hd_cohort_of(m, cohort)->mark)
            return true;
    }
    return false;
}

static void receive(hd_mapping *m, uint32_t cohort, hd_states *receivers) {
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++, m->counts.touched++) {
        uint32_t target = hd_cohort_member(m, cohort, i);
        if (hd_state_of(m, target)->stamp == m->step)
            continue;
        hd_vec_push(receivers, target);
        uint32_t copy = must_fork(m, target) ? hd_state_fork(m, target) : HD_NO_STATE;
        hd_state_of(m, target)->stamp = m->step;
        hd_state_of(m, target)->copy = copy;
    }
}

/* ---- 4: copies take the places of targets that do not receive there ---- */

/* Dstates without senders go from the cohort to that of the copies. */
static void move_dstates(hd_mapping *m, uint32_t cohort, uint32_t copies, uint32_t from) {
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

static void part_target(hd_mapping *m, uint32_t cohort, uint32_t from) {
    if (!hd_cohort_of(m, cohort)->mark)
        return;
    uint32_t copies = hd_cohort_new(m, hd_cohort_of(m, cohort)->node);
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++)
        hd_cohort_add(m, copies, hd_state_of(m, hd_cohort_member(m, cohort, i))->copy);
    move_dstates(m, cohort, copies, from);
}

/* Super-rivals: cohorts that are in no dstate with senders have the copy instead of the target. */
static void give_up_others(hd_mapping *m, uint32_t target, uint32_t copy) {
    for (uint32_t i = hd_state_n_cohorts(m, target); copy != HD_NO_STATE && i-- > 0;) {
        uint32_t cohort = hd_state_cohort(m, target, i);
        if (hd_cohort_is_marked(m, cohort))
            continue;
        hd_state_leave(m, target, i);
        hd_cohort_add(m, cohort, copy);
    }
}

static void send_packet(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                        hd_states *receivers) {
    uint32_t from = hd_state_of(m, senders[0])->node;
    hd_senders_find(m, senders, n_senders);
    for (size_t i = 0; i < m->senders_at.n; i++)
        if (hd_cohort_has_rivals(m, m->senders_at.at[i]))
            m->senders_at.at[i] = part(m, m->senders_at.at[i]);
    hd_targets_find(m, to);
    for (size_t i = 0; i < m->targets_at.n; i++)
        mark_parted(m, m->targets_at.at[i], from);
    for (size_t i = 0; i < m->targets_at.n; i++)
        receive(m, m->targets_at.at[i], receivers);
    for (size_t i = 0; i < m->targets_at.n; i++)
        part_target(m, m->targets_at.at[i], from);
    for (size_t i = 0; i < receivers->n; i++)
        give_up_others(m, receivers->at[i], hd_state_of(m, receivers->at[i])->copy);
}

const hd_mapping_rules hd_mapping_rules_sds = {branch, send_packet};
