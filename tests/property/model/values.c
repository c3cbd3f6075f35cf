/* Values that may depend on inputs (see values.h). */
#include "property/model/values.h"

static void make_expression(model_inputs *inputs, const code *c, uint32_t i) {
    hd_expr z = hd_expr_var(inputs->graph, inputs->var[i], c->input_width);
    inputs->expr[i] = hd_expr_zext(inputs->graph, z, 8);
}

void inputs_open(model_inputs *inputs, const code *c, hd_graph *graph, hd_variables *variables) {
    inputs->graph = graph;
    for (uint32_t i = 0; i < c->n_inputs; i++) {
        inputs->var[i] = hd_variables_root(variables, i, HD_VAR_INTEGER, c->input_width, 0, "z");
        make_expression(inputs, c, i);
        inputs->is[i] = c->first[i];
    }
}

void inputs_read(model_inputs *inputs, const code *c, hd_model *wishes) {
    for (uint32_t i = 0; i < c->n_inputs; i++) {
        make_expression(inputs, c, i); /* anew: the graph may have been compacted */
        if (!hd_model_has(wishes, i))
            hd_model_set(wishes, i, c->first[i]);
        inputs->is[i] = (uint8_t)hd_model_get(wishes, i);
    }
}

unsigned inputs_n_vectors(const code *c) {
    return 1u << c->n_inputs * c->input_width;
}

void inputs_take_vector(model_inputs *inputs, const code *c, unsigned vector) {
    for (unsigned i = 0; i < c->n_inputs; i++)
        inputs->is[i] = (uint8_t)(vector >> i * c->input_width & hd_mask(c->input_width));
}

/* The value, without an expression if that is constant. */
static model_value with_expr(const model_inputs *inputs, unsigned is, hd_expr e) {
    return (model_value){.is = (uint8_t)is,
                         .expr = hd_expr_is_const(inputs->graph, e) ? HD_NONE : e};
}

static hd_expr as_expr(const model_inputs *inputs, model_value v) {
    return v.expr ? v.expr : hd_expr_const(inputs->graph, 8, v.is);
}

model_value value_constant(unsigned is) {
    return (model_value){.is = (uint8_t)is};
}

model_value value_of_input(const model_inputs *inputs, unsigned n) {
    return with_expr(inputs, inputs->is[n], inputs->expr[n]);
}

model_value value_plus(const model_inputs *inputs, model_value a, model_value b) {
    if (!a.expr && !b.expr)
        return value_constant((unsigned)a.is + b.is);
    hd_expr e = hd_expr_binary(inputs->graph, HD_OP_ADD, as_expr(inputs, a), as_expr(inputs, b));
    return with_expr(inputs, (unsigned)a.is + b.is, e);
}

hd_expr value_compare(const model_inputs *inputs, hd_op op, model_value a, model_value b) {
    if (!a.expr && !b.expr)
        return HD_NONE;
    hd_expr e = hd_expr_binary(inputs->graph, op, as_expr(inputs, a), as_expr(inputs, b));
    return hd_expr_is_const(inputs->graph, e) ? HD_NONE : e;
}
