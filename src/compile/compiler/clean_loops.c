/* clean_loops.c -- loops that compute with concrete globals only: one question before them.
 *
 * A loop whose accesses all lie certainly inside of globals (inside.c), and which calls nothing
 * that could change shadows, is asked about once, where it is entered: are all these globals clean,
 * and all values that it gets from outside concrete?  If so nothing in it can become anything but
 * concrete: what it loads is, what it computes of that is, and so is what it stores, into globals
 * that stay clean.  No question inside it has another answer then than 0.  The hooks of such a loop
 * begin with the answer that was got before it, and LLVM makes two loops of it, one of them without
 * any of the others (simple-loop-unswitch).
 *
 * C1. Every access of the loop is inside of a global that was asked about.
 * C2. Nothing in the loop calls the machine while all is concrete, but for steps, and checks of
 *     clang that fail, which change no shadow. */
#include "compile/compiler/build.h"

#include <string.h>

static uint64_t key_of(const void *p) {
    return (uint64_t)(uintptr_t)p;
}

/* -- What a loop consists of ------------------------------------------------------------------ */

static bool holds(const hd_clean_loop *l, LLVMBasicBlockRef block) {
    for (size_t n = 0; n < l->blocks.n; n++)
        if (l->blocks.at[n] == block)
            return true;
    return false;
}

/* The block before the header, if it is one; what leads back to it goes into the loop. */
static bool find_entry(const hd_build *b, hd_clean_loop *l, LLVMBasicBlockRef header) {
    hd_code_blocks from = {0};
    hd_vec_push(&l->blocks, header);
    hd_block_predecessors(b, header, &from);
    unsigned n_entries = 0;
    for (size_t n = 0; n < from.n; n++) {
        if (!hd_block_dominates(b, header, from.at[n])) {
            l->before = from.at[n];
            n_entries++;
        } else if (!holds(l, from.at[n])) {
            hd_vec_push(&l->blocks, from.at[n]);
        }
    }
    hd_vec_release(&from);
    return n_entries == 1 && l->blocks.n > 0;
}

/* All that leads to those blocks, up to the header. */
static void find_blocks(const hd_build *b, hd_clean_loop *l) {
    hd_code_blocks from = {0};
    for (size_t n = 1; n < l->blocks.n && l->blocks.n <= HD_CLEAN_LOOP_BLOCKS; n++) {
        hd_block_predecessors(b, l->blocks.at[n], &from);
        for (size_t k = 0; k < from.n; k++)
            if (!holds(l, from.at[k]))
                hd_vec_push(&l->blocks, from.at[k]);
    }
    hd_vec_release(&from);
}

/* -- What it may do --------------------------------------------------------------------------- */

static bool is_quiet_call(LLVMValueRef call) {
    static const char *const quiet[] = {"llvm.sadd.with.overflow",
                                        "llvm.ssub.with.overflow",
                                        "llvm.smul.with.overflow",
                                        "llvm.uadd.with.overflow",
                                        "llvm.usub.with.overflow",
                                        "llvm.umul.with.overflow",
                                        "llvm.smax",
                                        "llvm.smin",
                                        "llvm.umax",
                                        "llvm.umin",
                                        "llvm.abs",
                                        "llvm.bswap",
                                        "llvm.ctpop",
                                        "llvm.fshl",
                                        "llvm.fshr",
                                        "llvm.dbg.",
                                        "__ubsan_handle_"};
    return HD_NAME_BEGINS_AS(hd_value_name(LLVMGetCalledValue(call)), quiet) ||
           hd_is_pointer_mark(call);
}

static void add_object(hd_clean_loop *l, uint64_t object) {
    for (size_t n = 0; n < l->objects.n; n++)
        if (l->objects.at[n] == object)
            return;
    hd_vec_push(&l->objects, object);
}

/* C1 */
static bool is_clean_access(hd_build *b, hd_clean_loop *l, LLVMValueRef i) {
    bool is_store = LLVMIsAStoreInst(i);
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return false;
    uint64_t object =
        hd_access_object(b, LLVMGetOperand(i, is_store), LLVMStoreSizeOfType(b->layout, type),
                         is_store, LLVMGetInstructionParent(i));
    if (object == HD_NO_OBJECT)
        return false;
    add_object(l, object);
    return true;
}

