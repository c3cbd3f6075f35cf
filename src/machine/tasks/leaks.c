/* Blocks that nothing points to any more when the program ends.
 *
 * Roots are the globals, the objects behind input pointers, the world, and the stack if the
 * program called exit() (compile/compiler/holders.c puts there what locals hold): from the frame
 * that called it on, because frames of ours lie where earlier ones, of malloc too, have left
 * addresses.  What another thread has allocated that is still there may be in its registers only:
 * it is not looked at.  A word that is an address inside a block reaches it, wherever in the block
 * it points: this never reports a block that the program could still have freed. */
#include "machine/tasks/process.h"

#include <stdio.h>

static void reach_from(hd_machine *m, uint64_t from, uint64_t to) {
    HD_CHECK(from <= to);
    for (uint64_t at = (from + 7) & ~UINT64_C(7); at + 8 <= to; at += 8) {
        uint64_t word = *(const uint64_t *)at;
        if (word - HD_HEAP_BASE >= HD_HEAP_LIMIT)
            continue;
        hd_block *b = hd_heap_near(hd_heap_of(m, word), word);
        bool is_inside = b && word >= b->address && (word - b->address < b->size || !b->size);
        if (is_inside && !b->is_free && !b->is_reached) {
            HD_CHECK(b->size <= b->room);
            b->is_reached = true;
            hd_vec_push(&m->memory.reaching, b);
        }
    }
}

/* A thread of the process that ends; what it inherited by fork is not looked at. */
static bool is_own(const hd_machine *m, uint32_t thread) {
    return m->thread[thread].is_used && !m->thread[thread].is_courier &&
           hd_process_of(m, thread) == hd_process_current(m);
}

static void reach_word(hd_machine *m, const uint64_t *word) {
    reach_from(m, (uint64_t)word, (uint64_t)word + sizeof *word);
}

/* The lowest address that a thread which waits may have written: locals, or registers that it
 * keeps. */
static uint64_t bottom_of(const hd_thread *t) {
    uint64_t low = t->stack_low - HD_LOCAL_PAD, saved = (uint64_t)t->saved;
    HD_ASSERT(t->stack_low <= t->stack_top);
    bool is_on_stack = saved >= t->stack_bottom && saved < t->stack_top;
    return is_on_stack && saved < low ? saved : low;
}

/* What threads hold that are still there, or that nobody has asked for their result. */
static void reach_threads(hd_machine *m) {
    for (uint32_t i = 0; i < m->threads.n; i++) {
        hd_thread *t = &m->thread[i];
        if (!is_own(m, i))
            continue;
        if (i != m->threads.current && !t->has_ended)
            reach_from(m, bottom_of(t), t->stack_top);
        if (!t->is_joined)
            reach_word(m, &t->result);
        for (size_t k = 0; k < t->specifics.n; k++)
            reach_word(m, &t->specifics.at[k].value);
    }
}

static void reach_all(hd_machine *m, uint64_t stack) {
    hd_vec_clear(&m->memory.reaching);
    reach_from(m, m->module->data_start, m->module->data_end);
    reach_from(m, HD_WORLD_BASE, HD_WORLD_BASE + m->surroundings.writable);
    if (stack - m->running.stack_bottom < m->running.stack_top - m->running.stack_bottom)
        reach_from(m, stack, m->running.stack_top);
    reach_threads(m);
    for (size_t i = 0; i < m->input.objects.n; i++)
        reach_from(m, m->input.objects.at[i].address,
                   m->input.objects.at[i].address + m->input.objects.at[i].size);
    while (m->memory.reaching.n) {
        const hd_block *b = m->memory.reaching.at[--m->memory.reaching.n];
        reach_from(m, b->address, b->address + b->size);
    }
}

typedef struct lost {
    const hd_block *first;
    uint64_t blocks, bytes;
} lost;

static void add_lost(const hd_heap *h, lost *l) {
    for (size_t i = 0; i < h->blocks.n; i++) {
        const hd_block *b = &h->blocks.at[i];
        if (b->is_free || b->is_reached || b->is_hidden)
            continue;
        l->first = l->first ? l->first : b;
        l->blocks++;
        l->bytes += b->size;
    }
}

void hd_leaks_check(hd_machine *m, uint64_t stack) {
    uint64_t in_use = 0;
    lost l = {0};
    for (uint32_t i = 0; i < m->threads.n; i++)
        in_use += is_own(m, i) ? m->thread[i].heap.in_use : 0;
    if (in_use == 0)
        return;
    reach_all(m, stack);
    for (uint32_t i = 0; i < m->threads.n; i++)
        if (is_own(m, i) && (i == m->threads.current || m->thread[i].has_ended))
            add_lost(&m->thread[i].heap, &l);
    if (!l.first)
        return;
    HD_ASSERT(l.blocks && !l.first->is_free);
    hd_finding *f = &m->call.outcome->finding;
    hd_finding_fill(m, HD_FINDING_LEAK, 0);
    snprintf(f->message, sizeof f->message,
             l.blocks == 1 ? "%lu byte%s in a block that is lost; it was allocated here"
                           : "%lu byte%s in %lu blocks are lost; the first was allocated here",
             l.bytes, l.bytes == 1 ? "" : "s", l.blocks);
    /* The place that matters is where the block came from. */
    hd_stack_of_block(m, l.first, f);
    hd_note_filled(m);
}
