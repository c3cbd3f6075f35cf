/* Sockets: making, naming, connecting and accepting them. */
#include "machine/channels/faults.h"
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stdio.h>

#define TYPE_FLAGS (SOCK_NONBLOCK | SOCK_CLOEXEC)

/* ---- making them ---- */

static bool is_known_protocol(int domain, int type, int protocol) {
    if (protocol == 0)
        return true;
    return domain != AF_UNIX && ((type == SOCK_STREAM && protocol == IPPROTO_TCP) ||
                                 (type == SOCK_DGRAM && protocol == IPPROTO_UDP));
}

/* What else there may be on a machine is not on this one. */
static int check_netlink(hd_machine *m, int type, int protocol) {
    if (type != SOCK_RAW && type != SOCK_DGRAM)
        return ESOCKTNOSUPPORT;
    if (protocol == NETLINK_ROUTE)
        return 0;
    hd_bound_call(m, "of netlink there is NETLINK_ROUTE alone (EPROTONOSUPPORT)");
    return EPROTONOSUPPORT;
}

/* 0, an error number, or the execution ends. */
static int check_kind(hd_machine *m, int domain, int type, int protocol) {
    if (domain == AF_NETLINK)
        return check_netlink(m, type, protocol);
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        hd_ipc_refuse(
            m, "socket of address family %d, which is not modelled (executions end there)", domain);
    if (type == SOCK_RAW)
        hd_ipc_refuse(m, "socket of type SOCK_RAW, which is not modelled (executions end there)");
    bool has_packets = domain == AF_UNIX;
    if (type != SOCK_STREAM && type != SOCK_DGRAM && !(type == SOCK_SEQPACKET && has_packets))
        return type == SOCK_SEQPACKET ? ESOCKTNOSUPPORT : EINVAL;
    return is_known_protocol(domain, type, protocol) ? 0 : EPROTONOSUPPORT;
}

static int open_socket(hd_machine *m, hd_socket *s, int flags) {
    hd_file *f = hd_file_new(hd_ipc_net(m), HD_FILE_SOCKET,
                             O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0));
    f->socket = s;
    return hd_ipc_open(m, f, flags & SOCK_CLOEXEC);
}

/* One that asks the system (channels/system_requests.c). */
static hd_socket *new_asker(hd_machine *m, int type) {
    hd_socket *s =
        hd_socket_new(hd_ipc_net(m), AF_UNIX, SOCK_DGRAM, hd_ipc_process(m), hd_name_object(m));
    s->asks_system = true;
    s->made_as = type;
    s->local = s->peer = (hd_address){.family = AF_NETLINK};
    return s;
}

static hd_socket *new_socket(hd_machine *m, int domain, int type) {
    if (domain == AF_NETLINK)
        return new_asker(m, type);
    return hd_socket_new(hd_ipc_net(m), domain, type, hd_ipc_process(m), hd_name_object(m));
}

int hd_libc_socket(int domain, int type, int protocol) {
    hd_machine *m = hd_ipc_enter();
    int flags = type & TYPE_FLAGS;
    type &= ~TYPE_FLAGS;
    int error = check_kind(m, domain, type, protocol);
    return error ? hd_ipc_fail(m, error) : open_socket(m, new_socket(m, domain, type), flags);
}

int hd_libc_socketpair(int domain, int type, int protocol, int *out) {
    hd_machine *m = hd_ipc_enter();
    int flags = type & TYPE_FLAGS, both[2];
    type &= ~TYPE_FLAGS;
    int error = check_kind(m, domain, type, protocol);
    if (error)
        return hd_ipc_fail(m, error);
    if (domain != AF_UNIX)
        return hd_ipc_fail(m, EOPNOTSUPP);
    hd_socket *a = new_socket(m, domain, type), *b = new_socket(m, domain, type);
    hd_socket_join(a, b);
    both[0] = open_socket(m, a, flags);
    both[1] = both[0] < 0 ? -1 : open_socket(m, b, flags);
    if (both[1] < 0)
        return both[0] < 0 ? -1 : hd_ipc_give_back(m, both[0]);
    hd_ipc_name(m, a->in, "socket pair %d-%d, to %d", both[0], both[1], both[0]);
    hd_ipc_name(m, b->in, "socket pair %d-%d, to %d", both[0], both[1], both[1]);
    hd_ipc_store_plain(m, out, both, sizeof both);
    return 0;
}

