/* intrinsics.c -- LLVM's own functions: what each does to shadows, as one table. */
#include "compile/compiler/build.h"
#include "symbolic/expr.h"

#include <string.h>

typedef enum treatment {
    NOTHING,   /* no operand or result that could be symbolic, or it does not matter */
    IDENTITY,  /* the result is operand 0 */
    OPERATION, /* __hd_intrinsic */
    OVERFLOW,  /* {value, overflow bit} */
    COPY,
    FILL,
    VA_START,
    VA_COPY,
    MASK, /* pointer and mask */
    THREAD_LOCAL,
} treatment;

/* Longest prefix of the name behind "llvm." decides. */
static const struct {
    const char *prefix;
    treatment how;
} table[] = {
    {"expect", IDENTITY},
    {"launder.invariant.group", IDENTITY},
    {"strip.invariant.group", IDENTITY},
    {"ssa.copy", IDENTITY},
    {"annotation", IDENTITY},
    {"ptr.annotation", IDENTITY},
    {"threadlocal.address", THREAD_LOCAL},
    {"ptrmask", MASK},
    {"sadd.with.overflow", OVERFLOW},
    {"uadd.with.overflow", OVERFLOW},
    {"ssub.with.overflow", OVERFLOW},
    {"usub.with.overflow", OVERFLOW},
    {"smul.with.overflow", OVERFLOW},
    {"umul.with.overflow", OVERFLOW},
    {"ctpop", OPERATION},
    {"ctlz", OPERATION},
    {"cttz", OPERATION},
    {"bswap", OPERATION},
    {"bitreverse", OPERATION},
    {"abs", OPERATION},
    {"smax", OPERATION},
    {"smin", OPERATION},
    {"umax", OPERATION},
    {"umin", OPERATION},
    {"scmp", OPERATION},
    {"ucmp", OPERATION},
    {"fshl", OPERATION},
    {"fshr", OPERATION},
    {"sadd.sat", OPERATION},
    {"uadd.sat", OPERATION},
    {"ssub.sat", OPERATION},
    {"usub.sat", OPERATION},
    {"sshl.sat", OPERATION},
    {"ushl.sat", OPERATION},
    {"memcpy", COPY},
    {"memmove", COPY},
    {"memset", FILL},
    {"va_start", VA_START},
    {"va_copy", VA_COPY},
    {"va_end", NOTHING},
    {"assume", NOTHING},
    {"lifetime", NOTHING},
    {"invariant", NOTHING},
    {"dbg", NOTHING},
    {"prefetch", NOTHING},
    {"stacksave", NOTHING},
    {"stackrestore", NOTHING},
    {"objectsize", NOTHING},
    {"is.constant", NOTHING},
    {"experimental.noalias", NOTHING},
    {"trap", NOTHING},
    {"debugtrap", NOTHING},
    {"ubsantrap", NOTHING},
    {"var.annotation", NOTHING},
    {"instrprof", NOTHING}, /* counts.c */
};

static int find_row(const char *name) {
    int best = -1;
    size_t longest = 0;
    for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
        size_t n = strlen(table[r].prefix);
        if (n > longest && strncmp(name, table[r].prefix, n) == 0 &&
            (name[n] == '.' || name[n] == '\0')) {
            best = (int)r;
            longest = n;
        }
    }
    return best;
}

static void operation(hd_build *b, LLVMValueRef i, const char *name) {
    LLVMValueRef shadows[3], values[3];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    bool is_symbolic = false;
    if (!hd_type_is_symbolic(type))
        return;
    hd_emit_before(b, i);
    for (unsigned n = 0; n < 3; n++) {
        bool has = n < LLVMGetNumArgOperands(i) && LLVMTypeOf(LLVMGetOperand(i, n)) == type;
        shadows[n] = has ? hd_shadow_get(b, LLVMGetOperand(i, n)) : hd_const32(b, 0);
        values[n] = has ? hd_emit_bits(b, LLVMGetOperand(i, n)) : hd_const64(b, 0);
        is_symbolic |= !hd_shadow_is_zero(shadows[n]);
    }
    if (is_symbolic)
        hd_shadow_set(b, i,
                      hd_emit(b, HD_HOOK_INTRINSIC, hd_emit_string(b, name),
                              hd_const32(b, hd_type_width(type)), shadows[0], shadows[1],
                              shadows[2], values[0], values[1], values[2], hd_site_of(b, i)));
}

