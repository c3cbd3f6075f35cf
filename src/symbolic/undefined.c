/* Which bits nobody wrote, and expressions without them.
 *
 * Both questions walk over the nodes that mention such a leaf, operands first: ids are in that
 * order already (E1).  What was found out is remembered, so that a chain that grows by one step
 * between two questions costs one step. */
#include "symbolic/undefined.h"

#include "base/vec.h"
#include "symbolic/symbolic_int.h"

#include <stdlib.h>

void hd_undefined_release(hd_undefined *u) {
    hd_map_release(&u->defined);
    hd_map_release(&u->bits);
    hd_map_release(&u->told);
}

static void clear(hd_map *map) {
    if (map->n)
        hd_map_clear(map);
}

void hd_undefined_begin(hd_undefined *u, hd_graph *g) {
    if (u->g != g || u->generation != hd_graph_generation(g)) {
        clear(&u->defined);
        clear(&u->bits);
    }
    u->g = g;
    u->generation = hd_graph_generation(g);
    clear(&u->told);
}

hd_expr hd_expr_undefined(hd_graph *g, unsigned width, uint16_t identity) {
    HD_ASSERT(width >= 1 && width <= 64);
    return hd_node_intern(g, hd_node_pack(HD_OP_VAR, width, identity, HD_UNDEFINED, 0, 0));
}

bool hd_expr_is_undefined(const hd_graph *g, hd_expr e) {
    const hd_support *s = hd_expr_support(g, e);
    return s->n && s->v[s->n - 1] == HD_UNDEFINED;
}

/* ---- the walk ---- */

typedef hd_vec(hd_expr) exprs;

static bool is_leaf(const hd_node *n) {
    return n->op == HD_OP_VAR && n->a == HD_UNDEFINED;
}

static void want(hd_undefined *u, hd_map *seen, exprs *found, hd_expr e) {
    if (!e || hd_map_find(seen, e) || !hd_expr_is_undefined(u->g, e))
        return;
    hd_map_put(seen, e, 1);
    hd_vec_push(found, e);
}

static void want_operands(hd_undefined *u, hd_map *seen, exprs *found, const hd_node *n) {
    if (n->op == HD_OP_VAR)
        return;
    if (n->op == HD_OP_READ)
        for (uint32_t i = 0; i < hd_table_size(u->g, n->a); i++)
            want(u, seen, found, hd_table_elements(u->g, n->a)[i]);
    else
        want(u, seen, found, n->a);
    want(u, seen, found, n->b);
    want(u, seen, found, n->c);
}

static int by_id(const void *a, const void *b) {
    hd_expr x = *(const hd_expr *)a, y = *(const hd_expr *)b;
    return x < y ? -1 : x > y;
}

/* The nodes below `e` that mention a leaf and are not in `known`, operands first. */
static exprs list_below(hd_undefined *u, const hd_map *known, hd_expr e) {
    exprs found = {0};
    hd_map seen = {0};
    want(u, &seen, &found, e);
    for (size_t i = 0; i < found.n; i++)
        if (!known || !hd_map_find(known, found.at[i]))
            want_operands(u, &seen, &found, hd_expr_node(u->g, found.at[i]));
    hd_map_release(&seen);
    if (found.n)
        qsort(found.at, found.n, sizeof *found.at, by_id);
    return found;
}

static uint64_t walk(hd_undefined *u, hd_map *known, hd_expr e,
                     uint64_t (*treat)(hd_undefined *u, const hd_node *n)) {
    const uint64_t *answer = hd_map_find(known, e);
    if (answer)
        return *answer;
    exprs found = list_below(u, known, e);
    HD_INVARIANT(E1, found.n && found.at[found.n - 1] == e); /* what is above all comes last */
    for (size_t i = 0; i < found.n; i++) {
        const hd_node n = *hd_expr_node(u->g, found.at[i]);
        if (!hd_map_find(known, found.at[i]))
            hd_map_put(known, found.at[i], treat(u, &n));
    }
    hd_vec_release(&found);
    return *hd_map_find(known, e);
}

/* ---- without them ---- */

static hd_expr defined(hd_undefined *u, hd_expr e) {
    const uint64_t *known = hd_map_find(&u->defined, e);
    return known ? (hd_expr)*known : e;
}

static hd_expr defined_read(hd_undefined *u, const hd_node *n) {
    uint32_t size = hd_table_size(u->g, n->a);
    exprs elements = {0};
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&elements, defined(u, hd_table_elements(u->g, n->a)[i]));
    hd_expr e = hd_expr_read(u->g, elements.at, size, defined(u, n->b));
    hd_vec_release(&elements);
    return e;
}

