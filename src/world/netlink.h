/* netlink.h -- what a host's system answers to requests of sockets of NETLINK_ROUTE.
 *
 * A host has the loopback interface and, if it is a node's, "eth0" with its addresses; it begins
 * with the route to the network of that.  Interfaces and addresses never change.  Routes and rules
 * that programs add are kept for the host and told again; no packet goes by them, as nothing is
 * ever forwarded.
 *
 * R1. An entry is kept as it was asked for: a whole header, and its attributes. */
#ifndef HD_WORLD_NETLINK_H
#define HD_WORLD_NETLINK_H
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_net;

/* A route or a rule that somebody has added. */
typedef struct hd_netlink_entry {
    struct hd_netlink_entry *next;
    uint32_t host, n; /* bytes */
    uint16_t type;    /* RTM_NEWROUTE, RTM_NEWRULE */
    uint8_t *bytes;   /* R1: behind the header of the message */
} hd_netlink_entry;

/* What comes back, as one datagram or several: `cuts` says where each of them ends. */
typedef struct hd_netlink_answer {
    hd_vec(uint8_t) bytes;
    hd_vec(uint32_t) cuts;
    bool has_changed; /* a route or a rule was added or removed */
    bool is_unknown;  /* something was asked for that is not modelled: refused (EOPNOTSUPP) */
} hd_netlink_answer;

/* All requests in one datagram, of a socket with that number. */
void hd_netlink_ask(struct hd_net *n, uint32_t host, uint32_t socket, const uint8_t *bytes,
                    uint32_t size, hd_netlink_answer *out);
void hd_netlink_answer_release(hd_netlink_answer *a);
#endif
