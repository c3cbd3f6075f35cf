/* literals.c -- ends of compound literals.
 *
 * A literal in a function lives as long as the block around it.  clang marks the scopes of
 * variables, and none of literals.  So they are marked here, before any pass, by what debug
 * information says about blocks: an instruction that stands in none of the literal's block runs
 * when the literal is gone.  Marks are put where ways out of the block meet the first such
 * instruction.
 *
 * K1. The block of a literal is that of the first instruction that uses it, which initialises it.
 *     One that begins at the same place inside of another (clang has two for a loop, and everything
 *     that a macro makes is at one place) is part of it: the block is rather too large.
 * K2. What clang does at closing braces belongs to the outer block, but may use the literal
 *     (functions of __attribute__((cleanup))): it is before the end.
 * K3. A literal that is evaluated again before its block ends stays what it is: its new value may
 *     be made of the old one.
 *
 * Only of sources that clang has just compiled: passes that others ran move instructions. */
#include "compile/compiler/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LITERAL ".compoundliteral"

static unsigned literal_mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.literal", 14);
}

static bool is_named_literal(LLVMValueRef i) {
    return hd_local_is_static(i) && strncmp(hd_value_name(i), LITERAL, strlen(LITERAL)) == 0;
}

/* Names of clang's are gone when modules are linked: the mark stays. */
void hd_literals_find(hd_build *b, LLVMModuleRef module) {
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, NULL, 0);
    LLVMValueRef mark = LLVMMetadataAsValue(b->context, node);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef entry = LLVMIsDeclaration(f) ? NULL : LLVMGetEntryBasicBlock(f);
        LLVMValueRef i = entry ? LLVMGetFirstInstruction(entry) : NULL;
        for (; i; i = LLVMGetNextInstruction(i))
            if (is_named_literal(i))
                LLVMSetMetadata(i, literal_mark(b), mark);
    }
}

/* ---- blocks of the source ---- */

typedef struct literal {
    hd_build *b;
    LLVMValueRef at, first;
    LLVMMetadataRef block; /* K1 */
    const hd_map *closing; /* K2: places in the source */
    hd_map seen;           /* blocks of instructions */
    hd_map inside;         /* block of the source -> 1 + is it in `block`? */
} literal;

static uint64_t key_of(const void *p) {
    return (uint64_t)(uintptr_t)p;
}

static bool is_block(LLVMMetadataRef scope) {
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    return kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
}

/* What the block is in: the operands of its node are its file and that. */
static LLVMMetadataRef around(const hd_build *b, LLVMMetadataRef block) {
    LLVMValueRef operands[8], node = LLVMMetadataAsValue(b->context, block);
    if (LLVMGetMDNodeNumOperands(node) > 8 || LLVMGetMDNodeNumOperands(node) < 2)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[1] ? LLVMValueAsMetadata(operands[1]) : NULL;
}

/* Line and column, which nothing else tells. */
static uint64_t place_of(const hd_build *b, LLVMMetadataRef block) {
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(b->context, block));
    const char *line = strstr(text, "line: "), *column = strstr(text, "column: ");
    uint64_t place =
        line && column ? (uint64_t)atol(line + 6) << 32 | (uint64_t)atol(column + 8) : 0;
    LLVMDisposeMessage(text);
    return place;
}

/* K1; NULL if that is the whole function. */
static LLVMMetadataRef block_of(const hd_build *b, LLVMMetadataRef scope) {
    while (scope && LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind)
        scope = around(b, scope);
    if (!scope || !is_block(scope))
        return NULL;
    LLVMMetadataRef outer = around(b, scope);
    while (outer && is_block(outer) && place_of(b, outer) == place_of(b, scope)) {
        scope = outer;
        outer = around(b, scope);
    }
    return scope;
}

static bool find_inside(const literal *l, LLVMMetadataRef scope) {
    while (scope && is_block(scope) && scope != l->block)
        scope = around(l->b, scope);
    return scope == l->block;
}

static bool is_inside(literal *l, LLVMMetadataRef scope) {
    uint64_t *known = hd_map_find(&l->inside, key_of(scope));
    bool is_in = known ? *known == 2 : find_inside(l, scope);
    if (!known)
        hd_map_put(&l->inside, key_of(scope), is_in ? 2 : 1);
    return is_in;
}

/* Of what clang made up there is no line. */
static LLVMMetadataRef place_in_source(LLVMValueRef i) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
    return place && LLVMDILocationGetLine(place) ? place : NULL;
}

static bool is_outside(literal *l, LLVMValueRef i) {
    LLVMMetadataRef place = place_in_source(i);
    return place && !hd_map_find(l->closing, key_of(place)) &&
           !is_inside(l, LLVMDILocationGetScope(place));
}

