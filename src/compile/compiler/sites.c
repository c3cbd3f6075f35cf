/* sites.c -- places in the source, numbered; and the tables of the image that belong to them. */
#include "compile/compiler/build.h"

#include "base/hash.h"

#include <string.h>
#include <unistd.h>

#define PAGE 4096

/* Name of the source function that a debug location lies in (an inlined one, maybe).  Scopes
 * are nodes: a block's second operand is the scope around it, a function's third its name. */
static const char *function_of_scope(hd_build *b, LLVMMetadataRef scope) {
    LLVMValueRef operands[32];
    for (unsigned depth = 0; scope && depth < 64; depth++) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        LLVMValueRef node = LLVMMetadataAsValue(b->context, scope);
        unsigned length, n = LLVMGetMDNodeNumOperands(node);
        if (n > 32 || n < (kind == LLVMDISubprogramMetadataKind ? 3u : 2u))
            return NULL;
        LLVMGetMDNodeOperands(node, operands);
        if (kind == LLVMDISubprogramMetadataKind)
            return operands[2] ? LLVMGetMDString(operands[2], &length) : NULL;
        scope = operands[1] ? LLVMValueAsMetadata(operands[1]) : NULL;
    }
    return NULL;
}

/* clang takes from a full path what it shares with the folder that it runs in, and calls the rest
 * the name: such a file is found only by both. */
static const char *full_name(hd_build *b, const char *name, unsigned n_name, const char *folder,
                             unsigned n_folder) {
    if (!name || !n_name || name[0] == '/' || name[0] == '<' || !folder || !n_folder)
        return n_name ? name : NULL;
    uint64_t key = hd_hash_add(hd_hash_add(0, (uintptr_t)name), (uintptr_t)folder) | 1;
    const uint64_t *known = hd_map_find(&b->files, key);
    if (known)
        return (const char *)(uintptr_t)*known;
    char *here = getcwd(NULL, 0);
    bool is_here = here && strlen(here) == n_folder && memcmp(here, folder, n_folder) == 0;
    const char *file =
        is_here ? name : hd_text_format("%.*s/%.*s", (int)n_folder, folder, (int)n_name, name);
    free(here);
    hd_map_put(&b->files, key, (uintptr_t)file);
    return file;
}

const char *hd_file_of(hd_build *b, LLVMValueRef instruction) {
    unsigned n_name = 0, n_folder = 0;
    const char *name = LLVMGetDebugLocFilename(instruction, &n_name),
               *folder = LLVMGetDebugLocDirectory(instruction, &n_folder);
    return full_name(b, name, n_name, folder, n_folder);
}

/* Code that the compiler made up has no line, or none at all: it is placed where the code before it
 * is.  NULL if nothing in its block before it has a place. */
static LLVMValueRef with_line(LLVMValueRef instruction) {
    while (instruction &&
           (!LLVMInstructionGetDebugLoc(instruction) || !LLVMGetDebugLocLine(instruction)))
        instruction = LLVMGetPreviousInstruction(instruction);
    return instruction;
}

/* The line where the function begins. */
static void place_function(hd_build *b, hd_site_entry *entry) {
    LLVMMetadataRef function = b->current ? LLVMGetSubprogram(b->current) : NULL;
    unsigned n_name = 0, n_folder = 0;
    if (!function)
        return;
    LLVMMetadataRef file = LLVMDIScopeGetFile(function);
    const char *name = file ? LLVMDIFileGetFilename(file, &n_name) : NULL,
               *folder = file ? LLVMDIFileGetDirectory(file, &n_folder) : NULL;
    if (!n_name)
        return;
    entry->file = full_name(b, name, n_name, folder, n_folder);
    entry->line = LLVMDISubprogramGetLine(function);
}

