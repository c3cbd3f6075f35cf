/* globals.c -- every global object gets a twin with poisoned bytes behind it.
 *
 * `int a[3]` becomes `struct { int a[3]; char behind[20]; }`; pointers are opaque in LLVM, so
 * the twin's address serves all uses.  Objects of special sections keep their layout.  A
 * declared object that nobody defines (stdin, environ) becomes the program's own copy, which
 * the machine fills from the host's object of that name. */
#include "compile/compiler/build.h"

#include <string.h>

#define MIN_BEHIND 32
#define MAX_BEHIND 256

/* Symbols that ld itself defines. */
static bool is_linker_symbol(const char *name) {
    static const char *const known[] = {"_end",        "end",   "_etext",      "etext",
                                        "_edata",      "edata", "__bss_start", "__executable_start",
                                        "__ehdr_start"};
    return HD_NAME_IS_IN(name, known) || hd_name_begins(name, "__start_") ||
           hd_name_begins(name, "__stop_");
}

static bool is_listed(LLVMValueRef global) {
    const char *name = hd_value_name(global), *section = LLVMGetSection(global);
    return !hd_name_begins(name, "llvm.") && !hd_name_begins(name, "__hd_") &&
           !strstr(name, "heddle_type_marker") && !(section && hd_name_begins(section, "llvm."));
}

static bool is_for_checks(LLVMValueRef constant);

static bool is_check(LLVMValueRef user) {
    static const char *const marks[] = {HD_ALIGNED, HD_MOVED, HD_MEMBER, HD_CALLED};
    if (!LLVMIsACallInst(user))
        return LLVMIsAConstant(user) && is_for_checks(user);
    const char *name = hd_value_name(LLVMGetCalledValue(user));
    return HD_NAME_IS_IN(name, marks) || hd_name_begins(name, "__ubsan_handle_");
}

static bool is_for_checks(LLVMValueRef constant) {
    LLVMUseRef use = LLVMGetFirstUse(constant);
    bool is_used = use != NULL;
    for (; use; use = LLVMGetNextUse(use))
        if (!is_check(LLVMGetUser(use)))
            return false;
    return is_used;
}

/* What clang tells the handlers of its checks is no object of the program: nothing that a pointer
 * may be in, and poisoned as a whole. */
static bool is_check_data(LLVMValueRef global) {
    const char *name = hd_value_name(global);
    return LLVMGetLinkage(global) == LLVMPrivateLinkage &&
           (!*name || hd_name_begins(name, ".src")) && is_for_checks(global);
}

static bool is_padded(LLVMValueRef global) {
    const char *section = LLVMGetSection(global);
    return !section || !*section;
}

uint64_t hd_global_bytes_behind(uint64_t size) {
    uint64_t wanted = size / 4 < MIN_BEHIND   ? MIN_BEHIND
                      : size / 4 > MAX_BEHIND ? MAX_BEHIND
                                              : size / 4;
    return (size + wanted + 15) / 16 * 16 - size;
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to) {
    size_t n;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &n);
    for (unsigned k = 0; k < n; k++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, k),
                              LLVMValueMetadataEntriesGetMetadata(entries, k));
    LLVMDisposeValueMetadataEntries(entries);
}

void hd_global_copy_properties(hd_build *b, LLVMValueRef from, LLVMValueRef to) {
    unsigned alignment = LLVMGetAlignment(from);
    unsigned natural = LLVMABIAlignmentOfType(b->layout, LLVMGlobalGetValueType(from));
    alignment = alignment > natural ? alignment : natural;
    LLVMSetLinkage(to, LLVMGetLinkage(from));
    LLVMSetGlobalConstant(to, LLVMIsGlobalConstant(from));
    LLVMSetAlignment(to, alignment < 16 ? 16 : alignment);
    LLVMSetVisibility(to, LLVMGetVisibility(from));
    copy_metadata(from, to);
}

void hd_global_replace(LLVMValueRef from, LLVMValueRef to) {
    LLVMReplaceAllUsesWith(from, to);
    char *name = strdup(hd_value_name(from));
    LLVMDeleteGlobal(from);
    LLVMSetValueName2(to, name, strlen(name));
    free(name);
}

