/* recursion.c -- functions that may call themselves, by whatever way.
 *
 * Their calls are counted like iterations of loops: an execution may go on for longer than anybody
 * waits without a single loop. */
#include "compile/compiler/build.h"

static bool has_address(LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
    }
    return false;
}

static void reach(hd_map *seen, hd_values *queue, LLVMValueRef f) {
    uint64_t key = (uint64_t)(uintptr_t)f;
    if (LLVMIsDeclaration(f) || hd_map_find(seen, key))
        return;
    hd_map_put(seen, key, 1);
    hd_vec_push(queue, f);
}

static void reach_callees(hd_build *b, hd_map *seen, hd_values *queue, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee)) {
        reach(seen, queue, callee);
        return;
    }
    if (LLVMIsAInlineAsm(callee))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && has_address(f))
            reach(seen, queue, f);
}

static void reach_from(hd_build *b, hd_map *seen, hd_values *queue, LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                reach_callees(b, seen, queue, i);
}

static bool is_recursive(hd_build *b, LLVMValueRef function) {
    hd_map seen = {0};
    hd_values queue = {0};
    reach_from(b, &seen, &queue, function);
    bool found = false;
    for (size_t n = 0; n < queue.n && !found; n++) {
        found = queue.at[n] == function;
        reach_from(b, &seen, &queue, queue.at[n]);
    }
    hd_map_release(&seen);
    hd_vec_release(&queue);
    return found;
}

void hd_recursion_find(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_recursive(b, f))
            hd_map_put(&b->recursive, (uint64_t)(uintptr_t)f, 1);
}

void hd_instrument_recursion(hd_build *b, LLVMValueRef function) {
    if (!hd_map_find(&b->recursive, (uint64_t)(uintptr_t)function))
        return;
    hd_emit(b, HD_HOOK_STEP, hd_const32(b, hd_site_add(b, b->body, UINT32_MAX, HD_SITE_CALL)));
}
