/* The network: what is sent arrives later, in an event of its own.
 *
 * A connection has a courier for each direction, datagrams one for each pair of a socket and an
 * address: between two sockets nothing overtakes anything, between others everything may.  Data
 * that arrives at a closed socket is answered with a reset, which travels back behind everything
 * that was sent there before. */
#include "machine/channels/ipc.h"
#include "machine/tasks/time_order.h"

typedef struct letter {
    hd_parcel parcel;
    hd_socket *from, *to; /* to: NULL for datagrams */
    hd_item *item;
    hd_address address; /* of a datagram */
    uint32_t door;
    uint32_t sender, sent_at; /* process and place, for stories */
    struct route *route;      /* of a datagram that keeps an order, or is held back from one */
    uint32_t place;           /* in that order, from 1 */
    uint32_t window;          /* held back: so many may overtake it */
    bool is_held;
    struct letter *behind; /* the next one that is held back, or waits for one that is */
    const hd_queue *left;  /* it is sent because all who could read from that have closed it */
} letter;

static letter *new_letter(hd_machine *m, hd_socket *from, hd_item *item) {
    HD_ASSERT(from && item);
    letter *l = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *l);
    l->sent_at = hd_caller_site(m, __builtin_frame_address(0));
    /* A socket may be used by others than the process that made it; resets are nobody's. */
    l->sender = item->kind == HD_ITEM_RESET ? from->process : hd_ipc_process(m);
    l->from = from;
    l->item = item;
    return l;
}

/* ---- connections ---- */

static bool is_lost(const letter *l) {
    return l->item->kind == HD_ITEM_DATA && l->to->in->is_closed;
}

/* The courier is the only one who puts into this queue.  An end of file does not care whether it is
 * still read; a reset also changes what the receiver may send. */
static void fill_arrival(hd_machine *m, hd_parcel *p, hd_action *a) {
    const letter *l = (const letter *)p;
    const hd_queue *q = l->to->in;
    a->kind = HD_DO_PUT;
    a->flags = HD_ACTION_SETTLES;
    a->value = (uint64_t)l->sender << 32 | l->sent_at;
    if (l->item->kind == HD_ITEM_DATA) {
        hd_ipc_fill_put(a, q, !is_lost(l), false);
        hd_ipc_look_at_readers(m, a, q);
        return;
    }
    HD_CHECK(l->item->kind == HD_ITEM_END || l->item->kind == HD_ITEM_RESET);
    a->n_accesses = 0;
    a->state = HD_ENDS_AT_ONCE;
    hd_action_also(a, hd_ipc_end_of(q), 1, HD_MODE_ADD, true);
    hd_action_also(a, hd_ipc_ready_of(q), 1, HD_MODE_ADD, true);
    if (l->item->kind == HD_ITEM_RESET)
        hd_action_also(a, hd_ipc_reset_of(l->from->in), 1, HD_MODE_WRITE, true);
    if (l->left) /* explore/events/queues.h, Q6 */
        hd_ipc_look_at_all_readers(a, hd_ipc_tail(l->left));
}

void hd_ipc_take_in(hd_machine *m, hd_socket *to, hd_item *item) {
    hd_net *n = hd_ipc_net(m);
    if (item->kind == HD_ITEM_DATA && to->in->is_closed) {
        if (!to->has_reset)
            hd_ipc_carry(m, to, hd_item_new(&n->arena, HD_ITEM_RESET));
    } else if (item->kind == HD_ITEM_DATA)
        hd_queue_put(&n->arena, to->in, item);
    else {
        if (item->kind == HD_ITEM_RESET)
            hd_socket_break(to);
        to->in->has_ended = to->in->is_shut = true;
    }
}

static uint32_t arrive(hd_machine *m, hd_parcel *p) {
    const letter *l = (const letter *)p;
    HD_ASSERT(l->item->kind != HD_ITEM_RESET || l->from->has_reset);
    hd_ipc_take_in(m, l->to, l->item);
    return HD_NOBODY;
}

void hd_ipc_prepare_courier(hd_machine *m, hd_socket *s) {
    if (hd_time_orders(m))
        return;
    if (hd_socket_is_network(s) && !s->courier)
        s->courier = 1 + hd_courier_new(m, s->other->process);
}

static letter *new_delivery(hd_machine *m, hd_socket *s, hd_item *item) {
    HD_ASSERT(s->other && s->other->in);
    letter *l = new_letter(m, s, item);
    l->to = s->other;
    l->parcel.fill = fill_arrival;
    l->parcel.deliver = arrive;
    if (s->state == HD_SOCKET_CLOSED)
        l->left = s->listener ? s->listener : s->in;
    return l;
}

