/* Groups of dstates that share no state (see mapping.h): what could be executed by somebody else.
 *
 * Blocks are joined by dstates that have them, and by cohorts that are in them. */
#include "mapping/mapping_int.h"

static uint32_t root_of(uint32_t *parent, uint32_t block) {
    while (parent[block] != block)
        block = parent[block] = parent[parent[block]];
    return block;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    parent[root_of(parent, a)] = root_of(parent, b);
}

static void join_all(const hd_mapping *m, uint32_t *parent) {
    for (uint32_t d = 0; d < m->n_dstates; d++)
        for (uint32_t r = 1; r < m->n_ranges && !hd_dstate_is_free(m, d); r++)
            join(parent, *hd_dstate_block(m, d, 0), *hd_dstate_block(m, d, r));
    for (uint32_t c = 0; c < m->cohorts.n; c++)
        for (uint32_t i = 1; i < m->cohorts.at[c].blocks.n; i++)
            join(parent, hd_cohort_block(m, c, 0), hd_cohort_block(m, c, i));
}

/* States of each group, at its root. */
static void add_up(const hd_mapping *m, uint32_t *parent, uint64_t *states) {
    for (uint32_t c = 0; c < m->cohorts.n; c++)
        if (m->cohorts.at[c].blocks.n)
            states[root_of(parent, hd_cohort_block(m, c, 0))] += hd_cohort_size(m, c);
}

hd_mapping_groups hd_mapping_group(const hd_mapping *m) {
    hd_mapping_groups g = {0};
    uint32_t *parent = calloc(m->blocks.n, sizeof *parent);
    uint64_t *states = calloc(m->blocks.n, sizeof *states);
    if (!parent || !states)
        hd_out_of_memory();
    for (uint32_t b = 0; b < m->blocks.n; b++)
        parent[b] = b;
    join_all(m, parent);
    add_up(m, parent, states);
    for (size_t b = 0; b < m->blocks.n; b++) {
        g.n += states[b] > 0;
        g.largest = states[b] > g.largest ? states[b] : g.largest;
    }
    free(parent);
    free(states);
    return g;
}
