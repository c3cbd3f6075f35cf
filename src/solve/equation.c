/* Equations (equation.h). */
#include "solve/equation.h"

#include "base/panic.h"

enum { MAX_DEPTH = 100 };

static bool add(const hd_graph *g, hd_equation *q, hd_expr e, uint64_t factor, int depth);

static bool add_product(const hd_graph *g, hd_equation *q, hd_expr e, uint64_t factor, int depth) {
    const hd_node *n = hd_expr_node(g, e);
    if (hd_expr_is_const(g, n->b))
        return add(g, q, n->a, factor * hd_expr_value(g, n->b), depth);
    if (hd_expr_is_const(g, n->a))
        return add(g, q, n->b, factor * hd_expr_value(g, n->a), depth);
    return add(g, q, e, factor, -1);
}

static bool add_shift(const hd_graph *g, hd_equation *q, hd_expr e, uint64_t factor, int depth) {
    const hd_node *n = hd_expr_node(g, e);
    uint64_t by = hd_expr_is_const(g, n->b) ? hd_expr_value(g, n->b) : n->width;
    return by < n->width ? add(g, q, n->a, factor << by, depth) : add(g, q, e, factor, -1);
}

/* A term that comes again adds to its factor. */
static bool add_term(hd_equation *q, hd_expr e, uint64_t factor) {
    uint32_t i = 0;
    while (i < q->n && q->terms[i] != e)
        i++;
    if (i == HD_EQUATION_TERMS)
        return false;
    q->factors[i] = (i < q->n ? q->factors[i] + factor : factor) & hd_mask(q->width);
    q->terms[i] = e;
    q->n += i == q->n;
    return true;
}

/* A depth below zero: as it is. */
static bool add(const hd_graph *g, hd_equation *q, hd_expr e, uint64_t factor, int depth) {
    const hd_node *n = hd_expr_node(g, e);
    HD_ASSERT(n->width == q->width);
    switch (depth > 0 ? (hd_op)n->op : HD_OP_VAR) {
    case HD_OP_CONST:
        q->constant += factor * hd_expr_value(g, e);
        return true;
    case HD_OP_ADD:
        return add(g, q, n->a, factor, depth - 1) && add(g, q, n->b, factor, depth - 1);
    case HD_OP_SUB:
        return add(g, q, n->a, factor, depth - 1) && add(g, q, n->b, 0 - factor, depth - 1);
    case HD_OP_NOT: /* -1 - x */
        q->constant -= factor;
        return add(g, q, n->a, 0 - factor, depth - 1);
    case HD_OP_MUL:
        return add_product(g, q, e, factor, depth - 1);
    case HD_OP_SHL:
        return add_shift(g, q, e, factor, depth - 1);
    default:
        return add_term(q, e, factor);
    }
}

bool hd_equation_read(const hd_graph *g, hd_expr e, hd_equation *q) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op != HD_OP_EQ || hd_expr_width(g, n->a) == 1)
        return false;
    *q = (hd_equation){.width = hd_expr_width(g, n->a)};
    bool fits = add(g, q, n->a, 1, MAX_DEPTH) && add(g, q, n->b, UINT64_MAX, MAX_DEPTH);
    q->constant &= hd_mask(q->width);
    HD_ASSERT(q->n <= HD_EQUATION_TERMS);
    return fits;
}
