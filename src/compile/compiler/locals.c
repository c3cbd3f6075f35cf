/* locals.c -- room for poisoned bytes around local objects.
 *
 *     | front: HD_LOCAL_PAD or the alignment | object | behind: at least HD_LOCAL_PAD |
 *
 * Only objects whose address is used are still allocas here; sroa made values of the rest. */
#include "compile/compiler/build.h"

/* Bytes behind an object: more for larger ones, so that a stride too far is seen as well. */
static uint64_t bytes_behind(uint64_t size) {
    uint64_t wanted = size / 8 < HD_LOCAL_PAD ? HD_LOCAL_PAD : size / 8 > 128 ? 128 : size / 8;
    return (size + wanted + 15) / 16 * 16 - size;
}

static uint64_t bytes_before(LLVMValueRef local) {
    unsigned alignment = LLVMGetAlignment(local);
    return alignment > HD_LOCAL_PAD ? alignment : HD_LOCAL_PAD;
}

static bool is_static(LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    return LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
           block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

static uint64_t size_of_static(const hd_build *b, LLVMValueRef local) {
    return LLVMABISizeOfType(b->layout, LLVMGetAllocatedType(local)) *
           LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0));
}

/* The object inside `twin` takes the place of `local`. */
static LLVMValueRef replace_local(hd_build *b, LLVMValueRef local, LLVMValueRef twin,
                                  uint64_t front) {
    LLVMValueRef offset = hd_const64(b, front);
    LLVMSetAlignment(twin, (unsigned)front);
    LLVMValueRef object = LLVMBuildInBoundsGEP2(b->builder, b->i8, twin, &offset, 1, "");
    LLVMReplaceAllUsesWith(local, object);
    return object;
}

static LLVMValueRef first_ordinary(LLVMBasicBlockRef entry) {
    LLVMValueRef i = LLVMGetFirstInstruction(entry);
    while (LLVMIsAAllocaInst(i) && is_static(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void pad_static(hd_build *b, LLVMValueRef local, LLVMBasicBlockRef entry) {
    uint64_t size = size_of_static(b, local), front = bytes_before(local);
    uint64_t behind = bytes_behind(size);
    bool is_shared = hd_operand_is_shared(b, local, 0);
    LLVMPositionBuilderBefore(b->builder, LLVMGetFirstInstruction(entry));
    LLVMTypeRef whole = LLVMArrayType2(b->i8, front + size + behind);
    LLVMValueRef twin = LLVMBuildAlloca(b->builder, whole, "");
    LLVMPositionBuilderBefore(b->builder, first_ordinary(entry));
    LLVMValueRef object = replace_local(b, local, twin, front);
    LLVMInstructionEraseFromParent(local);
    hd_vec_push(&b->locals,
                ((hd_local){.at = object, .size = size, .behind = behind, .is_shared = is_shared}));
}

void hd_locals_pad(hd_build *b, LLVMValueRef function) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    hd_values found = {0};
    hd_vec_clear(&b->locals);
    b->body = first_ordinary(entry);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && is_static(i))
            hd_vec_push(&found, i);
    for (size_t n = 0; n < found.n; n++)
        pad_static(b, found.at[n], entry);
    hd_vec_release(&found);
}

/* The size is decided, as that of a block: other sizes are other paths. */
static void decide_size(hd_build *b, LLVMValueRef count, LLVMValueRef site) {
    LLVMValueRef shadow = hd_shadow_get(b, count);
    if (!hd_shadow_is_zero(shadow))
        hd_emit(b, HD_HOOK_CALLEE, shadow, hd_emit_bits(b, count), site);
}

/* Variable-length arrays and alloca(). */
void hd_local_dynamic(hd_build *b, LLVMValueRef i) {
    if (is_static(i))
        return;
    LLVMValueRef count = LLVMGetOperand(i, 0), site = hd_site_of(b, i);
    uint64_t front = bytes_before(i);
    LLVMValueRef one = hd_const64(b, LLVMABISizeOfType(b->layout, LLVMGetAllocatedType(i)));
    hd_emit_before(b, i);
    decide_size(b, count, site);
    LLVMValueRef bytes = LLVMBuildMul(b->builder, hd_emit_bits(b, count), one, "");
    LLVMValueRef room = hd_const64(b, front + HD_LOCAL_PAD);
    LLVMValueRef total = LLVMBuildAdd(b->builder, bytes, room, "");
    LLVMValueRef twin = LLVMBuildArrayAlloca(b->builder, b->i8, total, "");
    LLVMValueRef object = replace_local(b, i, twin, front);
    hd_emit(b, HD_HOOK_ALLOCA, object, bytes, site);
    LLVMInstructionEraseFromParent(i);
}
