/* fresh.c -- locals without an initialiser: where they begin to be memory that nobody wrote.
 *
 * clang gives each of them a pattern where it is declared, and annotates these stores.  A mark is
 * put behind each, before any pass.  What becomes of it:
 *
 * F1. A local that stays an object: the mark becomes a hook that makes its bytes fresh (abi.h).
 * F2. A local that sroa makes values of (certain.c): the mark becomes stores of results of
 * functions that nobody can see through.  Those that are never read vanish; what is left when all
 * is instrumented are the patterns again, with shadows that are known to every graph. */
#include "compile/compiler/build.h"
#include "symbolic/expr.h"

#include <stdio.h>
#include <string.h>

#define MOST_PARTS 64  /* of a local that becomes values; others count as written */
#define MOST_GAPS  512 /* bytes of it that are looked through for padding */

static bool is_annotated(hd_build *b, LLVMValueRef i) {
    LLVMValueRef node = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(b->context, "annotation", 10)),
                 words[8];
    unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0, length;
    if (n == 0 || n > 8)
        return false;
    LLVMGetMDNodeOperands(node, words);
    for (unsigned k = 0; k < n; k++) {
        const char *word = words[k] ? LLVMGetMDString(words[k], &length) : NULL;
        if (word && length == 9 && memcmp(word, "auto-init", 9) == 0)
            return true;
    }
    return false;
}

static LLVMValueRef declare(hd_build *b, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    return f ? f : LLVMAddFunction(b->module, name, type);
}

static void promise(hd_build *b, LLVMValueRef f, const char *name, uint64_t value) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, value));
}

/* -- Marks ------------------------------------------------------------------------------------ */

static void put_mark(hd_build *b, LLVMValueRef i, LLVMValueRef p, LLVMValueRef n) {
    enum { ARGUMENTS = 3, INACCESSIBLE = 3 << 2 }; /* llvm/Support/ModRef.h: read and write */
    LLVMTypeRef types[] = {b->pointer, b->i64},
                type = LLVMFunctionType(b->void_type, types, 2, false);
    LLVMValueRef f = declare(b, HD_FRESH, type), arguments[] = {p, n};
    promise(b, f, "memory", ARGUMENTS | INACCESSIBLE);
    promise(b, f, "nounwind", 0);
    hd_emit_before(b, LLVMGetNextInstruction(i));
    LLVMValueRef call = LLVMBuildCall2(b->builder, type, f, arguments, 2, "");
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(i));
}

static bool is_block(LLVMValueRef i) {
    const char *name = LLVMIsACallInst(i) ? hd_value_name(LLVMGetCalledValue(i)) : "";
    return strncmp(name, "llvm.memset.", 12) == 0 || strncmp(name, "llvm.memcpy.", 12) == 0;
}

static void mark(hd_build *b, LLVMValueRef i) {
    if (LLVMIsAStoreInst(i)) {
        uint64_t n = LLVMStoreSizeOfType(b->layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
        put_mark(b, i, LLVMGetOperand(i, 1), hd_const64(b, n));
    } else if (is_block(i) && LLVMTypeOf(LLVMGetOperand(i, 2)) == b->i64)
        put_mark(b, i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 2));
}

bool hd_store_is_pattern(hd_build *b, LLVMValueRef i) {
    LLVMValueRef next = LLVMIsAStoreInst(i) ? LLVMGetNextInstruction(i) : NULL;
    return next && LLVMIsACallInst(next) &&
           strcmp(hd_value_name(LLVMGetCalledValue(next)), HD_FRESH) == 0 &&
           LLVMGetOperand(next, 0) == LLVMGetOperand(i, 1) && is_annotated(b, i);
}

void hd_fresh_mark(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (is_annotated(b, i))
                    mark(b, i);
    LLVMSetCurrentDebugLocation2(b->builder, NULL); /* what others put at the end of a block */
}

/* -- Values ----------------------------------------------------------------------------------- */

/* 0 for 8 bits, 1 for 16, ...; -1 for what has no leaf of its own. */
static int size_class(LLVMTypeRef type) {
    unsigned width = hd_type_is_symbolic(type) ? hd_type_width(type) : 0;
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : -1;
}

static LLVMValueRef emit_value(hd_build *b, LLVMTypeRef type) {
    char name[64];
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    snprintf(name, sizeof name, HD_UNDEFINED_VALUE_OF "%s%u", is_pointer ? "p" : "i",
             hd_type_width(type));
    LLVMTypeRef function = LLVMFunctionType(type, &b->i32, 1, false);
    LLVMValueRef f = declare(b, name, function), number = hd_const32(b, b->n_undefined++);
    promise(b, f, "memory", 0);
    promise(b, f, "nounwind", 0);
    promise(b, f, "willreturn", 0);
    return LLVMBuildCall2(b->builder, function, f, &number, 1, "");
}

