/* All executions of a program on the abstract machine of messages, one after the other. */
#include "property/model/model_messages.h"

static known_class class_of(const model *m) {
    const history *h = &m->state.history;
    return (known_class){.trace = h->trace,
                         .core = history_core(h),
                         .final_state = messages_final_state(m),
                         .findings = h->findings};
}

static void enumerate(known *k, model *m) {
    model_set enabled = messages_enabled(m);
    if (!enabled) {
        messages_end(m);
        known_add(k, &m->state.history, class_of(m), inputs_n_vectors(&m->program->code), true);
        return;
    }
    model_state before = m->state;
    for (model_set left = enabled; left && !k->is_beyond; left &= left - 1) {
        messages_step(m, (uint32_t)__builtin_ctzll(left));
        enumerate(k, m);
        m->state = before;
    }
}

void messages_collect(known *k, const program *p) {
    static model m;
    hd_graph *graph = hd_graph_new(false);
    hd_variables *variables = hd_variables_new();
    m.names = (model_names){0};
    messages_open(&m, p, graph, variables);
    for (unsigned i = 0; i < inputs_n_vectors(&p->code) && !k->is_beyond; i++) {
        inputs_take_vector(&m.inputs, &p->code, i);
        messages_begin(&m);
        enumerate(k, &m);
    }
    hd_variables_free(variables);
    hd_graph_free(graph);
}
