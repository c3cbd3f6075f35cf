/* Blocks: cohorts of neighbouring nodes, as dstates share them (see mapping_int.h).
 *
 * A new block is always a copy of another in which one node has a new cohort: no two blocks have
 * the same cohorts. */
#include "mapping/mapping_int.h"

static uint32_t *slot_of(const hd_mapping *m, uint32_t block, uint32_t node) {
    return &m->slots.at[(size_t)block * m->width + node % m->width];
}

static uint32_t new_block(hd_mapping *m, uint32_t range) {
    hd_mapping_block fresh = {.range = range};
    if (m->free_blocks.n) {
        uint32_t block = m->free_blocks.at[--m->free_blocks.n];
        m->blocks.at[block] = fresh;
        return block;
    }
    HD_ASSERT(m->blocks.n < HD_NO_BLOCK);
    hd_vec_push(&m->blocks, fresh);
    hd_vec_reserve(&m->slots, m->slots.n + m->width);
    m->slots.n += m->width;
    return (uint32_t)m->blocks.n - 1;
}

uint32_t hd_block_end(const hd_mapping *m, uint32_t block) {
    uint32_t end = (m->blocks.at[block].range + 1) * m->width;
    return end < m->n_nodes ? end : m->n_nodes;
}

uint32_t hd_block_begin(const hd_mapping *m, uint32_t block) {
    return m->blocks.at[block].range * m->width;
}

void hd_block_put(hd_mapping *m, uint32_t block, uint32_t cohort) {
    *slot_of(m, block, hd_cohort_of(m, cohort)->node) = cohort;
    hd_few_push(&hd_cohort_of(m, cohort)->blocks, block);
    m->counts.touched++;
}

uint32_t hd_block_copy(hd_mapping *m, uint32_t block, uint32_t cohort) {
    uint32_t copy = new_block(m, m->blocks.at[block].range), node = hd_cohort_of(m, cohort)->node;
    HD_INVARIANT(M6, node / m->width == m->blocks.at[block].range);
    for (uint32_t n = hd_block_begin(m, block); n < hd_block_end(m, block); n++)
        hd_block_put(m, copy, n == node ? cohort : *slot_of(m, block, n));
    return copy;
}

static void forget_block(hd_mapping *m, uint32_t cohort, uint32_t block) {
    m->counts.touched += hd_few_remove(&hd_cohort_of(m, cohort)->blocks, block);
}

void hd_block_replace(hd_mapping *m, uint32_t block, uint32_t cohort) {
    forget_block(m, *slot_of(m, block, hd_cohort_of(m, cohort)->node), block);
    hd_block_put(m, block, cohort);
}

void hd_block_join(hd_mapping *m, uint32_t block, uint32_t dstate) {
    *hd_dstate_block(m, dstate, m->blocks.at[block].range) = block;
    hd_few_push(&m->blocks.at[block].dstates, dstate);
    m->counts.touched++;
}

/* A block that is in no dstate any more, and cohorts that were in no other block. */
static void free_block(hd_mapping *m, uint32_t block) {
    for (uint32_t n = hd_block_begin(m, block); n < hd_block_end(m, block); n++) {
        uint32_t cohort = *slot_of(m, block, n);
        forget_block(m, cohort, block);
        if (!hd_cohort_of(m, cohort)->blocks.n)
            hd_cohort_dissolve(m, cohort);
    }
    hd_few_release(&m->blocks.at[block].dstates);
    hd_vec_push(&m->free_blocks, block);
}

void hd_block_leave(hd_mapping *m, uint32_t block, uint32_t dstate) {
    m->counts.touched += hd_few_remove(&m->blocks.at[block].dstates, dstate);
    if (!m->blocks.at[block].dstates.n)
        free_block(m, block);
}

/* ---- dstates ---- */

static uint32_t new_row(hd_mapping *m) {
    m->counts.dstates++;
    if (m->free_dstates.n)
        return m->free_dstates.at[--m->free_dstates.n];
    HD_ASSERT(m->n_dstates < UINT32_MAX);
    hd_vec_reserve(&m->rows, m->rows.n + m->n_ranges);
    m->rows.n += m->n_ranges;
    return m->n_dstates++;
}

uint32_t hd_dstate_new(hd_mapping *m) {
    uint32_t dstate = new_row(m);
    for (uint32_t r = 0; r < m->n_ranges; r++)
        hd_block_join(m, new_block(m, r), dstate);
    return dstate;
}

uint32_t hd_dstate_twin(hd_mapping *m, uint32_t dstate, uint32_t block) {
    uint32_t twin = new_row(m);
    for (uint32_t r = 0; r < m->n_ranges; r++)
        hd_block_join(m, r == m->blocks.at[block].range ? block : *hd_dstate_block(m, dstate, r),
                      twin);
    return twin;
}
