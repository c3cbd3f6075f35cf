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

/* ---- namespaces.c ---- */

/* What a process of these confines is to have, what it would get on this kernel, and taking it.
 * `made`, or NULL, stays writable.  Who gets nothing goes on without; false if it got some of it
 * and cannot go on. */
hd_spaces hd_spaces_wanted(const hd_confines *c);
hd_spaces hd_spaces_here(const hd_confines *c);
bool hd_spaces_enter(const hd_confines *c, const char *made, hd_spaces *got, hd_err *err);

/* ---- confine.c ---- */

/* The lower 32 of those that are in effect; 0 where they cannot be asked for. */
uint32_t hd_capabilities_now(void);
/* Keeps those to read and write files, of what it `had` before there was a namespace of users,
 * which gives all of them. */
bool hd_capabilities_drop(uint32_t had, hd_err *err);
#endif
