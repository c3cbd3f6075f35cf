/* fleet_int.h -- what supervisor and worker share: orders, a page of memory, and what a worker
 * gathers for its bundles.
 *
 * A worker is a fork of the supervisor: its orders are memory that it has inherited.  From then on
 * both have a socket (wire.h) and one page that both write to, the channel. */
#ifndef HD_FLEET_FLEET_INT_H
#define HD_FLEET_FLEET_INT_H
#include "fleet/fleet.h"
#include "fleet/last_words.h"
#include "fleet/wire.h"

#include <stdatomic.h>
#include <sys/types.h>

/* Seconds between two bundles, and between two glances. */
#define HD_BUNDLE_INTERVAL 0.25
#define HD_BUNDLE_SHARE    30
/* Machines of a cluster wait longer: one coordinator folds the bundles of all. */
#define HD_REMOTE_INTERVAL 1.0
#define HD_REMOTE_SHARE    150
/* Seconds of work that are worth handing over: here, and to another machine, where a unit costs the
 * coordinator two milliseconds. */
#define HD_LEAST_GIFT      HD_HOSTILE(0.002, 0)
#define HD_REMOTE_GIFT     HD_HOSTILE(0.05, 0)
#define HD_GLANCE_INTERVAL 0.1
/* Bytes of hd_explorer_options.seen_ways: sites beyond are not shared while units run. */
#define HD_SEEN_WAYS (1u << 20)

typedef struct hd_channel {
    _Atomic bool is_asked_to_stop; /* supervisor: send a bundle, and wait for other work */
    _Atomic bool is_asked_to_give; /* supervisor: give away a part of what is left; taken back by
                                    * the worker when it has tried */
    _Atomic bool is_somebody_idle; /* supervisor: what waits for a commit is waited for */
    /* Worker, for when it dies: how many executions since the last bundle, the running one
     * included; 0 while it is not executing. */
    _Atomic uint64_t execution;
    _Atomic bool is_rebuilding;  /* that execution only rebuilds the tree */
    _Atomic bool is_out_of_time; /* worker: its limit of processor time is near (SIGXCPU) */
    _Atomic int unlisted; /* worker: a system call that it needs and its walls refuse; -1: none */
    hd_last_words words;  /* if it was to leave some */
} hd_channel;

/* Which executions to run in a forked child, because one of them took a worker down. */
#define HD_MAX_WINDOWS 16
typedef struct hd_care {
    struct hd_window {
        uint64_t from, to; /* executions since the start of the worker, the first is 1 */
    } windows[HD_MAX_WINDOWS];
    unsigned n_windows;
    bool when_rebuilding;
    bool always;
    bool gives_all; /* all that can be given away of the unit is, before its first execution: what
                     * is deadly becomes a unit of its own */
    bool tells;     /* the worker leaves last words (last_words.h) */
} hd_care;

typedef struct hd_orders {
    const hd_run_options *options;
    const char *module_directory;
    const hd_batch *state; /* as known when it starts: findings, coverage, counters */
    hd_channel *channel;
    int socket;
    pid_t supervisor;
    double deadline; /* hd_clock_now() value, 0 = none */
    hd_care care;
    double first_bundle;        /* seconds until the first one, */
    double interval;            /* and between two others, at least, */
    double share;               /* and so many times what one takes */
    double least_gift;          /* seconds of work that are worth giving away */
    _Atomic uint8_t *seen_ways; /* HD_SEEN_WAYS bytes that all workers share, or NULL */
    bool is_first;              /* no worker came before in this sitting */
    bool draws_samples;         /* beside the search (explore/scout.h) */
} hd_orders;

/* Takes work until nobody gives it any more, and ends its process. */
_Noreturn void hd_worker_main(const hd_orders *orders);

/* ---- gather.c: results since the last bundle ---- */
typedef struct hd_gather hd_gather;
hd_gather *hd_gather_new(const hd_orders *orders, const hd_module *module,
                         const hd_variables *variables, hd_machine *machine,
                         const hd_explorer *explorer);
/* An execution is over (and was not one that rebuilds).  Did it show a finding?  A new finding that
 * depends on the order of threads is run again, to be made shorter and told. */
bool hd_gather_add(hd_gather *g, const hd_outcome *outcome, const hd_model *model);
/* Executions from now on are those of `explorer`. */
void hd_gather_follow(hd_gather *g, const hd_explorer *explorer);
/* Executions from now on are of another unit, whose journal may have lost ways that were told
 * before.  What is covered and found is what `work` says: what this worker has told may have been
 * refused, and has to be told again then. */
void hd_gather_begin_unit(hd_gather *g, const hd_explorer *explorer, const hd_work *work);
/* The search has begun anew: executions that were not told yet do not count, with the labels that
 * they reached.  What they found does. */
void hd_gather_begin_anew(hd_gather *g);
/* Nothing is left of the unit. */
void hd_gather_end_unit(hd_gather *g);
/* About how many bytes of tests wait for the next bundle. */
size_t hd_gather_pending(const hd_gather *g);
/* What observers say between bundles; `since`: what was counted since the last one. */
void hd_gather_glance(hd_gather *g, const hd_run_counters *since, hd_text *out);
/* Executions from now on only rebuild the tree (or no longer): what they lose and reach was
 * counted when they ran first. */
void hd_gather_set_rebuilding(hd_gather *g, bool yes);
/* Fill findings, losses, labels and threads of `b`, and what observers saw (tests too), with what
 * has come since the last time; threads are as they are. */
void hd_gather_take(hd_gather *g, hd_batch *b);
/* A whole system is searched, and has perhaps grown: note it, if it is time to; `is_last`: anyway.
 */
void hd_gather_grow(hd_gather *g, bool is_last);
/* Threads that the program has made so far, main included; 0 if it cannot make any. */
uint64_t hd_gather_n_threads(const hd_gather *g);
/* Processes that the program has made so far, its first included; at least 1. */
uint64_t hd_gather_n_processes(const hd_gather *g);
/* Coverage that is what the run is for (hd_run_options.is_enough), as far as this worker knows. */
bool hd_gather_is_enough(const hd_gather *g);
/* What is still to be shown, as far as this worker knows: hd_run_options.want. */
void hd_gather_want(const hd_gather *g, const hd_image *image, uint8_t *wanted);
/* Directions covered so far, earlier sittings included. */
void hd_gather_coverage(hd_gather *g, hd_run_counters *c);

/* How long a unit is left alone before it gives something away again.  The first units have most
 * of the search: they give sooner, so that many workers have something to do soon. */
#define HD_FIRST_UNITS 64
static inline double hd_left_alone(double seconds, uint64_t unit) {
    return unit < HD_FIRST_UNITS ? seconds * (double)(unit + 1) / HD_FIRST_UNITS : seconds;
}

/* ---- rebuild.c: stored tests and models ---- */
/* The inputs of the execution that just ended, as stored; the caller frees them. */
hd_stored_input *hd_inputs_store(const hd_machine *m, const hd_module *module,
                                 const hd_variables *vs, const hd_model *model, uint32_t *n);
/* The model of a stored test; false if its inputs cannot be put in order. */
bool hd_inputs_model(const hd_test *test, hd_variables *vs, hd_model *model);
#endif
