/* instrument.c -- the walk: every instruction of every function gets its shadow.
 *
 * Blocks are visited in reverse post-order, so that a value has its shadow before its uses;
 * PHIs are the exception and get their twins first and the twins' operands last.  All
 * instructions are listed before anything is inserted: hooks never instrument hooks.
 * Blocks that cannot be reached are left alone. */
#include "base/hash.h"
#include "base/panic.h"
#include "compile/compiler/build.h"

#include <string.h>

typedef struct function_walk {
    hd_code_blocks order;   /* reverse post-order */
    hd_code_blocks headers; /* targets of back edges */
    hd_code_blocks spins;   /* those of loops that may wait for another thread */
    hd_values all;          /* instructions, in that order */
    hd_values phis;
    bool returns_twice, has_dynamic;
} function_walk;

const char *hd_value_name(LLVMValueRef v) {
    size_t length;
    return LLVMGetValueName2(v, &length);
}

/* -- The order of the blocks --------------------------------------------------------------- */

enum { ON_STACK = 1, DONE = 2 };

typedef struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to look at */
} visit;

typedef struct block_search {
    hd_map state;
    hd_vec(visit) stack;
} block_search;

static void discover(block_search *s, LLVMBasicBlockRef block) {
    hd_map_put(&s->state, (uint64_t)(uintptr_t)block, ON_STACK);
    hd_vec_push(&s->stack, ((visit){block, 0}));
}

static void follow_edge(block_search *s, function_walk *w, LLVMBasicBlockRef to) {
    uint64_t *state = hd_map_find(&s->state, (uint64_t)(uintptr_t)to);
    if (!state) {
        discover(s, to);
    } else if (*state == ON_STACK) {
        for (size_t n = 0; n < w->headers.n; n++)
            if (w->headers.at[n] == to)
                return;
        hd_vec_push(&w->headers, to);
    }
}

static void reverse(hd_code_blocks *order) {
    for (size_t i = 0, j = order->n; i + 1 < j; i++) {
        LLVMBasicBlockRef other = order->at[--j];
        order->at[j] = order->at[i];
        order->at[i] = other;
    }
}

static void order_blocks(function_walk *w, LLVMValueRef function) {
    block_search s = {0};
    discover(&s, LLVMGetEntryBasicBlock(function));
    while (s.stack.n) {
        visit *top = &s.stack.at[s.stack.n - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        if (top->next < LLVMGetNumSuccessors(end)) {
            follow_edge(&s, w, LLVMGetSuccessor(end, top->next++));
            continue;
        }
        hd_map_put(&s.state, (uint64_t)(uintptr_t)top->block, DONE);
        hd_vec_push(&w->order, top->block);
        s.stack.n--;
    }
    reverse(&w->order);
    hd_map_release(&s.state);
    hd_vec_release(&s.stack);
}

/* -- PHIs ---------------------------------------------------------------------------------- */

static void make_twins(hd_build *b, LLVMValueRef phi) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    hd_emit_before(b, LLVMGetFirstInstruction(LLVMGetInstructionParent(phi)));
    for (unsigned n = 0; n < hd_type_n_leaves(type); n++)
        if (hd_value_may_be_symbolic(b, phi) && hd_type_is_symbolic(hd_type_leaf(b, type, n).type))
            hd_shadow_set_leaf(b, phi, n, LLVMBuildPhi(b->builder, b->i32, ""));
}

static void fill_twins(hd_build *b, LLVMValueRef phi) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    for (unsigned n = 0; n < hd_type_n_leaves(type); n++) {
        LLVMValueRef twin = hd_shadow_leaf(b, phi, n);
        for (unsigned k = 0; LLVMIsAPHINode(twin) && k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef shadow = hd_shadow_leaf(b, LLVMGetIncomingValue(phi, k), n);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            LLVMAddIncoming(twin, &shadow, &from, 1);
        }
    }
}

/* -- Instructions -------------------------------------------------------------------------- */

static void instrument_call(hd_build *b, LLVMValueRef i) {
    LLVMSetTailCallKind(i, LLVMTailCallKindNone);
    if (!hd_instrument_mark(b, i) && !hd_instrument_intrinsic(b, i))
        hd_instrument_call(b, i);
}

static void make_operands_concrete(hd_build *b, LLVMValueRef i, const char *what) {
    hd_emit_before(b, i);
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, n)))
            hd_emit_concrete(b, LLVMGetOperand(i, n), what, i);
}

static void instrument_other(hd_build *b, LLVMValueRef i) {
    if (LLVMIsABinaryOperator(i))
        hd_instrument_binary(b, i);
    else if (LLVMIsACastInst(i))
        hd_instrument_cast(b, i);
}

