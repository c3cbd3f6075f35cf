/* control.c -- branches, switches and loops: where a path can go another way. */
#include "compile/compiler/build.h"

#include <string.h>

bool hd_block_is_handler(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) &&
            strncmp(hd_value_name(LLVMGetCalledValue(i)), "__ubsan_handle_", 15) == 0)
            return true;
    return false;
}

/* clang marks what its checks are made of; a mark that passes lost is found by the handler. */
bool hd_branch_is_check(LLVMValueRef i) {
    unsigned mark = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), "nosanitize", 10);
    if (!LLVMIsConditional(i))
        return false;
    return LLVMGetMetadata(i, mark) || (hd_block_is_handler(LLVMGetSuccessor(i, 0)) ||
                                        hd_block_is_handler(LLVMGetSuccessor(i, 1)));
}

/* A site for the check: which way fails, and whether it goes on there. */
uint32_t hd_check_site(hd_build *b, LLVMValueRef i) {
    bool fails = hd_block_is_handler(LLVMGetSuccessor(i, 0));
    LLVMBasicBlockRef handler = LLVMGetSuccessor(i, !fails);
    uint32_t kind = fails ? HD_SITE_CHECK_FAILS : HD_SITE_CHECK_HOLDS;
    if (!hd_block_is_handler(handler) ||
        LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(handler)))
        kind = HD_SITE_CHECK;
    return hd_site_add(b, i, UINT32_MAX, kind);
}

/* The condition's shadow; 0 if its group has asked. */
static LLVMValueRef shadow_to_ask(hd_build *b, LLVMValueRef i) {
    if (hd_map_find(&b->asked, (uint64_t)(uintptr_t)i))
        return hd_const32(b, 0);
    return hd_shadow_get(b, LLVMGetCondition(i));
}

/* A check of clang is a branch for the solver, but none of the program's for coverage. */
static void ask_machine(hd_build *b, LLVMValueRef i, uint32_t site) {
    LLVMValueRef condition = LLVMGetCondition(i), shadow = shadow_to_ask(b, i);
    if (!hd_shadow_is_zero(shadow))
        hd_emit(b, HD_HOOK_CHECK, shadow, LLVMBuildZExt(b->builder, condition, b->i32, ""),
                hd_const32(b, site));
}

static bool has_one_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

static LLVMValueRef first_ordinary(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* A plain store where each side starts is cheaper than one whose place depends on the
 * condition; it needs sides that are entered from here only. */
static void cover_sides(hd_build *b, LLVMValueRef i, uint32_t branch) {
    for (unsigned side = 0; side < 2; side++) {
        hd_emit_before(b, first_ordinary(LLVMGetSuccessor(i, side)));
        hd_emit(b, HD_HOOK_COVER_SIDE, hd_const32(b, 2 * branch + (side == 0)));
    }
}

/* Copies of one branch of the source share its site. */
static uint32_t site_of_branch(hd_build *b, LLVMValueRef i) {
    uint32_t number = 0;
    uint64_t *asked = hd_map_find(&b->asked, (uint64_t)(uintptr_t)i);
    if (asked)
        return (uint32_t)*asked;
    bool is_numbered = hd_branch_number(b, i, &number);
    uint64_t *known = is_numbered ? hd_map_find(&b->branch_sites, number) : NULL;
    if (known)
        return (uint32_t)*known;
    uint32_t site = hd_site_add(b, i, b->n_branches++, HD_SITE_BRANCH);
    if (is_numbered)
        hd_map_put(&b->branch_sites, number, site);
    return site;
}

static void branch_of_program(hd_build *b, LLVMValueRef i) {
    LLVMValueRef condition = LLVMGetCondition(i);
    uint32_t site = site_of_branch(b, i), branch = b->sites.at[site].branch;
    if (has_one_predecessor(LLVMGetSuccessor(i, 0)) &&
        has_one_predecessor(LLVMGetSuccessor(i, 1))) {
        ask_machine(b, i, site);
        cover_sides(b, i, branch);
        return;
    }
    hd_emit(b, HD_HOOK_BRANCH, shadow_to_ask(b, i),
            LLVMBuildZExt(b->builder, condition, b->i32, ""), hd_const32(b, branch),
            hd_const32(b, site));
}

void hd_instrument_branch(hd_build *b, LLVMValueRef i) {
    if (!LLVMIsConditional(i) || LLVMIsConstant(LLVMGetCondition(i)))
        return;
    hd_emit_before(b, i);
    if (!hd_branch_is_check(i))
        branch_of_program(b, i);
    else if (!hd_shadow_is_zero(shadow_to_ask(b, i)))
        ask_machine(b, i, hd_check_site(b, i));
}

uint32_t hd_branch_asked_elsewhere(hd_build *b, LLVMValueRef i) {
    uint32_t site = hd_branch_is_check(i) ? hd_check_site(b, i) : site_of_branch(b, i);
    hd_map_put(&b->asked, (uint64_t)(uintptr_t)i, site);
    return site;
}

/* -- Switches ------------------------------------------------------------------------------ */

typedef struct targets {
    hd_vec(LLVMBasicBlockRef) blocks; /* distinct; the default's first */
} targets;

static uint32_t target_number(targets *t, LLVMBasicBlockRef block) {
    for (size_t n = 0; n < t->blocks.n; n++)
        if (t->blocks.at[n] == block)
            return (uint32_t)n;
    hd_vec_push(&t->blocks, block);
    return (uint32_t)t->blocks.n - 1;
}

static LLVMValueRef define_constant(hd_build *b, LLVMValueRef value, const char *name) {
    LLVMValueRef global = LLVMAddGlobal(b->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    return global;
}

static LLVMValueRef case_rows(hd_build *b, LLVMValueRef i, targets *t, unsigned n_cases) {
    hd_values rows = {0};
    for (unsigned n = 0; n < n_cases; n++) {
        uint64_t value = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 * n + 2));
        uint32_t target = target_number(t, LLVMGetSuccessor(i, n + 1));
        LLVMValueRef fields[] = {hd_const64(b, value), hd_const32(b, target)};
        hd_vec_push(&rows, LLVMConstStructInContext(b->context, fields, 2, false));
    }
    LLVMTypeRef types[] = {b->i64, b->i32};
    LLVMTypeRef row = LLVMStructTypeInContext(b->context, types, 2, false);
    LLVMValueRef table = LLVMConstArray2(row, rows.at, rows.n);
    hd_vec_release(&rows);
    return define_constant(b, table, "__hd_cases");
}

