/* recorded_units.h -- what an ordinary program, object file, archive or library was compiled from.
 *
 * clang writes into the debug information of each unit which source it is, in which folder it was
 * compiled and, with -grecord-command-line, by which command.  `heddle cc` asks for that, so that a
 * program that any build system has made says by itself how Heddle has to compile it.
 *
 * Not here: which options of a command are for Heddle (compile/recorded_options.h). */
#ifndef HD_PROGRAM_RECORDED_UNITS_H
#define HD_PROGRAM_RECORDED_UNITS_H
#include "base/err.h"
#include "base/vec.h"

typedef struct hd_recorded_unit {
    char *source;    /* as it was given to the compiler */
    char *directory; /* in which that was */
    char *command;   /* words with blanks and backslashes behind backslashes; NULL: not recorded */
    bool is_c;
} hd_recorded_unit;

typedef hd_vec(hd_recorded_unit) hd_recorded_units;

/* Does the file have units: is it ELF, or an archive? */
bool hd_recorded_units_are_in(const char *path);
/* All units of the file, in its order; those of an archive with all its members. */
bool hd_recorded_units_read(hd_recorded_units *units, const char *path, hd_err *err);
void hd_recorded_units_release(hd_recorded_units *units);
#endif
