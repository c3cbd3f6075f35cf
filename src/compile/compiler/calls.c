/* calls.c -- shadows of arguments and results.
 *
 * They travel in hd_registers (program/abi.h).  Arguments are numbered among the integers
 * and pointers of the call, as the System V ABI hands out its integer registers, so that a
 * variadic callee finds them again in its register save area.  Structs by value (byval) are
 * memory: they are named by their position in the call. */
#include "compile/compiler/build.h"

#include <stdio.h>
#include <string.h>

typedef enum callee_kind { MODULE, HEDDLE, EXTERNAL, INDIRECT, CHECK } callee_kind;

static callee_kind kind_of(LLVMValueRef callee) {
    if (LLVMIsAGlobalAlias(callee))
        return MODULE;
    if (!LLVMIsAFunction(callee))
        return INDIRECT;
    if (!LLVMIsDeclaration(callee))
        return MODULE;
    const char *name = hd_value_name(callee);
    if (hd_name_begins(name, "__ubsan_handle_"))
        return CHECK;
    return hd_name_begins(name, "heddle_") || hd_name_begins(name, "__heddle_") ? HEDDLE : EXTERNAL;
}

LLVMTypeRef hd_call_attribute(LLVMValueRef call, unsigned argument, const char *name) {
    unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, id);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static LLVMTypeRef parameter_byval(LLVMValueRef function, unsigned parameter) {
    unsigned id = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, id);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* "+m" makes one operand two arguments. */
static bool is_repeated(LLVMValueRef call, unsigned argument) {
    for (unsigned n = 0; n < argument; n++)
        if (LLVMGetOperand(call, n) == LLVMGetOperand(call, argument))
            return true;
    return false;
}

/* Arguments that are memory: before anything is passed, because other threads may run here. */
void hd_shared_arguments(hd_build *b, LLVMValueRef call, const char *kind) {
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
        LLVMTypeRef type = hd_call_attribute(call, n, kind);
        if (type && !is_repeated(call, n) && !hd_is_guard(LLVMGetOperand(call, n)))
            hd_shared_argument(b, call, n, type);
    }
}

/* -- Callers ------------------------------------------------------------------------------- */

static void pass_byval(hd_build *b, LLVMValueRef i, callee_kind kind, unsigned n,
                       LLVMTypeRef type) {
    LLVMValueRef v = LLVMGetOperand(i, n);
    /* Among variadic arguments nobody takes it over: what is symbolic in it becomes concrete. */
    bool is_named = n < LLVMCountParamTypes(LLVMGetCalledFunctionType(i));
    if (hd_is_guard(v))
        return;
    if ((kind == MODULE || kind == INDIRECT) && is_named)
        hd_emit(b, HD_HOOK_BYVAL_PASS, v, hd_const32(b, n));
    else
        hd_emit(b, HD_HOOK_ACCESS, v, hd_shadow_get(b, v),
                hd_const32(b, LLVMABISizeOfType(b->layout, type)), hd_const32(b, 0),
                hd_site_of(b, i));
}

static void pass_leaves_concretely(hd_build *b, LLVMValueRef i, LLVMValueRef v) {
    for (unsigned n = 0; n < hd_type_n_leaves(LLVMTypeOf(v)); n++) {
        LLVMValueRef shadow = hd_shadow_leaf(b, v, n);
        hd_leaf leaf = hd_type_leaf(b, LLVMTypeOf(v), n);
        LLVMValueRef part = v;
        if (!hd_type_is_symbolic(leaf.type) || hd_shadow_is_zero(shadow))
            continue;
        for (unsigned d = 0; d < leaf.depth; d++)
            part = LLVMBuildExtractValue(b->builder, part, leaf.path[d], "");
        hd_emit(b, HD_HOOK_CONCRETIZE, shadow, hd_emit_bits(b, part),
                hd_const32(b, hd_type_width(leaf.type)), hd_emit_string(b, "aggregate argument"),
                hd_site_of(b, i));
    }
}

