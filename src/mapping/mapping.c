/* The mapping as others see it: the row of its algorithm, counts, and M1 to M4 and M6 as
 * assertions. */
#include "mapping/mapping_int.h"

#include "base/hostile.h"

#include <string.h>

static const hd_mapping_rules *const rules[] = {
#define X(constant, suffix, name, words) [HD_MAPPING_##constant] = &hd_mapping_rules_##suffix,
    HD_MAPPINGS(X)
#undef X
};

static const char *const names[] = {
#define X(constant, suffix, name, words) [HD_MAPPING_##constant] = name,
    HD_MAPPINGS(X)
#undef X
};

const char *hd_mapping_name(hd_mapping_kind kind) {
    HD_ASSERT(kind < HD_N_MAPPINGS);
    return names[kind];
}

hd_mapping_kind hd_mapping_named(const char *name) {
    unsigned kind = 0;
    while (kind < HD_N_MAPPINGS && strcmp(names[kind], name) != 0)
        kind++;
    return (hd_mapping_kind)kind;
}

/* Dstates cost an entry for each range, blocks one for each node of theirs.  Where dstates are the
 * combinations of what ranges have, three ranges are enough for blocks to be few. */
#define MOST_RANGES 3
static uint32_t width_for(uint32_t n_nodes) {
    uint32_t width = 1;
    while (width * width < n_nodes || width * MOST_RANGES < n_nodes)
        width++;
    return HD_HOSTILE(width, 1);
}

hd_mapping *hd_mapping_new(hd_mapping_kind kind, uint32_t n_nodes, const uint32_t *first,
                           hd_mapping_owner owner) {
    hd_mapping *m = calloc(1, sizeof *m);
    if (!m)
        hd_out_of_memory();
    HD_ASSERT(n_nodes > 0 && kind < HD_N_MAPPINGS);
    *m = (hd_mapping){.kind = kind, .n_nodes = n_nodes, .owner = owner};
    m->step = HD_HOSTILE(HD_NO_STEP, UINT32_MAX - 5);
    m->width = width_for(n_nodes);
    m->n_ranges = (n_nodes + m->width - 1) / m->width;
    uint32_t dstate = hd_dstate_new(m);
    for (uint32_t node = 0; node < n_nodes; node++) {
        uint32_t cohort = hd_cohort_new(m, node);
        hd_state_know(m, first[node]);
        hd_cohort_add(m, cohort, first[node]);
        hd_cohort_join(m, cohort, dstate);
    }
    return m;
}

void hd_mapping_free(hd_mapping *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->cohorts.n; i++) {
        hd_few_release(&m->cohorts.at[i].members);
        hd_few_release(&m->cohorts.at[i].blocks);
    }
    for (size_t i = 0; i < m->blocks.n; i++)
        hd_few_release(&m->blocks.at[i].dstates);
    hd_vec_release(&m->blocks);
    hd_vec_release(&m->slots);
    hd_vec_release(&m->free_blocks);
    hd_vec_release(&m->left);
    hd_vec_release(&m->cohorts);
    hd_vec_release(&m->states);
    hd_vec_release(&m->rows);
    hd_vec_release(&m->free_dstates);
    hd_vec_release(&m->free_cohorts);
    hd_vec_release(&m->senders_at);
    hd_vec_release(&m->targets_at);
    hd_mapping_costs_release(m);
    free(m);
}

/* Everything is checked after a change as long as that is cheap. */
#define SMALL 64
static void check_small(const hd_mapping *m) {
    if (HD_HOSTILE(false, true) && m->counts.states <= SMALL)
        hd_mapping_check(m);
}

void hd_mapping_branch(hd_mapping *m, uint32_t state, uint32_t child) {
    HD_ASSERT(hd_mapping_knows(m, state) && !hd_mapping_knows(m, child));
    hd_state_know(m, child);
    rules[m->kind]->branch(m, state, child);
    m->counts.branches++;
    check_small(m);
}

void hd_mapping_send(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                     hd_states *receivers) {
    HD_ASSERT(n_senders > 0 && to < m->n_nodes);
    uint32_t from = hd_mapping_node_of(m, senders[0]);
    for (size_t i = 0; i < n_senders; i++)
        HD_ASSERT(hd_mapping_node_of(m, senders[i]) == from);
    hd_vec_clear(receivers);
    hd_step_begin(m);
    for (size_t i = 0; from == to && i < n_senders; i++)
        hd_vec_push(receivers, senders[i]);
    if (from != to)
        rules[m->kind]->send(m, senders, n_senders, to, receivers);
    m->counts.sends++;
    m->counts.joined += n_senders - 1;
    check_small(m);
}

hd_mapping_kind hd_mapping_kind_of(const hd_mapping *m) {
    return m->kind;
}

uint32_t hd_mapping_n_nodes(const hd_mapping *m) {
    return m->n_nodes;
}

bool hd_mapping_knows(const hd_mapping *m, uint32_t state) {
    return state < m->states.n && hd_state_of(m, state)->cohort != HD_NO_COHORT;
}