void hd_instrument_one(hd_build *b, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMUnreachable:
    case LLVMFence:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        return;
    case LLVMRet:
        hd_instrument_return(b, i);
        return;
    case LLVMBr:
        hd_instrument_branch(b, i);
        return;
    case LLVMSwitch:
        hd_instrument_switch(b, i);
        return;
    case LLVMIndirectBr:
        hd_instrument_goto(b, i);
        return;
    case LLVMCallBr:
        hd_instrument_assembly(b, i);
        return;
    case LLVMInsertElement:
        make_operands_concrete(b, i, "vector operation");
        return;
    case LLVMVAArg:
        HD_BUG("va_arg instruction on a target that has none");
    case LLVMCall:
        instrument_call(b, i);
        return;
    case LLVMAlloca:
        hd_local_dynamic(b, i);
        return;
    case LLVMLoad:
        hd_instrument_load(b, i);
        return;
    case LLVMStore:
        hd_instrument_store(b, i);
        return;
    case LLVMAtomicRMW:
        hd_instrument_rmw(b, i);
        return;
    case LLVMAtomicCmpXchg:
        hd_instrument_cmpxchg(b, i);
        return;
    case LLVMICmp:
        hd_instrument_compare(b, i);
        return;
    case LLVMSelect:
        hd_instrument_select(b, i);
        return;
    case LLVMGetElementPtr:
        hd_instrument_index(b, i);
        return;
    case LLVMExtractValue:
        hd_instrument_extract(b, i);
        return;
    case LLVMInsertValue:
        hd_instrument_insert(b, i);
        return;
    case LLVMFreeze:
        for (unsigned n = 0; n < hd_type_n_leaves(LLVMTypeOf(i)); n++)
            hd_shadow_set_leaf(b, i, n, hd_shadow_leaf(b, LLVMGetOperand(i, 0), n));
        return;
    default:
        instrument_other(b, i);
    }
}

/* -- Functions ----------------------------------------------------------------------------- */

bool hd_call_returns_twice(LLVMValueRef i) {
    unsigned id = LLVMGetEnumAttributeKindForName("returns_twice", 13);
    if (!LLVMIsACallInst(i))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMGetCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, id) ||
           (LLVMIsAFunction(callee) &&
            LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, id));
}

static void list_instructions(function_walk *w) {
    for (size_t n = 0; n < w->order.n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(w->order.at[n]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            hd_vec_push(&w->all, i);
            if (LLVMIsAPHINode(i))
                hd_vec_push(&w->phis, i);
            w->returns_twice |= hd_call_returns_twice(i);
            w->has_dynamic |= LLVMIsAAllocaInst(i) && !hd_local_is_static(i);
        }
    }
}

/* Loops count down a local copy of the fuel, which lives in a machine register; it is
 * written back around calls.  After a longjmp such a register may hold an old count, and a
 * loop through setjmp would never end: those functions use the shared one.  So do programs with
 * threads, where another thread may count between two iterations. */
static void start_fuel(hd_build *b, LLVMValueRef function, const function_walk *w) {
    b->fuel = NULL;
    if (w->headers.n == 0 || w->returns_twice || b->is_threaded)
        return;
    hd_emit_before(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    b->fuel = LLVMBuildAlloca(b->builder, b->i64, "fuel");
}

/* Whoever jumps leaves frames behind: locals must not move into that of a caller. */
static void keep_frame(hd_build *b, LLVMValueRef function, const function_walk *w) {
    static const char *const jumps[] = {"longjmp", "_longjmp", "siglongjmp"};
    bool can_jump = false;
    for (size_t n = 0; n < sizeof jumps / sizeof *jumps; n++)
        can_jump |= LLVMGetNamedFunction(b->module, jumps[n]) != NULL;
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
    if (can_jump && (b->locals.n || w->has_dynamic))
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(b->context, noinline, 0));
}

static void enter_function(hd_build *b, LLVMValueRef function, const function_walk *w) {
    hd_emit_before(b, b->body);
    b->frame = w->has_dynamic ? hd_emit_stack_pointer(b) : NULL;
    hd_instrument_recursion(b, function);
    if (b->fuel)
        hd_emit(b, HD_HOOK_FUEL_LOAD, b->fuel);
    for (size_t n = 0; n < b->locals.n; n++) {
        const hd_local *local = &b->locals.at[n];
        bool is_private = b->is_threaded && !local->is_shared;
        hd_emit(b, HD_HOOK_LOCAL_ENTER, local->at, hd_const64(b, local->size),
                hd_const64(b, local->behind),
                hd_const32(b, is_private ? HD_POISON_PRIVATE : HD_POISON_LOCAL));
        if (local->has_scope)
            hd_emit(b, HD_HOOK_SCOPE_END, local->at, hd_const64(b, local->size));
        if (local->words)
            hd_emit(b, HD_HOOK_LOCAL_NAME, local->at, local->words);
    }
    hd_instrument_entry(b, function);
}

