/* faithful.c -- what the programmer wrote must still be there when it is instrumented.
 *
 * To an optimiser a load nobody uses, a store nobody reads and a write into a constant are
 * nothing; to a tester they are accesses that may be wrong.  Before the passes run, such
 * accesses are tied down; afterwards the ties are cut.  Also here: a rewriting of what
 * clang made, so that each reason to fail is a branch of its own. */
#include "compile/compiler/build.h"

#include <string.h>

#define KEEP "__hd_keep"

/* -- Objects that are only written ----------------------------------------------------------- */

static void tie_local(hd_build *b, LLVMValueRef local) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef keep = LLVMGetNamedFunction(b->module, KEEP);
    if (!keep)
        keep = LLVMAddFunction(b->module, KEEP, type);
    LLVMPositionBuilderBefore(b->builder, LLVMGetNextInstruction(local));
    LLVMBuildCall2(b->builder, type, keep, &local, 1, "");
}

static void cut_ties(hd_build *b) {
    LLVMValueRef keep = LLVMGetNamedFunction(b->module, KEEP);
    for (LLVMUseRef use = keep ? LLVMGetFirstUse(keep) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
    if (keep)
        LLVMDeleteFunction(keep);
}

/* -- Loads that nobody uses ------------------------------------------------------------------ */

static bool is_pure(LLVMValueRef i) {
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAICmpInst(i) ||
           LLVMIsAFCmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMIsAExtractValueInst(i) || LLVMIsAFreezeInst(i);
}

static bool is_unused(LLVMValueRef v, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (depth == 0 || !is_pure(user) || !is_unused(user, depth - 1))
            return false;
    }
    return true;
}

/* Passes leave volatile accesses alone, and the program does not notice. */
static void tie_load(LLVMValueRef i) {
    if (is_unused(i, 8))
        LLVMSetVolatile(i, true);
}

static void tie_block(hd_build *b, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i))
            tie_local(b, i);
        else if (LLVMIsALoadInst(i))
            tie_load(i);
    }
}

/* -- Writes into constants ------------------------------------------------------------------- */

/* Constants are ordinary objects until code generation, with a mark; they end in read-only
 * pages, where a write is a fault of the program. */
static unsigned constant_mark(hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.constant", 15);
}

bool hd_global_is_constant(hd_build *b, LLVMValueRef global) {
    size_t n;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    bool found = LLVMIsGlobalConstant(global);
    for (unsigned k = 0; k < n; k++)
        found |= LLVMValueMetadataEntriesGetKind(entries, k) == constant_mark(b);
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

void hd_constants_hide(hd_build *b) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsGlobalConstant(g) && !LLVMIsDeclaration(g) &&
            strncmp(hd_value_name(g), "__hd_", 5) != 0) {
            LLVMSetGlobalConstant(g, false);
            LLVMGlobalSetMetadata(g, constant_mark(b), LLVMMDNodeInContext2(b->context, NULL, 0));
        }
}

void hd_constants_show(hd_build *b) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        if (hd_global_is_constant(b, g)) {
            LLVMSetGlobalConstant(g, true);
            LLVMGlobalEraseMetadata(g, constant_mark(b));
        }
}

void hd_faithful_begin(hd_build *b) {
    hd_constants_hide(b);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            tie_block(b, block);
}

void hd_faithful_end(hd_build *b) {
    cut_ties(b);
}

/* -- Checks with two reasons ----------------------------------------------------------------- */

static bool starts_with_phi(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

/* clang's check of a division is one branch on "divisor not zero and no overflow": make two
 * of it, so that the solver finds both errors.
 *
 *     br (p and q), go on, handler   ->   br p, next, handler;  next: br q, go on, handler */
static bool split_check(hd_build *b, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || !hd_branch_is_check(end))
        return false;
    LLVMValueRef both = LLVMGetCondition(end);
    LLVMBasicBlockRef go_on = LLVMGetSuccessor(end, 0), handler = LLVMGetSuccessor(end, 1);
    if (!LLVMIsAInstruction(both) || LLVMGetInstructionOpcode(both) != LLVMAnd ||
        starts_with_phi(go_on) || starts_with_phi(handler))
        return false;
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(b->context, go_on, "");
    LLVMPositionBuilderAtEnd(b->builder, next);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(end));
    LLVMBuildCondBr(b->builder, LLVMGetOperand(both, 1), go_on, handler);
    LLVMSetCondition(end, LLVMGetOperand(both, 0));
    LLVMSetSuccessor(end, 0, next);
    return true;
}

static void split_checks(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            split_check(b, block);
}

/* -- Promises about values ------------------------------------------------------------------- */

/* That a _Bool is 0 or 1, or a value defined, is a promise of the language that a wrong program
 * breaks: then the code must do what the machine expects of it. */
static void drop_value_promises(hd_build *b) {
    static const char *const kinds[] = {"range", "noundef", "nonnull", "align", "dereferenceable"};
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                for (size_t k = 0; LLVMIsALoadInst(i) && k < sizeof kinds / sizeof *kinds; k++)
                    LLVMSetMetadata(i,
                                    LLVMGetMDKindIDInContext(b->context, kinds[k],
                                                             (unsigned)strlen(kinds[k])),
                                    NULL);
}

void hd_faithful_rewrite(hd_build *b) {
    drop_value_promises(b);
    split_checks(b);
}
