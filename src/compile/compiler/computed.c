/* computed.c -- shadows of computed values: operators, comparisons, casts, addresses.
 *
 * Nothing is emitted where all operands are known to be concrete.  A comparison `a != b`
 * becomes NOT(a == b), written as an exclusive or with 1; `a > b` becomes `b < a`.  Hooks come
 * before the operation: its operands are in registers then anyway, and its result need not
 * survive a call of the machine. */
#include "base/panic.h"
#include "compile/compiler/build.h"
#include "symbolic/expr.h"

unsigned hd_op_of(LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd:
        return HD_OP_ADD;
    case LLVMSub:
        return HD_OP_SUB;
    case LLVMMul:
        return HD_OP_MUL;
    case LLVMUDiv:
        return HD_OP_UDIV;
    case LLVMSDiv:
        return HD_OP_SDIV;
    case LLVMURem:
        return HD_OP_UREM;
    case LLVMSRem:
        return HD_OP_SREM;
    case LLVMShl:
        return HD_OP_SHL;
    case LLVMLShr:
        return HD_OP_LSHR;
    case LLVMAShr:
        return HD_OP_ASHR;
    case LLVMAnd:
        return HD_OP_AND;
    case LLVMOr:
        return HD_OP_OR;
    case LLVMXor:
        return HD_OP_XOR;
    default:
        return 0;
    }
}

LLVMValueRef hd_emit_binary(hd_build *b, unsigned op, unsigned width, LLVMValueRef sx,
                            LLVMValueRef sy, LLVMValueRef x, LLVMValueRef y) {
    if (hd_shadow_is_zero(sx) && hd_shadow_is_zero(sy))
        return hd_const32(b, 0);
    return hd_emit(b, HD_HOOK_BINARY, hd_const32(b, op), hd_const32(b, width), sx, sy,
                   hd_emit_bits(b, x), hd_emit_bits(b, y));
}

void hd_instrument_binary(hd_build *b, LLVMValueRef i) {
    if (!hd_type_is_symbolic(LLVMTypeOf(i)))
        return;
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    hd_emit_before(b, i);
    hd_shadow_set(b, i,
                  hd_emit_binary(b, hd_op_of(LLVMGetInstructionOpcode(i)),
                                 hd_type_width(LLVMTypeOf(i)), hd_shadow_get(b, x),
                                 hd_shadow_get(b, y), x, y));
}

typedef struct operator_form {
    unsigned op;
    bool is_swapped, is_negated;
} operator_form;

static operator_form comparison_of(LLVMIntPredicate predicate) {
    switch (predicate) {
    case LLVMIntEQ:
        return (operator_form){HD_OP_EQ, false, false};
    case LLVMIntNE:
        return (operator_form){HD_OP_EQ, false, true};
    case LLVMIntUGT:
        return (operator_form){HD_OP_ULT, true, false};
    case LLVMIntUGE:
        return (operator_form){HD_OP_ULE, true, false};
    case LLVMIntULT:
        return (operator_form){HD_OP_ULT, false, false};
    case LLVMIntULE:
        return (operator_form){HD_OP_ULE, false, false};
    case LLVMIntSGT:
        return (operator_form){HD_OP_SLT, true, false};
    case LLVMIntSGE:
        return (operator_form){HD_OP_SLE, true, false};
    case LLVMIntSLT:
        return (operator_form){HD_OP_SLT, false, false};
    case LLVMIntSLE:
        return (operator_form){HD_OP_SLE, false, false};
    }
    HD_BUG("unknown predicate %d", (int)predicate);
}

void hd_instrument_compare(hd_build *b, LLVMValueRef i) {
    operator_form c = comparison_of(LLVMGetICmpPredicate(i));
    LLVMValueRef x = LLVMGetOperand(i, c.is_swapped), y = LLVMGetOperand(i, !c.is_swapped);
    if (!hd_type_is_symbolic(LLVMTypeOf(x)))
        return;
    hd_emit_before(b, i);
    LLVMValueRef shadow = hd_emit_binary(b, c.op, hd_type_width(LLVMTypeOf(x)), hd_shadow_get(b, x),
                                         hd_shadow_get(b, y), x, y);
    if (c.is_negated && !hd_shadow_is_zero(shadow)) {
        LLVMValueRef one = LLVMConstInt(b->i1, 1, false);
        shadow = hd_emit_binary(b, HD_OP_XOR, 1, shadow, hd_const32(b, 0),
                                LLVMBuildICmp(b->builder, LLVMIntEQ, x, y, ""), one);
    }
    hd_shadow_set(b, i, shadow);
}

