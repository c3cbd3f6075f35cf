/* access_hooks.c -- hooks before every access of memory (A5): loads, stores, atomics, block moves.
 */
#include "compile/compiler/build.h"
#include "program/abi.h"
#include "symbolic/expr.h"

#include <string.h>

/* Copies up to this size are checked by the fast path itself. */
#define SMALL_BLOCK 64

static uint64_t store_size(hd_build *b, LLVMTypeRef type) {
    return LLVMStoreSizeOfType(b->layout, type);
}

/* p + offset with its shadow. */
static LLVMValueRef leaf_address(hd_build *b, LLVMValueRef p, uint64_t offset,
                                 LLVMValueRef *shadow) {
    *shadow = hd_shadow_get(b, p);
    if (offset == 0)
        return p;
    LLVMValueRef at = hd_const64(b, offset);
    if (!hd_shadow_is_zero(*shadow))
        *shadow = hd_emit(b, HD_HOOK_INDEX, *shadow, hd_const32(b, 0), hd_emit_bits(b, p), at,
                          hd_const32(b, 64), hd_const64(b, 1));
    return LLVMBuildGEP2(b->builder, b->i8, p, &at, 1, "");
}

static void emit_access(hd_build *b, LLVMValueRef p, LLVMValueRef shadow, uint64_t size,
                        bool is_store, LLVMValueRef where) {
    LLVMValueRef unclean = hd_emit_access_unclean(b, p, size, is_store);
    if (unclean)
        hd_emit(b, HD_HOOK_ACCESS_INSIDE, unclean, p, shadow, hd_const32(b, size),
                hd_const32(b, is_store), hd_site_of(b, where));
    else
        hd_emit(b, HD_HOOK_ACCESS, p, shadow, hd_const32(b, size), hd_const32(b, is_store),
                hd_site_of(b, where));
}

static LLVMValueRef emit_load(hd_build *b, LLVMValueRef p, LLVMValueRef shadow, LLVMTypeRef type,
                              LLVMValueRef where) {
    uint64_t size = store_size(b, type);
    LLVMValueRef width = hd_const32(b, hd_type_width(type)), site = hd_site_of(b, where);
    LLVMValueRef unclean = hd_emit_access_unclean(b, p, size, false);
    if (unclean)
        return hd_emit(b, HD_HOOK_LOAD_INSIDE, unclean, p, shadow, hd_const32(b, size), width,
                       site);
    return hd_emit(b, HD_HOOK_LOAD, p, shadow, hd_const32(b, size), width, site);
}

static void emit_store(hd_build *b, LLVMValueRef p, LLVMValueRef shadow, LLVMValueRef value,
                       LLVMValueRef value_shadow, LLVMValueRef where) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef bits = hd_emit_bits(b, value), site = hd_site_of(b, where), unclean;
    uint64_t size = store_size(b, type), width = hd_type_width(type);
    if (b->is_aside)
        hd_emit(b, HD_HOOK_STORE_ASIDE, p, hd_emit_shadows(b, shadow, value_shadow), bits,
                hd_const64(b, LLVMConstIntGetZExtValue(site) << 32 | width << 8 | size));
    else if ((unclean = hd_emit_access_unclean(b, p, size, true)))
        hd_emit(b, HD_HOOK_STORE_INSIDE, unclean, p, shadow, value_shadow, bits,
                hd_const32(b, size), hd_const32(b, width), site);
    else
        hd_emit(b, HD_HOOK_STORE, p, shadow, value_shadow, bits, hd_const32(b, size),
                hd_const32(b, width), site);
}

void hd_instrument_load(hd_build *b, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    hd_emit_before(b, i);
    hd_shared_access(b, i);
    for (unsigned n = 0; n < hd_type_n_leaves(type); n++) {
        hd_leaf leaf = hd_type_leaf(b, type, n);
        LLVMValueRef shadow, p = leaf_address(b, LLVMGetOperand(i, 0), leaf.offset, &shadow);
        if (hd_type_is_symbolic(leaf.type))
            hd_shadow_set_leaf(b, i, n, emit_load(b, p, shadow, leaf.type, i));
        else
            emit_access(b, p, shadow, store_size(b, leaf.type), false, i);
    }
}

