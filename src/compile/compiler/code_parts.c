/* code_parts.c -- one object file for each source, compiled side by side and kept for the next
 * time.
 *
 * When a program is instrumented, what is known of the whole of it (threads, who sees which memory,
 * sites and branches by number) stands in its code.  From there on a function needs no other, but
 * those that it inlines.  So functions are divided into parts by the source that they come from;
 * all data is in the first part, with its tables.  Each part is compiled by a child of this
 * process, which drops the others from its copy of the module.  What is then left, as bitcode, is
 * all that the object depends on, and its hash is the object's name among kept files: if anything
 * that matters for a part has changed, anywhere in the program, its name is another one.
 *
 * For an edit to change few names, what is edited most, the source of main, is the last of
 * everything that is numbered (frontend.c, hd_functions_in_order), and private names do not count.
 *
 * Code that runs seldom, which is about half of all, is in parts of its own: registers of these are
 * allocated block by block, in linear time.
 *
 * Q1. Every function and every object of the program is defined in one part.
 * Q2. Functions that know addresses of blocks are in the first part, where tables of these are. */
#include "base/hash.h"
#include "base/panic.h"
#include "compile/compiler/build.h"

#include <errno.h>
#include <inttypes.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Instructions, when a program is instrumented: less than this is not worth a process, and more
 * than that is divided.  Every part begins as a copy of the program, so that their number is
 * bounded: large programs have larger parts, or time would grow with the square of their size. */
#define SMALL      2500
#define LARGE      6000
#define MOST_SMALL 16 /* parts of so little, and of so much, if there are no others */
#define MOST_LARGE 8

enum { DATA = 0 }; /* the first part */

typedef struct code_part {
    LLVMMetadataRef unit; /* of its last function; NULL: the first part */
    size_t size;
    size_t twin; /* of a part with hot code: the one beside it; 0: none yet */
    bool is_cold;
} code_part;

struct hd_parts {
    hd_build *b;
    hd_values functions; /* of the program; others are fast paths, which every part has */
    hd_vec(code_part) all;
    hd_map part_of; /* function -> its part */
    hd_map mains;   /* sources that have a main */
    size_t small, large;
    int turns[2]; /* a pipe with a byte for each processor that is free */
};
typedef struct hd_parts parts;

static uint64_t key_of(const void *p) {
    return (uint64_t)(uintptr_t)p;
}

/* -- Sources ------------------------------------------------------------------------------- */

#define OPERAND_UNIT 5 /* of a DISubprogram */

/* The source that a function comes from, or NULL. */
static LLVMMetadataRef unit_of(hd_build *b, LLVMValueRef f) {
    LLVMValueRef operands[32];
    LLVMMetadataRef function = LLVMGetSubprogram(f);
    LLVMValueRef node = function ? LLVMMetadataAsValue(b->context, function) : NULL;
    unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (n <= OPERAND_UNIT || n > 32)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[OPERAND_UNIT] ? LLVMValueAsMetadata(operands[OPERAND_UNIT]) : NULL;
}

static void note_mains(hd_build *b, hd_map *units) {
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && hd_function_is_main(f))
            hd_map_put(units, key_of(unit_of(b, f)), 1);
}

void hd_functions_in_order(hd_build *b, hd_values *functions) {
    hd_map mains = {0};
    note_mains(b, &mains);
    for (int is_main = 0; is_main < 2; is_main++)
        for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f)) {
            bool is_mains = hd_map_find(&mains, key_of(unit_of(b, f))) != NULL;
            if (!LLVMIsDeclaration(f) && is_mains == is_main)
                hd_vec_push(functions, f);
        }
    hd_map_release(&mains);
}

/* -- Which part ---------------------------------------------------------------------------- */

static bool has_goto(LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(block)))
            return true;
    return false;
}

static bool has_block_address(LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
             use = LLVMGetNextUse(use))
            if (!LLVMIsAInstruction(LLVMGetUser(use)))
                return true;
    return false;
}

static size_t size_of(LLVMValueRef f) {
    size_t n = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            n++;
    return n;
}

static size_t new_part(parts *p, LLVMMetadataRef unit) {
    hd_vec_push(&p->all, ((code_part){.unit = unit}));
    return p->all.n - 1;
}

/* The part for code that runs seldom, beside that of number n; itself, if it is small. */
static size_t cold_twin(parts *p, size_t n) {
    if (n == DATA || p->all.at[n].is_cold || p->all.at[n].size < p->small)
        return n;
    if (!p->all.at[n].twin) {
        size_t twin = new_part(p, NULL);
        p->all.at[twin].is_cold = true;
        p->all.at[n].twin = twin;
    }
    return p->all.at[n].twin;
}

/* The part that is being filled: the last one.  Sources that are small share one, but main's does
 * not: it is the one that is edited. */
