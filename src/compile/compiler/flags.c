/* flags.c -- does anything in the module look at the flags of floating-point exceptions, or at the
 * way of rounding?
 *
 * Both are in registers of the processor that the machine uses too, and to read these takes as long
 * as dozens of instructions: who never looks at them need not have them kept
 * (machine/core/state.h). Library functions of <fenv.h> look, instructions that LLVM has names for,
 * and any assembly may. */
#include "compile/compiler/build.h"

static bool begins_with_one_of(const char *name, const char *const *beginnings, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (hd_name_begins(name, beginnings[i]))
            return true;
    return false;
}

static bool is_reader(const char *name) {
    static const char *const beginnings[] = {"feclear",     "fedisable",
                                             "feenable",    "feget",
                                             "fehold",      "feraise",
                                             "feset",       "fetest",
                                             "feupdate",    "llvm.x86.sse.stmxcsr",
                                             "llvm.get.",   "llvm.reset",
                                             "llvm.set.",   "llvm.x86.sse.ldmxcsr",
                                             "llvm.flt.",   "llvm.x86.f",
                                             "llvm.x86.xs", "llvm.x86.xr"};
    return begins_with_one_of(name, beginnings, sizeof beginnings / sizeof *beginnings);
}

/* Barriers to the compiler have no text. */
static bool has_assembly(LLVMValueRef f) {
    size_t n;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(f); at; at = LLVMGetNextBasicBlock(at))
        for (LLVMValueRef i = LLVMGetFirstInstruction(at); i; i = LLVMGetNextInstruction(i))
            if ((LLVMIsACallInst(i) || LLVMIsACallBrInst(i)) &&
                LLVMIsAInlineAsm(LLVMGetCalledValue(i)) &&
                (LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &n), n > 0))
                return true;
    return false;
}

bool hd_module_reads_flags(const hd_build *b) {
    size_t n;
    LLVMGetModuleInlineAsm(b->module, &n);
    bool reads = n > 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f && !reads; f = LLVMGetNextFunction(f))
        reads = LLVMIsDeclaration(f) ? is_reader(hd_value_name(f)) : has_assembly(f);
    return reads;
}
