/* announced.c -- accesses that other threads may see: each stays, and is announced.
 *
 * In a module that creates threads, every load and store of the source that is not provably of
 * private memory (escape.c) is an event.  Before the passes run such accesses are made
 * volatile: LLVM then neither removes nor merges nor moves them.  Inlining may show later that
 * what one points to is private; it is released then, so that locals become values.
 *
 * C1. The hook stands right before the access's other hooks, and nothing between it and the
 *     access can switch threads: what they read is what the access sees.
 * C2. An access is one event.  A copy between two places that may both be shared is a read
 *     and a write with a private object in between. */
#include "compile/compiler/build.h"

#include <string.h>

static uint64_t key_of(LLVMValueRef v) {
    return (uint64_t)(uintptr_t)v;
}

static bool calls_one_of(const hd_build *b, const char *const *names, size_t n_names) {
    for (size_t n = 0; n < n_names; n++) {
        LLVMValueRef f = LLVMGetNamedFunction(b->module, names[n]);
        if (f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f))
            return true;
    }
    return false;
}

#define CALLS_ONE_OF(b, names) calls_one_of(b, names, sizeof names / sizeof *(names))

/* Signals may come at any time, and have handlers. */
static bool is_interrupted(const hd_build *b) {
    static const char *const handling[] = {"sigaction", "signal"};
    static const char *const sending[] = {"fork", "vfork", "daemon", "alarm", "setitimer"};
    return CALLS_ONE_OF(b, handling) && CALLS_ONE_OF(b, sending);
}

/* Or processes that share memory, or what handlers of signals can see.  Models are not linked yet:
 * daemon is one that forks. */
bool hd_module_creates_threads(const hd_build *b) {
    static const char *const names[] = {"pthread_create", "thrd_create"};
    static const char *const forking[] = {"fork", "vfork", "daemon"};
    static const char *const mapping[] = {"mmap", "mmap64"}, *const naming[] = {"shm_open"};
    return CALLS_ONE_OF(b, names) || is_interrupted(b) ||
           (CALLS_ONE_OF(b, mapping) && (CALLS_ONE_OF(b, forking) || CALLS_ONE_OF(b, naming)));
}

/* Pipes and pairs of sockets alone are not enough: one process has nobody to talk to. */
bool hd_module_uses_messages(const hd_build *b) {
    static const char *const names[] = {
        "heddle_spawn", "heddle_send", "heddle_send_on", "heddle_receive", "heddle_receive_on",
        "fork",         "vfork",       "socket",         "daemon"};
    return CALLS_ONE_OF(b, names);
}

/* -- Which operands are addresses of accessed memory ----------------------------------------- */

#define BIT(n) (UINT64_C(1) << (n))

static bool is_intrinsic(LLVMValueRef i, const char *prefix) {
    return LLVMIsACallInst(i) && hd_name_begins(hd_value_name(LLVMGetCalledValue(i)), prefix);
}

static bool is_block_copy(LLVMValueRef i) {
    return is_intrinsic(i, "llvm.memcpy.") || is_intrinsic(i, "llvm.memmove.");
}

static bool is_block_fill(LLVMValueRef i) {
    return is_intrinsic(i, "llvm.memset.");
}

/* Structs by value are read by the call; operands of assembly are its business. */
static uint64_t arguments_accessed(LLVMValueRef call) {
    const char *kind = LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? "elementtype" : "byval";
    uint64_t found = 0;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call) && n < 64; n++)
        if (hd_call_attribute(call, n, kind))
            found |= BIT(n);
    return found;
}

static uint64_t operands_accessed(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return BIT(0);
    if (LLVMIsAStoreInst(i))
        return BIT(1);
    if (is_block_copy(i))
        return BIT(0) | BIT(1);
    if (is_block_fill(i))
        return BIT(0);
    return LLVMIsACallInst(i) ? arguments_accessed(i) : 0;
}

static uint64_t operands_shared(hd_build *b, LLVMValueRef i) {
    uint64_t shared = operands_accessed(i);
    for (unsigned n = 0; n < 64 && shared >> n; n++)
        if (shared & BIT(n) && hd_pointer_is_private(b, LLVMGetOperand(i, n)))
            shared &= ~BIT(n);
    return shared;
}

/* -- Copies ------------------------------------------------------------------------------------ */

#define MAX_HELD 4096 /* bytes of a copy that are held in a local object; as in models/copy.c */

static LLVMValueRef add_holder(hd_build *b, LLVMValueRef i, uint64_t size) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(b->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef holder = LLVMBuildAlloca(b->builder, LLVMArrayType2(b->i8, size), "");
    LLVMSetAlignment(holder, 16);
    return holder;
}

static unsigned alignment_of(LLVMValueRef call, unsigned argument) {
    unsigned id = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef found = LLVMGetCallSiteEnumAttribute(call, argument + 1, id);
    return found ? (unsigned)LLVMGetEnumAttributeValue(found) : 1;
}

