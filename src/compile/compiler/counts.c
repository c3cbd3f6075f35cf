/* counts.c -- clang's own coverage (-fcoverage-mapping, -fcoverage-mcdc) in instrumented code.
 *
 * clang asks for counters and for the test vectors of decisions by intrinsics that name the
 * function, a hash of its shape and an index.  Here each index becomes one among all functions of
 * the module, and intrinsics they stay until everything is instrumented: nothing else looks at
 * them.  Only then they become plain additions and stores beside the coverage of branches, in pages
 * that belong to no process of the program.  A vector is a byte there, where LLVM has a bit.
 *
 * A search asks for vectors only (HD_VECTORS_ONLY_FLAG): counters cost a sixth of short executions,
 * and keep code apart that is one without them.
 *
 * The file "counted" of the module says which function has which: a line each, in the order of
 * their indices: counters, vectors, hash, name.  What the counters mean is in the object files that
 * clang writes from the same sources (frontend.c), for llvm-cov and for cover/source_map.h. */
#include "compile/compiler/build.h"

#include "base/hash.h"
#include "compile/flag.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define INCREMENT  "llvm.instrprof.increment"
#define STEP       "llvm.instrprof.increment.step"
#define PARAMETERS "llvm.instrprof.mcdc.parameters"
#define UPDATE     "llvm.instrprof.mcdc.tvbitmap.update"
#define VECTOR     1 /* as hash: the step is the number of a vector */

static bool has_option(const hd_build *b, const char *option) {
    for (size_t n = 0; n < b->options.n; n++)
        if (strcmp(b->options.at[n], option) == 0)
            return true;
    return false;
}

bool hd_frontend_counts(const hd_build *b) {
    return has_option(b, HD_COUNTING_OPTION);
}

static uint64_t constant(LLVMValueRef call, unsigned operand) {
    return LLVMConstIntGetZExtValue(LLVMGetOperand(call, operand));
}

/* One that several programs of a scenario share is counted together. */
static hd_counted_function *counted_of(hd_build *b, LLVMValueRef call) {
    size_t length;
    const char *name = LLVMGetAsString(LLVMGetInitializer(LLVMGetOperand(call, 0)), &length);
    uint64_t hash = constant(call, 1);
    uint64_t key = hd_hash_add(hd_hash_bytes(5, name, length), hash) | 1;
    const uint64_t *known = hd_map_find(&b->counted_of, key);
    if (known)
        return &b->counted.at[*known];
    hd_map_put(&b->counted_of, key, b->counted.n);
    hd_vec_push(&b->counted, ((hd_counted_function){hd_text_format("%.*s", (int)length, name), hash,
                                                    0, 0, 0, 0}));
    return &b->counted.at[b->counted.n - 1];
}

typedef void visitor(hd_build *b, LLVMValueRef call);

/* The visitor may replace the call. */
static void each_call(hd_build *b, const char *name, visitor *visit) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        next = LLVMGetNextUse(use);
        visit(b, LLVMGetUser(use));
    }
}

static void note_counters(hd_build *b, LLVMValueRef call) {
    hd_counted_function *c = counted_of(b, call);
    c->n_counters = constant(call, 2);
}

static void note_vectors(hd_build *b, LLVMValueRef call) {
    hd_counted_function *c = counted_of(b, call);
    c->n_vectors = constant(call, 2);
    LLVMInstructionEraseFromParent(call);
}

static void number_functions(hd_build *b) {
    for (size_t n = 0; n < b->counted.n; n++) {
        hd_counted_function *c = &b->counted.at[n];
        c->first_counter = b->n_counters;
        c->first_vector = b->n_vectors;
        b->n_counters += c->n_counters;
        b->n_vectors += c->n_vectors;
    }
}

static void number_counter(hd_build *b, LLVMValueRef call) {
    uint64_t index = counted_of(b, call)->first_counter + constant(call, 3);
    LLVMSetOperand(call, 0, LLVMConstNull(b->pointer));
    LLVMSetOperand(call, 1, hd_const64(b, 0));
    LLVMSetOperand(call, 3, hd_const32(b, (uint32_t)index));
}

/* The mapping speaks of the counter all the same, and so does "counted". */
static void drop_counter(hd_build *b, LLVMValueRef call) {
    b->n_counters = 0;
    LLVMInstructionEraseFromParent(call);
}

static unsigned vector_mark(const hd_build *b) {
    return LLVMGetMDKindIDInContext(b->context, "heddle.vector", 13);
}

bool hd_is_vector_number(const hd_build *b, LLVMValueRef i) {
    return LLVMIsASelectInst(i) && LLVMGetMetadata(i, vector_mark(b));
}

/* A condition adds to the number one of two constants, and then is branched on: once the way is
 * known, so is the number, and nothing about it is a question to the solver. */
static void mark_numbers(hd_build *b, LLVMValueRef local) {
    LLVMMetadataRef node = LLVMMDNodeInContext2(b->context, NULL, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use);
        if (LLVMIsAStoreInst(store) && LLVMIsASelectInst(LLVMGetOperand(store, 0)))
            LLVMSetMetadata(LLVMGetOperand(store, 0), vector_mark(b),
                            LLVMMetadataAsValue(b->context, node));
    }
}

/* The number of the vector is loaded here, so that the local that it was added up in can become a
 * value. */
