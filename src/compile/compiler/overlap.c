/* overlap.c -- memcpy and assignments of structs between objects that overlap.
 *
 * clang makes the same copy of a call of memcpy and of an assignment of structs.  Neither may
 * overlap, unless it is the same place.  clang is told to leave the calls, so that their results
 * stay; they become what it would have made, and before every copy is a mark: (to, from, length).
 */
#include "compile/compiler/build.h"

#include <string.h>

static bool is_identified(LLVMValueRef v) {
    return LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v);
}

static LLVMValueRef object_of(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p) ||
           (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
        p = LLVMGetOperand(p, 0);
    return p;
}

static void put_mark(hd_build *b, LLVMValueRef call) {
    LLVMTypeRef types[] = {b->pointer, b->pointer, b->i64};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 3, false);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HD_OVERLAP);
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                                LLVMGetOperand(call, 2)};
    if (!f)
        f = LLVMAddFunction(b->module, HD_OVERLAP, type);
    LLVMBuildCall2(b->builder, type, f, arguments, 3, "");
}

/* What is certainly two objects needs no mark, which would be in the way of passes. */
static bool are_two_objects(LLVMValueRef to, LLVMValueRef from) {
    to = object_of(to), from = object_of(from);
    return to != from && is_identified(to) && is_identified(from);
}

static void put_copy(hd_build *b, LLVMValueRef call) {
    LLVMValueRef to = LLVMGetOperand(call, 0);
    LLVMBuildMemCpy(b->builder, to, 1, LLVMGetOperand(call, 1), 1, LLVMGetOperand(call, 2));
    LLVMReplaceAllUsesWith(call, to);
    LLVMInstructionEraseFromParent(call);
}

static bool is_call(LLVMValueRef i, LLVMValueRef f) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    return LLVMIsACallInst(i) && LLVMGetCalledValue(i) == f && LLVMGetNumArgOperands(i) == 3 &&
           LLVMGetCalledFunctionType(i) == type;
}

static bool is_memcpy(const hd_build *b, LLVMValueRef f) {
    LLVMTypeRef types[3], type = f ? LLVMGlobalGetValueType(f) : NULL;
    if (!f || !LLVMIsDeclaration(f) || LLVMCountParamTypes(type) != 3)
        return false;
    LLVMGetParamTypes(type, types);
    return types[0] == b->pointer && types[1] == b->pointer && types[2] == b->i64 &&
           LLVMGetReturnType(type) == b->pointer;
}

/* Other passes may still make calls of memcpy. */
static void allow_memcpy(hd_build *b) {
    static const char attribute[] = "no-builtin-memcpy";
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute,
                                         sizeof attribute - 1);
}

/* Copies that clang has made of assignments. */
static void mark_copies(hd_build *b, LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef copy = LLVMGetUser(use);
        if (!LLVMIsACallInst(copy) || LLVMGetCalledValue(copy) != f ||
            LLVMTypeOf(LLVMGetOperand(copy, 2)) != b->i64 ||
            are_two_objects(LLVMGetOperand(copy, 0), LLVMGetOperand(copy, 1)))
            continue;
        hd_emit_before(b, copy);
        put_mark(b, copy);
    }
}

static void mark_assignments(hd_build *b) {
    static const char name[] = "llvm.memcpy.p0.p0.";
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (strncmp(hd_value_name(f), name, sizeof name - 1) == 0)
            mark_copies(b, f);
}

void hd_overlaps_mark(hd_build *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "memcpy");
    allow_memcpy(b);
    if (strcmp(b->checks, "none") != 0)
        mark_assignments(b);
    if (!is_memcpy(b, f))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!is_call(call, f))
            continue;
        hd_emit_before(b, call);
        if (strcmp(b->checks, "none") != 0)
            put_mark(b, call);
        put_copy(b, call);
    }
}

void hd_overlaps_simplify(hd_build *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HD_OVERLAP);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        LLVMValueRef mark = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (are_two_objects(LLVMGetOperand(mark, 0), LLVMGetOperand(mark, 1)))
            LLVMInstructionEraseFromParent(mark);
    }
}
