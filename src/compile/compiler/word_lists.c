/* word_lists.c -- names of functions and objects, looked up in short lists. */
#include "compile/compiler/build.h"

#include <string.h>

bool hd_name_begins(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

bool hd_name_is_listed(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

bool hd_name_begins_as_listed(const char *name, const char *const *beginnings, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (hd_name_begins(name, beginnings[i]))
            return true;
    return false;
}
