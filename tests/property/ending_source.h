/* ending_source.h -- random programs about ends and queries, from a seed.
 *
 * Threads that are joined, detached or left alone, that return, exit or are cancelled; a main that
 * returns, exits or ends its thread before others; rejected assumptions; questions about the state
 * of locks and semaphores; barriers with their serial thread; inputs.  The text includes
 * ending_subject.h. */
#ifndef HD_TESTS_ENDING_SOURCE_H
#define HD_TESTS_ENDING_SOURCE_H
#include "base/text.h"

#include <stdint.h>

/* True if C gives the program a meaning: otherwise nothing is known about its native runs. */
bool ending_write(hd_text *out, uint64_t seed);
#endif
