/* Variables that choose among others (split.h).  Constraints of a path are asked about again and
 * again, so that everything is remembered. */
#include "solve/split.h"

#include "solve/solve_int.h"

#include "base/map.h"
#include "base/panic.h"

enum {
    MAX_DEPTH = 200,
    MAX_TABLE = 64,           /* elements of a table that is made again */
    MAX_REMEMBERED = 1 << 20, /* expressions with values */
};

#define UNSEEN 0
#define NOBODY 1 /* else 2 + a variable */

struct hd_split {
    hd_graph *g;
    hd_vec(uint32_t) chooser_of; /* by expression */
    hd_map done;                 /* expression, variable and value -> expression */
    uint32_t n_done;
};

hd_split *hd_split_new(hd_graph *g) {
    hd_split *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_split_forget(hd_split *s) {
    hd_vec_clear(&s->chooser_of);
    hd_map_clear(&s->done);
    s->n_done = 0;
}

void hd_split_free(hd_split *s) {
    hd_vec_release(&s->chooser_of);
    hd_map_release(&s->done);
    free(s);
}

static const hd_support *support_of(const hd_split *s, hd_expr e) {
    return hd_expr_support(s->g, e);
}

/* ---- who chooses ---- */

static uint32_t find_chooser(hd_split *s, hd_expr e, int depth);

static bool has_inputs(const hd_split *s, const hd_node *n) {
    if (n->op == HD_OP_ITE)
        return support_of(s, n->b)->n || support_of(s, n->c)->n;
    for (uint32_t i = 0; i < hd_table_size(s->g, n->a); i++)
        if (support_of(s, hd_table_elements(s->g, n->a)[i])->n)
            return true;
    return false;
}

/* The index of a table or the condition of a choice: the chooser is in it, or further inside. */
static uint32_t chooser_by(hd_split *s, const hd_node *n, hd_expr by, int depth) {
    const hd_support *support = support_of(s, by);
    return support->n == 1 && has_inputs(s, n) ? 2 + support->v[0] : find_chooser(s, by, depth);
}

static uint32_t chooser_in_table(hd_split *s, const hd_node *n, int depth) {
    uint32_t found = chooser_by(s, n, n->b, depth);
    for (uint32_t i = 0; i < hd_table_size(s->g, n->a) && found == NOBODY; i++)
        found = find_chooser(s, hd_table_elements(s->g, n->a)[i], depth);
    return found;
}

static uint32_t look_for_chooser(hd_split *s, const hd_node *n, int depth) {
    uint32_t found = NOBODY;
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
    case HD_OP_VAR:
        return NOBODY;
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        return find_chooser(s, n->a, depth);
    case HD_OP_READ:
        return chooser_in_table(s, n, depth);
    case HD_OP_ITE:
        found = chooser_by(s, n, n->a, depth);
        found = found == NOBODY ? find_chooser(s, n->b, depth) : found;
        return found == NOBODY ? find_chooser(s, n->c, depth) : found;
    default:
        found = find_chooser(s, n->a, depth);
        return found == NOBODY ? find_chooser(s, n->b, depth) : found;
    }
}

static uint32_t find_chooser(hd_split *s, hd_expr e, int depth) {
    if (depth == 0 || support_of(s, e)->n < 2)
        return NOBODY;
    while (s->chooser_of.n <= e)
        hd_vec_push(&s->chooser_of, UNSEEN);
    if (s->chooser_of.at[e] == UNSEEN) {
        uint32_t found = look_for_chooser(s, hd_expr_node(s->g, e), depth - 1);
        s->chooser_of.at[e] = found;
    }
    return s->chooser_of.at[e];
}

bool hd_split_variable(hd_split *s, hd_expr e, hd_var *v) {
    uint32_t found = find_chooser(s, e, MAX_DEPTH);
    *v = found >= 2 ? found - 2 : 0;
    return found >= 2;
}

/* ---- with a value ---- */

static bool mentions(const hd_split *s, hd_expr e, hd_var v) {
    const hd_support *support = support_of(s, e);
    for (uint32_t i = 0; i < support->n; i++)
        if (support->v[i] == v)
            return true;
    return false;
}

