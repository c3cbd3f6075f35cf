/* group.c -- one question for many instructions.
 *
 * Most time of concrete loops goes into asking whether values are symbolic.  Loads and pure
 * operations that follow each other (a group, at most one store or branch at its end) share
 * one question: is any byte that they load, or any value that comes from outside, not
 * concrete?  If nothing is, all their shadows are 0.  Otherwise a function beside the hot code
 * does what each instruction's own hooks do: it holds copies of the instructions, instrumented
 * one by one, and answers the shadows that are used outside.
 *
 * G1. Whatever the question needs is known before the group's first access: operations that
 *     need none of the loaded values move in front of it, and a load or store whose address
 *     needs one starts the next group.
 * G2. The copies in the function only load, so that doing them again is harmless.
 * G3. The accesses of a group stand on one line: it is the line that a finding shows. */
#include "compile/compiler/build.h"

#define MAX_MEMBERS   32
#define MAX_ACCESSES  4  /* as many as HD_HOOK_QUESTION takes */
#define PRESERVE_MOST 14 /* llvm/IR/CallingConv.h */

typedef struct forming {
    hd_build *b;
    hd_values early, late; /* members before and behind the first access */
    hd_map dependent;      /* values that need a loaded one, or must stay where they are */
    LLVMValueRef first;    /* access */
    LLVMValueRef last;     /* store or branch that ends the group, or NULL */
    unsigned n_accesses;
} forming;

static uint64_t key_of(LLVMValueRef v) {
    return (uint64_t)(uintptr_t)v;
}

/* -- What can be a member ------------------------------------------------------------------ */

