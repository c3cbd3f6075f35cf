/* endless.h -- does an execution that has used up its steps repeat itself?
 *
 * A loop that goes round often may end all the same.  That it never ends is known when the program
 * comes back to a state that it was in before, with nothing from outside in between: it is
 * deterministic, so it comes back again and again.
 *
 * L1. A state is all that the program can see: the registers and stacks, its globals, heap and
 *     input objects, errno and the like, and which of its locals may be accessed.  It is compared
 *     byte by byte with a copy.
 * L2. Calls of functions that the program does not define, assembly, and events of threads, unless
 *     no other thread can go on, are "outside": a state before one is never compared with a state
 *     after it.
 * Not here: when to begin (slow_control.c). */
#ifndef HD_MACHINE_TASKS_ENDLESS_H
#define HD_MACHINE_TASKS_ENDLESS_H
#include "machine/values/values.h"

/* Watch from now on for a state that repeats; what was noted before is forgotten. */
void hd_endless_begin(hd_machine *m);
/* The program is at the header of the loop at `site`, with its registers saved above `frame`, on
 * the stack: was it in this state before? */
bool hd_endless_repeats(hd_machine *m, uint32_t site, uint64_t frame);
/* Arrivals at the loop from the noted state until it came back. */
uint64_t hd_endless_period(const hd_machine *m);
/* A hash of all memory that the running process may change, its stack from `frame` on; 0: that is
 * too much. */
uint64_t hd_endless_hash(const hd_machine *m, uint64_t frame);
void hd_endless_free(hd_machine *m);
#endif
