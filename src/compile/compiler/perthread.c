/* perthread.c -- thread-local objects.
 *
 * In a program without threads they are ordinary globals.  In others, `_Thread_local int x`
 * becomes an array of HD_FEW_COPIES copies, each padded and an object of its own; the address
 * of x is that of the copy of the running thread, and further threads get theirs from the machine.
 * A thread keeps its index for life, so that the address may be computed once and used for long. */
#include "compile/compiler/build.h"

#include <string.h>

static bool asks_for_address(LLVMValueRef call) {
    return LLVMIsACallInst(call) &&
           strncmp(hd_value_name(LLVMGetCalledValue(call)), "llvm.threadlocal.address", 24) == 0;
}

void hd_thread_locals_drop(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        LLVMUseRef use, next;
        if (strncmp(hd_value_name(f), "llvm.threadlocal.address", 24) != 0)
            continue;
        for (use = LLVMGetFirstUse(f); use; use = next) {
            LLVMValueRef call = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
            LLVMInstructionEraseFromParent(call);
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        LLVMSetThreadLocal(g, false);
}

static void check_uses(LLVMValueRef global) {
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use))
        if (!asks_for_address(LLVMGetUser(use)))
            hd_fail("compile the program from source, with clang-19",
                    "the thread-local object '%s' is used in a way that Heddle does not know",
                    hd_source_name(global));
}

/* Object and what is behind it, so that the next copy has the right alignment. */
static uint64_t distance_of(const hd_build *b, LLVMValueRef global) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMABISizeOfType(b->layout, type), alignment = LLVMGetAlignment(global),
             natural = LLVMABIAlignmentOfType(b->layout, type);
    alignment = alignment > natural ? alignment : natural;
    alignment = alignment > 16 ? alignment : 16;
    uint64_t whole = size + hd_global_bytes_behind(size);
    return (whole + alignment - 1) / alignment * alignment;
}

void hd_thread_local_spread(hd_build *b, LLVMValueRef global) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMABISizeOfType(b->layout, type), distance = distance_of(b, global);
    bool is_seen = !hd_thread_local_is_private(b, global);
    check_uses(global);
    LLVMTypeRef behind = LLVMArrayType2(b->i8, distance - size);
    LLVMTypeRef fields[] = {type, behind};
    LLVMTypeRef copy_type = LLVMStructTypeInContext(b->context, fields, 2, true);
    LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(behind)};
    LLVMValueRef copies[HD_FEW_COPIES];
    for (unsigned n = 0; n < HD_FEW_COPIES; n++)
        copies[n] = LLVMConstStructInContext(b->context, values, 2, true);
    LLVMValueRef twin = LLVMAddGlobal(b->module, LLVMArrayType2(copy_type, HD_FEW_COPIES), "");
    hd_global_copy_properties(b, global, twin);
    LLVMSetInitializer(twin, LLVMConstArray2(copy_type, copies, HD_FEW_COPIES));
    hd_global_replace(global, twin);
    for (unsigned n = 0; n < HD_FEW_COPIES; n++)
        hd_vec_push(&b->objects,
                    ((hd_global_object){twin, n * distance, size, distance, is_seen && n == 0}));
}

void hd_instrument_thread_local(hd_build *b, LLVMValueRef i) {
    LLVMValueRef all = LLVMGetOperand(i, 0);
    LLVMTypeRef copy = LLVMGetElementType(LLVMGlobalGetValueType(all));
    hd_emit_before(b, i);
    LLVMValueRef at =
        hd_emit(b, HD_HOOK_THREAD_OBJECT, all, hd_const64(b, LLVMABISizeOfType(b->layout, copy)));
    LLVMReplaceAllUsesWith(i, at);
    LLVMInstructionEraseFromParent(i);
}
