/* inside.c -- accesses inside of a global, which are asked about the object as a whole.
 *
 * The shadow of an array is four times as long as the array: a loop that asks about every element
 * spends its time on fetching shadows, not on the program's work.  Most globals never hold
 * anything but concrete bytes.  Each has a bit (hd_image.unclean) that the machine sets before the
 * first of its shadow words becomes anything but 0.  While the bit is clear, an access that
 * certainly lies inside of the object (upper_bounds.c: whatever its index is, the program or a
 * check of clang has compared it) needs no question about its own bytes.  Whenever the bit is set
 * the bytes are asked about as ever: nothing is decided here. */
#include "compile/compiler/build.h"

#define MOST_BYTES (UINT64_C(1) << 40) /* of an offset */

static bool is_step(LLVMValueRef p) {
    return LLVMIsAGetElementPtrInst(p) ||
           (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

/* -- Offsets ---------------------------------------------------------------------------------- */

static uint64_t add_bounded(uint64_t sum, uint64_t count, uint64_t scale) {
    bool is_large = sum >= MOST_BYTES || count >= MOST_BYTES || scale >= MOST_BYTES;
    if (is_large || (scale && count > MOST_BYTES / scale))
        return MOST_BYTES;
    return sum + count * scale;
}

/* A narrow index is signed. */
static uint64_t most_of_index(const hd_build *b, LLVMValueRef index, LLVMBasicBlockRef block) {
    if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
        return MOST_BYTES;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(index));
    uint64_t most = hd_value_most(b, index, block);
    return width < 64 && most >> (width - 1) ? MOST_BYTES : most;
}

/* Index number n of a step, whose operand before led to something of this type. */
static uint64_t add_index(const hd_build *b, LLVMValueRef step, unsigned n, LLVMTypeRef *type,
                          LLVMBasicBlockRef block, uint64_t sum) {
    LLVMValueRef index = LLVMGetOperand(step, n);
    if (n > 1 && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        sum = add_bounded(sum, 1, LLVMOffsetOfElement(b->layout, *type, field));
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return sum;
    }
    if (n > 1 && LLVMGetTypeKind(*type) != LLVMArrayTypeKind)
        return MOST_BYTES;
    if (n > 1)
        *type = LLVMGetElementType(*type);
    return add_bounded(sum, most_of_index(b, index, block), LLVMABISizeOfType(b->layout, *type));
}

/* The global that `p` is made of by steps, or NULL; and how far behind its start `p` is at most. */
static LLVMValueRef base_of(const hd_build *b, LLVMValueRef p, LLVMBasicBlockRef block,
                            uint64_t *most) {
    *most = 0;
    for (; is_step(p); p = LLVMGetOperand(p, 0)) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(p);
        for (int n = 1; n < LLVMGetNumOperands(p); n++)
            *most = add_index(b, p, (unsigned)n, &type, block, *most);
    }
    return LLVMIsAGlobalVariable(p);
}

/* -- Objects ---------------------------------------------------------------------------------- */

uint64_t hd_access_object(hd_build *b, LLVMValueRef p, uint64_t size, bool is_store,
                          LLVMBasicBlockRef block) {
    uint64_t most;
    LLVMValueRef base = base_of(b, p, block, &most);
    uint64_t *number = base ? hd_map_find(&b->object_of, (uint64_t)(uintptr_t)base) : NULL;
    if (!number || size > b->objects.at[*number].size ||
        most > b->objects.at[*number].size - size || (is_store && hd_global_is_constant(b, base)))
        return HD_NO_OBJECT;
    return *number;
}

/* The word is defined when the image is linked (image.c). */
static LLVMValueRef word_of_bits(hd_build *b, uint64_t number) {
    LLVMValueRef bits = LLVMGetNamedGlobal(b->module, HD_UNCLEAN), at = hd_const64(b, number);
    if (!bits) {
        bits = LLVMAddGlobal(b->module, LLVMArrayType2(b->i64, 0), HD_UNCLEAN);
        LLVMSetVisibility(bits, LLVMHiddenVisibility);
    }
    return LLVMConstGEP2(b->i64, bits, &at, 1);
}

LLVMValueRef hd_emit_unclean(hd_build *b, uint64_t object) {
    LLVMValueRef word = LLVMBuildLoad2(b->builder, b->i64, word_of_bits(b, object / 64), "");
    return LLVMBuildAnd(b->builder, word, hd_const64(b, UINT64_C(1) << object % 64), "");
}

LLVMValueRef hd_emit_access_unclean(hd_build *b, LLVMValueRef p, uint64_t size, bool is_store) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(b->builder);
    if (b->is_aside)
        return NULL;
    LLVMValueRef of_loop = hd_clean_loop_value(b, block);
    if (of_loop)
        return of_loop;
    uint64_t object =
        LLVMIsAInstruction(p) ? hd_access_object(b, p, size, is_store, block) : HD_NO_OBJECT;
    return object == HD_NO_OBJECT ? NULL : hd_emit_unclean(b, object);
}
