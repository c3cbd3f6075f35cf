/* The hash comes from the Makefile, which has this file compiled again when a source changes. */
#include "base/made_of.h"

#ifndef HD_MADE_OF
#define HD_MADE_OF "unknown"
#endif
#ifndef HD_VERSION
#define HD_VERSION "unknown"
#endif

const char *hd_version_made_of(void) {
    return HD_VERSION " of sources " HD_MADE_OF;
}
