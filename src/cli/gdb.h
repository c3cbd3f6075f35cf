/* gdb.h -- a replay under the debugger. */
#ifndef HD_CLI_GDB_H
#define HD_CLI_GDB_H
#include "base/err.h"
#include <stdint.h>

/* Become gdb on `heddle replay DIRECTORY NUMBER`, with the symbols of the module loaded; it stops
 * at findings, and after event `until` (0: not).  Returns only on failure. */
bool hd_gdb_replay(const char *module, const char *directory, uint64_t number, uint64_t until,
                   hd_err *err);
#endif