static void pass_arguments(hd_build *b, LLVMValueRef i, callee_kind kind) {
    unsigned number = 0;
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++) {
        LLVMValueRef v = LLVMGetOperand(i, n);
        LLVMTypeRef byval = hd_call_attribute(i, n, "byval");
        if (byval) {
            pass_byval(b, i, kind, n, byval);
            continue;
        }
        if (hd_type_is_aggregate(LLVMTypeOf(v)))
            pass_leaves_concretely(b, i, v);
        if (!hd_type_is_symbolic(LLVMTypeOf(v)))
            continue;
        LLVMValueRef shadow = hd_shadow_get(b, v);
        if (number >= HD_MAX_ARGS)
            hd_emit_concrete(b, v, "argument beyond the 64th", i);
        else if (!hd_shadow_is_zero(shadow))
            hd_emit(b, HD_HOOK_PASS, hd_const32(b, number), shadow);
        number++;
    }
}

static LLVMValueRef take_result(hd_build *b, LLVMValueRef i, unsigned n, LLVMTypeRef type,
                                LLVMValueRef returned) {
    LLVMValueRef shadow = hd_emit(b, HD_HOOK_RESULT, returned, hd_const32(b, n));
    return kind_of(LLVMGetCalledValue(i)) == INDIRECT
               ? hd_emit(b, HD_HOOK_FIT, shadow, hd_const32(b, hd_type_width(type)),
                         hd_site_of(b, i))
               : shadow;
}

static void take_results(hd_build *b, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (type == b->void_type)
        return;
    LLVMValueRef returned = hd_emit(b, HD_HOOK_RETURNED);
    for (unsigned n = 0; n < hd_type_n_leaves(type) && n < HD_MAX_RETS; n++) {
        LLVMTypeRef leaf = hd_type_leaf(b, type, n).type;
        if (hd_type_is_symbolic(leaf))
            hd_shadow_set_leaf(b, i, n, take_result(b, i, n, leaf, returned));
    }
}

/* Where the variadic arguments of a call travel, by the System V ABI. */
typedef struct variadic_places {
    uint64_t bytes;             /* on the stack */
    unsigned general, floating; /* registers, those of named arguments included */
    char code[256];             /* HD_VARIADIC_* of each numbered argument, as a string */
    unsigned n;
} variadic_places;

static void add_place(variadic_places *p, uint64_t code) {
    if (p->n + 1 < sizeof p->code && code < 256)
        p->code[p->n++] = (char)code;
}

static uint64_t on_stack(uint64_t bytes, uint64_t alignment) {
    return alignment > 8 ? (bytes + 15) / 16 * 16 : bytes;
}

static variadic_places places_of(hd_build *b, LLVMValueRef i) {
    unsigned general = 0, floating = 0, fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(i));
    variadic_places p = {0};
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i) && !hd_is_guard(LLVMGetOperand(i, n)); n++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, n)),
                    byval = hd_call_attribute(i, n, "byval"), memory = byval ? byval : type;
        uint64_t size = LLVMABISizeOfType(b->layout, memory);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        bool is_general = !byval && (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind);
        unsigned wanted = size > 8 ? 2 : 1, first = general;
        bool in_register = is_general ? general + wanted <= 6
                                      : !byval && kind != LLVMX86_FP80TypeKind && floating++ < 8;
        if (is_general && in_register)
            general += wanted;
        if (n < fixed)
            continue;
        uint64_t at = on_stack(p.bytes, LLVMABIAlignmentOfType(b->layout, memory));
        if (is_general && hd_type_is_symbolic(type))
            add_place(&p, in_register ? HD_VARIADIC_REGISTER + first : HD_VARIADIC_STACK + at / 8);
        if (!in_register)
            p.bytes = at + (size + 7) / 8 * 8;
    }
    p.general = general;
    p.floating = floating < 8 ? floating : 8;
    return p;
}

static void announce_variadic(hd_build *b, LLVMValueRef i) {
    variadic_places p = places_of(b, i);
    hd_emit(b, HD_HOOK_VARIADIC_CALL,
            hd_const32(b, HD_VARIADIC_ROOM(p.bytes, p.general, p.floating)),
            hd_emit_string(b, p.code));
}