/* C2 */
static bool is_clean(hd_build *b, hd_clean_loop *l, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
        return is_clean_access(b, l, i);
    case LLVMCall:
        return is_quiet_call(i);
    case LLVMPHI:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMUnreachable:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMExtractValue:
    case LLVMFreeze:
        return true;
    default:
        return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

static bool are_clean(hd_build *b, hd_clean_loop *l) {
    for (size_t n = 0; n < l->blocks.n; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->blocks.at[n]); i;
             i = LLVMGetNextInstruction(i))
            if (!is_clean(b, l, i))
                return false;
    return l->objects.n > 0;
}

static void forget(hd_clean_loop *l) {
    hd_vec_release(&l->blocks);
    hd_vec_release(&l->objects);
}

static void consider(hd_build *b, LLVMBasicBlockRef header) {
    hd_clean_loop l = {0};
    if (find_entry(b, &l, header))
        find_blocks(b, &l);
    if (!l.before || l.blocks.n > HD_CLEAN_LOOP_BLOCKS || !are_clean(b, &l)) {
        forget(&l);
        return;
    }
    for (size_t n = 0; n < l.blocks.n; n++)
        hd_map_put(&b->clean_loop_of, key_of(l.blocks.at[n]), b->clean_loops.n);
    hd_vec_push(&b->clean_loops, l);
}

/* Outer loops come before those inside of them. */
void hd_clean_loops_find(hd_build *b, const hd_code_blocks *order, const hd_code_blocks *headers) {
    for (size_t n = 0; n < order->n && !b->is_threaded; n++)
        for (size_t k = 0; k < headers->n; k++)
            if (headers->at[k] == order->at[n] &&
                !hd_map_find(&b->clean_loop_of, key_of(order->at[n])))
                consider(b, order->at[n]);
}

void hd_clean_loops_clear(hd_build *b) {
    for (size_t n = 0; n < b->clean_loops.n; n++)
        forget(&b->clean_loops.at[n]);
    hd_vec_clear(&b->clean_loops);
    hd_map_clear(&b->clean_loop_of);
}

/* -- The question before it ------------------------------------------------------------------- */

static hd_clean_loop *loop_of(hd_build *b, LLVMBasicBlockRef block) {
    uint64_t *number = hd_map_find(&b->clean_loop_of, key_of(block));
    return number ? &b->clean_loops.at[*number] : NULL;
}

static void ask_value(hd_build *b, hd_clean_loop *l, LLVMValueRef v) {
    bool is_outside =
        LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !holds(l, LLVMGetInstructionParent(v)));
    for (unsigned n = 0; is_outside && n < hd_type_n_leaves(LLVMTypeOf(v)); n++) {
        LLVMValueRef shadow = hd_shadow_leaf(b, v, n);
        if (!hd_shadow_is_zero(shadow))
            l->unclean = LLVMBuildOr(b->builder, l->unclean,
                                     LLVMBuildZExt(b->builder, shadow, b->i64, ""), "");
    }
}

/* What the loop gets from outside: operands, and what its PHIs begin with. */
static void ask_values(hd_build *b, hd_clean_loop *l) {
    for (size_t n = 0; n < l->blocks.n; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->blocks.at[n]); i;
             i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                ask_value(b, l, LLVMGetOperand(i, (unsigned)k));
}

void hd_clean_loop_enter(hd_build *b, LLVMValueRef i) {
    hd_clean_loop *l = loop_of(b, LLVMGetInstructionParent(i));
    if (!l || l->unclean)
        return;
    hd_emit_before(b, LLVMGetBasicBlockTerminator(l->before));
    LLVMSetCurrentDebugLocation2(b->builder, NULL);
    l->unclean = hd_const64(b, 0);
    ask_values(b, l);
    for (size_t n = 0; n < l->objects.n; n++)
        l->unclean = LLVMBuildOr(b->builder, l->unclean, hd_emit_unclean(b, l->objects.at[n]), "");
}

LLVMValueRef hd_clean_loop_value(hd_build *b, LLVMBasicBlockRef block) {
    hd_clean_loop *l = loop_of(b, block);
    return l ? l->unclean : NULL;
}