static void place_of(hd_build *b, LLVMValueRef instruction, hd_site_entry *entry) {
    entry->function = hd_source_name(b->current);
    instruction = with_line(instruction);
    LLVMMetadataRef place = instruction ? LLVMInstructionGetDebugLoc(instruction) : NULL;
    if (!place) {
        place_function(b, entry);
        return;
    }
    const char *inner = function_of_scope(b, LLVMDILocationGetScope(place));
    entry->function = inner ? inner : entry->function;
    entry->file = hd_file_of(b, instruction);
    entry->line = LLVMGetDebugLocLine(instruction);
    entry->column = LLVMGetDebugLocColumn(instruction);
}

static bool is_same_place(const hd_site_entry *a, const hd_site_entry *b) {
    return a->line == b->line && a->column == b->column && a->file == b->file &&
           a->function == b->function && a->kind == b->kind;
}

uint32_t hd_site_add(hd_build *b, LLVMValueRef instruction, uint32_t branch, uint32_t kind) {
    hd_site_entry entry = {.branch = branch, .kind = kind};
    if (b->sites.n == 0)
        hd_vec_push(&b->sites, ((hd_site_entry){.branch = UINT32_MAX}));
    place_of(b, instruction, &entry);
    hd_vec_push(&b->sites, entry);
    return (uint32_t)b->sites.n - 1;
}

LLVMValueRef hd_site_of(hd_build *b, LLVMValueRef instruction) {
    hd_site_entry entry = {.branch = UINT32_MAX};
    entry.kind = LLVMIsACallInst(instruction) ? HD_SITE_CALL : HD_SITE_OTHER;
    place_of(b, instruction, &entry);
    /* Hooks of one source expression come together, so that looking back a little finds most. */
    size_t n = b->sites.n;
    for (size_t i = n; i > 1 && n - i < 16; i--)
        if (b->sites.at[i - 1].branch == UINT32_MAX && is_same_place(&b->sites.at[i - 1], &entry))
            return hd_const32(b, i - 1);
    return hd_const32(b, hd_site_add(b, instruction, UINT32_MAX, entry.kind));
}

static LLVMValueRef site_constant(hd_build *b, const hd_site_entry *s) {
    LLVMValueRef fields[] = {
        hd_emit_string(b, s->function ? s->function : "?"),
        hd_emit_string(b, s->file ? s->file : ""),
        hd_const32(b, s->line),
        hd_const32(b, s->column),
        hd_const32(b, s->branch),
        hd_const32(b, s->kind),
    };
    return LLVMConstStructInContext(b->context, fields, 6, false);
}

/* A symbol that image.c's tables refer to. */
static LLVMValueRef define_table(hd_build *b, const char *name, LLVMTypeRef type, unsigned align) {
    LLVMValueRef global = LLVMGetNamedGlobal(b->module, name);
    if (!global)
        global = LLVMAddGlobal(b->module, type, name);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetLinkage(global, LLVMExternalLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetAlignment(global, align);
    return global;
}

void hd_sites_define(hd_build *b) {
    hd_values rows = {0};
    if (b->sites.n == 0)
        hd_vec_push(&b->sites, ((hd_site_entry){.branch = UINT32_MAX}));
    for (size_t i = 0; i < b->sites.n; i++)
        hd_vec_push(&rows, site_constant(b, &b->sites.at[i]));
    LLVMTypeRef row = LLVMTypeOf(rows.at[0]);
    LLVMValueRef table = define_table(b, "__hd_sites", LLVMArrayType2(row, rows.n), 16);
    LLVMSetInitializer(table, LLVMConstArray2(row, rows.at, rows.n));
    LLVMSetGlobalConstant(table, true);
    uint64_t bits = 8 * HD_UNCLEAN_WORDS(b->objects.n);
    uint64_t bytes = (hd_unclean_offset(b) + bits + PAGE) / PAGE * PAGE;
    define_table(b, "__hd_coverage", LLVMArrayType2(b->i8, bytes), PAGE);
    define_table(b, "__hd_registers", LLVMArrayType2(b->i8, sizeof(hd_registers)), 64);
    hd_vec_release(&rows);
}
