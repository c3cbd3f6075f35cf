/* input_names.h -- how conditions name the inputs of a program.
 *
 * A condition may be about integers that the program asks for itself (roots of
 * symbolic/variables.h), not about pointers and what they point to: those are other ones in other
 * executions.  An input is called what the program calls it, and "name#number" if there are several
 * of that name: number 0 is the first that the program asks for.  Names that C would not take for
 * one stand in backquotes. */
#ifndef HD_PARTITION_INPUT_NAMES_H
#define HD_PARTITION_INPUT_NAMES_H
#include "base/err.h"
#include "program/types.h"
#include "symbolic/variables.h"

/* What conditions are read and written with. */
typedef struct hd_names {
    hd_graph *graph;
    const hd_variables *variables;
    const hd_types *types; /* NULL: none are known */
} hd_names;

/* May conditions be about the variable? */
bool hd_names_has(const hd_names *names, hd_var v);
bool hd_names_is_signed(const hd_names *names, hd_var v);
/* Without backquotes, and "#number" where that is needed. */
void hd_names_print(const hd_names *names, hd_var v, hd_text *out);
/* The input of that name; false with one sentence, which begins with `where`. */
bool hd_names_find(const hd_names *names, const char *name, const char *where, hd_var *v,
                   hd_err *err);
#endif