static LLVMValueRef first_placed(LLVMBasicBlockRef block, LLVMValueRef otherwise) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMInstructionGetDebugLoc(i) && LLVMGetDebugLocLine(i))
            return i;
    return otherwise;
}

/* One site and one coverage number per distinct target, covered where it is entered. */
static uint32_t define_targets(hd_build *b, LLVMValueRef i, const targets *t) {
    uint32_t first = 0;
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMBasicBlockRef block = t->blocks.at[n];
        uint32_t branch = b->n_branches++;
        uint32_t site = hd_site_add(b, first_placed(block, i), branch, HD_SITE_SWITCH);
        first = n == 0 ? site : first;
        hd_emit_before(b, first_ordinary(block));
        hd_emit(b, HD_HOOK_COVER, hd_const32(b, branch));
    }
    return first;
}

void hd_instrument_switch(hd_build *b, LLVMValueRef i) {
    LLVMValueRef condition = LLVMGetOperand(i, 0);
    if (!hd_type_is_symbolic(LLVMTypeOf(condition)) || LLVMIsConstant(condition))
        return;
    targets t = {0};
    unsigned n_cases = LLVMGetNumSuccessors(i) - 1;
    target_number(&t, LLVMGetSwitchDefaultDest(i));
    LLVMValueRef cases = case_rows(b, i, &t, n_cases);
    uint32_t first = define_targets(b, i, &t);
    LLVMValueRef fields[] = {hd_const32(b, first),
                             hd_const32(b, hd_type_width(LLVMTypeOf(condition))),
                             hd_const32(b, n_cases), hd_const32(b, t.blocks.n), cases};
    LLVMValueRef row = LLVMConstStructInContext(b->context, fields, 5, false);
    hd_emit_before(b, i);
    if (!hd_shadow_is_zero(hd_shadow_get(b, condition)))
        hd_emit(b, HD_HOOK_SWITCH, hd_shadow_get(b, condition), hd_emit_bits(b, condition),
                define_constant(b, row, "__hd_switch_table"));
    hd_vec_release(&t.blocks);
}

/* goto *p: like a function pointer, it goes on with one target and others are tried. */
void hd_instrument_goto(hd_build *b, LLVMValueRef i) {
    LLVMValueRef target = LLVMGetOperand(i, 0);
    hd_emit_before(b, i);
    if (!hd_shadow_is_zero(hd_shadow_get(b, target)))
        hd_emit(b, HD_HOOK_CALLEE, hd_shadow_get(b, target), hd_emit_bits(b, target),
                hd_site_of(b, i));
}

void hd_instrument_loop(hd_build *b, LLVMBasicBlockRef header) {
    LLVMValueRef place = first_ordinary(header);
    uint32_t site = hd_site_add(b, first_placed(header, place), UINT32_MAX, HD_SITE_LOOP);
    hd_emit_before(b, place);
    if (b->fuel)
        hd_emit(b, HD_HOOK_STEP_LOCAL, b->fuel, hd_const32(b, site));
    else
        hd_emit(b, HD_HOOK_STEP, hd_const32(b, site));
}
