/* waiting_loops.c -- loops that may be waiting for another thread.
 *
 * while (!flag) sched_yield();
 *
 * A loop without effects of its own does the same again if it reads the same again: then the
 * machine lets its thread wait until something that it read has changed.  Here such loops are
 * found, and get a hook at their header that hands over a hash of the header's PHIs, all that one
 * iteration leaves to the next, and of what the loop uses from before it.  Accesses of shared
 * memory are seen by the machine when they happen; what must not be in the loop is what it cannot
 * see. */
#include "compile/compiler/build.h"

#include <string.h>

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15) /* 2^64 divided by the golden ratio, odd */

enum { HARMLESS = 1, HARMFUL };

static uint64_t key_of(LLVMValueRef v) {
    return (uint64_t)(uintptr_t)v;
}

static uint64_t key_of_block(LLVMBasicBlockRef block) {
    return (uint64_t)(uintptr_t)block;
}

/* -- Effects ----------------------------------------------------------------------------------- */

/* Or one that the machine sees. */
static bool is_waiting_function(const char *name) {
    static const char *const known[] = {
        "sched_yield", "pthread_yield", "thrd_yield", "usleep", "nanosleep", "sleep", "thrd_sleep",
        /* one that does not hold ends the thread */
        "__heddle_assume",
        /* the machine sees whether these had an effect */
        HD_ANNOUNCE, "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "pthread_mutex_trylock",
        "pthread_spin_trylock", "mtx_trylock", "pthread_mutex_lock", "pthread_mutex_unlock",
        "pthread_spin_lock", "pthread_spin_unlock", "mtx_lock", "mtx_unlock"};
    return HD_NAME_IS_IN(name, known);
}

/* "pause" and barriers to the compiler have no operands and no result. */
static bool is_harmless_assembly(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call) == 0 &&
           LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
}

/* What a called function does to its own locals is gone when it returns; what a model has
 * announced the machine has seen. */
static bool is_local_or_announced(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) ||
           (LLVMIsACallInst(p) && strcmp(hd_value_name(LLVMGetCalledValue(p)), HD_ANNOUNCE) == 0);
}

static bool is_harmless_write(const hd_build *b, LLVMValueRef i, unsigned operand, bool is_called) {
    return hd_operand_is_shared(b, i, operand) ||
           (is_called && is_local_or_announced(LLVMGetOperand(i, operand)));
}

static bool is_harmless_intrinsic(const hd_build *b, LLVMValueRef call, const char *name,
                                  bool is_called) {
    static const char *const harmful[] = {"va_", "stack", "eh.", "trap", "longjmp", "setjmp"};
    if (strncmp(name, "mem", 3) == 0)
        return is_harmless_write(b, call, 0, is_called);
    return !HD_NAME_BEGINS_AS(name, harmful);
}

static bool is_harmless_function(hd_build *b, LLVMValueRef f);

static bool is_harmless_call(hd_build *b, LLVMValueRef call, bool is_called) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return is_harmless_assembly(call);
    if (!LLVMIsAFunction(callee))
        return false;
    const char *name = hd_value_name(callee);
    if (strncmp(name, "llvm.", 5) == 0)
        return is_harmless_intrinsic(b, call, name + 5, is_called);
    if (!LLVMIsDeclaration(callee))
        return is_harmless_function(b, callee);
    /* A check that fails is told once, however often the loop comes there. */
    if (strcmp(name, HD_FRESH) == 0)
        return is_harmless_write(b, call, 0, is_called);
    return is_waiting_function(name) || strncmp(name, "__ubsan_handle_", 15) == 0 ||
           hd_is_pointer_mark(call) ||
           strncmp(name, HD_UNDEFINED_VALUE_OF, strlen(HD_UNDEFINED_VALUE_OF)) == 0;
}

static bool is_constant_memory(hd_build *b, LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    while (LLVMIsAGetElementPtrInst(p))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAGlobalVariable(p) && hd_global_is_constant(b, p);
}

