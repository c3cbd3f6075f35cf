/* module.h -- a loaded module: the instrumented program in this process's memory.
 *
 * The image is an ELF file without dynamic relocations, linked at HD_IMAGE_BASE: loading is
 * mapping its segments, filling its import table, making constants constant and poisoning what lies
 * between globals.
 * L1. At most one module is loaded in a process.
 * L2. Loading runs nothing of the program: constructors are part of every execution.
 * Not here: bringing the writable segments back (memory/region.c). */
#ifndef HD_MACHINE_MODULE_H
#define HD_MACHINE_MODULE_H
#include "base/err.h"
#include "base/vec.h"
#include "program/abi.h"
#include "program/types.h"

typedef struct hd_module {
    hd_image *image;
    hd_types *types;
    char *directory;
    uint64_t data_start, data_end; /* what the program may write */
    uint64_t code_start, code_end;
    bool has_stateful_imports;    /* calls external code that keeps state of its own */
    const char *stateful_import;  /* the first of them; lives in the image */
    hd_vec(const char *) refused; /* functions that end an execution which reaches them */
} hd_module;

/* Load the module in `directory` (compile.h); false with `err` if it is missing, damaged,
 * of another version, or uses an object that nobody defines (named). */
bool hd_module_load(hd_module *m, const char *directory, hd_err *err);
void hd_module_unload(hd_module *m);
#endif
