/* Searches over orders of threads made of cardboard (thread_program.h), execution by execution, for
 * unit tests: inputs that threads decide on, and what is counted on the side. */
#ifndef HD_TESTS_CARD_SEARCH_H
#define HD_TESTS_CARD_SEARCH_H
#include "explore/explore.h"
#include "tool/thread_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A thread decides on an input of its own behind an action at these sites. */
enum { DECIDES = 20, N_INPUTS = 9 }; /* the first site of those */

typedef struct search {
    hd_graph *graph;
    hd_chain *chain;
    bool is_compacted; /* after each execution */
    bool alternates;   /* conditions are other expressions in every second execution */
    hd_variables *variables;
    hd_explorer *explorer;
    hd_model model;
    uint64_t n, events, longest;
    uint64_t switches;    /* from one thread to another */
    card_program program; /* last: it is big */
} search;

static __attribute__((unused)) void begin_with(search *s, const card_program *p,
                                               const hd_explorer_options *o,
                                               const hd_chain_options *layers) {
    memset(s, 0, offsetof(search, program));
    memcpy(&s->program, p, offsetof(card_program, threads));
    s->graph = hd_graph_new(false);
    s->variables = hd_variables_new();
    s->chain = hd_chain_new(s->graph, s->variables, layers);
    for (unsigned i = 0; i < N_INPUTS; i++)
        hd_variables_root(s->variables, i, HD_VAR_INTEGER, 8, 0, "z");
    s->explorer = hd_explorer_new(s->graph, s->variables, s->chain, o);
}

static __attribute__((unused)) void begin(search *s, const card_program *p,
                                          const hd_explorer_options *o) {
    hd_chain_options all = hd_chain_defaults();
    begin_with(s, p, o, &all);
}

static __attribute__((unused)) void end(search *s) {
    hd_explorer_free(s->explorer);
    hd_chain_free(s->chain);
    hd_model_release(&s->model);
    hd_variables_free(s->variables);
    hd_graph_free(s->graph);
}

/* Is the thread's input less than 3? */
static __attribute__((unused)) void decide(search *s, const hd_sink *sink, uint32_t site) {
    hd_var input = site - DECIDES;
    if (!hd_model_has(&s->model, input))
        hd_model_set(&s->model, input, 0);
    hd_expr z = hd_expr_var(s->graph, input, 8);
    hd_expr less = hd_expr_binary(s->graph, HD_OP_ULT, z, hd_expr_const(s->graph, 8, 3));
    if (s->alternates && s->n % 2) {
        hd_expr twice = hd_expr_binary(s->graph, HD_OP_UDIV, z, hd_expr_const(s->graph, 8, 3));
        less = hd_expr_binary(s->graph, HD_OP_EQ, twice, hd_expr_const(s->graph, 8, 0));
    }
    sink->branch(sink->context, site, less, hd_model_get(&s->model, input) < 3, HD_BRANCH_PROGRAM);
}

/* One execution, of the machine's part only as much as the explorer sees. */
static __attribute__((unused)) void run(search *s) {
    hd_sink sink = hd_explorer_sink(s->explorer);
    hd_outcome outcome = {.end = HD_END_EXIT};
    uint64_t n = 0;
    uint32_t last = HD_MAX_THREADS;
    card_program *p = &s->program;
    card_begin(p);
    while (!hd_set_is_empty(p->threads.alive)) {
        uint32_t thread = sink.schedule(sink.context, &p->threads);
        if (thread >= HD_MAX_THREADS) {
            outcome.end = thread == HD_SCHEDULE_STOP ? HD_END_STOPPED : HD_END_EXIT;
            break;
        }
        uint32_t site = card_of(p, thread)->site;
        s->switches += n && thread != last;
        last = thread;
        card_execute(p, thread);
        n++;
        if (site >= DECIDES && site < DECIDES + N_INPUTS)
            decide(s, &sink, site);
        if (p->retry) { /* it waits there from now on */
            outcome = (hd_outcome){
                .end = HD_END_RETRY, .retry_thread = thread, .new_round = !p->knows_rounds};
            p->knows_rounds = true;
            break;
        }
    }
    hd_explorer_done(s->explorer, &outcome, &s->model);
    if (s->is_compacted) {
        uint32_t generation = hd_graph_generation(s->graph);
        hd_explorer_compact(s->explorer);
        assert_true(hd_graph_generation(s->graph) > generation);
    }
    if (s->program.base)
        hd_sets_collect();
    if (outcome.end == HD_END_RETRY)
        return; /* no execution */
    s->n++;
    s->events += n;
    s->longest = n > s->longest ? n : s->longest;
}

static __attribute__((unused)) const hd_explorer_counters *counters(const search *s) {
    return hd_explorer_counted(s->explorer);
}

/* All of it.  Whether something is open is known after each execution. */
static __attribute__((unused)) void run_all(search *s) {
    bool is_open = true;
    while (hd_explorer_next(s->explorer, &s->model)) {
        assert_true(is_open);
        run(s);
        is_open = counters(s)->open;
        assert_int_equal(counters(s)->executions, s->n);
        assert_int_equal(counters(s)->events, s->events);
        assert_int_equal(counters(s)->longest, s->longest);
        assert_true(s->n < 10000);
    }
    assert_false(is_open);
    assert_int_equal(counters(s)->open, 0);
}

static __attribute__((unused)) hd_explorer_options with(hd_reduction reduction) {
    return (hd_explorer_options){.is_threaded = true, .reduction = reduction};
}
#endif
