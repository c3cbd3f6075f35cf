#include "partition/input_parts.h"

void hd_conditions_copy(hd_conditions *to, const hd_conditions *from) {
    hd_vec_clear(to);
    for (size_t i = 0; i < from->n; i++)
        hd_vec_push(to, from->at[i]);
}

/* The two sides of a conjunction; false if it is none. */
static bool is_conjunction(hd_graph *g, hd_expr e, hd_expr *a, hd_expr *b) {
    const hd_node n = *hd_expr_node(g, e);
    *a = n.a, *b = n.b;
    if (n.op == HD_OP_AND)
        return true;
    const hd_node inner = n.op == HD_OP_NOT ? *hd_expr_node(g, n.a) : n;
    if (n.op != HD_OP_NOT || inner.op != HD_OP_OR)
        return false;
    *a = hd_expr_not(g, inner.a);
    *b = hd_expr_not(g, inner.b);
    return true;
}

void hd_conditions_add(hd_graph *g, hd_conditions *to, hd_expr condition) {
    hd_conditions left = {0};
    hd_vec_push(&left, condition);
    while (left.n) {
        hd_expr e = left.at[--left.n], a, b;
        if (is_conjunction(g, e, &a, &b)) {
            hd_vec_push(&left, b);
            hd_vec_push(&left, a);
        } else if (!hd_expr_is_const(g, e) || !hd_expr_value(g, e))
            hd_vec_push(to, e);
    }
    hd_vec_release(&left);
}

void hd_division_release(hd_division *parts) {
    for (size_t i = 0; i < parts->n; i++)
        hd_vec_release(&parts->at[i]);
    hd_vec_release(parts);
}

hd_expr hd_conditions_all(hd_graph *g, const hd_conditions *part) {
    hd_expr all = hd_expr_const(g, 1, 1);
    for (size_t i = 0; i < part->n; i++)
        all = hd_expr_binary(g, HD_OP_AND, all, part->at[i]);
    return all;
}
