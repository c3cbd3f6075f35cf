/* What a worker needs before its first unit: the module in a machine, and the search. */
#include "base/clock.h"
#include "base/panic.h"
#include "fleet/worker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hd_worker_prepare_machine(hd_worker *w, hd_err *err) {
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
static void send_growth(hd_worker *w) {
    hd_bundle p = hd_worker_begin_bundle(w);
    hd_worker_send_bundle(w, &p, NULL, false);
}

/* A search of whole systems takes long before it hands out an execution.  (An execution that a
 * bundle does not know of was not run to its end: this is asked between executions.) */
static bool may_go_on(void *context) {
    hd_worker *w = context;
    double now = hd_clock_now();
    if (now >= w->next_glance)
        hd_worker_send_glance(w);
    hd_gather_grow(w->gather, false);
    if (now >= w->next_bundle && hd_explorer_counted(w->explorer)->states)
        send_growth(w);
    const char *why = hd_worker_reason_to_stop(w, now);
    return !why;
}

/* Are there orders to choose from?  Virtual time leaves none. */
static bool has_orders(const hd_worker *w) {
    return hd_worker_is_concurrent(w) && w->orders->options->machine.orders == HD_ORDERS_ALL;
}

/* What is asserted about all nodes is seen in whole executions alone. */
static bool asks_about_all(const hd_worker *w) {
    for (uint64_t i = 0; i < w->module.image->n_imports; i++)
        if (strcmp(w->module.image->imports[i].name, "heddle_global_assert") == 0 ||
            strcmp(w->module.image->imports[i].name, "__heddle_global_rule") == 0)
            return true;
    return false;
}

/* What is to be shown changes with what is covered: the explorer sees it as it is. */
static void want_sites(hd_worker *w) {
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
    int high = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, HD_FIRST_OF_OURS) : -1;
    if (file >= 0)
        close(file);
    solve.dump_to = high > 0 ? high : 0;
    return solve;
}

bool hd_worker_prepare_search(hd_worker *w) {
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