uint32_t hd_mapping_node_of(const hd_mapping *m, uint32_t state) {
    HD_ASSERT(hd_mapping_knows(m, state));
    return hd_cohort_of(m, hd_state_of(m, state)->cohort)->node;
}

/* ---- counts ---- */

static uint64_t bytes_of(const hd_few *f) {
    return (uint64_t)f->capacity * sizeof(uint32_t);
}

void hd_mapping_dstates_of(const hd_mapping *m, uint32_t state, hd_states *out) {
    uint32_t cohort = hd_state_of(m, state)->cohort;
    hd_vec_clear(out);
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->blocks.n; i++)
        for (uint32_t k = 0; k < hd_block_size(m, hd_cohort_block(m, cohort, i)); k++)
            hd_vec_push(out, hd_block_dstate(m, hd_cohort_block(m, cohort, i), k));
}

void hd_mapping_members(const hd_mapping *m, uint32_t dstate, uint32_t node, hd_states *out) {
    uint32_t cohort = hd_dstate_cohort(m, dstate, node);
    hd_vec_clear(out);
    for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++)
        hd_vec_push(out, hd_cohort_member(m, cohort, i));
}

static uint64_t n_dstates_of(const hd_mapping *m, uint32_t cohort) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < hd_cohort_of(m, cohort)->blocks.n; i++)
        n += hd_block_size(m, hd_cohort_block(m, cohort, i));
    return n;
}

hd_mapping_counts hd_mapping_count(const hd_mapping *m) {
    hd_mapping_counts c = m->counts;
    c.cohorts = m->cohorts.n - m->free_cohorts.n;
    c.bytes = m->cohorts.capacity * sizeof *m->cohorts.at +
              m->states.capacity * sizeof *m->states.at + m->rows.capacity * sizeof(uint32_t) +
              m->slots.capacity * sizeof(uint32_t) + m->blocks.capacity * sizeof *m->blocks.at;
    for (size_t i = 0; i < m->cohorts.n; i++) {
        const hd_cohort *k = &m->cohorts.at[i];
        c.virtual_states += k->members.n * n_dstates_of(m, (uint32_t)i);
        c.bytes += bytes_of(&k->members) + bytes_of(&k->blocks);
    }
    for (size_t i = 0; i < m->blocks.n; i++)
        c.bytes += bytes_of(&m->blocks.at[i].dstates);
    return c;
}

/* ---- M1 to M4, M6 ---- */

static uint32_t count_in(const hd_few *list, uint32_t number) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        n += hd_few_at((hd_few *)list)[i] == number;
    return n;
}

static void check_dstate(const hd_mapping *m, uint32_t dstate) {
    for (uint32_t r = 0; r < m->n_ranges; r++) {
        const hd_mapping_block *b = &m->blocks.at[*hd_dstate_block(m, dstate, r)];
        HD_INVARIANT(M6, b->range == r && count_in(&b->dstates, dstate) == 1);
    }
    for (uint32_t node = 0; node < m->n_nodes; node++) {
        uint32_t cohort = hd_dstate_cohort(m, dstate, node);
        HD_INVARIANT(M1, cohort < m->cohorts.n && hd_cohort_size(m, cohort) > 0);
        uint32_t block = *hd_dstate_block(m, dstate, node / m->width);
        HD_INVARIANT(M4, count_in(&hd_cohort_of(m, cohort)->blocks, block) == 1);
    }
}

static void check_cohort(const hd_mapping *m, uint32_t cohort) {
    hd_cohort *k = hd_cohort_of(m, cohort);
    for (uint32_t i = 0; i < k->blocks.n; i++) {
        uint32_t block = hd_cohort_block(m, cohort, i);
        HD_INVARIANT(M4, hd_block_cohort(m, block, k->node) == cohort);
        HD_INVARIANT(M6, hd_block_size(m, block) > 0);
    }
    for (uint32_t i = 0; i < k->members.n; i++) {
        const hd_known_state *s = hd_state_of(m, hd_cohort_member(m, cohort, i));
        HD_INVARIANT(M2, s->cohort == cohort && s->place == i);
    }
    HD_INVARIANT(M3, k->members.n == 0 || k->blocks.n > 0);
    HD_INVARIANT(M3, m->kind == HD_MAPPING_SDS || n_dstates_of(m, cohort) <= 1);
}

static void check_state(const hd_mapping *m, uint32_t state) {
    const hd_known_state *s = hd_state_of(m, state);
    HD_INVARIANT(M4,
                 !hd_mapping_knows(m, state) || hd_cohort_member(m, s->cohort, s->place) == state);
}

void hd_mapping_check(const hd_mapping *m) {
    for (uint32_t d = 0; d < m->n_dstates; d++)
        if (!hd_dstate_is_free(m, d))
            check_dstate(m, d);
    for (uint32_t c = 0; c < m->cohorts.n; c++)
        check_cohort(m, c);
    for (uint32_t s = 0; s < m->states.n; s++)
        check_state(m, s);
}
