/* prepare.c -- between linking and instrumenting: one closed program, simpler, same branches.
 *
 * Only passes that keep conditional branches and switches run here: what the programmer
 * wrote as a branch is what the explorer counts and flips.  Models of libc functions are
 * linked after the first passes, because those may introduce calls of such functions. */
#include "compile/checks.h"
#include "compile/compiler/build.h"
#include "compile/model_files.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

#define FIRST_PASSES "globaldce,function(sroa)"
#define KEEP_BRANCHES                                                                              \
    "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,loop-mssa(licm),"                  \
    "gvn<no-pre;no-load-pre>,instcombine<no-verify-fixpoint>)"

/* -- Names and linkage --------------------------------------------------------------------- */

/* Code generation calls these by name and must get the host's, not the program's own. */
static const char *const generated_calls[] = {
    "memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen", "fmod",   "fmodf", "fmodl",
    "sqrt",   "sin",     "cos",    "pow",    "exp",  "log",    "floor",  "ceil",  "trunc",
    "rint",   "round",   "fmin",   "fmax",   "fma",  "ldexp",  "floorf", "ceilf", "sqrtf"};

static void rename_own_version(LLVMValueRef function) {
    const char *name = hd_value_name(function);
    for (size_t n = 0; n < sizeof generated_calls / sizeof *generated_calls; n++)
        if (strcmp(name, generated_calls[n]) == 0) {
            char own[64];
            int length = snprintf(own, sizeof own, "%s.program", name);
            LLVMSetValueName2(function, own, (size_t)length);
            return;
        }
}

static bool is_kept_global(LLVMValueRef g) {
    const char *name = hd_value_name(g);
    return strncmp(name, "llvm.", 5) == 0 || strncmp(name, "__hd_", 5) == 0 ||
           LLVMGetLinkage(g) == LLVMPrivateLinkage;
}

static void make_private(LLVMValueRef v) {
    LLVMSetComdat(v, NULL);
    LLVMSetVisibility(v, LLVMDefaultVisibility);
    LLVMSetLinkage(v, LLVMInternalLinkage);
}

/* Also turns C99 inline definitions, which emit no symbol, into ordinary functions. */
static void make_program_private(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || hd_function_is_main(f))
            continue;
        make_private(f);
        rename_own_version(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g) && !is_kept_global(g))
            make_private(g);
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(b->module); a; a = LLVMGetNextGlobalAlias(a))
        LLVMSetLinkage(a, LLVMInternalLinkage);
}

static bool is_in_library(const char *name) {
#define MODEL(name, ...)   #name,
#define OWN(name, ...)     #name,
#define HEDDLE(name, ...)  #name,
#define REAL(name, ...)    #name,
#define PLAIN(name, ...)   #name,
#define REFUSED(name, why) #name,
    static const char *const names[] = {
#include "program/functions.def"
    };
    return HD_NAME_IS_IN(name, names);
}

/* A function that is declared weak and that nobody defines is at address 0, which programs ask
 * about; one that the library has is like all others. */
static void settle_weak(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalWeakLinkage)
            continue;
        LLVMSetLinkage(f, LLVMExternalLinkage);
        if (is_in_library(hd_value_name(f)))
            continue;
        LLVMReplaceAllUsesWith(f, LLVMConstNull(LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
    }
}

static void drop_global(hd_build *b, const char *name) {
    LLVMValueRef global = LLVMGetNamedGlobal(b->module, name);
    if (global)
        LLVMDeleteGlobal(global);
}

/* -- Models -------------------------------------------------------------------------------- */

/* Lines "MODEL FUNCTION", of which the build makes a file (models/names): most models are needed by
 * no program, and to look into all of them took a tenth of a small one's time. */
static void read_model_names(const hd_build *b, hd_text *names) {
    char *path = hd_text_format("%s/models/names", b->resources);
    if (!hd_text_read_file(names, path))
        hd_fail("install Heddle again", "cannot read '%s'", path);
    free(path);
}

static bool is_wanted(const hd_build *b, const char *name, size_t n) {
    char function[256];
    snprintf(function, sizeof function, "%.*s", (int)n, name);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, function);
    return f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f);
}

static bool is_model_needed(const hd_build *b, const hd_text *names, const char *model) {
    size_t n = strlen(model);
    for (const char *at = hd_text_string(names); *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, model, n) == 0 && at[n] == ' ' &&
            is_wanted(b, at + n + 1, strcspn(at + n + 1, "\n")))
            return true;
    return false;
}