static hd_expr put(hd_split *s, hd_expr e, hd_var v, uint64_t value, int depth);

/* Of a table only what its index can reach is made again. */
static hd_expr put_into_table(hd_split *s, const hd_node *n, hd_var v, uint64_t value, int depth) {
    hd_expr index = put(s, n->b, v, value, depth), elements[MAX_TABLE];
    uint32_t size = hd_table_size(s->g, n->a);
    if (!index)
        return HD_NONE;
    if (hd_expr_is_const(s->g, index)) {
        uint64_t i = hd_expr_value(s->g, index);
        return i < size ? put(s, hd_table_elements(s->g, n->a)[i], v, value, depth)
                        : hd_expr_const(s->g, n->width, 0);
    }
    for (uint32_t i = 0; i < size && size <= MAX_TABLE; i++)
        if (!(elements[i] = put(s, hd_table_elements(s->g, n->a)[i], v, value, depth)))
            return HD_NONE;
    return size <= MAX_TABLE ? hd_expr_read(s->g, elements, size, index) : HD_NONE;
}

static hd_expr put_into_choice(hd_split *s, const hd_node *n, hd_var v, uint64_t value, int depth) {
    hd_expr condition = put(s, n->a, v, value, depth);
    if (condition && hd_expr_is_const(s->g, condition))
        return put(s, hd_expr_value(s->g, condition) ? n->b : n->c, v, value, depth);
    hd_expr yes = put(s, n->b, v, value, depth), no = put(s, n->c, v, value, depth);
    return condition && yes && no ? hd_expr_ite(s->g, condition, yes, no) : HD_NONE;
}

static hd_expr put_into_one(hd_split *s, const hd_node *n, hd_var v, uint64_t value, int depth) {
    hd_expr a = put(s, n->a, v, value, depth);
    if (!a)
        return HD_NONE;
    switch (n->op) {
    case HD_OP_NOT:
        return hd_expr_not(s->g, a);
    case HD_OP_ZEXT:
        return hd_expr_zext(s->g, a, n->width);
    case HD_OP_SEXT:
        return hd_expr_sext(s->g, a, n->width);
    default:
        return hd_expr_extract(s->g, a, n->aux, n->width);
    }
}

static hd_expr put_into_two(hd_split *s, const hd_node *n, hd_var v, uint64_t value, int depth) {
    hd_expr a = put(s, n->a, v, value, depth), b = put(s, n->b, v, value, depth);
    if (!a || !b)
        return HD_NONE;
    return n->op == HD_OP_CONCAT ? hd_expr_concat(s->g, a, b)
                                 : hd_expr_binary(s->g, (hd_op)n->op, a, b);
}

static hd_expr put_into(hd_split *s, hd_expr e, hd_var v, uint64_t value, int depth) {
    const hd_node n = *hd_expr_node(s->g, e);
    switch ((hd_op)n.op) {
    case HD_OP_VAR:
        return hd_expr_const(s->g, n.width, value);
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        return put_into_one(s, &n, v, value, depth);
    case HD_OP_ITE:
        return put_into_choice(s, &n, v, value, depth);
    case HD_OP_READ:
        return put_into_table(s, &n, v, value, depth);
    default:
        return put_into_two(s, &n, v, value, depth);
    }
}

static hd_expr put(hd_split *s, hd_expr e, hd_var v, uint64_t value, int depth) {
    if (!mentions(s, e, v))
        return e;
    if (depth == 0)
        return HD_NONE;
    uint64_t key = (uint64_t)e << 32 | (uint64_t)v << 8 | value;
    const uint64_t *known = hd_map_find(&s->done, key);
    if (known)
        return (hd_expr)*known;
    hd_expr result = put_into(s, e, v, value, depth - 1);
    HD_INVARIANT(W1, !result || hd_expr_width(s->g, result) == hd_expr_width(s->g, e));
    if (result && s->n_done++ < MAX_REMEMBERED)
        hd_map_put(&s->done, key, result);
    return result;
}

hd_expr hd_split_put(hd_split *s, hd_expr e, hd_var v, uint64_t value) {
    HD_ASSERT(value < 256 && v < UINT32_C(1) << 24);
    return put(s, e, v, value, MAX_DEPTH);
}
