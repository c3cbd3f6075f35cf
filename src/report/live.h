/* live.h -- a run while it goes: a page that asks again and again, and what it is answered.
 *
 * Not here: who answers (serve/), when the run is looked at (cli/served_run.h). */
#ifndef HD_REPORT_LIVE_H
#define HD_REPORT_LIVE_H
#include "report/report.h"

/* How a run is: what JSON calls it. */
#define HD_LIVE_STATES(X)                                                                          \
    X(RUNNING, "running")                                                                          \
    X(ENDED, "ended")                                                                              \
    X(SILENT, "silent") /* it has not ended, and no process that we see works on it */             \
    X(GONE, "gone")     /* it cannot be read */
typedef enum hd_live_state {
#define X(name, words) HD_LIVE_##name,
    HD_LIVE_STATES(X)
#undef X
} hd_live_state;

/* How far it was at a moment. */
typedef struct hd_live_sample {
    double seconds;
    uint64_t executions, covered, findings;
} hd_live_sample;

#define HD_LIVE_UNITS    16  /* of those that are open, the first */
#define HD_LIVE_FINDINGS 200 /* that are told; there may be more */

typedef struct hd_live {
    hd_live_state state;
    const char *problem; /* GONE: why */
    const hd_report *report;
    const char *command;
    hd_vec(hd_live_sample) history; /* thinner the longer it is */
    uint64_t n_units[HD_N_UNIT_STATES];
    hd_vec(hd_unit_cost) units;
    bool is_report_ready;
    const char *unreported; /* why there is no report; or NULL */
} hd_live;

/* One more sample, if anything has changed; a run that has begun anew has no past. */
void hd_live_note(hd_live *l, hd_live_sample now);
void hd_live_release(hd_live *l);
/* What the page is answered: one object of JSON. */
void hd_live_write(const hd_live *l, hd_text *out);
/* The page. */
void hd_live_page(hd_text *out);
#endif
