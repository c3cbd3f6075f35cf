/* certain.c -- locals that are certainly used right become values; all others stay objects.
 *
 * To sroa a load behind the end of a local is an undefined value and a store there is nothing;
 * both vanish before anybody could report them.  So each local is looked at before sroa runs.
 *
 * U1. Its address goes nowhere, every access is at a constant offset inside of it and of it alone,
 *     and none can come behind the end of its scope: nothing is left to check, and sroa may have
 * it. U2. Its address goes nowhere and no access comes behind its scope's end: the scope needs no
 *     watching, but the local is tied down, so that its accesses are checked when they run.
 * U3. Otherwise the marks of its scope stay, as calls that the passes do not see through; they
 *     become hooks (locals.c).
 *
 * Inlining shows more of where addresses go, so that all this is asked again before each sroa.
 * Copies between a local of U1 and other memory are checked as a whole before they come apart. */
#include "compile/compiler/build.h"

#include <string.h>

#define UNKNOWN UINT64_MAX /* offset */

typedef struct look {
    hd_build *b;
    LLVMValueRef local;
    uint64_t size;
    hd_map seen;            /* pointer into the local -> its offset */
    hd_values accesses;     /* each with its place in the program */
    hd_values starts, ends; /* of its scope */
    hd_values overlaps;     /* questions whether a copy overlaps something */
    hd_values joins;        /* phis and selects that its address goes through */
    hd_values fresh;        /* marks of fresh.c */
    bool escapes, is_inside, is_passed;
} look;

static uint64_t key_of(LLVMValueRef v) {
    return (uint64_t)(uintptr_t)v;
}

static bool is_call_of(LLVMValueRef i, const char *prefix) {
    return LLVMIsACallInst(i) &&
           strncmp(hd_value_name(LLVMGetCalledValue(i)), prefix, strlen(prefix)) == 0;
}

/* -- Constant offsets ------------------------------------------------------------------------ */

static LLVMTypeRef step_into(const hd_build *b, LLVMTypeRef type, uint64_t index,
                             uint64_t *offset) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        *offset += LLVMOffsetOfElement(b->layout, type, (unsigned)index);
        return LLVMStructGetTypeAtIndex(type, (unsigned)index);
    }
    LLVMTypeRef element = LLVMGetElementType(type);
    *offset += index * LLVMABISizeOfType(b->layout, element);
    return element;
}

/* What `gep` adds to its base, as a number that may wrap; UNKNOWN if an index is not constant. */
static uint64_t distance_of(const hd_build *b, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;
    for (int n = 1; n < LLVMGetNumOperands(gep); n++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)n);
        if (!LLVMIsAConstantInt(index))
            return UNKNOWN;
        uint64_t value = (uint64_t)LLVMConstIntGetSExtValue(index);
        if (n == 1)
            offset += value * LLVMABISizeOfType(b->layout, type);
        else
            type = step_into(b, type, value, &offset);
    }
    return offset;
}

/* -- Where the address goes ------------------------------------------------------------------ */

static void look_at_uses(look *l, LLVMValueRef v, uint64_t offset);

static void follow(look *l, LLVMValueRef v, uint64_t offset) {
    uint64_t *known = hd_map_find(&l->seen, key_of(v));
    if (known && (*known == offset || *known == UNKNOWN))
        return;
    if (known)
        offset = UNKNOWN; /* a loop that goes on by a step, or two places in one phi */
    hd_map_put(&l->seen, key_of(v), offset);
    look_at_uses(l, v, offset);
}

static void access_bytes(look *l, LLVMValueRef i, uint64_t offset, uint64_t n) {
    hd_vec_push(&l->accesses, i);
    if (offset == UNKNOWN || offset > l->size || n > l->size - offset)
        l->is_inside = false;
}

static uint64_t size_of(const look *l, LLVMTypeRef type) {
    return LLVMStoreSizeOfType(l->b->layout, type);
}

static uint64_t block_size(LLVMValueRef call) {
    LLVMValueRef n = LLVMGetOperand(call, 2);
    return LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : UINT64_MAX;
}

static bool is_block(LLVMValueRef i) {
    return is_call_of(i, "llvm.memcpy.") || is_call_of(i, "llvm.memmove.") ||
           is_call_of(i, "llvm.memset.");
}

/* Functions that keep the address for no longer than the call. */
static void pass(look *l, LLVMValueRef call, LLVMUseRef use) {
    l->is_passed = true;
    hd_vec_push(&l->accesses, call);
    l->escapes |= hd_call_keeps(l->b, call, use);
}

