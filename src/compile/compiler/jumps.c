/* jumps.c -- does a computed goto lead to a label of its function?
 *
 * clang makes one indirect branch of all gotos of a function, with a phi of where they lead: who
 * jumps is known before that block only.  There a mark is put, right after clang; it becomes a look
 * into a small cache of labels that are right, and on a miss into the table of all. */
#include "compile/compiler/build.h"

#include <string.h>

static void put_mark(hd_build *b, LLVMValueRef target, LLVMValueRef before) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HD_JUMP);
    if (!f)
        f = LLVMAddFunction(b->module, HD_JUMP, type);
    hd_emit_before(b, before);
    LLVMBuildCall2(b->builder, type, f, &target, 1, "");
}

static void mark_jumps(hd_build *b, LLVMValueRef branch) {
    LLVMValueRef target = LLVMGetOperand(branch, 0);
    if (!LLVMIsAPHINode(target)) {
        put_mark(b, target, branch);
        return;
    }
    for (unsigned n = 0; n < LLVMCountIncoming(target); n++)
        put_mark(b, LLVMGetIncomingValue(target, n),
                 LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(target, n)));
}

/* There is at most one. */
static LLVMValueRef indirect_branch(LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(block)))
            return LLVMGetBasicBlockTerminator(block);
    return NULL;
}

void hd_jumps_mark(hd_build *b) {
    if (strcmp(b->checks, "none") == 0)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef branch = indirect_branch(f);
        if (branch)
            mark_jumps(b, branch);
    }
}

/* -- Hooks ------------------------------------------------------------------------------------ */

static LLVMValueRef define_private(hd_build *b, LLVMValueRef value, const char *name) {
    LLVMValueRef global = LLVMAddGlobal(b->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* The addresses of all labels that the goto may lead to. */
static LLVMValueRef label_table(hd_build *b, LLVMValueRef i) {
    hd_values labels = {0};
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    for (unsigned n = 0; n < LLVMGetNumSuccessors(i); n++)
        hd_vec_push(&labels, LLVMBlockAddress(function, LLVMGetSuccessor(i, n)));
    LLVMValueRef table = LLVMConstArray2(b->pointer, labels.at, labels.n);
    hd_vec_release(&labels);
    return define_private(b, table, "__hd_labels");
}

/* Labels that are known to be right (machine/values/inline.c). */
static LLVMValueRef label_cache(hd_build *b) {
    LLVMTypeRef type = LLVMArrayType2(b->pointer, HD_LABEL_CACHE);
    return define_private(b, LLVMConstNull(type), "__hd_label_cache");
}

void hd_instrument_jump(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef target = LLVMGetOperand(mark, 0), site = hd_site_of(b, mark),
                 branch = indirect_branch(LLVMGetBasicBlockParent(LLVMGetInstructionParent(mark)));
    if (!branch)
        return;
    if (!hd_shadow_is_zero(hd_shadow_get(b, target)))
        hd_emit(b, HD_HOOK_CALLEE, hd_shadow_get(b, target), hd_emit_bits(b, target), site);
    hd_emit(b, HD_HOOK_GOTO, target, label_cache(b), label_table(b, branch),
            hd_const32(b, LLVMGetNumSuccessors(branch)), site);
}
