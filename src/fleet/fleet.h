/* fleet.h -- running an exploration in worker processes that may die.
 *
 * The supervisor (this process) starts workers.  Each loads the module, gets a unit of the search
 * (coordinator.h), alternates machine and explorer, and sends bundles over a socket: results, and
 * what is left of the unit.  The supervisor commits them.  When a worker dies, another one goes on
 * with its unit from the last bundle, and runs the executions around the one that took it down in
 * forked children: if a child dies, that is a finding with its inputs; if none does, the worker was
 * killed from outside and nothing is claimed.
 *
 * F1. A worker never touches the run directory; the supervisor never runs tested code.
 * F2. A worker whose supervisor is gone ends at once.
 * F3. ^C (or SIGTERM) ends the run after a last commit: nothing done is lost. */
#ifndef HD_FLEET_FLEET_H
#define HD_FLEET_FLEET_H
#include "record/record.h"
#include "tell/trace.h"

#include <signal.h>

typedef enum hd_keep_tests { HD_KEEP_NEW, HD_KEEP_ALL, HD_KEEP_FINDINGS } hd_keep_tests;

/* Why a run stopped. */
#define HD_STOP_COMPLETE    "complete"
#define HD_STOP_EXHAUSTED   "nothing left to try" /* but not complete: hd_batch_reasons */
#define HD_STOP_TIME        "time limit"
#define HD_STOP_EXECUTIONS  "execution limit"
#define HD_STOP_MEMORY      "memory limit"
#define HD_STOP_FINDING     "first finding"
#define HD_STOP_GOAL        "the goal was met"
#define HD_STOP_INTERRUPTED "interrupted"
#define HD_STOP_PROCESSOR   "limit of processor time (ulimit -t)"
#define HD_STOP_REDUCED     "a smaller suite was made of it" /* `heddle reduce`: there is no search in it */
#define HD_STOP_ASIDE       "what takes down every worker was set aside"

#define HD_MOST_WORKERS 1024

typedef struct hd_run_options {
    uint32_t n_workers; /* at most HD_MOST_WORKERS; 0 = 1 */
    hd_machine_options machine;
    hd_explorer_options explore;
    hd_chain_options solve;
    double max_seconds;      /* of this sitting, 0 = none */
    uint64_t max_executions; /* of this sitting, 0 = none */
    uint64_t max_memory;     /* bytes of one worker, 0 = no limit */
    bool stop_at_first;
    hd_keep_tests keep;
    bool ignore_races;   /* data races are no findings */
    double unit_seconds; /* of processor time: longer units are split, also if nobody is idle; 0 =
                            not */
    /* A search that begins may be divided (partition/divide.h): journals of its parts. */
    const hd_text *parts;
    size_t n_parts;
    bool parts_may_begin_anew; /* there are threads (D8 of coordinator.h) */
    bool are_rivals;           /* each part is the whole search: the first that is done ends it */
    bool no_sharing;           /* nobody gives away a part of what it has left */
    bool shares_at_once;       /* all workers begin with the first: for tests of small searches */
    /* Does the run end when so much is covered (2 * n_branches bytes)?  NULL: it does not. */
    bool (*is_enough)(const void *context, const uint8_t *coverage, uint32_t n_branches);
    const void *enough;
    /* Says at which sites something is still to be shown when so much is covered, a byte each (hd_explorer_options.wanted);
     * given `enough` too.  NULL: nothing is asked for. */
    void (*want)(const void *context, const hd_image *image, const uint8_t *coverage, uint8_t *wanted);
    const char *queries;          /* a file that gets the queries of all workers, or NULL */
    const char *module_directory; /* of a replay: another module than the record's; or NULL */
} hd_run_options;

/* What a watcher sees of a worker. */
typedef struct hd_worker_progress {
    uint64_t unit;       /* number in heddle units, 0 = it has none */
    uint64_t executions; /* in this sitting, by all processes that had its place */
} hd_worker_progress;

/* Called now and then (at most ten times a second) with the state so far. */
typedef struct hd_watcher {
    void *context;
    void (*progress)(void *context, const hd_run_counters *counters, uint64_t findings,
                     double elapsed);
    void (*found)(void *context, const hd_found *finding); /* each new finding, once */
    void (*note)(void *context,
                 const char *sentence); /* e.g. "running each execution in a fork because ..." */
    /* Before each `progress`. */
    void (*workers)(void *context, const hd_worker_progress *workers, uint32_t n);
} hd_watcher;

/* Explore the module of `record` until the search is complete or a limit is met; goes on
 * from the record's frontier if it has one.  False with `err` if it could not be run at all, or
 * if results could not be written (a full disk: what was committed is kept); otherwise the
 * record holds the results and `why` is HD_STOP_COMPLETE or the reason it stopped. */
bool hd_fleet_run(hd_record *record, const hd_run_options *options, const hd_watcher *watcher,
                  char why[128], hd_err *err);

/* A part of a run, as hd_fleet_run: units come from `source` (source.h), and bundles go there. */
struct hd_source;
bool hd_fleet_work(struct hd_source *source, const char *module_directory,
                   const hd_run_options *options, const hd_watcher *watcher, char why[128],
                   hd_err *err);

typedef struct hd_replay {
    hd_outcome outcome; /* its finding is the one that the record says the test is for */
    hd_text stack;      /* frames of its finding */
    hd_text story;      /* of its interleaving; empty with one thread */
    bool strayed;       /* the recorded schedule could not be followed to its end */
    hd_finding *others; /* what else goes wrong in the same execution */
    uint32_t n_others;
    hd_trace trace;     /* if `is_traced` */
    bool is_traced;     /* asked for by the caller */
    uint64_t until;     /* asked for by the caller: it ends after so many events; 0 = by itself */
    hd_vec(hd_found) recorded; /* what the record says that the test shows */
    /* Of modules in which clang counts: its counters, vectors of decisions, and labels reached, one per
     * line. */
    hd_vec(uint64_t) counters;
    hd_vec(uint8_t) vectors;
    hd_text labels;
} hd_replay;
/* Run one stored test in this process, which is confined from then on (machine.h), with the program's
 * output shown; the record is closed before, until it is asked again.  Whether its trace hash is
 * test->trace_hash is for the caller to judge: if not, the program is not deterministic (or not the
 * one that was recorded). */
bool hd_fleet_replay(hd_record *record, const hd_test *test, const hd_run_options *options,
                     hd_replay *replay, hd_err *err);
void hd_replay_release(hd_replay *replay);
/* Tests that run in one process with others: of one thread, and nothing that takes a process down. */
bool hd_test_is_tame(const hd_test *test);
/* Run tame tests, one after the other in this process, which is confined from then on, in the module that the
 * options name.  `each` is told the outcome, with what clang counted: no stack, no story. */
bool hd_fleet_replay_series(const hd_test *const *tests, size_t n, const hd_run_options *options,
                            void (*each)(void *context, size_t index, const hd_replay *replay),
                            void *context, hd_err *err);
/* Run tests with an order of threads likewise, and say who could have gone on before each of their events
 * (tell/able.h); NULL for those that take a process down, or whose order is not possible. */
bool hd_fleet_replay_able(const hd_test *const *tests, size_t n, const hd_run_options *options,
                          void (*each)(void *context, size_t index, const char *able),
                          void *context, hd_err *err);
#endif