static size_t part_for(parts *p, LLVMMetadataRef unit, size_t size) {
    code_part *last = &p->all.at[p->all.n - 1];
    bool is_other =
        last->unit != unit && (last->size >= p->small || hd_map_find(&p->mains, key_of(unit)));
    if (p->all.n - 1 == DATA || last->size + size > p->large || is_other)
        return new_part(p, unit);
    last->unit = unit;
    return p->all.n - 1;
}

static void put(parts *p, LLVMValueRef f, size_t n, size_t size) {
    p->all.at[n].size += size;
    hd_map_put(&p->part_of, key_of(f), n);
}

/* A function that instrumentation has made goes where it is called from, later. */
static void divide_functions(parts *p) {
    for (size_t n = 0; n < p->functions.n; n++) {
        LLVMValueRef f = p->functions.at[n];
        LLVMMetadataRef unit = unit_of(p->b, f);
        size_t size = size_of(f);
        if (unit)
            put(p, f, has_goto(f) || has_block_address(f) ? DATA : part_for(p, unit, size), size);
    }
}

static LLVMValueRef caller_of(LLVMValueRef f) {
    LLVMUseRef use = LLVMGetFirstUse(f);
    LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
    return user && LLVMIsAInstruction(user)
               ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))
               : NULL;
}

static void put_beside_caller(parts *p, LLVMValueRef f) {
    LLVMValueRef caller = f;
    uint64_t *known = NULL;
    for (int depth = 0; caller && !known && depth < 4; depth++) {
        caller = caller_of(caller);
        known = caller ? hd_map_find(&p->part_of, key_of(caller)) : NULL;
    }
    size_t n = known ? *known : DATA;
    put(p, f, hd_function_is_cold(f) ? cold_twin(p, n) : n, size_of(f));
}

static size_t part_of(const parts *p, LLVMValueRef f) {
    uint64_t *known = hd_map_find(&p->part_of, key_of(f));
    HD_INVARIANT(Q1, known);
    return *known;
}

static bool can_divide(const hd_build *b) {
    size_t n = 0;
    LLVMGetModuleInlineAsm(b->module, &n);
    return n == 0 && !LLVMGetFirstGlobalAlias(b->module) && !LLVMGetFirstGlobalIFunc(b->module);
}

static size_t at_least(size_t n, size_t least) {
    return n > least ? n : least;
}

/* Tests divide small programs. */
static void set_sizes(parts *p) {
    size_t all = 0;
    for (size_t n = 0; n < p->functions.n; n++)
        all += size_of(p->functions.at[n]);
    bool is_test = getenv("HEDDLE_COMPILE_DIVIDE") != NULL;
    p->small = is_test ? 1 : at_least(all / MOST_SMALL, SMALL);
    p->large = is_test ? 200 : at_least(all / MOST_LARGE, LARGE);
}

static size_t total(const parts *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->all.n; k++)
        n += p->all.at[k].size;
    return n;
}

/* Functions of the program itself that run seldom, when all others have their parts. */
static void divide_cold(parts *p) {
    for (size_t n = 0; n < p->functions.n; n++) {
        uint64_t *known = hd_map_find(&p->part_of, key_of(p->functions.at[n]));
        if (known && hd_function_is_cold(p->functions.at[n]))
            hd_map_put(&p->part_of, key_of(p->functions.at[n]), cold_twin(p, *known));
    }
}

static void divide(parts *p) {
    new_part(p, NULL);
    note_mains(p->b, &p->mains);
    set_sizes(p);
    if (can_divide(p->b) && !hd_module_hurries(p->b))
        divide_functions(p);
    if (total(p) < p->small) {
        p->all.n = 1;
        hd_map_clear(&p->part_of);
    }
    divide_cold(p);
    for (size_t n = 0; n < p->functions.n; n++)
        if (!hd_map_find(&p->part_of, key_of(p->functions.at[n])))
            put_beside_caller(p, p->functions.at[n]);
}

/* -- Names --------------------------------------------------------------------------------- */

/* The part of an instruction, or SIZE_MAX if it is in a fast path. */
static size_t part_of_user(const parts *p, LLVMValueRef instruction) {
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    uint64_t *known = hd_map_find(&p->part_of, key_of(f));
    return known ? *known : SIZE_MAX;
}

/* Is `v` used by another part than `own`?  By data, too: that is the first part. */
static bool is_used_elsewhere(const parts *p, LLVMValueRef v, size_t own) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_elsewhere = LLVMIsAInstruction(user)   ? part_of_user(p, user) != own
                            : LLVMIsAGlobalValue(user) ? own != DATA
                                                       : is_used_elsewhere(p, user, own);
        if (is_elsewhere)
            return true;
    }
    return false;
}