static unsigned depth_of(LLVMTypeRef type) {
    unsigned most = 0;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return 1 + depth_of(LLVMGetElementType(type));
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return 0;
    for (unsigned n = 0; n < LLVMCountStructElementTypes(type); n++) {
        unsigned depth = depth_of(LLVMStructGetTypeAtIndex(type, n));
        most = depth > most ? depth : most;
    }
    return 1 + most;
}

/* A member of the local that is wholly in what the mark says. */
static void store_part(hd_build *b, LLVMValueRef local, const hd_leaf *part, uint64_t from,
                       uint64_t n) {
    uint64_t size = LLVMStoreSizeOfType(b->layout, part->type);
    if (size_class(part->type) < 0 || part->offset < from || part->offset - from + size > n)
        return;
    LLVMValueRef offset = hd_const64(b, part->offset), value = emit_value(b, part->type),
                 at = LLVMBuildInBoundsGEP2(b->builder, b->i8, local, &offset, 1, ""),
                 store = LLVMBuildStore(b->builder, value, at);
    LLVMSetAlignment(store, 1);
}

/* Bytes of padding, each a part of its own: somebody reads one of them. */
static void store_gaps(hd_build *b, LLVMValueRef local, uint64_t from, uint64_t n) {
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    for (uint64_t at = from; at < from + n && at < from + MOST_GAPS; at++)
        if (hd_type_is_padding(b, type, at, 1))
            store_part(b, local, &(hd_leaf){.type = b->i8, .offset = at}, from, n);
}

/* Has the local few enough scalars to make values of? */
static bool has_parts(LLVMValueRef local) {
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    return depth_of(type) <= 8 && LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0)) == 1 &&
           hd_type_n_leaves(type) <= MOST_PARTS;
}

bool hd_fresh_has_gaps(hd_build *b, LLVMValueRef local, uint64_t offset, uint64_t n) {
    return has_parts(local) && hd_type_is_padding(b, LLVMGetAllocatedType(local), offset, n);
}

void hd_fresh_release(hd_build *b, LLVMValueRef local, LLVMValueRef mark, uint64_t offset,
                      bool has_gaps) {
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    LLVMValueRef n = LLVMGetOperand(mark, 1);
    if (offset != UINT64_MAX && LLVMIsAConstantInt(n) && has_parts(local)) {
        hd_emit_before(b, mark);
        LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(mark));
        for (unsigned k = 0; k < hd_type_n_leaves(type); k++) {
            hd_leaf part = hd_type_leaf(b, type, k);
            store_part(b, local, &part, offset, LLVMConstIntGetZExtValue(n));
        }
        if (has_gaps)
            store_gaps(b, local, offset, LLVMConstIntGetZExtValue(n));
        LLVMSetCurrentDebugLocation2(b->builder, NULL);
    }
    LLVMInstructionEraseFromParent(mark);
}

/* -- Instrumentation -------------------------------------------------------------------------- */

static bool is_value(LLVMValueRef f) {
    return strncmp(hd_value_name(f), HD_UNDEFINED_VALUE_OF, strlen(HD_UNDEFINED_VALUE_OF)) == 0;
}

bool hd_instrument_undefined(hd_build *b, LLVMValueRef call) {
    if (!is_value(LLVMGetCalledValue(call)))
        return false;
    uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    int class = size_class(LLVMTypeOf(call));
    hd_shadow_set(
        b, call, hd_const32(b, HD_EXPR_UNDEFINED((unsigned)class, number % HD_UNDEFINED_OF_WIDTH)));
    return true;
}

static LLVMValueRef pattern_of(hd_build *b, LLVMTypeRef type) {
    LLVMValueRef bits = hd_const64(b, HD_UNDEFINED_VALUE);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMConstIntToPtr(bits, type);
    return LLVMConstInt(type, HD_UNDEFINED_VALUE, false);
}

/* All shadows are where they belong: the calls are what clang wrote. */
void hd_undefined_lower(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!is_value(f))
            continue;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
            LLVMValueRef call = LLVMGetUser(use);
            b->has_undefined = true;
            LLVMReplaceAllUsesWith(call, pattern_of(b, LLVMTypeOf(call)));
            LLVMInstructionEraseFromParent(call);
        }
        LLVMDeleteFunction(f);
    }
}
