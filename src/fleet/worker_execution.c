/* Executions of a worker: those of the search, in a child where one of them may be deadly, and
 * samples beside it (explore/scout.h). */
#include "base/panic.h"
#include "fleet/worker.h"

static bool wants_isolation(const hd_worker *w, bool is_rebuilding) {
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

static void isolate(hd_worker *w, bool yes) {
    if (w->forks_anyway || yes == w->is_isolated)
        return;
    HD_ASSERT(hd_machine_forks(w->machine) == w->is_isolated);
    hd_machine_isolate(w->machine, yes);
    w->is_isolated = yes;
}

static void set_channel(hd_worker *w, uint64_t execution, bool is_rebuilding) {
    HD_ASSERT(execution <= w->n_started);
    hd_channel *channel = w->orders->channel;
    atomic_store_explicit(&channel->is_rebuilding, is_rebuilding, memory_order_relaxed);
    atomic_store_explicit(&channel->execution, execution, memory_order_relaxed);
}

/* Had the execution more to show? */
static bool is_cut(hd_finding_kind kind) {
    return kind == HD_FINDING_NON_TERMINATION || kind == HD_FINDING_LOST_WORKER;
}

static bool was_cut(const hd_worker *w) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(w->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        if (is_cut(failures[i].finding.kind))
            return true;
    return false;
}

/* New findings are executed again, which may take the worker down as well. */
static void note_outcome(hd_worker *w) {
    set_channel(w, w->n_in_bundle, false);
    w->has_finding |= hd_gather_add(w->gather, &w->outcome, &w->model);
    w->has_enough |= w->outcome.covered_new && hd_gather_is_enough(w->gather);
    if (w->outcome.covered_new && w->wanted)
        hd_gather_want(w->gather, w->module.image, w->wanted);
    set_channel(w, 0, false);
}

/* ---- samples beside the search ---- */

/* What executions found out about the program is known to the explorer that ran them only. */
static void change_explorer(hd_worker *w, hd_explorer *explorer, bool is_search) {
    hd_machine_exchange_facts(w->machine);
    hd_gather_follow(w->gather, explorer);
    hd_gather_set_rebuilding(w->gather, !is_search);
}

/* So far, in all units; others do about as much. */
static hd_explorer_counters searched(const hd_worker *w) {
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

bool hd_worker_take_sample(hd_worker *w) {
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

void hd_worker_execute_sample(hd_worker *w) {
    hd_explorer *explorer = hd_scout_explorer(w->scout);
    HD_ASSERT(explorer && explorer != w->explorer);
    double began = hd_worker_cpu_seconds();
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
    w->sampling += hd_worker_cpu_seconds() - began;
}

void hd_worker_end_sample(hd_worker *w) {
    if (!hd_scout_explorer(w->scout))
        return;
    hd_scout_stop(w->scout);
    change_explorer(w, w->explorer, true);
}

/* ---- the search ---- */

/* Whoever had the unit went down: as it may be this one's last, it says where it is. */
static void run_as_witness(hd_worker *w) {
    hd_last_words *words = &w->orders->channel->words;
    w->witness = (hd_witness){words, &w->sink, w->module.image};
    hd_sink sink = hd_witness_sink(&w->witness);
    hd_last_words_begin(words, w->explorer, w->variables, &w->model);
    hd_machine_run(w->machine, &w->model, &sink, &w->outcome);
    hd_last_words_end(words);
}

static void run_machine(hd_worker *w) {
    if (w->orders->care.tells)
        run_as_witness(w);
    else
        hd_machine_run(w->machine, &w->model, &w->sink, &w->outcome);
}

void hd_worker_execute(hd_worker *w) {
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
