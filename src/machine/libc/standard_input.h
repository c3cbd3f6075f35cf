/* standard_input.h -- what the program finds on standard input: the same bytes in every execution.
 *
 * What comes through descriptor 0 comes once.  It is kept in memory that all processes of Heddle
 * share, read as far as any execution has asked for, and goes into the run directory, so that a
 * replay finds it too.  With --stdin N there are N bytes of input instead, and nothing is read.
 *
 * D1. A byte that was read is never read again, and never changes.
 * Not here: nodes of a scenario, which have a text each (node.h). */
#ifndef HD_MACHINE_LIBC_STANDARD_INPUT_H
#define HD_MACHINE_LIBC_STANDARD_INPUT_H
#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* Make the memory, before the first process that needs it is forked.  Idempotent. */
void hd_standard_input_share(void);
/* Descriptor 0 of this process will be another file: remember this one. */
void hd_standard_input_keep(void);
/* Bytes from `offset` on, at most `wanted`: what is there, or else what comes; 0 at the end, -1
 * with errno. */
int64_t hd_standard_input_read(uint64_t offset, uint64_t wanted, const uint8_t **bytes);
/* How much was read so far. */
uint64_t hd_standard_input_size(void);
/* What was read, to and from a file of the run directory; a file that is not there is nothing read
 * so far. */
bool hd_standard_input_save(const char *directory, hd_err *err);
void hd_standard_input_load(const char *directory);
#endif
