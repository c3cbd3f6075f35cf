/* What sockets are and become.  Numbers of errors as Linux has them (net/ipv4/tcp.c,
 * net/unix/af_unix.c): tests/programs/messages compares with the real thing. */
#include "world/net.h"

#include "base/panic.h"

#include <errno.h>
#include <string.h>

hd_socket *hd_socket_new(hd_net *n, int domain, int type, uint32_t process, uint32_t id) {
    hd_socket *s = hd_arena_alloc(&n->arena, sizeof *s);
    s->domain = domain;
    s->type = type;
    s->process = process;
    s->host = hd_net_table(n, process)->host;
    s->in = hd_queue_new(&n->arena, id, process);
    s->in->can_end = type != SOCK_DGRAM;
    if (domain == AF_UNIX)
        s->local.family = s->peer.family = AF_UNIX;
    else
        s->local = s->peer = hd_address_any(domain, 0);
    return s;
}

static void connect_to(hd_socket *s, hd_socket *other) {
    s->other = other;
    s->peer = other->local;
    s->state = HD_SOCKET_CONNECTED;
}

void hd_socket_join(hd_socket *a, hd_socket *b) {
    connect_to(a, b);
    connect_to(b, a);
    HD_INVARIANT(S1, a->other == b && b->other == a);
}

int hd_socket_listen(hd_socket *s, int backlog) {
    if (!hd_socket_is_connected_kind(s))
        return EOPNOTSUPP;
    if (s->domain == AF_UNIX && !s->is_bound)
        return EINVAL;
    if (s->state != HD_SOCKET_NEW && s->state != HD_SOCKET_LISTENING)
        return EINVAL;
    s->state = HD_SOCKET_LISTENING;
    s->backlog = backlog < 0 ? 0 : (uint32_t)backlog;
    return 0;
}

hd_socket *hd_socket_connect(hd_net *n, hd_socket *client, hd_socket *listener, uint32_t id) {
    hd_socket *server = hd_socket_new(n, listener->domain, listener->type, listener->process, id);
    server->host = listener->host;
    server->in->owner = listener->in->owner;
    server->local = listener->local;
    server->is_bound = listener->domain != AF_UNIX;
    memcpy(server->options, listener->options, sizeof server->options);
    server->receive_timeout = listener->receive_timeout;
    server->send_timeout = listener->send_timeout;
    if (client->domain != AF_UNIX && hd_ip_is_any(server->local.ip))
        memcpy(server->local.ip, client->peer.ip, HD_IP_SIZE);
    hd_address wanted = client->peer;
    hd_socket_join(client, server);
    if (client->domain != AF_UNIX)
        client->peer = wanted;
    hd_item *item = hd_item_new(&n->arena, HD_ITEM_CONNECTION);
    item->connection = server;
    server->in->is_accepted = true;
    server->listener = listener->in;
    hd_queue_put(&n->arena, listener->in, item);
    return server;
}

hd_socket *hd_socket_stand_in(hd_net *n, int domain, uint32_t host, const hd_address *local) {
    hd_socket *s = hd_arena_alloc(&n->arena, sizeof *s);
    s->state = HD_SOCKET_CONNECTED;
    s->domain = domain;
    s->type = SOCK_STREAM;
    s->host = s->process = host; /* the first process of a host has its number */
    s->local = *local;
    s->in = hd_queue_new(&n->arena, 0, host);
    return s;
}

static uint64_t key_of(uint64_t cable, bool is_server) {
    return cable << 1 | is_server;
}

void hd_cable_add(hd_net *n, hd_socket *s) {
    HD_INVARIANT(S2, s->cable && s->other && !hd_cable_end(n, s->cable, s->is_server));
    hd_map_put(&n->cables, key_of(s->cable, s->is_server), (uint64_t)s);
}

hd_socket *hd_cable_end(const hd_net *n, uint64_t cable, bool is_server) {
    const uint64_t *found = hd_map_find(&n->cables, key_of(cable, is_server));
    return found ? (hd_socket *)*found : NULL;
}

void hd_socket_close(hd_net *n, hd_socket *s) {
    hd_port_release(n, s);
    s->state = HD_SOCKET_CLOSED;
    s->in->is_closed = true;
}

hd_item_kind hd_socket_farewell(const hd_socket *s) {
    bool resets = !hd_queue_is_empty(s->in) || (s->has_linger && s->linger == 0);
    return resets ? HD_ITEM_RESET : HD_ITEM_END;
}

void hd_socket_break(hd_socket *s) {
    /* Behind an end of file the next send is told that nobody reads, else that it was reset. */
    s->error = s->in->has_ended && s->domain != AF_UNIX ? EPIPE : ECONNRESET;
    s->in->has_ended = true;
    if (s->domain != AF_UNIX && s->state == HD_SOCKET_CONNECTED)
        s->state = HD_SOCKET_BROKEN;
}

static int take_error(hd_socket *s) {
    int error = s->error;
    s->error = 0;
    return error;
}

int hd_socket_send_error(hd_socket *s) {
    bool is_unix = s->domain == AF_UNIX;
    if (hd_socket_is_connected_kind(s) && s->state == HD_SOCKET_CONNECTED && is_unix)
        return 0; /* whether somebody reads, or it was shut, is seen when it is put there */
    if (s->has_shut_writing)
        return EPIPE;
    if (s->error)
        return take_error(s);
    if (hd_socket_is_connected_kind(s) && s->state != HD_SOCKET_CONNECTED)
        return is_unix ? ENOTCONN : EPIPE;
    return 0;
}

void hd_socket_print(const hd_socket *s, const hd_address *a, hd_text *out) {
    bool is_packet = s->type == SOCK_DGRAM;
    if (s->asks_system) {
        hd_text_add(out, "netlink socket");
        return;
    }
    if (s->domain == AF_UNIX && a->n_path == 0) {
        hd_text_add(out, "unix socket");
        return;
    }
    hd_text_add(out, "%s ", s->domain == AF_UNIX ? "unix" : is_packet ? "udp" : "tcp");
    hd_address_print(a, out);
}

bool hd_socket_has_joined(const hd_socket *s, const uint8_t group[HD_IP_SIZE]) {
    for (uint32_t i = 0; i < s->n_groups; i++)
        if (hd_ip_is_same(s->groups[i], group))
            return true;
    return false;
}
