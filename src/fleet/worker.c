/* The worker: execute, ask for the next inputs, and hand over a batch now and then.
 *
 * A batch is what the executions found and the frontier after them; the supervisor commits both
 * together, so it does not matter when the worker dies.  Saving the frontier takes time that
 * grows with it: batches come every quarter of a second, and less often if they would take more
 * than a tenth of the time. */
#include "base/clock.h"
#include "base/panic.h"
#include "base/hostile.h"
#include "fleet/fleet_int.h"
#include "explore/scout.h"
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

#define PENDING_LIMIT ((size_t)1 << 20) /* bytes of tests that wait for a batch */
#define NODES_LIMIT   3000000u          /* expressions before the graph is compacted */

typedef struct worker {
    const hd_orders *orders;
    int socket;
    hd_module module;
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *explorer;
    hd_machine *machine;
    hd_gather *gather;
    hd_sink sink;
    hd_scout *scout;        /* NULL if the search needs none */
    hd_model model, sample; /* inputs of the search, and of samples beside it */
    hd_outcome outcome;
    uint64_t most_inputs; /* of one execution */
    uint64_t n_started;   /* executions of this worker that do not rebuild */
    uint64_t n_in_batch;  /* since the last batch */
    bool forks_anyway, is_isolated;
    uint32_t nodes_limit;
    uint64_t hostility;
    double started, next_batch, next_progress;
    bool has_finding; /* in this sitting */
    bool has_cut;     /* an execution met the step limit or took its process down, in any sitting */
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

static void add_solve(hd_chain_counters *sum, const hd_chain_counters *c) {
    sum->queries += c->queries;
    sum->sat += c->sat;
    sum->unsat += c->unsat;
    sum->unknown += c->unknown;
    sum->constraints_before += c->constraints_before;
    sum->constraints_after += c->constraints_after;
    sum->seconds += c->seconds;
    for (unsigned i = 0; i < HD_N_LAYERS; i++) {
        sum->layer[i].asked += c->layer[i].asked;
        sum->layer[i].sat += c->layer[i].sat;
        sum->layer[i].unsat += c->layer[i].unsat;
        sum->layer[i].unknown += c->layer[i].unknown;
        sum->layer[i].seconds += c->layer[i].seconds;
    }
}

static bool is_concurrent(const worker *w) {
    return hd_image_is_concurrent(w->module.image, w->orders->options->machine.n_nodes);
}

/* Has a search that only takes samples taken them all? */
static bool is_sampled(const worker *w) {
    const hd_explorer_options *o = &w->orders->options->explore;
    return is_concurrent(w) && o->sampling != HD_SAMPLING_OFF &&
           hd_explorer_counted(w->explorer)->executions >= o->samples;
}

/* The explorer's counters go through its journal; the others start anew in each worker. */
static hd_run_counters count_all(worker *w) {
    const hd_run_counters *before = &w->orders->state->counters;
    hd_run_counters c = {.explore = *hd_explorer_counted(w->explorer),
                         .solve = before->solve,
                         .seconds = before->seconds + hd_clock_now() - w->started,
                         .cpu_seconds = before->cpu_seconds + cpu_seconds()};
    add_solve(&c.solve, hd_chain_counted(w->chain));
    c.threads = hd_gather_n_threads(w->gather);
    c.processes = hd_gather_n_processes(w->gather);
    if (c.processes < before->processes)
        c.processes = before->processes;
    c.inputs = w->most_inputs > before->inputs ? w->most_inputs : before->inputs;
    c.stdin_bytes = hd_standard_input_size();
    if (is_sampled(w))
        c.explore.open = 0; /* what is left was not to be run */
    hd_gather_coverage(w->gather, &c.branches, &c.branches_covered);
    return c;
}

static void send_progress(worker *w) {
    hd_progress p = {.counters = count_all(w), .findings = hd_gather_n_findings(w->gather)};
    hd_text payload = {0};
    hd_wire_pack_progress(&payload, &p);
    say(w, HD_FRAME_PROGRESS, &payload);
    hd_text_release(&payload);
    w->next_progress = hd_clock_now() + HD_PROGRESS_INTERVAL;
}

static void send_batch(worker *w, const char *stop_reason) {
    double began = hd_clock_now();
    HD_ASSERT(w->n_in_batch <= w->n_started);
    hd_batch b = {.counters = count_all(w)};
    hd_text frontier = {0}, payload = {0};
    hd_gather_take(w->gather, &b);
    hd_explorer_save(w->explorer, &frontier);
    b.frontier = frontier.at;
    b.n_frontier = frontier.n;
    b.is_complete = hd_explorer_is_complete(w->explorer) && hd_batch_is_exact(&b) && !w->has_cut;
    if (stop_reason && b.is_complete)
        stop_reason = HD_STOP_COMPLETE; /* whatever limit was met with the last execution */
    b.stop_reason = stop_reason ? hd_text_format("%s", stop_reason) : NULL;
    hd_wire_pack_batch(&payload, &b);
    if (payload.n > HD_FRAME_LIMIT) {
        say_sentence(w, HD_FRAME_STOPPED, "what is left to explore has grown beyond 1 GiB");
        _exit(0);
    }
    say(w, HD_FRAME_BATCH, &payload);
    hd_text_release(&payload);
    hd_batch_release(&b);
    w->n_in_batch = 0;
    double now = hd_clock_now(), cost = now - began;
    w->next_batch = now + (cost * 10 > HD_BATCH_INTERVAL ? cost * 10 : HD_BATCH_INTERVAL);
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
    w->has_cut |= was_cut(w);
    set_channel(w, w->n_in_batch, false);
    w->has_finding |= hd_gather_add(w->gather, &w->outcome, &w->model);
    set_channel(w, 0, false);
}

/* ---- samples beside the search ---- */

/* What executions found out about the program is known to the explorer that ran them only. */
static void change_explorer(worker *w, hd_explorer *explorer, bool is_search) {
    hd_machine_exchange_facts(w->machine);
    hd_gather_follow(w->gather, explorer);
    hd_gather_set_rebuilding(w->gather, !is_search);
}

/* Does a sample have the next turn?  Loops that end only if others go on prove nothing there. */
static bool take_sample(worker *w) {
    const hd_explorer_counters *search = hd_explorer_counted(w->explorer);
    if (!w->scout || hd_explorer_is_rebuilding(w->explorer))
        return false;
    if (!hd_scout_explorer(w->scout)) {
        if (!hd_scout_is_due(w->scout, search) || hd_machine_n_processes(w->machine) > 1)
            return false;
        hd_scout_begin(w->scout, search);
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
    hd_sink sink = hd_explorer_sink(explorer);
    w->n_started++;
    w->n_in_batch++;
    isolate(w, wants_isolation(w, false));
    set_channel(w, w->n_in_batch, false);
    hd_machine_run(w->machine, &w->sample, &sink, &w->outcome);
    hd_explorer_done(explorer, &w->outcome, &w->sample);
    hd_explorer_count_sample(w->explorer);
    if (!was_cut(w))
        w->has_finding |= hd_gather_add(w->gather, &w->outcome, &w->sample);
    set_channel(w, 0, false);
    hd_gather_set_rebuilding(w->gather, true);
}

static void execute(worker *w) {
    bool is_rebuilding = hd_explorer_is_rebuilding(w->explorer);
    hd_gather_set_rebuilding(w->gather, is_rebuilding);
    if (!is_rebuilding) {
        w->n_started++;
        w->n_in_batch++;
    }
    HD_ASSERT(w->n_in_batch <= w->n_started);
    isolate(w, wants_isolation(w, is_rebuilding));
    set_channel(w, w->n_in_batch, is_rebuilding);
    hd_machine_run(w->machine, &w->model, &w->sink, &w->outcome);
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

/* Why to stop before the next execution, or NULL. */
static const char *reason_to_stop(const worker *w, double now) {
    const hd_orders *o = w->orders;
    if (atomic_load_explicit(&o->channel->is_asked_to_stop, memory_order_relaxed))
        return HD_STOP_INTERRUPTED;
    if (w->has_finding && o->options->stop_at_first)
        return HD_STOP_FINDING;
    if (o->max_executions && hd_explorer_counted(w->explorer)->executions >= o->max_executions)
        return HD_STOP_EXECUTIONS;
    if (o->deadline > 0 && now >= o->deadline)
        return HD_STOP_TIME;
    return NULL;
}

/* Whatever kills a worker, nothing is lost (F1): in the hostile build it is killed a lot. */
static void send_batch_and_perhaps_die(worker *w) {
    send_batch(w, NULL);
    if (hd_hostile_strikes(&w->hostility, 8))
        _exit(1);
}

static const char *explore(worker *w) {
    while (true) {
        double now = hd_clock_now();
        const char *why = reason_to_stop(w, now);
        if (why)
            return why;
        if (w->n_in_batch > 0 &&
            (now >= w->next_batch || hd_gather_pending(w->gather) >= PENDING_LIMIT ||
             hd_hostile_strikes(&w->hostility, 16)))
            send_batch_and_perhaps_die(w);
        else if (now >= w->next_progress)
            send_progress(w);
        if (take_sample(w)) {
            execute_sample(w);
            continue;
        }
        if (!hd_explorer_next(w->explorer, &w->model))
            return hd_explorer_counted(w->explorer)->open > 0 && !is_sampled(w) ? HD_STOP_TIME
                                                                                : HD_STOP_EXHAUSTED;
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
    bool shared =
        o->care.n_windows > 0 || o->care.when_rebuilding || o->care.always ||
        options->machine.isolation == HD_ISOLATION_FORK ||
        (options->machine.isolation == HD_ISOLATION_AUTO && w->module.has_stateful_imports);
    w->graph = hd_graph_new(shared);
    w->variables = hd_variables_new();
    w->machine = hd_machine_new(&w->module, w->graph, w->variables, &options->machine, err);
    w->forks_anyway = w->machine && hd_machine_forks(w->machine);
    return w->machine != NULL;
}

/* The frontier means threads by index: they must be the same ones again. */
static bool name_threads(worker *w, hd_err *err) {
    const char *names = w->orders->state->threads;
    return !names || !names[0] || hd_machine_take_names(w->machine, names) ||
           hd_err_set(err, "cannot go on: the names of threads in the record are damaged");
}

static bool prepare_explorer(worker *w, hd_err *err) {
    const hd_orders *o = w->orders;
    const hd_batch *state = o->state;
    HD_ASSERT(w->machine && !w->explorer);
    w->chain = hd_chain_new(w->graph, w->variables, &o->options->solve);
    if (o->deadline > 0)
        hd_chain_set_deadline(w->chain, o->deadline);
    hd_explorer_options explore = o->options->explore;
    explore.deadline = o->deadline;
    explore.is_threaded = is_concurrent(w);
    w->explorer = hd_explorer_new(w->graph, w->variables, w->chain, &explore);
    w->sink = hd_explorer_sink(w->explorer);
    w->gather = hd_gather_new(o, &w->module, w->variables, w->machine, w->explorer);
    for (uint32_t i = 0; i < state->n_findings; i++)
        w->has_cut |= is_cut(state->findings[i].kind);
    if (!name_threads(w, err) ||
        (state->n_frontier &&
         !hd_explorer_restore(w->explorer, state->frontier, state->n_frontier, err)))
        return false;
    w->scout = hd_scout_new(w->graph, w->variables, &o->options->solve, &explore,
                            hd_explorer_counted(w->explorer));
    return true;
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
    int high = fcntl(socket, F_DUPFD_CLOEXEC, 900);
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

/* End with the supervisor (F2); it alone answers signals of the terminal (F3). */
static void become_worker(const hd_orders *o) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != o->supervisor)
        _exit(1);
    worker_pid = getpid();
    HD_INVARIANT(F1, worker_pid != o->supervisor);
    worker_socket = keep_only(o->socket);
    pthread_atfork(NULL, NULL, leave_with_worker);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
}

void hd_worker_main(const hd_orders *orders) {
    become_worker(orders);
    hd_err err;
    double now = hd_clock_now();
    static worker w; /* big, and the stack is better left to solvers */
    w = (worker){.orders = orders,
                 .socket = worker_socket,
                 .nodes_limit = NODES_LIMIT,
                 .started = now,
                 .next_batch = now + orders->first_batch,
                 .next_progress = now + HD_PROGRESS_INTERVAL};
    if (!prepare_machine(&w, &err) || !prepare_explorer(&w, &err)) {
        hd_text payload = {0};
        hd_wire_pack_error(&payload, &err);
        say(&w, HD_FRAME_REFUSED, &payload);
        _exit(0);
    }
    tell_about_forks(&w);
    w.hostility = hd_explorer_counted(w.explorer)->executions;
    const char *why = explore(&w);
    if (hd_explorer_is_rebuilding(w.explorer))
        say_sentence(&w, HD_FRAME_STOPPED, why); /* nothing new: the record is as it should be */
    else
        send_batch(&w, why);
    _exit(0);
}
