/* heddle partition -- how a search would be divided into parts, and whether parts leave something
 * out.
 */
#include "cli/cli.h"
#include "cli/given_partition.h"
#include "cli/given_program.h"
#include "compile/checks.h"
#include "machine/libc/standard_input.h"
#include "partition/divide.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct partition_values {
    const char *function, *checks, *output, *external, *kind;
    int format;
    uint64_t depth, queue, seed, stdin_bytes;
} partition_values;

/* In the order of hd_part_format. */
static const char *const formats[] = {"c", "smt", NULL};

#define AT(field) offsetof(partition_values, field)

static const hd_option options[] = {
    {"partition", 0, HD_OPTION_TEXT, AT(kind), "HOW",
     "ssp (default), paths, or a file of conditions to be checked", NULL, false},
    {"shallow-depth", 0, HD_OPTION_COUNT, AT(depth), "N",
     "decisions of a path to divide by (default " HD_SHALLOW_DEPTH_WORD ")", NULL, false},
    {"queue", 0, HD_OPTION_COUNT, AT(queue), "N",
     "parts that ssp makes at least (default " HD_DEFAULT_PARTS_WORD ")", NULL, false},
    {"format", 0, HD_OPTION_CHOICE, AT(format), "NAME",
     "c (default): one condition on each line; smt: a script of SMT-LIB", formats, false},
    {"function", 0, HD_OPTION_TEXT, AT(function), "NAME",
     "test this function: its arguments are the inputs, no main is needed", NULL, false},
    {"checks", 0, HD_OPTION_TEXT, AT(checks), "LIST", "compiled-in checks: " HD_CHECK_WORDS, NULL,
     false},
    {"external", 0, HD_OPTION_TEXT, AT(external), "NAMES",
     "functions without a model that run as they are, on concrete values: NAME,NAME,...", NULL,
     false},
    {"stdin", 0, HD_OPTION_COUNT, AT(stdin_bytes), "N",
     "N bytes on standard input are inputs; default: what is there, as it is", NULL, false},
    {"seed", 0, HD_OPTION_COUNT, AT(seed), "N", "of the first inputs (default 1)", NULL, false},
    {"output", 'o', HD_OPTION_TEXT, AT(output), "FILE",
     "where to write the parts (default: standard output)", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, true, true};

static bool write_out(const partition_values *v, const hd_text *text, hd_err *err) {
    FILE *out = v->output ? fopen(v->output, "w") : stdout;
    bool ok = out && fwrite(hd_text_string(text), 1, text->n, out) == text->n;
    if (v->output && out && fclose(out) != 0)
        ok = false;
    if (ok)
        return true;
    hd_err_set(err, "cannot write '%s': %s", v->output ? v->output : "standard output",
               strerror(errno));
    return hd_err_hint(err, "choose another place with '-o FILE', or make room there");
}

static bool divide(const partition_values *v, const hd_arguments *a, hd_partition *p, hd_err *err) {
    hd_compile_result module = {0};
    hd_partition_request request = {.machine = hd_machine_defaults(),
                                    .solve = hd_chain_defaults(),
                                    .explore = {.seed = v->seed},
                                    .depth = (uint32_t)v->depth,
                                    .queue = v->queue,
                                    .format = (hd_part_format)v->format};
    hd_vec(char *) words = {0};
    hd_vec_push(&words, (char *)"program");
    for (size_t i = 0; i < a->program.n; i++)
        hd_vec_push(&words, (char *)a->program.at[i]);
    request.machine.argc = (int)words.n;
    hd_vec_push(&words, NULL);
    request.machine.argv = words.at;
    request.machine.seed = v->seed;
    request.machine.external = v->external;
    request.machine.stdin_bytes = v->stdin_bytes;
    bool ok = hd_given_partition(v->kind ? v->kind : "ssp", &request, err) &&
              hd_given_partition_check(v->depth, v->queue, err) &&
              hd_program_find(a, v->function, v->checks, NULL, &module, err);
    request.module_directory = module.directory;
    fflush(NULL);
    hd_standard_input_share();
    ok = ok && hd_partition_make(&request, p, err);
    hd_vec_release(&words);
    return ok;
}

static int partition(const partition_values *v, const hd_arguments *a) {
    hd_partition p = {0};
    hd_err err;
    bool ok = divide(v, a, &p, &err) && write_out(v, &p.text, &err);
    for (size_t i = 0; ok && i < p.notes.n; i++)
        hd_print(stderr, "heddle: %s\n", hd_text_string(&p.notes.at[i]));
    if (ok)
        hd_print(stderr, "heddle: %zu part%s\n", p.journals.n, p.journals.n == 1 ? "" : "s");
    hd_partition_release(&p);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

static int run(int argc, char **argv) {
    partition_values values = {.seed = 1, .depth = HD_SHALLOW_DEPTH, .queue = HD_DEFAULT_PARTS};
    hd_arguments arguments = {0};
    hd_err err;
    int status = hd_options_parse(&table, argc, argv, &values, &arguments, &err)
                     ? partition(&values, &arguments)
                     : hd_cli_fail(&err);
    hd_arguments_release(&arguments);
    return status;
}

const hd_command hd_command_partition = {
    "partition",
    "divide the inputs of a program into parts",
    "partition [OPTIONS] FILE.c... [-- PROGRAM ARGUMENTS]",
    "Explores the program up to a depth and prints conditions on its inputs that divide the rest\n"
    "of the search into parts, one on each line.  'heddle run --partition FILE' searches such\n"
    "parts; 'heddle run --partition ssp' makes and searches them at once.  A file of conditions\n"
    "in place of 'ssp' is checked: what its parts leave out is said, and becomes one more part.\n"
    "'heddle help parts' describes files of conditions, and how they are made.\n"
    "Options for clang are the same as for 'heddle run'.",
    &table,
    run,
};