static bool link_model(hd_build *b, const hd_text *names, const char *model) {
    if (!is_model_needed(b, names, model))
        return false;
    char *path = hd_text_format("%s/models/%s.bc", b->resources, model);
    if (LLVMLinkModules2(b->module, hd_bitcode_read(b, path)))
        hd_fail(NULL, "cannot link the model '%s'", model);
    free(path);
    return true;
}

/* memcpy and its like as functions: their models carry a name of their own, because what
 * the model does (an intrinsic) becomes a call of the host's function. */
static void use_memory_models(hd_build *b) {
    static const char *const names[] = {"memcpy", "memmove", "memset"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char model[64];
        LLVMValueRef f = LLVMGetNamedFunction(b->module, names[n]);
        if (!f || !LLVMIsDeclaration(f) || !LLVMGetFirstUse(f))
            continue;
        snprintf(model, sizeof model, "__hd_model_%s", names[n]);
        LLVMValueRef to = LLVMGetNamedFunction(b->module, model);
        if (!to)
            to = LLVMAddFunction(b->module, model, LLVMGlobalGetValueType(f));
        LLVMReplaceAllUsesWith(f, to);
    }
}

static bool link_models(hd_build *b) {
    bool linked = false;
    hd_text names = {0};
    read_model_names(b, &names);
    use_memory_models(b);
    for (const char *const *model = hd_model_files; *model; model++)
        linked |= link_model(b, &names, *model);
    hd_text_release(&names);
    return linked;
}

/* -- Promises that instrumentation breaks -------------------------------------------------- */

/* An instrumented function writes coverage and may not come back (a finding), whatever its
 * declaration promised. */
static const char *const broken_promises[] = {
    "memory",   "willreturn", "nosync",    "nofree",     "mustprogress", "speculatable", "readonly",
    "readnone", "writeonly",  "nocapture", "nocallback", "returned",     "norecurse"};
#define N_BROKEN (sizeof broken_promises / sizeof *broken_promises)

static void drop_call_promises(LLVMValueRef call) {
    for (size_t n = 0; n < N_BROKEN; n++) {
        unsigned id =
            LLVMGetEnumAttributeKindForName(broken_promises[n], strlen(broken_promises[n]));
        LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, id);
        for (unsigned a = 1; a <= LLVMGetNumArgOperands(call); a++)
            LLVMRemoveCallSiteEnumAttribute(call, a, id);
    }
}

static void drop_promises(LLVMValueRef function) {
    for (size_t n = 0; n < N_BROKEN; n++) {
        unsigned id =
            LLVMGetEnumAttributeKindForName(broken_promises[n], strlen(broken_promises[n]));
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, id);
        for (unsigned p = 1; p <= LLVMCountParams(function); p++)
            LLVMRemoveEnumAttributeAtIndex(function, p, id);
    }
}

/* -- Library calls ------------------------------------------------------------------------- */

/* Calls that only read may go when nobody needs their result, and LLVM knows shorter ways to some
 * results, which read less: `strlen(s) == 0` looks at one byte.  What they read is to be checked.
 */
static bool reads_memory(const char *name) {
    static const char *const families[] = {"str", "stp",  "mem",   "bcmp",   "bcopy",
                                           "wcs", "wmem", "index", "rindex", "rawmem"};
    return HD_NAME_BEGINS_AS(name, families);
}

static LLVMAttributeRef no_builtin(hd_build *b) {
    unsigned id = LLVMGetEnumAttributeKindForName("nobuiltin", 9);
    return LLVMCreateEnumAttribute(b->context, id, 0);
}

/* Functions that the machine provides, or that it is asked about before and after: they touch
 * shadows, and more than LLVM knows of those of their names.  (It would find out again what was
 * dropped: that atof() changes no memory, say, and that what is looked at behind it is as it was
 * before.) */
static bool is_machines(const char *name) {
#define OWN(name, ...)  #name,
#define REAL(name, ...) #name,
    static const char *const names[] = {
#include "program/functions.def"
    };
    return HD_NAME_IS_IN(name, names);
}

static void keep_call(hd_build *b, LLVMValueRef call) {
    drop_call_promises(call);
    if (reads_memory(hd_value_name(LLVMGetCalledValue(call))))
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, no_builtin(b));
}

static void keep_calls(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        if (strncmp(hd_value_name(f), "llvm.", 5) == 0 ||
            strncmp(hd_value_name(f), "__hd_", 5) == 0)
            continue;
        drop_promises(f);
        if (LLVMIsDeclaration(f) && is_machines(hd_value_name(f)))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, no_builtin(b));
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)) && LLVMGetCalledValue(LLVMGetUser(use)) == f)
                keep_call(b, LLVMGetUser(use));
    }
}

