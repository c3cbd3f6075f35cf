/* given_program.h -- what the files of a command line are: sources to compile, or a built module.
 */
#ifndef HD_CLI_GIVEN_PROGRAM_H
#define HD_CLI_GIVEN_PROGRAM_H
#include "cli/options.h"
#include "compile/compile.h"

/* The module of the program that `arguments` names, compiled now if need be. */
bool hd_program_find(const hd_arguments *arguments, const char *function, const char *checks,
                     const char *allow, hd_compile_result *module, hd_err *err);
/* Can this module be loaded here, and may it create threads?  Tried in a child process, so that
 * nothing of it stays. */
bool hd_program_check(const hd_compile_result *module, bool *is_threaded, hd_err *err);
/* Says on standard error which functions of the module an execution cannot get past; `external` are
 * those that may run all the same, or NULL. */
void hd_program_note_refused(const hd_compile_result *module, const char *external);
/* Does the name end like that of a source file? */
bool hd_program_is_source(const char *path);
/* Is there a module of `heddle build` in `path`? */
bool hd_program_is_module(const char *path);
#endif
