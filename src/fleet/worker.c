/* The worker: take a unit, execute, ask for the next inputs, and hand over a bundle now and then.
 *
 * A bundle is what the executions found and what is left of the unit after them; the supervisor
 * commits both together, so it does not matter when the worker dies.  Saving what is left takes
 * time that grows with it, and as much again of who takes it: bundles come every quarter of a
 * second, and less often if they would take more than a thirtieth of the time. */
#include "base/clock.h"
#include "base/hostile.h"
#include "base/interrupt.h"
#include "base/panic.h"
#include "explore/scout.h"
#include "fleet/agreement.h"
#include "fleet/fleet_int.h"
#include "machine/libc/standard_input.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST_OF_OURS 900 /* descriptors below are for the program (machine/run/confined.c) */
#define PENDING_LIMIT ((size_t)1 << 20) /* bytes of tests that wait for a batch */
#define NODES_LIMIT   3000000u          /* expressions before the graph is compacted */
#define BUNDLE_SHARE  30                /* of the time, at most, for bundles */

typedef struct worker {
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
    uint64_t n_repeated;  /* executions that rebuild */
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
    bool is_shared;     /* others have parts of the same search */
    bool gives_all;     /* before its first execution */
    bool is_at_end;     /* it was left for a reason that others would be left for, too */
    double gave;        /* processor time when it last gave something away, or began */
    double next_look;   /* when it may have worked for long again */
    hd_witness witness; /* of the sink, if it leaves last words */
    hd_agreement facts; /* as others know them too */
} worker;

static void say(worker *w, hd_frame_type type, const hd_text *payload) {
    HD_ASSERT(payload->n <= HD_FRAME_LIMIT);
    if (!hd_wire_send(w->socket, type, hd_text_string(payload), payload->n))
        _exit(1); /* nobody listens any more (F2) */
}

