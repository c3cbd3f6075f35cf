/* confine_int.h -- the walls, one file each. */
#ifndef HD_CONFINE_CONFINE_INT_H
#define HD_CONFINE_CONFINE_INT_H
#include "confine/confine.h"

/* ---- filter.c ---- */

bool hd_filter_is_here(void);
bool hd_filter_build(const hd_confines *c, hd_err *err);
bool hd_filter_build_compiler(hd_err *err);

/* ---- landlock.c ---- */

/* The version of the kernel's landlock; 0 = none. */
unsigned hd_landlock_version(void);
/* Versions from which on it knows about sockets, and about signals. */
#define HD_LANDLOCK_NETWORK 4
#define HD_LANDLOCK_SIGNALS 6
/* Both lists end with NULL.  What is not there is left out.  Names are not kept secret: directories
 * may be listed, as any file may be asked for its size. */
bool hd_landlock_build(const char *const *readable, const char *const *writable,
                       const hd_allowed *allowed, hd_err *err);
#endif
