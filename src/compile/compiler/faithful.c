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

void hd_local_tie(hd_build *b, LLVMValueRef local) {
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

/* -- Accesses that would become one ---------------------------------------------------------- */

#define FENCE "__hd_fence"

static void promise(hd_build *b, LLVMValueRef f, const char *name, uint64_t value) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, value));
}

/* The fence writes through its argument only, which is null: to passes it changes no memory that
 * anybody reads, and writes. */
static LLVMValueRef fence_of(hd_build *b, LLVMTypeRef type) {
    enum { WRITES_ARGUMENTS = 2 };
    LLVMValueRef fence = LLVMGetNamedFunction(b->module, FENCE);
    if (fence)
        return fence;
    fence = LLVMAddFunction(b->module, FENCE, type);
    promise(b, fence, "memory", WRITES_ARGUMENTS);
    promise(b, fence, "nounwind", 0);
    promise(b, fence, "willreturn", 0);
    return fence;
}

/* A call that writes nothing anybody could name: passes move no access over it that they would
 * move to where control flow joins, and lose the line of.  (They move loads over intrinsics that
 * write inaccessible memory.) */
static void put_fence(hd_build *b, LLVMValueRef before) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef null = LLVMConstNull(b->pointer), fence = fence_of(b, type);
    hd_emit_before(b, before);
    LLVMBuildCall2(b->builder, type, fence, &null, 1, "");
}

static void cut_fences(hd_build *b) {
    LLVMValueRef fence = LLVMGetNamedFunction(b->module, FENCE);
    for (LLVMUseRef use = fence ? LLVMGetFirstUse(fence) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
    if (fence)
        LLVMDeleteFunction(fence);
}

static bool is_pure(LLVMValueRef i) {
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAICmpInst(i) ||
           LLVMIsAFCmpInst(i) || LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) ||
           LLVMIsAExtractValueInst(i) || LLVMIsAFreezeInst(i);
}

/* What is computed of it goes into a phi: passes compute it of a phi, one operation after another.
 */
static bool reaches_phi(LLVMValueRef v, unsigned depth) {
    LLVMUseRef use = LLVMGetFirstUse(v);
    if (!use || LLVMGetNextUse(use) || depth == 0)
        return false;
    LLVMValueRef user = LLVMGetUser(use);
    return LLVMIsAPHINode(user) || (is_pure(user) && reaches_phi(user, depth - 1));
}

/* The loads of a phi become the load of a phi; two stores before a join become one behind it. */
static bool may_join(LLVMValueRef i) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (LLVMIsAStoreInst(i))
        return LLVMIsABranchInst(next) != NULL;
    return reaches_phi(i, 8);
}

static void keep_apart(hd_build *b, LLVMValueRef i) {
    if (may_join(i))
        put_fence(b, LLVMGetNextInstruction(i));
}

/* -- Objects of one element ------------------------------------------------------------------ */

#define VEIL "llvm.launder.invariant.group.p0"

/* Decayed arrays are the first element of theirs. */
static LLVMValueRef first_byte(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p)) {
        for (int n = 1; n < LLVMGetNumOperands(p); n++) {
            LLVMValueRef index = LLVMGetOperand(p, (unsigned)n);
            if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index))
                return p;
        }
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

static uint64_t object_size(const hd_build *b, LLVMValueRef v) {
    if (LLVMIsAAllocaInst(v))
        return hd_local_is_static(v) ? hd_local_size(b, v) : UINT64_MAX;
    return LLVMIsAGlobalVariable(v) && LLVMTypeIsSized(LLVMGlobalGetValueType(v))
               ? LLVMABISizeOfType(b->layout, LLVMGlobalGetValueType(v))
               : UINT64_MAX;
}

/* What the first index that is not constant counts in; 0 if there is none. */
static uint64_t stride_of(const hd_build *b, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int n = 1; n < LLVMGetNumOperands(gep); n++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)n);
        if (n > 1)
            type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                       ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                       : LLVMGetElementType(type);
        if (!LLVMIsAConstantInt(index))
            return LLVMABISizeOfType(b->layout, type);
    }
    return 0;
}

/* To LLVM an index into such an object is 0, or nobody minds what happens: it must not see which
 * object it is. */
static void veil_object(hd_build *b, LLVMValueRef gep) {
    LLVMValueRef object = LLVMGetOperand(gep, 0);
    if (object_size(b, first_byte(object)) > stride_of(b, gep))
        return;
    LLVMTypeRef type = LLVMFunctionType(b->pointer, &b->pointer, 1, false);
    unsigned id = LLVMLookupIntrinsicID(VEIL, strlen(VEIL));
    LLVMValueRef veil = LLVMGetIntrinsicDeclaration(b->module, id, &b->pointer, 1);
    hd_emit_before(b, gep);
    LLVMSetOperand(gep, 0, LLVMBuildCall2(b->builder, type, veil, &object, 1, ""));
}

static void lift_veils(hd_build *b) {
    LLVMValueRef veil = LLVMGetNamedFunction(b->module, VEIL);
    for (LLVMUseRef use = veil ? LLVMGetFirstUse(veil) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
        LLVMInstructionEraseFromParent(call);
    }
}

/* -- Loads that nobody uses ------------------------------------------------------------------ */

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

/* -- Copies onto themselves ------------------------------------------------------------------ */

static LLVMValueRef base_of(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p))
        p = LLVMGetOperand(p, 0);
    return p;
}

