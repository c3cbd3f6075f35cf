/* flag.h -- which options are clang's: those that a command line or a scenario may pass on. */
#ifndef HD_COMPILE_FLAG_H
#define HD_COMPILE_FLAG_H
#include <stdbool.h>

typedef struct hd_compiler_flag {
    const char *prefix;
    bool separate; /* the value may be the next word */
    bool is_whole; /* the prefix is the whole word */
    bool is_path;  /* the value is a file or a folder */
} hd_compiler_flag;

/* Beside clang's options for coverage: of what clang counts, only test vectors of decisions are
 * wanted (compiler/counts.c).  clang takes it for a macro like any other, so that it goes wherever
 * options go. */
#define HD_VECTORS_ONLY_FLAG "-D__HEDDLE_VECTORS_ONLY__=1"

/* What kind of option `word` is, or NULL if it is none of clang's. */
const hd_compiler_flag *hd_compiler_flag_find(const char *word);
#endif
