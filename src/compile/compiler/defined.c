/* defined.c -- operations that C leaves undefined get the result that the processor makes.
 *
 * A check that fails is told, and the execution goes on (machine/values/ubsan.c).  LLVM thinks of what
 * follows as it likes: the result of a shift by 40 bits is poison to it, and so is all that depends
 * on that.  Right after clang, before any pass, such operations are rewritten: shifts take the low
 * bits of their amount, as on x86; sums have no flag that promises them not to wrap; a conversion
 * of a float that does not fit is frozen.  A division without a result ends the execution.
 *
 * What clang computes for a check only where another one holds becomes a select, so that
 * executions are asked the same whatever the answers are (explore/inputs/tree.h). */
#include "compile/compiler/build.h"

#include <stdio.h>
#include <string.h>

/* -- Operations ------------------------------------------------------------------------------- */

static bool is_shift(LLVMOpcode op) {
    return op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
}

/* The width of the integers that are shifted, if it is one whose amounts have a mask; else 0. */
static unsigned shift_width(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return 0;
    unsigned width = LLVMGetIntTypeWidth(type);
    return width & (width - 1) ? 0 : width;
}

static void mask_amount(hd_build *b, LLVMValueRef i) {
    LLVMValueRef amount = LLVMGetOperand(i, 1);
    unsigned width = shift_width(i);
    bool is_small = LLVMIsAConstantInt(amount) && LLVMConstIntGetZExtValue(amount) < width;
    if (!width || is_small)
        return;
    LLVMValueRef mask = LLVMConstInt(LLVMTypeOf(amount), width - 1, false);
    LLVMPositionBuilderBefore(b->builder, i);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(i));
    LLVMSetOperand(i, 1, LLVMBuildAnd(b->builder, amount, mask, ""));
}

static void drop_flags(LLVMValueRef i, LLVMOpcode op) {
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl)
        return;
    LLVMSetNSW(i, false);
    LLVMSetNUW(i, false);
}

static void freeze(hd_build *b, LLVMValueRef i) {
    LLVMPositionBuilderBefore(b->builder, LLVMGetNextInstruction(i));
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef kept = LLVMBuildFreeze(b->builder, i, "");
    LLVMReplaceAllUsesWith(i, kept);
    LLVMSetOperand(kept, 0, i);
}

static void define_operation(hd_build *b, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (is_shift(op))
        mask_amount(b, i);
    if (op == LLVMFPToSI || op == LLVMFPToUI)
        freeze(b, i);
    drop_flags(i, op);
}

static void define_operations(hd_build *b, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        define_operation(b, i);
    }
}

/* -- Checks ------------------------------------------------------------------------------------ */

static bool is_of_check(LLVMValueRef i) {
    unsigned mark = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), "nosanitize", 10);
    return LLVMGetMetadata(i, mark) != NULL;
}

static bool is_pure(LLVMValueRef i) {
    return LLVMIsABinaryOperator(i) || LLVMIsAICmpInst(i) || LLVMIsACastInst(i);
}

/* The block only computes something for `to`, and is entered from one place. */
static bool is_aside(LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
    LLVMValueRef i = LLVMGetFirstInstruction(block), end = LLVMGetBasicBlockTerminator(block);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    for (; i != end; i = LLVMGetNextInstruction(i))
        if (!is_pure(i) || !is_of_check(i))
            return false;
    return use && !LLVMGetNextUse(use) && LLVMIsABranchInst(end) && !LLVMIsConditional(end) &&
           LLVMGetSuccessor(end, 0) == to;
}

/* phi [here: x], [aside: y]  ->  select c, y, x */
static void select_phis(hd_build *b, LLVMBasicBlockRef to, LLVMBasicBlockRef aside,
                        LLVMValueRef end) {
    for (LLVMValueRef phi; LLVMIsAPHINode(phi = LLVMGetFirstInstruction(to));) {
        unsigned other = LLVMGetIncomingBlock(phi, 0) == aside ? 0 : 1;
        LLVMPositionBuilderBefore(b->builder, end);
        LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(end));
        LLVMValueRef chosen =
            LLVMBuildSelect(b->builder, LLVMGetCondition(end), LLVMGetIncomingValue(phi, other),
                            LLVMGetIncomingValue(phi, !other), "");
        LLVMReplaceAllUsesWith(phi, chosen);
        LLVMInstructionEraseFromParent(phi);
    }
}

static bool merges_two(LLVMBasicBlockRef block) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    return LLVMIsAPHINode(phi) && LLVMCountIncoming(phi) == 2;
}

/*     br c, aside, to;  aside: y = ...; br to;  to: phi   ->   y = ...; select; br to */
static void flatten(hd_build *b, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !is_of_check(end))
        return;
    LLVMBasicBlockRef aside = LLVMGetSuccessor(end, 0), to = LLVMGetSuccessor(end, 1);
    if (aside == to || !merges_two(to) || !is_aside(aside, to))
        return;
    for (LLVMValueRef i; !LLVMIsATerminatorInst(i = LLVMGetFirstInstruction(aside));) {
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(b->builder, end);
        LLVMInsertIntoBuilder(b->builder, i);
    }
    select_phis(b, to, aside, end);
    LLVMPositionBuilderBefore(b->builder, end);
    LLVMBuildBr(b->builder, to);
    LLVMInstructionEraseFromParent(end);
    LLVMDeleteBasicBlock(aside);
}

void hd_check_end(hd_build *b, const char *name) {
    char ending[80];
    LLVMValueRef handler = LLVMGetNamedFunction(b->module, name);
    snprintf(ending, sizeof ending, "%s_abort", name);
    if (!handler)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(handler); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));
        LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
        LLVMPositionBuilderAtEnd(b->builder, block);
        LLVMSetCurrentDebugLocation2(b->builder, NULL);
        LLVMBuildUnreachable(b->builder);
    }
    LLVMValueRef known = LLVMGetNamedFunction(b->module, ending);
    if (known)
        LLVMReplaceAllUsesWith(handler, known);
    else
        LLVMSetValueName2(handler, ending, strlen(ending));
}

void hd_undefined_define(hd_build *b) {
    hd_check_end(b, "__ubsan_handle_divrem_overflow");
    hd_check_end(b, "__ubsan_handle_vla_bound_not_positive");
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            define_operations(b, block);
            flatten(b, block);
        }
}
