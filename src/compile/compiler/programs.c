/* programs.c -- several programs in one module, side by side.
 *
 * Each is linked from its own sources first.  Then all that it defines becomes private to it, so
 * that equal names of two programs do not meet, and what it leaves undefined is left to the
 * machine, not to the other programs.  Names get a mark behind them, "counter..1", because LLVM
 * would else make up names for those that clash, and messages could not tell the source's name.
 * Instrumentation then sees one module, and one image has them all. */
#include "compile/compiler/build.h"

#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <string.h>

#define MARK ".."

/* -- Functions that run before and after main ---------------------------------------------- */

typedef struct startup {
    uint64_t priority;
    LLVMValueRef function;
} startup;

static int by_priority(const void *a, const void *b) {
    uint64_t x = ((const startup *)a)->priority, y = ((const startup *)b)->priority;
    return x < y ? -1 : x > y;
}

/* Turn llvm.global_ctors (or dtors) into a NULL-terminated array called `table` and the
 * program's number. */
static void collect_startup(hd_build *b, LLVMModuleRef module, const char *list, const char *table,
                            size_t program) {
    LLVMValueRef global = LLVMGetNamedGlobal(module, list);
    LLVMValueRef rows = global ? LLVMGetInitializer(global) : NULL;
    hd_vec(startup) found = {0};
    hd_values functions = {0};
    for (int n = 0; rows && n < LLVMGetNumOperands(rows); n++) {
        LLVMValueRef row = LLVMGetOperand(rows, (unsigned)n);
        startup s = {LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)), LLVMGetOperand(row, 1)};
        hd_vec_push(&found, s);
    }
    if (found.n)
        qsort(found.at, found.n, sizeof *found.at, by_priority);
    for (size_t n = 0; n < found.n; n++)
        hd_vec_push(&functions, found.at[n].function);
    hd_vec_push(&functions, LLVMConstNull(b->pointer));
    LLVMValueRef value = LLVMConstArray2(b->pointer, functions.at, functions.n);
    char name[64];
    snprintf(name, sizeof name, "%s%zu", table, program);
    LLVMValueRef made = LLVMAddGlobal(module, LLVMTypeOf(value), name);
    LLVMSetInitializer(made, value);
    LLVMSetGlobalConstant(made, true);
    LLVMSetVisibility(made, LLVMHiddenVisibility);
    if (global)
        LLVMDeleteGlobal(global);
    hd_vec_release(&found);
    hd_vec_release(&functions);
}

/* -- Names --------------------------------------------------------------------------------- */

char *hd_program_main(const hd_build *b, size_t n) {
    return b->programs.n > 1 ? hd_text_format("main" MARK "%zu", n) : hd_text_format("main");
}

bool hd_function_is_main(LLVMValueRef function) {
    const char *name = hd_value_name(function);
    return strcmp(name, "main") == 0 || strncmp(name, "main" MARK, 4 + strlen(MARK)) == 0;
}

const char *hd_source_name(LLVMValueRef v) {
    const char *name = hd_value_name(v), *mark = strstr(name, MARK);
    return mark && mark > name ? hd_text_format("%.*s", (int)(mark - name), name) : name;
}

/* Tables and attributes of LLVM are looked up by name; private names never meet. */
static bool keeps_name(LLVMValueRef v) {
    const char *name = hd_value_name(v);
    return LLVMIsDeclaration(v) || !*name || strncmp(name, "llvm.", 5) == 0 ||
           strncmp(name, "__hd_", 5) == 0 || LLVMGetLinkage(v) == LLVMPrivateLinkage;
}

static void make_own(LLVMValueRef v, size_t program) {
    if (keeps_name(v))
        return;
    char *name = hd_text_format("%s" MARK "%zu", hd_value_name(v), program);
    LLVMSetValueName2(v, name, strlen(name));
    free(name);
    LLVMSetVisibility(v, LLVMDefaultVisibility);
    LLVMSetLinkage(v, hd_function_is_main(v) ? LLVMExternalLinkage : LLVMInternalLinkage);
}

static void make_all_own(LLVMModuleRef module, size_t program) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            LLVMSetComdat(f, NULL);
        make_own(f, program);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g))
            LLVMSetComdat(g, NULL);
        make_own(g, program);
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        make_own(a, program);
}

void hd_program_close(hd_build *b, LLVMModuleRef module, size_t n) {
    collect_startup(b, module, "llvm.global_ctors", "__hd_constructors", n);
    collect_startup(b, module, "llvm.global_dtors", "__hd_destructors", n);
    if (b->programs.n > 1)
        make_all_own(module, n);
}
