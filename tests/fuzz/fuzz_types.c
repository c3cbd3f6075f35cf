/* Any bytes as a file of types: refused or loaded, never a crash. */
#include "program/types.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char path[64];
    hd_err err;
    int file = memfd_create("types", 0);
    if (file < 0 || write(file, bytes, n) != (ssize_t)n)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    hd_types *types = hd_types_load(path, &err);
    for (hd_type_id id = 0; types && id < 64; id++)
        hd_types_get(types, id);
    if (types)
        hd_types_free(types);
    close(file);
    return 0;
}
