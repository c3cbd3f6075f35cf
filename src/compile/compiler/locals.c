/* locals.c -- room for poisoned bytes around local objects, and the ends of their scopes.
 *
 *     | front: HD_LOCAL_PAD or the alignment | object | behind: at least HD_LOCAL_PAD |
 *
 * Only objects whose address is used are still allocas here; sroa made values of the rest.  A local
 * whose scope certain.c could not see through is poisoned outside of it.  A scope that ends with
 * the function needs nothing of its own. */
#include "compile/compiler/build.h"

#include <string.h>

/* -- Names ----------------------------------------------------------------------------------- */

static unsigned words_mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.words", 12);
}

/* Of a llvm.dbg.declare: its operands are metadata. */
static LLVMValueRef declared_local(LLVMValueRef declare) {
    LLVMValueRef node = LLVMGetOperand(declare, 0), local = NULL;
    if (LLVMGetMDNodeNumOperands(node) == 1)
        LLVMGetMDNodeOperands(node, &local);
    return local && LLVMIsAAllocaInst(local) ? local : NULL;
}

/* The second operand of the variable's node. */
static const char *declared_name(LLVMValueRef declare, unsigned *length) {
    LLVMValueRef node = LLVMGetOperand(declare, 1), operands[32];
    unsigned n = LLVMGetMDNodeNumOperands(node);
    if (n < 2 || n > 32)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[1] ? LLVMGetMDString(operands[1], length) : NULL;
}

void hd_local_name(hd_build *b, LLVMValueRef local, LLVMValueRef where, const char *name) {
    const char *file = hd_file_of(b, where);
    if (!file)
        return;
    hd_text words = {0};
    hd_text_add(&words, "%s whose scope has ended (%s:%u)", name, file, LLVMGetDebugLocLine(where));
    LLVMMetadataRef text = LLVMMDStringInContext2(b->context, words.at, words.n);
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, &text, 1);
    LLVMSetMetadata(local, words_mark(b), LLVMMetadataAsValue(b->context, node));
    hd_text_release(&words);
}

static void name_declared(hd_build *b, LLVMValueRef declare) {
    unsigned length = 0;
    LLVMValueRef local = declared_local(declare);
    const char *name = local ? declared_name(declare, &length) : NULL;
    char *words = name ? hd_text_format("local variable '%.*s'", (int)length, name) : NULL;
    if (words)
        hd_local_name(b, local, declare, words);
    free(words);
}

/* Declarations of variables can be read from C as calls only, their old form. */
void hd_locals_name(hd_build *b) {
    LLVMSetIsNewDbgInfoFormat(b->module, false);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "llvm.dbg.declare");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use))
        name_declared(b, LLVMGetUser(use));
    LLVMSetIsNewDbgInfoFormat(b->module, true);
}

static LLVMValueRef words_of(hd_build *b, LLVMValueRef local) {
    unsigned length;
    LLVMValueRef node = LLVMGetMetadata(local, words_mark(b)), text;
    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return NULL;
    LLVMGetMDNodeOperands(node, &text);
    return hd_emit_string(b, LLVMGetMDString(text, &length));
}

/* -- Scopes ---------------------------------------------------------------------------------- */

static bool is_mark(LLVMValueRef i, const char *name) {
    return LLVMIsACallInst(i) && strcmp(hd_value_name(LLVMGetCalledValue(i)), name) == 0;
}

/* Nothing that could access memory, until the block ends. */
static bool is_quiet(LLVMValueRef i) {
    for (; i; i = LLVMGetNextInstruction(i)) {
        bool is_call = LLVMIsACallInst(i) && !is_mark(i, HD_SCOPE_END) &&
                       strncmp(hd_value_name(LLVMGetCalledValue(i)), "llvm.dbg.", 9) != 0;
        if (is_call || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
            LLVMIsAAtomicCmpXchgInst(i))
            return false;
    }
    return true;
}

/* The function returns behind `i` and does nothing before that; chains of blocks are short. */
static bool returns_soon(LLVMValueRef i, unsigned depth) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i));
    if (!is_quiet(i))
        return false;
    if (LLVMIsAReturnInst(end))
        return true;
    return depth && LLVMIsABranchInst(end) && !LLVMIsConditional(end) &&
           returns_soon(LLVMGetFirstInstruction(LLVMGetSuccessor(end, 0)), depth - 1);
}

static void list_marks(LLVMValueRef local, const char *name, hd_values *found) {
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use))
        if (is_mark(LLVMGetUser(use), name))
            hd_vec_push(found, LLVMGetUser(use));
}

static void erase_all(hd_values *found) {
    for (size_t n = 0; n < found->n; n++)
        LLVMInstructionEraseFromParent(found->at[n]);
}

