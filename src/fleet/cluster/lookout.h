/* lookout.h -- a run on a cluster as one sees it who only listens. */
#ifndef HD_FLEET_CLUSTER_LOOKOUT_H
#define HD_FLEET_CLUSTER_LOOKOUT_H
#include "fleet/cluster/post.h"
#include "fleet/glance.h"

typedef struct hd_lookout hd_lookout;
hd_lookout *hd_lookout_open(hd_post *post, hd_err *err);
void hd_lookout_close(hd_lookout *w);
/* How things are now; the caller releases it. */
hd_picture hd_lookout_look(hd_lookout *w);
#endif
