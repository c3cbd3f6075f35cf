/* Findings pass through the machine's hd_end_filled(), hd_note_filled() or, if nobody can go on,
 * hd_stuck_told(), while the program's frames are still on the stack: that is where gdb stops.  A
 * data race is none of the machine: the event before its second access is looked for first.  The
 * module is not a shared library that gdb could notice, but it is always loaded at the address it
 * was linked at, so gdb can be told its symbols before anything runs.  What gdb learns of fibers is
 * in gdb.py. */
#include "cli/gdb.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const char hd_gdb_script[], hd_gdb_script_end[];
__asm__(".pushsection .rodata\n.global hd_gdb_script, hd_gdb_script_end\nhd_gdb_script:\n.incbin "
        "\"src/cli/gdb.py\"\nhd_gdb_script_end:\n.byte 0\n.popsection");

/* The script as a file that gdb inherits; -1 if there can be none. */
static int open_script(void) {
    size_t n = (size_t)(hd_gdb_script_end - hd_gdb_script);
    int fd = memfd_create("heddle-gdb", 0);
    return fd >= 0 && write(fd, hd_gdb_script, n) == (ssize_t)n ? fd : -1;
}

bool hd_gdb_replay(const char *module, const char *directory, uint64_t number,
                   const hd_gdb_stop *stop, hd_err *err) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return hd_err_set(err, "cannot find heddle's own program file: %s", strerror(errno));
    program[length] = '\0';
    int script = open_script();
    char *symbols = hd_text_format("add-symbol-file %s/image", module);
    char *commands = hd_text_format("python exec(open('/proc/self/fd/%d').read())", script);
    char *test = hd_text_format("%" PRIu64, number);
    char *event = hd_text_format("--until=%" PRIu64, stop->until);
    char *race = stop->race ? hd_text_format("echo finding: \"%s\"\\n", stop->race) : NULL;
    char *thread = hd_text_format("heddle thread %" PRIu32, stop->thread);
    /* Bad accesses of the program reach Heddle as signals; gdb must let them through.  gdb itself
     * is not confined: it runs no scripts that an image or the directory has brought, whatever a
     * user has set for other programs. */
    char *const words[] = {
        "gdb",    "-q",
        "-iex",   "set confirm off",
        "-iex",   "set auto-load python-scripts off",
        "-iex",   "set auto-load gdb-scripts off",
        "-iex",   "set auto-load local-gdbinit off",
        "-ex",    symbols,
        "-ex",    "handle SIGSEGV SIGBUS SIGFPE SIGSYS SIGALRM nostop noprint pass",
        "-ex",    "set follow-fork-mode child",
        "-ex",    "break hd_end_filled",
        "-ex",    "break hd_note_filled",
        "-ex",    "break hd_stuck_told",
        "-ex",    "break hd_rerun_reached",
        "-ex",    commands,
        "-ex",    "run",
        "-ex",    race ? race : "echo",
        "-ex",    race ? thread : "echo",
        "--args", program,
        "replay", (char *)directory,
        test,     stop->until ? event : NULL,
        NULL};
    fflush(NULL);
    signal(SIGPIPE, SIG_DFL);
    execvp("gdb", words);
    hd_err_set(err, "cannot start gdb: %s", strerror(errno));
    free(symbols);
    free(commands);
    free(test);
    free(event);
    free(race);
    free(thread);
    return hd_err_hint(err, "install the Debian package 'gdb'");
}
