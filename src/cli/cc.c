/* heddle cc -- clang, for ordinary builds: what it makes says what it was made of. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLANG "clang-19"

/* Behind the options of the build, which may say '-g0'. */
static const char *const recording[] = {"-g", "-grecord-command-line"};
enum { N_RECORDING = sizeof recording / sizeof *recording };

static int run(int argc, char **argv) {
    char **words = calloc((size_t)argc + N_RECORDING + 1, sizeof *words);
    hd_err err;
    int n = 0;
    if (words) {
        words[n++] = (char *)CLANG;
        for (int i = 1; i < argc; i++)
            words[n++] = argv[i];
        for (int i = 0; argc > 1 && i < N_RECORDING; i++)
            words[n++] = (char *)recording[i];
        signal(SIGPIPE, SIG_DFL); /* main.c ignores it */
        execvp(CLANG, words);
    }
    hd_err_set(&err, "cannot start '" CLANG "': %s", strerror(errno));
    hd_err_hint(&err, "install it (Debian: apt-get install clang-19)");
    free(words);
    return hd_cli_fail(&err);
}

const hd_command hd_command_cc = {
    "cc",
    "compile as clang does, so that programs can be explored",
    "cc ARGUMENTS OF CLANG...",
    "Is clang, with all its arguments, for builds that make a program from many sources:\n"
    "\n"
    "    make CC='heddle cc'            or: CC='heddle cc' ./configure && make\n"
    "    heddle run ./server -- -p 80\n"
    "    heddle run driver.c libparse.a\n"
    "\n"
    "What it makes is an ordinary program with debug information, in which clang has written down\n"
    "how each source was compiled.  'heddle run' and 'heddle build' take such programs, object\n"
    "files, archives and libraries in place of sources, and compile these again, each with its "
    "own\n"
    "options: macros, folders of headers and the like are those of the build; optimisation,\n"
    "sanitizers and warnings are Heddle's.",
    NULL,
    run,
};
