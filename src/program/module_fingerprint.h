/* module_fingerprint.h -- whether a module is the one that was compiled.
 *
 * A module is machine code: one bit that a disk has changed is another program.  The file
 * `fingerprint` of its directory has the hash of each of the others, is written when they are done,
 * and looked at by whoever finds the module in a cache or loads it. Not here: who may have changed
 * it on purpose (a cluster has keys: fleet/cluster/post.h). */
#ifndef HD_PROGRAM_MODULE_FINGERPRINT_H
#define HD_PROGRAM_MODULE_FINGERPRINT_H
#include "base/err.h"

#include <stdbool.h>

/* Writes it for the files of a directory as they are. */
bool hd_module_fingerprint(const char *directory, hd_err *err);
/* Is there one, whatever it says? */
bool hd_module_has_fingerprint(const char *directory);
/* Are all of them there, and as they were? */
bool hd_module_is_whole(const char *directory);
#endif
