/* holders.c -- pointers in locals of functions that have not returned when the program ends.
 *
 * What such a local points to is not lost, whether it is read again or not.  But a value that
 * nobody reads again is in no register and nowhere on the stack.  So, where a pointer is assigned
 * to a local of a function that may not return, because it calls exit or because a thread may still
 * wait there, it is written to a place of the frame too, which nobody but machine/tasks/leaks.c
 * reads: one place for each local. */
#include "compile/compiler/build.h"

#include <string.h>

static bool is_exit(LLVMValueRef f) {
    static const char *const names[] = {"exit", "_exit", "_Exit", "quick_exit", "err",
                                        "errx", "verr",  "verrx", "error"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (LLVMIsDeclaration(f) && strcmp(hd_value_name(f), names[n]) == 0)
            return true;
    return false;
}

/* Functions in which a thread may stand when another one ends the program. */
static bool is_waiting(LLVMValueRef f) {
#define BLOCKS                                        1u
#define ENDS                                          0u
#define STATE                                         0u
#define OUTSIDE                                       0u
#define PRINTS                                        0u
#define IGNORES                                       0u
#define OWN(name, function, result, arguments, flags) {#name, (flags) != 0},
    static const struct {
        const char *name;
        bool blocks;
    } rows[] = {
#include "program/functions.def"
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (rows[n].blocks && LLVMIsDeclaration(f) && strcmp(hd_value_name(f), rows[n].name) == 0)
            return true;
    return false;
}

static bool is_in(const hd_map *set, LLVMValueRef f) {
    return hd_map_find(set, (uint64_t)(uintptr_t)f) != NULL;
}

/* Calls through pointers may call what has an address anywhere. */
static bool may_call_one_of(LLVMValueRef i, const hd_map *set) {
    if (!LLVMIsACallInst(i))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMIsAFunction(callee) ? is_in(set, callee) : !LLVMIsAInlineAsm(callee);
}

static bool has_call(LLVMValueRef f, const hd_map *set) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (may_call_one_of(i, set))
                return true;
    return false;
}

/* The functions that may not return because of somebody below them. */
static void find_leaving(hd_build *b, hd_map *leaving) {
    bool has_more = false, has_threads = hd_module_creates_threads(b);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetFirstUse(f) && (is_exit(f) || (has_threads && is_waiting(f)))) {
            hd_map_put(leaving, (uint64_t)(uintptr_t)f, 1);
            has_more = true;
        }
    while (has_more) {
        has_more = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f) && !is_in(leaving, f) && has_call(f, leaving)) {
                hd_map_put(leaving, (uint64_t)(uintptr_t)f, 1);
                has_more = true;
            }
    }
}

static LLVMValueRef local_of(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) ? p : NULL;
}

static void promise(hd_build *b, LLVMValueRef f, const char *name, uint64_t value) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, id, value));
}

/* The mark touches no memory that anybody else knows: passes go on as if it were not there. */
#define INACCESSIBLE_MEMORY (3u << 2)
static LLVMValueRef declare_hold(hd_build *b, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(b->module, HD_HOLD);
    if (f)
        return f;
    f = LLVMAddFunction(b->module, HD_HOLD, type);
    promise(b, f, "memory", INACCESSIBLE_MEMORY);
    promise(b, f, "nounwind", 0);
    promise(b, f, "willreturn", 0);
    return f;
}

static void hold(hd_build *b, LLVMValueRef store, uint64_t number) {
    LLVMTypeRef types[] = {b->pointer, b->i64};
    LLVMTypeRef type = LLVMFunctionType(b->void_type, types, 2, false);
    LLVMValueRef arguments[] = {LLVMGetOperand(store, 0), hd_const64(b, number)};
    hd_emit_before(b, store);
    LLVMBuildCall2(b->builder, type, declare_hold(b, type), arguments, 2, "");
}

/* Numbers are of this module: functions that are inlined keep theirs. */
static uint64_t number_of(hd_map *numbers, LLVMValueRef p) {
    uint64_t key = (uint64_t)(uintptr_t)p, *known = hd_map_find(numbers, key),
             next = numbers->n + 1;
    if (known)
        return *known;
    hd_map_put(numbers, key, next);
    return next;
}

static void hold_pointers(hd_build *b, LLVMValueRef f, hd_map *numbers) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) || LLVMTypeOf(LLVMGetOperand(i, 0)) != b->pointer ||
                !local_of(LLVMGetOperand(i, 1)))
                continue;
            hold(b, i, number_of(numbers, LLVMGetOperand(i, 1)));
        }
}

void hd_holders_mark(hd_build *b) {
    hd_map leaving = {0}, numbers = {0};
    find_leaving(b, &leaving);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_in(&leaving, f))
            hold_pointers(b, f, &numbers);
    hd_map_release(&leaving);
    hd_map_release(&numbers);
}

/* -- Instrumentation --------------------------------------------------------------------------- */

static LLVMValueRef place_of(hd_build *b, uint64_t number) {
    LLVMValueRef function = b->current, *known = (LLVMValueRef *)hd_map_find(&b->holders, number);
    if (known)
        return *known;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(b->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef place = LLVMBuildAlloca(b->builder, b->pointer, "");
    LLVMSetVolatile(LLVMBuildStore(b->builder, LLVMConstNull(b->pointer), place), true);
    hd_map_put(&b->holders, number, (uint64_t)(uintptr_t)place);
    return place;
}

void hd_instrument_hold(hd_build *b, LLVMValueRef mark) {
    LLVMValueRef place = place_of(b, LLVMConstIntGetZExtValue(LLVMGetOperand(mark, 1)));
    hd_emit_before(b, mark);
    LLVMSetVolatile(LLVMBuildStore(b->builder, LLVMGetOperand(mark, 0), place), true);
}
