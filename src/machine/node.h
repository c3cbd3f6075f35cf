/* node.h -- the processes that an execution starts with, and the network between them.
 *
 * A scenario (scenario/) names nodes; the machine gets them in the order in which they start.
 * Process 0 starts them, and node n is process n + 1.  A run without nodes is one process: the
 * program's main.
 *
 * N1. A node's program is one of hd_image.programs; node 0 has program 0, whose main is
 *     hd_image.main.
 * N2. Addresses of nodes are numeric, IPv4 or IPv6, and differ.
 * N3. A node reaches itself, and a link to itself says nothing.
 * Not here: how a node starts and what its sockets do (the machine), the scenario's text. */
#ifndef HD_MACHINE_NODE_H
#define HD_MACHINE_NODE_H
#include "base/err.h"
#include "base/set.h"
#include "program/abi.h"
#include <stdbool.h>
#include <stdint.h>

#define HD_MOST_NODES 4096

/* Whose files a node sees: constant, word in the file, words for people. */
#define HD_NODE_FILES(X)                                                                           \
    X(SHARED, "shared", "those of all nodes")                                                      \
    X(OWN, "own", "files of its own")                                                              \
    X(LOST, "lost", "files of its own, lost when it reboots")
typedef enum hd_node_files {
#define X(name, word, words) HD_FILES_##name,
    HD_NODE_FILES(X)
#undef X
} hd_node_files;

typedef struct hd_network_node {
    const char *name;    /* resolves to its address */
    uint32_t program;    /* number in hd_image.programs */
    int argc;            /* argv[0] included */
    char **argv;         /* ended by NULL */
    char **environment;  /* "NAME=VALUE", ended by NULL */
    const char *address; /* "10.0.0.1", "fd00::1" */
    const char *input;   /* what it finds on standard input; NULL: nothing */
    hd_set after;        /* nodes that must wait for something or have ended first */
    bool may_idle;       /* it may wait for ever: that is no deadlock */
    hd_node_files files;
    const char *root; /* a folder whose files it sees before those of the machine; NULL: none */
} hd_network_node;

/* How messages go from one node to another.  Streams keep their order whatever is_fifo says; it is
 * about datagrams. */
typedef enum hd_latency {
    HD_LATENCY_ANY,  /* a message arrives some time after it was sent */
    HD_LATENCY_NONE, /* it is there as soon as it is sent */
} hd_latency;

#define HD_EVERY_NODE UINT32_MAX
typedef struct hd_link {
    uint32_t from, to; /* numbers of nodes; HD_EVERY_NODE in both: all pairs without a link of their
                          own */
    bool is_fifo;
    bool is_cut; /* nothing gets through: the nodes are out of each other's range */
    hd_latency latency;
    uint64_t delay;         /* nanoseconds of virtual time, where time is what orders events
                               (hd_machine_options.orders); 0: HD_USUAL_DELAY, or none without latency */
    uint32_t segments;      /* 1 + how often what is sent in a row on a connection is cut into
                               several arrivals; 0: as often as it was sent */
    uint32_t segments_line; /* of the scenario, which says so */
} hd_link;
#define HD_MOST_CUTS   1000000
#define HD_USUAL_DELAY UINT64_C(1000000)
/* How long a message takes on the link. */
static inline uint64_t hd_link_delay(const hd_link *l) {
    return l->latency == HD_LATENCY_NONE ? 0 : l->delay ? l->delay : HD_USUAL_DELAY;
}

/* Links are in order: that of every node first, then those of pairs, by from and by to.
 * The discipline from one node to another: its own link, else that of every node, else not FIFO
 * and with any latency, which is what a network does. */
hd_link hd_link_between(const hd_link *links, uint32_t n_links, uint32_t from, uint32_t to);

/* The node of that name, or NULL. */
const hd_network_node *hd_node_named(const hd_network_node *nodes, uint32_t n_nodes,
                                     const char *name);

/* Can an execution have more than one thread or process? */
static inline bool hd_image_is_concurrent(const hd_image *image, uint32_t n_nodes) {
    return image->is_threaded || n_nodes > 0;
}

/* Do the nodes' programs exist in the image, and are there not too many nodes?  False with `err`
 * if not: they are of another run. */
bool hd_nodes_fit(const hd_network_node *nodes, uint32_t n_nodes, const hd_image *image,
                  hd_err *err);
#endif
