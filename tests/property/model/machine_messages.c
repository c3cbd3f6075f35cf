/* The abstract machine of messages as compare.h wants it. */
#include "property/model/machines.h"
#include "property/model/model_messages.h"
#include "property/random/random_messages.h"

#define O(name) OPERATION_##name

static model the_model;

static void reset_model(void) {
    the_model.names = (model_names){0};
}

static void open_model(const code *c, hd_graph *graph, hd_variables *variables) {
    messages_open(&the_model, (const program *)c, graph, variables);
}

static void run_model(const hd_sink *sink, hd_model *inputs, hd_outcome *outcome) {
    messages_run(&the_model, sink, inputs, outcome);
}

static const history *history_of_model(void) {
    return &the_model.state.history;
}

static uint64_t final_state_of_model(void) {
    return messages_final_state(&the_model);
}

static void collect(known *k, const code *c) {
    messages_collect(k, (const program *)c);
}

static void print(const code *c, hd_text *out) {
    messages_print((const program *)c, out);
}

static bool looks_vaguely(const code *c) {
    return code_has(c, O(POLL_VAGUELY));
}

static bool never(const code *c) {
    (void)c;
    return false;
}

/* Who had to wait after all is tried again, and a search that is saved then begins anew.  How much
 * of a stream will be there in another order is not always foreseen by `optimal`.  How often that
 * matters is said at the end. */
static bool is_foreseeable(const code *c, hd_reduction reduction) {
    return reduction == HD_REDUCTION_NONE ||
           (!looks_vaguely(c) && (reduction != HD_REDUCTION_OPTIMAL || !code_has(c, O(TAKE_MANY))));
}

const machine messages_machine = {
    .reset = reset_model,
    .open = open_model,
    .run = run_model,
    .history = history_of_model,
    .final_state = final_state_of_model,
    .collect = collect,
    .print = print,
    .is_foreseeable = is_foreseeable,
    .may_find_out_waits = looks_vaguely,
    .may_begin_anew = never,
    .few_executions = 2,
};

code *make_messages(uint64_t seed, unsigned features) {
    static program p;
    p = random_messages(seed, features);
    return &p.code;
}
