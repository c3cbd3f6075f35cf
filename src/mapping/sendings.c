/* Sorting puts equal packets of a round beside each other; they are mapped in one step. */
#include "mapping/sendings.h"

#include "base/panic.h"

#include <stdlib.h>

void hd_sendings_add(hd_sendings *s, uint32_t from, uint32_t to, uint64_t key, uint64_t packet) {
    const hd_sending *last = s->list.n ? &s->list.at[s->list.n - 1] : NULL;
    uint32_t round = last && last->from == from ? last->round + 1 : 0;
    hd_vec_push(&s->list, ((hd_sending){from, to, round, key, packet}));
}

void hd_sendings_release(hd_sendings *s) {
    hd_vec_release(&s->list);
}

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

/* 0 for entries of one packet. */
static int compare_packets(const hd_sending *a, const hd_sending *b) {
    int order = ORDER(a->round, b->round);
    order = order ? order : ORDER(a->to, b->to);
    return order ? order : ORDER(a->key, b->key);
}

static int compare(const void *one, const void *other) {
    const hd_sending *a = one, *b = other;
    int order = compare_packets(a, b);
    return order ? order : ORDER(a->from, b->from);
}

/* Map the packet of entry `first`; return the entry behind its senders. */
static size_t map_packet(hd_sendings *s, size_t first, hd_mapping *m, hd_states *senders,
                         hd_states *receivers) {
    size_t end = first;
    hd_vec_clear(senders);
    for (; end < s->list.n && compare_packets(&s->list.at[first], &s->list.at[end]) == 0; end++) {
        HD_INVARIANT(G2, hd_mapping_knows(m, s->list.at[end].from));
        hd_vec_push(senders, s->list.at[end].from);
    }
    hd_mapping_send(m, senders->at, senders->n, s->list.at[first].to, receivers);
    return end;
}

void hd_sendings_flush(hd_sendings *s, hd_mapping *m, hd_deliver *deliver, void *context) {
    hd_states senders = {0}, receivers = {0};
    if (s->list.n)
        qsort(s->list.at, s->list.n, sizeof *s->list.at, compare);
    for (size_t i = 0; i < s->list.n;) {
        const hd_sending *first = &s->list.at[i];
        HD_INVARIANT(G1, i == 0 || first[-1].round <= first->round);
        size_t end = map_packet(s, i, m, &senders, &receivers);
        deliver(context, first->packet, first, end - i, &receivers);
        i = end;
    }
    hd_vec_release(&senders);
    hd_vec_release(&receivers);
    hd_vec_clear(&s->list);
}
