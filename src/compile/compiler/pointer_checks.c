/* pointer_checks.c -- clang's checks of pointers, without branches.
 *
 * Whether an address is aligned, whether p + i leaves the address space, and whether p->x is a
 * member of something, is asked at nearly every access: as branches these questions would cut all
 * code into small pieces, and groups of instructions (group.c) with it.  Right after clang each
 * becomes a mark, a call that passes keep and see nothing in; a mark costs a bit or two in the
 * question of its group.
 *
 * P1. An aligned mark names the pointer without what is added in multiples of its alignment: in a
 *     loop over an array that is the array, which does not change.
 * P2. What is certain is dropped: alignment of known objects, small steps from them and between
 * places near them. P3. A member of null is dropped where an access right behind it tells the same.
 * P4. Of a pointer that is not only accessed, whether a number of 64 bits that is added to it goes
 *     round (p + n of an unsigned n that is less than 0, or too large for the elements) stays a
 * branch, about the number alone: both pointers may well be addresses. */
#include "compile/compiler/build.h"

#include <string.h>

#define MISMATCH "__ubsan_handle_type_mismatch_v1"
#define OVERFLOW "__ubsan_handle_pointer_overflow"

static bool is_mark(LLVMValueRef i, const char *name) {
    return LLVMIsACallInst(i) && strcmp(hd_value_name(LLVMGetCalledValue(i)), name) == 0;
}

bool hd_is_pointer_mark(LLVMValueRef i) {
    return is_mark(i, HD_ALIGNED) || is_mark(i, HD_MOVED) || is_mark(i, HD_MEMBER);
}

/* -- What is known of a pointer --------------------------------------------------------------- */

#define ANY UINT64_C(0x100000000) /* alignment of null */

static bool is_index(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static uint64_t lowest_bit(uint64_t n) {
    return n ? n & -n : ANY;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* A power of two that divides whatever `gep` adds. */
static uint64_t step_of(const hd_build *b, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t step = ANY;
    for (int n = 1; n < LLVMGetNumOperands(gep); n++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)n);
        uint64_t value = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : 1;
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            step = least(step, lowest_bit(LLVMOffsetOfElement(b->layout, type, (unsigned)value)));
            type = LLVMStructGetTypeAtIndex(type, (unsigned)value);
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        step = least(step, lowest_bit(value * LLVMABISizeOfType(b->layout, type)));
    }
    return step;
}

static LLVMValueRef skip_steps(const hd_build *b, LLVMValueRef p, uint64_t alignment) {
    while (is_index(p) && step_of(b, p) >= alignment)
        p = LLVMGetOperand(p, 0);
    return p;
}

/* A pointer that goes round in a loop, in such steps: where it comes from; else NULL. */
static LLVMValueRef start_of(const hd_build *b, LLVMValueRef phi, uint64_t alignment) {
    LLVMValueRef start = NULL;
    for (unsigned n = 0; LLVMIsAPHINode(phi) && n < LLVMCountIncoming(phi); n++) {
        LLVMValueRef from = skip_steps(b, LLVMGetIncomingValue(phi, n), alignment);
        if (from == phi || from == start)
            continue;
        if (start)
            return NULL;
        start = from;
    }
    return start;
}

/* The pointer that is aligned if and only if p is. */
static LLVMValueRef base_of(const hd_build *b, LLVMValueRef p, uint64_t alignment) {
    for (LLVMValueRef next = p; next; next = start_of(b, p, alignment))
        p = skip_steps(b, next, alignment);
    return p;
}

static bool is_block_of_heap(LLVMValueRef v) {
    static const char *const names[] = {"malloc", "calloc", "realloc"};
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (callee && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
            strcmp(hd_value_name(callee), names[n]) == 0)
            return true;
    return false;
}

static bool is_object(LLVMValueRef v) {
    return LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v);
}

static uint64_t alignment_of(LLVMValueRef v) {
    if (is_object(v))
        return LLVMGetAlignment(v) ? LLVMGetAlignment(v) : 1;
    return LLVMIsAConstantPointerNull(v) ? ANY : is_block_of_heap(v) ? 16 : 1;
}

static bool is_aligned(const hd_build *b, LLVMValueRef p, uint64_t alignment) {
    if (alignment_of(p) >= alignment)
        return true;
    if (is_index(p))
        return step_of(b, p) >= alignment && is_aligned(b, LLVMGetOperand(p, 0), alignment);
    return false;
}

