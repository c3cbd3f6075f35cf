/* The abstract machine of threads as compare.h wants it. */
#include "property/model/machines.h"
#include "property/model/model_threads.h"
#include "property/random/random_threads.h"

#define O(name) OPERATION_##name

static model the_model;

static void reset_model(void) {}

static void open_model(const code *c, hd_graph *graph, hd_variables *variables) {
    model_open(&the_model, (const program *)c, graph, variables);
}

static void run_model(const hd_sink *sink, hd_model *inputs, hd_outcome *outcome) {
    model_run(&the_model, sink, inputs, outcome);
}

static const history *history_of_model(void) {
    return &the_model.state.history;
}

static uint64_t final_state_of_model(void) {
    return model_final_state(&the_model);
}

static void collect(known *k, const code *c) {
    threads_collect(k, (const program *)c);
}

static void print(const code *c, hd_text *out) {
    program_print((const program *)c, out);
}

/* Waiting loops of which the first access may lead round: that it waits then is found out by
 * running into it. */
static bool has_spins(const code *c) {
    return code_has(c, O(SPIN)) || code_has(c, O(SPIN_LOCK)) || code_has(c, O(SPIN_UNTIL_BOTH)) ||
           code_has(c, O(SPIN_TRY));
}

const machine threads_machine = {
    .reset = reset_model,
    .open = open_model,
    .run = run_model,
    .history = history_of_model,
    .final_state = final_state_of_model,
    .collect = collect,
    .print = print,
    .may_find_out_waits = has_spins,
    .may_begin_anew = has_spins,
};

code *make_threads(uint64_t seed, unsigned features) {
    static program p;
    p = random_threads(seed, features);
    return &p.code;
}

uint32_t threads_event_thread(uint32_t i) {
    return the_model.event[i].action.thread;
}
