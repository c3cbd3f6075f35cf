/* module_tables.h -- whether the tables of an image are inside it.
 *
 * Who loads an image is not confined yet, and reads and writes where its tables say: a module that
 * somebody has made by hand must not say "elsewhere".  What its code does later happens behind
 * walls (confine/confine.h).
 *
 * Promise (tests/unit/test_module.c, tests/fuzz/fuzz_image.c): a table that is right is whole,
 *     readable, and writable if it is written to; its texts end inside the image. */
#ifndef HD_MACHINE_MODULE_TABLES_H
#define HD_MACHINE_MODULE_TABLES_H
#include "program/abi.h"

#include <stdbool.h>

#define HD_MOST_SEGMENTS 64

typedef struct hd_segments {
    struct hd_segment {
        uint64_t start, end;
        bool is_readable, is_writable;
    } at[HD_MOST_SEGMENTS];
    unsigned n;
} hd_segments;

/* What is wrong with the header's tables, or NULL.  The header itself is readable. */
const char *hd_image_wrong(const hd_image *image, const hd_segments *segments);
#endif
