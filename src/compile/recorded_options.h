/* recorded_options.h -- which options of the command that once compiled a source Heddle compiles it
 * with (program/recorded_units.h).
 *
 * What decides about the meaning of the source is kept: macros, folders of headers, the standard,
 * kinds of machines, what changes the language.  What is about the way it was compiled is not:
 * optimisation, debug information, sanitizers, profiles, outputs, linking, warnings (they were said
 * when it was built).  Plugins never are: whoever made the file does not run code here. */
#ifndef HD_COMPILE_RECORDED_OPTIONS_H
#define HD_COMPILE_RECORDED_OPTIONS_H
#include "base/vec.h"

typedef hd_vec(char *) hd_option_list;

/* Adds the options of the command, each with its value in one word or in the next, and paths made
 * absolute by the folder in which it was given. */
void hd_recorded_options(const char *command, const char *directory, hd_option_list *options);
void hd_option_list_release(hd_option_list *words);
#endif