/* An integer of 64 bits that was made of one of at most 32, or is as small. */
static bool is_narrow(LLVMValueRef index) {
    if (LLVMIsAConstantInt(index)) {
        long long n = LLVMConstIntGetSExtValue(index);
        return n >= INT32_MIN && n <= INT32_MAX;
    }
    return (LLVMIsAZExtInst(index) || LLVMIsASExtInst(index)) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(index, 0))) <= 32;
}

static bool has_narrow_steps(LLVMValueRef gep) {
    if (!is_index(gep))
        return false;
    for (int n = 1; n < LLVMGetNumOperands(gep); n++)
        if (LLVMTypeOf(LLVMGetOperand(gep, (unsigned)n)) ==
                LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(gep))) &&
            !is_narrow(LLVMGetOperand(gep, (unsigned)n)))
            return false;
    return true;
}

/* From an object, in small steps: nothing could be wrong with it. */
static bool is_near_object(LLVMValueRef p) {
    while (has_narrow_steps(p))
        p = LLVMGetOperand(p, 0);
    return is_object(p);
}

/* -- Marks instead of branches ----------------------------------------------------------------- */

static void promise(hd_build *b, LLVMValueRef f, unsigned where, const char *name, uint64_t value) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, where, LLVMCreateEnumAttribute(b->context, id, value));
}

/* Nobody removes it, and everything may move over it. */
static LLVMValueRef mark_function(hd_build *b, const char *name, LLVMTypeRef type) {
    enum { INACCESSIBLE = 3 << 2 }; /* llvm/Support/ModRef.h: read and write */
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(b->module, name, type);
    promise(b, f, LLVMAttributeFunctionIndex, "memory", INACCESSIBLE);
    promise(b, f, LLVMAttributeFunctionIndex, "nounwind", 0);
    promise(b, f, LLVMAttributeFunctionIndex, "willreturn", 0);
    for (unsigned n = 0; n < LLVMCountParamTypes(type); n++)
        if (LLVMTypeOf(LLVMGetParam(f, n)) == b->pointer)
            promise(b, f, n + 1, "nocapture", 0);
    return f;
}

void hd_mark_put(hd_build *b, const char *name, LLVMValueRef first, LLVMValueRef second,
                 LLVMValueRef data, LLVMValueRef where) {
    LLVMTypeRef types[] = {b->pointer, LLVMTypeOf(second), b->pointer};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 3, false);
    LLVMValueRef arguments[] = {first, second, data};
    hd_emit_before(b, where);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(where));
    LLVMBuildCall2(b->builder, type, mark_function(b, name, type), arguments, 3, "");
}

/* The pointer that `number` was made of, or NULL. */
static LLVMValueRef pointer_of(LLVMValueRef number) {
    bool is_constant = LLVMIsAConstantExpr(number) && LLVMGetConstOpcode(number) == LLVMPtrToInt;
    return is_constant || LLVMIsAPtrToIntInst(number) ? LLVMGetOperand(number, 0) : NULL;
}

/* icmp eq (and p, mask), 0 */
static LLVMValueRef mask_of(LLVMValueRef condition) {
    LLVMValueRef low = LLVMIsAICmpInst(condition) ? LLVMGetOperand(condition, 0) : NULL;
    if (!low || !LLVMIsABinaryOperator(low) || LLVMGetInstructionOpcode(low) != LLVMAnd)
        return NULL;
    return LLVMIsAConstantInt(LLVMGetOperand(low, 1)) ? LLVMGetOperand(low, 1) : NULL;
}

static bool is_not_null(LLVMValueRef condition) {
    return LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == LLVMIntNE &&
           LLVMIsAConstantPointerNull(LLVMGetOperand(condition, 1));
}

/* clang's record of a mismatch: place, type, alignment, kind of access. */
static bool is_about_member(LLVMValueRef handler) {
    enum { MEMBER_ACCESS = 3 };
    LLVMValueRef record = LLVMGetOperand(handler, 0);
    LLVMValueRef fields = LLVMIsAGlobalVariable(record) ? LLVMGetInitializer(record) : NULL;
    return fields && LLVMGetNumOperands(fields) == 4 &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(fields, 3)) == MEMBER_ACCESS;
}

