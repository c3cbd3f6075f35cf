/* parts.c -- one object file for each source, compiled side by side and kept for the next time.
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
#include <unistd.h>

/* Instructions, when a program is instrumented: less than this is not worth a process, and more
 * than that is divided. */
#define SMALL 4000
#define LARGE 30000

enum { DATA = 0 }; /* the first part */

typedef struct part {
    LLVMMetadataRef unit; /* of its last function; NULL: the first part */
    size_t size;
} part;

struct hd_parts {
    hd_build *b;
    hd_values functions; /* of the program; others are fast paths, which every part has */
    hd_vec(part) all;
    hd_map part_of; /* function -> its part */
    hd_map mains;   /* sources that have a main */
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
    hd_vec_push(&p->all, ((part){.unit = unit}));
    return p->all.n - 1;
}

/* The part that is being filled: the last one.  Sources that are small share one, but main's does
 * not: it is the one that is edited. */
static size_t part_for(parts *p, LLVMMetadataRef unit, size_t size) {
    part *last = &p->all.at[p->all.n - 1];
    bool is_other =
        last->unit != unit && (last->size >= SMALL || hd_map_find(&p->mains, key_of(unit)));
    if (p->all.n - 1 == DATA || last->size + size > LARGE || is_other)
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
    put(p, f, known ? *known : DATA, 0);
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

static size_t total(const parts *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->all.n; k++)
        n += p->all.at[k].size;
    return n;
}

static void divide(parts *p) {
    new_part(p, NULL);
    note_mains(p->b, &p->mains);
    if (can_divide(p->b))
        divide_functions(p);
    if (total(p) < SMALL || p->all.n == 2) {
        p->all.n = 1;
        hd_map_clear(&p->part_of);
    }
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

/* What is said to be available elsewhere is dropped by a pass, and so is what nobody uses then. */
#define DROP_OTHERS "elim-avail-extern,globaldce,strip-dead-debug-info"

static void leave_function(LLVMValueRef f) {
    LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
}

static void leave_data(LLVMValueRef g) {
    LLVMGlobalClearMetadata(g);
    LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
}

static void forget_names(const parts *p, size_t n) {
    for (size_t k = 0; k < p->functions.n; k++)
        if (part_of(p, p->functions.at[k]) == n && is_private(p->functions.at[k]) &&
            !LLVMGetSubprogram(p->functions.at[k]))
            LLVMSetValueName2(p->functions.at[k], "", 0);
}

static void drop_others(const parts *p, size_t n) {
    hd_build *b = p->b;
    forget_names(p, n);
    for (size_t k = 0; k < p->functions.n; k++)
        if (part_of(p, p->functions.at[k]) != n)
            leave_function(p->functions.at[k]);
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g; g = LLVMGetNextGlobal(g))
        if (n != DATA && !LLVMIsDeclaration(g))
            leave_data(g);
    hd_passes_run(b, DROP_OTHERS);
    LLVMSetModuleIdentifier(b->module, "part", 4);
    LLVMSetSourceFileName(b->module, "part", 4);
}

static hd_kept_name name_of(hd_build *b) {
    LLVMMemoryBufferRef code = LLVMWriteBitcodeToMemoryBuffer(b->module);
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    hd_kept_name name = hd_kept_name_of('o', LLVMGetBufferStart(code), LLVMGetBufferSize(code));
    hd_kept_name_add(&name, cpu);
    hd_kept_name_add(&name, features);
    hd_kept_name_add(&name, hd_module_hurries(b) ? "hurries" : "");
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

static void compile_part(const parts *p, size_t n, const char *object) {
    hd_text bytes = {0};
    hd_phase_begin("dividing");
    drop_others(p, n);
    hd_phase_begin("looking up");
    hd_kept_name name = name_of(p->b);
    if (hd_kept_read(p->b, name, &bytes)) {
        write_whole(object, &bytes);
    } else {
        hd_code_generate(p->b, object);
        if (hd_text_read_file(&bytes, object))
            hd_kept_write(p->b, name, bytes.at, bytes.n);
    }
    hd_text_release(&bytes);
}

/* -- All of them --------------------------------------------------------------------------- */

static int start_part(const parts *p, size_t n, const char *object) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        hd_fail(NULL, "cannot start a process: %s", strerror(errno));
    if (child > 0)
        return child;
    compile_part(p, n, object);
    hd_phase_begin("");
    _exit(0);
}

/* Those that take longest first. */
static void by_size(const parts *p, size_t *order) {
    for (size_t n = 0; n < p->all.n; n++) {
        size_t k = n;
        for (; k > 0 && p->all.at[order[k - 1]].size < p->all.at[n].size; k--)
            order[k] = order[k - 1];
        order[k] = n;
    }
}

static void compile_side_by_side(const parts *p, const hd_strings *objects) {
    hd_vec(int) running = {0};
    size_t at_once = (size_t)sysconf(_SC_NPROCESSORS_ONLN), done = 0;
    size_t *order = calloc(p->all.n, sizeof *order);
    bool ok = order != NULL;
    if (ok)
        by_size(p, order);
    for (size_t n = 0; ok && n < p->all.n; n++) {
        if (running.n - done >= at_once)
            ok &= hd_process_wait(running.at[done++]);
        hd_vec_push(&running, start_part(p, order[n], objects->at[order[n]]));
    }
    while (done < running.n)
        ok &= hd_process_wait(running.at[done++]);
    hd_vec_release(&running);
    free(order);
    if (!ok)
        exit(2); /* it has said why */
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
        hd_code_generate(p->b, objects->at[0]);
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