static void say_sentence(worker *w, hd_frame_type type, const char *sentence) {
    hd_text text = {0};
    hd_text_add(&text, "%s", sentence);
    say(w, type, &text);
    hd_text_release(&text);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double cpu_seconds(void) {
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds_of(self.ru_utime) + seconds_of(self.ru_stime) + seconds_of(children.ru_utime) +
           seconds_of(children.ru_stime);
}

static bool is_concurrent(const worker *w) {
    return hd_image_is_concurrent(w->module.image, w->orders->options->machine.n_nodes);
}

/* Are there orders to choose from?  Virtual time leaves none. */
static bool has_orders(const worker *w) {
    return is_concurrent(w) && w->orders->options->machine.orders == HD_ORDERS_ALL;
}

/* Has a search that only takes samples taken them all? */
static bool is_sampled(const worker *w) {
    const hd_explorer_options *o = &w->orders->options->explore;
    return is_concurrent(w) && o->sampling != HD_SAMPLING_OFF &&
           hd_explorer_counted(w->explorer)->executions >= o->samples;
}

/* All that was counted by this worker, and by whoever had the unit before. */
static hd_run_counters count_all(worker *w) {
    double cpu = cpu_seconds();
    hd_run_counters c = {.explore = *hd_explorer_counted(w->explorer),
                         .solve = *hd_chain_counted(w->chain),
                         .cpu_seconds = cpu,
                         .work_seconds = cpu - w->startup - w->sampling,
                         .sample_seconds = w->sampling,
                         .workers = 1,
                         .repeated = w->n_repeated,
                         .threads = hd_gather_n_threads(w->gather),
                         .processes = hd_gather_n_processes(w->gather),
                         .inputs = w->most_inputs,
                         .stdin_bytes = hd_standard_input_size()};
    if (is_sampled(w))
        c.explore.open = 0; /* what is left was not to be run */
    hd_gather_coverage(w->gather, &c.branches, &c.branches_covered);
    return c;
}

static void send_glance(worker *w) {
    hd_run_counters now = count_all(w), since = hd_counters_since(&now, &w->told);
    hd_text payload = {0};
    hd_gather_glance(w->gather, &since, &payload);
    say(w, HD_FRAME_GLANCE, &payload);
    hd_text_release(&payload);
    w->next_glance = hd_clock_now() + HD_GLANCE_INTERVAL;
}

/* Executions may find out something about the program (machine/tasks/facts.c).  Others who have
 * parts of the search do not know it: then the search begins anew.  False if it does. */
static bool agree(worker *w) {
    hd_text text = {0};
    hd_agreement now = {0};
    if (!is_concurrent(w))
        return true;
    hd_machine_print_facts(w->machine, &text);
    HD_ASSERT(hd_agreement_read(&now, hd_text_string(&text)));
    bool is_same = hd_agreement_has_same_facts(&now, &w->facts);
    hd_agreement_release(&w->facts);
    w->facts = now;
    hd_text_release(&text);
    if (!is_same && w->is_shared)
        hd_explorer_begin_anew(w->explorer);
    return is_same || !w->is_shared;
}

/* Is there something that others could do?  Rivals have the whole search each: the first of them
 * that is done has to have done all of it. */
static bool give(worker *w, hd_commit *c) {
    if (w->orders->options->are_rivals)
        return false;
    bool has_lifted = hd_explorer_lift(w->explorer, &c->lifted);
    if (has_lifted)
        hd_explorer_save_context(w->explorer, &c->context);
    bool gives = has_lifted || hd_explorer_split(w->explorer, &c->split);
    w->is_shared |= gives;
    return gives;
}

static void note_searched(worker *w, const hd_explorer_counters *part) {
    hd_explorer_counters *s = &w->search;
    s->executions += part->executions;
    s->events += part->events;
    s->deepest = part->deepest > s->deepest ? part->deepest : s->deepest;
    s->longest = part->longest > s->longest ? part->longest : s->longest;
}

/* When the next one comes. */
static void plan_bundle(worker *w, double began) {
    double now = hd_clock_now(), pause = BUNDLE_SHARE * (now - began);
    double least = w->orders->interval;
    w->next_bundle = now + (pause > least ? pause : least);
}

static void fill_results(worker *w, hd_batch *b, const char *why) {
    hd_run_counters now = count_all(w);
    b->counters = hd_counters_since(&now, &w->told);
    note_searched(w, &b->counters.explore);
    w->told = now;
    hd_gather_take(w->gather, b);
    b->stop_reason = why ? hd_text_format("%s", why) : NULL;
}

static void fill_commit(worker *w, hd_commit *c, bool is_done) {
    c->unit = w->work.unit;
    c->epoch = w->work.epoch;
    c->number = w->n_commits++;
    c->generation = hd_explorer_generation(w->explorer);
    c->is_done = is_done;
    hd_explorer_take_asked(w->explorer, &c->asked);
    if (c->generation)
        hd_explorer_save_rounds(w->explorer, &c->rounds);
    if (!is_done)
        hd_explorer_save(w->explorer, &c->journal);
}

/* Hands over results and what is left; `p` may have something for others already. */
static void send_bundle(worker *w, hd_bundle *p, const char *why, bool is_done) {
    double began = hd_clock_now();
    hd_text payload = {0};
    fill_commit(w, &p->commit, is_done);
    hd_explorer_take_classes(w->explorer, &p->classes);
    hd_explorer_take_races(w->explorer, &p->races);
    p->is_whole = hd_explorer_is_exhausted(w->explorer);
    fill_results(w, &p->results, why);
    hd_wire_pack_bundle(&payload, p);
    if (payload.n > HD_FRAME_LIMIT) {
        say_sentence(w, HD_FRAME_STOPPED, "what is left to explore has grown beyond 1 GiB");
        _exit(0);
    }
    say(w, HD_FRAME_BUNDLE, &payload);
    hd_text_release(&payload);
    hd_bundle_release(p);
    w->n_in_bundle = 0;
    plan_bundle(w, began);
}

/* What was lifted before is known as it was executed. */
static hd_bundle begin_bundle(worker *w) {
    hd_bundle p = {0};
    hd_explorer_save_followed(w->explorer, &p.commit.followed);
    return p;
}

static bool wants_isolation(const worker *w, bool is_rebuilding) {
    const hd_care *care = &w->orders->care;
    if (care->always)
        return true;
    if (is_rebuilding)
        return care->when_rebuilding;
    for (unsigned i = 0; i < care->n_windows; i++)
        if (w->n_started >= care->windows[i].from && w->n_started <= care->windows[i].to)
            return true;
    return false;
}

static void isolate(worker *w, bool yes) {
    if (w->forks_anyway || yes == w->is_isolated)
        return;
    HD_ASSERT(hd_machine_forks(w->machine) == w->is_isolated);
    hd_machine_isolate(w->machine, yes);
    w->is_isolated = yes;
}

static void set_channel(worker *w, uint64_t execution, bool is_rebuilding) {
    HD_ASSERT(execution <= w->n_started);
    hd_channel *channel = w->orders->channel;
    atomic_store_explicit(&channel->is_rebuilding, is_rebuilding, memory_order_relaxed);
    atomic_store_explicit(&channel->execution, execution, memory_order_relaxed);
}

/* Had the execution more to show? */
static bool is_cut(hd_finding_kind kind) {
    return kind == HD_FINDING_NON_TERMINATION || kind == HD_FINDING_LOST_WORKER;
}

static bool was_cut(const worker *w) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(w->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        if (is_cut(failures[i].finding.kind))
            return true;
    return false;
}

/* New findings are executed again, which may take the worker down as well. */
static void note_outcome(worker *w) {
    set_channel(w, w->n_in_bundle, false);
    w->has_finding |= hd_gather_add(w->gather, &w->outcome, &w->model);
    w->has_enough |= w->outcome.covered_new && hd_gather_is_enough(w->gather);
    if (w->outcome.covered_new && w->wanted)
        hd_gather_want(w->gather, w->module.image, w->wanted);
    set_channel(w, 0, false);
}

/* ---- samples beside the search ---- */

/* What executions found out about the program is known to the explorer that ran them only. */
static void change_explorer(worker *w, hd_explorer *explorer, bool is_search) {
    hd_machine_exchange_facts(w->machine);
    hd_gather_follow(w->gather, explorer);
    hd_gather_set_rebuilding(w->gather, !is_search);
}

/* So far, in all units; others do about as much. */
static hd_explorer_counters searched(const worker *w) {
    uint32_t n = w->is_shared && w->orders->options->n_workers ? w->orders->options->n_workers : 1;
    hd_explorer_counters all = *hd_explorer_counted(w->explorer);
    all.executions += w->search.executions - w->told.explore.executions;
    all.events += w->search.events - w->told.explore.events;
    all.deepest = w->search.deepest > all.deepest ? w->search.deepest : all.deepest;
    all.longest = w->search.longest > all.longest ? w->search.longest : all.longest;
    all.executions *= n;
    all.events *= n;
    return all;
}

/* Does a sample have the next turn?  Loops that end only if others go on prove nothing there. */
static bool take_sample(worker *w) {
    if (!w->scout || hd_explorer_is_rebuilding(w->explorer))
        return false;
    if (!hd_scout_explorer(w->scout)) {
        hd_explorer_counters search = searched(w);
        if (!hd_scout_is_due(w->scout, &search) || hd_machine_n_processes(w->machine) > 1)
            return false;
        hd_scout_begin(w->scout, &search);
        change_explorer(w, hd_scout_explorer(w->scout), false);
    }
    if (hd_scout_next(w->scout, &w->sample))
        return true;
    change_explorer(w, w->explorer, true);
    return false;
}

static void execute_sample(worker *w) {
    hd_explorer *explorer = hd_scout_explorer(w->scout);
    HD_ASSERT(explorer && explorer != w->explorer);
    double began = cpu_seconds();
    hd_sink sink = hd_explorer_sink(explorer);
    w->n_started++;
    w->n_in_bundle++;
    isolate(w, wants_isolation(w, false));
    set_channel(w, w->n_in_bundle, false);
    hd_machine_run(w->machine, &w->sample, &sink, &w->outcome);
    hd_explorer_done(explorer, &w->outcome, &w->sample);
    hd_explorer_count_sample(w->explorer);
    if (!was_cut(w))
        w->has_finding |= hd_gather_add(w->gather, &w->outcome, &w->sample);
    set_channel(w, 0, false);
    hd_gather_set_rebuilding(w->gather, true);
    w->sampling += cpu_seconds() - began;
}

/* Whoever had the unit went down: as it may be this one's last, it says where it is. */
static void run_as_witness(worker *w) {
    hd_last_words *words = &w->orders->channel->words;
    w->witness = (hd_witness){words, &w->sink, w->module.image};
    hd_sink sink = hd_witness_sink(&w->witness);
    hd_last_words_begin(words, w->explorer, w->variables, &w->model);
    hd_machine_run(w->machine, &w->model, &sink, &w->outcome);
    hd_last_words_end(words);
}

static void run_machine(worker *w) {
    if (w->orders->care.tells)
        run_as_witness(w);
    else
        hd_machine_run(w->machine, &w->model, &w->sink, &w->outcome);
}

static void execute(worker *w) {
    bool is_rebuilding = hd_explorer_is_rebuilding(w->explorer);
    hd_gather_set_rebuilding(w->gather, is_rebuilding);
    if (!is_rebuilding) {
        w->n_started++;
        w->n_in_bundle++;
    } else
        w->n_repeated++;
    HD_ASSERT(w->n_in_bundle <= w->n_started);
    isolate(w, wants_isolation(w, is_rebuilding));
    set_channel(w, w->n_in_bundle, is_rebuilding);
    run_machine(w);
    set_channel(w, 0, false);
    if (w->outcome.n_inputs > w->most_inputs)
        w->most_inputs = w->outcome.n_inputs;
    hd_explorer_done(w->explorer, &w->outcome, &w->model);
    if (!is_rebuilding)
        note_outcome(w);
}

/* A compaction that frees little must not be tried again soon. */
static void bound_memory(worker *w) {
    if (hd_graph_n_nodes(w->graph) <= w->nodes_limit && !hd_hostile_strikes(&w->hostility, 3))
        return;
    hd_explorer_compact(w->explorer);
    uint32_t left = hd_graph_n_nodes(w->graph);
    w->nodes_limit = left > NODES_LIMIT / 2 ? 2 * left : NODES_LIMIT;
    HD_ASSERT(w->nodes_limit >= NODES_LIMIT && w->nodes_limit > left);
}

/* Executions of the unit since it was handed out, or since the search began anew. */
static uint64_t n_executed(const worker *w) {
    return hd_explorer_counted(w->explorer)->executions - w->first_execution;
}

static bool has_had_its_turn(const worker *w) {
    return w->work.turn && w->explore.is_threaded && n_executed(w) >= w->work.turn;
}

static bool is_too_big(const worker *w) {
    struct rusage self;
    uint64_t most = w->orders->options->max_memory;
    return most && getrusage(RUSAGE_SELF, &self) == 0 && (uint64_t)self.ru_maxrss * 1024 > most;
}

/* Why to stop before the next execution, or NULL. */
static const char *reason_to_stop(const worker *w, double now) {
    const hd_orders *o = w->orders;
    if (atomic_load_explicit(&o->channel->is_asked_to_stop, memory_order_relaxed))
        return HD_STOP_INTERRUPTED;
    if (w->has_finding && o->options->stop_at_first)
        return HD_STOP_FINDING;
    if (w->has_enough)
        return HD_STOP_GOAL;
    if (n_executed(w) >= w->work.max_executions || has_had_its_turn(w))
        return HD_STOP_EXECUTIONS;
    if (o->deadline > 0 && now >= o->deadline)
        return HD_STOP_TIME;
    return is_too_big(w) ? HD_STOP_MEMORY : NULL;
}

/* Whatever kills a worker, nothing is lost (F1): in the hostile build it is killed a lot. */
static void send_bundle_and_perhaps_die(worker *w) {
    if (!agree(w))
        return;
    hd_bundle p = begin_bundle(w);
    send_bundle(w, &p, NULL, false);
    if (hd_hostile_strikes(&w->hostility, 8))
        _exit(1);
}

static bool give_something(worker *w) {
    hd_bundle p = begin_bundle(w);
    bool gives = give(w, &p.commit);
    if (gives)
        send_bundle(w, &p, NULL, false);
    else
        hd_bundle_release(&p);
    return gives;
}

/* Is the unit longer than it is wanted to be?  Processor time is not looked at before as much time
 * has passed. */
static bool is_long(worker *w, double now) {
    double most = hd_left_alone(w->orders->options->unit_seconds, w->work.unit);
    if (most <= 0 || now < w->next_look)
        return false;
    double left = w->gave + most - cpu_seconds();
    w->next_look = now + left;
    return left <= 0;
}

static void begin_giving(worker *w) {
    w->gave = cpu_seconds();
    w->next_look = hd_clock_now() + hd_left_alone(w->orders->options->unit_seconds, w->work.unit);
}

/* Somebody has nothing to do, or it has had this for long. */
static void try_to_give(worker *w) {
    if (hd_explorer_is_rebuilding(w->explorer) || !n_executed(w) || !agree(w))
        return;
    atomic_store(&w->orders->channel->is_asked_to_give, false);
    give_something(w);
    begin_giving(w);
}

/* As little as possible goes down with this worker. */
static void give_all(worker *w) {
    while (w->gives_all && !n_executed(w) && agree(w) && give_something(w))
        ;
}

/* What comes behind the path that it began with in the coordinator waits until it was run (D3 of
 * coordinator.h).  If that was all, or if nobody is idle who could have it, the next commit says
 * it.
 */
static bool is_awaited(const worker *w) {
    return w->work.path.n && !w->n_commits && hd_explorer_counted(w->explorer)->open &&
           (w->orders->options->unit_seconds > 0 ||
            atomic_load_explicit(&w->orders->channel->is_somebody_idle, memory_order_relaxed));
}

/* ---- units that were not begun ---- */

static void queue_work(worker *w) {
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged;
    while (hd_inbox_next(&w->inbox, &type, &payload, &n, &is_damaged))
        if (type != HD_FRAME_WORK || !hd_wire_unpack_works(payload, n, &w->queue))
            _exit(1);
}

static void read_queue(worker *w) {
    if (!hd_inbox_fill(&w->inbox, w->socket))
        _exit(0);
    queue_work(w);
}

/* All but the first `n_kept` are somebody else's again. */
static void return_units(worker *w, size_t n_kept) {
    hd_unit_numbers units = {0};
    hd_text payload = {0};
    for (size_t i = n_kept; i < w->queue.n; i++) {
        hd_vec_push(&units, ((hd_unit_at){w->queue.at[i].unit, w->queue.at[i].epoch}));
        hd_work_release(&w->queue.at[i]);
    }
    w->queue.n = n_kept;
    hd_wire_pack_numbers(&payload, &units);
    say(w, HD_FRAME_RETURNED, &payload);
    hd_text_release(&payload);
    hd_vec_release(&units);
}

/* Somebody has nothing to do: half of what it has not begun, if there is any, costs least to give.
 */
static void give_units_or_parts(worker *w) {
    bool is_asked =
        atomic_load_explicit(&w->orders->channel->is_asked_to_give, memory_order_relaxed);
    if (is_asked)
        read_queue(w);
    if (!is_asked || !w->queue.n) {
        try_to_give(w);
        return;
    }
    atomic_store(&w->orders->channel->is_asked_to_give, false);
    return_units(w, w->queue.n / 2);
}

static void tell_now_and_then(worker *w, double now) {
    if (w->n_in_bundle > 0 &&
        (now >= w->next_bundle || is_awaited(w) || hd_gather_pending(w->gather) >= PENDING_LIMIT ||
         hd_hostile_strikes(&w->hostility, 16)))
        send_bundle_and_perhaps_die(w);
    else if (now >= w->next_glance)
        send_glance(w);
    if (atomic_load_explicit(&w->orders->channel->is_asked_to_give, memory_order_relaxed) ||
        is_long(w, now))
        give_units_or_parts(w);
}

/* The search has begun anew: it counts from zero again. */
static void note_generation(worker *w) {
    if (hd_explorer_generation(w->explorer) == w->generation)
        return;
    hd_explorer_counters *told = &w->told.explore;
    told->executions = told->paths = told->rejected = told->redundant = told->preempted_away = 0;
    w->generation = hd_explorer_generation(w->explorer);
    w->first_execution = 0;
    hd_gather_begin_anew(w->gather);
}

/* NULL: nothing is left of the unit. */
static const char *explore(worker *w) {
    while (true) {
        double now = hd_clock_now();
        const char *why = reason_to_stop(w, now);
        if (why)
            return why;
        tell_now_and_then(w, now);
        give_all(w);
        if (take_sample(w)) {
            execute_sample(w);
            continue;
        }
        if (!hd_explorer_next(w->explorer, &w->model)) {
            if (!hd_explorer_counted(w->explorer)->open || is_sampled(w))
                return NULL;
            why = reason_to_stop(w, hd_clock_now());
            return why ? why : HD_STOP_TIME;
        }
        note_generation(w);
        execute(w);
        bound_memory(w);
    }
}

static bool prepare_machine(worker *w, hd_err *err) {
    const hd_orders *o = w->orders;
    const hd_run_options *options = o->options;
    if (!hd_module_load(&w->module, o->module_directory, err))
        return false;
    /* A forked child leaves its expressions in shared memory; it costs a little, so only
     * where children are to be expected. */
    bool shared = w->may_fork =
        o->care.n_windows > 0 || o->care.when_rebuilding || o->care.always ||
        options->machine.isolation == HD_ISOLATION_FORK ||
        (options->machine.isolation == HD_ISOLATION_AUTO && w->module.has_stateful_imports);
    w->graph = hd_graph_new(shared);
    w->variables = hd_variables_new();
    w->machine = hd_machine_new(&w->module, w->graph, w->variables, &options->machine, err);
    w->forks_anyway = w->machine && hd_machine_forks(w->machine);
    if (w->forks_anyway && options->explore.has_states) {
        hd_err_set(err, "node states cannot be run in child processes: %s",
                   hd_machine_fork_reason(w->machine));
        return hd_err_hint(err, "use '--mapping none': every scenario by itself");
    }
    return w->machine != NULL;
}

/* How the states have grown so far; what is left is what it was. */
static void send_growth(worker *w) {
    hd_bundle p = begin_bundle(w);
    send_bundle(w, &p, NULL, false);
}

/* A search of whole systems takes long before it hands out an execution.  (An execution that a
 * bundle does not know of was not run to its end: this is asked between executions.) */
static bool may_go_on(void *context) {
    worker *w = context;
    double now = hd_clock_now();
    if (now >= w->next_glance)
        send_glance(w);
    hd_gather_grow(w->gather, false);
    if (now >= w->next_bundle && hd_explorer_counted(w->explorer)->states)
        send_growth(w);
    const char *why = reason_to_stop(w, now);
    return !why;
}

/* What is asserted about all nodes is seen in whole executions alone. */
static bool asks_about_all(const worker *w) {
    for (uint64_t i = 0; i < w->module.image->n_imports; i++)
        if (strcmp(w->module.image->imports[i].name, "heddle_global_assert") == 0 ||
            strcmp(w->module.image->imports[i].name, "__heddle_global_rule") == 0)
            return true;
    return false;
}

/* What is to be shown changes with what is covered: the explorer sees it as it is. */
static void want_sites(worker *w) {
    uint64_t n = w->module.image->n_sites;
    if (!w->orders->options->want || n > UINT32_MAX)
        return;
    w->wanted = calloc(n + 1, 1);
    if (!w->wanted)
        hd_out_of_memory();
    w->explore.wanted = w->wanted;
    w->explore.n_wanted = (uint32_t)n;
}

/* Before the worker is confined: it may write then to what is open only, far from the numbers of
 * the program. */
static hd_chain_options solver_options(const hd_run_options *o) {
    hd_chain_options solve = o->solve;
    int file = o->queries ? open(o->queries, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    int high = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, FIRST_OF_OURS) : -1;
    if (file >= 0)
        close(file);
    solve.dump_to = high > 0 ? high : 0;
    return solve;
}

static bool prepare_search(worker *w) {
    const hd_orders *o = w->orders;
    hd_chain_options solve = solver_options(o->options);
    w->chain = hd_chain_new(w->graph, w->variables, &solve);
    if (o->deadline > 0)
        hd_chain_set_deadline(w->chain, o->deadline);
    w->explore = o->options->explore;
    w->explore.deadline = o->deadline;
    w->explore.is_threaded = has_orders(w);
    w->explore.seen_ways = o->seen_ways;
    w->explore.n_seen_ways = HD_SEEN_WAYS;
    want_sites(w);
    w->explore.faults = o->options->machine.faults;
    w->explore.n_faults = o->options->machine.n_faults;
    if (w->explore.has_states) {
        w->explore.machine = w->machine;
        w->explore.n_nodes = o->options->machine.n_nodes;
        w->explore.horizon = o->options->machine.horizon;
        w->explore.explodes |= o->options->machine.fail_on_orphans;
        w->explore.judges = asks_about_all(w);
        w->explore.may_go_on = may_go_on;
        w->explore.context = w;
    }
    return true;
}

/* ---- units ---- */

/* Journals mean threads by index: they must be the same ones again. */
static bool take_facts(worker *w, hd_err *err) {
    const char *facts = hd_text_string(&w->work.facts);
    hd_machine_forget_facts(w->machine);
    hd_agreement_release(&w->facts);
    bool ok = !facts[0] || hd_machine_take_names(w->machine, facts);
    return (ok && hd_agreement_read(&w->facts, facts)) ||
           hd_err_set(err, "cannot go on: the names of threads in the record are damaged");
}

static bool restore_unit(worker *w, hd_err *err) {
    const hd_work *work = &w->work;
    if (work->journal.n)
        return hd_explorer_restore(w->explorer, work->journal.at, work->journal.n, err);
    return !work->path.n || hd_explorer_begin_unit(w->explorer, &work->context, &work->path) ||
           hd_err_set(err, "cannot go on: a unit of work is damaged");
}

static void count_from_here(worker *w) {
    w->told.explore = *hd_explorer_counted(w->explorer);
    w->first_execution = w->told.explore.executions;
    w->generation = hd_explorer_generation(w->explorer);
    w->n_commits = w->work.n_commits;
    w->is_shared = w->work.is_shared;
    w->gives_all = w->orders->care.gives_all;
    begin_giving(w);
}

static void prepare_gather(worker *w) {
    const hd_orders *o = w->orders;
    if (!w->gather) {
        w->gather = hd_gather_new(o, &w->module, w->variables, w->machine, w->explorer);
        if (o->draws_samples)
            w->scout = hd_scout_new(w->graph, w->variables, &o->options->solve, &w->explore,
                                    hd_explorer_counted(w->explorer));
        w->search = *hd_explorer_counted(w->explorer);
    }
    hd_gather_begin_unit(w->gather, w->explorer, &w->work);
    if (w->wanted)
        hd_gather_want(w->gather, w->module.image, w->wanted);
}

static bool begin_unit(worker *w, hd_err *err) {
    if (w->explorer)
        hd_explorer_free(w->explorer);
    w->explorer = hd_explorer_new(w->graph, w->variables, w->chain, &w->explore);
    w->sink = hd_explorer_sink(w->explorer);
    if (!take_facts(w, err) || !restore_unit(w, err))
        return false;
    prepare_gather(w);
    count_from_here(w);
    return true;
}

static void run_unit(worker *w);

static void end_sample(worker *w) {
    if (!hd_scout_explorer(w->scout))
        return;
    hd_scout_stop(w->scout);
    change_explorer(w, w->explorer, true);
}

static void end_unit(worker *w, const char *why) {
    end_sample(w);
    w->is_at_end = why && strcmp(why, HD_STOP_EXECUTIONS) != 0;
    if (hd_explorer_is_rebuilding(w->explorer)) { /* nothing new: all is as it was */
        say_sentence(w, HD_FRAME_STOPPED, why);
        return;
    }
    if (!agree(w)) { /* it is not at its end: it has begun anew */
        run_unit(w);
        return;
    }
    hd_bundle p = begin_bundle(w);
    if (why && w->work.gives && has_had_its_turn(w))
        give(w, &p.commit);
    if (!why)
        hd_gather_end_unit(w->gather);
    send_bundle(w, &p, why, !why);
}

static void run_unit(worker *w) {
    end_unit(w, explore(w));
}

/* Blocks until there is work; the supervisor ends by closing the socket. */
static void take_work(worker *w) {
    if (!w->queue.n)
        queue_work(w);
    while (!w->queue.n) {
        hd_inbox_wait(w->socket);
        read_queue(w);
    }
    hd_work_release(&w->work);
    w->work = w->queue.at[0];
    w->queue.n--;
    memmove(w->queue.at, w->queue.at + 1, w->queue.n * sizeof *w->queue.at);
}

/* Nothing that was given with the unit is begun after its end. */
static void return_rest(worker *w) {
    read_queue(w);
    if (w->queue.n)
        return_units(w, 0);
}

static void tell_about_forks(worker *w) {
    if (!w->orders->is_first || !hd_machine_forks(w->machine))
        return;
    hd_text text = {0};
    hd_text_add(&text, "running each execution in a child process: %s",
                hd_machine_fork_reason(w->machine));
    say(w, HD_FRAME_NOTE, &text);
    hd_text_release(&text);
}

/* Only the standard streams and the socket stay open, and the socket far from the numbers that
 * the program will get from open(). */
static int keep_only(int socket) {
    int high = fcntl(socket, F_DUPFD_CLOEXEC, FIRST_OF_OURS);
    if (high < 0)
        high = socket;
    HD_ASSERT(high >= 0);
    if (high > 3)
        close_range(3, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, UINT_MAX, 0);
    return high;
}

static int worker_socket;
static pid_t worker_pid;

/* In a child that the machine forks: it must not outlive the worker, nor keep the socket open,
 * whose end tells the supervisor that the worker is gone. */
static void leave_with_worker(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != worker_pid)
        _exit(1);
    close(worker_socket);
}

