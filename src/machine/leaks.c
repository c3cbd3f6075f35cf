/* Blocks that nothing points to any more when the program ends.
 *
 * Roots are the globals, the objects behind input pointers, the world, and the stack if the
 * program called exit().  A word that is an address inside a block reaches it, wherever in
 * the block it points: this never reports a block that the program could still have freed. */
#include "machine/machine_int.h"

#include <stdio.h>

static void reach_from(hd_machine *m, uint64_t from, uint64_t to) {
    for (uint64_t at = (from + 7) & ~UINT64_C(7); at + 8 <= to; at += 8) {
        uint64_t word = *(const uint64_t *)at;
        if (word - HD_HEAP_BASE >= HD_HEAP_LIMIT)
            continue;
        hd_block *b = hd_heap_near(&m->heap, word);
        bool is_inside = b && word >= b->address && (word - b->address < b->size || !b->size);
        if (is_inside && !b->is_free && !b->is_reached) {
            b->is_reached = true;
            hd_vec_push(&m->reaching, (uint32_t)(b - m->heap.blocks.at));
        }
    }
}

static void reach_all(hd_machine *m, uint64_t stack) {
    hd_vec_clear(&m->reaching);
    reach_from(m, m->module->data_start, m->module->data_end);
    reach_from(m, HD_WORLD_BASE, m->world_top);
    if (stack)
        reach_from(m, stack, m->stack_top);
    for (size_t i = 0; i < m->objects.n; i++)
        reach_from(m, m->objects.at[i].address, m->objects.at[i].address + m->objects.at[i].size);
    while (m->reaching.n) {
        const hd_block *b = &m->heap.blocks.at[m->reaching.at[--m->reaching.n]];
        reach_from(m, b->address, b->address + b->size);
    }
}

void hd_leaks_check(hd_machine *m, uint64_t stack) {
    if (m->heap.in_use == 0)
        return;
    reach_all(m, stack);
    uint64_t blocks = 0, bytes = 0;
    const hd_block *first = NULL;
    for (size_t i = 0; i < m->heap.blocks.n; i++) {
        const hd_block *b = &m->heap.blocks.at[i];
        if (b->is_free || b->is_reached || b->is_hidden)
            continue;
        first = first ? first : b;
        blocks++;
        bytes += b->size;
    }
    if (!first)
        return;
    hd_finding *f = &m->outcome->finding;
    hd_finding_fill(m, HD_FINDING_LEAK, 0);
    snprintf(f->message, sizeof f->message,
             "%lu bytes in %lu blocks are lost; the first was allocated here", bytes, blocks);
    /* The place that matters is where the block came from. */
    f->stack[0] = first->allocated_at;
    f->n_stack = first->allocated_at ? 1 : 0;
    hd_end_filled(m);
}
