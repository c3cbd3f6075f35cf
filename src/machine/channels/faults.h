/* faults.h -- what goes wrong in the network of an execution, by choices (machine/fault.h).
 *
 * C1. Whether a rule is asked about a message or an operation depends on what its thread did before
 *     and on the clock of the system, on nothing else: in all orders of a class the same choices have
 *     the same names.  A choice whose budget is used up takes its name all the same.
 * C2. A message has one fault at most: the rules are asked in their order until one says yes.
 * Not here: budgets and times as users write them (scenario/fault_entry.c). */
#ifndef HD_MACHINE_CHANNELS_FAULTS_H
#define HD_MACHINE_CHANNELS_FAULTS_H
#include "machine/channels/ipc.h"
#include "machine/fault.h"

/* The rule whose fault happens to a datagram that is sent now, from one host to another; NULL: it
 * arrives. */
const hd_fault *hd_fault_of_datagram(hd_machine *m, uint32_t from_host, uint32_t to_host);

/* Is the connection reset when this socket sends? */
bool hd_fault_of_connection(hd_machine *m, const hd_socket *s);

/* The rule whose fault happens to a datagram that arrives, where time orders events (tasks/time_order.h): then the receiver
 * meets the fault, so that others need not know of it. */
const hd_fault *hd_fault_of_arrival(hd_machine *m, uint32_t from_host, uint32_t to_host,
                                    uint64_t now, uint32_t site);
/* A datagram that lets others overtake it has been overtaken once more: does it go on to wait? */
bool hd_fault_waits_on(hd_machine *m, const hd_fault_event *e);
/* The bytes of a datagram, which have room for their words, become inputs of its receiver. */
void hd_fault_corrupt(hd_machine *m, const hd_fault_event *e, hd_bytes *bytes);
/* Does a send that must not wait find no room? */
bool hd_fault_of_send(hd_machine *m, const hd_file *f, const hd_ipc_message *message);

/* What the node does now may be the last thing that others notice of it: an effect, or something
 * that it only looks at or waits for.  The node may crash here, and this then does not return. */
void hd_fault_before(hd_machine *m, bool is_effect);
#endif