/* ---- closing braces ---- */

static bool is_call_of(LLVMValueRef i, const char *prefix) {
    return LLVMIsACallInst(i) &&
           strncmp(hd_value_name(LLVMGetCalledValue(i)), prefix, strlen(prefix)) == 0;
}

static bool has_scope(LLVMValueRef local) {
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use))
        if (is_call_of(LLVMGetUser(use), "llvm.lifetime.end."))
            return true;
    return false;
}

/* A call with a local whose scope is not marked, because a jump passes its declaration, may be its
 * cleanup: the scope of others ends at the same place. */
static bool is_closing(LLVMValueRef i) {
    return is_call_of(i, "llvm.lifetime.end.") || is_call_of(i, "llvm.stackrestore.") ||
           (LLVMIsACallInst(i) && LLVMGetNumArgOperands(i) == 1 &&
            LLVMIsAAllocaInst(LLVMGetOperand(i, 0)) && !has_scope(LLVMGetOperand(i, 0)));
}

static void find_closing(LLVMValueRef function, hd_map *closing) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (place_in_source(i) && is_closing(i))
                hd_map_put(closing, key_of(place_in_source(i)), 1);
}

/* ---- marks ---- */

static void put_mark(literal *l, const char *name, LLVMValueRef before) {
    LLVMTypeRef type = LLVMFunctionType(l->b->void_type, &l->b->pointer, 1, false);
    hd_emit_before(l->b, before);
    LLVMValueRef call =
        LLVMBuildCall2(l->b->builder, type, hd_scope_mark(l->b, name), &l->at, 1, "");
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(l->first));
}

static void put_end(literal *l, LLVMValueRef outside) {
    while (LLVMIsAPHINode(outside))
        outside = LLVMGetNextInstruction(outside);
    put_mark(l, HD_SCOPE_END, outside);
}

static void add_successors(literal *l, LLVMValueRef terminator, hd_code_blocks *pending) {
    for (unsigned n = 0; n < LLVMGetNumSuccessors(terminator); n++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, n);
        if (hd_map_find(&l->seen, key_of(next)))
            continue;
        hd_map_put(&l->seen, key_of(next), 1);
        hd_vec_push(pending, next);
    }
}

/* From `i` to the end of its block, or of the literal. */
static void walk_block(literal *l, LLVMValueRef i, hd_code_blocks *pending) {
    for (; i && i != l->first; i = LLVMGetNextInstruction(i)) {
        if (is_outside(l, i)) {
            put_end(l, i);
            return;
        }
        if (LLVMIsATerminatorInst(i))
            add_successors(l, i, pending);
    }
}

static void put_ends(literal *l) {
    hd_code_blocks pending = {0};
    walk_block(l, LLVMGetNextInstruction(l->first), &pending);
    while (pending.n) {
        LLVMBasicBlockRef block = pending.at[--pending.n];
        walk_block(l, LLVMGetFirstInstruction(block), &pending);
    }
    hd_vec_release(&pending);
}

/* ---- one literal ---- */

static bool uses(LLVMValueRef i, LLVMValueRef v) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++)
        if (LLVMGetOperand(i, (unsigned)n) == v)
            return true;
    return false;
}

/* clang writes code in the order in which it runs: nobody uses the literal before that. */
static LLVMValueRef first_use(LLVMValueRef function, LLVMValueRef v) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (uses(i, v))
                return i;
    return NULL;
}

static void end_literal(hd_build *b, LLVMValueRef function, LLVMValueRef at,
                        const hd_map *closing) {
    literal l = {.b = b, .at = at, .first = first_use(function, at), .closing = closing};
    LLVMMetadataRef place = l.first && !LLVMIsAPHINode(l.first) ? place_in_source(l.first) : NULL;
    l.block = place ? block_of(b, LLVMDILocationGetScope(place)) : NULL;
    if (l.block) {
        hd_local_name(b, at, l.first, "compound literal");
        put_ends(&l);
        put_mark(&l, HD_SCOPE_AGAIN, l.first);
    }
    hd_map_release(&l.seen);
    hd_map_release(&l.inside);
}

static void end_literals_of(hd_build *b, LLVMValueRef function) {
    hd_values found = {0};
    hd_map closing = {0};
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (; i; i = LLVMGetNextInstruction(i))
        if (LLVMGetMetadata(i, literal_mark(b)))
            hd_vec_push(&found, i);
    if (found.n)
        find_closing(function, &closing);
    for (size_t n = 0; n < found.n; n++)
        end_literal(b, function, found.at[n], &closing);
    hd_vec_release(&found);
    hd_map_release(&closing);
}

void hd_literals_end(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            end_literals_of(b, f);
}
