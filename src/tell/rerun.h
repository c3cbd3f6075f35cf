/* rerun.h -- an execution again, by its inputs and a schedule.
 *
 * Reruns happen between two executions of the search, in the same machine; the explorer does not
 * hear of them. */
#ifndef HD_TELL_RERUN_H
#define HD_TELL_RERUN_H
#include "explore/events/events.h"
#include "explore/follow.h"
#include "tell/story.h"

/* What inputs decided: a condition, at a place, between two events. */
typedef struct hd_rerun_decision {
    hd_expr condition;
    uint32_t site, event; /* so many events came before it */
    bool holds;
} hd_rerun_decision;

typedef struct hd_rerun {
    hd_machine *machine;
    const hd_model *inputs;   /* of the execution; borrowed */
    const hd_finding *wanted; /* the outcome shows this one, if it is among the failures; or NULL */
    hd_events *log;           /* a run fills it, for its races; or NULL */
    uint64_t until;           /* a run ends after so many events; 0 = by itself */
    const hd_graph *graph;    /* with `log`: decisions are noted, in the words of these two */
    const hd_variables *variables;
    double deadline;          /* shortening ends then, on hd_clock_now; 0 = by its own limits */
    hd_schedule schedule;     /* that a run is to follow; afterwards the one that it did */
    /* The last run. */
    hd_model model;
    hd_outcome outcome;
    hd_follow follow;
    hd_vec(hd_rerun_decision) decisions;
} hd_rerun;

/* `schedule` is text; one that cannot be read is an empty one. */
hd_rerun hd_rerun_of(hd_machine *machine, const hd_model *inputs, const char *schedule);
void hd_rerun_release(hd_rerun *r);
/* Run the schedule. */
void hd_rerun_run(hd_rerun *r);
/* Does the last run show what is wanted? */
bool hd_rerun_shows_wanted(const hd_rerun *r);
/* Find a simpler schedule that shows what is wanted, and run it.  False if not even the given one
 * shows it. */
bool hd_rerun_shorten(hd_rerun *r);
/* The schedule as text; the caller frees it. */
char *hd_rerun_schedule(const hd_rerun *r);

/* Names and places for stories of the machine's last execution. */
hd_storyteller hd_rerun_teller(hd_machine *machine, const hd_image *image);
/* Called when a run has come to `until`. */
void hd_rerun_reached(uint64_t event);

struct hd_tale;
/* The last run as a tale, whose `failure` the caller frees. */
void hd_rerun_tale(const hd_rerun *r, struct hd_tale *tale);
/* How the last run came to its finding. */
void hd_rerun_tell(const hd_rerun *r, const hd_image *image, hd_text *out);
#endif
