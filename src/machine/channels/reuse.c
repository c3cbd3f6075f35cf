/* Couriers of datagrams that may overtake each other, used again.
 *
 * There are not many couriers.  One that has brought its datagram can carry another, as if both
 * went over a link that keeps its order, if the first had been received before the second was sent
 * in any case: then nothing can turn the two round.  So an answer to an answer needs no new one.
 *
 * What a thread knows to have been received is a vector clock, which datagrams carry along.  Other
 * ways in which it could know are not looked at; that costs couriers, never orders. */
#include "machine/channels/ipc.h"

typedef struct idle {
    struct idle *next;
    uint32_t courier;
    hd_address to;
    uint32_t receiver, stamp; /* the thread that received what it brought, and its clock then */
} idle;

/* Of one execution, by thread. */
typedef struct hd_received {
    uint32_t clock[HD_MAX_THREADS][HD_MAX_THREADS];
    idle *idle[HD_MAX_THREADS]; /* couriers of what it has sent */
} hd_received;

static hd_received *received_of(hd_machine *m) {
    if (!m->ipc->received)
        m->ipc->received = hd_arena_alloc(&m->ipc->net.arena, sizeof *m->ipc->received);
    return m->ipc->received;
}

/* By address: which process is there may depend on the schedule, and who is used must not. */
uint32_t hd_ipc_idle_courier(hd_machine *m, const hd_address *to) {
    const hd_received *all = received_of(m);
    uint32_t me = m->threads.current;
    idle **best = NULL; /* the lowest */
    for (idle **at = (idle **)&all->idle[me]; *at; at = &(*at)->next)
        if (all->clock[me][(*at)->receiver] >= (*at)->stamp && hd_address_is_same(&(*at)->to, to) &&
            (!best || (*at)->courier < (*best)->courier))
            best = at;
    if (!best)
        return HD_NOBODY;
    uint32_t courier = (*best)->courier;
    *best = (*best)->next;
    return courier;
}

void hd_ipc_stamp(hd_machine *m, hd_item *item, const hd_address *to, uint32_t courier) {
    const uint32_t *clock = received_of(m)->clock[m->threads.current];
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
    hd_received *all = received_of(m);
    uint32_t me = m->threads.current, *clock = all->clock[me];
    for (uint32_t i = 0; i < item->n_clock; i++)
        clock[i] = clock[i] > item->clock[i] ? clock[i] : item->clock[i];
    idle *free = hd_arena_alloc(&m->ipc->net.arena, sizeof *free);
    *free = (idle){all->idle[item->sender], item->courier - 1, item->to, me, ++clock[me]};
    all->idle[item->sender] = free;
}
