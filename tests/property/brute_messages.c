/* All executions of a program on the abstract machine of messages, one after the other. */
#include "model_messages.h"

known_class *known_find(const known *k, uint64_t trace) {
    uint64_t *index = hd_map_find(&k->class_of_trace, trace);
    return index ? &k->classes.at[*index] : NULL;
}

static void collect(known *k, const model *m) {
    const model_state *s = &m->state;
    k->is_beyond |= ++k->n_ends > (k->limit << m->program->n_inputs * m->program->input_width);
    hd_map_put(s->is_rejected ? &k->rejected : &k->n_run_of_sequence, s->sequence, 0);
    k->is_beyond |= k->n_run_of_sequence.n > k->limit;
    if (s->is_rejected)
        return;
    known_class new = {
        .trace = s->trace, .final_state = model_final_state(m), .findings = s->findings};
    known_class *old = known_find(k, s->trace);
    if (!old) {
        hd_map_put(&k->class_of_trace, s->trace, k->classes.n);
        hd_vec_push(&k->classes, new);
    } else if (old->findings != new.findings ||
               (old->final_state != new.final_state && !m->program->n_inputs)) {
        k->is_wrong = true;
    }
}

static void enumerate(known *k, model *m) {
    hd_thread_set enabled = model_enabled(m);
    if (!enabled) {
        model_end(m);
        collect(k, m);
        return;
    }
    model_state before = m->state;
    for (hd_thread_set left = enabled; left && !k->is_beyond; left &= left - 1) {
        model_step(m, (uint32_t)__builtin_ctzll(left));
        enumerate(k, m);
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
        enumerate(k, &m);
    }
    hd_variables_free(variables);
    hd_graph_free(graph);
}

void known_release(known *k) {
    hd_vec_release(&k->classes);
    hd_map_release(&k->class_of_trace);
    hd_map_release(&k->n_run_of_sequence);
    hd_map_release(&k->rejected);
}
