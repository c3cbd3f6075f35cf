/* cluster.h -- one run on many machines: who coordinates it, and who works for it.
 *
 * A run is its manifest and its log, both at a NATS server; everything else can be made of them.
 * So anybody who has its token can coordinate it: read the log from its beginning, write into it
 * that he is the coordinator now, and go on.  The run directory is made from the log too, and is
 * like that of a run on one machine.
 *
 * Promise (tests/cluster.sh): no machine runs a program whose manifest was not sealed with the key
 *     that it was given.
 * Not here: how messages travel (post.h), what the log means (fold.h). */
#ifndef HD_FLEET_CLUSTER_CLUSTER_H
#define HD_FLEET_CLUSTER_CLUSTER_H
#include "fleet/cluster/manifest.h"
#include "fleet/fleet.h"

/* The run that the manifest describes is at the server now: as it was there, or new, with its
 * files (`module`: its directory; `standard_input`: a file, or NULL).  `was_there` is replaced by
 * what is there, for the caller to release.  Refused if it is another program or search, has
 * another token, or is coordinated by somebody. */
bool hd_cluster_found(hd_post *post, hd_manifest *m, const char *module, const char *standard_input,
                      bool *was_there, hd_err *err);
/* The manifest of a run that is there, checked against this machine. */
bool hd_cluster_join(hd_post *post, const char *version, hd_manifest *m, hd_err *err);

/* What the coordinator looks after beside the run: called about ten times a second. */
typedef struct hd_chore {
    bool (*look)(void *context, hd_err *err); /* false: the run cannot go on */
    void *context;
} hd_chore;
/* Coordinate the run into `record`, which is empty, until it is complete or a limit is met; as
 * hd_fleet_run.  `options->n_workers` is of no interest.  A run that is complete is gone from the
 * server afterwards; others can be gone on with. */
bool hd_cluster_coordinate(hd_post *post, double patience, hd_record *record,
                           const hd_run_options *options, const hd_watcher *watcher,
                           const hd_chore *chore, char why[128], hd_err *err);
#endif
