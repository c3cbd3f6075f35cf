/* hooks.c -- calls of the inline functions: one table, one way to call them. */
#include "base/hash.h"
#include "base/panic.h"
#include "compile/compiler/build.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *symbol, *signature;
} hooks[] = {
#define X(name, symbol, signature) {symbol, signature},
    HD_HOOKS(X)
#undef X
};

static const struct {
    hd_hook hook;
    const char *stub;
    unsigned shadows;
} asides[] = {
#define X(name, stub, slow, shadows, question) {HD_HOOK_##name, stub, shadows},
    HD_ASIDES(X)
#undef X
};

static LLVMTypeRef type_of_letter(const hd_build *b, char letter) {
    switch (letter) {
    case 'v':
        return b->void_type;
    case 'i':
        return b->i32;
    case 'l':
        return b->i64;
    case 'p':
        return b->pointer;
    }
    HD_BUG("unknown letter '%c' in a hook's signature", letter);
}

static LLVMTypeRef hook_type(const hd_build *b, const char *signature) {
    LLVMTypeRef parameters[16];
    unsigned n = 0;
    for (const char *p = signature + 2; *p; p++)
        parameters[n++] = type_of_letter(b, *p);
    return LLVMFunctionType(type_of_letter(b, signature[0]), parameters, n, false);
}

/* If all shadows are 0 there is nothing to ask, which LLVM sees best in the inlined hook. */
static bool has_shadow(unsigned shadows, const LLVMValueRef *arguments) {
    if (shadows == HD_ASIDE_ASKS)
        return true;
    for (unsigned n = 0; shadows >> n; n++)
        if (shadows >> n & 1 && !hd_shadow_is_zero(arguments[n]))
            return true;
    return false;
}

static const char *symbol_of(const hd_build *b, hd_hook hook, const LLVMValueRef *arguments) {
    for (size_t n = 0; n < sizeof asides / sizeof *asides; n++) {
        unsigned shadows = asides[n].shadows;
        if (asides[n].hook == hook && (!shadows || (b->is_aside && has_shadow(shadows, arguments))))
            return asides[n].stub;
    }
    return hooks[hook].symbol;
}

/* Hooks that only programs with threads need. */
static bool is_of_threads(hd_hook hook) {
    return hook == HD_HOOK_SHARED || hook == HD_HOOK_SHARED_BLOCK || hook == HD_HOOK_SHARED_FIX ||
           hook == HD_HOOK_SHARED_COMPARE || hook == HD_HOOK_SPIN || hook == HD_HOOK_THREAD_OBJECT;
}

LLVMValueRef hd_emit(hd_build *b, hd_hook hook, ...) {
    HD_INVARIANT(B4, b->is_threaded || !is_of_threads(hook));
    LLVMTypeRef type = hook_type(b, hooks[hook].signature);
    LLVMValueRef arguments[16];
    unsigned n = LLVMCountParamTypes(type);
    va_list list;
    va_start(list, hook);
    for (unsigned i = 0; i < n; i++)
        arguments[i] = va_arg(list, LLVMValueRef);
    va_end(list);
    const char *symbol = symbol_of(b, hook, arguments);
    LLVMValueRef function = LLVMGetNamedFunction(b->module, symbol);
    if (!function)
        function = LLVMAddFunction(b->module, symbol, type);
    return LLVMBuildCall2(b->builder, type, function, arguments, n, "");
}

LLVMValueRef hd_const32(const hd_build *b, uint64_t n) {
    return LLVMConstInt(b->i32, n, false);
}

LLVMValueRef hd_const64(const hd_build *b, uint64_t n) {
    return LLVMConstInt(b->i64, n, false);
}

LLVMValueRef hd_emit_shadows(hd_build *b, LLVMValueRef first, LLVMValueRef second) {
    LLVMValueRef high = LLVMBuildShl(b->builder, LLVMBuildZExt(b->builder, second, b->i64, ""),
                                     hd_const64(b, 32), "");
    return LLVMBuildOr(b->builder, LLVMBuildZExt(b->builder, first, b->i64, ""), high, "");
}

LLVMValueRef hd_emit_bits(hd_build *b, LLVMValueRef v) {
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(b->builder, v, b->i64, "");
    return LLVMBuildZExt(b->builder, v, b->i64, "");
}

LLVMValueRef hd_emit_string(hd_build *b, const char *text) {
    uint64_t key = hd_hash_bytes(1, text, strlen(text)) >> 1;
    uint64_t *found = hd_map_find(&b->strings, key);
    if (found)
        return (LLVMValueRef)(uintptr_t)*found;
    LLVMValueRef value = LLVMConstStringInContext2(b->context, text, strlen(text), false);
    LLVMValueRef global = LLVMAddGlobal(b->module, LLVMTypeOf(value), "__hd_string");
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    hd_map_put(&b->strings, key, (uint64_t)(uintptr_t)global);
    return global;
}

void hd_emit_before(hd_build *b, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(b->builder, instruction);
}

void hd_emit_after(hd_build *b, LLVMValueRef instruction) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
    LLVMPositionBuilderBefore(b->builder, LLVMGetNextInstruction(instruction));
    LLVMSetCurrentDebugLocation2(b->builder, place);
}

void hd_emit_concrete(hd_build *b, LLVMValueRef v, const char *what, LLVMValueRef where) {
    if (!hd_type_is_symbolic(LLVMTypeOf(v)))
        return;
    LLVMValueRef shadow = hd_shadow_get(b, v);
    if (hd_shadow_is_zero(shadow))
        return;
    hd_emit(b, HD_HOOK_CONCRETIZE, shadow, hd_emit_bits(b, v),
            hd_const32(b, hd_type_width(LLVMTypeOf(v))), hd_emit_string(b, what),
            hd_site_of(b, where));
}
