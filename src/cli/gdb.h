/* gdb.h -- a replay under the debugger. */
#ifndef HD_CLI_GDB_H
#define HD_CLI_GDB_H
#include "base/err.h"
#include <stdint.h>

typedef struct hd_gdb_stop {
    uint64_t until;   /* after this event; 0: at findings only */
    const char *race; /* the event is the last before this finding's second access, by ... */
    uint32_t thread;  /* ... this thread; NULL: it is none */
} hd_gdb_stop;

/* Become gdb on `heddle replay DIRECTORY NUMBER`, with the symbols of the module loaded; it stops
 * at findings and where `stop` says.  Returns only on failure. */
bool hd_gdb_replay(const char *module, const char *directory, uint64_t number,
                   const hd_gdb_stop *stop, hd_err *err);
#endif
