/* callees.c -- is a function called as what it is?
 *
 * clang hashes the type of every function; the hash stands in the code right before it, where a
 * call through a pointer finds it (-fsanitize=function).  Its check becomes a mark, as those of
 * pointers do (pointer_checks.c).  Beside that hash stands one of how arguments and result travel:
 * with another one of these the callee would take what nobody passed, and the execution ends.
 *
 * Direct calls have a wrong type where two files declare a function differently, or where old C
 * declares it without parameters; clang does not look at them.  They go on where registers carry
 * something (agree.c), so that what is behind them is seen. */
#include "base/hash.h"
#include "compile/compiler/build.h"

#include <string.h>

#define MISMATCH "__ubsan_handle_function_type_mismatch"

/* -- How arguments travel ---------------------------------------------------------------------- */

/* Integers and pointers by their width, everything else by what it is. */
static uint64_t add_type(uint64_t hash, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return hd_hash_add(hash, 64);
    if (kind == LLVMIntegerTypeKind)
        return hd_hash_add(hash, LLVMGetIntTypeWidth(type));
    hash = hd_hash_add(hash, 1000 + kind);
    for (unsigned n = 0; kind == LLVMStructTypeKind && n < LLVMCountStructElementTypes(type); n++)
        hash = add_type(hash, LLVMStructGetTypeAtIndex(type, n));
    return hash;
}

static uint32_t way_of(LLVMTypeRef function) {
    LLVMTypeRef types[64];
    unsigned n_types = LLVMCountParamTypes(function);
    uint64_t hash = add_type(hd_hash_add(n_types, (uint64_t)LLVMIsFunctionVarArg(function)),
                             LLVMGetReturnType(function));
    if (n_types <= 64)
        LLVMGetParamTypes(function, types);
    for (unsigned n = 0; n < n_types && n_types <= 64; n++)
        hash = add_type(hash, types[n]);
    return (uint32_t)hash;
}

/* -- Calls through pointers -------------------------------------------------------------------- */

static LLVMValueRef user_of_block(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use ? LLVMGetUser(use) : NULL;
}

static LLVMValueRef call_of(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == pointer)
            return user;
    }
    return NULL;
}

static void empty_block(LLVMBasicBlockRef block) {
    for (LLVMValueRef i; (i = LLVMGetLastInstruction(block));)
        LLVMInstructionEraseFromParent(i);
}

/* clang looks for its signature in one block, at the hash in a second, and calls the handler in a
 * third; both lead to a fourth, and all to where it goes on. */
typedef struct callee_check {
    LLVMValueRef handler, pointer, hash;
    LLVMValueRef first, second; /* branches */
    LLVMBasicBlockRef go_on, blocks[3];
} callee_check;

static bool find_check(LLVMValueRef handler, callee_check *c) {
    LLVMValueRef number = LLVMGetOperand(handler, 1);
    c->handler = handler;
    c->pointer = LLVMIsAPtrToIntInst(number) ? LLVMGetOperand(number, 0) : NULL;
    c->blocks[0] = LLVMGetInstructionParent(handler);
    c->second = user_of_block(c->blocks[0]);
    if (!c->pointer || !c->second || !LLVMIsAICmpInst(LLVMGetCondition(c->second)))
        return false;
    c->hash = LLVMGetOperand(LLVMGetCondition(c->second), 1);
    c->blocks[1] = LLVMGetInstructionParent(c->second);
    c->blocks[2] = LLVMGetSuccessor(c->second, 0);
    c->first = user_of_block(c->blocks[1]);
    if (!c->first || !LLVMIsConditional(c->first) || !LLVMIsAConstantInt(c->hash))
        return false;
    c->go_on = LLVMGetSuccessor(c->first, 1);
    return LLVMIsABranchInst(LLVMGetFirstInstruction(c->blocks[2])) != NULL;
}

/* Whatever the condition was made of, to the address of the signature. */
static void erase_condition(LLVMValueRef condition) {
    LLVMValueRef load = LLVMGetOperand(condition, 0), address = LLVMGetOperand(load, 0);
    LLVMInstructionEraseFromParent(condition);
    LLVMInstructionEraseFromParent(load);
    if (LLVMIsAInstruction(address))
        LLVMInstructionEraseFromParent(address);
}

