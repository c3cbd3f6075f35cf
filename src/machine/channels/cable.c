/* Connections between hosts where virtual time orders events (tasks/time_order.h).
 *
 * Neither end sees the other: each has a stand-in for it (S2 of world/socket.h), and all that one
 * does to the other goes from host to host, as datagrams do.  So it makes no difference to a node
 * whether the others run beside it or whether it runs alone (machine/outside.h).
 *
 * Somebody who connects asks, and is answered: two events, which take no time.  What is sent then
 * takes as long as the link says.
 *
 * V1. A cable is named by the host that asked and the number of what it sent when it did.
 * V2. Hosts answer, not nodes: also of a node that has ended, or has failed. */
#include "machine/channels/ipc.h"
#include "machine/tasks/time_order.h"

#include <errno.h>

typedef struct cable_parcel {
    hd_parcel parcel;
    hd_packet packet;
    hd_item *item; /* of what goes over a connection */
} cable_parcel;

/* ---- arriving ---- */

static void go(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p, hd_item *item);

static hd_socket *find_listener(hd_machine *m, const hd_packet *p) {
    int error;
    hd_socket *s = hd_port_find(hd_ipc_net(m), p->from + 1, SOCK_STREAM, &p->target, &error);
    return s && !s->has_shut_reading ? s : NULL;
}

/* The server's end waits to be accepted. */
static void add_end(hd_machine *m, const hd_packet *p, hd_socket *listener) {
    hd_net *n = hd_ipc_net(m);
    hd_socket *client = hd_socket_stand_in(n, p->source.family, p->from + 1, &p->source);
    client->peer = p->target;
    hd_socket *s = hd_socket_connect(n, client, listener, p->id);
    s->cable = p->cable;
    s->is_server = true;
    hd_cable_add(n, s);
    hd_ipc_name_socket(m, s);
}

static void be_asked(hd_machine *m, const hd_packet *p) {
    hd_socket *listener = find_listener(m, p);
    hd_packet answer = {.kind = listener ? HD_PACKET_ACCEPTED : HD_PACKET_REFUSED,
                        .source = p->target,
                        .target = p->source,
                        .site = p->site,
                        .cable = p->cable};
    if (listener)
        add_end(m, p, listener);
    go(m, p->to + 1, p->from + 1, &answer, NULL);
}

/* Who has closed it meanwhile has said farewell already. */
static void be_answered(hd_machine *m, hd_socket *s, bool is_accepted) {
    if (!hd_socket_is_under_way(s))
        return;
    if (is_accepted)
        s->state = HD_SOCKET_CONNECTED;
    else
        hd_cable_refuse(m, s, ECONNREFUSED);
}

/* What is sent to an end that there is not, because nobody wanted the connection, is lost. */
static void arrive(hd_machine *m, const hd_packet *p, hd_item *item) {
    hd_socket *s = hd_cable_end(hd_ipc_net(m), p->cable, p->to_server);
    if (p->kind == HD_PACKET_CONNECT)
        be_asked(m, p);
    else if (s && item) {
        if (item->kind == HD_ITEM_DATA && !s->in->is_closed)
            hd_ipc_note_arrival(m, p->from + 1, s->in, p->site);
        hd_ipc_take_in(m, s, item);
    } else if (s)
        be_answered(m, s, p->kind == HD_PACKET_ACCEPTED);
}

static uint32_t deliver(hd_machine *m, hd_parcel *p) {
    cable_parcel *l = (cable_parcel *)p;
    arrive(m, &l->packet, l->item);
    return HD_NOBODY;
}

/* ---- sending ---- */

static void go(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p, hd_item *item) {
    if (hd_time_is_outside(m, to)) {
        hd_time_send_outside(m, from, to, p);
        return;
    }
    cable_parcel *l = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *l);
    p->from = from - 1;
    p->to = to - 1;
    *l = (cable_parcel){.parcel = {.deliver = deliver}, .packet = *p, .item = item};
    hd_time_send(m, from, to, p->kind, &l->parcel);
}

void hd_cable_send(hd_machine *m, hd_socket *s, hd_item *item) {
    HD_ASSERT(s->cable && s->other && item->kind != HD_ITEM_CONNECTION && !item->n_files);
    hd_packet p = {.kind = item->kind == HD_ITEM_DATA  ? HD_PACKET_BYTES
                           : item->kind == HD_ITEM_END ? HD_PACKET_END
                                                       : HD_PACKET_RESET,
                   .source = s->local,
                   .target = s->peer,
                   .bytes = item->bytes,
                   .site = hd_caller_site(m, __builtin_frame_address(0)),
                   .cable = s->cable,
                   .to_server = !s->is_server};
    go(m, s->host, s->other->host, &p, item);
}

