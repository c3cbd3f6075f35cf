/* lookout.h -- a run on a cluster as one sees it who only listens. */
#ifndef HD_FLEET_CLUSTER_LOOKOUT_H
#define HD_FLEET_CLUSTER_LOOKOUT_H
#include "fleet/cluster/post.h"
#include "fleet/cluster/talk.h"

typedef struct hd_lookout hd_lookout;
hd_lookout *hd_lookout_open(hd_post *post, hd_err *err);
void hd_lookout_close(hd_lookout *w);

typedef struct hd_seen_machine {
    char host[64];
    uint32_t n_workers, n_idle, n_units;
    uint64_t executions;
    double rate;  /* executions a second, of late */
    double quiet; /* seconds since it was heard */
} hd_seen_machine;
typedef struct hd_picture {
    bool has_coordinator; /* one was heard of late */
    char host[64];        /* where it is */
    hd_overview overview; /* as last told */
    double rate;
    hd_vec(hd_seen_machine) machines; /* that were heard of late, by name of host */
} hd_picture;
/* How things are now; the caller releases it. */
hd_picture hd_lookout_look(hd_lookout *w);
void hd_picture_release(hd_picture *p);
#endif