static bool is_long(const function_walk *w) {
    return hd_function_is_long(w->all.n);
}

/* Is its code to be small instead of fast?  A long function is, if none of its blocks is hot. */
static bool runs_seldom(hd_build *b, LLVMValueRef function, const function_walk *w) {
    bool has_loops =
        w->headers.n || hd_map_find(&b->recursive, (uint64_t)(uintptr_t)function) != NULL;
    bool is_seldom = is_long(w);
    for (size_t n = 0; n < w->order.n && is_seldom; n++)
        is_seldom = !hd_block_is_hot(b, w->order.at[n]);
    b->has_loops |= has_loops;
    b->has_long_way |= is_seldom && !has_loops;
    return is_seldom || hd_frontend_hurries(b);
}

static bool asks_aside(const hd_build *b, const function_walk *w, LLVMBasicBlockRef block) {
    return hd_function_is_cold(b->current) || (is_long(w) && !hd_block_is_hot(b, block));
}

/* In hot blocks: one question for many instructions, and for loops. */
static void prepare_questions(hd_build *b, const function_walk *w) {
    hd_code_blocks loops = {0};
    for (size_t n = 0; n < w->order.n; n++)
        if (!asks_aside(b, w, w->order.at[n]))
            hd_groups_form(b, w->order.at[n]);
    for (size_t n = 0; n < w->headers.n; n++)
        if (!asks_aside(b, w, w->headers.at[n]))
            hd_vec_push(&loops, w->headers.at[n]);
    hd_clean_loops_find(b, &w->order, &loops);
    hd_vec_release(&loops);
}

/* Blocks, and where each leads to: what instrumentation leaves as it is (B1). */
static uint64_t hash_flow(LLVMValueRef function) {
    uint64_t h = LLVMCountBasicBlocks(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        h = hd_hash_add(h, (uint64_t)(uintptr_t)block);
        for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
            h = hd_hash_add(h, (uint64_t)(uintptr_t)LLVMGetSuccessor(end, n));
    }
    return h;
}

static void instrument_function(hd_build *b, LLVMValueRef function) {
    function_walk w = {0};
    uint64_t flow = hash_flow(function);
    b->current = function;
    hd_map_clear(&b->shadows);
    hd_map_clear(&b->holders);
    hd_groups_clear(b);
    hd_vec_clear(&b->leaves);
    hd_locals_pad(b, function);
    order_blocks(&w, function);
    list_instructions(&w);
    hd_concrete_find(b, &w.all);
    for (size_t n = 0; n < w.headers.n; n++)
        if (hd_loop_may_spin(b, w.headers.at[n], &w.order))
            hd_vec_push(&w.spins, w.headers.at[n]);
    hd_dominators_find(b, &w.order);
    if (is_long(&w))
        hd_hot_blocks_find(b, &w.headers, w.all.n);
    if (runs_seldom(b, function, &w))
        hd_function_make_cold(b, function);
    prepare_questions(b, &w);
    b->is_aside = asks_aside(b, &w, w.order.at[0]);
    start_fuel(b, function, &w);
    keep_frame(b, function, &w);
    enter_function(b, function, &w);
    for (size_t n = 0; n < w.phis.n; n++)
        make_twins(b, w.phis.at[n]);
    for (size_t n = 0; n < w.headers.n; n++)
        hd_instrument_loop(b, w.headers.at[n]);
    for (size_t n = 0; n < w.spins.n; n++)
        hd_instrument_spin(b, w.spins.at[n], &w.order);
    for (size_t n = 0; n < w.all.n; n++) {
        b->is_aside = asks_aside(b, &w, LLVMGetInstructionParent(w.all.at[n]));
        hd_clean_loop_enter(b, w.all.at[n]);
        if (!hd_group_instrument(b, w.all.at[n]))
            hd_instrument_one(b, w.all.at[n]);
    }
    for (size_t n = 0; n < w.phis.n; n++)
        fill_twins(b, w.phis.at[n]);
    hd_clean_loops_clear(b);
    b->is_aside = false;
    HD_INVARIANT(B1, hash_flow(function) == flow);
    hd_vec_release(&w.order);
    hd_vec_release(&w.headers);
    hd_vec_release(&w.spins);
    hd_vec_release(&w.all);
    hd_vec_release(&w.phis);
}

void hd_instrument_run(hd_build *b) {
    hd_values functions = {0};
    hd_functions_in_order(b, &functions);
    hd_spin_begin(b);
    hd_recursion_find(b);
    for (size_t n = 0; n < functions.n; n++)
        instrument_function(b, functions.at[n]);
    hd_undefined_lower(b);
    hd_vec_release(&functions);
}
