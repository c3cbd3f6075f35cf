/* given_partition.h -- what '--partition' of a command line means. */
#ifndef HD_CLI_GIVEN_PARTITION_H
#define HD_CLI_GIVEN_PARTITION_H
#include "partition/divide.h"

#define HD_SHALLOW_DEPTH      16
#define HD_SHALLOW_DEPTH_WORD "16"
#define HD_DEFAULT_PARTS      64
#define HD_DEFAULT_PARTS_WORD "64"

/* ssp, paths, or a file, into the request. */
bool hd_given_partition(const char *word, hd_partition_request *request, hd_err *err);
/* Does the word mean searches that do not know of each other? */
bool hd_given_rivals(const char *word);
/* Numbers that make sense? */
bool hd_given_partition_check(uint64_t depth, uint64_t queue, hd_err *err);
#endif