static bool is_division(LLVMOpcode op) {
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

static bool is_pure_operation(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return LLVMIsABinaryOperator(i) || op == LLVMGetElementPtr || op == LLVMZExt ||
           op == LLVMSExt || op == LLVMTrunc || op == LLVMPtrToInt || op == LLVMIntToPtr ||
           op == LLVMICmp || op == LLVMSelect;
}

static bool is_pure(LLVMValueRef i) {
    if (!is_pure_operation(i) || !hd_type_is_symbolic(LLVMTypeOf(i)))
        return false;
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (!hd_type_is_symbolic(LLVMTypeOf(LLVMGetOperand(i, (unsigned)n))))
            return false;
    return true;
}

static bool is_simple_access(LLVMValueRef i) {
    LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
    return (LLVMIsAStoreInst(i) || LLVMIsALoadInst(i)) && hd_type_is_symbolic(LLVMTypeOf(value)) &&
           !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef address_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static bool is_asking_branch(const hd_build *b, LLVMValueRef i) {
    return LLVMIsABranchInst(i) && LLVMIsConditional(i) &&
           hd_value_may_be_symbolic(b, LLVMGetCondition(i));
}

/* -- Forming groups ------------------------------------------------------------------------ */

static bool is_dependent(const forming *f, LLVMValueRef v) {
    return hd_map_find(&f->dependent, key_of(v)) != NULL;
}

static bool has_dependent_operand(const forming *f, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (is_dependent(f, LLVMGetOperand(i, (unsigned)n)))
            return true;
    return false;
}

static bool has_hook(const forming *f, LLVMValueRef i) {
    return hd_value_may_be_symbolic(f->b, i) || hd_is_pointer_mark(i);
}

static unsigned count_hooks(const forming *f) {
    unsigned count = f->last ? 1 : 0;
    for (size_t n = 0; n < f->early.n; n++)
        count += has_hook(f, f->early.at[n]);
    for (size_t n = 0; n < f->late.n; n++)
        count += has_hook(f, f->late.at[n]);
    return count;
}

static void add_member(hd_build *b, hd_group *g, LLVMValueRef i) {
    hd_vec_push(&g->members, i);
    hd_map_put(&b->group_of, key_of(i), b->groups.n);
}

/* Keep the group if it saves a question; forget it otherwise. */
static void close_group(forming *f) {
    hd_group g = {.first = f->first, .last = f->last};
    if (count_hooks(f) >= 2) {
        for (size_t n = 0; n < f->early.n; n++)
            add_member(f->b, &g, f->early.at[n]);
        for (size_t n = 0; n < f->late.n; n++)
            add_member(f->b, &g, f->late.at[n]);
        if (g.last)
            hd_map_put(&f->b->group_of, key_of(g.last), f->b->groups.n);
        hd_vec_push(&f->b->groups, g);
    }
    hd_vec_clear(&f->early);
    hd_vec_clear(&f->late);
    hd_map_clear(&f->dependent);
    f->first = f->last = NULL;
    f->n_accesses = 0;
}

static void move_before(hd_build *b, LLVMValueRef i, LLVMValueRef place) {
    LLVMInstructionRemoveFromParent(i);
    LLVMPositionBuilderBefore(b->builder, place);
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(i));
    LLVMInsertIntoBuilder(b->builder, i);
}

static void add_pure(forming *f, LLVMValueRef i) {
    bool stays = is_division(LLVMGetInstructionOpcode(i)) || has_dependent_operand(f, i);
    if (f->first && stays) {
        hd_map_put(&f->dependent, key_of(i), 1);
        hd_vec_push(&f->late, i);
        return;
    }
    if (f->first)
        move_before(f->b, i, f->first);
    hd_vec_push(&f->early, i);
}

static bool is_on_line_of_group(const forming *f, LLVMValueRef i) {
    return !f->first || (LLVMInstructionGetDebugLoc(i) && LLVMInstructionGetDebugLoc(f->first) &&
                         LLVMGetDebugLocLine(i) == LLVMGetDebugLocLine(f->first));
}

static void add_access(forming *f, LLVMValueRef i) {
    if (is_dependent(f, address_of(i)) || f->n_accesses == MAX_ACCESSES ||
        !is_on_line_of_group(f, i))
        close_group(f);
    f->first = f->first ? f->first : i;
    f->n_accesses++;
    if (LLVMIsAStoreInst(i)) {
        f->last = i;
        close_group(f);
        return;
    }
    hd_map_put(&f->dependent, key_of(i), 1);
    hd_vec_push(&f->late, i);
}

/* A mark stays among the accesses, in their order. */
static void add_mark(forming *f, LLVMValueRef i) {
    if (has_dependent_operand(f, i))
        close_group(f);
    if (f->first)
        hd_vec_push(&f->late, i);
    else
        hd_vec_push(&f->early, i);
}

static bool is_member(const forming *f, LLVMValueRef v) {
    for (size_t n = 0; n < f->late.n; n++)
        if (f->late.at[n] == v)
            return true;
    for (size_t n = 0; n < f->early.n; n++)
        if (f->early.at[n] == v)
            return true;
    return false;
}

static void add_instruction(forming *f, LLVMValueRef i) {
    if (f->early.n + f->late.n >= MAX_MEMBERS)
        close_group(f);
    if (is_simple_access(i) && !hd_store_is_pattern(f->b, i)) {
        add_access(f, i);
    } else if (is_pure(i)) {
        add_pure(f, i);
    } else if (hd_is_pointer_mark(i)) {
        add_mark(f, i);
    } else {
        if (is_asking_branch(f->b, i) && is_member(f, LLVMGetCondition(i)))
            f->last = i;
        close_group(f);
    }
}

void hd_groups_form(hd_build *b, LLVMBasicBlockRef block) {
    forming f = {.b = b};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAPHINode(i))
            add_instruction(&f, i);
    }
    hd_vec_release(&f.early);
    hd_vec_release(&f.late);
    hd_map_release(&f.dependent);
}

/* -- The function beside ------------------------------------------------------------------- */

/* A group on its way into the code. */
typedef struct making {
    hd_build *b;
    const hd_group *g;
    size_t number;
    hd_values outside; /* values of others that members use */
    hd_values shadows; /* of those that have one */
    hd_values arguments;
    hd_values results; /* members whose shadows others use */
    hd_map copies;     /* value outside the function -> inside */
} making;

static bool is_in_group(const making *m, LLVMValueRef v) {
    uint64_t *found = hd_map_find(&m->b->group_of, key_of(v));
    return found && *found == m->number;
}

