/* verdicts.c -- what verification benchmarks mean by the functions that they end with.
 *
 * They call reach_error (formerly __VERIFIER_error) where they must not come, whatever that
 * function does: often its body is empty.  And they call abort to leave out what they do not ask
 * about, mostly in assume_abort_if_not.  So every call of the first is a failed assertion, at the
 * place of the call, and in a program that has such a function every abort is a rejected
 * assumption. */
#include "compile/compiler/build.h"

#include <string.h>

static LLVMValueRef declare(hd_build *b, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    return f ? f : LLVMAddFunction(b->module, name, type);
}

static void fail_instead(hd_build *b, LLVMValueRef call, const char *name) {
    LLVMTypeRef types[] = {b->pointer, b->pointer, b->i32, b->pointer};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 4, false);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(call, &length);
    LLVMValueRef arguments[] = {
        hd_emit_string(b, name), hd_emit_string(b, file && length ? file : ""),
        hd_const32(b, LLVMGetDebugLocLine(call)), hd_emit_string(b, hd_source_name(function))};
    LLVMBuildCall2(b->builder, type, declare(b, "__heddle_assert_failed", type), arguments, 4, "");
}

static void reject_instead(hd_build *b, LLVMValueRef call, const char *name) {
    (void)call, (void)name;
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->i32, 1, false);
    LLVMValueRef no = hd_const32(b, 0);
    LLVMBuildCall2(b->builder, type, declare(b, "__heddle_assume", type), &no, 1, "");
}

typedef void replacement(hd_build *b, LLVMValueRef call, const char *name);

static void replace_calls(hd_build *b, LLVMValueRef f, replacement *emit) {
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f)
            continue;
        LLVMPositionBuilderBefore(b->builder, call);
        LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(call));
        emit(b, call, hd_source_name(f));
        if (LLVMTypeOf(call) != b->void_type) /* called without a declaration */
            LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
        LLVMInstructionEraseFromParent(call);
    }
}

void hd_verdicts_replace(hd_build *b) {
    static const char *const ends[] = {"reach_error", "__VERIFIER_error", "assume_abort_if_not"};
    bool is_benchmark = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        is_benchmark |= hd_name_is_listed(hd_source_name(f), ends, 3);
        if (hd_name_is_listed(hd_source_name(f), ends, 2))
            replace_calls(b, f, fail_instead);
    }
    LLVMValueRef leave = LLVMGetNamedFunction(b->module, "abort");
    if (is_benchmark && leave && LLVMIsDeclaration(leave))
        replace_calls(b, leave, reject_instead);
    /* Passes still remove functions, and with them texts that nobody else uses. */
    hd_map_clear(&b->strings);
}
