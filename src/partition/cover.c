#include "partition/cover.h"

static void begin_with_zeros(const hd_cover *c, hd_expr e, hd_model *model) {
    const hd_support *s = hd_expr_support(c->graph, e);
    for (uint32_t i = 0; i < s->n; i++)
        if (!hd_model_has(model, s->v[i]))
            hd_model_set(model, s->v[i], 0);
}

hd_verdict hd_conditions_solve(const hd_cover *c, const hd_conditions *conditions,
                               hd_model *model) {
    hd_path *path = hd_path_new(c->graph);
    hd_model hint = {0};
    hd_verdict verdict = HD_SAT;
    hd_model_clear(model);
    for (uint32_t i = 0; i < conditions->n && verdict == HD_SAT; i++) {
        begin_with_zeros(c, conditions->at[i], model);
        hd_model_copy(&hint, model);
        verdict = hd_chain_solve(c->chain, &(hd_query){path, i, conditions->at[i], &hint}, model);
        hd_path_push(path, conditions->at[i]);
    }
    hd_model_release(&hint);
    hd_path_free(path);
    return verdict;
}

uint32_t hd_division_drop_empty(const hd_cover *c, hd_division *parts) {
    hd_model model = {0};
    size_t n = 0, before = parts->n;
    for (size_t i = 0; i < parts->n; i++)
        if (hd_conditions_solve(c, &parts->at[i], &model) == HD_UNSAT)
            hd_vec_release(&parts->at[i]);
        else
            parts->at[n++] = parts->at[i];
    parts->n = n;
    hd_model_release(&model);
    return (uint32_t)(before - n);
}

void hd_division_make_rest(hd_graph *g, const hd_division *parts, hd_conditions *rest) {
    for (size_t i = 0; i < parts->n; i++)
        hd_conditions_add(g, rest, hd_expr_not(g, hd_conditions_all(g, &parts->at[i])));
}