static void number_vector(hd_build *b, LLVMValueRef call) {
    uint64_t first = counted_of(b, call)->first_vector + constant(call, 2);
    LLVMPositionBuilderBefore(b->builder, call);
    mark_numbers(b, LLVMGetOperand(call, 3));
    LLVMValueRef number = LLVMBuildLoad2(b->builder, b->i32, LLVMGetOperand(call, 3), "");
    LLVMTypeRef types[] = {b->pointer, b->i64, b->i32, b->i32, b->i64};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 5, false);
    LLVMValueRef step = LLVMGetNamedFunction(b->module, STEP);
    if (!step)
        step = LLVMAddFunction(b->module, STEP, type);
    LLVMValueRef operands[] = {LLVMConstNull(b->pointer), hd_const64(b, VECTOR), hd_const32(b, 0),
                               hd_const32(b, (uint32_t)first),
                               LLVMBuildZExt(b->builder, number, b->i64, "")};
    LLVMBuildCall2(b->builder, type, step, operands, 5, "");
    LLVMInstructionEraseFromParent(call);
}

static void part_decision(hd_build *b, LLVMValueRef call) {
    if (constant(call, 1) == VECTOR)
        hd_decision_part(b, call);
}

static void write_counted(const hd_build *b) {
    char *path = hd_text_format("%s/counted", b->output);
    FILE *out = fopen(path, "w");
    for (size_t n = 0; out && n < b->counted.n; n++) {
        const hd_counted_function *c = &b->counted.at[n];
        fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", c->n_counters, c->n_vectors,
                c->hash, c->name);
    }
    if (!out || fclose(out) != 0)
        hd_fail("check the disk", "cannot write '%s'", path);
    free(path);
}

/* Labels of heddle_reach that the code names: those that nothing reaches are known too. */
static void write_labels(const hd_build *b) {
    char *path = hd_text_format("%s/labels", b->output);
    FILE *out = fopen(path, "w");
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "heddle_reach");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; out && use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMValueRef label = LLVMIsACallInst(call) ? LLVMGetOperand(call, 0) : NULL;
        LLVMValueRef text =
            label && LLVMIsAGlobalVariable(label) ? LLVMGetInitializer(label) : NULL;
        size_t length;
        if (text && LLVMIsConstantString(text))
            fprintf(out, "%s\n", LLVMGetAsString(text, &length));
    }
    if (!out || fclose(out) != 0)
        hd_fail("check the disk", "cannot write '%s'", path);
    free(path);
}

static void promise(hd_build *b, LLVMValueRef f, const char *name, uint64_t value) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, value));
}

/* To LLVM they may write any memory, and what was loaded before a decision would be loaded, and
 * asked about, again after it; nothing of the program sees where they write. */
static void limit_effects(hd_build *b, const char *name) {
    enum { INACCESSIBLE = 3 << 2 }; /* llvm/Support/ModRef.h: read and write */
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    if (!f)
        return;
    promise(b, f, "memory", INACCESSIBLE);
    promise(b, f, "nounwind", 0);
    promise(b, f, "willreturn", 0);
}

void hd_counts_number(hd_build *b) {
    if (!hd_frontend_counts(b))
        return;
    each_call(b, INCREMENT, note_counters);
    each_call(b, STEP, note_counters);
    each_call(b, PARAMETERS, note_vectors);
    number_functions(b);
    visitor *visit = has_option(b, HD_VECTORS_ONLY_FLAG) ? drop_counter : number_counter;
    each_call(b, INCREMENT, visit);
    each_call(b, STEP, visit);
    each_call(b, UPDATE, number_vector);
    each_call(b, STEP, part_decision);
    limit_effects(b, INCREMENT);
    limit_effects(b, STEP);
    write_counted(b);
    write_labels(b);
}

/* ---- after instrumentation ---- */

uint64_t hd_vectors_offset(const hd_build *b) {
    return 2 * (uint64_t)b->n_branches;
}

/* There are two ways for each branch: an odd number of vectors has one more that nobody goes. */
uint64_t hd_coverage_ways(const hd_build *b) {
    return hd_vectors_offset(b) + (b->n_vectors + 1) / 2 * 2;
}

uint64_t hd_counts_offset(const hd_build *b) {
    return (hd_coverage_ways(b) + 7) / 8 * 8;
}

uint64_t hd_unclean_offset(const hd_build *b) {
    return hd_counts_offset(b) + 8 * b->n_counters;
}

static LLVMValueRef place_of(hd_build *b, uint64_t offset, LLVMValueRef more) {
    LLVMValueRef table = LLVMGetNamedGlobal(b->module, "__hd_coverage");
    LLVMValueRef first = hd_const64(b, offset);
    LLVMValueRef index = more ? LLVMBuildAdd(b->builder, more, first, "") : first;
    return LLVMBuildGEP2(b->builder, b->i8, table, &index, 1, "");
}

static void lower_counter(hd_build *b, LLVMValueRef call, LLVMValueRef step) {
    LLVMValueRef at = place_of(b, hd_counts_offset(b) + 8 * constant(call, 3), NULL);
    LLVMValueRef old = LLVMBuildLoad2(b->builder, b->i64, at, "");
    LLVMBuildStore(b->builder, LLVMBuildAdd(b->builder, old, step, ""), at);
}

static void lower(hd_build *b, LLVMValueRef call) {
    bool has_step = LLVMGetNumArgOperands(call) == 5;
    LLVMValueRef step = has_step ? LLVMGetOperand(call, 4) : hd_const64(b, 1);
    LLVMPositionBuilderBefore(b->builder, call);
    if (has_step && constant(call, 1) == VECTOR)
        LLVMBuildStore(b->builder, LLVMConstInt(b->i8, 1, false),
                       place_of(b, hd_vectors_offset(b) + constant(call, 3), step));
    else
        lower_counter(b, call, step);
    LLVMInstructionEraseFromParent(call);
}

void hd_counts_lower(hd_build *b) {
    each_call(b, INCREMENT, lower);
    each_call(b, STEP, lower);
}