static void copy_through_value(hd_build *b, LLVMValueRef i, uint64_t size) {
    LLVMTypeRef type = LLVMIntTypeInContext(b->context, (unsigned)size * 8);
    LLVMValueRef value = LLVMBuildLoad2(b->builder, type, LLVMGetOperand(i, 1), "");
    LLVMSetAlignment(value, alignment_of(i, 1));
    LLVMValueRef store = LLVMBuildStore(b->builder, value, LLVMGetOperand(i, 0));
    LLVMSetAlignment(store, alignment_of(i, 0));
}

static void copy_through_local(hd_build *b, LLVMValueRef i, uint64_t size) {
    LLVMValueRef holder = add_holder(b, i, size), n = hd_const64(b, size);
    hd_emit_before(b, i);
    LLVMBuildMemCpy(b->builder, holder, 16, LLVMGetOperand(i, 1), alignment_of(i, 1), n);
    LLVMBuildMemCpy(b->builder, LLVMGetOperand(i, 0), alignment_of(i, 0), holder, 16, n);
}

static void copy_in_parts(hd_build *b, LLVMValueRef i) {
    LLVMTypeRef types[] = {b->pointer, b->pointer, b->i64};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 3, false);
    LLVMValueRef model = LLVMGetNamedFunction(b->module, "__hd_model_copy_in_parts");
    if (!model)
        model = LLVMAddFunction(b->module, "__hd_model_copy_in_parts", type);
    LLVMValueRef n = LLVMBuildZExt(b->builder, LLVMGetOperand(i, 2), b->i64, "");
    LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), n};
    LLVMBuildCall2(b->builder, type, model, arguments, 3, "");
}

/* C2. */
static void split(hd_build *b, LLVMValueRef i) {
    if (!is_block_copy(i) || operands_shared(b, i) != (BIT(0) | BIT(1)))
        return;
    LLVMValueRef n = LLVMGetOperand(i, 2);
    uint64_t size = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : UINT64_MAX;
    hd_emit_before(b, i);
    if (size == 1 || size == 2 || size == 4 || size == 8)
        copy_through_value(b, i, size);
    else if (size <= MAX_HELD)
        copy_through_local(b, i, size);
    else
        copy_in_parts(b, i);
    LLVMInstructionEraseFromParent(i);
}

/* -- Volatile -------------------------------------------------------------------------------- */

/* On accesses that this file made volatile, not the program. */
static unsigned mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.shared", 13);
}

static bool is_block(LLVMValueRef i) {
    return is_block_copy(i) || is_block_fill(i);
}

static bool is_volatile(LLVMValueRef i) {
    return is_block(i) ? LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)) != 0 : LLVMGetVolatile(i);
}

static void set_volatile(hd_build *b, LLVMValueRef i, bool on) {
    if (is_block(i))
        LLVMSetOperand(i, 3, LLVMConstInt(b->i1, on, false));
    else
        LLVMSetVolatile(i, on);
}

static bool can_be_volatile(LLVMValueRef i) {
    return is_block(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i);
}

static void keep(hd_build *b, LLVMValueRef i) {
    if (!can_be_volatile(i) || is_volatile(i) || !operands_shared(b, i))
        return;
    set_volatile(b, i, true);
    LLVMSetMetadata(i, mark(b),
                    LLVMMetadataAsValue(b->context, LLVMMDNodeInContext2(b->context, NULL, 0)));
}

static void release(hd_build *b, LLVMValueRef i) {
    if (!can_be_volatile(i) || !LLVMGetMetadata(i, mark(b)) || operands_shared(b, i))
        return;
    set_volatile(b, i, false);
    LLVMSetMetadata(i, mark(b), NULL);
}

static void for_each_instruction(hd_build *b, void (*visit)(hd_build *, LLVMValueRef)) {
    hd_escape_begin(b);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                visit(b, i);
            }
}

void hd_shared_release(hd_build *b) {
    if (b->is_threaded)
        for_each_instruction(b, release);
}

void hd_shared_keep(hd_build *b) {
    if (!b->is_threaded)
        return;
    for_each_instruction(b, split);
    for_each_instruction(b, keep);
}

static void find(hd_build *b, LLVMValueRef i) {
    uint64_t shared = LLVMIsAAllocaInst(i) ? !hd_pointer_is_private(b, i) : operands_shared(b, i);
    if (shared)
        hd_map_put(&b->shared, key_of(i), shared);
}

void hd_shared_find(hd_build *b) {
    if (b->is_threaded)
        for_each_instruction(b, find);
}

/* -- Hooks ------------------------------------------------------------------------------------- */

bool hd_operand_is_shared(const hd_build *b, LLVMValueRef i, unsigned operand) {
    uint64_t *found = hd_map_find(&b->shared, key_of(i));
    return found && operand < 64 && *found & BIT(operand);
}

/* The number of stdatomic.h's memory_order. */
static unsigned order_number(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingAcquire:
        return 2;
    case LLVMAtomicOrderingRelease:
        return 3;
    case LLVMAtomicOrderingAcquireRelease:
        return 4;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return 5;
    default:
        return 0;
    }
}

