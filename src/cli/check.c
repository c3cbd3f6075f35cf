/* heddle check -- a scenario explained, without compiling or running anything. */
#include "cli/cli.h"
#include "scenario/scenario.h"

#include <stdio.h>

static const hd_option_table table = {NULL, 0, false, false};

static bool take_words(const hd_arguments *a, hd_err *err) {
    if (a->files.n == 1)
        return true;
    hd_err_set(err, "%s", a->files.n ? "too many arguments" : "no scenario given");
    return hd_err_hint(err, "write 'heddle check FILE.yaml'");
}

static int check(const char *path) {
    hd_scenario scenario;
    hd_text text = {0};
    hd_err err;
    if (!hd_scenario_read(&scenario, path, &err))
        return hd_cli_fail(&err);
    hd_scenario_explain(&scenario, &text);
    hd_print_lines(stdout, hd_text_string(&text));
    hd_text_release(&text);
    hd_scenario_release(&scenario);
    return HD_EXIT_CLEAN;
}

static int run(int argc, char **argv) {
    hd_arguments arguments = {0};
    hd_err err;
    int status =
        hd_options_parse(&table, argc, argv, NULL, &arguments, &err) && take_words(&arguments, &err)
            ? check(arguments.files.at[0])
            : hd_cli_fail(&err);
    hd_arguments_release(&arguments);
    return status;
}

const hd_command hd_command_check = {
    "check",
    "explain a scenario without running it",
    "check FILE.yaml",
    "Reads a scenario and says what 'heddle run --net FILE.yaml' would start: the programs, the\n"
    "nodes with their addresses in the order in which they start, and the links between them.  A\n"
    "mistake is named with its line and column.  Exit status: 0, or 2 if there is a mistake.\n"
    "'heddle help scenarios' describes the file.",
    &table,
    run,
};
