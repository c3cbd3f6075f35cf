/* scratch.h -- a group of tests in a folder of its own, with a cache of its own. */
#ifndef HD_TESTS_SCRATCH_H
#define HD_TESTS_SCRATCH_H
#include "base/text.h"

#include <stdlib.h>
#include <unistd.h>

static char scratch[] = "/tmp/heddle-test-XXXXXX";

/* 0 if all went well, as cmocka wants it of a setup. */
static inline int enter_scratch(void **state) {
    (void)state;
    return !mkdtemp(scratch) || chdir(scratch) != 0 || setenv("HEDDLE_CACHE", scratch, 1) != 0 ||
           setenv("TMPDIR", scratch, 1) != 0;
}

static inline int leave_scratch(void **state) {
    (void)state;
    char *command = hd_text_format("rm -rf '%s'", scratch);
    int status = system(command);
    free(command);
    return status;
}
#endif
