/* socket.h -- the states of sockets.
 *
 * A connected stream is two sockets, each with the queue of what it receives.  A datagram socket
 * has a queue too, and so has a listener: of connections.
 *
 * S1. `other` of a connected socket is connected to it, until one of them is closed; the fields
 *     of a closed one are still good to look at.
 * S2. The other end of a cable may be at a host that is not there: `other` is a stand-in then,
 * which has an address and a host and never changes.  Both ends are found by the name of the cable.
 */
#ifndef HD_WORLD_SOCKET_H
#define HD_WORLD_SOCKET_H
#include "world/queue.h"

typedef enum hd_socket_state {
    HD_SOCKET_NEW,
    HD_SOCKET_LISTENING,
    HD_SOCKET_CONNECTED, /* streams and packets; or datagrams with a fixed peer */
    HD_SOCKET_BROKEN,    /* the other side has reset the connection */
    HD_SOCKET_CLOSED,
} hd_socket_state;

/* Options that change nothing here: their value is kept and answered. */
#define HD_N_PLAIN_OPTIONS 40
#define HD_MOST_GROUPS     20 /* as Linux has it */

typedef struct hd_socket {
    uint8_t state; /* hd_socket_state */
    bool is_bound, is_reusable;
    bool may_broadcast;      /* SO_BROADCAST */
    bool is_v6_only;         /* IPV6_V6ONLY: nothing of IPv4 comes in */
    bool tells_target;       /* IP_PKTINFO, IPV6_RECVPKTINFO: where a datagram was sent to */
    bool hears_not_itself;   /* IP_MULTICAST_LOOP is off, or that of IPv6 */
    bool stays_on_its_host;  /* IP_MULTICAST_TTL or IPV6_MULTICAST_HOPS is 0 */
    bool leaves_by_loopback; /* IP_MULTICAST_IF is 127.0.0.1, IPV6_MULTICAST_IF is lo */
    bool is_immediate;       /* connected by links without latency, both ways */
    bool has_reset;          /* it has told the other side that the connection is broken */
    bool has_shut_reading, has_shut_writing; /* shutdown() here */
    bool is_told;             /* a connect() that did not wait was reported as done */
    bool has_port_of_connect; /* which takes it back if it fails */
    bool is_server;           /* of a cable: it was connected to */
    bool is_connecting;
    bool asks_system;  /* of AF_NETLINK: a datagram socket of the UNIX domain to all who look */
    bool listens_late; /* others had it when it began to: whether it listens is an event to ask */
    int made_as;       /* its type, where `type` is not what the program asked for; 0: it is */
    int domain, type;  /* AF_UNIX, AF_INET, AF_INET6; SOCK_STREAM, ... */
    int error;         /* SO_ERROR: answered once */
    uint32_t host, process;
    hd_address local, peer;
    hd_queue *in;
    struct hd_socket *other;
    uint64_t cable;           /* S2; 0: none */
    const hd_queue *listener; /* where it waits, or waited in vain, to be accepted; or NULL */
    uint64_t receive_timeout, send_timeout; /* nanoseconds; 0 = none */
    struct hd_socket *next_asker;           /* netlink: another one that is bound */
    uint32_t backlog;
    uint32_t courier;     /* 1 + the one that carries what this socket sends */
    void *routes;         /* datagrams: couriers by address */
    void *unsent;         /* what was sent in a row and leaves as one: channels/carry.c */
    uint32_t n_cuts;      /* so often it was cut */
    uint32_t last_sender; /* 1 + the thread that sent on the connection last, and ... */
    uint64_t last_event;  /* ... how many events it had had by then */
    uint8_t groups[HD_MOST_GROUPS][HD_IP_SIZE]; /* that it has joined */
    uint32_t n_groups;
    uint32_t group_interface; /* IP_MULTICAST_IF or IPV6_MULTICAST_IF, as it was given */
    bool has_linger;
    int linger;                      /* 0 with has_linger: closing resets the connection */
    int options[HD_N_PLAIN_OPTIONS]; /* less what they are first */
    uint32_t option_shadows[HD_N_PLAIN_OPTIONS]; /* expressions of what was given; 0: concrete */
} hd_socket;

struct hd_net;
hd_socket *hd_socket_new(struct hd_net *n, int domain, int type, uint32_t process, uint32_t id);
/* Connect two sockets that are new. */
void hd_socket_join(hd_socket *a, hd_socket *b);
/* 0 or an error number. */
int hd_socket_listen(hd_socket *s, int backlog);
/* The server's end of a connection from `client`, put into the listener's queue. */
hd_socket *hd_socket_connect(struct hd_net *n, hd_socket *client, hd_socket *listener, uint32_t id);
/* Stands for the other end of a connection that `s` is about to have: at that host, with that
 * address. */
hd_socket *hd_socket_stand_in(struct hd_net *n, int domain, uint32_t host, const hd_address *local);
/* The socket is an end of its cable from now on. */
void hd_cable_add(struct hd_net *n, hd_socket *s);
/* An end of a cable; NULL: it is not here. */
hd_socket *hd_cable_end(const struct hd_net *n, uint64_t cable, bool is_server);
/* Has the socket asked to be connected, and was not answered yet? */
static inline bool hd_socket_is_under_way(const hd_socket *s) {
    return s->cable && s->state == HD_SOCKET_NEW;
}
/* Nobody uses it any more. */
void hd_socket_close(struct hd_net *n, hd_socket *s);
/* What it leaves for the other side: END, or RESET if it did not read everything. */
hd_item_kind hd_socket_farewell(const hd_socket *s);
/* The connection broke, as seen by `s`: later sends fail, and its error is set. */
void hd_socket_break(hd_socket *s);
/* Why a send cannot be done; 0 if it can.  Clears an error that is reported by this. */
int hd_socket_send_error(hd_socket *s);
bool hd_socket_has_joined(const hd_socket *s, const uint8_t group[HD_IP_SIZE]);
static inline bool hd_socket_is_stream(const hd_socket *s) {
    return s->type == SOCK_STREAM;
}
/* Connections, not datagrams. */
static inline bool hd_socket_is_connected_kind(const hd_socket *s) {
    return s->type != SOCK_DGRAM;
}
/* The family that the program knows it by. */
static inline int hd_socket_family(const hd_socket *s) {
    return s->asks_system ? AF_NETLINK : s->domain;
}
/* Does what it sends arrive some time later? */
static inline bool hd_socket_is_network(const hd_socket *s) {
    return s->domain != AF_UNIX && !s->is_immediate;
}
/* "tcp 10.0.0.1:7000", "unix /tmp/x", "udp ...", "socket pair". */
void hd_socket_print(const hd_socket *s, const hd_address *a, hd_text *out);
#endif
