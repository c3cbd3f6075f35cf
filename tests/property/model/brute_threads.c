/* All interleavings of a program on the abstract machine, one after the other. */
#include "property/model/model_threads.h"

static known_class class_of(const model *m) {
    const model_state *s = &m->state;
    known_class c = {.trace = s->history.trace,
                     .core = history_core(&s->history),
                     .final_state = model_final_state(m),
                     .findings = s->history.findings,
                     .has_ended = true};
    for (unsigned i = 0; i < MODEL_LOCATIONS; i++)
        c.memory[i] = s->memory[i].is;
    for (unsigned t = 0; t < m->program->code.n_threads; t++)
        c.has_ended &= s->thread[t].status == THREAD_ENDED;
    return c;
}

/* Of the threads that can go on, the first that creates or joins one; MODEL_THREADS: none. */
static uint32_t creator(const model *m, model_set enabled) {
    uint32_t t = 0;
    for (; t < m->program->code.n_threads; t++) {
        unsigned kind =
            enabled & MODEL_THREAD(t) ? m->program->code.at[t][m->state.thread[t].pc].kind : 0;
        if (kind == OPERATION_CREATE || kind == OPERATION_JOIN)
            return t;
    }
    return MODEL_THREADS;
}

static void enumerate(known *k, model *m, bool is_prompt) {
    model_set enabled = m->state.is_over ? 0 : model_enabled(m);
    if (!enabled) {
        model_end(m);
        known_add(k, &m->state.history, class_of(m), inputs_n_vectors(&m->program->code),
                  is_prompt);
        return;
    }
    model_state before = m->state;
    uint32_t first = creator(m, enabled);
    for (uint32_t t = 0; t < m->program->code.n_threads && !k->is_beyond; t++) {
        if (!(enabled & MODEL_THREAD(t)))
            continue;
        bool is_in_vain = model_is_in_vain(m, t);
        model_step(m, t);
        enumerate(k, m, is_prompt && !is_in_vain && (t == first || first == MODEL_THREADS));
        m->state = before;
    }
}

void threads_collect(known *k, const program *p) {
    static model m;
    hd_graph *graph = hd_graph_new(false);
    hd_variables *variables = hd_variables_new();
    model_open(&m, p, graph, variables);
    for (unsigned i = 0; i < inputs_n_vectors(&p->code) && !k->is_beyond; i++) {
        inputs_take_vector(&m.inputs, &p->code, i);
        model_begin(&m);
        enumerate(k, &m, true);
    }
    hd_variables_free(variables);
    hd_graph_free(graph);
}
