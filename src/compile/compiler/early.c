/* early.c -- inlining before instrumentation, where it costs nothing that users see.
 *
 * Functions with one caller move into it; small ones without loops of calls are copied.  What
 * the caller passes by address can then become a plain value, and no shadows travel through
 * hd_registers.  Branches are numbered first: all copies of a branch share one number, so that
 * coverage still counts the source's branches.
 * A function with local objects stays as it is: they must be poisoned when it returns. */
#include "compile/compiler/build.h"

#include <string.h>

#define SMALL 60 /* instructions */

static unsigned branch_mark(hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.branch", 13);
}

static void number_branch(hd_build *b, LLVMValueRef i, uint32_t number) {
    LLVMMetadataRef value = LLVMValueAsMetadata(hd_const32(b, number));
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, &value, 1);
    LLVMSetMetadata(i, branch_mark(b), LLVMMetadataAsValue(b->context, node));
}

static void number_branches(hd_build *b) {
    uint32_t number = 0;
    hd_values functions = {0};
    hd_functions_in_order(b, &functions);
    for (size_t n = 0; n < functions.n; n++)
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(functions.at[n]); block;
             block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
            if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
                number_branch(b, end, number++);
        }
    hd_vec_release(&functions);
}

bool hd_branch_number(hd_build *b, LLVMValueRef i, uint32_t *number) {
    LLVMValueRef node = LLVMGetMetadata(i, branch_mark(b)), value;
    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return false;
    LLVMGetMDNodeOperands(node, &value);
    *number = (uint32_t)LLVMConstIntGetZExtValue(value);
    return true;
}

static bool has_attribute(LLVMValueRef f, const char *name) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, id) != NULL;
}

static bool is_called_once(LLVMValueRef f) {
    LLVMUseRef use = LLVMGetFirstUse(f);
    if (!use || LLVMGetNextUse(use))
        return false;
    LLVMValueRef call = LLVMGetUser(use);
    return LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f &&
           LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(f) &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != f;
}

typedef struct shape {
    unsigned n_instructions;
    bool has_locals, has_switch, has_calls;
} shape;

static void look_at(LLVMValueRef i, shape *s) {
    if (hd_is_pointer_mark(i) ||
        (LLVMIsACallInst(i) && strcmp(hd_value_name(LLVMGetCalledValue(i)), HD_OVERLAP) == 0))
        return;
    s->n_instructions++;
    s->has_locals |= LLVMIsAAllocaInst(i) || LLVMIsAIndirectBrInst(i);
    s->has_switch |= LLVMIsASwitchInst(i) != NULL;
    if (!LLVMIsACallInst(i))
        return;
    const char *name = hd_value_name(LLVMGetCalledValue(i));
    s->has_calls |= strncmp(name, "llvm.", 5) != 0 && strncmp(name, "__ubsan_handle_", 15) != 0 &&
                    strncmp(name, HD_UNDEFINED_VALUE_OF, strlen(HD_UNDEFINED_VALUE_OF)) != 0;
}

static shape shape_of(LLVMValueRef f) {
    shape s = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            look_at(i, &s);
    return s;
}

static bool is_candidate(LLVMValueRef f) {
    if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMInternalLinkage ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) || has_attribute(f, "noinline") ||
        has_attribute(f, "optnone") || has_attribute(f, "returns_twice"))
        return false;
    shape s = shape_of(f);
    return !s.has_locals &&
           (is_called_once(f) || (s.n_instructions <= SMALL && !s.has_switch && !s.has_calls));
}

/* Two calls that become one lose their line; who called is asked for sends, locks, ..., and by all
 * findings behind the call. */
static void keep_calls_apart(hd_build *b) {
    unsigned id = LLVMGetEnumAttributeKindForName("nomerge", 7);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f && !LLVMGetIntrinsicID(f))
                LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                         LLVMCreateEnumAttribute(b->context, id, 0));
        }
}

void hd_inline_early(hd_build *b) {
    unsigned id = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    number_branches(b);
    keep_calls_apart(b);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (is_candidate(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(b->context, id, 0));
    hd_passes_run(b, "always-inline");
}
