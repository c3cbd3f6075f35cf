/* Directories for a while (scratch.h). */
#include "fleet/cluster/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_scratch_make(char path[HD_SCRATCH_SIZE], const char *name, hd_err *err) {
    const char *tmp = getenv("TMPDIR");
    snprintf(path, HD_SCRATCH_SIZE, "%s/%s-XXXXXX", tmp && *tmp ? tmp : "/tmp", name);
    if (mkdtemp(path))
        return true;
    hd_err_set(err, "cannot make the directory '%s': %s", path, strerror(errno));
    path[0] = '\0';
    return false;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status, (void)kind, (void)at;
    return remove(path);
}

void hd_scratch_remove(char path[HD_SCRATCH_SIZE]) {
    if (path[0])
        nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    path[0] = '\0';
}