/* Where a member lies, as it was written before there was offsetof: &((T *)0)->member.  A null that
 * stands in the source is what is meant; whoever reads or writes there is told by the access. */
static bool is_offset(LLVMValueRef handler) {
    LLVMValueRef p = LLVMGetOperand(handler, 1);
    return is_about_member(handler) && LLVMIsAConstantInt(p) && LLVMConstIntGetZExtValue(p) == 0;
}

static bool mark_part(hd_build *b, LLVMValueRef handler, LLVMValueRef branch, LLVMValueRef p,
                      LLVMValueRef condition) {
    LLVMValueRef data = LLVMGetOperand(handler, 0), mask = mask_of(condition);
    if (mask)
        hd_mark_put(b, HD_ALIGNED, p, mask, data, branch);
    else if (!is_not_null(condition))
        return false;
    else if (is_about_member(handler)) /* other accesses tell it themselves */
        hd_mark_put(b, HD_MEMBER, p, p, data, branch);
    return true;
}

/* Aligned, not null, or both. */
static bool mark_mismatch(hd_build *b, LLVMValueRef handler, LLVMValueRef branch) {
    LLVMValueRef p = pointer_of(LLVMGetOperand(handler, 1)), condition = LLVMGetCondition(branch);
    if (is_offset(handler))
        return true;
    if (!p)
        return false;
    if (!LLVMIsABinaryOperator(condition))
        return mark_part(b, handler, branch, p, condition);
    LLVMValueRef first = LLVMGetOperand(condition, 0), second = LLVMGetOperand(condition, 1);
    return (mask_of(first) || is_not_null(first)) && mark_part(b, handler, branch, p, second) &&
           mark_part(b, handler, branch, p, first);
}

/* clang makes the new pointer right before it checks what it made. */
static LLVMValueRef moved_pointer(LLVMValueRef base, LLVMValueRef branch) {
    LLVMValueRef i = branch;
    while (i && !(LLVMIsAGetElementPtrInst(i) && LLVMGetOperand(i, 0) == base))
        i = LLVMGetPreviousInstruction(i);
    return i;
}

/* Is the pointer, or a member, only accessed, and looked at by checks? */
static bool is_only_address(LLVMValueRef p, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_address = LLVMIsALoadInst(user) || LLVMIsAPtrToIntInst(user) ||
                          LLVMIsAICmpInst(user) || hd_is_pointer_mark(user) ||
                          (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p);
        if (!is_address && !(depth && LLVMIsAGetElementPtrInst(user) &&
                             LLVMGetOperand(user, 0) == p && is_only_address(user, depth - 1)))
            return false;
    }
    return true;
}

/* What clang asks: in which direction a number without a sign may go, and whether its product with
 * the size of an element is too large. */
typedef struct bounds_question {
    bool is_signed;
    LLVMIntPredicate direction;
    LLVMValueRef product; /* llvm.smul.with.overflow; NULL if the number is known */
} bounds_question;

static void read_question(LLVMValueRef v, bounds_question *q, unsigned depth) {
    q->is_signed |= LLVMIsASelectInst(v) != NULL;
    if (LLVMIsACallInst(v))
        q->product = v;
    if (LLVMIsAICmpInst(v) && LLVMGetICmpPredicate(v) != LLVMIntNE)
        q->direction = LLVMGetICmpPredicate(v);
    if (!LLVMIsABinaryOperator(v) && !LLVMIsAExtractValueInst(v))
        return;
    for (int i = 0; depth && i < LLVMGetNumOperands(v); i++)
        read_question(LLVMGetOperand(v, (unsigned)i), q, depth - 1);
}

/* The most elements that are added or subtracted. */
static uint64_t most_of(const hd_build *b, LLVMValueRef moved) {
    uint64_t size = LLVMABISizeOfType(b->layout, LLVMGetGEPSourceElementType(moved));
    return INT64_MAX / (size ? size : 1);
}

/* With a sign: only the product may be too large. */
static LLVMValueRef fits(hd_build *b, LLVMValueRef n, LLVMValueRef product, uint64_t most) {
    if (product)
        return LLVMBuildNot(b->builder, LLVMBuildExtractValue(b->builder, product, 1, ""), "");
    if (!LLVMIsAConstantInt(n))
        return NULL;
    long long number = LLVMConstIntGetSExtValue(n);
    bool is_in = number <= (long long)most && number >= -(long long)most - 1;
    return LLVMConstInt(LLVMInt1TypeInContext(b->context), is_in, false);
}

