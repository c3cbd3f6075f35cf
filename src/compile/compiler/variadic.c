/* variadic.c -- a guard behind the arguments of variadic calls.
 *
 * va_arg reads on, whether anything was passed or not: in the registers of the call, which the
 * callee has saved, and then on the caller's stack.  What was not passed is poisoned
 * (machine/values/slow_calls.c). On the stack something else of the caller would follow; so every such
 * call gets one more argument, HD_VARIADIC_GUARD bytes by value that nobody takes. */
#include "compile/compiler/build.h"

#include <string.h>

bool hd_is_guard(LLVMValueRef argument) {
    return LLVMIsAGlobalVariable(argument) && strcmp(hd_value_name(argument), HD_GUARD) == 0;
}

static LLVMTypeRef guard_type(const hd_build *b) {
    return LLVMArrayType2(b->i64, HD_VARIADIC_GUARD / 8);
}

static LLVMValueRef guard_of(hd_build *b) {
    LLVMValueRef guard = LLVMGetNamedGlobal(b->module, HD_GUARD);
    if (guard)
        return guard;
    guard = LLVMAddGlobal(b->module, guard_type(b), HD_GUARD);
    LLVMSetInitializer(guard, LLVMConstNull(guard_type(b)));
    LLVMSetLinkage(guard, LLVMInternalLinkage);
    LLVMSetGlobalConstant(guard, true);
    return guard;
}

/* -1: of the function, 0: of the result, then of the arguments. */
static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex where) {
    unsigned n = LLVMGetCallSiteAttributeCount(from, where);
    hd_vec(LLVMAttributeRef) all = {0};
    for (unsigned k = 0; k < n; k++)
        hd_vec_push(&all, NULL);
    if (n)
        LLVMGetCallSiteAttributes(from, where, all.at);
    for (unsigned k = 0; k < n; k++)
        LLVMAddCallSiteAttribute(to, where, all.at[k]);
    hd_vec_release(&all);
}

static void pass_by_value(hd_build *b, LLVMValueRef call, unsigned argument) {
    unsigned id = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAddCallSiteAttribute(call, argument + 1,
                             LLVMCreateTypeAttribute(b->context, id, guard_type(b)));
}

static void add_guard(hd_build *b, LLVMValueRef call) {
    hd_values arguments = {0};
    unsigned n = LLVMGetNumArgOperands(call);
    for (unsigned k = 0; k < n; k++)
        hd_vec_push(&arguments, LLVMGetOperand(call, k));
    hd_vec_push(&arguments, guard_of(b));
    hd_emit_before(b, call);
    LLVMValueRef twin = LLVMBuildCall2(b->builder, LLVMGetCalledFunctionType(call),
                                       LLVMGetCalledValue(call), arguments.at, n + 1, "");
    LLVMInstructionSetDebugLoc(twin, LLVMInstructionGetDebugLoc(call));
    LLVMSetInstructionCallConv(twin, LLVMGetInstructionCallConv(call));
    copy_attributes(call, twin, LLVMAttributeFunctionIndex);
    for (unsigned k = 0; k <= n; k++)
        copy_attributes(call, twin, k);
    pass_by_value(b, twin, n);
    LLVMReplaceAllUsesWith(call, twin);
    LLVMInstructionEraseFromParent(call);
    hd_vec_release(&arguments);
}

/* Functions of the C library do not look. */
static bool is_guarded(LLVMValueRef i) {
    if (!LLVMIsACallInst(i) || LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)) &&
           !(LLVMIsAFunction(callee) && LLVMIsDeclaration(callee));
}

void hd_variadic_guard(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_guarded(i))
                    add_guard(b, i);
            }
}
