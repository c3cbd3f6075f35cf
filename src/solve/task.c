/* task.c -- one query on its way through the layers: its constraints and variables. */
#include "solve/solve_int.h"

#include "base/clock.h"
#include "base/panic.h"

void *hd_layer_memory(size_t size) {
    HD_ASSERT(size > 0);
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
    HD_ASSERT(t->constraints.n == (size_t)t->query->n + 1);
}

static void add_variable(hd_task *t, hd_var v, hd_model *model) {
    if (hd_model_has(model, v))
        return;
    const hd_var_info *info = hd_variables_info(t->variables, v);
    hd_model_set(model, v, hd_model_get(t->query->hint, v));
    HD_ASSERT(info->width >= 1 && info->width <= 64);
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
    HD_ASSERT(t->n_goal_vars <= t->vars.n && t->n_narrow <= t->vars.n);
    hd_vec_clear(&t->ranges);
    hd_vec_clear(&t->core);
}

bool hd_task_holds(const hd_task *t, const hd_model *model) {
    HD_ASSERT(t->constraints.n > 0);
    hd_eval_begin(t->eval, model);
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!hd_eval_value(t->eval, t->constraints.at[i]))
            return false;
    return true;
}

/* How many bits the variables have together. */
static unsigned count_bits(const hd_task *t) {
    unsigned bits = 0;
    for (size_t i = 0; i < t->vars.n && bits <= 64; i++)
        bits += hd_task_width(t, t->vars.at[i]);
    return bits;
}

/* Bits of `number`, handed out to the variables in their order. */
static void set_all(const hd_task *t, uint64_t number, hd_model *model) {
    for (size_t i = 0; i < t->vars.n; i++) {
        unsigned width = hd_task_width(t, t->vars.at[i]);
        hd_model_set(model, t->vars.at[i], number & hd_mask(width));
        number >>= width;
    }
}

bool hd_task_has_no_model(const hd_task *t) {
    enum { FEW = 10 };
    if (t->has_pointers || count_bits(t) > FEW)
        return true;
    hd_model model = {0};
    bool found = false;
    for (uint64_t number = 0; number >> count_bits(t) == 0 && !found; number++) {
        set_all(t, number, &model);
        found = hd_task_holds(t, &model);
    }
    hd_model_release(&model);
    return !found;
}

static bool has_constraint(const hd_task *t, hd_expr e) {
    for (size_t i = 0; i < t->constraints.n; i++)
        if (t->constraints.at[i] == e)
            return true;
    return false;
}

bool hd_task_has_core(const hd_task *t) {
    for (size_t i = 0; i < t->core.n; i++)
        if (!has_constraint(t, t->core.at[i]))
            return false;
    return true;
}

hd_budget hd_task_budget(const hd_task *t) {
    HD_ASSERT(t->options->query_seconds >= 0 && t->options->deadline >= 0);
    return (hd_budget){.cpu_end = hd_clock_cpu() + t->options->query_seconds,
                       .deadline = t->options->deadline};
}

bool hd_budget_is_spent(const hd_budget *b, double cpu) {
    return cpu >= b->cpu_end || (b->deadline > 0 && hd_clock_now() >= b->deadline);
}