static LLVMValueRef pad(hd_build *b, LLVMValueRef global) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMABISizeOfType(b->layout, type);
    LLVMTypeRef behind = LLVMArrayType2(b->i8, hd_global_bytes_behind(size));
    LLVMTypeRef fields[] = {type, behind};
    LLVMTypeRef whole = LLVMStructTypeInContext(b->context, fields, 2, false);
    LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(behind)};
    LLVMValueRef twin = LLVMAddGlobal(b->module, whole, "");
    hd_global_copy_properties(b, global, twin);
    LLVMSetInitializer(twin, LLVMConstStructInContext(b->context, values, 2, false));
    hd_global_replace(global, twin);
    return twin;
}

static uint64_t import_size(hd_build *b, LLVMTypeRef type) {
    uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(b->layout, type) : 0;
    return size ? size : sizeof(void *);
}

/* Turn a declaration into a definition of zeroes. */
static LLVMValueRef own_copy(hd_build *b, LLVMValueRef global) {
    uint64_t size = import_size(b, LLVMGlobalGetValueType(global));
    char *name = strdup(hd_value_name(global));
    LLVMTypeRef bytes = LLVMArrayType2(b->i8, size);
    LLVMValueRef copy = LLVMAddGlobal(b->module, bytes, "");
    LLVMSetInitializer(copy, LLVMConstNull(bytes));
    LLVMSetAlignment(copy, 16);
    LLVMReplaceAllUsesWith(global, copy);
    LLVMDeleteGlobal(global);
    LLVMSetValueName2(copy, name, strlen(name));
    hd_vec_push(&b->data_imports, ((hd_data_import){copy, name, size}));
    return copy;
}

static void treat(hd_build *b, LLVMValueRef global) {
    bool is_import = LLVMIsDeclaration(global);
    if (LLVMIsThreadLocal(global) && !is_import) {
        hd_thread_local_spread(b, global);
        return;
    }
    if (is_import) {
        if (is_linker_symbol(hd_value_name(global)) ||
            LLVMGetLinkage(global) == LLVMExternalWeakLinkage)
            return;
        global = own_copy(b, global);
    }
    uint64_t size = LLVMABISizeOfType(b->layout, LLVMGlobalGetValueType(global));
    if (is_check_data(global))
        size = 0;
    else if (is_padded(global))
        global = pad(b, global);
    if (is_import) {
        b->data_imports.at[b->data_imports.n - 1].copy = global;
        LLVMSetVisibility(global, LLVMHiddenVisibility);
    }
    uint64_t padded = LLVMABISizeOfType(b->layout, LLVMGlobalGetValueType(global));
    hd_map_put(&b->object_of, (uint64_t)(uintptr_t)global, b->objects.n);
    hd_vec_push(&b->objects,
                ((hd_global_object){.global = global, .size = size, .padded = padded}));
}

void hd_globals_pad(hd_build *b) {
    hd_values all = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        if (is_listed(g))
            hd_vec_push(&all, g);
    for (size_t n = 0; n < all.n; n++)
        treat(b, all.at[n]);
    hd_vec_release(&all);
}

static LLVMValueRef row(hd_build *b, const hd_global_object *o) {
    LLVMValueRef global = o->global, offset = hd_const64(b, o->offset);
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(global, &length);
    const char *name = hd_source_name(global);
    LLVMValueRef fields[] = {
        hd_emit_string(b, *name ? name : "constant"),
        LLVMConstPtrToInt(LLVMConstGEP2(b->i8, global, &offset, 1), b->i64),
        hd_const64(b, o->size),
        hd_const64(b, o->padded),
        hd_emit_string(b, file && length ? file : "?"),
        hd_const32(b, file && length ? LLVMGetDebugLocLine(global) : 0),
        hd_const32(b, hd_global_is_constant(b, global) | (o->begins_copies ? 2 : 0)),
    };
    return LLVMConstStructInContext(b->context, fields, 7, false);
}

void hd_globals_define(hd_build *b) {
    hd_values rows = {0};
    for (size_t n = 0; n < b->objects.n; n++)
        hd_vec_push(&rows, row(b, &b->objects.at[n]));
    LLVMTypeRef types[] = {b->pointer, b->i64, b->i64, b->i64, b->pointer, b->i32, b->i32};
    LLVMTypeRef type = LLVMStructTypeInContext(b->context, types, 7, false);
    LLVMValueRef value = LLVMConstArray2(type, rows.at, rows.n);
    LLVMValueRef table = LLVMAddGlobal(b->module, LLVMTypeOf(value), "__hd_globals");
    LLVMSetInitializer(table, value);
    LLVMSetGlobalConstant(table, true);
    LLVMSetVisibility(table, LLVMHiddenVisibility);
    hd_vec_release(&rows);
}
