#include "explore/inputs/assumed.h"

#include "base/panic.h"

#define MAX_DEPTH 1000 /* deeper expressions stay as they are */

void hd_assumed_release(hd_assumed *a) {
    hd_vec_release(&a->at);
    hd_map_release(&a->fixed);
    hd_map_release(&a->forms);
}

/* x == 5 fixes x; b and !b fix a truth value. */
static void note_fixed(hd_assumed *a, const hd_graph *g, hd_expr condition) {
    const hd_node *n = hd_expr_node(g, condition);
    bool is_negated = n->op == HD_OP_NOT;
    const hd_node *inner = is_negated ? hd_expr_node(g, n->a) : n;
    if (inner->op == HD_OP_VAR)
        hd_map_put(&a->fixed, inner->a, !is_negated);
    if (n->op != HD_OP_EQ)
        return;
    bool is_left = hd_expr_is_const(g, n->a);
    hd_expr number = is_left ? n->a : n->b;
    const hd_node *variable = hd_expr_node(g, is_left ? n->b : n->a);
    if (variable->op == HD_OP_VAR && hd_expr_is_const(g, number))
        hd_map_put(&a->fixed, variable->a, hd_expr_value(g, number));
}

void hd_assumed_add(hd_assumed *a, const hd_graph *g, hd_expr condition) {
    HD_ASSERT(condition != HD_NONE && hd_expr_width(g, condition) == 1);
    hd_vec_push(&a->at, condition);
    note_fixed(a, g, condition);
    hd_map_clear(&a->forms);
}

static bool mentions_fixed(const hd_assumed *a, const hd_graph *g, hd_expr e) {
    const hd_support *s = hd_expr_support(g, e);
    for (uint32_t i = 0; i < s->n; i++)
        if (hd_map_find(&a->fixed, s->v[i]))
            return true;
    return false;
}

static hd_expr put_in(hd_assumed *a, hd_graph *g, hd_expr e, unsigned depth);

static hd_expr rebuild(hd_assumed *a, hd_graph *g, hd_expr e, unsigned depth) {
    const hd_node n = *hd_expr_node(g, e);
    if (n.op == HD_OP_READ) /* the table stays: what is assumed says the same */
        return e;
    hd_expr x = put_in(a, g, n.a, depth);
    switch ((hd_op)n.op) {
    case HD_OP_NOT:
        return hd_expr_not(g, x);
    case HD_OP_ZEXT:
        return hd_expr_zext(g, x, n.width);
    case HD_OP_SEXT:
        return hd_expr_sext(g, x, n.width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(g, x, n.aux, n.width);
    case HD_OP_CONCAT:
        return hd_expr_concat(g, x, put_in(a, g, n.b, depth));
    case HD_OP_ITE: {
        hd_expr yes = put_in(a, g, n.b, depth), no = put_in(a, g, n.c, depth);
        return hd_expr_ite(g, x, yes, no);
    }
    default:
        return hd_expr_binary(g, (hd_op)n.op, x, put_in(a, g, n.b, depth));
    }
}

static hd_expr put_in(hd_assumed *a, hd_graph *g, hd_expr e, unsigned depth) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_CONST || depth == MAX_DEPTH || !mentions_fixed(a, g, e))
        return e;
    if (n->op == HD_OP_VAR)
        return hd_expr_const(g, n->width, *hd_map_find(&a->fixed, n->a));
    const uint64_t *known = hd_map_find(&a->forms, e);
    if (known)
        return (hd_expr)*known;
    hd_expr form = rebuild(a, g, e, depth + 1);
    HD_ASSERT(hd_expr_width(g, form) == hd_expr_width(g, e));
    hd_map_put(&a->forms, e, form);
    return form;
}

hd_expr hd_assumed_put_in(hd_assumed *a, hd_graph *g, hd_expr e) {
    return a->fixed.n ? put_in(a, g, e, 0) : e;
}

void hd_assumed_forget(hd_assumed *a) {
    hd_map_clear(&a->forms);
}
