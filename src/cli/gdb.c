/* Every finding passes through the machine's hd_end_filled() or hd_note_filled() while the
 * program's frames are still on the stack: that is where gdb stops.  The module is not a shared
 * library that gdb could notice, but it is always loaded at the address it was linked at, so gdb
 * can be told its symbols before anything runs. */
#include "cli/gdb.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hd_gdb_replay(const char *module, const char *directory, uint64_t number, hd_err *err) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return hd_err_set(err, "cannot find heddle's own program file: %s", strerror(errno));
    program[length] = '\0';
    char *symbols = hd_text_format("add-symbol-file %s/image", module);
    char *test = hd_text_format("%" PRIu64, number);
    /* Bad accesses of the program reach Heddle as signals; gdb must let them through. */
    char *const words[] = {"gdb",    "-q",
                           "-iex",   "set confirm off",
                           "-ex",    symbols,
                           "-ex",    "handle SIGSEGV SIGBUS SIGFPE SIGSYS SIGALRM nostop noprint pass",
                           "-ex",    "set follow-fork-mode child",
                           "-ex",    "break hd_end_filled",
                           "-ex",    "break hd_note_filled",
                           "-ex",    "run",
                           "--args", program,
                           "replay", (char *)directory,
                           test,     NULL};
    fflush(NULL);
    signal(SIGPIPE, SIG_DFL);
    execvp("gdb", words);
    hd_err_set(err, "cannot start gdb: %s", strerror(errno));
    free(symbols);
    free(test);
    return hd_err_hint(err, "install the Debian package 'gdb'");
}
