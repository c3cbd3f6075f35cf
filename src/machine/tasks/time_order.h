/* time_order.h -- the order of events by virtual time (hd_machine_options.orders).
 *
 * Every node has a clock, which its own events move: something arrives, or a time limit passes.  A
 * node goes on until all its threads wait; then the next event of all nodes happens.
 *
 * W1. Events happen in the order (time, node, arrivals before time limits, sender, number of the
 *     sender's sends).  None of these depends on what other nodes did meanwhile.
 * W2. Threads of a node go on in their default order: the running one as long as it can, then the
 *     first that can.
 * W4. Nodes without couriers and forked processes change each other by parcels alone.
 * W3. What a node does takes no time, but for reading clocks.
 * Not here: links and their delays (node.h), nodes that run alone (outside.h). */
#ifndef HD_MACHINE_TASKS_TIME_ORDER_H
#define HD_MACHINE_TASKS_TIME_ORDER_H
#include "machine/outside.h"
#include "machine/tasks/process.h"

static inline bool hd_time_orders(const hd_machine *m) {
    return m->options.orders == HD_ORDERS_TIME;
}
/* The clock of the node that the thread belongs to. */
uint64_t hd_time_of(const hd_machine *m, uint32_t thread);
/* A parcel goes from host to host, and arrives when the link between them says, or at once. */
void hd_time_send(hd_machine *m, uint32_t from, uint32_t to, hd_packet_kind kind, hd_parcel *p);
/* A thread of the process waits until then at most; UINT32_MAX: its alarm rings then. */
void hd_time_limit(hd_machine *m, uint32_t process, uint32_t thread, uint64_t time);
/* Something that no thread does happens: an event of stories, which tell when it was. */
void hd_time_note(hd_machine *m, const hd_action *a);
/* Does a node run alone, and is this the host of another? */
bool hd_time_is_outside(const hd_machine *m, uint32_t host);
/* A packet goes to such a host; who sent it and when is filled in here. */
void hd_time_send_outside(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p);
/* Such a host is told at once, by no packet of the network. */
void hd_time_tell_outside(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p);
/* The network of a host keeps what has arrived there back until then: its sender is the host
 * itself, as far as W1 is concerned.  Given up if its can_go() says no. */
void hd_time_hold(hd_machine *m, uint32_t host, uint64_t until, hd_parcel *p);
/* Something that all nodes have in common is changed; said if a node that runs alone does it. */
void hd_time_change_common(hd_machine *m, const char *what);
/* Some time after another. */
static inline uint64_t hd_time_later(uint64_t now, uint64_t delay) {
    return delay < UINT64_MAX - 1 - now ? now + delay : UINT64_MAX - 1;
}
/* The thread that goes on next, settled; HD_SCHEDULE_STUCK or STOP if there is none. */
uint32_t hd_time_choose(hd_machine *m);
/* ---- channels/cable.c ---- */
/* A packet of another node arrives at the node that runs alone. */
void hd_ipc_bring(hd_machine *m, const hd_packet *packet);
/* ---- channels/faults.c ---- */
/* Such a node is told of a fault that another one has met. */
void hd_fault_be_told(hd_machine *m, const hd_packet *packet);

/* Another process runs: its node's clock counts. */
void hd_time_enter(hd_machine *m, uint32_t process);
#endif
