/* Arithmetic on values of which at least one is symbolic.
 *
 * The concrete result is the CPU's; here only its expression is built, with the concrete
 * operands as constants.  A result that folds to a constant is concrete again.  Programs
 * build the same expressions in every execution, so the last results are remembered. */
#include "machine/values/values.h"

/* Kind, operation, width and one shadow, each in bits of its own. */
#define KEY(kind, op, width, shadow)                                                               \
    ((uint64_t)(kind) << 56 | (uint64_t)(shadow) << 16 | (uint64_t)(op) << 8 | (uint64_t)(width))
enum memo_kind { MEMO_BINARY = 1, MEMO_BINARY_LEFT, MEMO_BINARY_RIGHT, MEMO_CAST };

static hd_memo *memo_at(hd_machine *m, uint64_t key1, uint64_t key2) {
    uint64_t h = (key1 ^ key2 * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return &m->expressions.memo[(h >> 51) % HD_N_MEMO];
}

/* `result` is an expression; what goes back to the program is its shadow. */
static hd_shadow remember(hd_machine *m, hd_memo *memo, uint64_t key1, uint64_t key2,
                          hd_expr result) {
    if (m->lessons.meets_undefined)
        result = hd_undefined_reduce(&m->expressions.undefined, result);
    HD_CHECK(result && key1 >> 56 >= MEMO_BINARY && key1 >> 56 <= MEMO_CAST);
    *memo = (hd_memo){key1, key2, hd_shadow_of(m, result)};
    return memo->result;
}

static hd_shadow binary_both(hd_machine *m, uint32_t op, uint32_t width, hd_shadow a, hd_shadow b) {
    HD_CHECK(hd_expr_width(m->graph, a) == width && hd_expr_width(m->graph, b) == width);
    uint64_t key1 = KEY(MEMO_BINARY, op, width, a), key2 = b;
    hd_memo *memo = memo_at(m, key1, key2);
    if (memo->key1 == key1 && memo->key2 == key2)
        return memo->result;
    return remember(m, memo, key1, key2, hd_expr_binary(m->graph, op, a, b));
}

/* One operand is the constant c; it does not fit in the key with a symbolic one. */
static hd_shadow binary_constant(hd_machine *m, uint32_t kind, uint32_t op, uint32_t width,
                                 hd_shadow a, uint64_t c) {
    uint64_t key1 = KEY(kind, op, width, a), key2 = c;
    hd_memo *memo = memo_at(m, key1, key2);
    if (memo->key1 == key1 && memo->key2 == key2)
        return memo->result;
    HD_CHECK(hd_expr_width(m->graph, a) == width && kind != MEMO_BINARY);
    hd_expr e = hd_expr_const(m->graph, width, c);
    hd_expr result = kind == MEMO_BINARY_LEFT ? hd_expr_binary(m->graph, op, e, a)
                                              : hd_expr_binary(m->graph, op, a, e);
    return remember(m, memo, key1, key2, result);
}

#ifdef HD_DEBUG
static hd_shadow checked(hd_machine *m, hd_shadow s, unsigned width, uint64_t value) {
    HD_CHECK(!s || hd_eval_value(m->expressions.eval, s) == (value & hd_mask(width)));
    return s;
}
#else
#define checked(m, s, width, value) (s)
#endif

hd_shadow __hd_slow_binary(uint32_t op, uint32_t width, hd_shadow a, hd_shadow b, uint64_t x,
                           uint64_t y) {
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    hd_shadow s = a && b ? binary_both(m, op, width, a, b)
                  : a    ? binary_constant(m, MEMO_BINARY_RIGHT, op, width, a, y)
                         : binary_constant(m, MEMO_BINARY_LEFT, op, width, b, x);
    return checked(m, s, op >= HD_OP_EQ ? 1 : width, hd_op_apply(op, width, x, y));
}

static hd_expr cast_expr(hd_machine *m, uint32_t cast, uint32_t to, hd_shadow a) {
    switch (cast) {
    case HD_CAST_ZEXT:
        return hd_expr_zext(m->graph, a, to);
    case HD_CAST_SEXT:
        return hd_expr_sext(m->graph, a, to);
    default:
        return hd_expr_extract(m->graph, a, 0, to);
    }
}

hd_shadow __hd_slow_cast(uint32_t cast, uint32_t from, uint32_t to, hd_shadow a, uint64_t x) {
    (void)x;
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    HD_CHECK(hd_expr_width(m->graph, a) == from && (cast == HD_CAST_TRUNC ? to < from : to > from));
    uint64_t key1 = KEY(MEMO_CAST, cast, to, a), key2 = from;
    hd_memo *memo = memo_at(m, key1, key2);
    if (memo->key1 == key1 && memo->key2 == key2)
        return memo->result;
    return remember(m, memo, key1, key2, cast_expr(m, cast, to, a));
}

hd_shadow __hd_slow_select(uint32_t width, hd_shadow condition, hd_shadow a, hd_shadow b,
                           uint32_t taken, uint64_t x, uint64_t y) {
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    HD_CHECK(hd_expr_width(m->graph, condition) == 1);
    hd_expr yes = hd_expr_of(m, a, width, x), no = hd_expr_of(m, b, width, y);
    hd_shadow s = hd_shadow_of(m, hd_expr_ite(m->graph, condition, yes, no));
    (void)taken;
    return checked(m, s, width, taken ? x : y);
}

/* Which object an address belongs to is known as long as there are pointers (symbolic_address.c):
 * sums are put in order, and in a[i - 1] nobody finds `a` again. */
static void note_origin(hd_machine *m, hd_expr address, hd_shadow base, uint64_t base_value) {
    HD_CHECK(address && hd_expr_width(m->graph, address) == 64);
    const uint64_t *origin = base ? hd_map_find(&m->known_inputs.origins, base) : &base_value;
    const uint64_t *known = hd_map_find(&m->known_inputs.origins, address);
    if (origin && (!known || *known != *origin))
        hd_map_put(&m->known_inputs.origins, address, *origin);
}

hd_shadow __hd_slow_index(hd_shadow base, hd_shadow index, uint64_t base_value,
                          uint64_t index_value, uint32_t index_width, uint64_t scale) {
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    hd_graph *g = m->graph;
    hd_expr b = hd_expr_of(m, base, 64, base_value);
    hd_expr i = hd_expr_of(m, index, index_width, index_value);
    if (index_width < 64)
        i = hd_expr_sext(g, i, 64);
    else if (index_width > 64)
        i = hd_expr_extract(g, i, 0, 64);
    HD_CHECK(hd_expr_width(g, i) == 64 && hd_expr_width(g, b) == 64);
    hd_expr offset = hd_expr_binary(g, HD_OP_MUL, i, hd_expr_const(g, 64, scale));
    hd_expr address = hd_expr_binary(g, HD_OP_ADD, b, offset);
    if (hd_expr_is_const(g, address))
        return HD_NONE;
    note_origin(m, address, base, base_value);
    return address;
}

/* ---- overflow ---- */

static hd_expr widen(hd_graph *g, hd_expr e, bool is_signed, unsigned width) {
    return is_signed ? hd_expr_sext(g, e, width) : hd_expr_zext(g, e, width);
}

/* Enough bits to hold the true result: is it outside of what the type holds?  Not "does it differ
 * from the wrapped one": how large a result can be is easier to see. */
static hd_expr overflow_widened(hd_graph *g, hd_op op, bool is_signed, unsigned width, hd_expr a,
                                hd_expr b) {
    HD_CHECK(op == HD_OP_ADD || op == HD_OP_SUB || op == HD_OP_MUL);
    unsigned wide = op == HD_OP_MUL ? 2 * width : width + 1;
    hd_expr exact =
        hd_expr_binary(g, op, widen(g, a, is_signed, wide), widen(g, b, is_signed, wide));
    uint64_t most = hd_mask(is_signed ? width - 1 : width), least = is_signed ? ~most : 0;
    hd_op below = is_signed ? HD_OP_SLT : HD_OP_ULT;
    hd_expr above = hd_expr_binary(g, below, hd_expr_const(g, wide, most), exact);
    hd_expr under = hd_expr_binary(g, below, exact, hd_expr_const(g, wide, least & hd_mask(wide)));
    return hd_expr_binary(g, HD_OP_OR, above, under);
}

/* At full width: signs of the operands and of the result tell. */
static hd_expr overflow_by_signs(hd_graph *g, hd_op op, bool is_signed, unsigned width, hd_expr a,
                                 hd_expr b) {
    HD_CHECK(op == HD_OP_ADD || op == HD_OP_SUB);
    hd_expr r = hd_expr_binary(g, op, a, b);
    if (!is_signed)
        return op == HD_OP_ADD ? hd_expr_binary(g, HD_OP_ULT, r, a)
                               : hd_expr_binary(g, HD_OP_ULT, a, b);
    hd_expr first =
        op == HD_OP_ADD ? hd_expr_binary(g, HD_OP_XOR, b, r) : hd_expr_binary(g, HD_OP_XOR, a, b);
    hd_expr both = hd_expr_binary(g, HD_OP_AND, hd_expr_binary(g, HD_OP_XOR, a, r), first);
    return hd_expr_binary(g, HD_OP_SLT, both, hd_expr_const(g, width, 0));
}

/* a * b overflows 2w bits worth of operands: dividing the product gives something else. */
static hd_expr overflow_by_division(hd_graph *g, bool is_signed, unsigned width, hd_expr a,
                                    hd_expr b) {
    hd_expr zero = hd_expr_const(g, width, 0), r = hd_expr_binary(g, HD_OP_MUL, a, b);
    hd_expr back = hd_expr_binary(g, is_signed ? HD_OP_SDIV : HD_OP_UDIV, r, a);
    hd_expr differs = hd_expr_not(g, hd_expr_binary(g, HD_OP_EQ, back, b));
    if (is_signed) {
        hd_expr least = hd_expr_const(g, width, UINT64_C(1) << (width - 1));
        hd_expr minus = hd_expr_const(g, width, hd_mask(width));
        hd_expr special = hd_expr_binary(g, HD_OP_AND, hd_expr_binary(g, HD_OP_EQ, a, minus),
                                         hd_expr_binary(g, HD_OP_EQ, b, least));
        differs = hd_expr_binary(g, HD_OP_OR, differs, special);
    }
    hd_expr nonzero = hd_expr_not(g, hd_expr_binary(g, HD_OP_EQ, a, zero));
    return hd_expr_binary(g, HD_OP_AND, nonzero, differs);
}

hd_shadow __hd_slow_overflow(uint32_t op, uint32_t is_signed, uint32_t width, hd_shadow a,
                             hd_shadow b, uint64_t x, uint64_t y) {
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    hd_graph *g = m->graph;
    hd_expr left = hd_expr_of(m, a, width, x), right = hd_expr_of(m, b, width, y);
    /* A constant divisor is easier to reason about than a symbolic one. */
    if (op == HD_OP_MUL && !b) {
        hd_expr swap = left;
        left = right;
        right = swap;
    }
    unsigned wide = op == HD_OP_MUL ? 2 * width : width + 1;
    hd_expr e = wide <= 64        ? overflow_widened(g, op, is_signed, width, left, right)
                : op == HD_OP_MUL ? overflow_by_division(g, is_signed, width, left, right)
                                  : overflow_by_signs(g, op, is_signed, width, left, right);
    return hd_shadow_of(m, e);
}