static uint64_t defined_node(hd_undefined *u, const hd_node *n) {
    hd_graph *g = u->g;
    if (n->op == HD_OP_VAR)
        return hd_expr_const(g, n->width, HD_UNDEFINED_VALUE);
    if (n->op == HD_OP_READ)
        return defined_read(u, n);
    hd_expr a = defined(u, n->a), b = defined(u, n->b);
    switch ((hd_op)n->op) {
    case HD_OP_NOT:
        return hd_expr_not(g, a);
    case HD_OP_ZEXT:
        return hd_expr_zext(g, a, n->width);
    case HD_OP_SEXT:
        return hd_expr_sext(g, a, n->width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(g, a, n->aux, n->width);
    case HD_OP_CONCAT:
        return hd_expr_concat(g, a, b);
    case HD_OP_ITE:
        return hd_expr_ite(g, a, b, defined(u, n->c));
    default:
        return hd_expr_binary(g, (hd_op)n->op, a, b);
    }
}

hd_expr hd_undefined_define(hd_undefined *u, hd_expr e) {
    if (!hd_expr_is_undefined(u->g, e))
        return e;
    hd_expr value = (hd_expr)walk(u, &u->defined, e, defined_node);
    HD_INVARIANT(U1, !hd_expr_is_undefined(u->g, value));
    HD_ASSERT(hd_expr_width(u->g, value) == hd_expr_width(u->g, e));
    return value;
}

/* ---- bits ---- */

/* A value, and which of its bits nobody wrote; both over inputs only. */
typedef struct half_known {
    hd_expr value, bits;
} half_known;

static half_known look(hd_undefined *u, hd_expr e) {
    HD_CHECK(u->generation == hd_graph_generation(u->g));
    const uint64_t *bits = hd_map_find(&u->bits, e);
    return (half_known){defined(u, e),
                        bits ? (hd_expr)*bits : hd_expr_const(u->g, hd_expr_width(u->g, e), 0)};
}

static hd_expr op(hd_undefined *u, hd_op which, hd_expr a, hd_expr b) {
    return hd_expr_binary(u->g, which, a, b);
}

static hd_expr ones(hd_undefined *u, unsigned width) {
    return hd_expr_const(u->g, width, UINT64_MAX);
}

static hd_expr is_any(hd_undefined *u, hd_expr bits) {
    hd_expr none = hd_expr_const(u->g, hd_expr_width(u->g, bits), 0);
    return hd_expr_not(u->g, op(u, HD_OP_EQ, bits, none));
}

/* Bits of a & b that depend on what nobody wrote: in both, or in one where the other is 1. */
static hd_expr bits_of_and(hd_undefined *u, hd_expr a, hd_expr ma, hd_expr b, hd_expr mb) {
    hd_expr any = op(u, HD_OP_OR, ma, mb);
    return op(u, HD_OP_AND, any, op(u, HD_OP_AND, op(u, HD_OP_OR, ma, a), op(u, HD_OP_OR, mb, b)));
}

/* A difference among the bits that were written decides. */
static hd_expr bits_of_equal(hd_undefined *u, half_known x, half_known y) {
    hd_expr any = op(u, HD_OP_OR, x.bits, y.bits), different = op(u, HD_OP_XOR, x.value, y.value);
    hd_expr decided = is_any(u, op(u, HD_OP_AND, different, hd_expr_not(u->g, any)));
    return op(u, HD_OP_AND, is_any(u, any), hd_expr_not(u->g, decided));
}

static hd_expr least(hd_undefined *u, hd_expr value, hd_expr bits) {
    return op(u, HD_OP_AND, value, hd_expr_not(u->g, bits));
}

/* Could other bits change the order?  The least against the greatest, both ways. */
static hd_expr bits_of_order(hd_undefined *u, hd_op which, half_known x, half_known y) {
    unsigned width = hd_expr_width(u->g, x.value);
    bool is_signed = which == HD_OP_SLT || which == HD_OP_SLE;
    hd_op plain = which == HD_OP_SLT ? HD_OP_ULT : which == HD_OP_SLE ? HD_OP_ULE : which;
    hd_expr sign = hd_expr_const(u->g, width, is_signed ? hd_sign_bit(width) : 0);
    hd_expr a = op(u, HD_OP_XOR, x.value, sign), b = op(u, HD_OP_XOR, y.value, sign);
    return op(u, HD_OP_XOR, op(u, plain, least(u, a, x.bits), op(u, HD_OP_OR, b, y.bits)),
              op(u, plain, op(u, HD_OP_OR, a, x.bits), least(u, b, y.bits)));
}

static hd_expr bits_of_shift(hd_undefined *u, hd_op which, half_known x, half_known y) {
    return hd_expr_ite(u->g, is_any(u, y.bits), ones(u, hd_expr_width(u->g, x.value)),
                       op(u, which, x.bits, y.value));
}

static hd_expr bits_of_binary(hd_undefined *u, hd_op which, half_known x, half_known y) {
    switch (which) {
    case HD_OP_AND:
        return bits_of_and(u, x.value, x.bits, y.value, y.bits);
    case HD_OP_OR:
        return bits_of_and(u, hd_expr_not(u->g, x.value), x.bits, hd_expr_not(u->g, y.value),
                           y.bits);
    case HD_OP_SHL:
    case HD_OP_LSHR:
    case HD_OP_ASHR:
        return bits_of_shift(u, which, x, y);
    case HD_OP_EQ:
        return bits_of_equal(u, x, y);
    case HD_OP_ULT:
    case HD_OP_ULE:
    case HD_OP_SLT:
    case HD_OP_SLE:
        return bits_of_order(u, which, x, y);
    default:
        return op(u, HD_OP_OR, x.bits, y.bits);
    }
}

static hd_expr bits_of_choice(hd_undefined *u, const hd_node *n) {
    half_known c = look(u, n->a), yes = look(u, n->b), no = look(u, n->c);
    hd_expr either =
        op(u, HD_OP_OR, op(u, HD_OP_OR, yes.bits, no.bits), op(u, HD_OP_XOR, yes.value, no.value));
    return hd_expr_ite(u->g, c.bits, either, hd_expr_ite(u->g, c.value, yes.bits, no.bits));
}

static hd_expr bits_of_read(hd_undefined *u, const hd_node *n) {
    HD_ASSERT(hd_table_size(u->g, n->a) >= 1);
    half_known index = look(u, n->b);
    uint32_t size = hd_table_size(u->g, n->a);
    exprs elements = {0};
    for (uint32_t i = 0; i < size; i++)
        hd_vec_push(&elements, look(u, hd_table_elements(u->g, n->a)[i]).bits);
    hd_expr read = hd_expr_read(u->g, elements.at, size, index.value);
    hd_vec_release(&elements);
    return hd_expr_ite(u->g, is_any(u, index.bits), ones(u, n->width), read);
}

static uint64_t bits_of_node(hd_undefined *u, const hd_node *n) {
    switch ((hd_op)n->op) {
    case HD_OP_VAR:
        return ones(u, n->width);
    case HD_OP_NOT:
        return look(u, n->a).bits;
    case HD_OP_ZEXT:
        return hd_expr_zext(u->g, look(u, n->a).bits, n->width);
    case HD_OP_SEXT:
        return hd_expr_sext(u->g, look(u, n->a).bits, n->width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(u->g, look(u, n->a).bits, n->aux, n->width);
    case HD_OP_CONCAT:
        return hd_expr_concat(u->g, look(u, n->a).bits, look(u, n->b).bits);
    case HD_OP_ITE:
        return bits_of_choice(u, n);
    case HD_OP_READ:
        return bits_of_read(u, n);
    default:
        return bits_of_binary(u, (hd_op)n->op, look(u, n->a), look(u, n->b));
    }
}

hd_expr hd_undefined_bits(hd_undefined *u, hd_expr e) {
    if (!hd_expr_is_undefined(u->g, e))
        return hd_expr_const(u->g, hd_expr_width(u->g, e), 0);
    hd_undefined_define(u, e); /* the values of all below it */
    hd_expr bits = (hd_expr)walk(u, &u->bits, e, bits_of_node);
    HD_INVARIANT(U2, !hd_expr_is_undefined(u->g, bits));
    HD_ASSERT(hd_expr_width(u->g, bits) == hd_expr_width(u->g, e));
    return bits;
}

/* ---- one form ---- */

/* The leaf of this width that is the only one in `e`, or HD_NONE. */
static hd_expr only_leaf(hd_undefined *u, hd_expr e) {
    exprs found = list_below(u, NULL, e);
    hd_expr leaf = HD_NONE;
    unsigned n = 0;
    for (size_t i = 0; i < found.n; i++)
        if (is_leaf(hd_expr_node(u->g, found.at[i]))) {
            leaf = found.at[i];
            n++;
        }
    hd_vec_release(&found);
    return n == 1 && hd_expr_width(u->g, leaf) == hd_expr_width(u->g, e) ? leaf : HD_NONE;
}

hd_expr hd_undefined_reduce(hd_undefined *u, hd_expr e) {
    if (!hd_expr_is_undefined(u->g, e))
        return e;
    hd_expr bits = hd_undefined_bits(u, e), value = hd_undefined_define(u, e);
    if (!hd_expr_is_const(u->g, bits))
        return e;
    uint64_t mask = hd_expr_value(u->g, bits);
    if (mask == 0)
        return value;
    if (!hd_expr_is_const(u->g, value) || (hd_expr_value(u->g, value) ^ HD_UNDEFINED_VALUE) & mask)
        return e;
    hd_expr leaf = only_leaf(u, e);
    return leaf
               ? op(u, HD_OP_OR, op(u, HD_OP_AND, leaf, bits),
                    hd_expr_const(u->g, hd_expr_width(u->g, e), hd_expr_value(u->g, value) & ~mask))
               : e;
}

/* ---- leaves that were told of ---- */

bool hd_undefined_tell(hd_undefined *u, hd_expr e) {
    bool is_new = false;
    exprs found = list_below(u, NULL, e);
    for (size_t i = 0; i < found.n; i++)
        if (is_leaf(hd_expr_node(u->g, found.at[i])) && !hd_map_find(&u->told, found.at[i])) {
            hd_map_put(&u->told, found.at[i], 1);
            is_new = true;
        }
    hd_vec_release(&found);
    return is_new;
}
