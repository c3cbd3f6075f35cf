/* decision_ways.c -- decisions with test vectors are made where their last condition is.
 *
 * clang joins the ways through a decision, notes the vector, and branches on the joined value: a
 * question that was answered on every way.  Where the join is nothing but that, each way gets a
 * note and a jump of its own.  Joins whose value is used otherwise stay as they are. */
#include "compile/compiler/build.h"

typedef struct decision_join {
    LLVMBasicBlockRef block;
    LLVMValueRef phi, step, branch; /* all there is in it, beside the load of the number */
} decision_join;

static bool is_noted(LLVMValueRef i, LLVMValueRef step) {
    LLVMValueRef number = LLVMGetOperand(step, 4); /* zext of a load */
    return i == step || i == number || i == LLVMGetOperand(number, 0);
}

static bool read_join(LLVMValueRef step, decision_join *j) {
    j->block = LLVMGetInstructionParent(step);
    j->step = step;
    j->phi = LLVMGetFirstInstruction(j->block);
    j->branch = LLVMGetBasicBlockTerminator(j->block);
    if (!LLVMIsAPHINode(j->phi) || !LLVMIsABranchInst(j->branch) || !LLVMIsConditional(j->branch) ||
        LLVMGetCondition(j->branch) != j->phi)
        return false;
    LLVMUseRef use = LLVMGetFirstUse(j->phi);
    for (LLVMValueRef i = LLVMGetNextInstruction(j->phi); i != j->branch;
         i = LLVMGetNextInstruction(i))
        if (!is_noted(i, step))
            return false;
    return use && !LLVMGetNextUse(use) && LLVMGetSuccessor(j->branch, 0) != j->block &&
           LLVMGetSuccessor(j->branch, 1) != j->block;
}

static bool begins_with_phi(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block)) != NULL;
}

/* The one block that goes there; NULL if there are several, or several ways. */
static LLVMBasicBlockRef only_way_to(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsABranchInst(user) ? LLVMGetInstructionParent(user) : NULL;
}

/* What `value` is on the way from `from` to `to`; -1 if that is not known. */
static int value_on_way(LLVMValueRef value, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (LLVMIsAConstantInt(value))
        return LLVMConstIntGetZExtValue(value) != 0;
    if (!LLVMIsABranchInst(end))
        return -1;
    if (!LLVMIsConditional(end)) {
        LLVMBasicBlockRef before = only_way_to(from);
        bool is_empty = LLVMGetFirstInstruction(from) == end;
        return before && is_empty ? value_on_way(value, before, from) : -1;
    }
    if (LLVMGetCondition(end) != value || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return -1;
    return LLVMGetSuccessor(end, 0) == to;
}

static void jump_from(hd_build *b, const decision_join *j, LLVMBasicBlockRef from, int value) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(j->branch, value ? 0 : 1);
    LLVMBasicBlockRef way = LLVMInsertBasicBlockInContext(b->context, j->block, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMPositionBuilderAtEnd(b->builder, way);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(j->branch));
    LLVMValueRef number = LLVMGetOperand(LLVMGetOperand(j->step, 4), 0);
    LLVMValueRef load = LLVMInstructionClone(number);
    LLVMInsertIntoBuilder(b->builder, load);
    LLVMValueRef step = LLVMInstructionClone(j->step);
    LLVMInsertIntoBuilder(b->builder, step);
    LLVMPositionBuilderBefore(b->builder, step);
    LLVMSetOperand(step, 4, LLVMBuildZExt(b->builder, load, b->i64, ""));
    LLVMPositionBuilderAtEnd(b->builder, way);
    LLVMBuildBr(b->builder, to);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        if (LLVMGetSuccessor(end, k) == j->block)
            LLVMSetSuccessor(end, k, way);
}

static int value_of_way(const decision_join *j, unsigned k) {
    return value_on_way(LLVMGetIncomingValue(j->phi, k), LLVMGetIncomingBlock(j->phi, k), j->block);
}

/* All ways or none: what is left of a join would need another phi. */
static bool can_part(const decision_join *j) {
    for (unsigned k = 0; k < LLVMCountIncoming(j->phi); k++)
        if (value_of_way(j, k) < 0)
            return false;
    return !begins_with_phi(LLVMGetSuccessor(j->branch, 0)) &&
           !begins_with_phi(LLVMGetSuccessor(j->branch, 1));
}

void hd_decision_part(hd_build *b, LLVMValueRef step) {
    decision_join j;
    if (!read_join(step, &j) || !can_part(&j))
        return;
    for (unsigned k = 0; k < LLVMCountIncoming(j.phi); k++)
        jump_from(b, &j, LLVMGetIncomingBlock(j.phi, k), value_of_way(&j, k));
    LLVMInstructionEraseFromParent(j.branch);
    LLVMDeleteBasicBlock(j.block);
}
