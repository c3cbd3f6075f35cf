/* serial.c -- does anybody ask who the serial thread of a barrier is?
 *
 * POSIX tells any one of the threads that meet.  Which one is explored; but nearly all programs do
 * not look, and for them it would be that many classes for nothing.  So waits whose result is
 * not used become calls of a function that tells nothing, and if there are no others, nobody asks.
 */
#include "compile/compiler/build.h"

#define ASKS  "pthread_barrier_wait"
#define MEETS "__heddle_barrier_meet"

static LLVMValueRef meeting(hd_build *b, LLVMValueRef asking) {
    LLVMValueRef meets = LLVMGetNamedFunction(b->module, MEETS);
    return meets ? meets : LLVMAddFunction(b->module, MEETS, LLVMGlobalGetValueType(asking));
}

void hd_serial_ignore(hd_build *b) {
    LLVMValueRef asking = LLVMGetNamedFunction(b->module, ASKS);
    if (!asking || !LLVMIsDeclaration(asking))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(asking), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == asking && !LLVMGetFirstUse(call))
            LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, meeting(b, asking));
    }
    if (!LLVMGetFirstUse(asking))
        LLVMDeleteFunction(asking);
}
