/* task.c -- one query on its way through the layers: its constraints and variables. */
#include "solve/solve_int.h"

#include "base/clock.h"
#include "base/panic.h"

void *hd_layer_memory(size_t size) {
    void *memory = calloc(1, size);
    if (!memory)
        hd_out_of_memory();
    return memory;
}

void hd_task_take_all(hd_task *t) {
    hd_vec_clear(&t->constraints);
    for (uint32_t i = 0; i < t->query->n; i++)
        hd_vec_push(&t->constraints, hd_path_at(t->query->path, i));
    hd_vec_push(&t->constraints, t->query->goal);
}

static void add_variable(hd_task *t, hd_var v, hd_model *model) {
    if (hd_model_has(model, v))
        return;
    const hd_var_info *info = hd_variables_info(t->variables, v);
    hd_model_set(model, v, hd_model_get(t->query->hint, v));
    hd_vec_push(&t->vars, v);
    t->has_pointers |= info->kind == HD_VAR_POINTER;
    t->n_narrow += info->width <= 8;
}

static void forget_variables(hd_task *t, hd_model *model) {
    for (size_t i = 0; i < t->vars.n; i++)
        model->known[t->vars.at[i]] = 0;
    hd_vec_clear(&t->vars);
    t->has_pointers = false;
    t->n_narrow = 0;
}

/* `model` is also the set of variables met so far.  Neighbouring constraints mostly have the
 * same support, which is the same pointer then. */
void hd_task_gather(hd_task *t, hd_model *model) {
    forget_variables(t, model);
    const hd_support *last = NULL;
    for (size_t i = t->constraints.n; i-- > 0;) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (support != last)
            for (uint32_t k = 0; k < support->n; k++)
                add_variable(t, support->v[k], model);
        last = support;
        if (i + 1 == t->constraints.n)
            t->n_goal_vars = (uint32_t)t->vars.n;
    }
    hd_vec_clear(&t->ranges);
    hd_vec_clear(&t->core);
}

bool hd_task_holds(const hd_task *t, const hd_model *model) {
    hd_eval_begin(t->eval, model);
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!hd_eval_value(t->eval, t->constraints.at[i]))
            return false;
    return true;
}

hd_budget hd_task_budget(const hd_task *t) {
    return (hd_budget){.cpu_end = hd_clock_cpu() + t->options->query_seconds,
                       .deadline = t->options->deadline};
}

bool hd_budget_is_spent(const hd_budget *b, double cpu) {
    return cpu >= b->cpu_end || (b->deadline > 0 && hd_clock_now() >= b->deadline);
}
