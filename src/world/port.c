/* Addresses in use: binding, finding who listens, ports for those who did not ask for one. */
#include "world/net.h"

#include "base/hash.h"
#include "base/panic.h"

#include <errno.h>
#include <string.h>

#define FIRST_FREE_PORT 32768u
#define N_FREE_PORTS    28232u

static bool is_unix(const hd_address *a) {
    return a->family == AF_UNIX;
}

/* All addresses of a host with one port share a door: an address that means any of them meets
 * them all. */
uint32_t hd_port_door(uint32_t host, int type, const hd_address *a) {
    uint64_t h = hd_hash_add(host, is_unix(a) ? 1 : (uint64_t)type << 32);
    h = is_unix(a) ? hd_hash_bytes(h, a->path, a->n_path) : hd_hash_add(h, a->port);
    return (uint32_t)h;
}

static bool overlap(const hd_address *a, const hd_address *b) {
    if (is_unix(a) || is_unix(b))
        return hd_address_is_same(a, b);
    return a->port == b->port &&
           (hd_ip_is_any(a->ip) || hd_ip_is_any(b->ip) || hd_ip_is_same(a->ip, b->ip));
}

/* Does a socket have anything to do with addresses of that kind?  Of IPv4 all have but those of
 * IPv6 that are for it alone. */
static bool has_family(const hd_socket *s, bool is_v4) {
    return is_v4 ? !s->is_v6_only : s->domain == AF_INET6;
}

/* One of IPv4 and one that is for IPv6 alone have nothing in common. */
static bool share_a_family(const hd_socket *a, const hd_socket *b) {
    return (has_family(a, true) && has_family(b, true)) ||
           (has_family(a, false) && has_family(b, false));
}

/* Both must allow it, and of streams nobody may listen. */
static bool can_share(const hd_socket *a, const hd_socket *b) {
    return b && a->is_reusable && b->is_reusable && a->domain != AF_UNIX &&
           (a->type == SOCK_DGRAM || b->state != HD_SOCKET_LISTENING);
}

static bool is_taken(const hd_net *n, const hd_socket *s, const hd_address *a) {
    for (size_t i = 0; i < n->bindings.n; i++) {
        const hd_binding *b = &n->bindings.at[i];
        bool are_apart = b->socket && !is_unix(a) && !share_a_family(s, b->socket);
        if (b->host == s->host && (b->type == s->type || is_unix(a)) && overlap(&b->address, a) &&
            !are_apart && !can_share(s, b->socket))
            return true;
    }
    return false;
}

/* The door names the queue to those who compare events, and two of its items must not have one
 * number.  (Nothing is in a queue that nobody could reach so far.) */
static void go_on_counting(const hd_net *n, hd_queue *q) {
    const uint64_t *n_put = hd_map_find(&n->n_put, q->door);
    if (n_put && *n_put > q->n_put) {
        HD_INVARIANT(Q1, hd_queue_is_empty(q));
        q->n_put = q->n_taken = q->base = (uint32_t)*n_put;
    }
    HD_INVARIANT(N4, !n_put || q->n_put >= *n_put);
}

static void leave_door(hd_net *n, const hd_queue *q) {
    const uint64_t *n_put = q->door ? hd_map_find(&n->n_put, q->door) : NULL;
    if (q->door && q->n_put > (n_put ? *n_put : 0))
        hd_map_put(&n->n_put, q->door, q->n_put);
}

static bool has_door(const hd_net *n, uint32_t door) {
    for (size_t i = 0; i < n->bindings.n; i++)
        if (n->bindings.at[i].socket && n->bindings.at[i].socket->in->door == door)
            return true;
    return false;
}

static void take_door(const hd_net *n, hd_queue *q, uint32_t door) {
    q->door = door;
    for (uint64_t k = 1; has_door(n, q->door); k++)
        q->door = (uint32_t)hd_hash_add(door, k);
    HD_INVARIANT(N5, !has_door(n, q->door));
    q->first_door = q->door == door ? 0 : door;
}

static void add(hd_net *n, hd_socket *s, const hd_address *a) {
    take_door(n, s->in, hd_port_door(s->host, s->type, a));
    hd_vec_push(&n->bindings, ((hd_binding){*a, s->host, s->type, s}));
    s->local = *a;
    s->is_bound = true;
    go_on_counting(n, s->in);
}

static uint16_t free_port(const hd_net *n, const hd_socket *s, hd_address a) {
    for (uint32_t i = 0; i < N_FREE_PORTS; i++) {
        a.port = (uint16_t)(FIRST_FREE_PORT + (s->in->id + i) % N_FREE_PORTS);
        if (!is_taken(n, s, &a))
            return a.port;
    }
    return 0;
}

/* A name of five digits, as Linux invents them. */
static void invent_path(const hd_socket *s, hd_address *a) {
    static const char digits[] = "0123456789abcdef";
    a->n_path = 6;
    for (unsigned i = 0; i < 5; i++)
        a->path[1 + i] = digits[s->in->id >> (4 * (4 - i)) & 15];
}