/* A copy from the local to itself is found by both of its sides. */
static void note_overlap(look *l, LLVMValueRef mark) {
    for (size_t n = 0; n < l->overlaps.n; n++)
        if (l->overlaps.at[n] == mark)
            return;
    hd_vec_push(&l->overlaps, mark);
}

static void look_at_call(look *l, LLVMValueRef call, LLVMUseRef use, uint64_t offset) {
    if (is_call_of(call, HD_SCOPE_START))
        hd_vec_push(&l->starts, call);
    else if (is_call_of(call, HD_SCOPE_END))
        hd_vec_push(&l->ends, call);
    else if (is_call_of(call, HD_FRESH))
        hd_vec_push(&l->fresh, call);
    else if (is_call_of(call, HD_TOUCH))
        access_bytes(l, call, offset, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)));
    else if (is_call_of(call, HD_OVERLAP))
        note_overlap(l, call);
    else if (hd_is_pointer_mark(call))
        l->is_passed = true;
    else if (is_block(call))
        access_bytes(l, call, offset, block_size(call));
    else
        pass(l, call, use);
}

static void look_at_use(look *l, LLVMUseRef use, uint64_t offset) {
    LLVMValueRef user = LLVMGetUser(use), v = LLVMGetUsedValue(use);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
        access_bytes(l, user, offset, size_of(l, LLVMTypeOf(user)));
        return;
    case LLVMStore:
        l->escapes |= LLVMGetOperand(user, 0) == v;
        access_bytes(l, user, offset, size_of(l, LLVMTypeOf(LLVMGetOperand(user, 0))));
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        l->escapes |= LLVMGetOperand(user, 0) != v;
        access_bytes(l, user, offset, size_of(l, LLVMTypeOf(LLVMGetOperand(user, 1))));
        return;
    case LLVMGetElementPtr: {
        uint64_t distance = distance_of(l->b, user);
        bool is_known = offset != UNKNOWN && distance != UNKNOWN;
        follow(l, user, is_known ? offset + distance : UNKNOWN);
        return;
    }
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMPHI:
    case LLVMSelect:
        hd_vec_push(&l->joins, user);
        follow(l, user, offset);
        return;
    case LLVMICmp:
        l->is_passed = true;
        return;
    case LLVMCall:
        look_at_call(l, user, use, offset);
        return;
    default:
        l->escapes = true;
    }
}

static void look_at_uses(look *l, LLVMValueRef v, uint64_t offset) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && !l->escapes; use = LLVMGetNextUse(use))
        look_at_use(l, use, offset);
}

/* An access through a pointer that is one of two objects: sroa would make two accesses of it, on
 * the lines where the pointer is chosen. */
static bool is_joined(const look *l) {
    for (size_t n = 0; n < l->joins.n; n++) {
        LLVMValueRef join = l->joins.at[n];
        int first = LLVMIsASelectInst(join) ? 1 : 0; /* behind the condition */
        for (int k = first; k < LLVMGetNumOperands(join); k++)
            if (!hd_map_find(&l->seen, key_of(LLVMGetOperand(join, (unsigned)k))))
                return true;
    }
    return false;
}

/* -- Accesses behind the end of the scope ---------------------------------------------------- */

/* What happens to the local in a block, from some instruction on. */
typedef enum fate { PASSES, STARTS, ACCESSED } fate;

static fate fate_behind(const hd_map *events, LLVMValueRef i) {
    for (; i; i = LLVMGetNextInstruction(i)) {
        uint64_t *event = hd_map_find(events, key_of(i));
        if (event)
            return (fate)*event;
    }
    return PASSES;
}

static void add_successors(LLVMBasicBlockRef block, hd_map *seen, hd_code_blocks *pending) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, n);
        if (hd_map_find(seen, (uint64_t)(uintptr_t)next))
            continue;
        hd_map_put(seen, (uint64_t)(uintptr_t)next, 1);
        hd_vec_push(pending, next);
    }
}

static bool is_accessed_behind(const hd_map *events, LLVMValueRef scope_end) {
    hd_map seen = {0};
    hd_code_blocks pending = {0};
    fate f = fate_behind(events, LLVMGetNextInstruction(scope_end));
    if (f == PASSES)
        add_successors(LLVMGetInstructionParent(scope_end), &seen, &pending);
    while (f != ACCESSED && pending.n) {
        LLVMBasicBlockRef block = pending.at[--pending.n];
        f = fate_behind(events, LLVMGetFirstInstruction(block));
        if (f == PASSES)
            add_successors(block, &seen, &pending);
    }
    hd_map_release(&seen);
    hd_vec_release(&pending);
    return f == ACCESSED;
}

