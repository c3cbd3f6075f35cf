/* desk.h -- the units of one machine of a cluster, as a source for its supervisor (source.h).
 *
 * Units come from the queue of the run, bundles go to its log.  A unit lies on the desk from when
 * it comes until it is done or given back: a worker that dies costs nobody else anything, because
 * the next one goes on from the last bundle, in the same epoch.
 *
 * K1. A bundle is in the log before the next one of its unit is.
 * K2. No unit is on the desk twice.  One that came before to somebody else is not put there: it is
 *     given back, so that it gets another epoch, and two machines never have the same one.
 * Not here: workers (supervisor.c), which units there are (fold.h). */
#ifndef HD_FLEET_CLUSTER_DESK_H
#define HD_FLEET_CLUSTER_DESK_H
#include "fleet/cluster/post.h"
#include "fleet/source.h"

typedef struct hd_desk hd_desk;

/* `patience`: seconds after which a machine that is silent is taken for gone, by all alike. */
hd_desk *hd_desk_open(hd_post *post, double patience,
                      void (*note)(void *context, const char *sentence), void *context,
                      hd_err *err);
hd_source *hd_desk_source(hd_desk *d);
void hd_desk_close(hd_desk *d);
#endif
