/* Looking up nodes and links. */
#include "machine/node.h"

#include "machine/action/action.h"
#include "world/address.h"

#include <string.h>

/* Is the link before the pair in the order of lists? */
static bool is_before(const hd_link *l, uint32_t from, uint32_t to) {
    return l->from < from || (l->from == from && l->to < to);
}

/* The place of the pair among links that have an order, or where it would be. */
static uint32_t place_of(const hd_link *links, uint32_t n_links, uint32_t from, uint32_t to) {
    uint32_t low = 0, high = n_links;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (is_before(&links[middle], from, to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

hd_link hd_link_between(const hd_link *links, uint32_t n_links, uint32_t from, uint32_t to) {
    HD_ASSERT(links || !n_links);
    hd_link found = {.is_fifo = false, .latency = HD_LATENCY_ANY};
    bool has_first = n_links && links[0].from == HD_EVERY_NODE;
    if (has_first)
        found = *links++, n_links--;
    uint32_t i = place_of(links, n_links, from, to);
    if (i < n_links && links[i].from == from && links[i].to == to)
        found = links[i];
    found.from = from;
    found.to = to;
    if (from == to) /* N3 */
        found.is_cut = false, found.segments = 0;
    return found;
}

const hd_network_node *hd_node_named(const hd_network_node *nodes, uint32_t n_nodes,
                                     const char *name) {
    for (uint32_t i = 0; i < n_nodes; i++)
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
    return NULL;
}

static bool do_addresses_differ(const hd_network_node *nodes, uint32_t n_nodes) {
    for (uint32_t i = 0; i < n_nodes; i++) {
        uint8_t one[HD_IP_SIZE], other[HD_IP_SIZE];
        if (!hd_ip_parse(nodes[i].address, one))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (hd_ip_parse(nodes[k].address, other) && memcmp(one, other, HD_IP_SIZE) == 0)
                return false;
    }
    return true;
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
    HD_CHECK_INVARIANT(N2, do_addresses_differ(nodes, n_nodes));
    return true;
}
