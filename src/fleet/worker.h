/* worker.h -- what the files of a worker share: the worker, and what each of them does for it.
 *
 * Not here: what supervisor and worker share (fleet_int.h). */
#ifndef HD_FLEET_WORKER_H
#define HD_FLEET_WORKER_H
#include "explore/scout.h"
#include "fleet/agreement.h"
#include "fleet/fleet_int.h"

#define HD_FIRST_OF_OURS 900 /* descriptors below are for the program (machine/run/confined.c) */

typedef struct hd_worker {
    const hd_orders *orders;
    int socket;
    hd_inbox inbox;
    hd_module module;
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_machine *machine;
    hd_gather *gather;
    hd_explorer_options explore;
    hd_scout *scout;        /* NULL if the search needs none */
    hd_model model, sample; /* inputs of the search, and of samples beside it */
    hd_outcome outcome;
    uint64_t most_inputs; /* of one execution */
    uint64_t n_started;   /* executions of this worker that do not rebuild */
    uint64_t n_in_bundle; /* since the last bundle */
    uint64_t n_repeated;  /* executions that rebuild, */
    uint64_t n_to_repeat; /* and those of others, of parts that were given to them */
    double startup;       /* processor time before the first unit */
    double sampling;      /* processor time of samples */
    bool forks_anyway, is_isolated, may_fork;
    uint32_t nodes_limit;
    uint64_t hostility;
    double next_bundle, next_glance;
    bool has_finding;            /* in this sitting */
    bool has_enough;             /* is covered */
    uint8_t *wanted;             /* by site: hd_run_options.want; NULL: nothing is asked for */
    hd_run_counters told;        /* what bundles were about so far, */
    hd_explorer_counters search; /* and what of it was searched, over all units */
    hd_works queue;              /* units that it has not begun */
    /* The unit. */
    hd_work work;
    hd_explorer *explorer;
    hd_sink sink;
    uint64_t n_commits, generation, first_execution;
    size_t rounds_told; /* bytes of what was found out about waiting loops, of this unit */
    bool is_shared;     /* others have parts of the same search */
    bool gives_all;     /* before its first execution */
    bool is_at_end;     /* it was left for a reason that others would be left for, too */
    double began;       /* processor time when it began, */
    double gave;        /* when it last gave something away, or began, */
    double next_gift;   /* and when it looks again whether something is worth giving */
    double next_look;   /* when it may have worked for long again */
    hd_witness witness; /* of the sink, if it leaves last words */
    hd_agreement facts; /* as others know them too */
} hd_worker;

/* ---- worker_bundle.c ---- */
/* A frame to the supervisor; the worker ends if nobody listens any more. */
void hd_worker_say(hd_worker *w, hd_frame_type type, const hd_text *payload);
void hd_worker_say_sentence(hd_worker *w, hd_frame_type type, const char *sentence);
/* Processor time of the worker and of children that have ended. */
double hd_worker_cpu_seconds(void);
/* Can the program make threads, or has it several processes? */
bool hd_worker_is_concurrent(const hd_worker *w);
/* Has a search that only takes samples taken them all? */
bool hd_worker_is_sampled(const hd_worker *w);
/* What was counted since the last bundle. */
void hd_worker_send_glance(hd_worker *w);
/* Executions may find out something about the program (machine/tasks/facts.c).  Others who have
 * parts of the search do not know it: then the search begins anew.  False if it does. */
bool hd_worker_agree(hd_worker *w);
/* Hands over results and what is left; `p` may have something for others already. */
void hd_worker_send_bundle(hd_worker *w, hd_bundle *p, const char *why, bool is_done);
/* What was lifted before is known as it was executed. */
hd_bundle hd_worker_begin_bundle(hd_worker *w);

/* ---- worker_execution.c ---- */
/* Does a sample have the next turn?  Loops that end only if others go on prove nothing there. */
bool hd_worker_take_sample(hd_worker *w);
/* One with w->sample. */
void hd_worker_execute_sample(hd_worker *w);
/* The unit ends: no sample goes on. */
void hd_worker_end_sample(hd_worker *w);
/* The next execution of the search, with w->model. */
void hd_worker_execute(hd_worker *w);

/* ---- worker_gifts.c ---- */
/* Is there something that others could do?  Rivals have the whole search each: the first of them
 * that is done has to have done all of it. */
bool hd_worker_give(hd_worker *w, hd_commit *c);
/* Is the unit longer than it is wanted to be?  Processor time is not looked at before as much time
 * has passed. */
bool hd_worker_is_long(hd_worker *w, double now);
/* From now on it counts how long the unit has given nothing away. */
void hd_worker_begin_giving(hd_worker *w);
/* As little as possible goes down with this worker. */
void hd_worker_give_all(hd_worker *w);
/* What comes behind the path that it began with in the coordinator waits until it was run (D3 of
 * coordinator.h).  If that was all, if it was soon done, or if nobody is idle who could have it,
 * the next commit says it. */
bool hd_worker_is_awaited(const hd_worker *w);
/* Units of frames that have been read are put behind the queue. */
void hd_worker_queue_work(hd_worker *w);
/* Of those too that can be read now; the worker ends if the supervisor is gone. */
void hd_worker_read_queue(hd_worker *w);
/* All but the first `n_kept` are somebody else's again. */
void hd_worker_return_units(hd_worker *w, size_t n_kept);
/* Somebody has nothing to do: half of what it has not begun, if there is any, costs least to give.
 */
void hd_worker_give_units_or_parts(hd_worker *w);

/* ---- worker_setup.c ---- */
bool hd_worker_prepare_machine(hd_worker *w, hd_err *err);
bool hd_worker_prepare_search(hd_worker *w);

/* ---- worker_process.c ---- */
/* The process is a worker from now on, and ends with the supervisor (F2); its socket. */
int hd_worker_become(const hd_orders *o);

/* ---- worker.c ---- */
/* Executions of the unit since it was handed out, or since the search began anew. */
uint64_t hd_worker_n_executed(const hd_worker *w);
/* Why to stop before the next execution, or NULL. */
const char *hd_worker_reason_to_stop(const hd_worker *w, double now);
#endif
