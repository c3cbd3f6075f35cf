/* heddle help -- texts for people.  Option lists come from the tables that parse them;
 * topics that list kinds, strategies or layers come from the tables that define them. */
#include "cli/cli.h"
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

void hd_help_overview(void) {
    puts("heddle runs a C program with every combination of inputs that makes a difference,\n"
         "natively, and reports what breaks.\n\nusage: heddle COMMAND [ARGUMENTS]\n\ncommands");
    for (const hd_command *const *c = hd_commands; *c; c++)
        hd_print(stdout, "  %-12s %s\n", (*c)->name, (*c)->summary);
    puts("\ntopics for 'heddle help TOPIC'");
    for (const hd_topic *t = hd_topics; t->name; t++)
        hd_print(stdout, "  %-12s %s\n", t->name, t->summary);
    puts("\nstart with: heddle run FILE.c");
}

static const char *argument_opening(const hd_option *o) {
    return o->kind == HD_OPTION_OPTIONAL ? "[=" : o->argument ? " " : "";
}

static void show_option(const hd_option *o) {
    char left[64], letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s%s%s%s", letter, o->name, argument_opening(o),
             o->argument ? o->argument : "", o->kind == HD_OPTION_OPTIONAL ? "]" : "");
    hd_print(stdout, "  %-26s %s\n", left, o->help);
}

void hd_help_command(const hd_command *command) {
    fputs("usage: heddle ", stdout);
    hd_print_lines(stdout, command->usage);
    fputs("\n\n", stdout);
    hd_print_lines(stdout, command->text);
    fputs("\n", stdout);
    if (command->options && command->options->n)
        puts("\noptions");
    for (size_t i = 0; command->options && i < command->options->n; i++)
        show_option(&command->options->at[i]);
}

bool hd_help_topic(const char *name) {
    const hd_command *command = hd_command_find(name);
    if (command) {
        hd_help_command(command);
        return true;
    }
    for (const hd_topic *t = hd_topics; t->name; t++)
        if (strcmp(t->name, name) == 0) {
            fputs(t->text, stdout);
            if (t->list)
                t->list();
            return true;
        }
    return false;
}

static int unknown_topic(const char *word) {
    const char *names[64];
    size_t n = 0;
    for (const hd_command *const *c = hd_commands; *c; c++)
        names[n++] = (*c)->name;
    for (const hd_topic *t = hd_topics; t->name; t++)
        names[n++] = t->name;
    names[n] = NULL;
    const char *nearest = hd_nearest_name(word, names);
    hd_err err;
    hd_err_set(&err, "there is no help on '%s'", word);
    if (nearest)
        hd_err_hint(&err, "did you mean 'heddle help %s'?", nearest);
    else
        hd_err_hint(&err, "'heddle help' lists commands and topics");
    return hd_cli_fail(&err);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        hd_help_overview();
        return HD_EXIT_CLEAN;
    }
    return hd_help_topic(argv[1]) ? HD_EXIT_CLEAN : unknown_topic(argv[1]);
}

const hd_command hd_command_help = {
    "help",         "explain a command or a topic",
    "help [TOPIC]", "Without a topic, lists the commands and topics.",
    NULL,           run,
};