static bool is_harmless(hd_build *b, LLVMValueRef i, bool is_called) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return is_harmless_write(b, i, 1, is_called);
    case LLVMLoad: /* what is neither seen nor handed over would be forgotten */
        return hd_operand_is_shared(b, i, 0) || is_constant_memory(b, i) ||
               (is_called && is_local_or_announced(LLVMGetOperand(i, 0)));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return is_harmless_write(b, i, 0, is_called);
    case LLVMCall:
        return is_harmless_call(b, i, is_called);
    case LLVMAlloca:
        return is_called;
    case LLVMCallBr:
    case LLVMInvoke:
        return false;
    default:
        return true;
    }
}

/* Blocks that end the execution are nothing that the next iteration could see. */
static bool is_harmless_block(hd_build *b, LLVMBasicBlockRef block, bool is_called) {
    if (LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block)))
        return true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!is_harmless(b, i, is_called))
            return false;
    return true;
}

/* Calls in a circle count as harmful. */
static bool is_harmless_function(hd_build *b, LLVMValueRef f) {
    uint64_t *known = hd_map_find(&b->effects, key_of(f));
    if (known)
        return *known == HARMLESS;
    bool harmless = true;
    hd_map_put(&b->effects, key_of(f), HARMFUL);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block && harmless;
         block = LLVMGetNextBasicBlock(block))
        harmless = is_harmless_block(b, block, true);
    hd_map_put(&b->effects, key_of(f), harmless ? HARMLESS : HARMFUL);
    return harmless;
}

/* -- The blocks of a loop ---------------------------------------------------------------------- */

typedef struct loop {
    LLVMBasicBlockRef header;
    const hd_code_blocks *reachable; /* of the function, in reverse post-order */
    hd_map number;                   /* block -> its place in that order */
    hd_map inside;
    hd_code_blocks pending;
} loop;

static uint64_t number_of(const loop *l, LLVMBasicBlockRef block) {
    uint64_t *found = hd_map_find(&l->number, (uint64_t)(uintptr_t)block);
    return found ? *found : UINT64_MAX;
}

static void add_block(loop *l, LLVMBasicBlockRef block) {
    if (hd_map_find(&l->inside, (uint64_t)(uintptr_t)block))
        return;
    hd_map_put(&l->inside, (uint64_t)(uintptr_t)block, 1);
    hd_vec_push(&l->pending, block);
}

/* Reachable blocks that jump to `block`; from behind it only, if asked for. */
static void add_predecessors(loop *l, LLVMBasicBlockRef block, uint64_t first) {
    LLVMValueRef target = LLVMBasicBlockAsValue(block);
    for (LLVMUseRef use = LLVMGetFirstUse(target); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(user))
            continue;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        uint64_t number = number_of(l, from);
        if (number != UINT64_MAX && number >= first)
            add_block(l, from);
    }
}

/* Everything that reaches a back edge without passing the header.  In a loop that is entered at
 * another place too this goes up to the function's entry, and there is no answer. */
static bool find_blocks(loop *l) {
    for (size_t n = 0; n < l->reachable->n; n++)
        hd_map_put(&l->number, (uint64_t)(uintptr_t)l->reachable->at[n], n);
    hd_map_put(&l->inside, (uint64_t)(uintptr_t)l->header, 1);
    add_predecessors(l, l->header, number_of(l, l->header));
    while (l->pending.n)
        add_predecessors(l, l->pending.at[--l->pending.n], 0);
    LLVMBasicBlockRef entry = l->reachable->at[0];
    return entry == l->header || !hd_map_find(&l->inside, (uint64_t)(uintptr_t)entry);
}

static bool is_inside(const loop *l, LLVMBasicBlockRef block) {
    return hd_map_find(&l->inside, (uint64_t)(uintptr_t)block) != NULL;
}

static bool has_no_effects(hd_build *b, const loop *l) {
    for (size_t n = 0; n < l->reachable->n; n++) {
        LLVMBasicBlockRef block = l->reachable->at[n];
        if (hd_map_find(&l->inside, (uint64_t)(uintptr_t)block) &&
            !is_harmless_block(b, block, false))
            return false;
    }
    return true;
}

/* -- What one iteration hands to the next --------------------------------------------------- */

