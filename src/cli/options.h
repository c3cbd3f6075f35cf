/* options.h -- options of a command as a table: parsed, checked and explained from one place.
 *
 * Each option names a field of the command's own struct of values, so that adding an option
 * is one line in the table and one field.  Both `--name VALUE` and `--name=VALUE` work;
 * options and files may come in any order; `--` ends both.
 * Not here: what the options mean (the file of the command). */
#ifndef HD_CLI_OPTIONS_H
#define HD_CLI_OPTIONS_H
#include "base/err.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hd_option_kind {
    HD_OPTION_FLAG,     /* bool: becomes true */
    HD_OPTION_TEXT,     /* const char * */
    HD_OPTION_RULES,    /* const char *: rules with ';' between, all in one option */
    HD_OPTION_OPTIONAL, /* const char *: "" without "=VALUE" */
    HD_OPTION_COUNT,    /* uint64_t: 1000, 10k, 2M, 1G */
    HD_OPTION_SECONDS,  /* double: 10, 0.5, 200ms, 10s, 5m, 1h */
    HD_OPTION_CHOICE,   /* int: index in `choices` */
} hd_option_kind;

typedef struct hd_option {
    const char *name; /* without the dashes */
    char letter;      /* of the short form, 0 if there is none */
    hd_option_kind kind;
    size_t offset;              /* of its field in the values */
    const char *argument;       /* what the help calls its value */
    const char *help;           /* one line */
    const char *const *choices; /* HD_OPTION_CHOICE: ended by NULL */
    bool is_search;             /* changes the search: kept in the record for resume and replay */
} hd_option;

typedef struct hd_option_table {
    const hd_option *at;
    size_t n;
    bool takes_compiler_options; /* -I -D ... are collected for clang */
    bool takes_program;          /* what follows `--` belongs to the program */
} hd_option_table;

#define HD_MAX_OPTIONS 80

/* What the command line said besides the values. */
typedef struct hd_arguments {
    hd_vec(const char *) files;        /* everything that is no option */
    hd_vec(const char *) compiler;     /* options for clang */
    hd_vec(const char *) program;      /* what follows `--` */
    const char *given[HD_MAX_OPTIONS]; /* by option: its value as written; NULL if not given */
} hd_arguments;

/* Parse argv[1..argc) into `values`, which holds the defaults already.  Strings are
 * borrowed from argv.  False with one sentence, and a suggestion for a misspelt option; there
 * is nothing to release then. */
bool hd_options_parse(const hd_option_table *table, int argc, char **argv, void *values,
                      hd_arguments *arguments, hd_err *err);
void hd_arguments_release(hd_arguments *a);

/* Do two structs of values agree in this option? */
bool hd_option_is_same(const hd_option *option, const void *values, const void *others);
#endif