static bool is_copy(LLVMValueRef i) {
    const char *name = LLVMIsACallInst(i) ? hd_value_name(LLVMGetCalledValue(i)) : "";
    return strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0;
}

/* From a place to itself is nothing to an optimiser, however long.  Copies of a fixed length
 * between other objects stay free: they become loads and stores. */
static bool may_vanish(LLVMValueRef copy) {
    return !LLVMIsConstant(LLVMGetOperand(copy, 2)) ||
           base_of(LLVMGetOperand(copy, 0)) == base_of(LLVMGetOperand(copy, 1));
}

static void tie_copy(hd_build *b, LLVMValueRef copy) {
    if (may_vanish(copy))
        LLVMSetOperand(copy, 3, LLVMConstInt(b->i1, 1, false));
}

static void release_copy(hd_build *b, LLVMValueRef i) {
    if (is_copy(i))
        LLVMSetOperand(i, 3, LLVMConstInt(b->i1, 0, false));
}

static void tie_block(hd_build *b, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i))
            hd_local_tie(b, i);
        else if (LLVMIsALoadInst(i))
            tie_load(i);
        else if (is_copy(i))
            tie_copy(b, i);
        else if (LLVMIsAGetElementPtrInst(i))
            veil_object(b, i);
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
            keep_apart(b, i);
    }
}

/* -- Loads that sroa leaves without a use ---------------------------------------------------- */

static unsigned load_mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.load", 11);
}

/* What is loaded into a local that becomes a value nobody needs: sroa would drop the load. */
static void hold_load(hd_build *b, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) ||
        hd_map_find(&b->certain, (uint64_t)(uintptr_t)i))
        return;
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, NULL, 0);
    LLVMSetMetadata(i, load_mark(b), LLVMMetadataAsValue(b->context, node));
    LLVMSetVolatile(i, true);
}

static void release_load(hd_build *b, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || !LLVMGetMetadata(i, load_mark(b)))
        return;
    LLVMSetMetadata(i, load_mark(b), NULL);
    LLVMSetVolatile(i, false);
}

static void for_each_instruction(hd_build *b, void (*visit)(hd_build *, LLVMValueRef)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                visit(b, i);
}

void hd_objects_hold(hd_build *b) {
    hd_map_clear(&b->certain);
    hd_pointer_checks_simplify(b);
    hd_overlaps_simplify(b);
    hd_locals_tie(b);
    for_each_instruction(b, hold_load);
}

void hd_objects_release(hd_build *b) {
    cut_ties(b);
    for_each_instruction(b, release_load);
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
    for_each_instruction(b, release_copy);
    cut_ties(b);
    cut_fences(b);
    lift_veils(b);
}

/* -- Checks with two reasons ----------------------------------------------------------------- */

static bool starts_with_phi(LLVMBasicBlockRef block) {
    return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

static bool goes_on(LLVMBasicBlockRef handler) {
    return !LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(handler));
}

/* A copy of a handler that goes on, which goes on somewhere else. */
static LLVMBasicBlockRef copy_handler(hd_build *b, LLVMBasicBlockRef handler,
                                      LLVMBasicBlockRef to) {
    LLVMBasicBlockRef copy = LLVMInsertBasicBlockInContext(b->context, to, "");
    hd_map copies = {0};
    LLVMPositionBuilderAtEnd(b->builder, copy);
    for (LLVMValueRef i = LLVMGetFirstInstruction(handler); !LLVMIsATerminatorInst(i);
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef twin = LLVMInstructionClone(i);
        LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(i));
        LLVMInsertIntoBuilder(b->builder, twin);
        for (int n = 0; n < LLVMGetNumOperands(twin); n++) {
            uint64_t *known =
                hd_map_find(&copies, (uint64_t)(uintptr_t)LLVMGetOperand(twin, (unsigned)n));
            if (known)
                LLVMSetOperand(twin, (unsigned)n, (LLVMValueRef)(uintptr_t)*known);
        }
        hd_map_put(&copies, (uint64_t)(uintptr_t)i, (uint64_t)(uintptr_t)twin);
    }
    LLVMBuildBr(b->builder, to);
    hd_map_release(&copies);
    return copy;
}

/* clang's check of a division is one branch on "divisor not zero and no overflow": make two
 * of it, so that the solver finds both errors.
 *
 *     br (p and q), go on, handler   ->   br p, next, handler;  next: br q, go on, handler
 *
 * A handler that goes on does so with the second question: executions are asked the same, whether
 * the first fails or not (explore/inputs/tree.h). */
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
    if (goes_on(handler))
        LLVMSetSuccessor(end, 1, copy_handler(b, handler, next));
    return true;
}

static void split_checks(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            split_check(b, block);
}

/* -- Promises about values ------------------------------------------------------------------- */

/* Promises of the language (a _Bool is 0 or 1, a value is defined) are broken by wrong programs:
 * then the code must do what the machine expects of it. */
static void drop_value_promises(hd_build *b) {
    static const char *const kinds[] = {"range", "noundef", "nonnull", "align", "dereferenceable"};
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                for (size_t k = 0; LLVMIsALoadInst(i) && k < sizeof kinds / sizeof *kinds; k++)
                    LLVMSetMetadata(
                        i,
                        LLVMGetMDKindIDInContext(b->context, kinds[k], (unsigned)strlen(kinds[k])),
                        NULL);
}

void hd_faithful_rewrite(hd_build *b) {
    drop_value_promises(b);
    split_checks(b);
}