static void hand_over(hd_machine *m, letter *l) {
    const hd_socket *s = l->from;
    HD_ASSERT(s->courier && m->thread[s->courier - 1].is_courier);
    hd_courier_give(m, s->courier - 1, &l->parcel);
}

/* ---- what is sent in a row ----
 *
 * On a link with 'segments' (node.h) what a thread sends on a connection is kept back until the
 * thread stands before something else than one more send there: what it has sent by then is one
 * piece.  Where a row ends depends on nothing but what the thread itself does.  So no order of
 * events is asked for, and all reductions see a program that sends fewer and longer pieces: they
 * lose nothing that '--por none' has.  A thread that waits, or looks at anything, has nothing kept
 * back: no wait is for ever because of it. */

typedef struct row_part {
    struct row_part *next;
    hd_item *item;
} row_part;

typedef struct hd_send_row {
    struct hd_send_row *next;
    letter *letter; /* with the first part */
    row_part *more, **last;
    uint32_t thread, n_bytes;
    bool has_asked; /* what a descriptor means, since the last part: the next send does */
} hd_send_row;

/* All parts become the item of the letter. */
static void join_parts(hd_machine *m, hd_send_row *b) {
    hd_arena *arena = &hd_ipc_net(m)->arena;
    hd_item *item = b->letter->item;
    hd_bytes all = {hd_arena_alloc(arena, b->n_bytes),
                    hd_arena_alloc(arena, b->n_bytes * sizeof *all.words), 0};
    row_part first = {b->more, item};
    for (const row_part *p = &first; p; p = p->next) {
        const hd_bytes *part = &p->item->bytes;
        memcpy(all.at + all.n, part->at, part->n);
        for (uint32_t i = 0; i < part->n; i++)
            all.words[all.n + i] = part->words ? part->words[i] : 0;
        all.n += part->n;
    }
    HD_ASSERT(all.n == b->n_bytes && !item->n_files);
    item->bytes = hd_bytes_copy(arena, all.at, all.words, all.n); /* Q2 */
}

static void send_row(hd_machine *m, hd_socket *s) {
    hd_send_row *b = s->unsent, **at = &m->system.rows;
    if (!b)
        return;
    HD_ASSERT(b->letter->from == s);
    while (*at != b) {
        HD_ASSERT(*at); /* every row is on the list */
        at = &(*at)->next;
    }
    *at = b->next;
    s->unsent = NULL;
    if (b->more)
        join_parts(m, b);
    hand_over(m, b->letter);
}

static void begin_row(hd_machine *m, hd_socket *s, hd_item *item) {
    HD_ASSERT(!s->unsent && item->kind == HD_ITEM_DATA);
    hd_send_row *b = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *b), **at = &m->system.rows;
    *b = (hd_send_row){.letter = new_delivery(m, s, item),
                    .last = &b->more,
                    .thread = hd_thread_current(m),
                    .n_bytes = item->bytes.n};
    while (*at) /* in the order in which they began */
        at = &(*at)->next;
    *at = b;
    s->unsent = b;
}

static void join_row(hd_machine *m, hd_send_row *b, hd_item *item) {
    HD_ASSERT(b->thread == hd_thread_current(m) && !*b->last);
    row_part *p = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *p);
    *p = (row_part){NULL, item};
    *b->last = p;
    b->last = &p->next;
    b->n_bytes += item->bytes.n;
    b->has_asked = false;
}

static void tell_segments(hd_machine *m, const hd_send_row *b, const hd_link *l) {
    if (l->segments == 1)
        hd_bound(m, b->letter->sent_at,
                 "what is sent in a row arrives as one (line %u of the scenario: segments)",
                 l->segments_line);
    else
        hd_bound(m, b->letter->sent_at,
                 "what is sent in a row is cut at most %u time%s (line %u of the scenario: segments)",
                 l->segments - 1, l->segments == 2 ? "" : "s", l->segments_line);
}

static void carry_in_row(hd_machine *m, hd_socket *s, hd_item *item) {
    hd_send_row *b = s->unsent;
    if (b && b->thread == hd_thread_current(m) && item->bytes.n < UINT32_MAX - b->n_bytes) {
        join_row(m, b, item);
        return;
    }
    send_row(m, s);
    begin_row(m, s, item);
}

/* Before one more send on the connection: does what was sent before it leave by itself?  Who else
 * sends through the socket is ordered with that, so that the number of cuts is the same in all
 * orders of a class. */
