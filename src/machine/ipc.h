/* ipc.h -- descriptors, sockets, pipes and queues of the program's processes.
 *
 * Not here: how messages of actors travel (actor.c), what the virtual network is (world/). */
#ifndef HD_MACHINE_IPC_H
#define HD_MACHINE_IPC_H
#include "machine/process.h"

/* PUT, TAKE and POLL of threads: can it run now, and what it touches if it does (E4). */
bool hd_ipc_is_enabled(hd_machine *m, const hd_action *a);
void hd_ipc_describe_wait(hd_machine *m, const hd_action *a, hd_text *out);
void hd_ipc_settle(hd_machine *m, hd_action *a);

/* Descriptor tables: at the start of an execution, when a process is forked, when one ends. */
void hd_descriptors_reset(hd_machine *m);
void hd_descriptors_fork(hd_machine *m, uint32_t parent, uint32_t child);
void hd_descriptors_exit(hd_machine *m, uint32_t process);
#endif