static void before_call(hd_build *b, LLVMValueRef i, callee_kind kind) {
    LLVMValueRef callee = LLVMGetCalledValue(i);
    hd_emit_before(b, i);
    if (kind == INDIRECT && !hd_shadow_is_zero(hd_shadow_get(b, callee)))
        hd_emit(b, HD_HOOK_CALLEE, hd_shadow_get(b, callee), hd_emit_bits(b, callee),
                hd_site_of(b, i));
    hd_shared_arguments(b, i, "byval");
    pass_arguments(b, i, kind);
    if ((kind == MODULE || kind == INDIRECT) && LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)))
        announce_variadic(b, i);
    if (b->fuel && kind != HEDDLE)
        hd_emit(b, HD_HOOK_FUEL_STORE, b->fuel);
    if (kind == HEDDLE)
        hd_site_of(b, i); /* for those who ask who called: machine/memory/caller.c */
}

/* Library functions of the machine whose result may depend on inputs.  All others answer
 * concretely, and what a function of the program left that they called back is not their result. */
static bool returns_shadow(LLVMValueRef call) {
    static const char *const names[] = {"pthread_getspecific",
                                        "tss_get",
                                        "ungetc",
                                        "fputc",
                                        "putc",
                                        "putchar",
                                        "_IO_putc",
                                        "fputc_unlocked",
                                        "putc_unlocked",
                                        "putchar_unlocked"};
    return HD_NAME_IS_IN(hd_value_name(LLVMGetCalledValue(call)), names);
}

static void after_call(hd_build *b, LLVMValueRef i, callee_kind kind) {
    const char *name = hd_value_name(LLVMGetCalledValue(i));
    bool is_used = LLVMGetFirstUse(i) != NULL;
    hd_emit_after(b, i);
    if (LLVMIsAUnreachableInst(LLVMGetNextInstruction(i)))
        return;
    if (b->fuel && kind != HEDDLE)
        hd_emit(b, HD_HOOK_FUEL_LOAD, b->fuel);
    /* By a jump: functions were left without returning. */
    if (hd_call_returns_twice(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind)
        hd_emit(b, HD_HOOK_JUMPED, hd_emit_bits(b, i), hd_emit_stack_pointer(b));
    if (kind != EXTERNAL || returns_shadow(i))
        take_results(b, i);
    if (kind != EXTERNAL && kind != INDIRECT)
        return;
    /* "=name": the program looks at the result (program/abi.h). */
    char text[256];
    snprintf(text, sizeof text, "%s%s", kind == EXTERNAL && is_used ? "=" : "",
             kind == INDIRECT ? "a function pointer" : name);
    hd_emit(b, HD_HOOK_EXTERNAL, hd_emit_string(b, text), hd_site_of(b, i));
}

void hd_instrument_call(hd_build *b, LLVMValueRef i) {
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (LLVMIsAInlineAsm(callee)) {
        hd_instrument_assembly(b, i);
        return;
    }
    if (strcmp(hd_value_name(callee), HD_ANNOUNCE) == 0) {
        hd_instrument_announce(b, i);
        return;
    }
    callee_kind kind = kind_of(callee);
    if (kind == CHECK || hd_instrument_undefined(b, i))
        return;
    before_call(b, i, kind);
    after_call(b, i, kind);
}

/* -- Callees ------------------------------------------------------------------------------- */

static unsigned count_named(LLVMValueRef function) {
    unsigned named = 0;
    for (unsigned n = 0; n < LLVMCountParams(function); n++)
        named += hd_type_is_symbolic(LLVMTypeOf(LLVMGetParam(function, n))) &&
                 !parameter_byval(function, n);
    return named;
}

/* May somebody call it who knows it by another type?  Direct calls agree (agree.c), but for those
 * with structs. */
static bool is_known_to_all(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function ||
            LLVMGetCalledFunctionType(user) != LLVMGlobalGetValueType(function))
            return false;
    }
    return true;
}