/* Does the number stay (P4)?  One comparison: of several each would be told.  NULL: it certainly
 * does. */
static LLVMValueRef stays(hd_build *b, LLVMValueRef moved, LLVMValueRef branch) {
    LLVMValueRef n = LLVMGetOperand(moved, 1);
    uint64_t most = most_of(b, moved);
    bounds_question q = {.direction = LLVMIntNE};
    read_question(LLVMGetCondition(branch), &q, 5);
    bool is_sum = LLVMGetNumOperands(moved) == 2 &&
                  LLVMTypeOf(n) == LLVMInt64TypeInContext(b->context) &&
                  (q.is_signed || q.direction == LLVMIntUGE || q.direction == LLVMIntULE);
    if (!is_sum || is_only_address(moved, 2) || (is_narrow(n) && !LLVMIsAConstantInt(n)))
        return NULL;
    hd_emit_before(b, branch);
    if (q.is_signed)
        return fits(b, n, q.product, most);
    if (q.direction == LLVMIntULE)
        n = LLVMBuildNeg(b->builder, n, "");
    return LLVMBuildICmp(b->builder, LLVMIntULE, n, LLVMConstInt(LLVMTypeOf(n), most, false), "");
}

static bool is_certain(LLVMValueRef condition) {
    return LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition);
}

static bool mark_moved(hd_build *b, LLVMValueRef handler, LLVMValueRef branch) {
    LLVMValueRef base = pointer_of(LLVMGetOperand(handler, 1));
    LLVMValueRef moved = base ? moved_pointer(base, branch) : NULL;
    if (!moved)
        return false;
    LLVMValueRef condition = stays(b, moved, branch);
    hd_mark_put(b, HD_MOVED, base, moved, LLVMGetOperand(handler, 0), branch);
    if (!condition || is_certain(condition))
        return true;
    LLVMSetCondition(branch, condition);
    return false;
}

/* The branch to the block of a handler, if it is the only one. */
static LLVMValueRef branch_to(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsABranchInst(user) && LLVMIsConditional(user) ? user : NULL;
}

/*     br c, go on, handler;  handler: ...; br go on   ->   mark; br go on */
static void replace(hd_build *b, LLVMValueRef handler,
                    bool (*put)(hd_build *, LLVMValueRef, LLVMValueRef)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(handler);
    LLVMValueRef branch = branch_to(block), end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef go_on = LLVMIsABranchInst(end) ? LLVMGetSuccessor(end, 0) : NULL;
    if (!branch || !go_on || LLVMIsAPHINode(LLVMGetFirstInstruction(go_on)) ||
        LLVMGetSuccessor(branch, 0) != go_on || !put(b, handler, branch))
        return;
    hd_emit_before(b, branch);
    LLVMBuildBr(b->builder, go_on);
    LLVMInstructionEraseFromParent(branch);
    LLVMDeleteBasicBlock(block);
}

static void replace_all(hd_build *b, const char *handler,
                        bool (*put)(hd_build *, LLVMValueRef, LLVMValueRef)) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, handler);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(LLVMGetUser(use)))
            replace(b, LLVMGetUser(use), put);
    }
}

void hd_pointer_checks_mark(hd_build *b) {
    replace_all(b, MISMATCH, mark_mismatch);
    replace_all(b, OVERFLOW, mark_moved);
}

/* -- Marks that say nothing ------------------------------------------------------------------- */

static void for_each_mark(hd_build *b, const char *name, void (*visit)(hd_build *, LLVMValueRef)) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        visit(b, LLVMGetUser(use));
    }
}

static void simplify_aligned(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef p = LLVMGetOperand(mark, 0);
    uint64_t alignment = LLVMConstIntGetZExtValue(LLVMGetOperand(mark, 1)) + 1;
    if (is_aligned(b, base_of(b, p, alignment), alignment))
        LLVMInstructionEraseFromParent(mark);
    else
        LLVMSetOperand(mark, 0, base_of(b, p, alignment));
}