static bool is_cut_here(hd_machine *m, const hd_send_row *b) {
    hd_socket *s = b->letter->from;
    hd_link l = hd_nodes_link(m, s->host, s->other->host);
    if (s->n_cuts + 1 >= l.segments) {
        tell_segments(m, b, &l);
        return false;
    }
    bool is_cut = hd_thread_choice(m, 2, "cut of a stream") == 1;
    s->n_cuts += is_cut;
    return is_cut;
}

/* The question what a descriptor means comes before a send where threads share descriptors; once
 * only, for a program may ask until others change the answer. */
static bool goes_on(hd_machine *m, hd_send_row *b, const hd_action *a) {
    const hd_socket *s = b->letter->from;
    if (hd_ipc_is_look(a, s->other->in))
        return !is_cut_here(m, b);
    if (!hd_ipc_is_question(a) || b->has_asked)
        return false;
    hd_link l = hd_nodes_link(m, s->host, s->other->host);
    tell_segments(m, b, &l);
    b->has_asked = true;
    return true;
}

void hd_send_rows_end(hd_machine *m) {
    uint32_t me = hd_thread_current(m);
    for (hd_send_row *b = m->system.rows, *next; b; b = next) {
        bool is_mine = b->thread == me;
        next = b->next;
        if (is_mine ? !goes_on(m, b, &m->threads.action[me])
                    : !hd_set_has(m->threads.alive, b->thread))
            send_row(m, b->letter->from);
    }
}

/* Two sends in a row have one event between them, or two where threads share descriptors.  Between
 * nodes only: nothing else has links. */
static void count_cut_place(hd_machine *m, hd_socket *s) {
    uint32_t me = hd_thread_current(m);
    bool is_row = s->last_sender == me + 1 && m->thread[me].n_events - s->last_event <= 2;
    if (is_row && s->host && s->other->host && s->host != s->other->host)
        m->system.n_cut_places++;
    s->last_sender = me + 1;
    s->last_event = m->thread[me].n_events;
}

void hd_ipc_carry(hd_machine *m, hd_socket *s, hd_item *item) {
    hd_ipc_prepare_courier(m, s);
    s->has_reset |= item->kind == HD_ITEM_RESET;
    if (s->cable) {
        hd_cable_send(m, s, item);
        return;
    }
    if (hd_time_orders(m)) {
        hd_time_send(m, s->host, s->other->host, HD_PACKET_BYTES,
                     &new_delivery(m, s, item)->parcel);
        return;
    }
    hd_link link = hd_nodes_link(m, s->host, s->other->host);
    if (link.segments && item->kind == HD_ITEM_DATA && hd_socket_is_stream(s)) {
        carry_in_row(m, s, item);
        return;
    }
    send_row(m, s);
    if (item->kind == HD_ITEM_DATA && hd_socket_is_stream(s))
        count_cut_place(m, s);
    hand_over(m, new_delivery(m, s, item));
}

/* ---- datagrams ---- */

hd_socket *hd_ipc_hearer(hd_machine *m, uint32_t from, const hd_address *target,
                         const hd_address *source) {
    int error;
    hd_socket *to = hd_port_find(hd_ipc_net(m), from, SOCK_DGRAM, target, &error);
    bool hears = to && (to->state != HD_SOCKET_CONNECTED || hd_address_is_same(&to->peer, source));
    return hears ? to : NULL;
}

static hd_socket *find_receiver(hd_machine *m, const letter *l) {
    return hd_ipc_hearer(m, l->from->host, &l->address, &l->item->from);
}

static void fill_datagram(hd_machine *m, hd_parcel *p, hd_action *a) {
    const letter *l = (const letter *)p;
    const hd_socket *to = find_receiver(m, l);
    a->kind = HD_DO_PUT;
    a->value = (uint64_t)l->sender << 32 | l->sent_at;
    a->flags = HD_ACTION_SETTLES;
    if (to) {
        hd_ipc_fill_put(a, to->in, true, true);
        hd_ipc_look_at_readers(m, a, to->in);
        return;
    }
    hd_ipc_fill_refused(a, hd_ipc_door(l->door));
}

/* The courier of each address that a socket has sent to, in the order of first use. */
typedef struct route {
    struct route *next;
    hd_address to;
    uint32_t courier, n_sent;
    letter *held;    /* on their own ways, and not there yet */
    letter *waiting; /* behind one that enough have overtaken, in their order */
} route;

static bool must_wait(const route *r, const letter *l) {
    for (const letter *h = r->held; h; h = h->behind)
        if (l->place > h->place && l->place - h->place > h->window)
            return true;
    return false;
}

