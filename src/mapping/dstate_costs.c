/* Budgets that all nodes share (see mapping.h): what dscenarios cost at least.
 *
 * The *floor* of a cohort is what each of its members costs at least, that of a block or a dstate
 * the sum of those of its cohorts, for each budget by itself.  A dstate whose floor is above a
 * budget has no possible dscenario.  What the others of a state cost at least is the least
 * difference of floors of all its dstates: a budget that another dstate would break is not seen so,
 * which costs states and loses none.
 *
 * Nothing is kept up to date but floors of cohorts, which change when members come, go or pay: who
 * asks about a state looks at the dstates of its cohort, as a send of it would.
 *
 * B1. What a state costs never falls.
 * B2. A dstate is dropped only if each of its dscenarios costs more than some budget. */
#include "mapping/mapping_int.h"

#include <string.h>

/* The entries of one of whatever the list is about; those that are new are zero. */
static uint32_t *entries(hd_states *list, uint32_t index, uint32_t n) {
    size_t end = ((size_t)index + 1) * n;
    hd_vec_reserve(list, end);
    while (list->n < end)
        list->at[list->n++] = 0;
    return &list->at[end - n];
}

void hd_mapping_share_budgets(hd_mapping *m, const uint32_t *budgets, uint32_t n) {
    HD_ASSERT(m->counts.branches == 0 && !m->costs.budgets.n);
    for (uint32_t k = 0; k < n; k++)
        hd_vec_push(&m->costs.budgets, budgets[k]);
}

static uint32_t n_budgets(const hd_mapping *m) {
    return (uint32_t)m->costs.budgets.n;
}

static uint32_t *costs_of(hd_mapping *m, uint32_t state) {
    return entries(&m->costs.of_states, state, n_budgets(m));
}

void hd_mapping_costs_begin(hd_mapping *m, uint32_t state) {
    if (n_budgets(m))
        memset(costs_of(m, state), 0, n_budgets(m) * sizeof(uint32_t));
}

void hd_mapping_costs_inherit(hd_mapping *m, uint32_t copy, uint32_t origin) {
    if (!n_budgets(m))
        return;
    costs_of(m, copy > origin ? copy : origin); /* there is room for both */
    memcpy(costs_of(m, copy), costs_of(m, origin), n_budgets(m) * sizeof(uint32_t));
}

void hd_mapping_spend(hd_mapping *m, uint32_t state, const uint32_t *costs) {
    HD_ASSERT(hd_mapping_knows(m, state));
    for (uint32_t k = 0; k < n_budgets(m); k++) {
        uint32_t *cost = &costs_of(m, state)[k];
        HD_INVARIANT(B1, costs[k] >= *cost);
        *cost = costs[k];
    }
    hd_cohort_of(m, hd_state_of(m, state)->cohort)->has_floor = false;
}

/* ---- floors ---- */

static void find_floor(hd_mapping *m, uint32_t cohort, uint32_t *floor) {
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++, m->counts.touched++) {
        const uint32_t *costs = costs_of(m, hd_cohort_member(m, cohort, i));
        for (uint32_t k = 0; k < n_budgets(m); k++)
            if (i == 0 || costs[k] < floor[k])
                floor[k] = costs[k];
    }
}

static const uint32_t *floor_of(hd_mapping *m, uint32_t cohort) {
    uint32_t *floor = entries(&m->costs.floors, cohort, n_budgets(m));
    if (!hd_cohort_of(m, cohort)->has_floor)
        find_floor(m, cohort, floor);
    hd_cohort_of(m, cohort)->has_floor = true;
    return floor;
}

/* Blocks are added up once in a step. */
static const uint32_t *floor_of_block(hd_mapping *m, uint32_t block) {
    uint32_t *sum = entries(&m->costs.sums, block, n_budgets(m));
    uint32_t *summed = entries(&m->costs.summed, block, 1);
    if (*summed == m->costs.step)
        return sum;
    *summed = m->costs.step;
    memset(sum, 0, n_budgets(m) * sizeof *sum);
    for (uint32_t n = hd_block_begin(m, block); n < hd_block_end(m, block);
         n++, m->counts.touched++)
        for (uint32_t k = 0; k < n_budgets(m); k++)
            sum[k] += floor_of(m, hd_block_cohort(m, block, n))[k];
    return sum;
}