/* True if the local has a scope to watch. */
static bool keep_scope(LLVMValueRef local) {
    hd_values starts = {0}, ends = {0};
    bool ends_with_function = true;
    list_marks(local, HD_SCOPE_START, &starts);
    list_marks(local, HD_SCOPE_AGAIN, &starts);
    list_marks(local, HD_SCOPE_END, &ends);
    for (size_t n = 0; n < ends.n; n++)
        ends_with_function &= returns_soon(LLVMGetNextInstruction(ends.at[n]), 4);
    if (ends_with_function) {
        erase_all(&starts);
        erase_all(&ends);
    }
    hd_vec_release(&starts);
    hd_vec_release(&ends);
    return !ends_with_function;
}

static const hd_local *find_local(const hd_build *b, LLVMValueRef at) {
    for (size_t n = 0; n < b->locals.n; n++)
        if (b->locals.at[n].at == at)
            return &b->locals.at[n];
    return NULL;
}

static void end_scope(hd_build *b, const hd_local *local, LLVMValueRef mark) {
    hd_shared_leave(b, local, mark);
    hd_emit(b, HD_HOOK_SCOPE_END, local->at, hd_const64(b, local->size));
}

/* An access as a whole.  What is symbolic is treated by the accesses themselves. */
static void touch(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef p = LLVMGetOperand(mark, 0);
    hd_emit(b, HD_HOOK_TOUCH, p, hd_shadow_get(b, p), LLVMGetOperand(mark, 1),
            LLVMGetOperand(mark, 2), hd_site_of(b, mark));
}

static void may_overlap(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef to = LLVMGetOperand(mark, 0), from = LLVMGetOperand(mark, 1),
                 n = LLVMGetOperand(mark, 2);
    hd_emit(b, HD_HOOK_OVERLAP, to, hd_shadow_get(b, to), from, hd_shadow_get(b, from), n,
            hd_shadow_get(b, n), hd_const32(b, hd_site_add(b, mark, UINT32_MAX, HD_SITE_CHECK)));
}

/* Which function it is comes first: what a wrong one leads to is said on the path of that one. */
static void check_callee(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef callee = LLVMGetOperand(mark, 0);
    if (!hd_shadow_is_zero(hd_shadow_get(b, callee)))
        hd_emit(b, HD_HOOK_CALLEE, hd_shadow_get(b, callee), hd_emit_bits(b, callee),
                hd_site_of(b, mark));
    hd_emit(b, HD_HOOK_CALLED, callee, LLVMGetOperand(mark, 1), LLVMGetOperand(mark, 2));
}

/* -- The stack pointer ----------------------------------------------------------------------- */

LLVMValueRef hd_emit_stack_pointer(hd_build *b) {
    LLVMTypeRef type = LLVMFunctionType(b->pointer, NULL, 0, false);
    LLVMValueRef save = LLVMGetNamedFunction(b->module, "llvm.stacksave.p0");
    if (!save)
        save = LLVMAddFunction(b->module, "llvm.stacksave.p0", type);
    return LLVMBuildCall2(b->builder, type, save, NULL, 0, "");
}

/* Variable-length arrays whose scope ends lie below the place that the stack goes back to. */
static void restore_stack(hd_build *b, LLVMValueRef mark) {
    hd_emit(b, HD_HOOK_STACK_RESTORE, hd_emit_stack_pointer(b), LLVMGetOperand(mark, 0),
            hd_const32(b, HD_POISON_SCOPE));
}