static LLVMValueRef take_argument(hd_build *b, LLVMValueRef function, LLVMValueRef parameter,
                                  LLVMValueRef passed, unsigned number) {
    LLVMValueRef shadow = hd_emit(b, HD_HOOK_TAKE, passed, hd_const32(b, number));
    return is_known_to_all(function) ? shadow
                                     : hd_emit(b, HD_HOOK_FIT, shadow,
                                               hd_const32(b, hd_type_width(LLVMTypeOf(parameter))),
                                               hd_site_of(b, b->body));
}

static void take_arguments(hd_build *b, LLVMValueRef function) {
    LLVMValueRef passed = hd_emit(b, HD_HOOK_ENTER);
    unsigned number = 0;
    for (unsigned n = 0; n < LLVMCountParams(function); n++) {
        LLVMValueRef parameter = LLVMGetParam(function, n);
        if (!hd_type_is_symbolic(LLVMTypeOf(parameter)) || parameter_byval(function, n))
            continue;
        if (number < HD_MAX_ARGS && LLVMGetFirstUse(parameter))
            hd_shadow_set(b, parameter, take_argument(b, function, parameter, passed, number));
        number++;
    }
}

void hd_instrument_entry(hd_build *b, LLVMValueRef function) {
    unsigned named = count_named(function);
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
        hd_emit(b, HD_HOOK_VARIADIC_ENTER, hd_const32(b, named));
    for (unsigned n = 0; n < LLVMCountParams(function); n++) {
        LLVMTypeRef type = parameter_byval(function, n);
        if (type)
            hd_emit(b, HD_HOOK_BYVAL_ENTER, LLVMGetParam(function, n),
                    hd_const64(b, LLVMABISizeOfType(b->layout, type)), hd_const32(b, n));
    }
    if (named)
        take_arguments(b, function);
}

/* Locals of main live until the process ends in programs with threads: what others do with them
 * they do before main returns, or not at all (HD_KEEP_LOCALS_OF_MAIN). */
static bool keeps_locals(const hd_build *b, LLVMValueRef i) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    return b->is_threaded && hd_function_is_main(function);
}

static void check_status(hd_build *b, LLVMValueRef i, LLVMValueRef status) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    if (b->sees_undefined && hd_function_is_main(function) &&
        !hd_shadow_is_zero(hd_shadow_get(b, status)))
        hd_emit(b, HD_HOOK_STATUS, hd_shadow_get(b, status), hd_site_of(b, i));
}

void hd_instrument_return(hd_build *b, LLVMValueRef i) {
    bool leaves = !keeps_locals(b, i);
    hd_emit_before(b, i);
    for (size_t n = 0; leaves && n < b->locals.n; n++)
        hd_shared_leave(b, &b->locals.at[n], i);
    if (LLVMGetNumOperands(i)) {
        LLVMValueRef v = LLVMGetOperand(i, 0);
        LLVMTypeRef type = LLVMTypeOf(v);
        check_status(b, i, v);
        for (unsigned n = 0; n < hd_type_n_leaves(type) && n < HD_MAX_RETS; n++)
            if (hd_type_is_symbolic(hd_type_leaf(b, type, n).type) &&
                !hd_shadow_is_zero(hd_shadow_leaf(b, v, n)))
                hd_emit(b, HD_HOOK_RETURN, hd_const32(b, n), hd_shadow_leaf(b, v, n));
    }
    for (size_t n = 0; leaves && n < b->locals.n; n++)
        hd_emit(b, HD_HOOK_LOCAL_LEAVE, b->locals.at[n].at, hd_const64(b, b->locals.at[n].size));
    if (leaves && b->frame)
        hd_emit(b, HD_HOOK_STACK_RESTORE, hd_emit_stack_pointer(b), b->frame,
                hd_const32(b, HD_POISON_RETURNED));
    if (b->fuel)
        hd_emit(b, HD_HOOK_FUEL_STORE, b->fuel);
}