static LLVMValueRef extract_leaf(hd_build *b, LLVMValueRef v, const hd_leaf *leaf) {
    for (unsigned d = 0; d < leaf->depth; d++)
        v = LLVMBuildExtractValue(b->builder, v, leaf->path[d], "");
    return v;
}

void hd_instrument_store(hd_build *b, LLVMValueRef i) {
    LLVMValueRef value = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    hd_emit_before(b, i);
    hd_shared_access(b, i);
    if (hd_store_is_pattern(b, i))
        return;
    for (unsigned n = 0; n < hd_type_n_leaves(type); n++) {
        hd_leaf leaf = hd_type_leaf(b, type, n);
        LLVMValueRef shadow, p = leaf_address(b, LLVMGetOperand(i, 1), leaf.offset, &shadow);
        if (hd_type_is_symbolic(leaf.type))
            emit_store(b, p, shadow, extract_leaf(b, value, &leaf), hd_shadow_leaf(b, value, n), i);
        else
            emit_access(b, p, shadow, store_size(b, leaf.type), true, i);
    }
}

/* -- Atomics ------------------------------------------------------------------------------- */

typedef struct update {
    LLVMValueRef value, shadow;
} update;

static update combine(hd_build *b, unsigned op, LLVMOpcode opcode, update x, update y) {
    unsigned width = hd_type_width(LLVMTypeOf(x.value));
    return (update){LLVMBuildBinOp(b->builder, opcode, x.value, y.value, ""),
                    hd_emit_binary(b, op, width, x.shadow, y.shadow, x.value, y.value)};
}

static update choose_extreme(hd_build *b, const char *name, LLVMIntPredicate predicate, update x,
                             update y, LLVMValueRef where) {
    LLVMValueRef zero = hd_const64(b, 0), none = hd_const32(b, 0);
    LLVMValueRef keep = LLVMBuildICmp(b->builder, predicate, x.value, y.value, "");
    LLVMValueRef shadow =
        hd_emit(b, HD_HOOK_INTRINSIC, hd_emit_string(b, name),
                hd_const32(b, hd_type_width(LLVMTypeOf(x.value))), x.shadow, y.shadow, none,
                hd_emit_bits(b, x.value), hd_emit_bits(b, y.value), zero, hd_site_of(b, where));
    return (update){LLVMBuildSelect(b->builder, keep, x.value, y.value, ""), shadow};
}

/* What memory holds after the operation; a NULL value if that is not modelled. */
static update updated(hd_build *b, LLVMValueRef i, update old, update by) {
    LLVMValueRef ones = LLVMConstAllOnes(LLVMTypeOf(by.value));
    update all = {ones, hd_const32(b, 0)};
    switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpXchg:
        return by;
    case LLVMAtomicRMWBinOpAdd:
        return combine(b, HD_OP_ADD, LLVMAdd, old, by);
    case LLVMAtomicRMWBinOpSub:
        return combine(b, HD_OP_SUB, LLVMSub, old, by);
    case LLVMAtomicRMWBinOpAnd:
        return combine(b, HD_OP_AND, LLVMAnd, old, by);
    case LLVMAtomicRMWBinOpOr:
        return combine(b, HD_OP_OR, LLVMOr, old, by);
    case LLVMAtomicRMWBinOpXor:
        return combine(b, HD_OP_XOR, LLVMXor, old, by);
    case LLVMAtomicRMWBinOpNand:
        return combine(b, HD_OP_XOR, LLVMXor, combine(b, HD_OP_AND, LLVMAnd, old, by), all);
    case LLVMAtomicRMWBinOpMax:
        return choose_extreme(b, "smax", LLVMIntSGE, old, by, i);
    case LLVMAtomicRMWBinOpMin:
        return choose_extreme(b, "smin", LLVMIntSLE, old, by, i);
    case LLVMAtomicRMWBinOpUMax:
        return choose_extreme(b, "umax", LLVMIntUGE, old, by, i);
    case LLVMAtomicRMWBinOpUMin:
        return choose_extreme(b, "umin", LLVMIntULE, old, by, i);
    default:
        return (update){NULL, NULL};
    }
}