static hd_channel *worker_channel;

/* The supervisor ends the run: another worker would only use up as much again. */
static void note_limit(int signal) {
    (void)signal;
    atomic_store(&worker_channel->is_out_of_time, true);
}

/* Signals of users and terminals are the supervisor's (F3); processor time is limited for each
 * process by itself. */
static void leave_signals(hd_channel *channel) {
    hd_interrupts_ignore();
    hd_interrupts_soften_limit();
    worker_channel = channel;
    signal(SIGXCPU, note_limit);
}

/* When memory runs out the kernel takes a worker, whose loss costs little, and not the supervisor.
 */
static void offer_itself(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t n = write(file, "500", 3);
    (void)n; /* if it cannot, nothing is worse than before */
    close(file);
}

/* End with the supervisor (F2). */
static void become_worker(const hd_orders *o) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != o->supervisor)
        _exit(1);
    worker_pid = getpid();
    HD_INVARIANT(F1, worker_pid != o->supervisor);
    worker_socket = keep_only(o->socket);
    offer_itself();
    pthread_atfork(NULL, NULL, leave_with_worker);
    leave_signals(o->channel);
}

static _Noreturn void refuse(worker *w, const hd_err *err) {
    hd_text payload = {0};
    hd_wire_pack_error(&payload, err);
    say(w, HD_FRAME_REFUSED, &payload);
    _exit(0);
}

void hd_worker_main(const hd_orders *orders) {
    become_worker(orders);
    hd_err err;
    double now = hd_clock_now();
    static worker w; /* big, and the stack is better left to solvers */
    w = (worker){.orders = orders,
                 .socket = worker_socket,
                 .nodes_limit = NODES_LIMIT,
                 .next_bundle = now + orders->first_bundle,
                 .next_glance = now + HD_GLANCE_INTERVAL};
    if (!prepare_machine(&w, &err) || !prepare_search(&w) ||
        !hd_machine_confine(w.machine, w.may_fork, &err))
        refuse(&w, &err);
    hd_machine_tell_unlisted(&orders->channel->unlisted);
    tell_about_forks(&w);
    w.startup = cpu_seconds();
    while (true) {
        take_work(&w);
        if (!begin_unit(&w, &err))
            refuse(&w, &err);
        w.hostility = hd_explorer_counted(w.explorer)->executions;
        run_unit(&w);
        if (w.is_at_end)
            return_rest(&w);
    }
}
