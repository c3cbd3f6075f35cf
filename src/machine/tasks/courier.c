/* Couriers: messages that are under way, as threads without a stack.
 *
 * What can happen to a message is one thing: it arrives.  A courier stands before that arrival as
 * a thread stands before its next action, so that whoever explores orders of threads explores
 * orders of messages (docs/design.md D3, D4; paper 000).  One courier carries all messages of a
 * channel that keeps its order, or one message of a channel that does not. */
#include "machine/tasks/process.h"

/* ---- memory of one execution ---- */

#define CHUNK 65536

struct hd_chunk {
    struct hd_chunk *next;
    size_t used, size;
    _Alignas(16) uint8_t bytes[];
};

static struct hd_chunk *new_chunk(hd_machine *m, size_t n) {
    size_t size = n > CHUNK ? n : CHUNK;
    struct hd_chunk *c = malloc(sizeof *c + size);
    if (!c)
        hd_out_of_memory();
    *c = (struct hd_chunk){.next = m->chunks, .size = size};
    m->chunks = c;
    return c;
}

void *hd_execution_alloc(hd_machine *m, size_t n) {
    n = (n + 15) & ~(size_t)15;
    struct hd_chunk *c = m->chunks;
    if (!c || c->size - c->used < n)
        c = new_chunk(m, n);
    void *at = c->bytes + c->used;
    HD_ASSERT(c->used + n <= c->size);
    c->used += n;
    HD_ASSERT(c->used <= c->size);
    memset(at, 0, n);
    return at;
}

/* The oldest chunk stays for the next execution. */
void hd_execution_forget(hd_machine *m) {
    while (m->chunks && m->chunks->next) {
        struct hd_chunk *c = m->chunks;
        m->chunks = c->next;
        free(c);
    }
    if (m->chunks)
        m->chunks->used = 0;
    HD_ASSERT(!hd_execution_has_memory(m));
}

bool hd_execution_has_memory(const hd_machine *m) {
    return m->chunks && (m->chunks->used || m->chunks->next);
}

void hd_execution_release(hd_machine *m) {
    hd_execution_forget(m);
    free(m->chunks);
    m->chunks = NULL;
}

/* ---- couriers ---- */

uint32_t hd_courier_new(hd_machine *m, uint32_t to) {
    HD_ASSERT(to < HD_MAX_PROCESSES);
    hd_thread_check_limit(m);
    uint32_t index = hd_thread_new_index(m);
    hd_thread_enlist_courier(m, index, to);
    return index;
}

void hd_courier_refresh(hd_machine *m, uint32_t courier) {
    HD_ASSERT(m->thread[courier].is_courier && courier < m->threads.n);
    hd_parcel *p = m->thread[courier].parcels;
    hd_action *a = &m->threads.action[courier];
    if (!p) {
        m->threads.alive = hd_set_without(m->threads.alive, courier);
        return;
    }
    hd_action_clear(a, courier);
    a->after[0] = p->after;
    p->fill(m, p, a);
    HD_ASSERT(a->thread == courier && a->kind < HD_N_ACTIONS);
    m->threads.alive = hd_set_with(m->threads.alive, courier);
}

void hd_courier_give(hd_machine *m, uint32_t courier, hd_parcel *p) {
    hd_thread *t = &m->thread[courier];
    HD_ASSERT(t->is_courier && p->fill && p->deliver);
    HD_ASSERT(!t->parcels || !t->last_parcel->next);
    p->next = NULL;
    p->after = (uint32_t)m->execution.n_events;
    if (t->parcels)
        t->last_parcel->next = p;
    else
        t->parcels = p;
    t->last_parcel = p;
    if (t->parcels == p)
        hd_courier_refresh(m, courier);
}

bool hd_courier_can_go(hd_machine *m, uint32_t courier) {
    hd_parcel *p = m->thread[courier].parcels;
    HD_CHECK(m->thread[courier].is_courier);
    return p && (!p->can_go || p->can_go(m, p));
}

uint32_t hd_courier_go(hd_machine *m, uint32_t courier) {
    hd_thread *t = &m->thread[courier];
    hd_parcel *p = t->parcels;
    HD_ASSERT(p && hd_set_has(m->threads.alive, courier));
    hd_note_event(m, courier, &m->threads.action[courier]);
    t->parcels = p->next;
    uint32_t next = p->deliver(m, p);
    hd_courier_refresh(m, courier);
    HD_ASSERT(next == HD_NOBODY || (next < m->threads.n && !m->thread[next].is_courier));
    return next;
}
