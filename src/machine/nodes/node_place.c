/* Nodes in the virtual network: each is a host of its own, with a name and an address; and which
 * discipline holds between two of them. */
#include "machine/channels/ipc.h"
#include "machine/node.h"

bool hd_nodes_place(hd_machine *m, hd_err *err) {
    for (uint32_t i = 0; i < m->options.n_nodes; i++) {
        const hd_network_node *n = &m->options.nodes[i];
        HD_ASSERT(n->name && n->address);
        if (hd_ipc_set_name(m, n->name, n->address) && hd_ipc_set_host(m, i + 1, n->name))
            continue;
        hd_err_set(err, "node '%s' cannot have the address '%s'", n->name, n->address);
        return hd_err_hint(err, "explore the scenario again with 'heddle run --net'");
    }
    return true;
}

/* A process that a node has forked lives where the node does. */
const char *hd_node_input(hd_machine *m) {
    uint32_t host = hd_net_table(hd_ipc_net(m), hd_ipc_process(m))->host;
    HD_ASSERT(host <= m->options.n_nodes);
    const char *input = host ? m->options.nodes[host - 1].input : NULL;
    return input ? input : "";
}

/* Hosts are numbered from 1 in the order in which they were placed; 0 is where everybody lives who
 * is no node. */
hd_link hd_nodes_link(const hd_machine *m, uint32_t from_host, uint32_t to_host) {
    if (from_host == 0 || to_host == 0)
        return (hd_link){.is_fifo = true, .latency = HD_LATENCY_ANY};
    HD_ASSERT(from_host <= m->options.n_nodes && to_host <= m->options.n_nodes);
    return hd_link_between(m->options.links, m->options.n_links, from_host - 1, to_host - 1);
}
