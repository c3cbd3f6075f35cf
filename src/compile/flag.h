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

/* What kind of option `word` is, or NULL if it is none of clang's. */
const hd_compiler_flag *hd_compiler_flag_find(const char *word);
#endif
