/* compile.h -- from C sources to a module: an instrumented image that the machine can load.
 *
 * LLVM is large and slow to load, so it lives in a program of its own, heddle-compile; this header
 * is what the rest of Heddle sees.  hd_compile() looks in the cache first and starts that
 * program only if the sources, the headers they include, the options or Heddle changed.
 *
 * A module is a directory of the cache (addressed by hash) with
 *     image     an ELF file linked at HD_IMAGE_BASE (program/abi.h), with debug information
 *     types     program/types.h
 *     sources   program/sources.h
 * Promise (tests/unit/test_damage.c): a module directory appears whole or not at all (made aside,
 *     then renamed).
 * Not here: loading (machine/module.h). */
#ifndef HD_COMPILE_COMPILE_H
#define HD_COMPILE_COMPILE_H
#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* What one source alone is compiled with. */
typedef struct hd_source_options {
    const char *const *at;
    size_t n;
} hd_source_options;

/* One of several programs in a module (hd_image.programs, in this order). */
typedef struct hd_compile_program {
    const char *name;
    const char *const *sources;
    size_t n_sources;
    const char *const *options; /* in addition to the request's */
    size_t n_options;
    const hd_source_options *of_sources; /* of each source, before all others; NULL: none */
} hd_compile_program;

typedef struct hd_compile_request {
    const char *const *sources; /* .c, or .bc/.ll */
    size_t n_sources;
    const hd_source_options *of_sources; /* of each of them, before `options`; NULL: none */
    const char *const *options;          /* passed to clang: -I -D -U -O -std= -W... */
    size_t n_options;
    const hd_compile_program *programs; /* instead of `sources`; n_programs is 0 otherwise */
    size_t n_programs;
    const char *function; /* --function: make its arguments the inputs; NULL = main */
    const char
        *checks; /* comma list: "overflow,shift,divide,bounds,uninitialised", "none", NULL = all */
    const char
        *allow;      /* what may be read beside sources and headers (confine/confine.h), or NULL */
    double deadline; /* of hd_clock_now(): a compilation that takes longer is ended; 0: none */
} hd_compile_request;

typedef struct hd_compile_result {
    char directory[4096]; /* of the module */
    uint64_t hash;        /* of its contents' origin: same hash, same module */
    bool was_cached;
    bool is_temporary; /* there is no cache: the module is gone when this process has ended */
} hd_compile_result;

/* False with `err` on failure.  Compiler diagnostics go to standard error, once.  Who asks this
 * process to end while the compiler runs (base/interrupt.h) ends both, and nothing is left behind.
 * Promise (tests/ends.sh): a compilation that was cut off leaves the cache as it was. */
bool hd_compile(const hd_compile_request *request, hd_compile_result *result, hd_err *err);

/* Keep a source that Heddle itself has written, under a name made of its text, and answer its
 * path. */
bool hd_compile_keep_source(const char *text, char path[4096], hd_err *err);
#endif
