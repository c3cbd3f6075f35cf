/* bounds.c -- which indexes leave an object, and which only an array inside of one.
 *
 * clang checks indexes against the type of the array, with one handler for all.  What a failed
 * check means depends on what the array is part of:
 *
 *     a whole object     the access is outside of every object that it could mean, as if through a
 *                        pointer: the execution ends there
 *     a member           a kind of its own, and the execution goes on: what is behind is another
 *                        member of the same struct
 *     anything else      (a row of a plane, what a pointer to an array points to) may be inside of
 *                        its object: said, and memory is asked when the access runs
 *
 * That nothing follows the first kind is also what makes loops over arrays fast: of two accesses
 * with one index, LLVM checks the first (heap sort takes half the time). */
#include "compile/compiler/build.h"

#define HANDLER        "__ubsan_handle_out_of_bounds"
#define HANDLER_INNER  "__ubsan_handle_inner_out_of_bounds"
#define HANDLER_MEMBER "__ubsan_handle_member_out_of_bounds"

static bool is_struct(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static bool is_index(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* The type of the object that begins there; NULL if it is not known. */
static LLVMTypeRef type_of_object(LLVMValueRef p) {
    if (LLVMIsAAllocaInst(p))
        return LLVMGetAllocatedType(p);
    return LLVMIsAGlobalVariable(p) ? LLVMGlobalGetValueType(p) : NULL;
}

/* Is the address that of a member of a struct?  Of the first one it is that of the struct. */
static bool is_member(LLVMValueRef p) {
    for (; is_index(p); p = LLVMGetOperand(p, 0))
        if (is_struct(LLVMGetGEPSourceElementType(p)))
            return true;
    LLVMTypeRef type = type_of_object(p);
    return type && is_struct(type);
}

/* clang checks an index and then uses it, in the block that the check goes on to; NULL if it is
 * not found. */
static LLVMValueRef find_use(LLVMBasicBlockRef handler) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(handler));
    LLVMValueRef branch = use ? LLVMGetUser(use) : NULL;
    if (!branch || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
        return NULL;
    LLVMBasicBlockRef go_on = LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == handler);
    for (LLVMValueRef i = LLVMGetFirstInstruction(go_on); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAGetElementPtrInst(i) &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(i)) == LLVMArrayTypeKind)
            return i;
    return NULL;
}

static const char *handler_for(LLVMValueRef call) {
    LLVMValueRef use = find_use(LLVMGetInstructionParent(call));
    LLVMValueRef base = use ? LLVMGetOperand(use, 0) : NULL;
    if (base && type_of_object(base) == LLVMGetGEPSourceElementType(use))
        return HANDLER;
    return base && is_member(base) ? HANDLER_MEMBER : HANDLER_INNER;
}

static LLVMValueRef function_like(hd_build *b, const char *name, LLVMValueRef model) {
    LLVMValueRef known = LLVMGetNamedFunction(b->module, name);
    return known ? known : LLVMAddFunction(b->module, name, LLVMGlobalGetValueType(model));
}

void hd_bounds_name(hd_build *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HANDLER);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(call))
            LLVMSetOperand(call, LLVMGetNumArgOperands(call),
                           function_like(b, handler_for(call), f));
    }
    hd_check_end(b, HANDLER);
}