/* A phi or select that an access goes through is no access; only these can be behind the end. */
static bool outlives_scope(const look *l) {
    hd_map events = {0};
    bool found = false;
    if (l->ends.n == 0 || l->accesses.n == 0)
        return false;
    for (size_t n = 0; n < l->starts.n; n++)
        hd_map_put(&events, key_of(l->starts.at[n]), STARTS);
    for (size_t n = 0; n < l->accesses.n; n++)
        hd_map_put(&events, key_of(l->accesses.at[n]), ACCESSED);
    for (size_t n = 0; n < l->ends.n && !found; n++)
        found = is_accessed_behind(&events, l->ends.at[n]);
    hd_map_release(&events);
    return found;
}

/* -- Copies that come apart ------------------------------------------------------------------ */

static LLVMValueRef function_of(hd_build *b, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    return f ? f : LLVMAddFunction(b->module, name, type);
}

static unsigned touched_mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.touched", 14);
}

static void mark_touched(hd_build *b, LLVMValueRef call) {
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, NULL, 0);
    LLVMSetMetadata(call, touched_mark(b), LLVMMetadataAsValue(b->context, node));
}

/* Is `p` a place in a local, with room for n bytes? */
static bool is_inside_local(const hd_build *b, LLVMValueRef p, uint64_t n) {
    uint64_t offset = 0;
    while (LLVMIsAGetElementPtrInst(p)) {
        uint64_t distance = distance_of(b, p);
        if (distance == UNKNOWN)
            return false;
        offset += distance;
        p = LLVMGetOperand(p, 0);
    }
    return LLVMIsAInstruction(p) && hd_local_is_static(p) && offset <= hd_local_size(b, p) &&
           n <= hd_local_size(b, p) - offset;
}

/* The other side of the copy is checked as a whole, before it. */
static void touch_other_side(look *l, LLVMValueRef copy) {
    hd_build *b = l->b;
    bool is_target = hd_map_find(&l->seen, key_of(LLVMGetOperand(copy, 0))) != NULL;
    LLVMValueRef other = LLVMGetOperand(copy, is_target ? 1 : 0);
    if (is_call_of(copy, "llvm.memset.") || is_inside_local(b, other, block_size(copy)) ||
        LLVMGetMetadata(copy, touched_mark(b)))
        return;
    LLVMTypeRef types[] = {b->pointer, b->i64, b->i32};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 3, false);
    LLVMValueRef arguments[] = {other, hd_const64(b, block_size(copy)), hd_const32(b, !is_target)};
    hd_emit_before(b, copy);
    LLVMValueRef call =
        LLVMBuildCall2(b->builder, type, function_of(b, HD_TOUCH, type), arguments, 3, "");
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(copy));
    mark_touched(b, copy);
}

/* Is something read that is nothing but padding? */
static bool reads_padding(const look *l) {
    for (size_t n = 0; n < l->accesses.n; n++) {
        LLVMValueRef i = l->accesses.at[n];
        if (LLVMIsALoadInst(i) &&
            hd_fresh_has_gaps(l->b, l->local, *hd_map_find(&l->seen, key_of(LLVMGetOperand(i, 0))),
                              size_of(l, LLVMTypeOf(i))))
            return true;
    }
    return false;
}

static void release_fresh(look *l) {
    bool has_gaps = l->fresh.n != 0 && reads_padding(l);
    for (size_t n = 0; n < l->fresh.n; n++) {
        LLVMValueRef mark = l->fresh.at[n];
        hd_fresh_release(l->b, l->local, mark,
                         *hd_map_find(&l->seen, key_of(LLVMGetOperand(mark, 0))), has_gaps);
    }
}

/* Let sroa have the local. */
static void release(look *l) {
    release_fresh(l);
    for (size_t n = 0; n < l->accesses.n; n++) {
        hd_map_put(&l->b->certain, key_of(l->accesses.at[n]), 1);
        if (is_block(l->accesses.at[n]))
            touch_other_side(l, l->accesses.at[n]);
    }
}

/* -- One local ------------------------------------------------------------------------------- */

static void forget_scope(look *l) {
    for (size_t n = 0; n < l->starts.n; n++)
        LLVMInstructionEraseFromParent(l->starts.at[n]);
    for (size_t n = 0; n < l->ends.n; n++)
        LLVMInstructionEraseFromParent(l->ends.at[n]);
}

