/* served_run.h -- a run directory that is looked at again and again, by somebody who only reads.
 *
 * The database is open while it is looked at and no longer; a run that takes the place of the first
 * one is followed.  Looking takes a tenth of a processor at most, however large the run is. */
#ifndef HD_CLI_SERVED_RUN_H
#define HD_CLI_SERVED_RUN_H
#include "cli/served_page.h"
#include "report/live.h"

typedef struct hd_served_run {
    const char *directory;
    double replay_time;
    hd_record *record;
    uint64_t file; /* of the database that `record` is of */
    hd_report report;
    hd_live live;
    hd_err problem;
    double next;   /* look not before */
    hd_text state; /* as hd_live_write has it */
    hd_served_page page;
    uint64_t page_of; /* executions of the run that the page is of */
} hd_served_run;

/* False if there is no run to look at. */
bool hd_served_run_open(hd_served_run *r, const char *directory, double replay_time, hd_err *err);
/* How it is now, or was a moment ago: one object of JSON. */
const hd_text *hd_served_run_state(hd_served_run *r);
/* The report, if the run has ended and it is ready; else NULL. */
const hd_text *hd_served_run_report(hd_served_run *r);
/* Called often: notes what others have done for it. */
void hd_served_run_tick(hd_served_run *r);
void hd_served_run_close(hd_served_run *r);
#endif