static void append(letter **list, letter *l) {
    while (*list)
        list = &(*list)->behind;
    l->behind = NULL;
    *list = l;
}

/* A letter that was held back is there: who waited for that goes. */
static void let_go(hd_machine *m, letter *l) {
    route *r = l->route;
    letter **at = &r->held;
    while (*at != l)
        at = &(*at)->behind;
    *at = l->behind;
    while (r->waiting && !must_wait(r, r->waiting)) {
        letter *next = r->waiting;
        r->waiting = next->behind;
        hd_courier_give(m, r->courier, &next->parcel);
    }
}

static uint32_t arrive_datagram(hd_machine *m, hd_parcel *p) {
    letter *l = (letter *)p;
    hd_net *n = hd_ipc_net(m);
    if (hd_time_orders(m)) {
        hd_ipc_arrive(m, l->from->host, l->sender, &l->address, l->item, l->sent_at);
        return HD_NOBODY;
    }
    if (l->is_held)
        let_go(m, l);
    hd_socket *to = find_receiver(m, l);
    if (to)
        hd_queue_put(&n->arena, to->in, l->item);
    else
        n->n_lost++;
    return HD_NOBODY;
}

static uint32_t process_at(hd_machine *m, const hd_socket *s, const hd_address *to) {
    int error;
    const hd_socket *receiver = hd_port_find(hd_ipc_net(m), s->host, SOCK_DGRAM, to, &error);
    return receiver ? receiver->process : hd_ipc_process(m);
}

/* Where datagrams may overtake each other each has a courier of its own. */
static uint32_t free_courier(hd_machine *m, const hd_socket *s, const hd_address *to,
                             hd_item *item) {
    uint32_t process = process_at(m, s, to), courier = hd_ipc_idle_courier(m, to);
    if (courier == HD_NOBODY)
        courier = hd_courier_new(m, process);
    HD_ASSERT(m->thread[courier].is_courier && !m->thread[courier].parcels);
    m->threads.process[courier] = (uint16_t)process;
    hd_ipc_stamp(m, item, to, courier);
    return courier;
}

/* Where they keep their order all between two have one. */
static route *route_to(hd_machine *m, hd_socket *s, const hd_address *to) {
    route **at = (route **)&s->routes;
    for (; *at; at = &(*at)->next)
        if (hd_address_is_same(&(*at)->to, to))
            return *at;
    *at = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof **at);
    (*at)->to = *to;
    (*at)->courier = hd_courier_new(m, process_at(m, s, to));
    HD_ASSERT(m->thread[(*at)->courier].is_courier);
    return *at;
}

/* Time says when it arrives: nobody carries it. */
static void carry_by_time(hd_machine *m, letter *l, uint32_t host) {
    hd_packet packet = {.kind = HD_PACKET_DATAGRAM,
                        .source = l->item->from,
                        .target = l->address,
                        .bytes = l->item->bytes,
                        .site = l->sent_at};
    if (hd_time_is_outside(m, host))
        hd_time_send_outside(m, l->from->host, host, &packet);
    else
        hd_time_send(m, l->from->host, host, packet.kind, &l->parcel);
}

static void send_in_order(hd_machine *m, hd_socket *s, letter *l, const hd_way *way) {
    route *r = l->route = route_to(m, s, &l->address);
    l->place = ++r->n_sent;
    if (way->may_be_overtaken) {
        l->is_held = true;
        l->window = way->window;
        append(&r->held, l);
        hd_courier_give(m, hd_courier_new(m, process_at(m, s, &l->address)), &l->parcel);
    } else if (r->waiting || must_wait(r, l)) {
        append(&r->waiting, l);
    } else {
        hd_courier_give(m, r->courier, &l->parcel);
    }
}

void hd_ipc_carry_datagram(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item,
                           const hd_way *way) {
    HD_ASSERT(!hd_socket_is_connected_kind(s));
    letter *l = new_letter(m, s, item);
    uint32_t host = s->host;
    l->address = *to;
    hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, to->ip, &host);
    l->door = hd_port_door(host, SOCK_DGRAM, to);
    l->parcel.fill = fill_datagram;
    l->parcel.deliver = arrive_datagram;
    if (hd_time_orders(m)) {
        carry_by_time(m, l, host);
        return;
    }
    if (way->when)
        hd_courier_give_at(m, hd_courier_new(m, process_at(m, s, to)), &l->parcel, way->when);
    else if (hd_nodes_link(m, s->host, host).is_fifo)
        send_in_order(m, s, l, way);
    else
        hd_courier_give(m, free_courier(m, s, to, item), &l->parcel);
}
