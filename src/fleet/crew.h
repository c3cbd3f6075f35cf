/* crew.h -- the worker processes of a supervisor: starting, listening, ending.
 *
 * A worker's death says nothing yet: it may have been killed by hand or by the kernel.  Whoever has
 * its unit next runs the executions around the lethal one in forked children (hd_care), where dying
 * is an outcome like others; so only deaths that happen again are reported.  The more deaths of a
 * unit without a commit between them, the more executions are run that way.
 *
 * Q1. A worker has a queue only while it has a unit, and no unit twice.
 * Not here: which unit a worker gets (supervisor.c), what it does (worker.h). */
#ifndef HD_FLEET_CREW_H
#define HD_FLEET_CREW_H
#include "fleet/fleet_int.h"
#include "fleet/observer.h"

/* One place for a worker; there is none if pid is 0. */
typedef struct hd_seat {
    pid_t pid;
    int socket;
    hd_inbox inbox;
    hd_channel *channel;
    hd_care care;
    bool has_unit;
    uint64_t unit, epoch;
    uint64_t max_executions; /* that it may run of each */
    hd_unit_numbers queue;   /* units that it was given too, in the order in which it begins them */
    double since;            /* when it got its unit, or last gave something away */
    hd_observers *live;      /* what it said last since its last bundle */
    uint64_t n_executed;     /* before that bundle, in this sitting */
    uint64_t last_execution; /* as last seen in the channel, */
    double last_cpu;         /* and the processor time of the worker then */
    double looked_at, looked_cpu; /* when it was last seen whether the worker waits */
    pid_t was_greedy;             /* the last process that was ended for what it took, or 0 */
    unsigned n_notes;             /* for the user, of all workers that sat here */
} hd_seat;

/* What its worker has counted since its last bundle, as last heard. */
static inline const hd_run_counters *hd_seat_counted(const hd_seat *seat) {
    return &hd_observers_progress(seat->live)->counters;
}

/* Memory that supervisor and workers share; false if there is none. */
bool hd_seat_open(hd_seat *seat, hd_err *err);
void hd_seat_close(hd_seat *seat);
/* Start a worker; `orders` without what is of the seat. */
bool hd_seat_start(hd_seat *seat, hd_orders orders, hd_err *err);
/* Units for a worker that has none; it begins them in this order.  False if it is gone. */
bool hd_seat_send(hd_seat *seat, const hd_works *works);
/* The worker has ended its unit, and goes on with the next that it was given, if there is one. */
void hd_seat_go_on(hd_seat *seat);
/* The worker gives a unit back that it has not begun; false if it was not given it. */
bool hd_seat_take_back(hd_seat *seat, uint64_t unit, uint64_t epoch);
/* Ends the worker, if it has not ended yet; its exit status. */
int hd_seat_end(hd_seat *seat);
/* The worker was ended by somebody else, and need not be waited for. */
void hd_seat_leave(hd_seat *seat);
/* Is the worker in an execution that hangs where no step is counted, in external code or assembly?
 * The words that say how, or NULL. */
const char *hd_seat_is_stuck(hd_seat *seat, double now);
/* For whoever takes over after so many deaths: the executions around the one that was running. */
void hd_seat_add_care(const hd_seat *seat, unsigned deaths, hd_care *care);

#define HD_PATIENCE 120.0 /* seconds of processor time that one execution may take, or wait */
#endif
