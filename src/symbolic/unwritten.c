/* What a patchwork was before it became one.
 *
 * A write through an index makes of every element that it may hit "the new value if the index is
 * mine, else the old one".  A pointer that lies among smaller elements is then pieces side by side,
 * each such a choice, or a chain of them with the oldest value innermost.  Choices between
 * constants may have become bits: choice.c. */
#include "symbolic/symbolic_int.h"

static uint64_t unwritten(hd_graph *g, hd_expr e, hd_expr *is_whole);

static void require(hd_graph *g, hd_expr *is_whole, hd_expr condition) {
    *is_whole = hd_expr_binary(g, HD_OP_AND, *is_whole, condition);
}

/* A condition as a number: the hit of a write stands in it as it is, or negated. */
static uint64_t unwritten_bit(hd_graph *g, hd_expr bit, hd_expr *is_whole) {
    bool was_set = hd_expr_node(g, bit)->op == HD_OP_NOT;
    HD_ASSERT(hd_expr_width(g, bit) == 1);
    require(g, is_whole, was_set ? bit : hd_expr_not(g, bit));
    return was_set;
}

static uint64_t unwritten(hd_graph *g, hd_expr e, hd_expr *is_whole) {
    hd_node n = *hd_expr_node(g, e); /* which may move */
    for (; n.op == HD_OP_ITE; n = *hd_expr_node(g, e)) {
        require(g, is_whole, hd_expr_not(g, n.a));
        e = n.c;
    }
    if (n.width == 1 && n.op != HD_OP_CONST)
        return unwritten_bit(g, e, is_whole);
    switch ((hd_op)n.op) {
    case HD_OP_CONST:
        return hd_expr_value(g, e);
    case HD_OP_CONCAT: {
        uint64_t high = unwritten(g, n.a, is_whole);
        return high << hd_expr_width(g, n.b) | unwritten(g, n.b, is_whole);
    }
    case HD_OP_ZEXT:
        return unwritten(g, n.a, is_whole);
    case HD_OP_SEXT:
        return hd_sext_value(unwritten(g, n.a, is_whole), hd_expr_width(g, n.a), n.width);
    case HD_OP_EXTRACT:
        return unwritten(g, n.a, is_whole) >> n.aux & hd_mask(n.width);
    default:
        *is_whole = HD_FALSE; /* it never was a constant */
        return 0;
    }
}

uint64_t hd_unwritten_value(hd_graph *g, hd_expr e, hd_expr *is_whole) {
    *is_whole = HD_TRUE;
    uint64_t value = unwritten(g, e, is_whole);
    return *is_whole == HD_FALSE ? 0 : value;
}
