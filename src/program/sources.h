/* sources.h -- the texts that a module was compiled from, kept beside it in its file `sources`.
 *
 * Who looks at a run later is shown the lines that were compiled, whatever became of the files.
 * Texts of the system (/usr/include, /usr/lib) and very long ones are left out.
 *
 * Y1. A text that was kept is the one that was compiled, or it is not there: each has its hash. */
#ifndef HD_PROGRAM_SOURCES_H
#define HD_PROGRAM_SOURCES_H
#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdint.h>

typedef struct hd_source_text {
    char *path; /* as the compiler was given it, or found it */
    char *text;
    size_t n;
    uint64_t hash; /* hd_sources_hash */
} hd_source_text;
typedef hd_vec(hd_source_text) hd_sources;

uint64_t hd_sources_hash(const char *text, size_t n);
/* Writes `directory`/sources; files that cannot be read are left out. */
bool hd_sources_write(const char *directory, char *const *paths, size_t n);
/* Appends what is kept beside the module in `directory`; nothing if it is an older module. */
void hd_sources_read(hd_sources *all, const char *directory);
/* Appends what the bytes of that file say; there is a zero behind them. */
void hd_sources_parse(hd_sources *all, const char *bytes, size_t n);
void hd_sources_release(hd_sources *all);
/* The text of a file by the name that debug information has for it; NULL if there is none, or if
 * it could be several. */
const hd_source_text *hd_sources_find(const hd_sources *all, const char *file);
#endif
