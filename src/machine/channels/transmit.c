/* Datagrams that leave their host: at once or by a courier, once, twice or never, as the scenario's
 * faults have it. */
#include "machine/channels/faults.h"
#include "machine/channels/ipc.h"
#include "machine/tasks/time_order.h"
#include "machine/values/values.h"

#include <stdio.h>

static hd_net *net_of(hd_machine *m) {
    return hd_ipc_net(m);
}

/* ---- links without latency ---- */

static hd_socket *find_hearer(hd_machine *m, const hd_ipc_request *r) {
    return hd_ipc_hearer(m, r->socket->host, &r->target, &r->source);
}

static void settle_at_once(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    const hd_socket *to = find_hearer(m, r);
    uint32_t host = r->socket->host;
    if (to) {
        hd_ipc_fill_put(a, to->in, true, true);
        hd_ipc_look_at_readers(m, a, to->in);
        return;
    }
    hd_hosts_route(&net_of(m)->hosts, r->socket->host, r->target.ip, &host);
    hd_ipc_fill_refused(a, hd_ipc_door(hd_port_door(host, SOCK_DGRAM, &r->target)));
}

/* A link without latency: the datagram is there, or lost, when the call returns. */
static void send_at_once(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    hd_ipc_request r = {.settle = settle_at_once, .socket = s, .target = *to, .source = item->from};
    hd_ipc_stand(m, HD_DO_PUT, 0, &r);
    hd_socket *target = find_hearer(m, &r);
    if (target)
        hd_queue_put(&net_of(m)->arena, target->in, item);
    else
        net_of(m)->n_lost++;
}

/* ---- faults ---- */

static hd_item *copy_of(hd_machine *m, const hd_item *item) {
    hd_item *copy = hd_item_new(&net_of(m)->arena, HD_ITEM_DATA);
    *copy = *item;
    HD_ASSERT(!copy->n_files && !copy->n_read && !copy->courier);
    return copy;
}

static void corrupt(hd_machine *m, const hd_fault_event *e, hd_item *item) {
    char name[160];
    const hd_network_node *nodes = m->options.nodes;
    uint32_t from = hd_process_at(m, e->from)->node - 1;
    snprintf(name, sizeof name, "%s->%s #%u", nodes[from].name, nodes[e->to - 1].name, e->nth);
    if (!item->bytes.words)
        item->bytes.words =
            hd_arena_alloc(&net_of(m)->arena, (item->bytes.n + 1) * sizeof *item->bytes.words);
    hd_input_words(m, name, item->bytes.at, item->bytes.words, item->bytes.n);
}

static void send_on(hd_machine *m, hd_socket *s, uint32_t host, const hd_address *to, hd_item *item,
                    const hd_way *way) {
    bool is_at_once =
        !hd_time_orders(m) && hd_nodes_link(m, s->host, host).latency == HD_LATENCY_NONE;
    if (is_at_once && !way->when && !way->may_be_overtaken)
        send_at_once(m, s, to, item);
    else
        hd_ipc_carry_datagram(m, s, to, item, way);
}

static hd_way way_of(const hd_machine *m, const hd_fault *f) {
    hd_way way = {0};
    if (f->kind == HD_FAULT_DELAY)
        way.when = m->system.now + f->duration;
    way.may_be_overtaken = f->kind == HD_FAULT_REORDER;
    way.window = f->window;
    return way;
}

static void send_with(hd_machine *m, hd_socket *s, uint32_t host, const hd_address *to,
                      hd_item *item, const hd_fault *f) {
    hd_way way = way_of(m, f), usual = {0};
    hd_item *copy = f->kind == HD_FAULT_DUPLICATE ? copy_of(m, item) : NULL;
    if (f->kind == HD_FAULT_DROP || f->kind == HD_FAULT_PARTITION)
        return;
    if (f->kind == HD_FAULT_CORRUPT)
        corrupt(m, &m->faults.happened.at[m->faults.happened.n - 1], item);
    send_on(m, s, host, to, item, &way);
    if (copy)
        send_on(m, s, host, to, copy, &usual);
}

void hd_ipc_transmit(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    uint32_t host = s->host;
    hd_hosts_route(&net_of(m)->hosts, s->host, to->ip, &host);
    /* Where time orders events the receiver meets faults. */
    const hd_fault *fault = hd_time_orders(m) ? NULL : hd_fault_of_datagram(m, s->host, host);
    hd_way usual = {0};
    if (fault)
        send_with(m, s, host, to, item, fault);
    else
        send_on(m, s, host, to, item, &usual);
}
