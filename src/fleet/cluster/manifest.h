/* manifest.h -- what a run on a cluster is: the program, the options that change its search, and
 * what a machine must be like to take part.
 *
 * Written once, when the run begins; files go to the store of the run by their hash.  Who joins
 * makes a directory of them that is like the one of the machine where the run began. */
#ifndef HD_FLEET_CLUSTER_MANIFEST_H
#define HD_FLEET_CLUSTER_MANIFEST_H
#include "base/vec.h"
#include "fleet/cluster/post.h"

#define HD_CLUSTER_PATIENCE 30.0

typedef struct hd_manifest_file {
    char *name; /* "module/image", "stdin" */
    hd_bale bale;
} hd_manifest_file;

/* All that it points to is its own. */
typedef struct hd_manifest {
    char *version, *processor; /* of Heddle, and what kind of machine */
    char *command, *options;   /* hd_run_info */
    char *search;              /* of the options what makes it this search, wherever it began */
    uint64_t module_hash, seed;
    double
        patience; /* seconds after which a machine that says nothing is taken for gone, from 1 on */
    hd_vec(hd_manifest_file) files;
} hd_manifest;
void hd_manifest_release(hd_manifest *m);

/* Without files: of this Heddle on this machine. */
hd_manifest hd_manifest_new(const char *version, const char *command, const char *options,
                            const char *search, uint64_t module_hash, uint64_t seed);
/* Put a file, or all files of a directory, into the store and the list; as `name`, or below it. */
bool hd_manifest_add_file(hd_manifest *m, hd_post *post, const char *path, const char *name,
                          hd_err *err);
bool hd_manifest_add_directory(hd_manifest *m, hd_post *post, const char *path, const char *name,
                               hd_err *err);

void hd_manifest_pack(hd_text *out, const hd_manifest *m);
/* There is nothing to release if it fails. */
bool hd_manifest_unpack(const void *bytes, size_t n, hd_manifest *m);

/* May this Heddle on this machine take part in the run? */
bool hd_manifest_check(const hd_manifest *m, const char *version, const char *run, hd_err *err);
/* Are these the same program and the same search? */
bool hd_manifest_is_same(const hd_manifest *a, const hd_manifest *b);
/* All files, below a directory that is there. */
bool hd_manifest_unload(const hd_manifest *m, hd_post *post, const char *directory, hd_err *err);
#endif
