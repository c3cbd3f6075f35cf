/* divide.h -- a program divided into parts: what 'heddle partition' prints and '--partition'
 * uses.
 *
 * The tested program is executed for that (shallow.h), in a process of its own, which may die; only
 * bytes come back.
 *
 * Promise (tests/property/property_partition.c): every input is in one of the parts: what is in
 *     none of those that were made or given is one part more.
 * Not here: who searches parts (fleet/). */
#ifndef HD_PARTITION_DIVIDE_H
#define HD_PARTITION_DIVIDE_H
#include "explore/explore.h"
#include "partition/part_file.h"

typedef enum hd_partition_kind {
    HD_PARTITION_SSP,   /* ssp.h */
    HD_PARTITION_PATHS, /* the conditions of paths up to the depth */
    HD_PARTITION_FILE   /* part_file.h */
} hd_partition_kind;

typedef struct hd_partition_request {
    const char *module_directory;
    hd_machine_options machine;
    hd_explorer_options explore; /* of the searches of the parts; whether there are threads is
                                  * found out */
    hd_chain_options solve;
    hd_partition_kind kind;
    const char *file;
    uint32_t depth;
    uint64_t queue;
    double deadline; /* hd_clock_now() value, 0 = none */
    hd_part_format format;
} hd_partition_request;

typedef hd_vec(hd_text) hd_texts;

typedef struct hd_partition {
    hd_texts journals; /* of a search of each part that has not begun, for hd_explorer_restore */
    hd_text text;      /* all parts in the format that was asked for */
    hd_texts notes;    /* sentences for the user */
    bool has_orders;   /* of threads: searches of parts may begin anew */
    bool has_rest;     /* the last part is what the others leave out */
} hd_partition;

/* False with one sentence. */
bool hd_partition_make(const hd_partition_request *request, hd_partition *out, hd_err *err);
/* Searches of the whole program that do not know of each other, each with a seed of its own (paper
 * 003, 3.1).  False with one sentence. */
bool hd_partition_make_rivals(const hd_explorer_options *options, uint32_t n, hd_partition *out,
                              hd_err *err);
void hd_partition_release(hd_partition *partition);
#endif
