/* cli.h -- what the commands of `heddle` share: their table entry, and how they fail.
 *
 * A command is one file with one hd_command in it, and one row of HD_COMMANDS.  Only this folder
 * prints messages and decides the exit status. */
#ifndef HD_CLI_CLI_H
#define HD_CLI_CLI_H
#include "base/err.h"
#include "base/nearest.h"
#include "base/shown.h"
#include "cli/options.h"

#ifndef HD_VERSION
#define HD_VERSION "0.1.0"
#endif

typedef enum hd_exit {
    HD_EXIT_CLEAN,    /* explored, nothing found */
    HD_EXIT_FINDINGS, /* something is wrong with the tested program */
    HD_EXIT_ERROR,    /* usage or build error */
    HD_EXIT_LIMIT,    /* stopped at a limit, nothing found so far */
} hd_exit;

typedef struct hd_command {
    const char *name;
    const char *summary; /* one line for `heddle help` */
    const char *usage;   /* what follows "heddle " in the usage line */
    const char *text;    /* a few paragraphs for `heddle help NAME` */
    const hd_option_table *options;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} hd_command;

/* Every command, in the order of the help text. */
#define HD_COMMANDS(X)                                                                             \
    X(run)                                                                                         \
    X(partition)                                                                                   \
    X(build)                                                                                       \
    X(cc)                                                                                          \
    X(check)                                                                                       \
    X(tests)                                                                                       \
    X(findings)                                                                                    \
    X(explain)                                                                                     \
    X(report)                                                                                      \
    X(serve)                                                                                       \
    X(units)                                                                                       \
    X(simulate)                                                                                    \
    X(stats)                                                                                       \
    X(replay)                                                                                      \
    X(export)                                                                                      \
    X(diff)                                                                                        \
    X(cover)                                                                                       \
    X(obligations)                                                                                 \
    X(reduce)                                                                                      \
    X(worker)                                                                                      \
    X(top)                                                                                         \
    X(completion)                                                                                  \
    X(help)
#define X(name) extern const hd_command hd_command_##name;
HD_COMMANDS(X)
#undef X
/* The rows, ended by NULL. */
extern const hd_command *const hd_commands[];

/* NULL if there is none of that name. */
const hd_command *hd_command_find(const char *name);

/* Print the error and its hint on standard error; returns HD_EXIT_ERROR. */
int hd_cli_fail(const hd_err *err);

/* `heddle help` without a topic, of a command, or of a topic; false if there is no such topic. */
void hd_help_overview(void);
void hd_help_command(const hd_command *command);
bool hd_help_topic(const char *topic);

/* A positive whole number such as a test number. */
bool hd_parse_number(const char *text, const char *what, uint64_t *number, hd_err *err);
#endif