static void collect_operands(making *m, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        bool is_local = LLVMIsAInstruction(v) || LLVMIsAArgument(v);
        if (!is_local || is_in_group(m, v) || hd_map_find(&m->copies, key_of(v)))
            continue;
        hd_map_put(&m->copies, key_of(v), 0);
        hd_vec_push(&m->outside, v);
        if (!hd_shadow_is_zero(hd_shadow_get(m->b, v)))
            hd_vec_push(&m->shadows, v);
    }
}

static bool is_used_outside(const making *m, LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (!is_in_group(m, LLVMGetUser(use)))
            return true;
    return false;
}

static void collect(making *m) {
    for (size_t n = 0; n < m->g->members.n; n++) {
        LLVMValueRef i = m->g->members.at[n];
        collect_operands(m, i);
        if (hd_value_may_be_symbolic(m->b, i) && is_used_outside(m, i))
            hd_vec_push(&m->results, i);
    }
    if (m->g->last && LLVMIsAStoreInst(m->g->last))
        collect_operands(m, m->g->last);
    for (size_t n = 0; n < m->outside.n; n++)
        hd_vec_push(&m->arguments, m->outside.at[n]);
    for (size_t n = 0; n < m->shadows.n; n++)
        hd_vec_push(&m->arguments, hd_shadow_get(m->b, m->shadows.at[n]));
}

static LLVMValueRef add_function(making *m, const char *name, LLVMTypeRef result,
                                 LLVMTypeRef first) {
    hd_vec(LLVMTypeRef) types = {0};
    if (first)
        hd_vec_push(&types, first);
    for (size_t n = 0; n < m->arguments.n; n++)
        hd_vec_push(&types, LLVMTypeOf(m->arguments.at[n]));
    LLVMTypeRef type = LLVMFunctionType(result, types.at, (unsigned)types.n, false);
    hd_vec_release(&types);
    LLVMValueRef function = LLVMAddFunction(m->b->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    hd_function_set_attributes(m->b, function);
    LLVMAppendBasicBlockInContext(m->b->context, function, "");
    return function;
}

static void add_attribute(hd_build *b, LLVMValueRef function, const char *name, size_t length) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, length);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, 0));
}

/* More than one result travels through memory. */
static LLVMValueRef results_array(hd_build *b, size_t n) {
    LLVMValueRef array = LLVMGetNamedGlobal(b->module, "__hd_group_results");
    LLVMTypeRef type = LLVMArrayType2(b->i32, MAX_MEMBERS);
    if (!array) {
        array = LLVMAddGlobal(b->module, type, "__hd_group_results");
        LLVMSetInitializer(array, LLVMConstNull(type));
        LLVMSetLinkage(array, LLVMInternalLinkage);
    }
    LLVMValueRef at = hd_const64(b, n);
    return LLVMConstGEP2(b->i32, array, &at, 1);
}

static LLVMValueRef copy_member(making *m, LLVMBasicBlockRef block, LLVMValueRef i) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    LLVMPositionBuilderAtEnd(m->b->builder, block);
    LLVMSetCurrentDebugLocation2(m->b->builder, LLVMInstructionGetDebugLoc(i));
    LLVMInsertIntoBuilder(m->b->builder, copy);
    for (int n = 0; n < LLVMGetNumOperands(copy); n++) {
        uint64_t *known = hd_map_find(&m->copies, key_of(LLVMGetOperand(copy, (unsigned)n)));
        if (known)
            LLVMSetOperand(copy, (unsigned)n, (LLVMValueRef)(uintptr_t)*known);
    }
    hd_map_put(&m->copies, key_of(i), key_of(copy));
    return copy;
}

static LLVMValueRef copy_of(making *m, LLVMValueRef v) {
    uint64_t *known = hd_map_find(&m->copies, key_of(v));
    return known ? (LLVMValueRef)(uintptr_t)*known : v;
}

static void end_function(making *m, LLVMBasicBlockRef block) {
    hd_build *b = m->b;
    LLVMPositionBuilderAtEnd(b->builder, block);
    for (size_t n = 0; n < m->results.n && m->results.n > 1; n++)
        LLVMBuildStore(b->builder, hd_shadow_get(b, copy_of(m, m->results.at[n])),
                       results_array(b, n));
    if (m->results.n == 1)
        LLVMBuildRet(b->builder, hd_shadow_get(b, copy_of(m, m->results.at[0])));
    else
        LLVMBuildRetVoid(b->builder);
}