static unsigned cast_kind(LLVMOpcode opcode, unsigned from, unsigned to) {
    if (opcode == LLVMSExt)
        return HD_CAST_SEXT;
    return to < from ? HD_CAST_TRUNC : HD_CAST_ZEXT;
}

/* Integers and pointers into each other.  Pointers have 64 bits. */
static void cast_symbolic(hd_build *b, LLVMValueRef i, LLVMValueRef x) {
    unsigned from = hd_type_width(LLVMTypeOf(x)), to = hd_type_width(LLVMTypeOf(i));
    LLVMValueRef shadow = hd_shadow_get(b, x);
    if (from == to || hd_shadow_is_zero(shadow)) {
        hd_shadow_set(b, i, shadow);
        return;
    }
    unsigned kind = cast_kind(LLVMGetInstructionOpcode(i), from, to);
    hd_emit_before(b, i);
    hd_shadow_set(b, i,
                  hd_emit(b, HD_HOOK_CAST, hd_const32(b, kind), hd_const32(b, from),
                          hd_const32(b, to), shadow, hd_emit_bits(b, x)));
}

static const char *reason_of_type(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return "integer of more than 64 bits";
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return "vector operation";
    case LLVMPointerTypeKind:
        return "address space";
    default:
        return "floating-point conversion";
    }
}

void hd_instrument_cast(hd_build *b, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0);
    if (!hd_type_is_symbolic(LLVMTypeOf(x)))
        return;
    if (hd_type_is_symbolic(LLVMTypeOf(i))) {
        cast_symbolic(b, i, x);
        return;
    }
    hd_emit_before(b, i);
    hd_emit_concrete(b, x, reason_of_type(LLVMTypeOf(i)), i);
}

static LLVMValueRef leaf_value(hd_build *b, LLVMValueRef v, const hd_leaf *leaf) {
    for (unsigned d = 0; d < leaf->depth; d++)
        v = LLVMBuildExtractValue(b->builder, v, leaf->path[d], "");
    return v;
}

static void select_leaf(hd_build *b, LLVMValueRef i, unsigned n) {
    hd_leaf leaf = hd_type_leaf(b, LLVMTypeOf(i), n);
    LLVMValueRef condition = LLVMGetOperand(i, 0), x = LLVMGetOperand(i, 1),
                 y = LLVMGetOperand(i, 2);
    LLVMValueRef sc = hd_shadow_get(b, condition), sx = hd_shadow_leaf(b, x, n),
                 sy = hd_shadow_leaf(b, y, n);
    if (!hd_type_is_symbolic(leaf.type)) {
        hd_emit_concrete(b, condition, "choice between values that are not integers", i);
        return;
    }
    if (hd_shadow_is_zero(sc) && hd_shadow_is_zero(sx) && hd_shadow_is_zero(sy))
        return;
    LLVMValueRef shadow =
        hd_emit(b, HD_HOOK_SELECT, hd_const32(b, hd_type_width(leaf.type)), sc, sx, sy,
                LLVMBuildZExt(b->builder, condition, b->i32, ""),
                hd_emit_bits(b, leaf_value(b, x, &leaf)), hd_emit_bits(b, leaf_value(b, y, &leaf)));
    hd_shadow_set_leaf(b, i, n, shadow);
}

void hd_instrument_select(hd_build *b, LLVMValueRef i) {
    if (!hd_type_is_symbolic(LLVMTypeOf(LLVMGetOperand(i, 0))) || hd_is_vector_number(b, i))
        return;
    hd_emit_before(b, i);
    for (unsigned n = 0; n < hd_type_n_leaves(LLVMTypeOf(i)); n++)
        select_leaf(b, i, n);
}

