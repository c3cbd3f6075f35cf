/* Looking up nodes and links.  There are few of them: lists are searched from front to back. */
#include "machine/node.h"

#include "machine/action/action.h"

#include <string.h>

hd_link hd_link_between(const hd_link *links, uint32_t n_links, uint32_t from, uint32_t to) {
    HD_ASSERT(links || !n_links);
    hd_link found = {.is_fifo = false, .latency = HD_LATENCY_ANY};
    for (uint32_t i = 0; i < n_links; i++) {
        if (links[i].from == from && links[i].to == to) {
            found = links[i];
            break;
        }
        if (links[i].from == HD_EVERY_NODE && links[i].to == HD_EVERY_NODE)
            found = links[i];
    }
    found.from = from;
    found.to = to;
    return found;
}

const hd_network_node *hd_node_named(const hd_network_node *nodes, uint32_t n_nodes,
                                     const char *name) {
    for (uint32_t i = 0; i < n_nodes; i++)
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
    return NULL;
}

bool hd_nodes_fit(const hd_network_node *nodes, uint32_t n_nodes, const hd_image *image,
                  hd_err *err) {
    if (n_nodes > HD_MOST_NODES) {
        hd_err_set(err, "there are more than %d nodes", HD_MOST_NODES);
        return hd_err_hint(err, "explore a smaller scenario");
    }
    for (uint32_t i = 0; i < n_nodes; i++)
        if (nodes[i].program >= image->n_programs || (i == 0 && nodes[i].program != 0)) {
            hd_err_set(err, "the program of node '%s' is not part of the recorded module",
                       nodes[i].name);
            return hd_err_hint(err, "explore the scenario again with 'heddle run --net'");
        }
    HD_INVARIANT(N1, !n_nodes || nodes[0].program == 0);
    return true;
}
