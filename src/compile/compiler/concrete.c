/* concrete.c -- values that no input can reach inside their function.
 *
 * A counter that starts at a constant and grows by constants is concrete for ever.  Seen one
 * step at a time it is not: its PHI depends on itself.  So all values are taken for concrete
 * first, and the marks of what may be symbolic (loads, results of calls, arguments) spread
 * until nothing changes.  PHIs without a mark get no twin, and nothing that is computed from
 * them a hook. */
#include "compile/compiler/build.h"

#include <string.h>

bool hd_value_may_be_symbolic(const hd_build *b, LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return true;
    return LLVMIsAInstruction(v) && hd_map_find(&b->symbolic, (uint64_t)(uintptr_t)v);
}

static bool is_intrinsic(LLVMValueRef call) {
    return strncmp(hd_value_name(LLVMGetCalledValue(call)), "llvm.", 5) == 0;
}

static bool is_source(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return false;
    case LLVMCall:
        return !is_intrinsic(i);
    default:
        return !LLVMIsABinaryOperator(i) && !LLVMIsACastInst(i);
    }
}

/* Where an object lies is never an input; a size that is one is decided before (locals.c). */
static bool becomes_symbolic(const hd_build *b, LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i) || hd_is_vector_number(b, i))
        return false;
    if (is_source(i))
        return true;
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (hd_value_may_be_symbolic(b, LLVMGetOperand(i, (unsigned)n)))
            return true;
    return false;
}

static bool has_shadow(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    return hd_type_is_symbolic(type) || hd_type_is_aggregate(type);
}

void hd_concrete_find(hd_build *b, const hd_values *all) {
    bool changed = true;
    hd_map_clear(&b->symbolic);
    while (changed) {
        changed = false;
        for (size_t n = 0; n < all->n; n++) {
            LLVMValueRef i = all->at[n];
            if (has_shadow(i) && !hd_value_may_be_symbolic(b, i) && becomes_symbolic(b, i)) {
                hd_map_put(&b->symbolic, (uint64_t)(uintptr_t)i, 1);
                changed = true;
            }
        }
    }
}
