/* upper_bounds.c -- how large an integer can be at most, where it is used.
 *
 * Bits that an operation leaves, and what the branches on the way have asked: a comparison with a
 * constant holds in a block that is entered from one of its sides only, and in all that block
 * dominates.  Such are the program's loops, and clang's checks of indexes. */
#include "compile/compiler/build.h"

#define MOST_BLOCKS 32 /* that are looked at on the way up */
#define MOST_DEPTH  6  /* of operations */

static uint64_t all_ones(LLVMTypeRef type) {
    unsigned width = LLVMGetIntTypeWidth(type);
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static uint64_t smaller(uint64_t x, uint64_t y) {
    return x < y ? x : y;
}

/* -- Branches --------------------------------------------------------------------------------- */

/* What "v op c" says, if it holds. */
static uint64_t most_of_comparison(LLVMIntPredicate op, uint64_t c) {
    switch (op) {
    case LLVMIntULT:
        return c ? c - 1 : 0;
    case LLVMIntULE:
    case LLVMIntEQ:
        return c;
    default:
        return UINT64_MAX;
    }
}

static LLVMIntPredicate negation(LLVMIntPredicate op) {
    return op == LLVMIntUGE   ? LLVMIntULT
           : op == LLVMIntUGT ? LLVMIntULE
           : op == LLVMIntNE  ? LLVMIntEQ
                              : LLVMIntSGT; /* says nothing here */
}

static uint64_t most_of_condition(LLVMValueRef condition, bool holds, LLVMValueRef v) {
    if (!LLVMIsAICmpInst(condition) || LLVMGetOperand(condition, 0) != v ||
        !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
        return UINT64_MAX;
    LLVMIntPredicate op = LLVMGetICmpPredicate(condition);
    uint64_t c = LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1));
    return most_of_comparison(holds ? op : negation(op), c);
}

/* What the only way into `block` says. */
static uint64_t most_of_entry(LLVMBasicBlockRef from, LLVMBasicBlockRef block, LLVMValueRef v) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    bool is_only = use && !LLVMGetNextUse(use) && LLVMGetUser(use) == end;
    if (!is_only || !LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return UINT64_MAX;
    return most_of_condition(LLVMGetCondition(end), LLVMGetSuccessor(end, 0) == block, v);
}

static uint64_t most_of_branches(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block) {
    uint64_t most = UINT64_MAX;
    for (unsigned n = 0; n < MOST_BLOCKS; n++) {
        LLVMBasicBlockRef from = hd_block_dominator(b, block);
        if (!from)
            break;
        most = smaller(most, most_of_entry(from, block, v));
        block = from;
    }
    return most;
}

/* -- Operations ------------------------------------------------------------------------------- */

static uint64_t most(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth);

static uint64_t most_of_constant(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : UINT64_MAX;
}

/* An operand that is not negative stays as it is. */
static uint64_t most_of_sext(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block,
                             unsigned depth) {
    LLVMValueRef from = LLVMGetOperand(v, 0);
    uint64_t most_from = most(b, from, block, depth);
    return most_from <= all_ones(LLVMTypeOf(from)) / 2 ? most_from : UINT64_MAX;
}

static uint64_t most_of_operation(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block,
                                  unsigned depth) {
    LLVMValueRef x = LLVMGetOperand(v, 0);
    uint64_t c = LLVMGetNumOperands(v) == 2 ? most_of_constant(LLVMGetOperand(v, 1)) : UINT64_MAX;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
        return most(b, x, block, depth);
    case LLVMSExt:
        return most_of_sext(b, v, block, depth);
    case LLVMAnd:
        return smaller(c, most(b, x, block, depth));
    case LLVMURem:
        return c && c != UINT64_MAX ? c - 1 : UINT64_MAX;
    case LLVMLShr:
        return c < 64 ? most(b, x, block, depth) >> c : UINT64_MAX;
    default:
        return UINT64_MAX;
    }
}

static uint64_t most(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth) {
    if (LLVMIsAConstantInt(v))
        return most_of_constant(v);
    uint64_t known = smaller(all_ones(LLVMTypeOf(v)), most_of_branches(b, v, block));
    if (!depth || !LLVMIsAInstruction(v))
        return known;
    if (!LLVMIsAPHINode(v))
        return smaller(known, most_of_operation(b, v, block, depth - 1));
    uint64_t all = 0;
    for (unsigned n = 0; n < LLVMCountIncoming(v) && all < known; n++) {
        uint64_t one = most(b, LLVMGetIncomingValue(v, n), LLVMGetIncomingBlock(v, n), depth / 2);
        all = all > one ? all : one;
    }
    return smaller(known, all);
}

uint64_t hd_value_most(const hd_build *b, LLVMValueRef v, LLVMBasicBlockRef block) {
    return most(b, v, block, MOST_DEPTH);
}
