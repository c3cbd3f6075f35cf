/* The table of clang's options. */
#include "compile/flag.h"

#include <stddef.h>
#include <string.h>

static const hd_compiler_flag flags[] = {
    {"-I", true, false, true},      {"-D", true, false, false},
    {"-U", true, false, false},     {"-O", false, false, false},
    {"-std=", false, false, false}, {"-W", false, false, false},
    {"-w", false, true, false},     {"-f", false, false, false},
    {"-m", false, false, false},    {"-g", false, false, false},
    {"-include", true, true, true}, {"-isystem", true, false, true},
    {"-iquote", true, false, true}, {"-idirafter", true, false, true},
    {"-imacros", true, true, true}, {"-pedantic", false, false, false},
    {"-ansi", false, true, false},  {"-pthread", false, true, false},
};

const hd_compiler_flag *hd_compiler_flag_find(const char *word) {
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const hd_compiler_flag *f = &flags[i];
        if (f->is_whole ? strcmp(word, f->prefix) == 0
                        : strncmp(word, f->prefix, strlen(f->prefix)) == 0)
            return f;
    }
    return NULL;
}
