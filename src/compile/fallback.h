/* fallback.h -- where modules are made when there is no cache: a folder for temporary files that
 * goes away with the process (private to compile/).
 *
 * A run copies its module (record/), so that nobody needs the folder later.  The process holds a
 * lock on it while it lives: a folder that nobody holds is left over from one that was killed, and
 * whoever compiles next removes it.
 *
 * Promise (tests/ends.sh): what is removed is a folder of this user with our name that no living
 * process holds, and nothing that a link leads to. */
#ifndef HD_COMPILE_FALLBACK_H
#define HD_COMPILE_FALLBACK_H
#include "base/err.h"
#include "base/text.h"

/* The folder of this process, made if there is none yet. */
bool hd_fallback_find(hd_text *directory, hd_err *err);
/* Whether this path is in it. */
bool hd_fallback_holds(const char *path);
/* Removed now instead of at exit, which a process that a signal ends does not have. */
void hd_fallback_remove(void);
/* Folders of processes that are gone are removed. */
void hd_fallback_sweep(void);
#endif