/* -- Addresses ----------------------------------------------------------------------------- */

typedef struct indexed {
    LLVMValueRef shadow, value; /* value: 64 bits, of what `shadow` stands for */
    uint64_t constant;          /* still to be added */
} indexed;

static bool add_index(hd_build *b, indexed *a, LLVMValueRef index, uint64_t scale) {
    if (LLVMIsAConstantInt(index)) {
        a->constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        return true;
    }
    if (!hd_type_is_symbolic(LLVMTypeOf(index)))
        return false;
    LLVMValueRef shadow = hd_shadow_get(b, index);
    if (!hd_shadow_is_zero(shadow) || !hd_shadow_is_zero(a->shadow))
        a->shadow = hd_emit(b, HD_HOOK_INDEX, a->shadow, shadow, a->value, hd_emit_bits(b, index),
                            hd_const32(b, hd_type_width(LLVMTypeOf(index))), hd_const64(b, scale));
    LLVMValueRef wide = LLVMBuildIntCast2(b->builder, index, b->i64, true, "");
    wide = LLVMBuildMul(b->builder, wide, hd_const64(b, scale), "");
    a->value = LLVMBuildAdd(b->builder, a->value, wide, "");
    return true;
}

static bool add_indices(hd_build *b, LLVMValueRef i, indexed *a) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    for (unsigned k = 1; k < n; k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            a->constant += LLVMOffsetOfElement(b->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        if (!add_index(b, a, index, LLVMABISizeOfType(b->layout, type)))
            return false;
    }
    return true;
}

/* base + sum of index * scale + constant; the constant comes last, so that it costs one node. */
void hd_instrument_index(hd_build *b, LLVMValueRef i) {
    LLVMValueRef base = LLVMGetOperand(i, 0);
    hd_emit_before(b, i);
    if (!hd_type_is_symbolic(LLVMTypeOf(i))) {
        hd_emit_concrete(b, base, "vector of addresses", i);
        return;
    }
    indexed a = {hd_shadow_get(b, base), hd_emit_bits(b, base), 0};
    if (!add_indices(b, i, &a))
        return;
    if (a.constant && !hd_shadow_is_zero(a.shadow)) {
        a.shadow = hd_emit(b, HD_HOOK_INDEX, a.shadow, hd_const32(b, 0), a.value,
                           hd_const64(b, a.constant), hd_const32(b, 64), hd_const64(b, 1));
    }
    hd_shadow_set(b, i, a.shadow);
}

/* -- Aggregates ---------------------------------------------------------------------------- */

/* Number of the first leaf below the index path of an extractvalue or insertvalue. */
static unsigned first_leaf(LLVMValueRef i, LLVMTypeRef type) {
    const unsigned *path = LLVMGetIndices(i);
    unsigned first = 0;
    for (unsigned d = 0; d < LLVMGetNumIndices(i); d++) {
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            first += path[d] * hd_type_n_leaves(type);
            continue;
        }
        for (unsigned k = 0; k < path[d]; k++)
            first += hd_type_n_leaves(LLVMStructGetTypeAtIndex(type, k));
        type = LLVMStructGetTypeAtIndex(type, path[d]);
    }
    return first;
}

void hd_instrument_extract(hd_build *b, LLVMValueRef i) {
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned first = first_leaf(i, LLVMTypeOf(from));
    for (unsigned n = 0; n < hd_type_n_leaves(LLVMTypeOf(i)); n++)
        hd_shadow_set_leaf(b, i, n, hd_shadow_leaf(b, from, first + n));
}

void hd_instrument_insert(hd_build *b, LLVMValueRef i) {
    LLVMValueRef into = LLVMGetOperand(i, 0), part = LLVMGetOperand(i, 1);
    unsigned first = first_leaf(i, LLVMTypeOf(into));
    unsigned n_part = hd_type_n_leaves(LLVMTypeOf(part));
    for (unsigned n = 0; n < hd_type_n_leaves(LLVMTypeOf(i)); n++)
        hd_shadow_set_leaf(b, i, n,
                           n >= first && n < first + n_part ? hd_shadow_leaf(b, part, n - first)
                                                            : hd_shadow_leaf(b, into, n));
}