static void bind_parameters(making *m, LLVMValueRef function) {
    for (size_t n = 0; n < m->outside.n; n++)
        hd_map_put(&m->copies, key_of(m->outside.at[n]),
                   key_of(LLVMGetParam(function, (unsigned)n)));
    for (size_t n = 0; n < m->shadows.n; n++)
        hd_shadow_set(m->b, copy_of(m, m->shadows.at[n]),
                      LLVMGetParam(function, (unsigned)(m->outside.n + n)));
}

/* The branch's own instruction stays behind: only its question is asked here. */
static void ask_branch(making *m, LLVMBasicBlockRef block) {
    hd_build *b = m->b;
    LLVMValueRef condition = copy_of(m, LLVMGetCondition(m->g->last));
    uint32_t site = hd_branch_asked_elsewhere(b, m->g->last);
    LLVMPositionBuilderAtEnd(b->builder, block);
    hd_emit(b, HD_HOOK_CHECK, hd_shadow_get(b, condition),
            LLVMBuildZExt(b->builder, condition, b->i32, ""), hd_const32(b, site));
}

static LLVMValueRef make_function(making *m) {
    hd_build *b = m->b;
    LLVMTypeRef result = m->results.n == 1 ? b->i32 : b->void_type;
    LLVMValueRef function = add_function(m, "group.slow", result, NULL);
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    LLVMSetFunctionCallConv(function, PRESERVE_MOST);
    add_attribute(b, function, "noinline", 8);
    add_attribute(b, function, "cold", 4);
    bind_parameters(m, function);
    b->is_aside = true;
    for (size_t n = 0; n < m->g->members.n; n++)
        hd_instrument_one(b, copy_member(m, block, m->g->members.at[n]));
    if (m->g->last && LLVMIsAStoreInst(m->g->last)) {
        LLVMValueRef store = copy_member(m, block, m->g->last);
        hd_instrument_one(b, store);
        LLVMInstructionEraseFromParent(store);
    } else if (m->g->last) {
        ask_branch(m, block);
    }
    b->is_aside = false;
    end_function(m, block);
    return function;
}

/* -- The code in its place ----------------------------------------------------------------- */

static void mark_unlikely(hd_build *b, LLVMValueRef branch) {
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(b->context, "branch_weights", 14),
        LLVMValueAsMetadata(hd_const32(b, 2000)),
        LLVMValueAsMetadata(hd_const32(b, 1)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(b->context, "prof", 4),
                    LLVMMetadataAsValue(b->context, node));
}

static LLVMTypeRef results_type(const making *m) {
    LLVMTypeRef types[MAX_MEMBERS];
    for (size_t n = 0; n < m->results.n; n++)
        types[n] = m->b->i32;
    return LLVMStructTypeInContext(m->b->context, types, (unsigned)m->results.n, false);
}

static LLVMValueRef call_slow(making *m, LLVMValueRef slow, LLVMValueRef from) {
    hd_values arguments = {0};
    for (size_t n = 0; n < m->arguments.n; n++)
        hd_vec_push(&arguments, LLVMGetParam(from, (unsigned)n + 1));
    LLVMValueRef call = LLVMBuildCall2(m->b->builder, LLVMGlobalGetValueType(slow), slow,
                                       arguments.at, (unsigned)arguments.n, "");
    LLVMSetInstructionCallConv(call, PRESERVE_MOST);
    hd_vec_release(&arguments);
    return call;
}

/* What the slow function answered, or zeros. */
static LLVMValueRef merge_results(making *m, const hd_values *answers, LLVMBasicBlockRef slow,
                                  LLVMBasicBlockRef start) {
    hd_build *b = m->b;
    LLVMValueRef zero = hd_const32(b, 0), twins[MAX_MEMBERS];
    for (size_t n = 0; n < answers->n; n++) {
        LLVMValueRef values[] = {zero, answers->at[n]};
        LLVMBasicBlockRef blocks[] = {start, slow};
        twins[n] = LLVMBuildPhi(b->builder, b->i32, "");
        LLVMAddIncoming(twins[n], values, blocks, 2);
    }
    LLVMValueRef all = LLVMGetPoison(results_type(m));
    for (size_t n = 0; n < answers->n; n++)
        all = LLVMBuildInsertValue(b->builder, all, twins[n], (unsigned)n, "");
    return all;
}

