/* process_native.h -- process_program.c as the operating system runs it. */
#ifndef PROCESS_NATIVE_H
#define PROCESS_NATIVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NATIVE_LABELS = 128, NATIVE_LABEL = 64 };

typedef struct native_log {
    char label[NATIVE_LABELS][NATIVE_LABEL];
    unsigned n;
} native_log;

/* Runs it once, with pauses here and there that `seed` decides about, and collects the labels of
 * all its processes.  False if it does not come to an end, or cannot be started. */
bool native_run(int argc, char **argv, uint64_t seed, native_log *out);
#endif
