/* Datagrams that arrive where virtual time orders events: it is the receiver that meets their
 * faults, so that no other node needs to know.
 *
 * What is kept back lies at the host of its receiver, which alone decides when it goes on.  One
 * that is delayed comes when its time is over.  One that lets others overtake it comes right behind
 * one of them, at the same moment: behind the first, or as many as its rule allows; and if none
 * come, after LONGEST_HELD.
 *
 * K1. What has been kept back meets no other fault: a datagram has one at most.
 * Not here: which fault it is (faults.h), when it arrives (tasks/time_order.h). */
#include "machine/channels/faults.h"
#include "machine/channels/ipc.h"
#include "machine/tasks/time_order.h"

#define LONGEST_HELD UINT64_C(1000000000) /* nanoseconds that one waits to be overtaken */

typedef struct hd_arrived {
    hd_parcel parcel; /* of one that is kept back */
    uint32_t from;    /* host, */
    uint32_t sender;  /* its process, */
    uint32_t site;    /* and where that sent it */
    hd_address target;
    hd_item *item;
    hd_fault_event fault;         /* that it has met */
    uint32_t n_overtaken, window; /* REORDER */
    bool is_there;
} hd_arrived;

static bool is_heard(const hd_machine *m, const hd_socket *to) {
    return hd_set_meets(hd_process_at(m, to->process)->threads, m->threads.alive);
}

/* Who hears it now; NULL: nobody.  A thread that has failed hears nothing. */
static hd_socket *find_hearer(hd_machine *m, const hd_arrived *a) {
    hd_socket *to = hd_ipc_hearer(m, a->from, &a->target, &a->item->from);
    return to && is_heard(m, to) ? to : NULL;
}

void hd_ipc_note_arrival(hd_machine *m, uint32_t sender, const hd_queue *to, uint32_t site) {
    hd_action a = {.kind = HD_DO_PUT, .site = site};
    a.thread = hd_process_at(m, sender)->main_thread;
    hd_ipc_fill_put(&a, to, true, true);
    hd_time_note(m, &a);
}

static void put(hd_machine *m, const hd_arrived *a, hd_socket *to, hd_item *item) {
    if (!to) {
        hd_ipc_net(m)->n_lost++;
        return;
    }
    hd_ipc_note_arrival(m, a->sender, to->in, a->site);
    hd_queue_put(&hd_ipc_net(m)->arena, to->in, item);
}

/* ---- what is kept back ---- */

static void come(hd_machine *m, hd_arrived *a) {
    HD_INVARIANT(K1, !a->is_there);
    a->is_there = true;
    put(m, a, find_hearer(m, a), a->item);
}

static uint32_t come_late(hd_machine *m, hd_parcel *p) {
    come(m, (hd_arrived *)p);
    return HD_NOBODY;
}

static bool is_kept_back(hd_machine *m, hd_parcel *p) {
    (void)m;
    return !((const hd_arrived *)p)->is_there;
}

static hd_arrived *keep_back(hd_machine *m, const hd_arrived *a, uint32_t host, uint64_t until) {
    HD_ASSERT(!a->is_there);
    hd_arrived *kept = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *kept);
    *kept = *a;
    kept->parcel = (hd_parcel){.can_go = is_kept_back, .deliver = come_late};
    hd_time_hold(m, host, until, &kept->parcel);
    return kept;
}

static bool go_the_same_way(const hd_arrived *a, const hd_arrived *b) {
    return a->from == b->from && hd_address_is_same(&a->target, &b->target) &&
           hd_address_is_same(&a->item->from, &b->item->from);
}

/* Whatever waited to be overtaken by this one. */
static void overtake(hd_machine *m, const hd_arrived *by) {
    for (size_t i = 0; i < m->faults.held.n; i++) {
        hd_arrived *a = m->faults.held.at[i];
        if (a->is_there || !go_the_same_way(a, by))
            continue;
        if (++a->n_overtaken >= a->window || !hd_fault_waits_on(m, &a->fault))
            come(m, a);
    }
}

/* ---- faults ---- */

static hd_item *copy_of(hd_machine *m, const hd_item *item) {
    HD_ASSERT(item->kind == HD_ITEM_DATA);
    hd_item *copy = hd_item_new(&hd_ipc_net(m)->arena, HD_ITEM_DATA);
    *copy = *item;
    return copy;
}

static void corrupt(hd_machine *m, hd_arrived *a) {
    hd_bytes *b = &a->item->bytes;
    if (!b->words)
        b->words = hd_arena_alloc(&hd_ipc_net(m)->arena, (b->n + 1) * sizeof *b->words);
    hd_fault_corrupt(m, &a->fault, b);
}

static void put_in_order(hd_machine *m, hd_arrived *a, hd_socket *to, hd_item *item) {
    put(m, a, to, item);
    overtake(m, a);
}

/* Every kind of fault is here, or is none of datagrams. */
static void meet(hd_machine *m, hd_arrived *a, hd_socket *to, const hd_fault *f, uint64_t now) {
    hd_item *copy = f->kind == HD_FAULT_DUPLICATE ? copy_of(m, a->item) : NULL;
    switch (f->kind) {
    case HD_FAULT_DROP:
    case HD_FAULT_PARTITION:
        return;
    case HD_FAULT_DUPLICATE:
        put_in_order(m, a, to, a->item);
        put_in_order(m, a, to, copy);
        return;
    case HD_FAULT_CORRUPT:
        corrupt(m, a);
        put_in_order(m, a, to, a->item);
        return;
    case HD_FAULT_DELAY:
        keep_back(m, a, to->host, hd_time_later(now, f->duration));
        return;
    case HD_FAULT_REORDER:
        a->window = f->window;
        hd_vec_push(&m->faults.held, keep_back(m, a, to->host, hd_time_later(now, LONGEST_HELD)));
        return;
    case HD_FAULT_FULL:
    case HD_FAULT_RESET:
    case HD_FAULT_CRASH:
    case HD_FAULT_REBOOT:
    case HD_N_FAULTS:
        HD_BUG("a fault of '%s' happens to a datagram", hd_fault_word(f->kind));
    }
}

void hd_ipc_arrive(hd_machine *m, uint32_t from, uint32_t sender, const hd_address *target,
                   hd_item *item, uint32_t site) {
    item->to = *target;
    hd_arrived a = {.from = from, .sender = sender, .site = site, .target = *target, .item = item};
    hd_socket *to = find_hearer(m, &a);
    if (!to) {
        put(m, &a, to, item);
        return;
    }
    uint64_t now = hd_time_of(m, hd_process_at(m, to->process)->main_thread);
    const hd_fault *f = hd_fault_of_arrival(m, from, to->host, now, site);
    if (!f) {
        put_in_order(m, &a, to, item);
        return;
    }
    a.fault = m->faults.happened.at[m->faults.happened.n - 1];
    meet(m, &a, to, f, now);
}
