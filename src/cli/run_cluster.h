/* run_cluster.h -- `heddle run --cluster`: how a run comes to be on a cluster, and is coordinated
 * from here. */
#ifndef HD_CLI_RUN_CLUSTER_H
#define HD_CLI_RUN_CLUSTER_H
#include "cli/run_options.h"
#include "compile/compile.h"
#include "fleet/cluster/cluster.h"
#include "fleet/cluster/scratch.h"
#include "fleet/cluster/server.h"

/* A run at its server, for the machine that coordinates it.  A zeroed one is closed. */
typedef struct hd_run_place {
    hd_server server; /* of our own, if pid is not 0 */
    hd_cluster_values line;
    hd_seal seal;
    char *token; /* file */
    hd_post *post;
    hd_manifest manifest;
    char scratch[HD_SCRATCH_SIZE]; /* files of a run that was there, if it was asked for without
                                    * its program */
    /* Workers of this machine. */
    pid_t workers;
    char *jobs;
    double started;
    bool has_workers, is_quiet;
} hd_run_place;

/* Are the options of a cluster given in a way that makes sense? */
bool hd_run_place_check(const hd_run_values *v, hd_err *err);
/* Connect, with a server and a token of its own if that was asked for. */
bool hd_run_place_open(hd_run_place *p, const hd_run_values *v, hd_err *err);
/* The run of this program is there: begun, or gone on with. */
bool hd_run_place_found(hd_run_place *p, const hd_run_values *v, const hd_kept_options *kept,
                        const char *command, const hd_compile_result *module, hd_err *err);
/* The run of that name is there already: its program and its options. */
bool hd_run_place_take(hd_run_place *p, hd_kept_options *kept, hd_run_values *values,
                       hd_compile_result *module, hd_err *err);
/* Was the run coordinated before, and left what it had? */
bool hd_run_place_has_begun(hd_run_place *p, bool *has_begun, hd_err *err);
/* As hd_fleet_run, with workers of this machine and of others. */
bool hd_run_place_explore(void *place, hd_record *record, const hd_run_options *options,
                          const hd_watcher *watcher, char why[128], hd_err *err);
void hd_run_place_close(hd_run_place *p);
#endif
