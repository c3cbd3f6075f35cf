/* All interleavings of a program on the abstract machine, one after the other. */
#include "model_threads.h"

known_class *known_find(const known *k, uint64_t trace) {
    uint64_t *index = hd_map_find(&k->class_of_trace, trace);
    return index ? &k->classes.at[*index] : NULL;
}

static known_class class_of(const model *m) {
    const model_state *s = &m->state;
    known_class c = {.trace = s->trace,
                     .final_state = model_final_state(m),
                     .findings = s->findings,
                     .has_ended = true};
    for (unsigned i = 0; i < MODEL_LOCATIONS; i++)
        c.memory[i] = s->memory[i].is;
    for (unsigned t = 0; t < m->program->n_threads; t++)
        c.has_ended &= s->thread[t].status == THREAD_ENDED;
    return c;
}

static void collect(known *k, const model *m, bool is_prompt) {
    const model_state *s = &m->state;
    k->is_beyond |= ++k->n_ends > (k->limit << m->program->n_inputs * m->program->input_width);
    if (s->is_rejected)
        return;
    hd_map_put(&k->n_run_of_sequence, s->sequence, 0);
    if (is_prompt)
        hd_map_put(&k->prompt, s->sequence, 0);
    known_class new = class_of(m);
    known_class *old = known_find(k, s->trace);
    if (!old) {
        hd_map_put(&k->class_of_trace, s->trace, k->classes.n);
        hd_vec_push(&k->classes, new);
    } else if (old->findings != new.findings ||
               (old->final_state != new.final_state && !m->program->n_inputs)) {
        k->is_wrong = true;
    }
    k->is_beyond |= k->n_run_of_sequence.n > k->limit;
}

/* Of the threads that can go on, the first that creates or joins one; MODEL_THREADS: none. */
static uint32_t creator(const model *m, hd_thread_set enabled) {
    uint32_t t = 0;
    for (; t < m->program->n_threads; t++) {
        unsigned kind = enabled & HD_THREAD(t) ? m->program->at[t][m->state.thread[t].pc].kind : 0;
        if (kind == OPERATION_CREATE || kind == OPERATION_JOIN)
            return t;
    }
    return MODEL_THREADS;
}

static void enumerate(known *k, model *m, bool is_prompt) {
    hd_thread_set enabled = m->state.is_over ? 0 : model_enabled(m);
    if (!enabled) {
        model_end(m);
        collect(k, m, is_prompt);
        return;
    }
    model_state before = m->state;
    uint32_t first = creator(m, enabled);
    for (uint32_t t = 0; t < m->program->n_threads && !k->is_beyond; t++) {
        if (!(enabled & HD_THREAD(t)))
            continue;
        model_step(m, t);
        enumerate(k, m, is_prompt && (t == first || first == MODEL_THREADS));
        m->state = before;
    }
}

void known_collect(known *k, const program *p) {
    static model m;
    hd_graph *graph = hd_graph_new(false);
    hd_variables *variables = hd_variables_new();
    unsigned n_vectors = 1u << p->n_inputs * p->input_width;
    model_open(&m, p, graph, variables);
    for (unsigned vector = 0; vector < n_vectors && !k->is_beyond; vector++) {
        for (unsigned i = 0; i < p->n_inputs; i++)
            m.input_value[i] = (uint8_t)(vector >> i * p->input_width & hd_mask(p->input_width));
        model_begin(&m);
        enumerate(k, &m, true);
    }
    hd_variables_free(variables);
    hd_graph_free(graph);
}

void known_release(known *k) {
    hd_vec_release(&k->classes);
    hd_map_release(&k->class_of_trace);
    hd_map_release(&k->n_run_of_sequence);
    hd_map_release(&k->prompt);
}
