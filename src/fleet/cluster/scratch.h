/* scratch.h -- directories that are gone when they are not needed any more. */
#ifndef HD_FLEET_CLUSTER_SCRATCH_H
#define HD_FLEET_CLUSTER_SCRATCH_H
#include "base/err.h"

#define HD_SCRATCH_SIZE 256

/* A new one in TMPDIR whose name begins with `name`. */
bool hd_scratch_make(char path[HD_SCRATCH_SIZE], const char *name, hd_err *err);
/* With all that is in it. */
void hd_scratch_remove(char path[HD_SCRATCH_SIZE]);
#endif