/* A load and a store in one; the old value is read ahead to compute the new shadow. */
void hd_instrument_rmw(hd_build *b, LLVMValueRef i) {
    LLVMValueRef p = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
    LLVMValueRef address = hd_shadow_get(b, p);
    LLVMTypeRef type = LLVMTypeOf(operand);
    hd_emit_before(b, i);
    hd_shared_access(b, i);
    if (!hd_type_is_symbolic(type)) {
        emit_access(b, p, address, store_size(b, type), true, i);
        return;
    }
    update old = {NULL, emit_load(b, p, address, type, i)};
    old.value = LLVMBuildLoad2(b->builder, type, p, "");
    update new = updated(b, i, old, (update){operand, hd_shadow_get(b, operand)});
    if (new.value)
        emit_store(b, p, address, new.value, new.shadow, i);
    else
        emit_access(b, p, address, store_size(b, type), true, i);
    hd_shadow_set(b, i, old.shadow);
}

void hd_instrument_cmpxchg(hd_build *b, LLVMValueRef i) {
    LLVMValueRef p = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1),
                 desired = LLVMGetOperand(i, 2);
    LLVMTypeRef type = LLVMTypeOf(expected);
    hd_emit_before(b, i);
    hd_shared_access(b, i);
    if (!hd_type_is_symbolic(type)) {
        emit_access(b, p, hd_shadow_get(b, p), store_size(b, type), true, i);
        return;
    }
    LLVMValueRef old =
        hd_emit(b, HD_HOOK_CMPXCHG, p, hd_shadow_get(b, p), hd_shadow_get(b, expected),
                hd_emit_bits(b, expected), hd_shadow_get(b, desired), hd_emit_bits(b, desired),
                hd_const32(b, hd_type_width(type)), hd_site_of(b, i));
    hd_shadow_set_leaf(b, i, 0, old);
}

/* -- Blocks -------------------------------------------------------------------------------- */

static bool is_small(LLVMValueRef n) {
    return LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) <= SMALL_BLOCK;
}

static void emit_copy(hd_build *b, LLVMValueRef to, LLVMValueRef from, LLVMValueRef n,
                      LLVMValueRef where) {
    LLVMValueRef st = hd_shadow_get(b, to), sf = hd_shadow_get(b, from),
                 site = hd_site_of(b, where);
    if (is_small(n))
        hd_emit(b, HD_HOOK_COPY, to, st, from, sf, n, site);
    else
        hd_emit(b, HD_HOOK_MEMCPY, to, st, from, sf, n, hd_shadow_get(b, n), site);
}

static LLVMValueRef wide(hd_build *b, LLVMValueRef n) {
    return LLVMTypeOf(n) == b->i64 ? n : LLVMBuildZExt(b->builder, n, b->i64, "");
}

/* llvm.memcpy, memmove and memset: (to, from or byte, size, is_volatile). */
void hd_instrument_memory_intrinsic(hd_build *b, LLVMValueRef i, bool is_set) {
    LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
    hd_emit_before(b, i);
    LLVMValueRef n = wide(b, LLVMGetOperand(i, 2)), sn = hd_shadow_get(b, LLVMGetOperand(i, 2));
    if (LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) == 0)
        return;
    hd_shared_block(b, i, n);
    if (!is_set && is_small(n)) {
        emit_copy(b, to, from, n, i);
    } else if (!is_set) {
        hd_emit(b, HD_HOOK_MEMCPY, to, hd_shadow_get(b, to), from, hd_shadow_get(b, from), n, sn,
                hd_site_of(b, i));
    } else if (is_small(n)) {
        hd_emit(b, HD_HOOK_FILL, to, hd_shadow_get(b, to), hd_shadow_get(b, from),
                hd_emit_bits(b, from), n, hd_site_of(b, i));
    } else {
        hd_emit(b, HD_HOOK_MEMSET, to, hd_shadow_get(b, to), hd_shadow_get(b, from),
                hd_emit_bits(b, from), n, sn, hd_site_of(b, i));
    }
}

void hd_instrument_va_copy(hd_build *b, LLVMValueRef i) {
    hd_emit_before(b, i);
    emit_copy(b, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), hd_const64(b, 24), i);
}