/* The first part that uses it, but for data; SIZE_MAX if there is none. */
static size_t first_user(const parts *p, LLVMValueRef v) {
    size_t first = SIZE_MAX;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        size_t part = LLVMIsAInstruction(user)   ? part_of_user(p, user)
                      : LLVMIsAGlobalValue(user) ? SIZE_MAX
                                                 : first_user(p, user);
        if (part != DATA && part < first)
            first = part;
    }
    return first;
}

/* A name that other parts know it by: hidden, so that it is as near as a private one. */
static void share(LLVMValueRef v, const char *name) {
    LLVMSetLinkage(v, LLVMExternalLinkage);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
    LLVMSetValueName2(v, name, strlen(name));
}

static bool is_private(LLVMValueRef v) {
    return LLVMGetLinkage(v) == LLVMInternalLinkage || LLVMGetLinkage(v) == LLVMPrivateLinkage;
}

/* Numbers are by part, so that what comes to another one changes none of them. */
static void share_functions(const parts *p) {
    for (size_t n = 0; n < p->functions.n; n++) {
        LLVMValueRef f = p->functions.at[n];
        size_t own = part_of(p, f);
        if (!is_private(f) || !is_used_elsewhere(p, f, own))
            continue;
        char *name = hd_text_format("%s.part%zu", hd_value_name(f), own);
        share(f, name);
        free(name);
    }
}

static void share_data(const parts *p) {
    hd_vec(size_t) next = {0};
    for (size_t n = 0; n < p->all.n; n++)
        hd_vec_push(&next, (size_t)0);
    for (LLVMValueRef g = LLVMGetFirstGlobal(p->b->module); g; g = LLVMGetNextGlobal(g)) {
        size_t user = !LLVMIsDeclaration(g) && is_private(g) ? first_user(p, g) : SIZE_MAX;
        if (user == SIZE_MAX)
            continue;
        char *name = hd_text_format("__hd_data.%zu.%zu", user, next.at[user]++);
        share(g, name);
        free(name);
    }
    hd_vec_release(&next);
}

/* -- One part ------------------------------------------------------------------------------ */

/* LLVM can do this, but not by a function for C. */
extern void
clear_operands(LLVMNamedMDNodeRef node) __asm__("_ZN4llvm11NamedMDNode13clearOperandsEv");

static const char *file_of(LLVMValueRef unit) {
    unsigned length;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMValueAsMetadata(unit));
    return file ? LLVMDIFileGetFilename(file, &length) : "";
}

static int by_file(const void *a, const void *b) {
    return strcmp(file_of(*(const LLVMValueRef *)a), file_of(*(const LLVMValueRef *)b));
}

/* The pass leaves sources in the order of their addresses, which is another one every time. */
static void order_units(hd_build *b) {
    unsigned n = LLVMGetNamedMetadataNumOperands(b->module, "llvm.dbg.cu");
    LLVMNamedMDNodeRef list = LLVMGetNamedMetadata(b->module, "llvm.dbg.cu", 11);
    LLVMValueRef *units = calloc(n + 1, sizeof *units);
    if (!list || !units || n < 2) {
        free(units);
        return;
    }
    LLVMGetNamedMetadataOperands(b->module, "llvm.dbg.cu", units);
    qsort(units, n, sizeof *units, by_file);
    clear_operands(list);
    for (unsigned k = 0; k < n; k++)
        LLVMAddNamedMetadataOperand(b->module, "llvm.dbg.cu", units[k]);
    free(units);
}

static void leave_data(LLVMValueRef g) {
    LLVMGlobalClearMetadata(g);
    LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
}

static bool is_between(size_t n, size_t first, size_t end) {
    return first <= n && n < end;
}

/* Keep the parts first..end - 1 only.  A second time there is less to look at: what was dropped is
 * not in the list any more, and may not be in the module. */
static void drop_others(parts *p, size_t first, size_t end) {
    hd_build *b = p->b;
    size_t left = 0;
    for (size_t k = 0; k < p->functions.n; k++) {
        LLVMValueRef f = p->functions.at[k];
        if (is_between(part_of(p, f), first, end))
            p->functions.at[left++] = f;
        else
            LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
    }
    p->functions.n = left;
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        if (first != DATA && !LLVMIsDeclaration(g))
            leave_data(g);
    hd_passes_run(b, "elim-avail-extern");
}

/* What nobody uses goes, and all that names it. */
static void clean(parts *p) {
    for (size_t k = 0; k < p->functions.n; k++)
        if (is_private(p->functions.at[k]) && !LLVMGetSubprogram(p->functions.at[k]))
            LLVMSetValueName2(p->functions.at[k], "", 0);
    hd_passes_run(p->b, "globaldce,strip-dead-debug-info");
    order_units(p->b);
    LLVMSetModuleIdentifier(p->b->module, "part", 4);
    LLVMSetSourceFileName(p->b->module, "part", 4);
}

