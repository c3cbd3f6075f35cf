/* follow.h -- a sink that follows a given schedule and notes what happened.
 *
 * For replays, for stories and for making schedules shorter.  A schedule is a list of threads, one
 * per event.  Where it names a thread that cannot go on, that entry is left out; when it ends, the
 * current thread goes on, or else the first one that can. */
#ifndef HD_EXPLORE_FOLLOW_H
#define HD_EXPLORE_FOLLOW_H
#include "base/vec.h"
#include "machine/machine.h"

typedef hd_vec(uint16_t) hd_schedule;
/* "0*5 1*3 0"; false if it is malformed. */
bool hd_schedule_parse(const char *text, hd_schedule *out);
void hd_schedule_print(const hd_schedule *s, hd_text *out);

typedef struct hd_follow {
    hd_schedule plan;          /* what to follow */
    size_t next;               /* the first entry of the plan that was not looked at */
    size_t n_followed;         /* of the plan, as far as it could be followed exactly */
    bool strayed;              /* an entry of the plan had to be left out */
    hd_vec(hd_action) events;  /* what was executed, settled */
    hd_vec(hd_action) waiting; /* what threads stood before when none could go on */
    hd_vec(hd_action) seen;    /* where time orders events: what happened, instead of `events` */
    uint32_t n_preemptions;    /* switches away from a thread that could go on */
} hd_follow;
/* Ready for one execution; keeps the plan. */
void hd_follow_begin(hd_follow *f);
hd_sink hd_follow_sink(hd_follow *f);
void hd_follow_release(hd_follow *f);
#endif
