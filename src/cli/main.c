/* main.c -- from the first word to its command (command.c), and what holds for all of them.
 *
 * No locale is set, so numbers look the same everywhere.  A reader that goes away
 * (`heddle run ... | head`) must not end a run: SIGPIPE is ignored and only the output is lost. */
#include "base/made_of.h"
#include "cli/cli.h"
#include "cli/time_left.h"
#include "report/json_values.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes.  With less the solver and LLVM, which recurse, are not sure to come to an end. */
#define LEAST_STACK (1u << 20)
#define USUAL_STACK (8u << 20)

static int unknown_command(const char *word) {
    const char *names[32];
    size_t n = 0;
    for (; hd_commands[n]; n++)
        names[n] = hd_commands[n]->name;
    names[n] = NULL;
    const char *nearest = hd_nearest_name(word, names);
    size_t length = strlen(word);
    hd_err err;
    hd_err_set(&err, "unknown command '%s'", word);
    if (length > 2 && strcmp(word + length - 2, ".c") == 0)
        hd_err_hint(&err, "to explore a program, write 'heddle run %s'", word);
    else if (nearest)
        hd_err_hint(&err, "did you mean 'heddle %s'?", nearest);
    else
        hd_err_hint(&err, "'heddle help' lists the commands");
    return hd_cli_fail(&err);
}

static bool asks_for_help(const hd_command *command, int argc, char **argv) {
    bool is_clangs = command == &hd_command_cc; /* '-h' among its words is, too */
    for (int i = 1; i < (is_clangs && argc > 2 ? 2 : argc) && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int no_command(void) {
    hd_err err;
    hd_err_set(&err, "no command given");
    hd_err_hint(&err, "start with 'heddle run FILE.c'; 'heddle help' lists the commands");
    return hd_cli_fail(&err);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2)
        return no_command();
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        hd_print(stdout, "heddle %s\n", hd_version_made_of());
        return 0;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        hd_help_overview();
        return 0;
    }
    const hd_command *command = hd_command_find(word);
    if (!command)
        return unknown_command(word);
    if (asks_for_help(command, argc - 1, argv + 1)) {
        hd_help_command(command);
        return 0;
    }
    return command->run(argc - 1, argv + 1);
}

/* What was printed must have arrived, or the user must know; a closed pipe is their choice. */
static int finish_output(int status) {
    struct stat output;
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == EPIPE || (fstat(STDOUT_FILENO, &output) == 0 && S_ISFIFO(output.st_mode)))
        return status;
    hd_err err;
    hd_err_set(&err, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
    hd_err_hint(&err, "results of a run are safe in its directory");
    return hd_cli_fail(&err);
}

/* Stacks grow up to the limit as it is when they do: raising it helps at once, and clang too. */
static bool has_stack(hd_err *err) {
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= LEAST_STACK)
        return true;
    stack.rlim_cur = stack.rlim_max < USUAL_STACK ? stack.rlim_max : USUAL_STACK;
    if (stack.rlim_cur >= LEAST_STACK && setrlimit(RLIMIT_STACK, &stack) == 0)
        return true;
    hd_err_set(err, "a stack of %llu KiB is too small for Heddle and for clang",
               (unsigned long long)stack.rlim_max / 1024);
    return hd_err_hint(err, "lift the limit with 'ulimit -s 8192'");
}

/* A write beyond the limit of file sizes fails like any other, and is told. */
static void ignore_signals_of_writes(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Descriptors from here on are Heddle's own: what the caller has left open there would be among
 * those that a confined process keeps (machine/run/confined.c).  Shells give lower ones. */
#define FIRST_OF_OURS 800

int main(int argc, char **argv) {
    hd_err err;
    hd_time_begin();
    hd_json_begin();
    close_range(FIRST_OF_OURS, UINT_MAX, 0);
    ignore_signals_of_writes();
    if (!has_stack(&err))
        return hd_cli_fail(&err);
    return finish_output(dispatch(argc, argv));
}
