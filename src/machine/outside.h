/* outside.h -- a node that runs alone, and what stands for all the others.
 *
 * Where virtual time orders events a node sees the others through packets alone.  So one node of a
 * scenario may be run without them: what it sends is handed over, and whenever all its threads wait
 * somebody says what happens to it next.  Such an execution is one node state of a whole system,
 * and what happened to it is its recipe (src/explore/system/; docs/design.md D12).
 *
 * O1. The same events in the same order, with the same inputs, give the same packets and the same
 *     decisions: whoever repeats a recipe comes to the same state.
 * O2. Threads, variables and processes have the names that they have when all nodes run.
 * Not here: who decides what happens (src/explore/system/). */
#ifndef HD_MACHINE_OUTSIDE_H
#define HD_MACHINE_OUTSIDE_H
#include "world/queue.h"

typedef enum hd_packet_kind {
    HD_PACKET_DATAGRAM,
    HD_PACKET_CONNECT, /* channels/cable.c: somebody wants a connection, */
    HD_PACKET_ACCEPTED,
    HD_PACKET_REFUSED,
    HD_PACKET_BYTES, /* and what goes over it */
    HD_PACKET_END,
    HD_PACKET_RESET,
    HD_PACKET_CUT, /* no packet of the network: a fault that `from` met cuts links that end at `to`
                    */
} hd_packet_kind;

/* What goes from node to node; nodes are numbered as in hd_machine_options. */
typedef struct hd_packet {
    hd_packet_kind kind;
    uint32_t from, to;
    uint32_t number; /* of those that `from` has sent */
    uint64_t sent, arrives;
    hd_address source, target;
    hd_bytes bytes;
    uint32_t site;  /* of the send */
    uint64_t cable; /* of a connection: its name; */
    bool to_server; /* to which end, */
    uint32_t id;    /* and CONNECT: of the queue that the server's end gets */
    uint32_t rule;  /* CUT: of the scenario's faults, */
    uint64_t until; /* and when there are links again */
} hd_packet;

/* Connections are made at once. */
static inline bool hd_packet_is_at_once(hd_packet_kind kind) {
    return kind == HD_PACKET_CONNECT || kind == HD_PACKET_ACCEPTED || kind == HD_PACKET_REFUSED;
}
/* Does the host of a node that has ended answer it? */
static inline bool hd_packet_has_answer(hd_packet_kind kind) {
    return kind == HD_PACKET_CONNECT || kind == HD_PACKET_BYTES;
}

/* What a node that waits will come to by itself. */
typedef struct hd_wait_end {
    uint64_t time;   /* UINT64_MAX: nothing */
    uint32_t sender; /* host of a packet that it sent itself; UINT32_MAX: a time limit passes */
    uint64_t stacks; /* of one that may wait for ever and should not: how its threads came there */
    bool is_idle;    /* all that it waits for may never come, and it may wait for ever */
    bool has_ended;  /* none of its threads is left: its host may still answer */
} hd_wait_end;

/* What happens next to a node: a packet arrives, or time passes until `time`. */
typedef struct hd_node_event {
    uint64_t time;
    const hd_packet *packet; /* NULL: what it came to by itself */
} hd_node_event;

typedef struct hd_outside {
    void *context;
    uint32_t node;
    /* The node sends; the packet is borrowed. */
    void (*send)(void *context, const hd_packet *packet);
    /* All threads of the node wait, or have ended.  False: the execution stops here. */
    bool (*next)(void *context, const hd_wait_end *own, hd_node_event *event);
    /* How much of a budget the other nodes have used in any case: of the rule's in total
     * (HD_ALL_NODES), or that of a node.  NULL: nobody knows of anything. */
    uint32_t (*spent)(void *context, uint32_t rule, uint32_t node);
} hd_outside;
#endif