static bool is_marker(LLVMValueRef i) {
    const char *name = LLVMIsACallInst(i) ? hd_value_name(LLVMGetCalledValue(i)) : "";
    return strncmp(name, "llvm.lifetime.", 14) == 0 || strncmp(name, "llvm.invariant.", 15) == 0 ||
           strcmp(name, "llvm.assume") == 0 || strncmp(name, "llvm.experimental.noalias", 25) == 0;
}

static void clean_block(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_marker(i))
            LLVMInstructionEraseFromParent(i);
        else if (LLVMIsACallInst(i))
            drop_call_promises(i);
    }
}

static void set_attribute(hd_build *b, LLVMValueRef f, const char *key, const char *value) {
    LLVMAttributeRef made = LLVMCreateStringAttribute(b->context, key, (unsigned)strlen(key), value,
                                                      (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, made);
}

void hd_function_set_attributes(hd_build *b, LLVMValueRef f) {
    static const char *const dropped[] = {"target-cpu", "target-features", "tune-cpu"};
    for (size_t n = 0; n < 3; n++)
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, dropped[n],
                                         (unsigned)strlen(dropped[n]));
    /* A null pointer is dereferenced on purpose here: the check in front of it reports it. */
    unsigned id = LLVMGetEnumAttributeKindForName("null_pointer_is_valid", 21);
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, 0));
    set_attribute(b, f, "frame-pointer", "all");
    set_attribute(b, f, "disable-tail-calls", "true");
}

static void clean_functions(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        if (strncmp(hd_value_name(f), "llvm.", 5) == 0)
            continue;
        drop_promises(f);
        hd_function_set_attributes(b, f);
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            clean_block(block);
    }
}

static void simplify(hd_build *b) {
    keep_calls(b);
    hd_shared_release(b);
    hd_objects_hold(b);
    hd_passes_run(b, FIRST_PASSES);
    hd_objects_release(b);
    hd_shared_keep(b);
    hd_faithful_begin(b);
    hd_passes_run(b, KEEP_BRANCHES);
    hd_faithful_end(b);
}

/* -- Functions that passes leave alone -------------------------------------------------------- */

static LLVMAttributeRef attribute(hd_build *b, const char *name) {
    return LLVMCreateEnumAttribute(b->context, LLVMGetEnumAttributeKindForName(name, strlen(name)),
                                   0);
}

static bool has_attribute(LLVMValueRef f, const char *name) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, id) != NULL;
}

#define RESTS "heddle-rests"

/* All that have code now, but for those that say something about this themselves. */
static void rest_functions(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "optnone") &&
            !has_attribute(f, "alwaysinline")) {
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(b, "optnone"));
            set_attribute(b, f, RESTS, "");
        }
}

static void wake_functions(hd_build *b) {
    unsigned id = LLVMGetEnumAttributeKindForName("optnone", 7), n = (unsigned)strlen(RESTS);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, RESTS, n)) {
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, id);
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, RESTS, n);
        }
}

/* The program has been simplified, and will be again when calls are inlined: only the models are
 * new. */
static bool add_models(hd_build *b) {
    rest_functions(b);
    bool are_new = link_models(b);
    if (are_new) {
        make_program_private(b);
        hd_calls_agree(b);
        simplify(b);
    }
    wake_functions(b);
    return are_new;
}

void hd_prepare_run(hd_build *b) {
    hd_atomic_sections_make(b);
    drop_global(b, "llvm.used");
    drop_global(b, "llvm.compiler.used");
    settle_weak(b);
    make_program_private(b);
    hd_locals_name(b);
    hd_literals_end(b);
    hd_pointer_checks_mark(b);
    hd_callees_mark(b);
    hd_overlaps_mark(b);
    hd_jumps_mark(b);
    hd_calls_agree(b);
    hd_holders_mark(b);
    hd_bounds_name(b);
    b->sees_undefined = hd_frontend_checks(b, HD_CHECK_UNINITIALISED);
    if (b->sees_undefined)
        hd_fresh_mark(b);
    hd_undefined_define(b);
    hd_faithful_rewrite(b);
    hd_checks_drop_decided(b);
    hd_verdicts_replace(b);
    hd_passes_run(b, "globaldce"); /* a function that nobody calls creates no threads */
    b->is_threaded = hd_module_creates_threads(b);
    b->uses_messages = hd_module_uses_messages(b);
    if (!b->is_threaded)
        hd_thread_locals_drop(b); /* B4 */
    simplify(b);
    while (add_models(b))
        ;
    if (!b->is_threaded)
        hd_thread_locals_drop(b); /* those of models */
    hd_inline_early(b);
    simplify(b);
    hd_serial_ignore(b);
    clean_functions(b);
    hd_variadic_guard(b);
    hd_shared_find(b);
    b->reads_flags = hd_module_reads_flags(b);
}