/* The branch of clang's check on an overflow bit, if that is the bit's only use. */
static LLVMValueRef check_of(LLVMValueRef i) {
    LLVMValueRef bit = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAExtractValueInst(user) || LLVMGetIndices(user)[0] > 1)
            return NULL;
        if (LLVMGetIndices(user)[0] == 1 && bit)
            return NULL;
        if (LLVMGetIndices(user)[0] == 1)
            bit = user;
    }
    LLVMUseRef use = bit ? LLVMGetFirstUse(bit) : NULL;
    if (!use || LLVMGetNextUse(use))
        return NULL;
    LLVMValueRef branch = LLVMGetUser(use);
    bool is_near = LLVMGetInstructionParent(branch) == LLVMGetInstructionParent(i);
    return is_near && LLVMIsABranchInst(branch) && hd_branch_is_check(branch) ? branch : NULL;
}

/* Where clang checks the bit, value, bit and branch are one question to the fast path. */
static void overflow(hd_build *b, LLVMValueRef i, const char *name) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMValueRef sx = hd_shadow_get(b, x), sy = hd_shadow_get(b, y), branch = check_of(i);
    unsigned op = name[1] == 'a' ? HD_OP_ADD : name[1] == 's' ? HD_OP_SUB : HD_OP_MUL;
    if (!hd_type_is_symbolic(LLVMTypeOf(x)) || (hd_shadow_is_zero(sx) && hd_shadow_is_zero(sy)))
        return;
    hd_emit_before(b, i);
    unsigned width = hd_type_width(LLVMTypeOf(x));
    LLVMValueRef kind = hd_const32(b, op), is_signed = hd_const32(b, name[0] == 's');
    if (branch) {
        uint32_t site = hd_check_site(b, branch);
        hd_shadow_set_leaf(b, i, 0,
                           hd_emit(b, HD_HOOK_CHECKED, kind, is_signed, hd_const32(b, width), sx,
                                   sy, hd_emit_bits(b, x), hd_emit_bits(b, y),
                                   hd_const32(b, site)));
        return;
    }
    hd_shadow_set_leaf(b, i, 0, hd_emit_binary(b, op, width, sx, sy, x, y));
    hd_shadow_set_leaf(b, i, 1,
                       hd_emit(b, HD_HOOK_OVERFLOW, kind, is_signed, hd_const32(b, width), sx, sy,
                               hd_emit_bits(b, x), hd_emit_bits(b, y)));
}

static void mask(hd_build *b, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    hd_emit_before(b, i);
    hd_shadow_set(b, i,
                  hd_emit_binary(b, HD_OP_AND, 64, hd_shadow_get(b, x), hd_shadow_get(b, y), x, y));
}

/* Clocks and random numbers of the processor. */
static bool reads_outside(const char *name) {
    return strncmp(name, "llvm.x86.rd", 11) == 0 || strncmp(name, "llvm.read", 9) == 0;
}

static void unknown(hd_build *b, LLVMValueRef i) {
    hd_emit_before(b, i);
    if (reads_outside(hd_value_name(LLVMGetCalledValue(i))))
        hd_emit(b, HD_HOOK_OUTSIDE);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
        hd_emit_concrete(b, LLVMGetOperand(i, n), "compiler built-in", i);
}

static void treat(hd_build *b, LLVMValueRef i, const char *prefix, treatment how) {
    switch (how) {
    case NOTHING:
        return;
    case IDENTITY:
        hd_shadow_set(b, i, hd_shadow_get(b, LLVMGetOperand(i, 0)));
        return;
    case OPERATION:
        operation(b, i, prefix);
        return;
    case OVERFLOW:
        overflow(b, i, prefix);
        return;
    case COPY:
    case FILL:
        hd_instrument_memory_intrinsic(b, i, how == FILL);
        return;
    case VA_START:
        hd_emit_after(b, i);
        hd_emit(b, HD_HOOK_VA_START, LLVMGetOperand(i, 0));
        return;
    case VA_COPY:
        hd_instrument_va_copy(b, i);
        return;
    case MASK:
        mask(b, i);
        return;
    case THREAD_LOCAL:
        hd_instrument_thread_local(b, i);
        return;
    }
}

bool hd_instrument_intrinsic(hd_build *b, LLVMValueRef i) {
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (!LLVMIsAFunction(callee) || strncmp(hd_value_name(callee), "llvm.", 5) != 0)
        return false;
    int row = find_row(hd_value_name(callee) + 5);
    if (row < 0)
        unknown(b, i);
    else
        treat(b, i, table[row].prefix, table[row].how);
    return true;
}