/* Into m->costs.floor; is it within every budget? */
static bool is_affordable(hd_mapping *m, uint32_t dstate) {
    uint32_t *floor = entries(&m->costs.floor, 0, n_budgets(m));
    bool fits = true;
    memset(floor, 0, n_budgets(m) * sizeof *floor);
    for (uint32_t r = 0; r < m->n_ranges; r++, m->counts.touched++)
        for (uint32_t k = 0; k < n_budgets(m); k++)
            floor[k] += floor_of_block(m, *hd_dstate_block(m, dstate, r))[k];
    for (uint32_t k = 0; k < n_budgets(m); k++)
        fits &= floor[k] <= m->costs.budgets.at[k];
    return fits;
}

/* ---- what no budget allows ---- */

static void list_dstates(hd_mapping *m, uint32_t cohort) {
    hd_vec_clear(&m->left);
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->blocks.n; i++)
        for (uint32_t k = 0; k < hd_block_size(m, hd_cohort_block(m, cohort, i)); k++)
            hd_vec_push(&m->left, hd_block_dstate(m, hd_cohort_block(m, cohort, i), k));
}

/* The dstate is one of the cohort: the others in it may cost less than in those before. */
static void note_others(hd_mapping *m, uint32_t cohort) {
    uint32_t *others = entries(&m->costs.others, cohort, n_budgets(m));
    const uint32_t *own = floor_of(m, cohort);
    for (uint32_t k = 0; k < n_budgets(m); k++)
        if (m->costs.floor.at[k] - own[k] < others[k])
            others[k] = m->costs.floor.at[k] - own[k];
}

static void prune_cohort(hd_mapping *m, uint32_t cohort) {
    uint32_t *seen = entries(&m->costs.pruned, cohort, 1);
    if (*seen == m->costs.step)
        return;
    *seen = m->costs.step;
    memset(entries(&m->costs.others, cohort, n_budgets(m)), 0xff, n_budgets(m) * sizeof(uint32_t));
    list_dstates(m, cohort);
    for (size_t i = 0; i < m->left.n; i++)
        if (is_affordable(m, m->left.at[i]))
            note_others(m, cohort);
        else {
            m->counts.too_dear++;
            hd_dstate_drop(m, m->left.at[i]); /* B2 */
        }
}

static bool fits(hd_mapping *m, uint32_t state) {
    const uint32_t *others = hd_mapping_others(m, state), *own = costs_of(m, state);
    for (uint32_t k = 0; k < n_budgets(m); k++)
        if (own[k] + others[k] > m->costs.budgets.at[k])
            return false;
    return true;
}

const uint32_t *hd_mapping_others(hd_mapping *m, uint32_t state) {
    return entries(&m->costs.others, hd_state_of(m, state)->cohort, n_budgets(m));
}

static void begin_step(hd_mapping *m) {
    if (++m->costs.step != HD_NO_STEP)
        return;
    hd_vec_clear(&m->costs.summed);
    hd_vec_clear(&m->costs.pruned);
    m->costs.step++;
}

void hd_mapping_prune(hd_mapping *m, const uint32_t *states, size_t n) {
    if (!n_budgets(m))
        return;
    begin_step(m);
    for (size_t i = 0; i < n; i++)
        if (hd_mapping_knows(m, states[i]))
            prune_cohort(m, hd_state_of(m, states[i])->cohort);
    for (size_t i = 0; i < n; i++)
        if (hd_mapping_knows(m, states[i]) && !fits(m, states[i]))
            hd_mapping_discard(m, states[i]);
}

void hd_mapping_costs_release(hd_mapping *m) {
    hd_vec_release(&m->costs.budgets);
    hd_vec_release(&m->costs.of_states);
    hd_vec_release(&m->costs.floors);
    hd_vec_release(&m->costs.sums);
    hd_vec_release(&m->costs.summed);
    hd_vec_release(&m->costs.others);
    hd_vec_release(&m->costs.pruned);
    hd_vec_release(&m->costs.floor);
}