bool hd_instrument_mark(hd_build *b, LLVMValueRef call) {
    if (strncmp(hd_value_name(LLVMGetCalledValue(call)), HD_MARK, strlen(HD_MARK)) != 0)
        return false;
    const hd_local *local = find_local(b, LLVMGetOperand(call, 0));
    hd_emit_before(b, call);
    if (is_mark(call, HD_FRESH))
        hd_emit(b, HD_HOOK_FRESH, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
    else if (is_mark(call, HD_SCOPE_START) && local)
        hd_emit(b, HD_HOOK_SCOPE_START, local->at, hd_const64(b, local->size));
    else if (is_mark(call, HD_SCOPE_AGAIN) && local)
        hd_emit(b, HD_HOOK_SCOPE_AGAIN, local->at, hd_const64(b, local->size));
    else if (is_mark(call, HD_SCOPE_END) && local)
        end_scope(b, local, call);
    else if (is_mark(call, HD_RESTORE))
        restore_stack(b, call);
    else if (is_mark(call, HD_TOUCH))
        touch(b, call);
    else if (is_mark(call, HD_HOLD))
        hd_instrument_hold(b, call);
    else if (is_mark(call, HD_JUMP))
        hd_instrument_jump(b, call);
    else if (is_mark(call, HD_OVERLAP))
        may_overlap(b, call);
    else if (is_mark(call, HD_CALLED))
        check_callee(b, call);
    else if (is_mark(call, HD_MISCALLED))
        hd_emit(b, HD_HOOK_MISCALLED, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                hd_site_of(b, call));
    else if (hd_is_pointer_mark(call))
        hd_instrument_pointer_mark(b, call);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* -- Padding --------------------------------------------------------------------------------- */

#define LEAST_BEHIND 24 /* three words: the second element behind an array of them */

/* Bytes behind an object: more for larger ones, so that a stride too far is seen as well. */
static uint64_t bytes_behind(uint64_t size) {
    uint64_t wanted = size / 8 < LEAST_BEHIND ? LEAST_BEHIND : size / 8 > 128 ? 128 : size / 8;
    return (size + wanted + 15) / 16 * 16 - size;
}

static uint64_t bytes_before(LLVMValueRef local) {
    unsigned alignment = LLVMGetAlignment(local);
    return alignment > HD_LOCAL_PAD ? alignment : HD_LOCAL_PAD;
}

bool hd_local_is_static(LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
           block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

uint64_t hd_local_size(const hd_build *b, LLVMValueRef local) {
    return LLVMABISizeOfType(b->layout, LLVMGetAllocatedType(local)) *
           LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0));
}

/* The object inside `twin` takes the place of `local`. */
static LLVMValueRef replace_local(hd_build *b, LLVMValueRef local, LLVMValueRef twin,
                                  uint64_t front) {
    LLVMValueRef offset = hd_const64(b, front);
    LLVMSetAlignment(twin, (unsigned)front);
    LLVMValueRef object = LLVMBuildInBoundsGEP2(b->builder, b->i8, twin, &offset, 1, "");
    LLVMReplaceAllUsesWith(local, object);
    return object;
}

static LLVMValueRef first_ordinary(LLVMBasicBlockRef entry) {
    LLVMValueRef i = LLVMGetFirstInstruction(entry);
    while (hd_local_is_static(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void pad_static(hd_build *b, LLVMValueRef local, bool has_scope, LLVMBasicBlockRef entry) {
    uint64_t size = hd_local_size(b, local), front = bytes_before(local);
    uint64_t behind = bytes_behind(size);
    bool is_shared = hd_operand_is_shared(b, local, 0);
    LLVMValueRef words = has_scope ? words_of(b, local) : NULL;
    LLVMPositionBuilderBefore(b->builder, LLVMGetFirstInstruction(entry));
    LLVMTypeRef whole = LLVMArrayType2(b->i8, front + size + behind);
    LLVMValueRef twin = LLVMBuildAlloca(b->builder, whole, "");
    LLVMPositionBuilderBefore(b->builder, first_ordinary(entry));
    LLVMValueRef object = replace_local(b, local, twin, front);
    LLVMInstructionEraseFromParent(local);
    hd_vec_push(&b->locals, ((hd_local){.at = object,
                                        .size = size,
                                        .behind = behind,
                                        .is_shared = is_shared,
                                        .has_scope = has_scope,
                                        .words = words}));
}

void hd_locals_pad(hd_build *b, LLVMValueRef function) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    hd_values found = {0};
    hd_vec(bool) has_scope = {0};
    hd_vec_clear(&b->locals);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (hd_local_is_static(i))
            hd_vec_push(&found, i);
    for (size_t n = 0; n < found.n; n++)
        hd_vec_push(&has_scope, keep_scope(found.at[n]));
    b->body = first_ordinary(entry);
    for (size_t n = 0; n < found.n; n++)
        pad_static(b, found.at[n], has_scope.at[n], entry);
    hd_vec_release(&found);
    hd_vec_release(&has_scope);
}

/* The size is decided, as that of a block: other sizes are other paths. */
static void decide_size(hd_build *b, LLVMValueRef count, LLVMValueRef site) {
    LLVMValueRef shadow = hd_shadow_get(b, count);
    if (!hd_shadow_is_zero(shadow))
        hd_emit(b, HD_HOOK_CALLEE, shadow, hd_emit_bits(b, count), site);
}

/* Variable-length arrays and alloca(). */
void hd_local_dynamic(hd_build *b, LLVMValueRef i) {
    if (hd_local_is_static(i))
        return;
    LLVMValueRef count = LLVMGetOperand(i, 0), site = hd_site_of(b, i);
    uint64_t front = bytes_before(i);
    LLVMValueRef one = hd_const64(b, LLVMABISizeOfType(b->layout, LLVMGetAllocatedType(i)));
    hd_emit_before(b, i);
    decide_size(b, count, site);
    LLVMValueRef bytes = LLVMBuildMul(b->builder, hd_emit_bits(b, count), one, "");
    LLVMValueRef room = hd_const64(b, front + HD_LOCAL_PAD);
    LLVMValueRef total = LLVMBuildAdd(b->builder, bytes, room, "");
    LLVMValueRef twin = LLVMBuildArrayAlloca(b->builder, b->i8, total, "");
    LLVMValueRef object = replace_local(b, i, twin, front);
    hd_emit(b, HD_HOOK_ALLOCA, object, bytes, site);
    LLVMInstructionEraseFromParent(i);
}
