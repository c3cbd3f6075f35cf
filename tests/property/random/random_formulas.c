/* Expressions on the inputs of a world of queries, drawn at random (random_formulas.h). */
#include "property/random/random_formulas.h"

#include "base/hash.h"

static hd_expr formula_resize(query_world *w, hd_expr e, unsigned width) {
    unsigned old = hd_expr_width(w->g, e);
    if (old > width)
        return hd_expr_extract(w->g, e, query_below(w, old - width + 1), width);
    if (old == width)
        return e;
    return query_below(w, 2) ? hd_expr_zext(w->g, e, width) : hd_expr_sext(w->g, e, width);
}

hd_expr formula_variable(query_world *w, unsigned width) {
    hd_var v = w->vars[query_below(w, w->n_vars)];
    return formula_resize(w, hd_expr_var(w->g, v, hd_variables_info(w->variables, v)->width),
                          width);
}

hd_expr formula_constant(query_world *w, unsigned width) {
    static const uint64_t likely[] = {0, 1, 2, 3, 5, 7, 10, 16, 31, 100, UINT64_MAX};
    uint64_t value = query_below(w, 2) ? likely[query_below(w, 11)] : hd_random_next(&w->random);
    return hd_expr_const(w->g, width, value & hd_mask(width));
}

static hd_expr random_truth(query_world *w, unsigned width, int depth) {
    hd_op op = HD_OP_EQ + query_below(w, 5);
    return hd_expr_binary(w->g, op, formula_expression(w, width, depth - 1),
                          formula_expression(w, width, depth - 1));
}

static hd_expr random_read(query_world *w, unsigned width, int depth) {
    hd_expr elements[11];
    uint32_t n = 1 + query_below(w, 11);
    for (uint32_t i = 0; i < n; i++)
        elements[i] =
            query_below(w, 4) ? formula_constant(w, width) : formula_expression(w, width, 0);
    return hd_expr_read(w->g, elements, n, formula_expression(w, 4 + query_below(w, 5), depth - 1));
}

static hd_expr random_concat(query_world *w, unsigned width, int depth) {
    if (width < 2)
        return formula_variable(w, width);
    unsigned low = 1 + query_below(w, width - 1);
    return hd_expr_concat(w->g, formula_expression(w, width - low, depth - 1),
                          formula_expression(w, low, depth - 1));
}

hd_expr formula_expression(query_world *w, unsigned width, int depth) {
    if (depth <= 0)
        return query_below(w, 3) ? formula_variable(w, width) : formula_constant(w, width);
    switch (query_below(w, 20)) {
    case 0:
        return hd_expr_not(w->g, formula_expression(w, width, depth - 1));
    case 1:
        return hd_expr_ite(w->g, random_truth(w, width, depth),
                           formula_expression(w, width, depth - 1),
                           formula_expression(w, width, depth - 1));
    case 2:
        return random_read(w, width, depth);
    case 3:
        return random_concat(w, width, depth);
    case 4:
    case 5:
        return formula_variable(w, width);
    case 6:
        return formula_resize(
            w,
            formula_expression(w, 1 + query_below(w, 2 * width < 64 ? 2 * width : 64), depth - 1),
            width);
    case 7:
        return formula_resize(w, random_truth(w, width, depth), width);
    default: {
        /* Wide products and divisions are what solvers are slow at; keep them rare. */
        hd_op op = HD_OP_ADD + query_below(w, HD_OP_ASHR - HD_OP_ADD + 1);
        if (width > 8 && op >= HD_OP_MUL && op <= HD_OP_SREM && query_below(w, 4))
            op = HD_OP_ADD;
        hd_expr b = width > 8 && query_below(w, 4) ? formula_constant(w, width)
                                                   : formula_expression(w, width, depth - 1);
        return hd_expr_binary(w->g, op, formula_expression(w, width, depth - 1), b);
    }
    }
}

hd_expr formula_comparison(query_world *w, unsigned width) {
    hd_op op = query_below(w, 4) ? HD_OP_SLT + query_below(w, 2) : HD_OP_EQ + query_below(w, 3);
    hd_expr x = formula_variable(w, width), y = formula_variable(w, width);
    if (!query_below(w, 4))
        y = formula_constant(w, width);
    if (!query_below(w, 5))
        x = hd_expr_binary(w->g, HD_OP_ADD, x, formula_constant(w, width));
    return hd_expr_binary(w->g, op, x, y);
}

hd_expr formula_constraint(query_world *w, unsigned width, bool simple) {
    return simple ? formula_comparison(w, width)
                  : random_truth(w, width, 1 + (int)query_below(w, 3));
}
