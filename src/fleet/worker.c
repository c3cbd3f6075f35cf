/* The worker: take a unit, execute, ask for the next inputs, and hand over a bundle now and then.
 *
 * What it hands over is in worker_bundle.c, how it executes in worker_execution.c, what others get
 * of its unit in worker_gifts.c. */
#include "fleet/worker.h"
#include "base/clock.h"
#include "base/hostile.h"
#include "base/panic.h"

#include <string.h>
#include <sys/resource.h>

#define NODES_LIMIT    3000000u          /* expressions before the graph is compacted */
#define MEASURED_LIMIT 50000u            /* the same where units are measured */
#define PENDING_LIMIT  ((size_t)1 << 20) /* bytes of tests that wait for a batch */

/* Where units are measured, what many leave behind is not to be cleared away at the cost of one, 50
 * ms where it has 59 executions: less is, more often. */
static uint32_t least_nodes(const hd_orders *o) {
    return o->options->unit_seconds > 0 ? MEASURED_LIMIT : NODES_LIMIT;
}

/* A compaction that frees little must not be tried again soon. */
static void bound_memory(hd_worker *w) {
    if (hd_graph_n_nodes(w->graph) <= w->nodes_limit && !hd_hostile_strikes(&w->hostility, 3))
        return;
    hd_explorer_compact(w->explorer);
    uint32_t left = hd_graph_n_nodes(w->graph), least = least_nodes(w->orders);
    w->nodes_limit = left > least / 2 ? 2 * left : least;
    HD_ASSERT(w->nodes_limit >= least && w->nodes_limit > left);
}

uint64_t hd_worker_n_executed(const hd_worker *w) {
    return hd_explorer_counted(w->explorer)->executions - w->first_execution;
}

static bool has_had_its_turn(const hd_worker *w) {
    return w->work.turn && w->explore.is_threaded && hd_worker_n_executed(w) >= w->work.turn;
}

static bool is_too_big(const hd_worker *w) {
    struct rusage self;
    uint64_t most = w->orders->options->max_memory;
    return most && getrusage(RUSAGE_SELF, &self) == 0 && (uint64_t)self.ru_maxrss * 1024 > most;
}

const char *hd_worker_reason_to_stop(const hd_worker *w, double now) {
    const hd_orders *o = w->orders;
    if (atomic_load_explicit(&o->channel->is_asked_to_stop, memory_order_relaxed))
        return HD_STOP_INTERRUPTED;
    if (w->has_finding && o->options->stop_at_first)
        return HD_STOP_FINDING;
    if (w->has_enough)
        return HD_STOP_GOAL;
    if (hd_worker_n_executed(w) >= w->work.max_executions || has_had_its_turn(w))
        return HD_STOP_EXECUTIONS;
    if (o->deadline > 0 && now >= o->deadline)
        return HD_STOP_TIME;
    return is_too_big(w) ? HD_STOP_MEMORY : NULL;
}

/* Whatever kills a worker, nothing is lost (F1): in the hostile build it is killed a lot. */
static void send_bundle_and_perhaps_die(hd_worker *w) {
    if (!hd_worker_agree(w))
        return;
    hd_bundle p = hd_worker_begin_bundle(w);
    hd_worker_send_bundle(w, &p, NULL, false);
    if (hd_hostile_strikes(&w->hostility, 8))
        _exit(1);
}

static void tell_now_and_then(hd_worker *w, double now) {
    if (w->n_in_bundle > 0 &&
        (now >= w->next_bundle || hd_worker_is_awaited(w) ||
         hd_gather_pending(w->gather) >= PENDING_LIMIT || hd_hostile_strikes(&w->hostility, 16)))
        send_bundle_and_perhaps_die(w);
    else if (now >= w->next_glance)
        hd_worker_send_glance(w);
    if (atomic_load_explicit(&w->orders->channel->is_asked_to_give, memory_order_relaxed) ||
        hd_worker_is_long(w, now))
        hd_worker_give_units_or_parts(w);
}

/* The search has begun anew: it counts from zero again. */
static void note_generation(hd_worker *w) {
    if (hd_explorer_generation(w->explorer) == w->generation)
        return;
    hd_explorer_counters *told = &w->told.explore;
    told->executions = told->paths = told->rejected = told->redundant = told->preempted_away = 0;
    w->generation = hd_explorer_generation(w->explorer);
    w->first_execution = 0;
    hd_gather_begin_anew(w->gather);
}

/* NULL: nothing is left of the unit. */
static const char *explore(hd_worker *w) {
    while (true) {
        double now = hd_clock_now();
        const char *why = hd_worker_reason_to_stop(w, now);
        if (why)
            return why;
        tell_now_and_then(w, now);
        hd_worker_give_all(w);
        if (hd_worker_take_sample(w)) {
            hd_worker_execute_sample(w);
            continue;
        }
        if (!hd_explorer_next(w->explorer, &w->model)) {
            if (!hd_explorer_counted(w->explorer)->open || hd_worker_is_sampled(w))
                return NULL;
            why = hd_worker_reason_to_stop(w, hd_clock_now());
            return why ? why : HD_STOP_TIME;
        }
        note_generation(w);
        hd_worker_execute(w);
        bound_memory(w);
    }
}

