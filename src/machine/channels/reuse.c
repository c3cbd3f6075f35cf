/* Couriers of datagrams that may overtake each other, used again.
 *
 * There are not many couriers.  One that has brought its datagram can carry another, as if both
 * went over a link that keeps its order, if the first had been received before the second was sent
 * in any case: then nothing can turn the two round.  So an answer to an answer needs no new one.
 *
 * What a thread knows to have been received is a vector clock, which datagrams carry along.  Other
 * ways in which it could know are not looked at; that costs couriers, never orders. */
#include "machine/channels/ipc.h"

typedef struct spare_courier {
    struct spare_courier *next;
    uint32_t courier;
    hd_address to;
    uint32_t receiver, stamp; /* the thread that received what it brought, and its clock then */
} spare_courier;

/* Of one execution, of one thread. */
typedef struct hd_received {
    uint32_t *clock; /* n entries; 0 behind */
    uint32_t n;
    spare_courier *idle; /* couriers of what it has sent */
} hd_received;

/* Room for `wanted` things of `size` bytes, of which there were n: others are zero. */
static void *grown(hd_machine *m, const void *at, uint32_t *n, uint32_t wanted, size_t size) {
    HD_ASSERT(wanted > *n && wanted <= HD_MAX_THREADS);
    uint32_t room = *n ? *n : 16;
    while (room < wanted)
        room *= 2;
    void *made = hd_arena_alloc(&m->ipc->net.arena, room * size);
    if (*n)
        memcpy(made, at, *n * size);
    *n = room;
    return made;
}

static hd_received *received_of(hd_machine *m, uint32_t thread) {
    hd_ipc *ipc = m->ipc;
    if (thread >= ipc->n_received)
        ipc->received = grown(m, ipc->received, &ipc->n_received, thread + 1, sizeof(hd_received));
    return &ipc->received[thread];
}

/* What the thread knows of all that there are. */
static uint32_t *clock_of(hd_machine *m, uint32_t thread, uint32_t n) {
    hd_received *r = received_of(m, thread);
    if (n > r->n)
        r->clock = grown(m, r->clock, &r->n, n, sizeof *r->clock);
    return r->clock;
}

/* By address: which process is there may depend on the schedule, and who is used must not. */
uint32_t hd_ipc_idle_courier(hd_machine *m, const hd_address *to) {
    uint32_t me = m->threads.current;
    const uint32_t *clock = clock_of(m, me, m->threads.n);
    spare_courier **best = NULL; /* the lowest */
    for (spare_courier **at = &received_of(m, me)->idle; *at; at = &(*at)->next)
        if (clock[(*at)->receiver] >= (*at)->stamp && hd_address_is_same(&(*at)->to, to) &&
            (!best || (*at)->courier < (*best)->courier))
            best = at;
    if (!best)
        return HD_NOBODY;
    HD_ASSERT((*best)->receiver < m->threads.n);
    uint32_t courier = (*best)->courier;
    *best = (*best)->next;
    return courier;
}

void hd_ipc_stamp(hd_machine *m, hd_item *item, const hd_address *to, uint32_t courier) {
    HD_ASSERT(m->thread[courier].is_courier);
    const uint32_t *clock = clock_of(m, m->threads.current, m->threads.n);
    item->courier = 1 + courier;
    item->sender = m->threads.current;
    item->to = *to;
    item->n_clock = m->threads.n;
    item->clock = hd_arena_alloc(&m->ipc->net.arena, item->n_clock * sizeof *clock);
    memcpy(item->clock, clock, item->n_clock * sizeof *clock);
}

void hd_ipc_received(hd_machine *m, const hd_item *item) {
    if (!item->courier)
        return;
    HD_ASSERT(item->n_clock <= m->threads.n && item->courier <= m->threads.n);
    uint32_t me = m->threads.current, *clock = clock_of(m, me, m->threads.n);
    hd_received *sender = received_of(m, item->sender);
    for (uint32_t i = 0; i < item->n_clock; i++)
        clock[i] = clock[i] > item->clock[i] ? clock[i] : item->clock[i];
    spare_courier *free = hd_arena_alloc(&m->ipc->net.arena, sizeof *free);
    *free = (spare_courier){sender->idle, item->courier - 1, item->to, me, ++clock[me]};
    sender->idle = free;
}
