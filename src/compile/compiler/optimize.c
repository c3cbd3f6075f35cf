/* optimize.c -- LLVM's passes and code generator, for the processor this runs on. */
#include "compile/compiler/build.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#define PRESERVE_MOST 14 /* llvm/IR/CallingConv.h */

/* A choice that LLVM has made free of branches stays so: its data decides it, and the hooks
 * around it mislead the pass that guesses whether a branch would be cheaper.  Where variables are,
 * which a debugger asks for, is not followed from block to block in functions of 100 blocks and 20
 * places of variables: that takes up to a quarter of the time of generating code. */
static void set_options(void) {
    static const char *const options[] = {"heddle-compile", "-x86-cmov-converter=false",
                                          "-livedebugvalues-input-bb-limit=100",
                                          "-livedebugvalues-input-dbg-value-limit=20"};
    LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
}

static void make_target(hd_build *b, LLVMCodeGenOptLevel level) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        hd_fail(NULL, "cannot generate code for '%s': %s", triple, message);
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    b->target = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                        LLVMCodeModelSmall);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(triple);
}

void hd_target_init(hd_build *b) {
    set_options();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    make_target(b, LLVMCodeGenLevelDefault);
    b->layout = LLVMCreateTargetDataLayout(b->target);
}

/* What is left to do when the fast paths are there: their questions meet each other (threading of
 * jumps, gvn), leave loops, and go where their answers are known; loops that are asked about before
 * they begin (clean_loops.c) become two.  The code of the program was made simpler before it was
 * instrumented.  Against the passes of -O2 this takes half the time; kernels are as fast, within
 * 1 % (docs/benchmarks.md), which without jump-threading or gvn they are not. */
#define COMBINE "instcombine<no-verify-fixpoint>"
#define LOOPS                                                                                      \
    "loop-mssa(licm<allowspeculation>,loop-rotate<header-duplication;no-prepare-for-lto>,"         \
    "licm<allowspeculation>,simple-loop-unswitch<nontrivial>),loop(loop-idiom,indvars,loop-"       \
    "unroll-full)"
#define LAST_PASSES                                                                                \
    "always-inline,function(lower-expect,simplifycfg,sroa,early-cse<memssa>),"                     \
    "cgscc(inline,function(" COMBINE ",simplifycfg," LOOPS                                         \
    ",gvn,jump-threading,dse,simplifycfg," COMBINE                                                 \
    ")),function(loop-unroll<O2>,simplifycfg),globaldce"

void hd_passes_run(hd_build *b, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(b->module, passes, b->target, options);
    if (failure)
        hd_fail("this is a bug of Heddle", "LLVM refuses its passes: %s",
                LLVMGetErrorMessage(failure));
    LLVMDisposePassBuilderOptions(options);
}

static LLVMMemoryBufferRef read_whole(const char *path) {
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        hd_fail("the file must be readable", "cannot read '%s': %s", path, message);
    return buffer;
}

LLVMModuleRef hd_bitcode_read(hd_build *b, const char *path) {
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(b->context, read_whole(path), &module, &message))
        hd_fail("make it with clang-19 -c -emit-llvm", "'%s' is not LLVM 19 bitcode: %s", path,
                message);
    return module;
}

static void verify(hd_build *b, const char *when) {
    char *message = NULL;
    if (LLVMVerifyModule(b->module, LLVMReturnStatusAction, &message))
        hd_fail("this is a bug of Heddle", "%s the module is not valid: %s", when, message);
    LLVMDisposeMessage(message);
}

static void link_fast_paths(hd_build *b) {
    hd_text path = {0};
    hd_text_add(&path, "%s/inline.bc", b->resources);
    LLVMModuleRef fast = hd_bitcode_read(b, hd_text_string(&path));
    for (LLVMValueRef f = LLVMGetFirstFunction(fast); f; f = LLVMGetNextFunction(f)) {
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, "target-cpu", 10);
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, "target-features", 15);
    }
    LLVMSetTarget(fast, LLVMGetTarget(b->module));
    if (LLVMLinkModules2(b->module, fast))
        hd_fail("this is a bug of Heddle", "cannot link the fast paths");
    LLVMValueRef used = LLVMGetNamedGlobal(b->module, "llvm.used");
    if (used)
        LLVMDeleteGlobal(used);
    used = LLVMGetNamedGlobal(b->module, "llvm.compiler.used");
    if (used)
        LLVMDeleteGlobal(used);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && strncmp(hd_value_name(f), "__hd_", 5) == 0)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    hd_text_release(&path);
}

/* LLVM keeps the uses of a value in a list, and a use that moves to another value moves to the
 * front: all of them in a row come to stand the other way round. */