/* ---- names ---- */

int hd_libc_bind(int descriptor, const void *address, unsigned length) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    hd_address a;
    if (!s)
        return -1;
    int error = hd_ipc_load_address(m, address, length, hd_socket_family(s), &a);
    if (error)
        return hd_ipc_fail(m, error);
    if (s->asks_system) {
        error = a.family == AF_UNSPEC ? EINVAL : hd_ipc_bind_asker(m, s, &a);
        return error ? hd_ipc_fail(m, error) : 0;
    }
    if (a.family == AF_UNSPEC)
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EINVAL : EAFNOSUPPORT);
    if (a.port || a.n_path) /* others cannot know what is free */
        hd_ipc_change_door(m, hd_port_door(s->host, s->type, &a),
                           s->type == SOCK_DGRAM ? HD_OPENING_OPENS : HD_OPENING_SAME, f);
    else
        hd_ipc_state_event(m, f, true);
    error = hd_port_bind(hd_ipc_net(m), s, &a);
    if (error)
        return hd_ipc_fail(m, error);
    HD_ASSERT(s->is_bound);
    hd_ipc_name_socket(m, s);
    return 0;
}

/* Does the socket listen?  Asked beside others who may just let it. */
static bool is_listening(hd_machine *m, const hd_file *f, const hd_socket *s) {
    if (s->state == HD_SOCKET_NEW || s->listens_late)
        hd_ipc_state_event(m, f, false);
    return s->state == HD_SOCKET_LISTENING;
}

int hd_libc_listen(int descriptor, int backlog) {
    hd_machine *m = hd_ipc_enter();
    hd_fault_before(m, true);
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    hd_ipc_state_event(m, f, true);
    if (hd_socket_is_connected_kind(s) && s->domain != AF_UNIX)
        hd_port_bind_any(hd_ipc_net(m), s, NULL);
    if (s->is_bound)
        hd_ipc_change(m, s->in, HD_OPENING_OPENS, f); /* it has a name before it listens */
    int error = hd_socket_is_under_way(s) ? EINVAL : hd_socket_listen(s, backlog);
    s->listens_late |= hd_ipc_has_rivals(m, f);
    return error ? hd_ipc_fail(m, error) : 0;
}

int hd_libc_getsockname(int descriptor, void *address, unsigned *length) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    const hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    hd_ipc_note_use(m, f, HD_USE_ANY); /* connecting binds it */
    hd_ipc_state_event(m, f, false);
    hd_ipc_store_address(m, &s->local, hd_socket_family(s), address, length);
    return 0;
}

int hd_libc_getpeername(int descriptor, void *address, unsigned *length) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    const hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    hd_ipc_note_use(m, f, HD_USE_ANY);
    if (s->state != HD_SOCKET_CONNECTED)
        return hd_ipc_fail(m, ENOTCONN);
    hd_ipc_store_address(m, &s->peer, hd_socket_family(s), address, length);
    return 0;
}

/* ---- connecting ---- */

/* Connections need both ways. */
static bool is_cut_off(hd_machine *m, const hd_socket *s, const hd_address *to) {
    uint32_t host = s->host;
    if (s->domain == AF_UNIX || !hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, to->ip, &host))
        return false;
    return hd_nodes_link(m, s->host, host).is_cut || hd_nodes_link(m, host, s->host).is_cut;
}

static hd_socket *find_listener(hd_machine *m, const hd_ipc_request *r, int *error) {
    hd_net *n = hd_ipc_net(m);
    *error = EHOSTUNREACH;
    if (is_cut_off(m, r->socket, &r->target))
        return NULL;
    hd_socket *s = hd_port_find(n, r->socket->host, r->socket->type, &r->target, error);
    if (!s || !s->has_shut_reading)
        return s;
    *error = ECONNREFUSED;
    return NULL;
}

