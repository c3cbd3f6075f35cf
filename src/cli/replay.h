/* replay.h -- a test of a run again, for other commands. */
#ifndef HD_CLI_REPLAY_H
#define HD_CLI_REPLAY_H
#include "record/record.h"

/* Test 1 of the run in `directory`, which came from a file: the program may be another one than
 * when it was recorded, so that what counts is how it ends.  The exit status. */
int hd_replay_exported(const char *directory, const hd_exported_test *test, bool json);
#endif
