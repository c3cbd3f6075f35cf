/* Rules for ITE and for reads of a table through a symbolic index. */
#include "symbolic/symbolic_int.h"

/* c ? x : y on one bit is a formula. */
static hd_expr choose_bit(hd_graph *g, hd_expr c, hd_expr x, hd_expr y) {
    if (x == HD_TRUE || x == c)
        return hd_expr_binary(g, HD_OP_OR, c, y);
    if (y == HD_FALSE || y == c)
        return hd_expr_binary(g, HD_OP_AND, c, x);
    if (x == HD_FALSE)
        return hd_expr_binary(g, HD_OP_AND, hd_expr_not(g, c), y);
    if (y == HD_TRUE)
        return hd_expr_binary(g, HD_OP_OR, hd_expr_not(g, c), x);
    return HD_NONE;
}

static hd_expr choose_constants(hd_graph *g, hd_expr c, uint64_t x, uint64_t y, unsigned width) {
    if (x == 1 && y == 0)
        return hd_expr_zext(g, c, width);
    if (x == 0 && y == 1)
        return hd_expr_zext(g, hd_expr_not(g, c), width);
    if (x == hd_mask(width) && y == 0)
        return hd_expr_sext(g, c, width);
    if (x == 0 && y == hd_mask(width))
        return hd_expr_sext(g, hd_expr_not(g, c), width);
    return HD_NONE;
}

/* An arm that is itself a choice, by the same condition or with an arm in common. */
static hd_expr choose_nested(hd_graph *g, hd_expr c, hd_expr x, hd_expr y) {
    const hd_node *nx = hd_expr_node(g, x), *ny = hd_expr_node(g, y);
    if (nx->op == HD_OP_ITE && nx->a == c)
        return hd_expr_ite(g, c, nx->b, y);
    if (ny->op == HD_OP_ITE && ny->a == c)
        return hd_expr_ite(g, c, x, ny->c);
    if (nx->op == HD_OP_ITE && nx->c == y)
        return hd_expr_ite(g, hd_expr_binary(g, HD_OP_AND, c, nx->a), nx->b, y);
    if (ny->op == HD_OP_ITE && ny->b == x)
        return hd_expr_ite(g, hd_expr_binary(g, HD_OP_OR, c, ny->a), x, ny->c);
    return HD_NONE;
}

static hd_expr choose_inside_zext(hd_graph *g, hd_expr c, hd_expr x, hd_expr y) {
    const hd_node *nx = hd_expr_node(g, x), *ny = hd_expr_node(g, y);
    if (nx->op != HD_OP_ZEXT || ny->op != HD_OP_ZEXT ||
        hd_expr_width(g, nx->a) != hd_expr_width(g, ny->a))
        return HD_NONE;
    return hd_expr_zext(g, hd_expr_ite(g, c, nx->a, ny->a), nx->width);
}

static hd_expr build_ite(hd_graph *g, hd_expr c, hd_expr x, hd_expr y) {
    const hd_node *nc = hd_expr_node(g, c);
    unsigned width = hd_expr_width(g, x);
    HD_ASSERT(nc->width == 1 && width == hd_expr_width(g, y));
    if (x == y || nc->op == HD_OP_CONST)
        return x == y || c == HD_TRUE ? x : y;
    if (nc->op == HD_OP_NOT)
        return hd_expr_ite(g, nc->a, y, x);
    if (nc->op == HD_OP_ULE || nc->op == HD_OP_SLE)
        return hd_expr_ite(g, hd_expr_not(g, c), y, x);
    if (nc->op == HD_OP_EQ && ((nc->a == x && nc->b == y) || (nc->a == y && nc->b == x)))
        return y; /* x == y ? x : y */
    hd_expr e = HD_NONE;
    if (width == 1)
        e = choose_bit(g, c, x, y);
    else if (hd_expr_is_const(g, x) && hd_expr_is_const(g, y))
        e = choose_constants(g, c, hd_expr_value(g, x), hd_expr_value(g, y), width);
    if (!e)
        e = choose_nested(g, c, x, y);
    if (!e)
        e = choose_inside_zext(g, c, x, y);
    if (e)
        return e;
    return hd_node_intern(g, hd_node_pack(HD_OP_ITE, width, 0, c, x, y));
}

hd_expr hd_expr_ite(hd_graph *g, hd_expr c, hd_expr x, hd_expr y) {
    uint32_t what = HD_OP_ITE | c << 5;
    hd_answer *at = hd_answer_slot(g, what, x, y);
    if (hd_answer_is(at, what, x, y))
        return at->result;
    HD_INVARIANT(E3, c != HD_NONE && x != HD_NONE && y != HD_NONE);
    hd_expr e = build_ite(g, c, x, y);
    HD_CHECK(hd_expr_width(g, e) == hd_expr_width(g, x));
    return hd_answer_put(at, what, x, y, e);
}

static bool are_all_equal(const hd_expr *elements, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        if (elements[i] != elements[0])
            return false;
    return true;
}

static uint64_t common_zeros(const hd_graph *g, const hd_expr *elements, uint32_t n) {
    uint64_t zeros = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++)
        zeros &= hd_expr_zeros(g, elements[i]);
    return zeros;
}

static hd_table intern_table(hd_graph *g, const hd_expr *elements, uint32_t n) {
    bool is_new;
    HD_CHECK(hd_expr_width(g, elements[0]) == hd_expr_width(g, elements[n - 1]));
    memcpy(hd_blocks_room(&g->tables, n), elements, n * sizeof *elements);
    hd_table t = hd_blocks_commit(&g->tables, n, &is_new);
    HD_ASSERT(t > HD_TABLE_PREFIX && hd_table_size(g, t) == n);
    if (is_new) {
        uint64_t zeros = common_zeros(g, elements, n);
        uint32_t *prefix = &g->tables.words[t - HD_TABLE_PREFIX];
        prefix[0] = hd_support_of_elements(g, elements, n);
        prefix[1] = (uint32_t)zeros;
        prefix[2] = (uint32_t)(zeros >> 32);
    }
    return t;
}

static hd_expr read_constant(hd_graph *g, const hd_expr *elements, uint32_t n, uint64_t index) {
    return index < n ? elements[index] : hd_expr_const(g, hd_expr_width(g, elements[0]), 0);
}

hd_expr hd_expr_read(hd_graph *g, const hd_expr *elements, uint32_t n, hd_expr index) {
    HD_ASSERT(n >= 1 && n <= 65536);
    HD_INVARIANT(E3, index != HD_NONE && elements[0] != HD_NONE);
    if (hd_expr_is_const(g, index))
        return read_constant(g, elements, n, hd_expr_value(g, index));
    uint64_t max = hd_expr_max(g, index);
    if (max < n) /* what lies behind cannot be read */
        n = (uint32_t)max + 1;
    if (are_all_equal(elements, n))
        return elements[0];
    if (hd_expr_has_op(g, index, HD_OP_ZEXT)) /* the number is the same */
        return hd_expr_read(g, elements, n, hd_expr_node(g, index)->a);
    if (n == 2) {
        hd_expr is_first = hd_expr_with_const(g, HD_OP_EQ, index, 0);
        return hd_expr_ite(g, is_first, elements[0], elements[1]);
    }
    unsigned width = hd_expr_width(g, elements[0]);
    return hd_node_make(g, HD_OP_READ, width, intern_table(g, elements, n), index);
}