/* Could two places of the local overlap?  The same place may be copied onto itself. */
static bool may_meet(uint64_t to, uint64_t from, LLVMValueRef length) {
    if (to == UNKNOWN || from == UNKNOWN || !LLVMIsAConstantInt(length))
        return true;
    uint64_t distance = to > from ? to - from : from - to;
    return distance != 0 && distance < LLVMConstIntGetZExtValue(length);
}

/* Nobody else has a pointer into the local: only two of its own could overlap. */
static void drop_overlaps(look *l) {
    for (size_t n = 0; n < l->overlaps.n; n++) {
        LLVMValueRef mark = l->overlaps.at[n];
        uint64_t *to = hd_map_find(&l->seen, key_of(LLVMGetOperand(mark, 0))),
                 *from = hd_map_find(&l->seen, key_of(LLVMGetOperand(mark, 1)));
        bool has_both = to && from && may_meet(*to, *from, LLVMGetOperand(mark, 2));
        l->is_passed |= has_both || l->escapes;
        if (!has_both && !l->escapes)
            LLVMInstructionEraseFromParent(mark);
    }
    hd_vec_release(&l->overlaps);
}

static void treat_local(hd_build *b, LLVMValueRef local) {
    look l = {.b = b, .local = local, .is_inside = true};
    l.size = hd_local_size(b, local);
    follow(&l, local, 0);
    drop_overlaps(&l);
    bool is_watched = l.escapes || outlives_scope(&l);
    if (!is_watched)
        forget_scope(&l);
    if (!is_watched && l.is_inside && !l.is_passed && !is_joined(&l))
        release(&l);
    else
        hd_local_tie(b, local);
    hd_map_release(&l.seen);
    hd_vec_release(&l.accesses);
    hd_vec_release(&l.joins);
    hd_vec_release(&l.fresh);
    hd_vec_release(&l.starts);
    hd_vec_release(&l.ends);
}

/* -- Marks of scopes ------------------------------------------------------------------------- */

static void limit_effects(hd_build *b, LLVMValueRef function) {
    enum { ARGUMENTS = 3, INACCESSIBLE = 3 << 2 }; /* llvm/Support/ModRef.h: read and write */
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6),
             nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, memory, ARGUMENTS | INACCESSIBLE));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, nounwind, 0));
}

LLVMValueRef hd_scope_mark(hd_build *b, const char *name) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef f = function_of(b, name, type);
    limit_effects(b, f);
    return f;
}

static void replace_marker(hd_build *b, LLVMValueRef marker, const char *name) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef local = LLVMGetOperand(marker, 1), f = hd_scope_mark(b, name);
    if (hd_local_is_static(local)) {
        hd_emit_before(b, marker);
        LLVMValueRef call = LLVMBuildCall2(b->builder, type, f, &local, 1, "");
        LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(marker));
    }
    LLVMInstructionEraseFromParent(marker);
}

/* LLVM drops a restored stack pointer that nobody needs, and with it the end of the arrays. */
static void mark_restores(hd_build *b) {
    LLVMTypeRef type = LLVMFunctionType(b->void_type, &b->pointer, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "llvm.stackrestore.p0");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use), to = LLVMGetOperand(call, 0);
        if (LLVMGetMetadata(call, touched_mark(b)))
            continue;
        hd_emit_before(b, call);
        LLVMBuildCall2(b->builder, type, function_of(b, HD_RESTORE, type), &to, 1, "");
        mark_touched(b, call);
    }
}

/* LLVM knows too much about its own marks of scopes. */
static void replace_markers(hd_build *b, const char *marker, const char *by) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, marker);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        replace_marker(b, LLVMGetUser(use), by);
    }
}

static void treat_function(hd_build *b, LLVMValueRef function) {
    hd_values locals = {0};
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (; i; i = LLVMGetNextInstruction(i))
        if (hd_local_is_static(i))
            hd_vec_push(&locals, i);
    for (size_t n = 0; n < locals.n; n++)
        treat_local(b, locals.at[n]);
    hd_vec_release(&locals);
}

void hd_locals_tie(hd_build *b) {
    replace_markers(b, "llvm.lifetime.start.p0", HD_SCOPE_START);
    replace_markers(b, "llvm.lifetime.end.p0", HD_SCOPE_END);
    mark_restores(b);
    hd_escape_begin(b);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            treat_function(b, f);
}
