/* able.h -- who could have gone on before each event of an execution.
 *
 * A schedule says who did.  The others are what a search left out or has not tried yet, which a
 * report shows beside what it did. */
#ifndef HD_TELL_ABLE_H
#define HD_TELL_ABLE_H
#include "explore/follow.h"

/* Runs the schedule and appends a set of threads for each event, the one that went on included:
 * "0-2,7*5 1" are five times threads 0, 1, 2 and 7, then thread 1 alone.  False, and nothing
 * appended, if the schedule cannot be followed to its end, or is longer than anybody looks at. */
bool hd_able_run(hd_machine *machine, const hd_model *inputs, const char *schedule, hd_text *out);
#endif