/* x + 1, checked for overflow or not, or the next element. */
static bool is_next(LLVMValueRef v, LLVMValueRef x) {
    if (LLVMIsAExtractValueInst(v) && LLVMGetIndices(v)[0] == 0)
        v = LLVMGetOperand(v, 0);
    bool is_sum = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd;
    if (LLVMIsACallInst(v)) {
        const char *name = hd_value_name(LLVMGetCalledValue(v));
        is_sum =
            strncmp(name, "llvm.sadd.with", 14) == 0 || strncmp(name, "llvm.ssub.with", 14) == 0;
    }
    if (!is_sum && !(LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2))
        return false;
    LLVMValueRef by = LLVMGetOperand(v, 1);
    return LLVMGetOperand(v, 0) == x && LLVMIsAConstantInt(by) && !LLVMIsNull(by);
}

/* A counter is never twice the same. */
static bool is_counter(const loop *l, LLVMValueRef phi) {
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
        if (hd_map_find(&l->inside, (uint64_t)(uintptr_t)LLVMGetIncomingBlock(phi, n)) &&
            !is_next(LLVMGetIncomingValue(phi, n), phi))
            return false;
    return true;
}

/* -- Where an iteration begins ----------------------------------------------------------------- */

/* Is the value of no use to the loop any more when its test is done? */
static bool is_spent(const loop *l, LLVMValueRef v, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
        if (!is_inside(l, block))
            continue;
        if (block != l->header || LLVMIsAPHINode(user))
            return false;
        if (!LLVMIsATerminatorInst(user) && (depth == 0 || !is_spent(l, user, depth - 1)))
            return false;
    }
    return true;
}

#define MAX_TEST 8 /* operations on the way to the branch */

static bool computes_only(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsACmpInst(i) && !LLVMIsACastInst(i) &&
            !LLVMIsABinaryOperator(i) && !LLVMIsASelectInst(i) && !LLVMIsATerminatorInst(i))
            return false;
    return true;
}

static bool has_one_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* int v = x; while (v != 5) v = x;
 *
 * What is only tested at the header, and read again in every iteration, is no state: there the
 * iteration begins behind the test. */
static LLVMBasicBlockRef find_start(const loop *l) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header);
    if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2 || !computes_only(l->header))
        return l->header;
    LLVMBasicBlockRef first = LLVMGetSuccessor(end, 0), second = LLVMGetSuccessor(end, 1);
    if (is_inside(l, first) == is_inside(l, second))
        return l->header;
    LLVMBasicBlockRef body = is_inside(l, first) ? first : second;
    return body != l->header && has_one_predecessor(body) ? body : l->header;
}

/* Values that can be hashed, and could come back. */
static bool may_repeat(const loop *l) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(l->header); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (!hd_type_is_symbolic(LLVMTypeOf(i)) || is_counter(l, i))
            return false;
    return true;
}

static bool is_undefined(LLVMValueRef v) {
    return LLVMIsUndef(v) || LLVMIsPoison(v);
}

/* A variable that has no value yet (the result of the function, say) may have any: it gets one that
 * is the same in every iteration. */
static void define_phis(const loop *l) {
    for (size_t n = 0; n < l->reachable->n; n++) {
        LLVMBasicBlockRef block = l->reachable->at[n];
        if (!hd_map_find(&l->inside, (uint64_t)(uintptr_t)block))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
                if (is_undefined(LLVMGetIncomingValue(i, k)))
                    LLVMSetOperand(i, k, LLVMConstNull(LLVMTypeOf(i)));
    }
}

static LLVMValueRef mix(hd_build *b, LLVMValueRef hash, LLVMValueRef bits) {
    LLVMValueRef both = LLVMBuildXor(b->builder, hash, bits, "");
    LLVMValueRef product = LLVMBuildMul(b->builder, both, hd_const64(b, MULTIPLIER), "");
    LLVMValueRef high = LLVMBuildLShr(b->builder, product, hd_const64(b, 32), "");
    return LLVMBuildXor(b->builder, product, high, "");
}

/* Values from before the loop: facts about an iteration hold for these only. */
static LLVMValueRef mix_operands(hd_build *b, const loop *l, LLVMBasicBlockRef block,
                                 LLVMValueRef hash, hd_map *seen) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        for (int n = 0; n < LLVMGetNumOperands(i); n++) {
            LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
            bool is_older = LLVMIsAArgument(v) ||
                            (LLVMIsAInstruction(v) && !is_inside(l, LLVMGetInstructionParent(v)));
            bool is_first =
                LLVMIsAPHINode(i) && block == l->header; /* of the PHI: that is looked at */
            if (!is_older || is_first || !hd_type_is_symbolic(LLVMTypeOf(v)) ||
                hd_map_find(seen, key_of(v)))
                continue;
            hd_map_put(seen, key_of(v), 1);
            hash = mix(b, hash, hd_emit_bits(b, v));
        }
    return hash;
}