static hd_kept_name name_of(hd_build *b, bool is_cold) {
    LLVMMemoryBufferRef code = LLVMWriteBitcodeToMemoryBuffer(b->module);
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    hd_kept_name name = hd_kept_name_of('o', LLVMGetBufferStart(code), LLVMGetBufferSize(code));
    hd_kept_name_add(&name, cpu);
    hd_kept_name_add(&name, features);
    hd_kept_name_add(&name, is_cold ? "cold" : "hot");
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    LLVMDisposeMemoryBuffer(code);
    return name;
}

static void write_whole(const char *path, const hd_text *bytes) {
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(bytes->at, 1, bytes->n, out) == bytes->n;
    if (!out || fclose(out) != 0 || !ok)
        hd_fail("check the disk", "cannot write '%s': %s", path, strerror(errno));
}

static void compile_part(parts *p, size_t n, const char *object) {
    hd_text bytes = {0};
    bool is_cold = p->all.at[n].is_cold;
    hd_phase_begin("dividing");
    clean(p);
    hd_phase_begin("looking up");
    hd_kept_name name = name_of(p->b, is_cold);
    if (hd_kept_read(p->b, name, &bytes)) {
        write_whole(object, &bytes);
    } else {
        hd_code_generate(p->b, object, is_cold);
        if (hd_text_read_file(&bytes, object))
            hd_kept_write(p->b, name, bytes.at, bytes.n);
    }
    hd_text_release(&bytes);
    hd_phase_begin("");
}

/* -- All of them --------------------------------------------------------------------------- */

/* As many as there are processors work at once.  Who wants to work takes a byte out of a pipe, and
 * gives it back; a process that waits for those that it has started needs none. */
static void take_turn(const parts *p) {
    char byte;
    while (read(p->turns[0], &byte, 1) != 1)
        if (errno != EINTR)
            hd_fail(NULL, "cannot wait for a processor: %s", strerror(errno));
}

static void give_turn(const parts *p) {
    if (write(p->turns[1], "", 1) != 1)
        hd_fail(NULL, "cannot give up a processor: %s", strerror(errno));
}

static void compile_parts(parts *p, const hd_strings *objects, size_t first, size_t end);

/* Whoever fails may have had a turn, which the others wait for. */
static bool wait_for_one(const parts *p) {
    int status = 0;
    while (wait(&status) < 0)
        if (errno != EINTR)
            return false;
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok)
        give_turn(p);
    if (WIFSIGNALED(status))
        hd_fail("this is a bug of Heddle, or memory is short",
                "a process that generates code was ended by signal %d", WTERMSIG(status));
    return ok;
}

/* A process for the parts first..end - 1. */
static void start_parts(parts *p, const hd_strings *objects, size_t first, size_t end) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        hd_fail(NULL, "cannot start a process: %s", strerror(errno));
    if (child > 0)
        return;
    take_turn(p);
    hd_phase_begin("dividing");
    drop_others(p, first, end);
    if (end == first + 1)
        compile_part(p, first, objects->at[first]);
    give_turn(p);
    if (end > first + 1)
        compile_parts(p, objects, first, end);
    _exit(0);
}

/* By halves, so that each has to drop half of what it gets, and not all others. */
static void compile_parts(parts *p, const hd_strings *objects, size_t first, size_t end) {
    size_t middle = first + (end - first) / 2;
    start_parts(p, objects, first, middle);
    start_parts(p, objects, middle, end);
    bool ok = wait_for_one(p);
    ok &= wait_for_one(p);
    if (!ok)
        exit(2);
}

static void compile_side_by_side(parts *p, const hd_strings *objects) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (pipe(p->turns) != 0)
        hd_fail(NULL, "cannot make a pipe: %s", strerror(errno));
    for (long k = 0; k < n || k < 1; k++)
        give_turn(p);
    compile_parts(p, objects, 0, p->all.n);
    close(p->turns[0]);
    close(p->turns[1]);
}

hd_parts *hd_parts_begin(hd_build *b) {
    parts *p = calloc(1, sizeof *p);
    if (!p)
        hd_fail(NULL, "memory is short");
    p->b = b;
    hd_functions_in_order(b, &p->functions);
    return p;
}

void hd_parts_compile(hd_parts *p, hd_strings *objects) {
    hd_phase_begin("dividing");
    divide(p);
    for (size_t n = 0; n < p->all.n; n++)
        hd_vec_push(objects, hd_text_format("%s/part%zu.o", p->b->output, n));
    if (p->all.n == 1) {
        hd_code_generate(p->b, objects->at[0], hd_module_hurries(p->b));
    } else {
        share_functions(p);
        share_data(p);
        compile_side_by_side(p, objects);
    }
    hd_vec_release(&p->functions);
    hd_vec_release(&p->all);
    hd_map_release(&p->part_of);
    hd_map_release(&p->mains);
    free(p);
}