int hd_port_bind(hd_net *n, hd_socket *s, const hd_address *wanted) {
    hd_address a = *wanted;
    uint32_t host;
    if (s->is_bound)
        return EINVAL;
    if (is_unix(&a) && a.n_path == 0)
        invent_path(s, &a);
    bool is_of_many = !is_unix(&a) && s->type == SOCK_DGRAM &&
                      (hd_ip_is_group(a.ip) || hd_hosts_is_to_all(&n->hosts, s->host, a.ip));
    if (!is_unix(&a) && !is_of_many &&
        (!hd_hosts_route(&n->hosts, s->host, a.ip, &host) || host != s->host))
        return EADDRNOTAVAIL;
    if (!is_unix(&a) && a.port == 0)
        a.port = free_port(n, s, a);
    if (is_taken(n, s, &a))
        return EADDRINUSE;
    add(n, s, &a);
    return 0;
}

void hd_port_bind_any(hd_net *n, hd_socket *s, const uint8_t to[HD_IP_SIZE]) {
    hd_address a = hd_address_any(s->domain, 0);
    if (s->domain == AF_UNIX)
        return;
    if (to)
        hd_hosts_source(&n->hosts, s->host, to, a.ip);
    if (s->is_bound) { /* only the port was known */
        if (to && hd_ip_is_any(s->local.ip))
            memcpy(s->local.ip, a.ip, HD_IP_SIZE);
        return;
    }
    a.port = free_port(n, s, a);
    add(n, s, &a);
}

/* A socket that is bound to the group, or to any address, hears it if it has joined; what is for
 * all needs no joining.  Who is bound to an address of its own hears neither. */
static bool hears_group(const hd_binding *b, const hd_address *a) {
    return b->socket && b->address.port == a->port &&
           (hd_ip_is_any(b->address.ip) || hd_ip_is_same(b->address.ip, a->group)) &&
           (!hd_ip_is_group(a->group) || hd_socket_has_joined(b->socket, a->group));
}

static bool is_meant(const hd_binding *b, const hd_address *a) {
    if (!is_unix(a) && !is_unix(&b->address) && b->socket &&
        !has_family(b->socket, hd_ip_is_v4(a->ip)))
        return false;
    return !is_unix(a) && hd_address_is_of_group(a) ? hears_group(b, a) : overlap(&b->address, a);
}

static bool can_receive(const hd_binding *b, int type) {
    return b->socket && b->type == type &&
           (type == SOCK_DGRAM || b->socket->state == HD_SOCKET_LISTENING);
}

hd_socket *hd_port_find(const hd_net *n, uint32_t from, int type, const hd_address *a, int *error) {
    uint32_t host = from;
    hd_socket *found = NULL;
    *error = is_unix(a) ? a->n_path && a->path[0] ? ENOENT : ECONNREFUSED : ECONNREFUSED;
    if (!is_unix(a) && !hd_hosts_route(&n->hosts, from, a->ip, &host))
        return NULL;
    hd_address meant = *a;
    if (!is_unix(a) && hd_ip_is_any(a->ip))
        hd_hosts_source(&n->hosts, from, a->ip, meant.ip);
    for (size_t i = 0; i < n->bindings.n; i++) {
        const hd_binding *b = &n->bindings.at[i];
        if (b->host != host || !is_meant(b, &meant))
            continue;
        *error = b->type == type || !is_unix(a) ? ECONNREFUSED : EPROTOTYPE;
        if (can_receive(b, type) && (!found || hd_address_is_same(&b->address, &meant)))
            found = b->socket;
    }
    return found;
}

void hd_port_release(hd_net *n, hd_socket *s) {
    leave_door(n, s->in);
    for (size_t i = 0; i < n->bindings.n;) {
        hd_binding *b = &n->bindings.at[i];
        if (b->socket != s) {
            i++;
            continue;
        }
        b->socket = NULL;
        if (is_unix(&b->address) && b->address.path[0])
            i++;
        else
            *b = n->bindings.at[--n->bindings.n];
    }
}

void hd_port_unbind(hd_net *n, hd_socket *s) {
    hd_port_release(n, s);
    s->is_bound = false;
    s->in->door = s->in->first_door = 0;
    s->local =
        s->domain == AF_UNIX ? (hd_address){.family = AF_UNIX} : hd_address_any(s->domain, 0);
}

bool hd_port_unlink(hd_net *n, uint32_t host, const char *path) {
    for (size_t i = 0; i < n->bindings.n; i++) {
        const hd_binding *b = &n->bindings.at[i];
        if (b->host == host && is_unix(&b->address) && b->address.n_path == strlen(path) &&
            memcmp(b->address.path, path, b->address.n_path) == 0) {
            n->bindings.at[i] = n->bindings.at[--n->bindings.n];
            return true;
        }
    }
    return false;
}