/* ---- units ---- */

/* Journals mean threads by index: they must be the same ones again. */
static bool take_facts(hd_worker *w, hd_err *err) {
    const char *facts = hd_text_string(&w->work.facts);
    hd_machine_forget_facts(w->machine);
    hd_agreement_release(&w->facts);
    bool ok = !facts[0] || hd_machine_take_names(w->machine, facts);
    return (ok && hd_agreement_read(&w->facts, facts)) ||
           hd_err_set(err, "cannot go on: the names of threads in the record are damaged");
}

static bool restore_unit(hd_worker *w, hd_err *err) {
    const hd_work *work = &w->work;
    if (work->journal.n)
        return hd_explorer_restore(w->explorer, work->journal.at, work->journal.n, err);
    return !work->path.n || hd_explorer_begin_unit(w->explorer, &work->context, &work->path) ||
           hd_err_set(err, "cannot go on: a unit of work is damaged");
}

static void count_from_here(hd_worker *w) {
    w->told.explore = *hd_explorer_counted(w->explorer);
    w->first_execution = w->told.explore.executions;
    w->generation = hd_explorer_generation(w->explorer);
    w->n_commits = w->work.n_commits;
    w->rounds_told = 0;
    w->is_shared = w->work.is_shared;
    w->gives_all = w->orders->care.gives_all;
    w->began = w->next_gift = hd_worker_cpu_seconds();
    hd_worker_begin_giving(w);
}

static void prepare_gather(hd_worker *w) {
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

static bool begin_unit(hd_worker *w, hd_err *err) {
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

static void run_unit(hd_worker *w);

static void end_unit(hd_worker *w, const char *why) {
    hd_worker_end_sample(w);
    w->is_at_end = why && strcmp(why, HD_STOP_EXECUTIONS) != 0;
    if (hd_explorer_is_rebuilding(w->explorer)) { /* nothing new: all is as it was */
        hd_worker_say_sentence(w, HD_FRAME_STOPPED, why);
        return;
    }
    if (!hd_worker_agree(w)) { /* it is not at its end: it has begun anew */
        run_unit(w);
        return;
    }
    hd_bundle p = hd_worker_begin_bundle(w);
    if (why && w->work.gives && has_had_its_turn(w))
        hd_worker_give(w, &p.commit);
    if (!why)
        hd_gather_end_unit(w->gather);
    hd_worker_send_bundle(w, &p, why, !why);
}

static void run_unit(hd_worker *w) {
    end_unit(w, explore(w));
}

/* Blocks until there is work; the supervisor ends by closing the socket. */
static void take_work(hd_worker *w) {
    if (!w->queue.n)
        hd_worker_queue_work(w);
    while (!w->queue.n) {
        hd_inbox_wait(w->socket);
        hd_worker_read_queue(w);
    }
    hd_work_release(&w->work);
    w->work = w->queue.at[0];
    w->queue.n--;
    memmove(w->queue.at, w->queue.at + 1, w->queue.n * sizeof *w->queue.at);
}

/* Nothing that was given with the unit is begun after its end. */
static void return_rest(hd_worker *w) {
    hd_worker_read_queue(w);
    if (w->queue.n)
        hd_worker_return_units(w, 0);
}

static void tell_about_forks(hd_worker *w) {
    if (!w->orders->is_first || !hd_machine_forks(w->machine))
        return;
    hd_text text = {0};
    hd_text_add(&text, "running each execution in a child process: %s",
                hd_machine_fork_reason(w->machine));
    hd_worker_say(w, HD_FRAME_NOTE, &text);
    hd_text_release(&text);
}

static _Noreturn void refuse(hd_worker *w, const hd_err *err) {
    hd_text payload = {0};
    hd_wire_pack_error(&payload, err);
    hd_worker_say(w, HD_FRAME_REFUSED, &payload);
    _exit(0);
}

void hd_worker_main(const hd_orders *orders) {
    int socket = hd_worker_become(orders);
    hd_err err;
    double now = hd_clock_now();
    static hd_worker w; /* big, and the stack is better left to solvers */
    w = (hd_worker){.orders = orders,
                    .socket = socket,
                    .nodes_limit = least_nodes(orders),
                    .next_bundle = now + orders->first_bundle,
                    .next_glance = now + HD_GLANCE_INTERVAL};
    if (!hd_worker_prepare_machine(&w, &err) || !hd_worker_prepare_search(&w) ||
        !hd_machine_confine(w.machine, w.may_fork, &err))
        refuse(&w, &err);
    hd_machine_tell_unlisted(&orders->channel->unlisted);
    tell_about_forks(&w);
    w.startup = hd_worker_cpu_seconds();
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
