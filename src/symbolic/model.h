/* model.h -- values for input variables, and evaluation of expressions under them.
 *
 * A model may know fewer variables than exist: the execution that meets a new one draws its
 * first value and adds it, so that after an execution the model is total for that execution.
 *
 * An hd_eval remembers the value of each node for one model, so that a DAG costs its size
 * and an execution that builds expressions step by step pays O(1) a node. */
#ifndef HD_SYMBOLIC_MODEL_H
#define HD_SYMBOLIC_MODEL_H
#include "symbolic/expr.h"

typedef struct hd_model {
    uint64_t *value; /* by variable; meaningful where known */
    uint8_t *known;
    uint32_t n, capacity;
} hd_model;

/* A zeroed hd_model is empty. */
void hd_model_release(hd_model *m);
void hd_model_clear(hd_model *m);
void hd_model_copy(hd_model *to, const hd_model *from);
static inline bool hd_model_has(const hd_model *m, hd_var v) {
    return v < m->n && m->known[v];
}
/* 0 where unknown. */
static inline uint64_t hd_model_get(const hd_model *m, hd_var v) {
    return hd_model_has(m, v) ? m->value[v] : 0;
}
void hd_model_set(hd_model *m, hd_var v, uint64_t value);

typedef struct hd_eval hd_eval;
hd_eval *hd_eval_new(const hd_graph *g);
void hd_eval_free(hd_eval *ev);
/* From now on values are those under `m`, which is borrowed.  Changing a variable of `m`
 * afterwards needs another begin, except for a variable that was never evaluated; so does
 * hd_graph_compact(). */
void hd_eval_begin(hd_eval *ev, const hd_model *m);
uint64_t hd_eval_value(hd_eval *ev, hd_expr e);
/* The value of `e` is this one, as its caller knows: to find it out takes longer. */
void hd_eval_tell(hd_eval *ev, hd_expr e, uint64_t value);
#endif