static void replace(hd_build *b, const callee_check *c) {
    LLVMValueRef call = call_of(c->pointer), condition = LLVMGetCondition(c->first);
    uint64_t way = call ? way_of(LLVMGetCalledFunctionType(call)) : 0;
    uint64_t hash = (uint32_t)LLVMConstIntGetZExtValue(c->hash);
    hd_mark_put(b, HD_CALLED, c->pointer, hd_const64(b, way << 32 | hash),
                LLVMGetOperand(c->handler, 0), c->first);
    hd_emit_before(b, c->first);
    LLVMBuildBr(b->builder, c->go_on);
    LLVMInstructionEraseFromParent(c->first);
    erase_condition(condition);
    for (unsigned n = 0; n < 3; n++)
        empty_block(c->blocks[n]);
    for (unsigned n = 0; n < 3; n++)
        LLVMDeleteBasicBlock(c->blocks[n]);
}

/* -- What stands before functions -------------------------------------------------------------- */

static LLVMMetadataRef number(LLVMTypeRef type, uint64_t n) {
    return LLVMValueAsMetadata(LLVMConstInt(type, n, false));
}

/* {signature, hash} -> {signature and way, hash} */
static void add_way(hd_build *b, LLVMValueRef function) {
    unsigned kind = LLVMGetMDKindIDInContext(b->context, "func_sanitize", 13);
    size_t n;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &n);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef both[2], node;
        if (LLVMValueMetadataEntriesGetKind(entries, k) != kind)
            continue;
        node = LLVMMetadataAsValue(b->context, LLVMValueMetadataEntriesGetMetadata(entries, k));
        LLVMGetMDNodeOperands(node, both);
        uint64_t way = way_of(LLVMGlobalGetValueType(function));
        LLVMMetadataRef parts[] = {number(b->i64, way << 32 | HD_FUNCTION_SIGNATURE),
                                   number(b->i32, (uint32_t)LLVMConstIntGetZExtValue(both[1]))};
        LLVMGlobalSetMetadata(function, kind, LLVMMDNodeInContext2(b->context, parts, 2));
    }
    LLVMDisposeValueMetadataEntries(entries);
}

/* -- Direct calls ------------------------------------------------------------------------------ */

static uint64_t way_of_type(LLVMTypeRef type) {
    return add_type(0, type);
}

/* Does what the call passes, and takes, travel as the function expects it? */
static bool is_fitting(LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function),
                result = LLVMGetReturnType(LLVMGetCalledFunctionType(call));
    unsigned n_named = LLVMCountParams(function);
    if (LLVMGetNumArgOperands(call) < n_named)
        return false;
    for (unsigned n = 0; n < n_named; n++)
        if (way_of_type(LLVMTypeOf(LLVMGetOperand(call, n))) !=
            way_of_type(LLVMTypeOf(LLVMGetParam(function, n))))
            return false;
    return !LLVMGetFirstUse(call) || way_of_type(result) == way_of_type(LLVMGetReturnType(type));
}

/* Do registers carry it all the same, if only for some of its bits (agree.c)? */
static bool is_carried_as(LLVMTypeRef given, LLVMTypeRef wanted) {
    return given == wanted || (hd_type_is_symbolic(given) && hd_type_is_symbolic(wanted));
}

static bool is_carried(LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    unsigned n_named = LLVMCountParams(function);
    if (LLVMGetNumArgOperands(call) < n_named || !hd_call_can_agree(call, function))
        return false;
    for (unsigned n = 0; n < n_named; n++)
        if (!is_carried_as(LLVMTypeOf(LLVMGetOperand(call, n)),
                           LLVMTypeOf(LLVMGetParam(function, n))))
            return false;
    return !LLVMGetFirstUse(call) || is_carried_as(result, LLVMTypeOf(call));
}

/* Too many arguments are wrong as well, but hurt nobody. */
static bool is_right(LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    bool has_more = LLVMGetNumArgOperands(call) > LLVMCountParams(function);
    return LLVMGetCalledFunctionType(call) == type ||
           (is_fitting(call, function) && (!has_more || LLVMIsFunctionVarArg(type)));
}

static void look_at_calls(hd_build *b, LLVMValueRef function) {
    LLVMTypeRef types[] = {b->pointer, b->i32};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 2, false);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
            is_right(call, function))
            continue;
        LLVMValueRef f = LLVMGetNamedFunction(b->module, HD_MISCALLED),
                     arguments[] = {
                         hd_emit_string(b, hd_source_name(function)),
                         hd_const32(b, !is_fitting(call, function) && !is_carried(call, function))};
        if (!f)
            f = LLVMAddFunction(b->module, HD_MISCALLED, type);
        hd_emit_before(b, call);
        LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(call));
        LLVMBuildCall2(b->builder, type, f, arguments, 2, "");
    }
}

void hd_callees_mark(hd_build *b) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, MISMATCH);
    callee_check c;
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(LLVMGetUser(use)) && find_check(LLVMGetUser(use), &c))
            replace(b, &c);
    }
    for (f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            add_way(b, f);
            look_at_calls(b, f);
        }
}
