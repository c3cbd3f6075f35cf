/* idle_checks.c -- checks that hold whatever happens: gone before any pass sees them.
 *
 * clang writes the check of `x / 7` as a branch on `true`.  A branch is cheap, but gvn splits an
 * edge for each one, and brings the tree of dominators up to date each time: in a function of
 * 2,000 such divisions that took 47 of 55 seconds.  What is left is the way that goes on; a check
 * that fails whatever happens stays, for its finding.
 *
 * Functions with few of them stay as they are: there it costs little, and blocks that become
 * longer have other groups (group.c), with which the kernel of matrices looked slower. */
#include "compile/compiler/build.h"

#define MANY 50 /* in one function */

static bool starts_with_phi(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

/* A handler that several checks lead to has lost one of them, and nothing asks where it came from.
 */
static bool can_lose_check(LLVMBasicBlockRef handler) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(handler);
    if (!hd_block_is_handler(handler) || starts_with_phi(handler))
        return false;
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
        if (starts_with_phi(LLVMGetSuccessor(end, n)))
            return false;
    return true;
}

/* clang folds constants, but not `x != INT_MIN || true`. */
static bool is_known(LLVMValueRef condition, bool value) {
    if (LLVMIsAConstantInt(condition))
        return LLVMConstIntGetZExtValue(condition) == value;
    LLVMOpcode op =
        LLVMIsABinaryOperator(condition) ? LLVMGetInstructionOpcode(condition) : LLVMAdd;
    if (op != LLVMOr && op != LLVMAnd)
        return false;
    bool first = is_known(LLVMGetOperand(condition, 0), value);
    bool second = is_known(LLVMGetOperand(condition, 1), value);
    return value == (op == LLVMOr) ? first || second : first && second;
}

static bool is_check(LLVMValueRef end) {
    return end && LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1) && hd_branch_is_check(end);
}

static void drop_branch(hd_build *b, LLVMValueRef end, unsigned way) {
    LLVMBasicBlockRef handler = LLVMGetSuccessor(end, !way);
    LLVMBasicBlockRef taken = LLVMGetSuccessor(end, way);
    hd_emit_before(b, end);
    LLVMBuildBr(b->builder, taken);
    LLVMInstructionEraseFromParent(end);
    if (!LLVMGetFirstUse(LLVMBasicBlockAsValue(handler)))
        LLVMDeleteBasicBlock(handler);
}

/* The way that such a check always goes, or -1. */
static int way_of(LLVMValueRef end) {
    for (int way = 0; way < 2; way++)
        if (is_known(LLVMGetCondition(end), way == 0) &&
            can_lose_check(LLVMGetSuccessor(end, !way)))
            return way;
    return -1;
}

/* Handlers stand among the blocks, so that these are listed before any is deleted. */
static void drop_in(hd_build *b, LLVMValueRef f) {
    hd_values ends = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (is_check(end) && way_of(end) >= 0)
            hd_vec_push(&ends, end);
    }
    for (size_t n = 0; n < ends.n && ends.n >= MANY; n++)
        drop_branch(b, ends.at[n], (unsigned)way_of(ends.at[n]));
    hd_vec_release(&ends);
}

void hd_checks_drop_decided(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        drop_in(b, f);
}