static void turn_uses(hd_build *b, LLVMValueRef f) {
    LLVMValueRef from = f;
    for (int n = 0; n < 3; n++) {
        LLVMValueRef to = n < 2 ? LLVMAddFunction(b->module, "", LLVMGlobalGetValueType(f)) : f;
        LLVMReplaceAllUsesWith(from, to);
        if (from != f)
            LLVMDeleteFunction(from);
        from = to;
    }
}

/* Calls are inlined in the order of that list.  Each cuts its block in two, and tells every
 * instruction behind it where it is now: the last one first, or time grows with the square of a
 * block's length.  They were made first to last, and linking has turned them. */
static void inline_last_first(hd_build *b) {
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always))
            turn_uses(b, f);
    }
}

bool hd_call_keeps_registers(const char *name) {
    return strncmp(name, "__hd_", 5) == 0 || strncmp(name, "__ubsan_handle_", 15) == 0;
}

/* The machine's slow paths are called so that they keep all general registers (image.c makes
 * stubs that do): a loop then holds its values in registers although every access in it
 * could call the machine. */
static void keep_registers(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !hd_call_keeps_registers(hd_value_name(f)))
            continue;
        LLVMSetFunctionCallConv(f, PRESERVE_MOST);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            LLVMSetInstructionCallConv(LLVMGetUser(use), PRESERVE_MOST);
    }
}

/* A finding is known by the place of its call: two accesses must not share one. */
static void keep_checks_apart(hd_build *b) {
    static const char *const names[] = {
        "__hd_packed_load",   "__hd_packed_store", "__hd_slow_access",  "__hd_slow_touch",
        "__hd_memcpy",        "__hd_memset",       "__hd_slow_aligned", "__hd_slow_moved",
        "__hd_slow_called",   "__hd_slow_overlap", "__hd_slow_goto",    "__ubsan_handle_overlap",
        "__hd_aside_aligned", "__hd_aside_moved",  "__hd_aside_load",   "__hd_aside_store",
        "__hd_aside_access"};
    unsigned id = LLVMGetEnumAttributeKindForName("nomerge", 7);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        LLVMValueRef f = LLVMGetNamedFunction(b->module, names[n]);
        for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use))
            LLVMAddCallSiteAttribute(LLVMGetUser(use), LLVMAttributeFunctionIndex,
                                     LLVMCreateEnumAttribute(b->context, id, 0));
    }
}

bool hd_function_is_cold(LLVMValueRef f) {
    unsigned cold = LLVMGetEnumAttributeKindForName("cold", 4);
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    return !LLVMIsDeclaration(f) &&
           LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, cold) &&
           !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, always);
}

static void add_attribute(hd_build *b, LLVMValueRef f, const char *name) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, 0));
}

void hd_function_make_cold(hd_build *b, LLVMValueRef f) {
    add_attribute(b, f, "cold");
}

/* What runs seldom is compiled fast: no passes but the inlining of fast paths, and the simple
 * selection of instructions.  These are the functions beside hot code (group.c), nearly half of all
 * code, long ones (hot_blocks.c), and those that are said to be cold, as long models are. */
static void hurry_cold(hd_build *b) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (hd_function_is_cold(f)) {
            add_attribute(b, f, "noinline");
            add_attribute(b, f, "optnone");
        }
}

bool hd_module_hurries(const hd_build *b) {
    return hd_frontend_hurries(b) || (b->has_long_way && !b->has_loops);
}

void hd_code_generate(hd_build *b, const char *object, bool is_cold) {
    char *message = NULL;
    hd_phase_begin("optimising");
    hd_passes_run(b, LAST_PASSES);
    if (getenv("HEDDLE_COMPILE_KEEP"))
        LLVMPrintModuleToFile(b->module, "optimized.ll", &message);
    hd_constants_show(b);
    if (is_cold)
        make_target(b, LLVMCodeGenLevelNone);
    hd_phase_begin("generating code");
    if (LLVMTargetMachineEmitToFile(b->target, b->module, object, LLVMObjectFile, &message))
        hd_fail(NULL, "cannot write '%s': %s", object, message);
}

void hd_optimize_run(hd_build *b, hd_strings *objects) {
    char *message = NULL;
    verify(b, "after instrumentation");
    hd_parts *parts = hd_parts_begin(b);
    link_fast_paths(b);
    inline_last_first(b);
    keep_registers(b);
    keep_checks_apart(b);
    hurry_cold(b);
    if (getenv("HEDDLE_COMPILE_KEEP"))
        LLVMPrintModuleToFile(b->module, "instrumented.ll", &message);
    hd_parts_compile(parts, objects);
}
