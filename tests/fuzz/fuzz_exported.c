/* Any bytes as a test that 'heddle export --test' might have written: refused or read, never a crash. */
#include "record/record.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char path[64];
    hd_exported_test t = {0};
    hd_err err;
    int file = memfd_create("test", 0);
    if (file < 0 || write(file, bytes, n) != (ssize_t)n)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (hd_exported_read(&t, path, &err))
        hd_exported_release(&t);
    close(file);
    return 0;
}
