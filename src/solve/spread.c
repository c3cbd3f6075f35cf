/* Equalities of choices (spread.h). */
#include "solve/spread.h"

#include "base/map.h"
#include "base/panic.h"
#include "solve/solve_int.h"

enum { MAX_DEPTH = 300, MAX_TABLE = 64, MAX_MADE = 4000 };

struct hd_spread {
    hd_graph *g;
    hd_map done;     /* by expression */
    uint32_t n_made; /* in this question */
};

hd_spread *hd_spread_new(hd_graph *g) {
    hd_spread *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_spread_forget(hd_spread *s) {
    hd_map_clear(&s->done);
}

void hd_spread_free(hd_spread *s) {
    hd_map_release(&s->done);
    free(s);
}

static hd_expr spread(hd_spread *s, hd_expr e, unsigned depth);

static bool is_choice(const hd_spread *s, hd_expr e) {
    const hd_node *n = hd_expr_node(s->g, e);
    return n->op == HD_OP_ITE || (n->op == HD_OP_READ && hd_table_size(s->g, n->a) <= MAX_TABLE);
}

static hd_expr equal(hd_spread *s, hd_expr a, hd_expr b, unsigned depth);

/* Outside of a table zero is read, and outside of one of truth values that means false. */
static hd_expr equal_element(hd_spread *s, const hd_node *n, hd_expr b, unsigned depth) {
    hd_expr elements[MAX_TABLE];
    uint32_t size = hd_table_size(s->g, n->a);
    for (uint32_t i = 0; i < size; i++)
        elements[i] = equal(s, hd_table_elements(s->g, n->a)[i], b, depth);
    unsigned width = hd_expr_width(s->g, n->b);
    hd_expr index = spread(s, n->b, depth);
    hd_expr read = hd_expr_read(s->g, elements, size, index);
    if (size > hd_mask(width))
        return read;
    hd_expr is_inside = hd_expr_binary(s->g, HD_OP_ULT, index, hd_expr_const(s->g, width, size));
    hd_expr is_zero = hd_expr_binary(s->g, HD_OP_EQ, b, hd_expr_const(s->g, n->width, 0));
    return hd_expr_ite(s->g, is_inside, read, is_zero);
}

static hd_expr equal(hd_spread *s, hd_expr a, hd_expr b, unsigned depth) {
    if (!is_choice(s, a)) {
        hd_expr swap = a;
        a = b;
        b = swap;
    }
    const hd_node n = *hd_expr_node(s->g, a);
    if (depth >= MAX_DEPTH || s->n_made > MAX_MADE || !is_choice(s, a))
        return hd_expr_binary(s->g, HD_OP_EQ, spread(s, a, depth + 1), spread(s, b, depth + 1));
    s->n_made++;
    if (n.op == HD_OP_READ)
        return equal_element(s, &n, b, depth + 1);
    hd_expr yes = equal(s, n.b, b, depth + 1), no = equal(s, n.c, b, depth + 1);
    return hd_expr_ite(s->g, spread(s, n.a, depth + 1), yes, no);
}

static hd_expr rebuild_read(hd_spread *s, hd_expr e, const hd_node *n, unsigned depth) {
    hd_expr elements[MAX_TABLE];
    uint32_t size = hd_table_size(s->g, n->a);
    if (size > MAX_TABLE)
        return e;
    for (uint32_t i = 0; i < size; i++)
        elements[i] = spread(s, hd_table_elements(s->g, n->a)[i], depth);
    return hd_expr_read(s->g, elements, size, spread(s, n->b, depth));
}

static hd_expr rebuild(hd_spread *s, hd_expr e, const hd_node *n, unsigned depth) {
    switch ((hd_op)n->op) {
    case HD_OP_NOT:
        return hd_expr_not(s->g, spread(s, n->a, depth));
    case HD_OP_ZEXT:
        return hd_expr_zext(s->g, spread(s, n->a, depth), n->width);
    case HD_OP_SEXT:
        return hd_expr_sext(s->g, spread(s, n->a, depth), n->width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(s->g, spread(s, n->a, depth), n->aux, n->width);
    case HD_OP_CONCAT: {
        hd_expr high = spread(s, n->a, depth);
        return hd_expr_concat(s->g, high, spread(s, n->b, depth));
    }
    case HD_OP_ITE: {
        hd_expr condition = spread(s, n->a, depth), yes = spread(s, n->b, depth);
        return hd_expr_ite(s->g, condition, yes, spread(s, n->c, depth));
    }
    case HD_OP_READ:
        return rebuild_read(s, e, n, depth);
    case HD_OP_EQ:
        if (is_choice(s, n->a) || is_choice(s, n->b))
            return equal(s, n->a, n->b, depth);
        /* fall through */
    default: {
        hd_expr a = spread(s, n->a, depth);
        return hd_expr_binary(s->g, (hd_op)n->op, a, spread(s, n->b, depth));
    }
    }
}

static hd_expr spread(hd_spread *s, hd_expr e, unsigned depth) {
    const hd_node n = *hd_expr_node(s->g, e);
    if (n.op == HD_OP_CONST || n.op == HD_OP_VAR)
        return e;
    const uint64_t *done = hd_map_find(&s->done, e);
    if (done)
        return (hd_expr)*done;
    if (depth >= MAX_DEPTH || s->n_made > MAX_MADE)
        return e;
    s->n_made++;
    hd_expr result = rebuild(s, e, &n, depth + 1);
    HD_ASSERT(hd_expr_width(s->g, result) == n.width);
    hd_map_put(&s->done, e, result);
    return result;
}

hd_expr hd_spread_of(hd_spread *s, hd_expr e) {
    s->n_made = 0;
    hd_expr result = spread(s, e, 0);
    HD_INVARIANT(R1, hd_expr_width(s->g, result) == hd_expr_width(s->g, e));
    return result;
}