/* The way into the header: twice the number of the loop, and 1 more from before the loop. */
static LLVMValueRef make_way(hd_build *b, const loop *l) {
    LLVMPositionBuilderBeforeInstrAndDbgRecords(b->builder, LLVMGetFirstInstruction(l->header));
    LLVMValueRef way = LLVMBuildPhi(b->builder, b->i32, "");
    LLVMValueRef function = LLVMGetBasicBlockParent(l->header);
    for (LLVMBasicBlockRef from = LLVMGetFirstBasicBlock(function); from;
         from = LLVMGetNextBasicBlock(from)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from), number;
        number = hd_const32(b, 2 * b->n_spins + !is_inside(l, from));
        for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
            if (LLVMGetSuccessor(end, n) == l->header)
                LLVMAddIncoming(way, &number, &from, 1);
    }
    return way;
}

/* PHIs that are spent behind the test, and the twins that hold their shadows, which nobody uses
 * yet. */
static void list_spent(hd_build *b, const loop *l, hd_map *spent) {
    hd_map twins = {0};
    LLVMValueRef i;
    for (i = LLVMGetFirstInstruction(l->header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        hd_map_put(&twins, key_of(hd_shadow_get(b, i)), 1);
    for (i = LLVMGetFirstInstruction(l->header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (!hd_map_find(&twins, key_of(i)) && is_spent(l, i, MAX_TEST)) {
            hd_map_put(spent, key_of(i), 1);
            hd_map_put(spent, key_of(hd_shadow_get(b, i)), 1);
        }
    hd_map_release(&twins);
}

static void release(loop *l) {
    hd_map_release(&l->number);
    hd_map_release(&l->inside);
    hd_vec_release(&l->pending);
}

/* The twins that hold shadows are PHIs of the header as well: equal expressions have equal
 * numbers. */
void hd_instrument_spin(hd_build *b, LLVMBasicBlockRef header, const hd_code_blocks *reachable) {
    loop l = {.header = header, .reachable = reachable};
    hd_map seen = {0}, spent = {0};
    find_blocks(&l);
    /* Copies of one loop in the source, made by inlining, are different loops. */
    LLVMValueRef hash = hd_const64(b, ++b->n_spins), way = make_way(b, &l);
    LLVMBasicBlockRef start =
        (LLVMBasicBlockRef)(uintptr_t)*hd_map_find(&b->starts, key_of_block(header));
    LLVMValueRef place = LLVMGetFirstInstruction(start);
    while (LLVMIsAPHINode(place))
        place = LLVMGetNextInstruction(place);
    LLVMValueRef site = hd_site_of(b, LLVMGetBasicBlockTerminator(header));
    if (start != header)
        list_spent(b, &l, &spent);
    hd_emit_before(b, place);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (i != way && !hd_map_find(&spent, key_of(i)))
            hash = mix(b, hash, hd_emit_bits(b, i));
    for (size_t n = 0; n < reachable->n; n++)
        if (is_inside(&l, reachable->at[n]))
            hash = mix_operands(b, &l, reachable->at[n], hash, &seen);
    hd_emit(b, HD_HOOK_SPIN, hash, way, site);
    hd_map_release(&seen);
    hd_map_release(&spent);
    release(&l);
}

bool hd_loop_may_spin(hd_build *b, LLVMBasicBlockRef header, const hd_code_blocks *reachable) {
    if (!b->is_threaded)
        return false;
    loop l = {.header = header, .reachable = reachable};
    bool may_spin = find_blocks(&l) && may_repeat(&l) && has_no_effects(b, &l);
    if (may_spin) {
        define_phis(&l);
        hd_map_put(&b->starts, key_of_block(header), key_of_block(find_start(&l)));
    }
    release(&l);
    return may_spin;
}

void hd_spin_begin(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f && b->is_threaded;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            is_harmless_function(b, f);
}
