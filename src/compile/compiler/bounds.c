/* bounds.c -- which indexes leave an object, and which only an array inside of one.
 *
 * clang checks indexes against the type of the array, with one handler for all.  Where the array is
 * a member of a struct, what is behind it is another member: that is a kind of its own, and the
 * execution goes on.  Every other index outside of its array ends the execution, as an access
 * through a pointer outside of its object does.
 *
 * That nothing follows is also what makes loops over arrays fast: of two accesses with one index,
 * LLVM checks the first. */
#include "compile/compiler/build.h"

#define HANDLER        "__ubsan_handle_out_of_bounds"
#define HANDLER_MEMBER "__ubsan_handle_member_out_of_bounds"

static bool is_struct(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static bool is_index(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Is the address that of a member of a struct?  Of the first one it is that of the struct. */
static bool is_member(LLVMValueRef p) {
    for (; is_index(p); p = LLVMGetOperand(p, 0))
        if (is_struct(LLVMGetGEPSourceElementType(p)))
            return true;
    if (LLVMIsAAllocaInst(p))
        return is_struct(LLVMGetAllocatedType(p));
    return LLVMIsAGlobalVariable(p) && is_struct(LLVMGlobalGetValueType(p));
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

static LLVMValueRef member_handler(hd_build *b, LLVMValueRef model) {
    LLVMValueRef known = LLVMGetNamedFunction(b->module, HANDLER_MEMBER);
    return known ? known
                 : LLVMAddFunction(b->module, HANDLER_MEMBER, LLVMGlobalGetValueType(model));
}

void hd_bounds_name(hd_build *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HANDLER);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMValueRef index =
            LLVMIsACallInst(call) ? find_use(LLVMGetInstructionParent(call)) : NULL;
        if (index && is_member(LLVMGetOperand(index, 0)))
            LLVMSetOperand(call, LLVMGetNumArgOperands(call), member_handler(b, f));
    }
    hd_check_end(b, HANDLER);
}