static void simplify_moved(hd_build *b, LLVMValueRef mark) {
    (void)b;
    if (is_near_object(LLVMGetOperand(mark, 0)) && is_near_object(LLVMGetOperand(mark, 1)))
        LLVMInstructionEraseFromParent(mark);
}

static LLVMValueRef accessed_by(LLVMValueRef i) {
    return LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
           : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                 : NULL;
}

/* Is the pointer, or a member, accessed before anything else can happen? */
static bool is_accessed_next(LLVMValueRef mark) {
    LLVMValueRef p = LLVMGetOperand(mark, 0);
    for (LLVMValueRef i = LLVMGetNextInstruction(mark); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef at = accessed_by(i);
        while (at && is_index(at))
            at = LLVMGetOperand(at, 0);
        if (at == p)
            return true;
        if (LLVMIsACallInst(i) && !hd_is_pointer_mark(i))
            return false;
    }
    return false;
}

static void simplify_member(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef p = LLVMGetOperand(mark, 0);
    (void)b;
    if (is_object(p) || is_near_object(p) || is_accessed_next(mark))
        LLVMInstructionEraseFromParent(mark);
}

void hd_pointer_checks_simplify(hd_build *b) {
    for_each_mark(b, HD_ALIGNED, simplify_aligned);
    for_each_mark(b, HD_MOVED, simplify_moved);
    for_each_mark(b, HD_MEMBER, simplify_member);
}

/* -- Hooks ------------------------------------------------------------------------------------ */

/* Is the pointer the address of an access in the same block, and nothing else? */
static bool is_only_accessed(LLVMValueRef moved, LLVMValueRef mark) {
    for (LLVMUseRef use = LLVMGetFirstUse(moved); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_access =
            LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != moved);
        if (!hd_is_pointer_mark(user) &&
            (!is_access || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(mark)))
            return false;
    }
    return true;
}

/* HD_STEP_SMALL: the steps of the pointer cannot go round the address space by themselves, or the
 * access says it if they do. */
static LLVMValueRef kind_of_step(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef moved = LLVMGetOperand(mark, 1);
    if (is_mark(mark, HD_MEMBER))
        return hd_const32(b, HD_STEP_MEMBER);
    bool is_narrow = has_narrow_steps(moved) && LLVMGetOperand(moved, 0) == LLVMGetOperand(mark, 0);
    return hd_const32(b, is_narrow || is_only_accessed(moved, mark) ? HD_STEP_SMALL : HD_STEP_ANY);
}

LLVMValueRef hd_pointer_question(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef first = LLVMGetOperand(mark, 0), second = LLVMGetOperand(mark, 1);
    if (is_mark(mark, HD_ALIGNED))
        return hd_emit(b, HD_HOOK_ASK_ALIGNED, first, second);
    return hd_emit(b, HD_HOOK_ASK_MOVED, first, second, kind_of_step(b, mark));
}

static void emit_aligned(hd_build *b, LLVMValueRef mark, LLVMValueRef data, LLVMValueRef site) {
    LLVMValueRef p = LLVMGetOperand(mark, 0), mask = LLVMGetOperand(mark, 1);
    hd_emit(b, b->is_aside ? HD_HOOK_ALIGNED_ASIDE : HD_HOOK_ALIGNED, p, hd_shadow_get(b, p), mask,
            data, site);
}

static void emit_moved(hd_build *b, LLVMValueRef mark, LLVMValueRef data, LLVMValueRef site) {
    LLVMValueRef from = LLVMGetOperand(mark, 0), to = LLVMGetOperand(mark, 1);
    LLVMValueRef first = hd_shadow_get(b, from), second = hd_shadow_get(b, to);
    if (b->is_aside)
        hd_emit(b, HD_HOOK_MOVED_ASIDE, from, hd_emit_shadows(b, first, second), to,
                kind_of_step(b, mark), data, site);
    else
        hd_emit(b, HD_HOOK_MOVED, from, first, to, second, kind_of_step(b, mark), data, site);
}

void hd_instrument_pointer_mark(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef data = LLVMGetOperand(mark, 2);
    LLVMValueRef site = hd_const32(b, hd_site_add(b, mark, UINT32_MAX, HD_SITE_CHECK_HOLDS));
    if (is_mark(mark, HD_ALIGNED))
        emit_aligned(b, mark, data, site);
    else
        emit_moved(b, mark, data, site);
}
