/* Integer intrinsics of LLVM in terms of the graph's operations. */
#include "machine/values/values.h"

typedef struct operands {
    hd_graph *g;
    unsigned width;
    hd_expr a, b, c;
} operands;

static hd_expr constant(const operands *o, uint64_t value) {
    return hd_expr_const(o->g, o->width, value);
}

static hd_expr op(const operands *o, hd_op which, hd_expr a, hd_expr b) {
    return hd_expr_binary(o->g, which, a, b);
}

static hd_expr bit(const operands *o, unsigned i) {
    HD_ASSERT(i < o->width);
    return hd_expr_extract(o->g, o->a, i, 1);
}

static hd_expr count_ones(const operands *o) {
    hd_expr sum = constant(o, 0);
    for (unsigned i = 0; i < o->width; i++)
        sum = op(o, HD_OP_ADD, sum,
                 o->width == 1 ? bit(o, i) : hd_expr_zext(o->g, bit(o, i), o->width));
    return sum;
}

/* The place of the first one, seen from the bit that comes last in the chain. */
static hd_expr leading_zeros(const operands *o) {
    hd_expr e = constant(o, o->width);
    for (unsigned i = 0; i < o->width; i++)
        e = hd_expr_ite(o->g, bit(o, i), constant(o, o->width - 1 - i), e);
    return e;
}

static hd_expr trailing_zeros(const operands *o) {
    hd_expr e = constant(o, o->width);
    for (unsigned i = o->width; i-- > 0;)
        e = hd_expr_ite(o->g, bit(o, i), constant(o, i), e);
    return e;
}

static hd_expr reverse(const operands *o, unsigned piece) {
    HD_ASSERT(o->width % piece == 0);
    hd_expr e = hd_expr_extract(o->g, o->a, 0, piece);
    for (unsigned i = piece; i < o->width; i += piece)
        e = hd_expr_concat(o->g, e, hd_expr_extract(o->g, o->a, i, piece));
    return e;
}

static hd_expr swap_bytes(const operands *o) {
    return reverse(o, 8);
}

static hd_expr reverse_bits(const operands *o) {
    return reverse(o, 1);
}

static hd_expr absolute(const operands *o) {
    hd_expr zero = constant(o, 0);
    return hd_expr_ite(o->g, op(o, HD_OP_SLT, o->a, zero), op(o, HD_OP_SUB, zero, o->a), o->a);
}

static hd_expr pick(const operands *o, hd_op less, bool smaller) {
    hd_expr condition = op(o, less, o->a, o->b);
    return hd_expr_ite(o->g, condition, smaller ? o->a : o->b, smaller ? o->b : o->a);
}

static hd_expr signed_max(const operands *o) {
    return pick(o, HD_OP_SLT, false);
}

static hd_expr signed_min(const operands *o) {
    return pick(o, HD_OP_SLT, true);
}

static hd_expr unsigned_max(const operands *o) {
    return pick(o, HD_OP_ULT, false);
}

static hd_expr unsigned_min(const operands *o) {
    return pick(o, HD_OP_ULT, true);
}

/* fshl(a, b, c): the high half of a:b shifted left by c modulo the width. */
static hd_expr funnel(const operands *o, bool left) {
    hd_expr width = constant(o, o->width), zero = constant(o, 0);
    hd_expr n = op(o, HD_OP_UREM, o->c, width), rest = op(o, HD_OP_SUB, width, n);
    hd_expr high = op(o, HD_OP_SHL, o->a, left ? n : rest);
    hd_expr low = op(o, HD_OP_LSHR, o->b, left ? rest : n);
    return hd_expr_ite(o->g, op(o, HD_OP_EQ, n, zero), left ? o->a : o->b,
                       op(o, HD_OP_OR, high, low));
}

static hd_expr funnel_left(const operands *o) {
    return funnel(o, true);
}

static hd_expr funnel_right(const operands *o) {
    return funnel(o, false);
}

static hd_expr saturated_unsigned(const operands *o, hd_op which) {
    hd_expr r = op(o, which, o->a, o->b);
    if (which == HD_OP_ADD)
        return hd_expr_ite(o->g, op(o, HD_OP_ULT, r, o->a), constant(o, hd_mask(o->width)), r);
    return hd_expr_ite(o->g, op(o, HD_OP_ULT, o->a, o->b), constant(o, 0), r);
}

static hd_expr saturated_signed(const operands *o, hd_op which) {
    hd_expr r = op(o, which, o->a, o->b), zero = constant(o, 0);
    hd_expr second = which == HD_OP_ADD ? op(o, HD_OP_XOR, o->b, r) : op(o, HD_OP_XOR, o->a, o->b);
    hd_expr both = op(o, HD_OP_AND, op(o, HD_OP_XOR, o->a, r), second);
    uint64_t least = UINT64_C(1) << (o->width - 1);
    hd_expr limit =
        hd_expr_ite(o->g, op(o, HD_OP_SLT, o->a, zero), constant(o, least), constant(o, least - 1));
    return hd_expr_ite(o->g, op(o, HD_OP_SLT, both, zero), limit, r);
}

static hd_expr signed_add_saturated(const operands *o) {
    return saturated_signed(o, HD_OP_ADD);
}

static hd_expr signed_subtract_saturated(const operands *o) {
    return saturated_signed(o, HD_OP_SUB);
}

static hd_expr unsigned_add_saturated(const operands *o) {
    return saturated_unsigned(o, HD_OP_ADD);
}

static hd_expr unsigned_subtract_saturated(const operands *o) {
    return saturated_unsigned(o, HD_OP_SUB);
}

static const struct intrinsic {
    const char *name;
    hd_expr (*build)(const operands *o);
} intrinsics[] = {
    {"ctpop", count_ones},
    {"ctlz", leading_zeros},
    {"cttz", trailing_zeros},
    {"bswap", swap_bytes},
    {"bitreverse", reverse_bits},
    {"abs", absolute},
    {"smax", signed_max},
    {"smin", signed_min},
    {"umax", unsigned_max},
    {"umin", unsigned_min},
    {"fshl", funnel_left},
    {"fshr", funnel_right},
    {"sadd.sat", signed_add_saturated},
    {"uadd.sat", unsigned_add_saturated},
    {"ssub.sat", signed_subtract_saturated},
    {"usub.sat", unsigned_subtract_saturated},
};

/* Operands of another width (the flag of ctlz and abs) are not part of the value. */
static hd_expr operand(hd_machine *m, hd_shadow s, unsigned width, uint64_t value) {
    if (s && hd_expr_width(m->graph, s) != width)
        return hd_expr_const(m->graph, width, value);
    return hd_expr_of(m, s, width, value);
}

hd_shadow __hd_slow_intrinsic(const char *name, uint32_t width, hd_shadow a, hd_shadow b,
                              hd_shadow c, uint64_t x, uint64_t y, uint64_t z, uint32_t site) {
    hd_machine *m = hd_enter();
    if (m->execution.is_concrete)
        return HD_NONE;
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strcmp(intrinsics[i].name, name) == 0) {
            operands o = {m->graph, width, operand(m, a, width, x), operand(m, b, width, y),
                          operand(m, c, width, z)};
            hd_expr e = intrinsics[i].build(&o);
            HD_ASSERT(hd_expr_width(m->graph, e) == width);
            return hd_shadow_of(m, e);
        }
    hd_approximate(m, site, "intrinsic '%.60s'", name);
    return HD_NONE;
}