static uint64_t door_of(hd_machine *m, const hd_socket *s, const hd_address *a) {
    uint32_t host = s->host;
    if (s->domain != AF_UNIX)
        hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, a->ip, &host);
    return hd_ipc_door(hd_port_door(host, s->type, a));
}

static void settle_connect(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    int error;
    const hd_socket *listener = find_listener(m, r, &error);
    if (listener) {
        hd_ipc_fill_put(a, listener->in, true, true);
        hd_ipc_look_at_readers(m, a, listener->in);
        return;
    }
    hd_ipc_fill_refused(a, door_of(m, r->socket, &r->target));
}

static void refuse_outside(hd_machine *m, const hd_address *to) {
    hd_text words = {0};
    char text[36];
    hd_address_print(to, &words);
    snprintf(text, sizeof text, "%s", hd_text_string(&words));
    hd_text_release(&words);
    hd_ipc_refuse(m, "connect to %s, which is outside the scenario (executions end there)", text);
}

static void check_inside(hd_machine *m, const hd_socket *s, const hd_address *to) {
    uint32_t host = 0;
    if (s->domain != AF_UNIX && !hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, to->ip, &host))
        refuse_outside(m, to);
}

/* Every address on this side; what was meant is what the peer is called. */
static void set_peer(hd_machine *m, hd_socket *s, const hd_address *to) {
    s->peer = *to;
    if (s->domain != AF_UNIX && hd_ip_is_any(to->ip))
        hd_hosts_source(&hd_ipc_net(m)->hosts, s->host, to->ip, s->peer.ip);
}

/* Datagrams: from now on this peer, and nobody else is heard. */
static int connect_datagrams(hd_machine *m, hd_socket *s, const hd_address *to) {
    HD_ASSERT(!hd_socket_is_connected_kind(s));
    int error;
    hd_net *n = hd_ipc_net(m);
    if (s->asks_system)
        return 0; /* with the system it is */
    if (to->family == AF_UNSPEC) {
        s->state = HD_SOCKET_NEW;
        s->other = NULL;
        return 0;
    }
    check_inside(m, s, to);
    if (s->is_bound)
        hd_ipc_change(m, s->in, HD_OPENING_UNKNOWN, NULL);
    if (s->domain == AF_UNIX && !hd_port_find(n, s->host, s->type, to, &error))
        return hd_ipc_fail(m, error);
    hd_port_bind_any(n, s, to->ip);
    set_peer(m, s, to);
    s->state = HD_SOCKET_CONNECTED;
    return 0;
}

/* The second look at a connect that did not wait. */
static int connect_again(hd_machine *m, hd_socket *s) {
    HD_ASSERT(hd_socket_is_connected_kind(s));
    int error = s->error ? s->error : s->is_told ? EISCONN : 0;
    s->is_told = s->state == HD_SOCKET_CONNECTED;
    s->is_connecting = s->is_connecting && s->is_told;
    s->error = 0;
    return error ? hd_ipc_fail(m, error) : 0;
}

/* Linux takes connections through the network apart. */
static int disconnect(hd_machine *m, const hd_socket *s) {
    if (s->domain == AF_UNIX)
        return hd_ipc_fail(m, EINVAL);
    if (s->state != HD_SOCKET_NEW || s->is_connecting)
        hd_ipc_refuse(m, "connect to no address, of a stream in use (executions end there)");
    return 0;
}

static bool is_immediate(const hd_machine *m, uint32_t a, uint32_t b) {
    return hd_nodes_link(m, a, b).latency == HD_LATENCY_NONE &&
           hd_nodes_link(m, b, a).latency == HD_LATENCY_NONE;
}

