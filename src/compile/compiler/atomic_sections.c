/* atomic_sections.c -- functions that are atomic by their name.
 *
 * In verification benchmarks a function whose name starts with __VERIFIER_atomic_ runs without
 * other threads in between: its body is put between __VERIFIER_atomic_begin and _end. */
#include "compile/compiler/build.h"

#include <string.h>

#define PREFIX "__VERIFIER_atomic_"

static bool is_atomic_function(LLVMValueRef f) {
    const char *name = hd_value_name(f);
    return !LLVMIsDeclaration(f) && strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
           strcmp(name, PREFIX "begin") != 0 && strcmp(name, PREFIX "end") != 0;
}

/* A call before `place`, with its place in the source. */
static void call_before(hd_build *b, LLVMValueRef place, const char *name) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(b->context), NULL, 0, false);
    LLVMValueRef callee = LLVMGetNamedFunction(b->module, name);
    if (!callee)
        callee = LLVMAddFunction(b->module, name, type);
    LLVMPositionBuilderBefore(b->builder, place);
    LLVMValueRef call = LLVMBuildCall2(b->builder, type, callee, NULL, 0, "");
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(place);
    if (!where)
        where = LLVMInstructionGetDebugLoc(
            LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(place)));
    LLVMInstructionSetDebugLoc(call, where);
}

static LLVMValueRef first_statement(LLVMValueRef function) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void make_atomic(hd_build *b, LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(end))
            call_before(b, end, PREFIX "end");
    }
    call_before(b, first_statement(f), PREFIX "begin");
}

void hd_atomic_sections_make(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (is_atomic_function(f))
            make_atomic(b, f);
}