/* ---- connecting ---- */

void hd_cable_connect(hd_machine *m, hd_socket *s, uint32_t host, uint32_t id) {
    hd_net *n = hd_ipc_net(m);
    HD_ASSERT(s->state == HD_SOCKET_NEW && !s->cable && host != s->host);
    s->cable = (uint64_t)s->host << 32 | hd_process_at(m, s->host)->n_sent; /* V1 */
    s->other = hd_socket_stand_in(n, s->domain, host, &s->peer);
    s->other->other = s;
    hd_cable_add(n, s);
    hd_packet p = {.kind = HD_PACKET_CONNECT,
                   .source = s->local,
                   .target = s->peer,
                   .site = hd_caller_site(m, __builtin_frame_address(0)),
                   .cable = s->cable,
                   .to_server = true,
                   .id = id};
    go(m, s->host, host, &p, NULL);
}

void hd_cable_refuse(hd_machine *m, hd_socket *s, int error) {
    s->cable = 0;
    s->other = NULL;
    s->error = error;
    if (s->has_port_of_connect)
        hd_port_unbind(hd_ipc_net(m), s);
}

static bool has_answer(hd_machine *m, const hd_ipc_request *r) {
    (void)m;
    return !hd_socket_is_under_way(r->socket);
}

static void settle_answer(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    a->n_accesses = 0;
    hd_action_also(a, hd_ipc_ready_of(r->socket->in), 1, HD_MODE_READ, true);
    hd_ipc_set_failed(a, !has_answer(m, r));
}

static void describe_answer(hd_machine *m, const hd_ipc_request *r, hd_text *out) {
    hd_text_add(out, "waits to be connected to ");
    hd_ipc_describe_file(m, r->file, out);
}

bool hd_cable_await(hd_machine *m, hd_file *f, bool waits) {
    hd_ipc_request r = {.is_ready = has_answer,
                        .settle = settle_answer,
                        .describe = describe_answer,
                        .file = f,
                        .socket = f->socket};
    if (has_answer(m, &r))
        return true;
    return waits && hd_ipc_wait(m, HD_DO_POLL, &r, UINT64_MAX);
}

/* ---- a node that runs alone ---- */

/* The inputs may be others than those with which it was sent. */
static void settle_byte(hd_machine *m, uint8_t *byte, hd_word word) {
    if (HD_WORD_IS_SYMBOLIC(word) && word != HD_WORD_FRESH)
        *byte = (uint8_t)(hd_eval_value(m->expressions.eval, HD_WORD_EXPR(word)) >>
                          8 * HD_WORD_BYTE(word));
}

static hd_item *new_item(hd_machine *m, const hd_packet *p, hd_item_kind kind) {
    hd_net *n = hd_ipc_net(m);
    hd_item *item = hd_item_new(&n->arena, kind);
    item->from = p->source;
    item->bytes = hd_bytes_copy(&n->arena, p->bytes.at, p->bytes.words, p->bytes.n);
    for (uint32_t i = 0; item->bytes.words && i < item->bytes.n; i++)
        settle_byte(m, &item->bytes.at[i], item->bytes.words[i]);
    return item;
}

void hd_ipc_bring(hd_machine *m, const hd_packet *p) {
    switch (p->kind) {
    case HD_PACKET_DATAGRAM:
        hd_ipc_arrive(m, p->from + 1, p->from + 1, &p->target, new_item(m, p, HD_ITEM_DATA),
                      p->site);
        return;
    case HD_PACKET_CONNECT:
    case HD_PACKET_ACCEPTED:
    case HD_PACKET_REFUSED:
        arrive(m, p, NULL);
        return;
    case HD_PACKET_BYTES:
        arrive(m, p, new_item(m, p, HD_ITEM_DATA));
        return;
    case HD_PACKET_END:
        arrive(m, p, new_item(m, p, HD_ITEM_END));
        return;
    case HD_PACKET_RESET:
        arrive(m, p, new_item(m, p, HD_ITEM_RESET));
        return;
    case HD_PACKET_CUT:
        HD_BUG("a cut is no packet of the network");
    }
}