/* The answer to a connect that has waited for it. */
static int connect_answered(hd_machine *m, hd_file *f, hd_socket *s) {
    if (!hd_cable_await(m, f, true))
        return hd_ipc_fail(m, EINTR); /* it goes on to be connected */
    int error = s->error;
    s->error = 0;
    s->is_connecting = false;
    s->is_told = !error;
    return error ? hd_ipc_fail(m, error) : 0;
}

/* To another host, where virtual time orders events. */
static int connect_by_cable(hd_machine *m, hd_file *f, hd_socket *s, const hd_address *to,
                            uint32_t host) {
    bool is_cut = is_cut_off(m, s, to);
    hd_ipc_note_change(m, f, HD_USE_ANY);
    s->has_port_of_connect = !s->is_bound;
    hd_port_bind_any(hd_ipc_net(m), s, to->ip);
    uint32_t id = hd_name_object(m);
    s->is_connecting = true;
    s->is_told = false;
    if (is_cut)
        hd_cable_refuse(m, s, EHOSTUNREACH);
    else {
        set_peer(m, s, to);
        hd_cable_connect(m, s, host, id);
        hd_ipc_name_socket(m, s);
    }
    return f->flags & O_NONBLOCK ? hd_ipc_fail(m, EINPROGRESS) : connect_answered(m, f, s);
}

static bool needs_cable(hd_machine *m, const hd_socket *s, const hd_address *to, uint32_t *host) {
    if (!hd_time_orders(m) || s->domain == AF_UNIX)
        return false;
    hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, to->ip, host);
    return *host != s->host;
}

static int connect_stream(hd_machine *m, hd_file *f, hd_socket *s, const hd_address *to) {
    HD_ASSERT(f->socket == s && s->state == HD_SOCKET_NEW);
    hd_ipc_request r = {.settle = settle_connect, .file = f, .socket = s, .target = *to};
    bool waits = !(f->flags & O_NONBLOCK) || s->domain == AF_UNIX;
    bool was_bound = s->is_bound;
    int error;
    hd_ipc_note_change(m, f, HD_USE_ANY);
    hd_port_bind_any(hd_ipc_net(m), s, to->ip);
    uint32_t id = hd_name_object(m);
    hd_ipc_stand(m, HD_DO_PUT, 0, &r);
    hd_socket *listener = find_listener(m, &r, &error);
    s->is_connecting = !waits;
    if (listener) {
        set_peer(m, s, to);
        hd_socket *server = hd_socket_connect(hd_ipc_net(m), s, listener, id);
        HD_ASSERT(s->other == server && server->listener == listener->in);
        s->is_immediate = server->is_immediate = is_immediate(m, s->host, server->host);
        hd_ipc_prepare_courier(m, s);
        hd_ipc_prepare_courier(m, server); /* whoever uses it first, or closes the listener */
        hd_ipc_name_socket(m, s);
        hd_ipc_name_socket(m, s->other);
        s->is_told = waits;
        return waits ? 0 : hd_ipc_fail(m, EINPROGRESS);
    }
    HD_ASSERT(error > 0); /* who is refused is told why */
    if (!was_bound)
        hd_port_unbind(hd_ipc_net(m), s);
    if (waits)
        return hd_ipc_fail(m, error);
    s->error = error;
    return hd_ipc_fail(m, EINPROGRESS);
}

int hd_libc_connect(int descriptor, const void *address, unsigned length) {
    hd_machine *m = hd_ipc_enter_point();
    hd_fault_before(m, true);
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    hd_address to;
    if (!s)
        return -1;
    int error = hd_ipc_load_address(m, address, length, hd_socket_family(s), &to);
    if (error)
        return hd_ipc_fail(m, error);
    if (!hd_socket_is_connected_kind(s))
        return connect_datagrams(m, s, &to);
    if (s->listens_late) /* else connecting says what is lost */
        hd_ipc_state_event(m, f, false);
    if (to.family == AF_UNSPEC)
        return disconnect(m, s);
    if (s->state == HD_SOCKET_LISTENING)
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EINVAL : EISCONN);
    if (hd_socket_is_under_way(s))
        return f->flags & O_NONBLOCK ? hd_ipc_fail(m, EALREADY) : connect_answered(m, f, s);
    if (s->state != HD_SOCKET_NEW || (s->is_connecting && s->error))
        return connect_again(m, s);
    uint32_t host;
    check_inside(m, s, &to);
    return needs_cable(m, s, &to, &host) ? connect_by_cable(m, f, s, &to, host)
                                         : connect_stream(m, f, s, &to);
}

