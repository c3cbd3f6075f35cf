/* shadows.c -- which values have shadows, and what they are (B2, B3). */
#include "base/panic.h"
#include "compile/compiler/build.h"

bool hd_type_is_symbolic(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0) ||
           (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

bool hd_type_is_aggregate(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

unsigned hd_type_width(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64 : LLVMGetIntTypeWidth(type);
}

static unsigned count_elements(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                       : (unsigned)LLVMGetArrayLength2(type);
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned n) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, n)
                                                       : LLVMGetElementType(type);
}

static uint64_t element_offset(const hd_build *b, LLVMTypeRef type, unsigned n) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMOffsetOfElement(b->layout, type, n)
               : n * LLVMABISizeOfType(b->layout, LLVMGetElementType(type));
}

unsigned hd_type_n_leaves(LLVMTypeRef type) {
    if (!hd_type_is_aggregate(type))
        return 1;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return count_elements(type) * hd_type_n_leaves(LLVMGetElementType(type));
    unsigned n = 0;
    for (unsigned i = 0; i < count_elements(type); i++)
        n += hd_type_n_leaves(element_type(type, i));
    return n;
}

hd_leaf hd_type_leaf(const hd_build *b, LLVMTypeRef type, unsigned n) {
    hd_leaf leaf = {.type = type};
    while (hd_type_is_aggregate(leaf.type)) {
        unsigned i = 0, inside;
        while (n >= (inside = hd_type_n_leaves(element_type(leaf.type, i)))) {
            n -= inside;
            i++;
        }
        HD_ASSERT(leaf.depth < 8);
        leaf.path[leaf.depth++] = i;
        leaf.offset += element_offset(b, leaf.type, i);
        leaf.type = element_type(leaf.type, i);
    }
    return leaf;
}

bool hd_type_is_padding(const hd_build *b, LLVMTypeRef type, uint64_t offset, uint64_t n) {
    for (unsigned k = 0; k < hd_type_n_leaves(type); k++) {
        hd_leaf leaf = hd_type_leaf(b, type, k);
        if (leaf.offset < offset + n &&
            offset < leaf.offset + LLVMStoreSizeOfType(b->layout, leaf.type))
            return false;
    }
    return true;
}

LLVMValueRef hd_shadow_leaf(hd_build *b, LLVMValueRef v, unsigned n) {
    uint64_t *first = hd_map_find(&b->shadows, (uint64_t)(uintptr_t)v);
    HD_INVARIANT(B3, n < hd_type_n_leaves(LLVMTypeOf(v)) || n == 0);
    LLVMValueRef shadow = first ? b->leaves.at[*first + n] : NULL;
    return shadow ? shadow : LLVMConstInt(b->i32, 0, false);
}

LLVMValueRef hd_shadow_get(hd_build *b, LLVMValueRef v) {
    return hd_shadow_leaf(b, v, 0);
}

void hd_shadow_set_leaf(hd_build *b, LLVMValueRef v, unsigned n, LLVMValueRef shadow) {
    uint64_t *found = hd_map_find(&b->shadows, (uint64_t)(uintptr_t)v);
    if (!found) {
        hd_map_put(&b->shadows, (uint64_t)(uintptr_t)v, b->leaves.n);
        for (unsigned i = hd_type_n_leaves(LLVMTypeOf(v)); i > 0; i--)
            hd_vec_push(&b->leaves, NULL);
        found = hd_map_find(&b->shadows, (uint64_t)(uintptr_t)v);
    }
    HD_INVARIANT(B2, !shadow || LLVMTypeOf(shadow) == b->i32);
    HD_INVARIANT(B3, n < hd_type_n_leaves(LLVMTypeOf(v)));
    b->leaves.at[*found + n] = shadow;
}

void hd_shadow_set(hd_build *b, LLVMValueRef v, LLVMValueRef shadow) {
    hd_shadow_set_leaf(b, v, 0, shadow);
}

bool hd_shadow_is_zero(LLVMValueRef shadow) {
    return LLVMIsAConstantInt(shadow) && LLVMConstIntGetZExtValue(shadow) == 0;
}
