/* Groups of IPv4 (224.0.0.0/4) and of IPv6 (ff00::/8): who has joined which, and what leaves for
 * them.
 *
 * A datagram for a group is one for each node in range (channels/transfer.c), with the group in its
 * address; whether a socket hears it is asked when it arrives (world/port.c).  So joining and
 * leaving are events at the socket's door, as binding is: what arrives is before or after them. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

typedef enum joining { JOINS, LEAVES } joining;

/* Joining decides what is heard from then on.  (That it might be heard before is foretold of a
 * socket that is bound, which costs an execution more at most.) */
static void stand_before(hd_machine *m, const hd_file *f, joining what) {
    const hd_socket *s = f->socket;
    hd_opening opening = what == JOINS ? HD_OPENING_OPENS : HD_OPENING_SAME;
    if (s->is_bound && s->in->first_door)
        hd_ipc_change(m, s->in, opening, f);
    else if (s->is_bound)
        hd_ipc_change_door(m, s->in->door, opening, f);
}

/* 0.0.0.0 leaves the choice to the system; a node has one interface, and loopback. */
static bool is_own_interface(hd_machine *m, const hd_socket *s, const void *four) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    hd_address given;
    uint32_t host;
    memcpy(&a.sin_addr, four, sizeof a.sin_addr);
    return hd_address_read(&a, sizeof a, AF_INET, &given) == 0 &&
           (hd_ip_is_any(given.ip) ||
            (hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, given.ip, &host) && host == s->host));
}

static int join(hd_machine *m, hd_file *f, const uint8_t group[HD_IP_SIZE]) {
    hd_socket *s = f->socket;
    if (hd_socket_has_joined(s, group))
        return hd_ipc_fail(m, EADDRINUSE);
    if (s->n_groups == HD_MOST_GROUPS)
        return hd_ipc_fail(m, ENOBUFS);
    stand_before(m, f, JOINS);
    if (hd_socket_has_joined(s, group) || s->n_groups == HD_MOST_GROUPS) /* another thread has */
        return hd_ipc_fail(m, hd_socket_has_joined(s, group) ? EADDRINUSE : ENOBUFS);
    memcpy(s->groups[s->n_groups++], group, HD_IP_SIZE);
    return 0;
}

static int leave(hd_machine *m, hd_file *f, const uint8_t group[HD_IP_SIZE]) {
    hd_socket *s = f->socket;
    if (!hd_socket_has_joined(s, group))
        return hd_ipc_fail(m, EADDRNOTAVAIL);
    stand_before(m, f, LEAVES);
    HD_ASSERT(s->n_groups <= HD_MOST_GROUPS);
    for (uint32_t i = 0; i < s->n_groups; i++)
        if (hd_ip_is_same(s->groups[i], group))
            memcpy(s->groups[i], s->groups[--s->n_groups], HD_IP_SIZE);
    return 0;
}

/* ---- of IPv4 ---- */

int hd_group_change(hd_machine *m, hd_file *f, bool joins, const void *value, unsigned length) {
    struct ip_mreq r;
    if (f->socket->domain == AF_UNIX)
        return hd_ipc_fail(m, EOPNOTSUPP);
    if (f->socket->domain != AF_INET || f->socket->type != SOCK_DGRAM)
        return hd_ipc_fail(m, f->socket->domain == AF_INET ? EPROTO : ENOPROTOOPT);
    if (length < sizeof r)
        return hd_ipc_fail(m, EINVAL);
    hd_library_get(m, &r, value, sizeof r);
    hd_address group = hd_address_any(AF_INET, 0);
    memcpy(group.ip + HD_IP_SIZE - sizeof r.imr_multiaddr, &r.imr_multiaddr,
           sizeof r.imr_multiaddr);
    if (!hd_ip_is_group(group.ip))
        return hd_ipc_fail(m, joins ? EINVAL : EADDRNOTAVAIL);
    if (!is_own_interface(m, f->socket, &r.imr_interface))
        return hd_ipc_fail(m, joins ? ENODEV : EADDRNOTAVAIL);
    return joins ? join(m, f, group.ip) : leave(m, f, group.ip);
}

/* There is one interface to choose.  struct in_addr, ip_mreq or ip_mreqn: the address is the first
 * or the second. */
int hd_group_interface(hd_machine *m, hd_socket *s, const void *value, unsigned length) {
    struct ip_mreq r = {0};
    if (s->domain != AF_INET)
        return hd_ipc_fail(m, s->domain == AF_UNIX ? EOPNOTSUPP : ENOPROTOOPT);
    if (s->type == SOCK_STREAM)
        return hd_ipc_fail(m, EINVAL);
    if (length < sizeof r.imr_interface)
        return hd_ipc_fail(m, EINVAL);
    if (length >= sizeof r)
        hd_library_get(m, &r, value, sizeof r);
    else
        hd_library_get(m, &r.imr_interface, value, sizeof r.imr_interface);
    if (!is_own_interface(m, s, &r.imr_interface))
        return hd_ipc_fail(m, EADDRNOTAVAIL);
    s->group_interface = r.imr_interface.s_addr;
    s->leaves_by_loopback = ntohl(s->group_interface) >> 24 == 127;
    return 0;
}

/* ---- of IPv6 ---- */

/* 0 leaves the choice to the system; "lo" is 1, and a node has "eth0" beside it. */
static bool is_own_index(const hd_socket *s, uint32_t index) {
    return index <= 1 || (s->host && index == HD_INTERFACE_OF_NODES);
}

int hd_group_change_v6(hd_machine *m, hd_file *f, bool joins, const void *value, unsigned length) {
    struct ipv6_mreq r;
    HD_ASSERT(f->socket->domain == AF_INET6);
    if (length < sizeof r)
        return hd_ipc_fail(m, EINVAL);
    if (f->socket->type != SOCK_DGRAM)
        return hd_ipc_fail(m, EPROTO);
    hd_library_get(m, &r, value, sizeof r);
    const uint8_t *group = r.ipv6mr_multiaddr.s6_addr;
    if (hd_ip_is_v4(group) || !hd_ip_is_group(group))
        return hd_ipc_fail(m, EINVAL);
    if (!is_own_index(f->socket, r.ipv6mr_interface))
        return hd_ipc_fail(m, joins ? ENODEV : EADDRNOTAVAIL);
    return joins ? join(m, f, group) : leave(m, f, group);
}

int hd_group_interface_v6(hd_machine *m, hd_socket *s, const void *value, unsigned length) {
    uint32_t index;
    HD_ASSERT(s->domain == AF_INET6);
    if (length < sizeof index)
        return hd_ipc_fail(m, EINVAL);
    if (s->type == SOCK_STREAM)
        return hd_ipc_fail(m, ENOPROTOOPT);
    hd_library_get(m, &index, value, sizeof index);
    if (!is_own_index(s, index))
        return hd_ipc_fail(m, ENODEV);
    s->group_interface = index;
    s->leaves_by_loopback = index == 1;
    return 0;
}