/* ---- accepting ---- */

int hd_libc_accept4(int descriptor, void *address, unsigned *length, int flags) {
    hd_machine *m = hd_ipc_enter_point();
    hd_fault_before(m, true);
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    if (flags & ~TYPE_FLAGS)
        return hd_ipc_fail(m, EINVAL);
    if (!hd_socket_is_connected_kind(s))
        return hd_ipc_fail(m, EOPNOTSUPP);
    if (!is_listening(m, f, s))
        return hd_ipc_fail(m, EINVAL);
    bool waits = !(f->flags & O_NONBLOCK);
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (hd_ipc_is_full(m)) /* a connection that has no number is not taken */
        return hd_ipc_fail(m, EMFILE);
    if (!hd_ipc_take(m, s->in, f, waits ? hd_ipc_deadline(m, s->receive_timeout) : 0))
        return hd_ipc_fail(m, EAGAIN);
    const hd_item *item = hd_queue_first(s->in);
    if (!item) /* shutdown() */
        return hd_ipc_fail(m, EINVAL);
    HD_ASSERT(item->kind == HD_ITEM_CONNECTION && item->connection);
    hd_queue_pop(s->in);
    hd_socket *connection = item->connection;
    connection->process = hd_ipc_process(m);
    connection->listener = NULL;
    int accepted = open_socket(m, connection, flags);
    if (accepted < 0)
        hd_bound_call(m, "a connection is lost if others use up the descriptors while it comes");
    hd_ipc_store_address(m, &connection->peer, s->domain, address, length);
    return accepted;
}

int hd_libc_accept(int descriptor, void *address, unsigned *length) {
    return hd_libc_accept4(descriptor, address, length, 0);
}

/* A datagram socket tells nobody that it is shut. */
static void shut_datagrams(hd_machine *m, hd_file *f, bool reading, bool writing) {
    HD_ASSERT(f->socket && !hd_socket_is_connected_kind(f->socket));
    hd_socket *s = f->socket;
    bool matters = writing && hd_ipc_has_rivals(m, f);
    if (reading)
        hd_ipc_note_change(m, f, HD_USE_RECEIVE);
    if (matters && hd_socket_is_network(s))
        hd_ipc_look(m, NULL, s->in);
    else if (matters && s->other)
        hd_ipc_change(m, s->other->in, HD_OPENING_UNKNOWN, NULL);
    s->has_shut_writing |= writing;
    hd_ipc_shutdown(m, f, reading, false);
}

int hd_libc_shutdown(int descriptor, int how) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f;
    hd_socket *s = hd_ipc_socket(m, descriptor, &f);
    if (!s)
        return -1;
    if (how < SHUT_RD || how > SHUT_RDWR)
        return hd_ipc_fail(m, EINVAL);
    bool reading = how != SHUT_WR, writing = how != SHUT_RD;
    hd_ipc_note_use(m, f, HD_USE_ANY);
    if (hd_socket_is_network(s) && s->other) /* it may have been reset */
        hd_ipc_look(m, s->other->in, hd_ipc_has_rivals(m, f) ? s->in : NULL);
    if (hd_socket_is_connected_kind(s) && is_listening(m, f, s)) {
        hd_ipc_shutdown(m, f, reading, false);
        return 0;
    }
    if (s->state != HD_SOCKET_CONNECTED)
        return s->domain == AF_UNIX ? 0 : hd_ipc_fail(m, ENOTCONN);
    if (!hd_socket_is_connected_kind(s))
        shut_datagrams(m, f, reading, writing);
    else
        hd_ipc_shutdown(m, f, reading, writing);
    return 0;
}