static uint32_t how_of(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAAtomicRMWInst(i))
        return HD_SHARED_WRITE | HD_SHARED_ATOMIC | HD_SHARED_UPDATE |
               order_number(LLVMIsAAtomicRMWInst(i) ? LLVMGetOrdering(i)
                                                    : LLVMGetCmpXchgSuccessOrdering(i))
                   << 8;
    uint32_t how = LLVMIsAStoreInst(i) ? HD_SHARED_WRITE : 0;
    LLVMAtomicOrdering order = LLVMGetOrdering(i);
    return order == LLVMAtomicOrderingNotAtomic ? how
                                                : how | HD_SHARED_ATOMIC | order_number(order) << 8;
}

static LLVMTypeRef accessed_type(LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return LLVMTypeOf(i);
    return LLVMTypeOf(LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 0 : 1));
}

/* What an event touches must be decided before it (PC8). */
static void fix_address(hd_build *b, LLVMValueRef p, LLVMValueRef n, LLVMValueRef n_shadow,
                        bool is_store, LLVMValueRef site) {
    LLVMValueRef address = hd_shadow_get(b, p);
    if (!LLVMIsNull(address) || !LLVMIsNull(n_shadow))
        hd_emit(b, HD_HOOK_SHARED_FIX, p, address, n, n_shadow, hd_const32(b, is_store), site);
}

void hd_shared_access(hd_build *b, LLVMValueRef i) {
    unsigned operand = LLVMIsAStoreInst(i) ? 1 : 0;
    if (!hd_operand_is_shared(b, i, operand))
        return;
    LLVMTypeRef type = accessed_type(i);
    LLVMValueRef p = LLVMGetOperand(i, operand), how = hd_const32(b, how_of(i)),
                 size = hd_const32(b, LLVMStoreSizeOfType(b->layout, type)),
                 site = hd_site_of(b, i);
    fix_address(b, p, hd_const64(b, LLVMStoreSizeOfType(b->layout, type)), hd_const32(b, 0),
                how_of(i) & HD_SHARED_WRITE, site);
    if (LLVMIsAAtomicCmpXchgInst(i) && hd_type_is_symbolic(type))
        hd_emit(b, HD_HOOK_SHARED_COMPARE, p, size, hd_emit_bits(b, LLVMGetOperand(i, 1)),
                hd_shadow_get(b, LLVMGetOperand(i, 1)), how, site);
    else
        hd_emit(b, HD_HOOK_SHARED, p, size, how, site);
}

/* The end of a local object is a write to all of it: others may still use it. */
#define MAX_LEFT 4096
void hd_shared_leave(hd_build *b, const hd_local *local, LLVMValueRef where) {
    uint64_t size = local->size < MAX_LEFT ? local->size : MAX_LEFT;
    if (local->is_shared && size)
        hd_emit(b, HD_HOOK_SHARED, local->at, hd_const32(b, size), hd_const32(b, HD_SHARED_WRITE),
                hd_site_of(b, where));
}

void hd_shared_block(hd_build *b, LLVMValueRef i, LLVMValueRef n) {
    LLVMValueRef site = hd_site_of(b, i), n_shadow = hd_shadow_get(b, LLVMGetOperand(i, 2));
    if (is_block_copy(i) && hd_operand_is_shared(b, i, 1))
        fix_address(b, LLVMGetOperand(i, 1), n, n_shadow, false, site);
    if (hd_operand_is_shared(b, i, 0))
        fix_address(b, LLVMGetOperand(i, 0), n, n_shadow, true, site);
    if (is_block_copy(i) && hd_operand_is_shared(b, i, 1))
        hd_emit(b, HD_HOOK_SHARED_BLOCK, LLVMGetOperand(i, 1), n, hd_const32(b, 0), site);
    if (hd_operand_is_shared(b, i, 0))
        hd_emit(b, HD_HOOK_SHARED_BLOCK, LLVMGetOperand(i, 0), n, hd_const32(b, HD_SHARED_WRITE),
                site);
}

static uint32_t how_of_assembly(LLVMValueRef call, unsigned n) {
    uint32_t order = order_number(LLVMAtomicOrderingSequentiallyConsistent) << 8;
    return HD_SHARED_ATOMIC | order |
           (hd_assembly_only_reads(call, n) ? 0 : HD_SHARED_WRITE | HD_SHARED_UPDATE);
}

void hd_shared_argument(hd_build *b, LLVMValueRef call, unsigned n, LLVMTypeRef type) {
    bool is_assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
    uint32_t how = is_assembly ? how_of_assembly(call, n) : 0;
    if (hd_operand_is_shared(b, call, n))
        hd_emit(b, HD_HOOK_SHARED, LLVMGetOperand(call, n),
                hd_const32(b, LLVMABISizeOfType(b->layout, type)), hd_const32(b, how),
                hd_site_of(b, call));
}

void hd_instrument_announce(hd_build *b, LLVMValueRef call) {
    LLVMValueRef p = LLVMGetOperand(call, 0);
    hd_emit_before(b, call);
    if (b->is_threaded)
        hd_emit(b, HD_HOOK_SHARED_BLOCK, p, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2),
                hd_site_of(b, call));
    LLVMReplaceAllUsesWith(call, p);
    LLVMInstructionEraseFromParent(call);
}
