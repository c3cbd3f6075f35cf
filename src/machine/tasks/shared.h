/* shared.h -- memory that processes share: mmap and shm_open.
 *
 * Shared memory lies in an area of its own, which stays in place when processes take turns
 * (space.c).
 *
 * M1. Addresses of shared memory carry no mark of a process (HD_SPACE): accesses of different
 *     processes conflict.
 * M2. A process that can see shared memory announces its accesses of memory even if it has one
 *     thread; those of its own memory are dropped at once (visible.c).
 * Promise (tests/property/property_processes.c): objects of synchronisation in shared memory work
 *     between processes: whether a thread that waits for one can go on is looked up, whoever's
 *     memory is in place (threads.c). */
#ifndef HD_MACHINE_TASKS_SHARED_H
#define HD_MACHINE_TASKS_SHARED_H
#include "machine/tasks/process.h"

/* Zeroed pages of shared memory until the end of the execution; 0 if there are too many. */
uint64_t hd_shared_alloc(hd_machine *m, uint64_t n);
/* From now on the running process announces its accesses, if it can see any shared memory. */
void hd_shared_note(hd_machine *m);
#endif
