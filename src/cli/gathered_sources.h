/* gathered_sources.h -- the sources that files of a command line stand for: sources themselves, and
 * programs, object files, archives and libraries that `heddle cc` has compiled, which say what they
 * were made of (program/recorded_units.h). */
#ifndef HD_CLI_GATHERED_SOURCES_H
#define HD_CLI_GATHERED_SOURCES_H
#include "base/text.h"
#include "compile/compile.h"
#include "compile/recorded_options.h"

typedef struct hd_gathered_sources {
    hd_vec(char *) paths;                 /* from the current directory, if they lie in it */
    hd_vec(hd_option_list) options;       /* of each: how it was compiled */
    hd_vec(hd_source_options) of_sources; /* the same for a request */
    hd_text others;                       /* units that are not gathered, in words */
} hd_gathered_sources;

/* False with `err` if a file has none.  What cannot be gathered is said on standard error: parts of
 * programs that were compiled otherwise, and sources that are newer than the program. */
bool hd_sources_gather(hd_gathered_sources *g, const char *const *files, size_t n, hd_err *err);
void hd_gathered_sources_release(hd_gathered_sources *g);
#endif
