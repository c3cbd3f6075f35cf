/* heddle completion -- scripts for shells, made of the tables that parse options: what they offer
 * is what there is. */
#include "cli/cli.h"
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

static void add_words(hd_text *out, const char *before, const char *word) {
    hd_text_add(out, "%s%s%s", out->n ? " " : "", before, word);
}

static void list_commands(hd_text *out) {
    for (const hd_command *const *c = hd_commands; *c; c++)
        add_words(out, "", (*c)->name);
}

static void list_choices(const hd_option *o, hd_text *out) {
    for (const char *const *choice = o->choices; *choice; choice++)
        add_words(out, "", *choice);
}

/* ---- bash ---- */

static void offer(const char *indent, const hd_text *words) {
    hd_print(stdout, "%sCOMPREPLY=($(compgen -W '%s' -- \"$word\"))\n", indent,
             hd_text_string(words));
}

static void bash_values(const hd_command *c) {
    for (size_t i = 0; c->options && i < c->options->n; i++) {
        const hd_option *o = &c->options->at[i];
        hd_text words = {0};
        if (o->kind != HD_OPTION_CHOICE)
            continue;
        list_choices(o, &words);
        hd_print(stdout, "    %s:--%s)\n", c->name, o->name);
        offer("        ", &words);
        hd_print(stdout, "        return ;;\n");
        hd_text_release(&words);
    }
}

static void bash_options(const hd_command *c) {
    hd_text words = {0};
    for (size_t i = 0; c->options && i < c->options->n; i++)
        add_words(&words, "--", c->options->at[i].name);
    add_words(&words, "", "--help");
    hd_print(stdout, "    %s)\n", c->name);
    offer("        ", &words);
    hd_print(stdout, "        ;;\n");
    hd_text_release(&words);
}

static void bash_topics(void) {
    hd_text words = {0};
    list_commands(&words);
    for (const hd_topic *t = hd_topics; t->name; t++)
        add_words(&words, "", t->name);
    hd_print(stdout, "    if [ \"$command\" = help ]; then\n");
    offer("        ", &words);
    hd_print(stdout, "        return\n    fi\n");
    hd_text_release(&words);
}

static void write_bash(void) {
    hd_text words = {0};
    list_commands(&words);
    puts("# Completion of heddle for bash: source <(heddle completion bash)\n"
         "_heddle() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} "
         "command=${COMP_WORDS[1]}\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    offer("        ", &words);
    puts("        return\n    fi");
    bash_topics();
    puts("    case $command:$before in");
    for (const hd_command *const *c = hd_commands; *c; c++)
        bash_values(*c);
    puts("    esac\n    [[ $word == -* ]] || return\n    case $command in");
    for (const hd_command *const *c = hd_commands; *c; c++)
        bash_options(*c);
    puts("    esac\n}\ncomplete -o default -o filenames -F _heddle heddle");
    hd_text_release(&words);
}

/* ---- zsh ---- */

/* Inside of single quotes, and of the brackets of a description. */
static void put_quoted(const char *text) {
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            hd_print(stdout, "\\%c", *text);
        else
            putchar(*text);
}

static void zsh_option(const hd_option *o) {
    hd_text words = {0};
    hd_print(stdout, "            '--%s%s[", o->name,
             o->kind == HD_OPTION_FLAG       ? ""
             : o->kind == HD_OPTION_OPTIONAL ? "=-"
                                             : "=");
    put_quoted(o->help);
    fputs("]", stdout);
    if (o->kind != HD_OPTION_FLAG) {
        hd_print(stdout, o->kind == HD_OPTION_OPTIONAL ? "::" : ":");
        put_quoted(o->argument ? o->argument : "value");
    }
    if (o->kind == HD_OPTION_CHOICE) {
        list_choices(o, &words);
        hd_print(stdout, ":(%s)", hd_text_string(&words));
    } else if (o->kind != HD_OPTION_FLAG) {
        fputs(":_files", stdout);
    }
    puts("' \\");
    hd_text_release(&words);
}

static void zsh_command(const hd_command *c) {
    hd_print(stdout, "    %s)\n        _arguments \\\n", c->name);
    for (size_t i = 0; c->options && i < c->options->n; i++)
        zsh_option(&c->options->at[i]);
    if (strcmp(c->name, "help") == 0) {
        hd_text words = {0};
        list_commands(&words);
        for (const hd_topic *t = hd_topics; t->name; t++)
            add_words(&words, "", t->name);
        hd_print(stdout, "            '1:topic:(%s)' ;;\n", hd_text_string(&words));
        hd_text_release(&words);
    } else {
        puts("            '--help[explain the command]' '*:file:_files' ;;");
    }
}

static void write_zsh(void) {
    puts("#compdef heddle\n# Completion of heddle for zsh: a file _heddle in $fpath\n"
         "_heddle() {\n    local -a commands\n    commands=(");
    for (const hd_command *const *c = hd_commands; *c; c++) {
        hd_print(stdout, "        '%s:", (*c)->name);
        put_quoted((*c)->summary);
        puts("'");
    }
    puts("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        "
         "return\n    fi\n"
         "    shift words\n    (( CURRENT-- ))\n    case $words[1] in");
    for (const hd_command *const *c = hd_commands; *c; c++)
        zsh_command(*c);
    puts("    esac\n}\n_heddle \"$@\"");
}

/* ---- the command ---- */

static int unknown_shell(const char *word) {
    hd_err err;
    hd_err_set(&err, word ? "there is no completion for '%s'" : "no shell given", word);
    hd_err_hint(&err, "write 'heddle completion bash' or 'heddle completion zsh'");
    return hd_cli_fail(&err);
}

static int run(int argc, char **argv) {
    const char *shell = argc == 2 ? argv[1] : NULL;
    if (shell && strcmp(shell, "bash") == 0)
        write_bash();
    else if (shell && strcmp(shell, "zsh") == 0)
        write_zsh();
    else
        return unknown_shell(shell);
    return HD_EXIT_CLEAN;
}

const hd_command hd_command_completion = {
    "completion",
    "print the completion of a shell",
    "completion bash|zsh",
    "Prints a script that completes commands, options and their values:\n"
    "  source <(heddle completion bash)                   in ~/.bashrc\n"
    "  heddle completion zsh >~/.zfunc/_heddle            in a folder of $fpath",
    NULL,
    run,
};
