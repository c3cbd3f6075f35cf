/* checkpoint.h -- states in the middle of an execution that later ones go on from.
 *
 * The executions of a search repeat what was run before up to their last choice (hd_script).  At
 * the end of a script all that has changed since the start may be kept: memory of the program,
 * stacks included, its threads, and what they hold.  An execution whose script begins with the same
 * events is brought there by copying.
 *
 * C1. Checkpoints are a stack: each continues the one below it, and the events of the last one are
 *     what its script said.
 * C2. A state is kept only if what is kept tells all of it: no inputs in memory, no blocks of the
 *     heap, no files or other processes, nothing that code of the host holds on the stack of a
 *     thread.  Inputs that were used must have the same values again.
 * C3. Nothing is kept of the stack of a thread that is gone, and nothing comes back to it: every
 *     execution goes through all checkpoints there are, and none has used it since.  One that does
 *     not, because it begins at the start, makes them worthless.
 * Not here: which events are repeated (the sink). */
#ifndef HD_MACHINE_RUN_CHECKPOINT_H
#define HD_MACHINE_RUN_CHECKPOINT_H
#include "machine/values/values.h"

typedef struct hd_checkpoint hd_checkpoint;

/* Drop all checkpoints. */
void hd_checkpoints_forget(hd_machine *m);
/* Before an execution: the last checkpoint that its script leads through, NULL if there is none. */
const hd_checkpoint *hd_checkpoint_find(hd_machine *m);
/* Memory as it was before the first execution, or what the checkpoint does not tell of it. */
void hd_checkpoint_reset_memory(hd_machine *m, const hd_checkpoint *c);
/* The execution has begun: everything as at the checkpoint. */
void hd_checkpoint_restore(hd_machine *m, const hd_checkpoint *c);
/* Is the reset of memory left to the next execution? */
bool hd_checkpoint_defers_reset(const hd_machine *m);
void hd_checkpoints_free(struct hd_checkpoints *all);
#endif
