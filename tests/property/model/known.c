/* All executions of a program, and the classes that they fall into (see known.h). */
#include "property/model/known.h"

known_class *known_find(const known *k, uint64_t trace) {
    uint64_t *index = hd_map_find(&k->class_of_trace, trace);
    return index ? &k->classes.at[*index] : NULL;
}

static bool end_alike(const known_class *a, const known_class *b, unsigned n_vectors) {
    return a->core == b->core && a->findings == b->findings &&
           (a->final_state == b->final_state || n_vectors > 1);
}

void known_add(known *k, const history *h, known_class class, unsigned n_vectors, bool is_prompt) {
    k->is_beyond |= ++k->n_ends > k->limit * n_vectors;
    hd_map_put(h->is_rejected ? &k->rejected : &k->n_run_of_sequence, h->sequence, 0);
    k->is_beyond |= k->n_run_of_sequence.n > k->limit;
    k->findings |= h->findings;
    if (h->is_rejected)
        return;
    if (is_prompt)
        hd_map_put(&k->prompt, h->sequence, 0);
    known_class *old = known_find(k, h->trace);
    k->is_wrong |= old && !end_alike(old, &class, n_vectors);
    if (old)
        return;
    uint64_t *alike = hd_map_find(&k->class_of_core, class.core);
    k->is_wrong |= alike && !end_alike(&k->classes.at[*alike], &class, n_vectors);
    if (!alike) {
        hd_map_put(&k->class_of_core, class.core, k->classes.n);
        hd_map_put(&k->n_run_of_core, class.core, 0);
    }
    hd_map_put(&k->class_of_trace, h->trace, k->classes.n);
    hd_vec_push(&k->classes, class);
}

static void forget_values(hd_map *map) {
    for (size_t i = 0; i < map->capacity; i++)
        map->values[i] = 0;
}

void known_forget_runs(known *k) {
    for (size_t i = 0; i < k->classes.n; i++)
        k->classes.at[i].n_run = 0, k->classes.at[i].was_unnamed = false;
    forget_values(&k->n_run_of_core);
    forget_values(&k->n_run_of_sequence);
}

void known_release(known *k) {
    hd_vec_release(&k->classes);
    hd_map_release(&k->class_of_trace);
    hd_map_release(&k->class_of_core);
    hd_map_release(&k->n_run_of_core);
    hd_map_release(&k->n_run_of_sequence);
    hd_map_release(&k->prompt);
    hd_map_release(&k->rejected);
}
