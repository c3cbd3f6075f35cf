/* slice.c -- OPT 2 and 3 of paper 002, 4.1.5: only what shares inputs with the goal matters.
 *
 * The hint satisfies every constraint of the prefix; those that share no variable with the
 * goal, directly or through others, stay satisfied while the slice's variables change. */
#include "solve/solve_int.h"

#include "base/panic.h"

static void *slice_new(hd_graph *g) {
    (void)g;
    return hd_layer_memory(sizeof(hd_indices));
}

static void slice_free(void *self) {
    hd_indices *indices = self;
    hd_vec_release(indices);
    free(indices);
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    (void)model;
    hd_indices *indices = self;
    const hd_query *q = t->query;
    hd_path_slice(q->path, q->n, q->goal, indices);
    hd_vec_clear(&t->constraints);
    for (size_t i = 0; i < indices->n; i++)
        hd_vec_push(&t->constraints, hd_path_at(q->path, indices->at[i]));
    hd_vec_push(&t->constraints, q->goal);
    HD_ASSERT(indices->n <= q->n);
    HD_INVARIANT(P2, !indices->n || indices->at[indices->n - 1] < q->n);
    return HD_UNKNOWN;
}

const hd_layer_kind hd_layer_slice = {.new = slice_new, .free = slice_free, .ask = ask};
