/* The table of subcommands, and how all of them fail. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

const hd_command *const hd_commands[] = {
#define X(name) &hd_command_##name,
    HD_COMMANDS(X)
#undef X
        NULL,
};

const hd_command *hd_command_find(const char *name) {
    for (const hd_command *const *c = hd_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

int hd_cli_fail(const hd_err *err) {
    fflush(stdout);
    hd_print_colour(stderr, HD_COLOUR_BAD);
    fputs("heddle: error:", stderr);
    hd_print_colour(stderr, HD_COLOUR_NONE);
    hd_print(stderr, " %s\n", err->message);
    if (err->hint[0])
        hd_print(stderr, "  hint: %s\n", err->hint);
    return HD_EXIT_ERROR;
}
