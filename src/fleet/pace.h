/* pace.h -- how large the units of a search turn out to be, for those who hand them out.
 *
 * A unit that is done sooner than it was handed over keeps everybody busy with handing over.  Where
 * most units are like that, whoever hands out waits for larger ones (D9 of coordinator.h), and asks
 * for parts less often.  Units are measured by their processor time, so that a busy machine does
 * not make them look large.
 *
 * Not here: what is handed out instead (supervisor.c, cluster/coordinate.c). */
#ifndef HD_FLEET_PACE_H
#define HD_FLEET_PACE_H
#include <stdbool.h>
#include <stdint.h>

/* A zeroed one has seen no unit. */
typedef struct hd_pace {
    uint64_t n;   /* units that have ended, */
    double small; /* which share of the last of them was small, */
    double mean;  /* and how many seconds these took */
} hd_pace;

/* A unit has ended.  `least`: seconds between two requests for parts; a quarter of that is small.
 */
void hd_pace_note(hd_pace *p, double seconds, double least);
bool hd_pace_is_slow(const hd_pace *p);
/* Seconds between two requests: `least`, or up to `most` times as long where units are small. */
double hd_pace_pause(const hd_pace *p, double least, double most);
#endif
