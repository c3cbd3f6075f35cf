/* processes.h -- what the files about processes as Unix has them share (fork.c, process_group.c).
 */
#ifndef HD_MACHINE_LIBC_PROCESSES_H
#define HD_MACHINE_LIBC_PROCESSES_H
#include "machine/tasks/signals.h"

/* ---- fork.c ---- */
/* Is nothing left of it, not even something to wait for? */
bool hd_process_is_gone(const hd_machine *m, uint32_t number);
/* The action asks too whether another process is there. */
void hd_process_ask(hd_machine *m, uint32_t number, hd_action *a);
/* kill() of one process. */
int hd_process_send(hd_machine *m, int pid, hd_signal_note note);

/* ---- process_group.c ---- */
/* kill() of a group; 0: that of the running process. */
int hd_group_send(hd_machine *m, int group, hd_signal_note note);
/* Are all children of the running process in that group (0: its own), or none?  If so: is any? */
bool hd_group_is_of_children(hd_machine *m, int group, bool *is_any);
#endif
