/* gather.c -- loads of a block that stand next to each other share one question.
 *
 * Most time of concrete loops goes into asking whether loaded bytes are symbolic.  Where
 * nothing is written between two loads, the address of the second can be computed before the
 * first; then one hook asks for both. */
#include "compile/compiler/build.h"

#define MAX_MOVED 8

static bool is_movable(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMGetElementPtr || op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc ||
           op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMAnd || op == LLVMOr ||
           op == LLVMXor || op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
}

static bool is_simple_load(LLVMValueRef i) {
    return LLVMIsALoadInst(i) && hd_type_is_symbolic(LLVMTypeOf(i)) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static bool uses(LLVMValueRef i, LLVMValueRef v) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (LLVMGetOperand(i, (unsigned)n) == v)
            return true;
    return false;
}

/* The next simple load behind `first` with only movable instructions between that do not need
 * `first`; they are listed. */
static LLVMValueRef find_second(LLVMValueRef first, hd_values *between) {
    LLVMValueRef i = LLVMGetNextInstruction(first);
    hd_vec_clear(between);
    for (; i && between->n <= MAX_MOVED; i = LLVMGetNextInstruction(i)) {
        if (uses(i, first))
            return NULL;
        if (is_simple_load(i))
            return i;
        if (!is_movable(i))
            return NULL;
        hd_vec_push(between, i);
    }
    return NULL;
}

static void move_before(hd_build *b, LLVMValueRef i, LLVMValueRef place) {
    LLVMInstructionRemoveFromParent(i);
    LLVMPositionBuilderBefore(b->builder, place);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(i));
    LLVMInsertIntoBuilder(b->builder, i);
}

void hd_loads_gather(hd_build *b, LLVMBasicBlockRef block) {
    hd_values between = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef second = is_simple_load(i) ? find_second(i, &between) : NULL;
        if (!second)
            continue;
        for (size_t n = 0; n < between.n; n++)
            move_before(b, between.at[n], i);
        i = second;
    }
    hd_vec_release(&between);
}

bool hd_loads_are_pair(LLVMValueRef first, LLVMValueRef second) {
    return second && is_simple_load(first) && is_simple_load(second) && !uses(second, first);
}
