/* agree.c -- calls and definitions agree about types.
 *
 * C without prototypes, and declarations that do not fit, call functions by other types than those
 * they are defined with. That works as far as registers go: so calls are rewritten to what the
 * processor would make of them, an argument or result that is too wide cut off, one that is too
 * narrow extended as the definition says, and what is nowhere passed is zero. Shadows then have the
 * widths that both sides expect (B2). */
#include "compile/compiler/build.h"

#include <string.h>

static bool is_scalar(LLVMTypeRef type) {
    return hd_type_is_symbolic(type);
}

static bool has_attribute(LLVMValueRef function, unsigned index, const char *name) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, index, id) != NULL;
}

/* Structs travel in ways of their own. */
static bool is_plain(LLVMValueRef function, unsigned index, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return !has_attribute(function, index, "byval") && !has_attribute(function, index, "sret") &&
           kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind;
}

static LLVMValueRef convert(hd_build *b, LLVMValueRef v, LLVMTypeRef to, bool is_signed) {
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == to)
        return v;
    if (!is_scalar(from) || !is_scalar(to)) /* another kind of register */
        return LLVMConstNull(to);
    if (LLVMGetTypeKind(from) == LLVMPointerTypeKind)
        v = LLVMBuildPtrToInt(b->builder, v, b->i64, "");
    bool is_pointer = LLVMGetTypeKind(to) == LLVMPointerTypeKind;
    v = LLVMBuildIntCast2(b->builder, v, is_pointer ? b->i64 : to, is_signed, "");
    return is_pointer ? LLVMBuildIntToPtr(b->builder, v, to, "") : v;
}

bool hd_call_can_agree(LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef result = LLVMTypeOf(call);
    for (unsigned n = 0; n < LLVMCountParams(function); n++)
        if (!is_plain(function, n + 1, LLVMTypeOf(LLVMGetParam(function, n))))
            return false;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        if (hd_call_attribute(call, n, "byval") || hd_call_attribute(call, n, "sret") ||
            hd_type_is_aggregate(LLVMTypeOf(LLVMGetOperand(call, n))))
            return false;
    return !hd_type_is_aggregate(result) &&
           is_plain(function, LLVMAttributeReturnIndex,
                    LLVMGetReturnType(LLVMGlobalGetValueType(function)));
}

static void collect_arguments(hd_build *b, LLVMValueRef call, LLVMValueRef function,
                              hd_values *arguments) {
    unsigned given = LLVMGetNumArgOperands(call), wanted = LLVMCountParams(function);
    bool is_variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
    for (unsigned n = 0; n < wanted || (is_variadic && n < given); n++) {
        LLVMTypeRef type = n < wanted ? LLVMTypeOf(LLVMGetParam(function, n)) : NULL;
        LLVMValueRef v = n < given ? LLVMGetOperand(call, n) : LLVMConstNull(type);
        hd_vec_push(arguments,
                    type ? convert(b, v, type, has_attribute(function, n + 1, "signext")) : v);
    }
}

static void make_agree(hd_build *b, LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function), wanted = LLVMTypeOf(call);
    hd_values arguments = {0};
    LLVMPositionBuilderBefore(b->builder, call);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(call));
    collect_arguments(b, call, function, &arguments);
    LLVMValueRef made = LLVMBuildCall2(b->builder, type, function, arguments.at,
                                       (unsigned)arguments.n, ""),
                 result = made;
    if (LLVMTypeOf(made) == b->void_type && wanted != b->void_type)
        result = LLVMConstNull(wanted);
    else if (wanted != b->void_type)
        result =
            convert(b, made, wanted, has_attribute(function, LLVMAttributeReturnIndex, "signext"));
    if (wanted != b->void_type)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    hd_vec_release(&arguments);
}

/* The function may be an argument too; what it is called by is the last operand. */
static bool is_callee(LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    return LLVMIsACallInst(user) &&
           LLVMGetOperandUse(user, (unsigned)LLVMGetNumOperands(user) - 1) == use;
}

/* By its own name, or by one that stands for it. */
static void agree_with(hd_build *b, LLVMValueRef name, LLVMValueRef function) {
    hd_values calls = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(name); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (is_callee(use) && LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function) &&
            hd_call_can_agree(call, function))
            hd_vec_push(&calls, call);
    }
    for (size_t n = 0; n < calls.n; n++)
        make_agree(b, calls.at[n], function);
    hd_vec_release(&calls);
}

void hd_calls_agree(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            agree_with(b, f, f);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(b->module); a; a = LLVMGetNextGlobalAlias(a))
        if (LLVMIsAFunction(LLVMAliasGetAliasee(a)))
            agree_with(b, a, LLVMAliasGetAliasee(a));
}
