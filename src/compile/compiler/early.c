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

/* What functions with one caller may make of it.  Registers are allocated, and debug information is
 * followed, for a function at a time, and that takes longer than in step with its length: 200 small
 * functions that call each other in a row were one function then, and took 20 times as long. */
#define ROOM 1000

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

static bool can_move(LLVMValueRef f) {
    return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMInternalLinkage &&
           !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) && !has_attribute(f, "noinline") &&
           !has_attribute(f, "optnone") && !has_attribute(f, "returns_twice");
}

/* -- Functions with one caller --------------------------------------------------------------- */

typedef struct moving {
    hd_build *b;
    hd_map sizes;   /* of functions that others have moved into: all of it */
    hd_map callers; /* of functions that have moved: where to */
} moving;

static uint64_t key_of(LLVMValueRef f) {
    return (uint64_t)(uintptr_t)f;
}

static LLVMValueRef caller_of(LLVMValueRef f) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(LLVMGetFirstUse(f))));
}

/* The function that the code of `f` is in by now. */
static LLVMValueRef place_of(const moving *m, LLVMValueRef f) {
    for (uint64_t *to; (to = hd_map_find(&m->callers, key_of(f)));)
        f = (LLVMValueRef)(uintptr_t)*to;
    return f;
}

static uint64_t size_of(moving *m, LLVMValueRef f) {
    uint64_t *known = hd_map_find(&m->sizes, key_of(f));
    if (known)
        return *known;
    hd_map_put(&m->sizes, key_of(f), shape_of(f).n_instructions);
    return *hd_map_find(&m->sizes, key_of(f));
}

/* May `f` move to its caller, with all that has moved into it?  Functions that call each other in
 * a ring stay. */
static bool has_room(moving *m, LLVMValueRef f) {
    LLVMValueRef to = place_of(m, caller_of(f));
    uint64_t size = size_of(m, f) + size_of(m, to);
    if (to == f || size > ROOM)
        return false;
    hd_map_put(&m->sizes, key_of(to), size);
    hd_map_put(&m->callers, key_of(f), key_of(to));
    return true;
}

/* LLVM's inliner, which comes later, likes to inline the only call of a function, too. */
static bool moves(moving *m, LLVMValueRef f) {
    if (has_room(m, f))
        return true;
    unsigned id = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->b->context, id, 0));
    return false;
}

static bool is_candidate(moving *m, LLVMValueRef f) {
    if (!can_move(f))
        return false;
    shape s = shape_of(f);
    if (!s.has_locals && s.n_instructions <= SMALL && !s.has_switch && !s.has_calls)
        return true;
    return is_called_once(f) && moves(m, f) && !s.has_locals;
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
    moving m = {.b = b};
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (is_candidate(&m, f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(b->context, id, 0));
    hd_map_release(&m.sizes);
    hd_map_release(&m.callers);
    hd_passes_run(b, "always-inline");
}