static void fill_asking(making *m, LLVMValueRef function, LLVMValueRef slow) {
    hd_build *b = m->b;
    LLVMBasicBlockRef start = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(b->context, function, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(b->context, function, "");
    hd_values answers = {0};
    LLVMPositionBuilderAtEnd(b->builder, start);
    LLVMSetCurrentDebugLocation2(b->builder, NULL);
    LLVMValueRef is_concrete =
        LLVMBuildICmp(b->builder, LLVMIntEQ, LLVMGetParam(function, 0), hd_const64(b, 0), "");
    mark_unlikely(b, LLVMBuildCondBr(b->builder, is_concrete, end, other));
    LLVMPositionBuilderAtEnd(b->builder, other);
    LLVMValueRef call = call_slow(m, slow, function);
    for (size_t n = 0; n < m->results.n; n++)
        hd_vec_push(&answers, m->results.n == 1
                                  ? call
                                  : LLVMBuildLoad2(b->builder, b->i32, results_array(b, n), ""));
    LLVMBuildBr(b->builder, end);
    LLVMPositionBuilderAtEnd(b->builder, end);
    LLVMBuildRet(b->builder, merge_results(m, &answers, other, start));
    hd_vec_release(&answers);
}

/* The only place where control flow is made, in a function of its own that is inlined (B1). */
static LLVMValueRef make_asking(making *m) {
    LLVMValueRef slow = make_function(m);
    LLVMValueRef function = add_function(m, "group", results_type(m), m->b->i64);
    add_attribute(m->b, function, "alwaysinline", 12);
    fill_asking(m, function, slow);
    return function;
}

/* Accesses that are asked about in one way. */
typedef struct asked_accesses {
    LLVMValueRef p[MAX_ACCESSES], size[MAX_ACCESSES];
    unsigned n;
    bool has_symbolic_address;
    LLVMValueRef unclean; /* of those inside of globals, or NULL */
} asked_accesses;

static LLVMValueRef join(hd_build *b, LLVMValueRef all, LLVMValueRef one) {
    return all ? LLVMBuildOr(b->builder, all, one, "") : one;
}

/* An access is asked about with the other `plain` ones, or with those inside of globals. */
static void sort_access(making *m, LLVMValueRef i, asked_accesses *plain, asked_accesses *inside) {
    hd_build *b = m->b;
    bool is_store = LLVMIsAStoreInst(i);
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
    uint64_t size = LLVMStoreSizeOfType(b->layout, type);
    LLVMValueRef p = address_of(i), unclean = NULL;
    if (!plain->unclean)
        unclean = hd_emit_access_unclean(b, p, size, is_store);
    asked_accesses *a = unclean ? inside : plain;
    if (unclean)
        a->unclean = join(b, a->unclean, unclean);
    a->p[a->n] = p;
    a->size[a->n++] = hd_const32(b, size);
    a->has_symbolic_address |= hd_value_may_be_symbolic(b, p);
}

static LLVMValueRef ask_about(hd_build *b, asked_accesses *a, hd_hook hook, LLVMValueRef leaves) {
    LLVMValueRef *p = a->p, *size = a->size, may = hd_const32(b, a->has_symbolic_address);
    for (; a->n < MAX_ACCESSES; a->n++) {
        p[a->n] = LLVMConstNull(b->pointer);
        size[a->n] = hd_const32(b, 0);
    }
    if (a->unclean)
        return hd_emit(b, hook, a->unclean, leaves, may, p[0], size[0], p[1], size[1], p[2],
                       size[2], p[3], size[3]);
    return hd_emit(b, HD_HOOK_QUESTION, leaves, may, p[0], size[0], p[1], size[1], p[2], size[2],
                   p[3], size[3]);
}

/* In a clean loop all is asked about in one way. */
static LLVMValueRef ask_accesses(making *m, LLVMValueRef leaves) {
    hd_build *b = m->b;
    asked_accesses plain = {.unclean = hd_clean_loop_value(b, LLVMGetInsertBlock(b->builder))};
    asked_accesses inside = {0};
    LLVMValueRef question = NULL;
    for (size_t n = 0; n <= m->g->members.n; n++) {
        LLVMValueRef i = n < m->g->members.n ? m->g->members.at[n] : m->g->last;
        if (i && is_simple_access(i))
            sort_access(m, i, &plain, &inside);
    }
    if (plain.n || !inside.n)
        question = ask_about(b, &plain, HD_HOOK_QUESTION_CLEAN, leaves);
    if (inside.n)
        question = join(b, question, ask_about(b, &inside, HD_HOOK_QUESTION_INSIDE, leaves));
    return question;
}

static LLVMValueRef emit_question(making *m) {
    hd_build *b = m->b;
    LLVMValueRef leaves = hd_const32(b, 0);
    for (size_t n = 0; n < m->shadows.n; n++)
        leaves = LLVMBuildOr(b->builder, leaves, hd_shadow_get(b, m->shadows.at[n]), "");
    LLVMValueRef question = ask_accesses(m, leaves);
    for (size_t n = 0; n < m->g->members.n; n++)
        if (hd_is_pointer_mark(m->g->members.at[n]))
            question =
                LLVMBuildOr(b->builder, question, hd_pointer_question(b, m->g->members.at[n]), "");
    return question;
}

static LLVMValueRef place_of_question(const hd_group *g) {
    if (g->first)
        return g->first;
    return g->last ? g->last : g->members.at[g->members.n - 1];
}

static bool asks_nothing(const making *m) {
    bool asks = m->shadows.n || (m->g->last && LLVMIsAStoreInst(m->g->last));
    for (size_t n = 0; n < m->g->members.n && !asks; n++)
        asks = LLVMIsALoadInst(m->g->members.at[n]) || hd_is_pointer_mark(m->g->members.at[n]);
    return !asks;
}

static void make_group(making *m) {
    hd_build *b = m->b;
    hd_values arguments = {0};
    collect(m);
    if (asks_nothing(m)) { /* all shadows are 0 */
        if (m->g->last)
            hd_branch_asked_elsewhere(b, m->g->last);
        return;
    }
    LLVMValueRef function = make_asking(m), place = place_of_question(m->g);
    hd_emit_before(b, place);
    hd_vec_push(&arguments, emit_question(m));
    for (size_t n = 0; n < m->arguments.n; n++)
        hd_vec_push(&arguments, m->arguments.at[n]);
    LLVMValueRef all = LLVMBuildCall2(b->builder, LLVMGlobalGetValueType(function), function,
                                      arguments.at, (unsigned)arguments.n, "");
    for (size_t n = 0; n < m->results.n; n++)
        hd_shadow_set(b, m->results.at[n], LLVMBuildExtractValue(b->builder, all, (unsigned)n, ""));
    hd_vec_release(&arguments);
}

bool hd_group_instrument(hd_build *b, LLVMValueRef i) {
    uint64_t *number = hd_map_find(&b->group_of, key_of(i));
    if (!number)
        return false;
    hd_group *g = &b->groups.at[*number];
    if (!g->is_made) {
        making m = {.b = b, .g = g, .number = *number};
        g->is_made = true;
        make_group(&m);
        hd_vec_release(&m.outside);
        hd_vec_release(&m.shadows);
        hd_vec_release(&m.arguments);
        hd_vec_release(&m.results);
        hd_map_release(&m.copies);
    }
    if (hd_is_pointer_mark(i)) {
        LLVMInstructionEraseFromParent(i);
        return true;
    }
    return !LLVMIsABranchInst(i);
}

void hd_groups_clear(hd_build *b) {
    for (size_t n = 0; n < b->groups.n; n++)
        hd_vec_release(&b->groups.at[n].members);
    hd_vec_clear(&b->groups);
    hd_map_clear(&b->group_of);
    hd_map_clear(&b->asked);
}
